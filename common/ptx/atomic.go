package ptx

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync/atomic"
)

// An atomicOp is what atom or red does to one place (PTX ISA, "atom" and "red").
type atomicOp struct {
	update  laneFn // the new value, of the old one and the operands
	global  laneFn // the same in global memory, where add.f32 flushes subnormals
	blind   bool   // does not depend on the old value, and nobody is told it
	sums    bool   // several leave the same in any order
	release bool   // a fence for the whole GPU comes with it
	used    bool   // something reads what it returns
	cas     bool   // compares first: it does not race with the loads that it is given a guess by
}

// atomicUpdates has the operations on integers and bits by name and type.
func atomicUpdate(op string, t typ) laneFn {
	m := mask(t.bits)
	switch op + string(rune(t.kind)) {
	case "addu", "adds":
		return func(old, b, _, _ uint64) uint64 { return (old + b) & m }
	case "minu":
		return func(old, b, _, _ uint64) uint64 { return min(old, b&m) }
	case "maxu":
		return func(old, b, _, _ uint64) uint64 { return max(old, b&m) }
	case "mins":
		return func(old, b, _, _ uint64) uint64 { return uint64(min(sx(old, t.bits), sx(b, t.bits))) & m }
	case "maxs":
		return func(old, b, _, _ uint64) uint64 { return uint64(max(sx(old, t.bits), sx(b, t.bits))) & m }
	case "andb":
		return func(old, b, _, _ uint64) uint64 { return old & b & m }
	case "orb":
		return func(old, b, _, _ uint64) uint64 { return (old | b) & m }
	case "xorb":
		return func(old, b, _, _ uint64) uint64 { return (old ^ b) & m }
	case "exchb":
		return func(_, b, _, _ uint64) uint64 { return b & m }
	case "casb":
		return func(old, b, c, _ uint64) uint64 {
			if old == b&m {
				return c & m
			}
			return old
		}
	}
	if t != (typ{'u', 32}) {
		return nil
	}
	switch op {
	case "inc":
		return func(old, b, _, _ uint64) uint64 {
			if old >= b&m {
				return 0
			}
			return old + 1
		}
	case "dec":
		return func(old, b, _, _ uint64) uint64 {
			if old == 0 || old > b&m {
				return b & m
			}
			return old - 1
		}
	}
	return nil
}

var atomicNames = []string{".add", ".min", ".max", ".and", ".or", ".xor", ".exch", ".cas", ".inc", ".dec"}

// newAtomic returns the operation, or nil if PTX or this package has none such.
func newAtomic(op string, t typ, red bool) *atomicOp {
	if red && (op == "exch" || op == "cas") {
		return nil
	}
	e, packed := t.element()
	if f, ok := formatOf(e); ok && op == "add" {
		update := float("add", f, floatMods{})
		if packed {
			update = pair(update)
		}
		global := update
		if f == singleFormat {
			global = float("add", f, floatMods{flush: true})
		}
		return &atomicOp{update: update, global: global}
	}
	f := atomicUpdate(op, t)
	if f == nil || t.bits < 32 && (op != "cas" || t.bits < 16) {
		return nil
	}
	return &atomicOp{update: f, global: f, cas: op == "cas", sums: slices.Contains([]string{"add", "min", "max", "and", "or", "xor"}, op)}
}

// atomicMods change where and when others see the result, which they do at once here.
var atomicMods = []string{".relaxed", ".acquire", ".release", ".acq_rel", ".cta", ".cluster", ".gpu", ".sys", ".noftz", ".level", ".L2"}

func (l *lowerer) atomic() error {
	st := l.st
	l.p.signals = true
	m := &memOp{store: true, n: 1, index: len(l.p.mems)}
	op, hint, release := "", 0, false
	var t typ
	for _, mod := range st.mods {
		name, _, _ := strings.Cut(mod, "::")
		switch ty, isType := types[name]; {
		case isType:
			t = ty
		case name == ".global" || name == ".shared" && mod != ".shared::cluster":
			m.space = spaces[name]
		case op == "" && slices.Contains(atomicNames, name):
			op = name[1:]
		case slices.Contains(atomicMods, name):
			release = release || name == ".release" || name == ".acq_rel"
			if mod == ".L2::cache_hint" || mod == ".level::cache_hint" {
				hint = 1
			}
		default:
			return l.unsupported("modifier %s", mod)
		}
	}
	red, args := st.op == "red", st.args
	if m.atomic = newAtomic(op, t, red); m.atomic == nil {
		return l.unsupported("")
	}
	in := instr{op: opAtom, d: -1, mem: m}
	var err error
	if !red && len(args) > 0 {
		if args[0].kind != opdUnused {
			in.d, _, err = l.register(args[0])
		}
		args = args[1:]
	}
	want := 2
	if op == "cas" {
		want = 3
	}
	if len(args) != want+hint || err != nil {
		return l.unsupported("")
	}
	m.elem, m.bytes = t.bits/8, t.bits/8
	m.atomic.release = release && !slices.Contains(st.mods, ".cta")
	l.p.fences = l.p.fences || m.atomic.release
	m.atomic.blind = op == "exch" && in.d < 0
	for i, r := range []*int32{&in.b, &in.c}[:want-1] {
		if *r, err = l.source(args[1+i], t); err != nil {
			return err
		}
	}
	if err := l.memAddress(in, args[0]); err != nil {
		return err
	}
	l.p.ordered = l.p.ordered || l.p.mayBeShared(m.space)
	return nil
}

