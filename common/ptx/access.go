package ptx

import (
	"math/bits"
)

// A counter adds up one memory instruction in one space.
type counter struct {
	requests, sectors, bestSectors, lines, wavefronts, best, asked, touched int64
}

// access executes a load or store for the lanes of mask.
func (k *worker) access(w *warp, in *instr, mask uint32) error {
	m := in.mem
	r := &k.request
	*r = request{m: m, in: in, lanes: &k.addr, mask: mask}
	base := &w.regs[m.base]
	if base.form&isAffine != 0 && mask == ^uint32(0) && !k.p.slow {
		if m.narrow {
			r.spaced = r.set32(affine{base.base + m.off, base.step, base.half})
		} else {
			r.affine, r.spaced = affine{base.base + m.off, base.step, base.half}, true
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
		if mask == ^uint32(0) && !k.p.slow {
			r.affine, r.spaced = addr.affine()
		}
	}
	if m.space == spGeneric {
		return k.generic(w, r)
	}
	return k.inSpace(w, r, m.space)
}

func (k *worker) inSpace(w *warp, r *request, s space) error {
	if (s == spGlobal || s == spShared) && k.traced {
		k.sample(w, r, s)
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
		if r.mask = m; m == ^uint32(0) && !k.p.slow {
			r.affine, r.spaced = addr.affine()
		}
		if err := k.inSpace(w, r, space(s)); err != nil {
			return err
		}
	}
	return nil
}

// A memCache belongs to one instruction in one space. It adds up the counts
// and remembers what the last request found out.
type memCache struct {
	counter
	alloc *allocation // where it went
	costs [32]cost
}

// A cost is what a request costs whose addresses are evenly spaced, or lie at the
// same distances from the first lane's as those of an earlier one.
type cost struct {
	known, spaced bool
	step, half    uint64 // where they are spaced
	low           uint64
	mask          uint32 // where they are not spaced, the active lanes
	distances     row    // and how far each lies from the first lane's
	counter
}

// set makes x the empty cost of a request.
func (x *cost) set(r *request, low uint64) {
	*x = cost{spaced: r.spaced, step: r.step, half: r.half, low: low, mask: r.mask}
	for i := range r.lanes {
		if !r.spaced {
			x.distances[i] = r.lanes[i] - r.lanes[0]
		}
	}
}

// fits reports whether a request costs x.
func (x *cost) fits(r *request, low uint64) bool {
	if x.spaced != r.spaced || x.low != low || x.mask != r.mask {
		return false
	}
	if r.spaced {
		return x.step == r.step && x.half == r.half
	}
	other := uint64(0)
	for i := range r.lanes {
		other |= r.lanes[i] - r.lanes[0] ^ x.distances[i]
	}
	return other == 0
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
		if err := k.trackGlobal(w, r.ofUse(w), a); err != nil {
			return err
		}
	}
	if !r.m.store && !a.wasRead.Load() {
		a.wasRead.Store(true)
	}
	r.moveAll(w.regs, a.data, a.base)
	return nil
}

// trackGlobal accuses a request of races with other blocks, and in its own.
func (k *worker) trackGlobal(w *warp, r *request, a *allocation) error {
	if lane := k.track(w, a, r); lane >= 0 {
		return k.globalRace(w, r, lane, a)
	}
	if k.p.fenced && k.p.signals || k.l.blocksOnly {
		return nil
	}
	return k.trackBlock(w, r, a)
}

// covers reports whether the whole request lies in the allocation, aligned.
func (a *allocation) covers(r *request) bool {
	n := uint64(r.m.bytes)
	if uint64(len(a.data)) < n || r.m.store && a.readOnly {
		return false
	}
	room := uint64(len(a.data)) - n
	if r.spaced && r.short() {
		first, last, first2, last2 := r.ends()
		return max(first-a.base, last-a.base, first2-a.base, last2-a.base) <= room && (first|r.step|r.half)&(n-1) == 0
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
