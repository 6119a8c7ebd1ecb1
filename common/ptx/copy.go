package ptx

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// An asyncCopy is a cp.async whose data is under way (PTX ISA, "cp.async"). It is read
// at once and written when its lanes wait for it: until then nobody may touch the place.
type asyncCopy struct {
	in       *instr
	lanes    uint32
	to       row
	data     [4]row
	group    [32]int // by lane
	interval uint64
}

// copyAsync reads cp.async and what commits and waits for it.
func (l *lowerer) copyAsync() error {
	st := l.st
	if len(st.mods) == 0 || st.mods[0] != ".async" {
		return l.unsupported("")
	}
	in := instr{op: opWarp, d: -1}
	switch mods := strings.Join(st.mods[1:], ""); {
	case mods == ".commit_group" && len(st.args) == 0:
		in.warp = always(func(_ *worker, w *warp, _ *instr, m uint32) { w.commit(m) })
	case mods == ".wait_all" && len(st.args) == 0:
		in.warp = func(k *worker, w *warp, _ *instr, m uint32) error {
			w.commit(m)
			return k.land(w, m, 0)
		}
	case mods == ".wait_group" && len(st.args) == 1 && st.args[0].kind == opdImm:
		n := int(st.args[0].val)
		in.warp = func(k *worker, w *warp, _ *instr, m uint32) error { return k.land(w, m, n) }
	default:
		return l.startCopy()
	}
	l.emit(in)
	return nil
}

// startCopy reads cp.async.ca.shared.global [to], [from], size{, source size or
// predicate that says to read nothing}.
func (l *lowerer) startCopy() error {
	st := l.st
	hint := 0
	for _, mod := range st.mods[1:] {
		switch mod {
		case ".ca", ".cg", ".shared", ".shared::cta", ".global", ".L2::64B", ".L2::128B", ".L2::256B":
		case ".L2::cache_hint":
			hint = 1
		default:
			return l.unsupported("modifier %s", mod)
		}
	}
	args := st.args[:max(len(st.args)-hint, 0)]
	if len(args) < 3 || len(args) > 4 || args[2].kind != opdImm || !slices.Contains([]uint64{4, 8, 16}, args[2].val) {
		return l.unsupported("")
	}
	size := int(args[2].val)
	from := &memOp{space: spGlobal, elem: 4, n: size / 4, bytes: size, index: len(l.p.mems)}
	for i := range from.n {
		from.regs[i], from.masks[i] = l.p.newRow(), mask(32)
	}
	in := instr{op: opWarp, d: -1, mem: from, c: l.p.constRow(uint64(size))}
	nothing := func(*warp) uint32 { return 0 }
	if len(args) == 4 {
		var err error
		if o := args[3]; o.kind == opdReg && l.top().f.regs[o.reg].kind == 'p' {
			nothing, err = l.lanesOf(o)
		} else {
			in.c, err = l.source(o, typ{'u', 32})
		}
		if err != nil {
			return err
		}
	}
	from.into = &memOp{space: spShared, store: true, elem: 4, n: size / 4, bytes: size, regs: from.regs, index: from.index}
	var err error
	if in.b, err = l.copyAddress(from.into, args[0]); err != nil {
		return err
	}
	in.warp = func(k *worker, w *warp, in *instr, m uint32) error { return k.startCopy(w, in, m, nothing(w)) }
	l.p.copies = true
	return l.memAddress(in, args[1])
}

// copyAddress reads where the data goes.
func (l *lowerer) copyAddress(m *memOp, addr operand) (int32, error) {
	if addr.kind != opdMem || len(addr.list) != 1 {
		return 0, l.unsupported("")
	}
	m.off = uint64(addr.off)
	base := addr.list[0]
	var err error
	switch base.kind {
	case opdReg:
		var width int
		m.base, width, err = l.register(base)
		m.narrow = width == 32
	case opdVar:
		if base.v.space != spShared {
			return 0, l.unsupported("%s is not in shared memory", base.v.name)
		}
		m.base, err = l.address(base.v, 0)
	default:
		return 0, l.unsupported("")
	}
	return m.base, err
}

// startCopy loads, and keeps what is to be stored. Where less is to be read than
// copied, the rest is zero.
func (k *worker) startCopy(w *warp, in *instr, m, nothing uint32) error {
	from, sizes := in.mem, *w.regs[in.c].row()
	for _, r := range from.regs[:from.n] {
		w.regs[r].set(0)
	}
	var whole, part uint32
	for rest := m &^ nothing; rest != 0; rest &= rest - 1 {
		switch i := bits.TrailingZeros32(rest) & 31; {
		case sizes[i] >= uint64(from.bytes):
			whole |= 1 << i
		case sizes[i] > 0:
			part |= 1 << i
		}
	}
	if whole != 0 {
		if err := k.access(w, in, whole); err != nil {
			return err
		}
	}
	if part != 0 {
		if err := k.loadPart(w, in, part, &sizes); err != nil {
			return err
		}
	}
	return k.take(w, in, m)
}

