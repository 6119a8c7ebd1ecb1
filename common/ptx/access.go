package ptx

import (
	"encoding/binary"
	"math/bits"
)

// A counter adds up one memory instruction in one space.
type counter struct {
	requests, sectors, bestSectors, wavefronts, best, asked, touched int64
}

// A request is one execution of a memory instruction by a warp. Its addresses
// are offsets in the block's shared memory or device addresses.
type request struct {
	m      *memOp
	in     *instr
	mask   uint32 // active lanes
	spaced bool   // all 32 lanes are active, and the addresses are affine
	affine
	lanes *row // the addresses where they are not
}

// at returns the address of a lane.
func (r *request) at(lane int) uint64 {
	if r.spaced {
		return r.affine.at(lane)
	}
	return r.lanes[lane]
}

// row returns the addresses.
func (r *request) row() *row {
	if r.spaced {
		for i := range r.lanes {
			r.lanes[i] = r.affine.at(i)
		}
	}
	return r.lanes
}

// access executes a load or store for the lanes of mask.
func (k *worker) access(w *warp, in *instr, mask uint32) error {
	m := in.mem
	r := &k.request
	*r = request{m: m, in: in, lanes: &k.addr, mask: mask}
	base := &w.regs[m.base]
	if base.form&isAffine != 0 && mask == ^uint32(0) {
		if m.narrow {
			r.spaced = r.set32(base.base+m.off, base.step)
		} else {
			r.affine, r.spaced = affine{base.base + m.off, base.step}, true
		}
	}
	if !r.spaced {
		addr, base := r.lanes, base.row()
		for i := range addr {
			addr[i] = base[i] + m.off
			if m.narrow {
				addr[i] = uint64(uint32(addr[i]))
			}
		}
		if mask == ^uint32(0) {
			r.affine, r.spaced = addr.affine()
		}
	}
	if m.space == spGeneric {
		return k.generic(w, r)
	}
	return k.inSpace(w, r, m.space)
}

func (k *worker) inSpace(w *warp, r *request, s space) error {
	if (s == spGlobal || s == spShared) && k.block == k.l.traceBlock && w.index == k.l.c.TraceWarp {
		k.sample(r, s)
	}
	switch {
	case s == spGlobal:
		return k.global(w, r)
	case s == spShared:
		return k.sharedAccess(w, r)
	case r.m.atomic != nil:
		return k.atomicElsewhere(w, r)
	case s == spConst:
		return k.constant(w, r)
	case s == spLocal:
		return k.local(w, r)
	}
	return k.param(w, r)
}

// affine returns base and step of a row that is affine.
func (r *row) affine() (affine, bool) {
	step, bad := r[1]-r[0], uint64(0)
	for i := 1; i < len(r); i++ {
		bad |= r[i] - r[i-1] ^ step
	}
	return affine{r[0], step}, bad == 0
}

// generic sends each lane to the space that its address lies in (PTX ISA,
// "Generic Addressing"); a warp that uses several makes one request in each.
func (k *worker) generic(w *warp, r *request) error {
	var lanes [spParam + 1]uint32
	addr := r.row()
	r.spaced = false
	for rest := r.mask; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest) & 31
		s, start := spGlobal, uint64(0)
		switch addr[i] / windowSize {
		case sharedWindow / windowSize:
			s, start = spShared, sharedWindow
		case localWindow / windowSize:
			s, start = spLocal, localWindow
		case paramWindow / windowSize:
			s, start = spParam, paramWindow
		}
		lanes[s] |= 1 << i
		addr[i] -= start
	}
	for s, m := range lanes {
		if m == 0 {
			continue
		}
		if r.mask = m; m == ^uint32(0) {
			r.affine, r.spaced = addr.affine()
		}
		if err := k.inSpace(w, r, space(s)); err != nil {
			return err
		}
	}
	return nil
}

// each calls f for every active lane, lowest first, until it returns an error.
func (r *request) each(f func(lane int) error) error {
	for rest := r.mask; rest != 0; rest &= rest - 1 {
		if err := f(bits.TrailingZeros32(rest) & 31); err != nil {
			return err
		}
	}
	return nil
}

// data returns the lanes that are loaded or stored.
func (m *memOp) data(regs []register) (rows [4]*row) {
	for i, r := range m.regs[:m.n] {
		if m.store {
			rows[i] = regs[r].row()
		} else if r >= 0 {
			rows[i] = regs[r].change()
		}
	}
	return rows
}

// move copies between the lane's registers and its bytes.
func (m *memOp) move(rows *[4]*row, lane int, b []byte) {
	b = b[:m.bytes]
	for i, row := range rows[:m.n] {
		e := b[i*m.elem : (i+1)*m.elem]
		if m.store {
			put(e, row[lane])
		} else if row != nil {
			row[lane] = get(e, m.signed) & m.masks[i]
		}
	}
}

func get(b []byte, signed bool) uint64 {
	var v uint64
	switch len(b) {
	case 1:
		v = uint64(b[0])
	case 2:
		v = uint64(binary.LittleEndian.Uint16(b))
	case 4:
		v = uint64(binary.LittleEndian.Uint32(b))
	default:
		v = binary.LittleEndian.Uint64(b)
	}
	if signed {
		return uint64(sx(v, 8*len(b)))
	}
	return v
}

func put(b []byte, v uint64) {
	switch len(b) {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, v)
	}
}

// moveAll does the same for all active lanes. at gives the lane's offset in b.
func (r *request) moveAll(regs []register, b []byte, base uint64) {
	m := r.m
	if m.n == 1 && m.elem == 4 && r.spaced && !m.signed && m.regs[0] >= 0 {
		r.moveWords(&regs[m.regs[0]], b, base)
		return
	}
	rows := m.data(regs)
	for rest := r.mask; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest) & 31
		m.move(&rows, i, b[r.at(i)-base:])
	}
}

