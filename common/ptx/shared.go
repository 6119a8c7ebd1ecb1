package ptx

import "math/bits"

// A sharedLayout says where the shared arrays of a kernel lie. They lie apart,
// so that an access just outside one of them is not taken for one to another,
// at the distance from each other's banks that they have without the gaps.
type sharedLayout struct {
	static  int // bytes, without the gaps
	arrays  []sharedArray
	at      map[*variable]int // index in arrays
	dynamic int               // index of what the extern arrays share, -1 for none
}

// A sharedArray is a range of the emulated shared memory.
type sharedArray struct {
	start, size int
	gap         int // how far it lies behind where it would without gaps
}

const (
	sharedGap = 4 << 10   // between two arrays
	maxGaps   = 256 << 10 // together
	bankCycle = 128       // addresses this far apart are in one bank
)

// layoutShared places the shared variables that f and its callees use in the
// order of their first use, each at its alignment, extern arrays last.
func layoutShared(m *Module, f *function) sharedLayout {
	l := sharedLayout{at: map[*variable]int{}, dynamic: -1}
	var extern []*variable
	align := 16
	for _, v := range sharedVars(m, f) {
		if v.extern || v.size == 0 {
			extern = append(extern, v)
			align = max(align, v.align)
			continue
		}
		l.static = roundUp(l.static, v.align)
		l.at[v] = len(l.arrays)
		l.arrays = append(l.arrays, sharedArray{start: l.static, size: v.size})
		l.static += v.size
	}
	if extern != nil {
		l.dynamic = len(l.arrays)
		l.arrays = append(l.arrays, sharedArray{start: roundUp(l.static, align)})
	}
	for _, v := range extern {
		l.at[v] = l.dynamic
	}
	for i := range l.arrays {
		a := &l.arrays[i]
		a.gap = i * (min(sharedGap, maxGaps/len(l.arrays)) &^ (bankCycle - 1))
		a.start += a.gap
	}
	return l
}

// sharedVars lists the shared variables that f and its callees use.
func sharedVars(m *Module, f *function) []*variable {
	var out []*variable
	seenVar, seen := map[*variable]bool{}, map[*function]bool{}
	add := func(o operand) {
		if v := o.v; v != nil && v.space == spShared && !seenVar[v] {
			seenVar[v] = true
			out = append(out, v)
		}
	}
	var visit func(f *function)
	visit = func(f *function) {
		if seen[f] {
			return
		}
		seen[f] = true
		for i := range f.body {
			for _, o := range f.body[i].args {
				add(o)
				for _, q := range o.list {
					add(q)
				}
			}
		}
		for _, g := range m.calls(f) {
			visit(g)
		}
	}
	visit(f)
	return out
}

// sharedArrays returns the arrays of a launch, and the bytes up to their end.
func (p *program) sharedArrays(dynamic int) (arrays []sharedArray, size int) {
	arrays = append(arrays, p.shared.arrays...)
	if p.shared.dynamic >= 0 {
		arrays[p.shared.dynamic].size = dynamic
	}
	if n := len(arrays); n > 0 {
		size = arrays[n-1].start + arrays[n-1].size
	}
	return arrays, size
}

// contains reports whether n bytes at addr lie in the array.
func (a sharedArray) contains(addr, n uint64) bool {
	off := addr - uint64(a.start)
	return off <= uint64(a.size) && n <= uint64(a.size)-off
}

// distance is how far an address is past the end, or negative: before the start.
func (a sharedArray) distance(addr int64) int64 {
	if off := addr - int64(a.start); off < 0 {
		return off
	}
	return max(addr-int64(a.start+a.size), 0)
}

// nearest returns the array that an address was probably meant for.
func (k *worker) nearest(addr int64) int {
	best, least := 0, int64(0)
	for i, a := range k.arrays {
		d := a.distance(addr)
		if d < 0 {
			d = -d
		}
		if i == 0 || d < least {
			best, least = i, d
		}
	}
	return best
}

// offset is a shared address without the gaps between the arrays.
func (k *worker) offset(addr uint64) uint64 {
	if len(k.arrays) == 0 {
		return addr
	}
	return addr - uint64(k.arrays[k.nearest(int64(addr))].gap)
}