// orderShows reports whether the order of the blocks shows in what atomics on global
// memory leave there or return.
func (p *program) orderShows() bool {
	read := newBitset(p.nrows)
	for i := range p.code {
		for _, r := range p.code[i].reads() {
			read.add(r)
		}
	}
	shows := false
	for i := range p.code {
		if in := &p.code[i]; in.op == opAtom {
			in.mem.atomic.used = in.d >= 0 && read.has(in.d)
			shows = shows || in.mem.space != spShared && in.mem.atomic.shows()
		}
	}
	return shows
}

// shows reports whether the order of several at one place shows in what they leave there
// or return.
func (a *atomicOp) shows() bool { return !a.sums || a.used }

func (m *memOp) isCas() bool { return m.atomic != nil && m.atomic.cas }

// reads reports whether the request's instruction depends on what is there.
func (r *request) reads() bool { return !r.m.store || r.m.atomic != nil && !r.m.atomic.blind }

// update executes an atomic lane by lane: the order is the GPU's own choice.
func (r *request) update(regs []register, b []byte, base uint64, global bool) {
	f := r.m.atomic.update
	if global {
		f = r.m.atomic.global
	}
	x, y := regs[r.in.b].row(), regs[r.in.c].row()
	var d *row
	if r.in.d >= 0 {
		d = regs[r.in.d].change()
	}
	for rest := r.mask; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest) & 31
		at := b[r.at(i)-base:][:r.m.elem]
		old := get(at, false)
		put(at, f(old, x[i], y[i], 0))
		if d != nil {
			d[i] = old
		}
	}
}

// markAtomic marks a request's granules apart from those that are stored to.
func (k *worker) markAtomic(a *allocation, r *request) {
	set := k.updates[a.index]
	if set == nil {
		set = make([]marks, (len(a.data)>>a.shift)/64+1)
		k.updates[a.index] = set
	}
	one := mask(max(r.m.bytes>>a.shift, 1))
	for rest := r.mask; rest != 0; rest &= rest - 1 {
		g := (r.at(bits.TrailingZeros32(rest)&31) - a.base) >> a.shift
		set[g/64].add(one << (g % 64))
	}
}

// updateGlobal is inAllocation for atomics.
func (k *worker) updateGlobal(w *warp, r *request, a *allocation) error {
	if k.l.once && r.m.atomic.shows() {
		if k.mark(a, r) {
			return errSuspect
		}
	} else if k.l.marks {
		k.markAtomic(a, r)
	} else if lane := k.track(w, a, r); lane >= 0 {
		return k.globalRace(w, r, lane, a)
	}
	if r.m.atomic.used && !a.told.Load() {
		a.told.Store(true)
	}
	a.mu.Lock() // of blocks that run at the same time
	defer a.mu.Unlock()
	r.update(w.regs, a.data, a.base, true)
	if k.p.fences && k.p.inOrder {
		k.publish(w, r)
	}
	return nil
}

// trackUpdate records an atomic, which races with what is none.
func trackUpdate(s *uint32, block uint32, cas bool) bool {
	for {
		old := atomic.LoadUint32(s)
		next := afterUpdate(old, block, cas)
		if next == 0 || atomic.CompareAndSwapUint32(s, old, next) {
			return next != 0
		}
	}
}

// afterUpdate returns the state after an atomic, 0 for a race.
func afterUpdate(old, block uint32, cas bool) uint32 {
	own, kind, first := old>>stateBits == block>>stateBits, old&stateMask, old&^stateMask
	switch {
	case old == 0 && cas:
		return block | stateCas
	case old == 0:
		return block | stateAtomic
	case kind == stateAtomics, own && (kind == stateAtomic || kind == stateWritten):
		return old
	case kind == stateAtomic:
		return first | stateAtomics
	case kind == stateWritten:
		return 0
	case cas && own && (kind == stateRead || kind == stateCas):
		return block | stateCas
	case cas: // after reads and compare-and-swaps of others
		return first | stateCases
	case own && kind == stateRead:
		return block | stateWritten
	case own && kind == stateCas:
		return block | stateAtomic
	case kind == stateCas || kind == stateCases:
		return first | stateAtomics
	}
	return 0
}

// isAtomic reports whether the instruction of a site is an atomic.
func (p *program) isAtomic(site int32) bool {
	m := p.code[site].mem
	return m != nil && m.atomic != nil
}

// atomicElsewhere accuses an atomic on memory that has none.
func (k *worker) atomicElsewhere(w *warp, r *request) error {
	f := k.accessFault(OutOfBounds, w, r, bits.TrailingZeros32(r.mask)&31, Global)
	f.title = "atomic on a thread's own memory"
	f.detail = fmt.Sprintf("%s that no other thread can reach\nat %s: an atomic is for global and shared memory", f.who(), place(f.Site))
	return f
}