// moveWords is moveAll for a full warp of 4-byte values.
func (r *request) moveWords(x *register, b []byte, base uint64) {
	off, step := int(r.base-base), int(r.step)
	switch {
	case r.m.store && x.form&isWords != 0 && step == 4:
		copy(b[off:], x.words[:])
	case r.m.store:
		for _, v := range x.row() {
			binary.LittleEndian.PutUint32(b[off:off+4], uint32(v))
			off += step
		}
	case step == 4:
		copy(x.overwrite(isWords).words[:], b[off:])
	default:
		d := &x.overwrite(isRow).lanes
		for i := range d {
			d[i] = uint64(binary.LittleEndian.Uint32(b[off : off+4]))
			off += step
		}
	}
}

// A memCache belongs to one instruction in one space. It adds up the counts
// and remembers what the last request found out.
type memCache struct {
	counter
	alloc *allocation // where it went
	costs [8]cost
}

// A cost is what evenly spaced addresses cost.
type cost struct {
	known       bool
	stride, low uint64
	counter
}

// global executes a request to global memory.
func (k *worker) global(w *warp, r *request) error {
	c := k.cached(r.m, Global)
	one := c.alloc != nil && c.alloc.covers(r)
	if !one {
		if err := k.checkGlobal(w, r, c); err != nil {
			return err
		}
		one = c.alloc.covers(r)
	}
	c.countGlobal(r)
	if one {
		return k.inAllocation(w, r, c.alloc)
	}
	// Lanes in different allocations go one by one.
	r.row()
	return r.each(func(i int) error {
		lane := *r
		lane.mask, lane.spaced = 1<<i, false
		return k.inAllocation(w, &lane, k.l.find(r.at(i)))
	})
}

// inAllocation executes a checked request that touches one allocation.
func (k *worker) inAllocation(w *warp, r *request, a *allocation) error {
	if r.m.store {
		a.keep()
	}
	if k.l.watch != nil {
		k.watched(w, r, a)
	}
	if r.m.store && r.m.atomic != nil {
		return k.updateGlobal(w, r, a)
	}
	if r.m.store && k.l.marks {
		if k.mark(a, r) {
			return errSuspect
		}
	} else if r.m.store || k.l.strict {
		if lane := k.track(a, r); lane >= 0 {
			return k.globalRace(w, r, lane, a)
		}
	} else if !a.wasRead.Load() {
		a.wasRead.Store(true)
	}
	r.moveAll(w.regs, a.data, a.base)
	return nil
}

// covers reports whether the whole request lies in the allocation, aligned.
func (a *allocation) covers(r *request) bool {
	n := uint64(r.m.bytes)
	if uint64(len(a.data)) < n || r.m.store && a.readOnly {
		return false
	}
	room := uint64(len(a.data)) - n
	if r.spaced && r.step+1<<34 < 1<<35 { // no detour between first and last
		first, last := r.base, r.affine.at(31)
		return first-a.base <= room && last-a.base <= room && (first|r.step)&(n-1) == 0
	}
	for rest := r.mask; rest != 0; rest &= rest - 1 {
		addr := r.at(bits.TrailingZeros32(rest) & 31)
		if addr-a.base > room || addr&(n-1) != 0 {
			return false
		}
	}
	return true
}

// checkGlobal looks at every lane and accuses the lowest one that is wrong.
func (k *worker) checkGlobal(w *warp, r *request, c *memCache) error {
	m := r.m
	return r.each(func(i int) error {
		addr := r.at(i)
		a := k.l.find(addr)
		if a == nil || m.store && a.readOnly {
			return k.outOfBounds(w, r, i, nil)
		}
		off := int64(addr - a.base)
		if off < 0 || off > int64(len(a.data)-m.bytes) {
			return k.outOfBounds(w, r, i, a)
		}
		if addr&uint64(m.bytes-1) != 0 {
			return k.misaligned(w, r, i)
		}
		c.alloc = a
		return nil
	})
}

// constant reads .const variables, which lie in global memory here.
func (k *worker) constant(w *warp, r *request) error {
	if err := k.checkGlobal(w, r, k.cached(r.m, Global)); err != nil {
		return err
	}
	rows := r.m.data(w.regs)
	return r.each(func(i int) error {
		a := k.l.find(r.at(i))
		r.m.move(&rows, i, a.data[r.at(i)-a.base:])
		return nil
	})
}

// local accesses the memory that each thread has for itself.
func (k *worker) local(w *warp, r *request) error {
	n, rows := uint64(k.p.localBytes), r.m.data(w.regs)
	return r.each(func(i int) error {
		addr := r.at(i)
		if addr > n || uint64(r.m.bytes) > n-addr {
			return k.privateFault(w, r, i, "local", n)
		}
		if addr&uint64(r.m.bytes-1) != 0 {
			return k.misaligned(w, r, i)
		}
		r.m.move(&rows, i, k.localMem[uint64(w.index*32+i)*n+addr:])
		return nil
	})
}

// param reads the kernel's parameters through a register.
func (k *worker) param(w *warp, r *request) error {
	n, rows := uint64(len(k.l.params)), r.m.data(w.regs)
	return r.each(func(i int) error {
		addr := r.at(i)
		if r.m.store || addr > n || uint64(r.m.bytes) > n-addr {
			return k.privateFault(w, r, i, "parameter", n)
		}
		if addr&uint64(r.m.bytes-1) != 0 {
			return k.misaligned(w, r, i)
		}
		r.m.move(&rows, i, k.l.params[addr:])
		return nil
	})
}