// checkShared accuses the lowest lane whose access is not inside an array.
func (k *worker) checkShared(w *warp, r *request) error {
	n := uint64(r.m.bytes)
	if r.spaced && r.short() && (r.base|r.step|r.half)&(n-1) == 0 {
		first, last, first2, last2 := r.ends()
		for _, a := range k.arrays {
			if a.contains(first, n) && a.contains(last, n) && a.contains(first2, n) && a.contains(last2, n) {
				return nil
			}
		}
	}
	if !r.spaced && r.mask == ^uint32(0) {
		first, last, low := r.lanes[0], r.lanes[0], uint64(0)
		for _, a := range r.lanes {
			first, last, low = min(first, a), max(last, a), low|a
		}
		for _, a := range k.arrays {
			if a.contains(first, n) && a.contains(last, n) && low&(n-1) == 0 {
				return nil
			}
		}
	}
	return r.each(func(i int) error {
		inside := false
		for _, a := range k.arrays {
			inside = inside || a.contains(r.at(i), n)
		}
		switch {
		case !inside:
			return k.sharedOutOfBounds(w, r, i)
		case r.at(i)&(n-1) != 0:
			return k.misaligned(w, r, i)
		}
		return nil
	})
}

// sharedAccess executes a request to shared memory.
func (k *worker) sharedAccess(w *warp, r *request) error {
	if err := k.checkShared(w, r); err != nil {
		return err
	}
	if k.flying != nil {
		if err := k.checkFlying(w, r); err != nil {
			return err
		}
	}
	k.cached(r.m, Shared).countShared(r)
	if err := k.trackShared(w, r.ofUse(w)); err != nil {
		return err
	}
	if r.m.atomic != nil {
		r.update(w.regs, k.shared, 0, false)
		return nil
	}
	r.moveAll(w.regs, k.shared, 0)
	return nil
}

// sharedMarks has the bits of 64 granules of a block's shared memory: written
// before this interval, and written, read, and updated by atomics in it.
type sharedMarks struct{ before, written, read, updated uint64 }

// store, load and update mark granules and return those that it takes the shadow to
// judge: touched before in this interval, or read without being written.
func (s *sharedMarks) store(m uint64) uint64 {
	twice := (s.written | s.read | s.updated) & m
	s.written |= m
	return twice
}

func (s *sharedMarks) load(m uint64) uint64 {
	s.read |= m
	return (s.written | s.updated | ^s.before) & m
}

func (s *sharedMarks) update(m uint64, reads bool) uint64 {
	bad := (s.written | s.read) & m
	if reads {
		bad |= m &^ (s.before | s.updated)
	}
	s.updated |= m
	return bad
}

// markShared marks a request's granules and reports whether it takes the shadow to
// judge it.
func (k *worker) markShared(r *request) bool {
	marks, shift := k.sharedMarks, k.shadow.shift
	n := uint64(max(r.m.bytes>>shift, 1))
	bad, one := uint64(0), mask(int(n))
	first, step, half := r.base>>shift, uint64(int64(r.step)>>shift), uint64(int64(r.half)>>shift)
	switch {
	case r.m.atomic != nil:
		for rest := r.mask; rest != 0; rest &= rest - 1 {
			g := r.at(bits.TrailingZeros32(rest)&31) >> shift
			bad |= marks[g/64].update(one<<(g%64), r.reads())
		}
	case r.spaced && r.step == uint64(r.m.bytes):
		lanes := r.sideBySide()
		for range 32 / lanes {
			for g, end := first, first+lanes*n; g < end; g += 64 - g%64 {
				m := mask(int(min(end-g, 64))) << (g % 64)
				if r.m.store {
					bad |= marks[g/64].store(m)
				} else {
					bad |= marks[g/64].load(m)
				}
			}
			first += half
		}
	case r.spaced && r.m.store:
		for range 2 {
			g := first
			for range 16 {
				bad |= marks[g/64].store(one << (g % 64))
				g += step
			}
			first += half
		}
	case r.spaced:
		for range 2 {
			g := first
			for range 16 {
				bad |= marks[g/64].load(one << (g % 64))
				g += step
			}
			first += half
		}
	case r.mask == ^uint32(0) && r.m.store:
		for _, a := range r.lanes {
			g := a >> shift
			bad |= marks[g/64].store(one << (g % 64))
		}
	case r.mask == ^uint32(0):
		for _, a := range r.lanes {
			g := a >> shift
			bad |= marks[g/64].load(one << (g % 64))
		}
	default:
		for rest := r.mask; rest != 0; rest &= rest - 1 {
			g := r.lanes[bits.TrailingZeros32(rest)&31] >> shift
			if r.m.store {
				bad |= marks[g/64].store(one << (g % 64))
			} else {
				bad |= marks[g/64].load(one << (g % 64))
			}
		}
	}
	return bad != 0
}