// addresses makes a request of the addresses of the lanes of mask.
func (k *worker) addresses(w *warp, in *instr, m *memOp, mask uint32) *request {
	base := w.regs[m.base].row()
	for i := range k.addr {
		k.addr[i] = base[i] + m.off
		if m.narrow {
			k.addr[i] = uint64(uint32(k.addr[i]))
		}
	}
	return &request{m: m, in: in, lanes: &k.addr, mask: mask}
}

// loadPart loads fewer bytes than are copied.
func (k *worker) loadPart(w *warp, in *instr, m uint32, sizes *row) error {
	from := *in.mem
	r := k.addresses(w, in, &from, m)
	addr := *r.row()
	k.cached(&from, Global).countGlobal(r)
	return r.each(func(i int) error {
		from.bytes = int(sizes[i])
		a := k.l.find(addr[i])
		if a == nil || addr[i]-a.base > uint64(len(a.data)) || sizes[i] > uint64(len(a.data))-(addr[i]-a.base) {
			return k.outOfBounds(w, r, i, a)
		}
		if addr[i]%uint64(in.mem.bytes) != 0 {
			from.bytes = in.mem.bytes
			return k.misaligned(w, r, i)
		}
		var b [16]byte
		copy(b[:sizes[i]], a.data[addr[i]-a.base:])
		for j, reg := range from.regs[:from.n] {
			w.regs[reg].change()[i] = get(b[4*j:4*j+4], false)
		}
		return nil
	})
}

// take puts a copy on its way.
func (k *worker) take(w *warp, in *instr, m uint32) error {
	to := in.mem.into
	r := k.addresses(w, in, to, m)
	if err := k.checkShared(w, r); err != nil {
		return err
	}
	if err := k.checkFlying(w, r); err != nil {
		return err
	}
	if k.traced {
		k.sample(w, r, spShared)
	}
	k.cached(to, Shared).countShared(r)
	if err := k.trackShared(w, r); err != nil {
		return err
	}
	c := asyncCopy{in: in, lanes: m, to: *r.row(), group: w.groups, interval: k.interval}
	for i, reg := range to.regs[:to.n] {
		c.data[i] = *w.regs[reg].row()
	}
	w.copies = append(w.copies, c)
	k.fly(w, &c, m, true)
	return nil
}

// fly marks the places that a copy writes, or takes the marks away.
func (k *worker) fly(w *warp, c *asyncCopy, m uint32, under bool) {
	for ; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		for word := range c.in.mem.n {
			f := &k.flying[c.to[i]/4+uint64(word)]
			if *f = 0; under {
				*f = int32(w.index*32 + i + 1)
			}
		}
	}
}

// commit ends the group of copies of each lane of m.
func (w *warp) commit(m uint32) {
	for ; m != 0; m &= m - 1 {
		w.groups[bits.TrailingZeros32(m)&31]++
	}
}

// land stores what the lanes of m have copied, but for their n newest groups.
func (k *worker) land(w *warp, m uint32, n int) error {
	for i := range w.copies {
		c := &w.copies[i]
		var lanes uint32
		for rest := c.lanes & m; rest != 0; rest &= rest - 1 {
			if j := bits.TrailingZeros32(rest) & 31; c.group[j] < w.groups[j]-n {
				lanes |= 1 << j
			}
		}
		if lanes == 0 {
			continue
		}
		c.lanes &^= lanes
		k.fly(w, c, lanes, false)
		r := &request{m: c.in.mem.into, in: c.in, mask: lanes, lanes: &c.to}
		if c.interval != k.interval { // else it is known from the start of the copy
			if err := k.trackShared(w, r); err != nil {
				return err
			}
		}
		rows := [4]*row{&c.data[0], &c.data[1], &c.data[2], &c.data[3]}
		for rest := lanes; rest != 0; rest &= rest - 1 {
			j := bits.TrailingZeros32(rest) & 31
			r.m.move(&rows, j, k.shared[c.to[j]:])
		}
	}
	w.copies = slices.DeleteFunc(w.copies, func(c asyncCopy) bool { return c.lanes == 0 })
	return nil
}

// checkFlying accuses the lowest lane that touches what a copy is still writing.
func (k *worker) checkFlying(w *warp, r *request) error {
	n := max(uint64(r.m.bytes)/4, 1)
	return r.each(func(i int) error {
		first := r.at(i) / 4
		for word := first; word < first+n; word++ {
			if owner := k.flying[word]; owner != 0 {
				return k.flyingRace(w, r, i, int(owner-1), word)
			}
		}
		return nil
	})
}

func (k *worker) flyingRace(w *warp, r *request, lane, owner int, word uint64) error {
	f := k.accessFault(SharedRace, w, r, lane, Shared)
	f.Other = &Party{Block: k.idx, Thread: k.l.c.Block.at(int64(owner)), Store: true}
	for _, c := range k.warps[owner/32].copies {
		if i := owner % 32; c.lanes>>i&1 == 1 && word-c.to[i]/4 < uint64(c.in.mem.n) {
			f.Other.Site = k.p.sites[c.in.site]
		}
	}
	f.detail = fmt.Sprintf("%s at offset %d at %s;\nthread %v still copies there, at %s: cp.async.wait_group or wait_all missing before?",
		f.who(), f.Addr, place(f.Site), f.Other.Thread, place(f.Other.Site))
	return f
}
