package ptx

import (
	"math/bits"
	"slices"
)

// In kernels with bar.warp.sync two threads of a warp may be in order without
// a block barrier; atomics on shared memory are judged here too. Each lane then has a
// clock that counts its warp barriers, and knows of the other lanes the last clock that
// it is behind: vector clocks, as in FastTrack (Flanagan and Freund, 2009).

// A touch is one access to a granule. by is an entry as in a shadow; clock is
// the lane's at that time.
type touch struct {
	by    uint64
	clock uint32
}

// A history has what later accesses to a granule could race with.
type history struct {
	written touch
	reads   []readers // of one interval, each thread's newest
	atomics []readers // likewise
	updated uint64    // first interval of the last block whose atomics were here
}

// readers are lanes of one warp that read at one site and clock. by names lane 0.
type readers struct {
	touch
	lanes uint32
}

// sync orders the lanes of m after each other.
func (w *warp) sync(m uint32) {
	if w.clocks == nil {
		return
	}
	var joined [32]uint32
	for j := range joined {
		if m>>j&1 == 1 {
			joined[j] = w.clocks[j][j] // nobody knows a later one
			continue
		}
		for rest := m; rest != 0; rest &= rest - 1 {
			joined[j] = max(joined[j], w.clocks[bits.TrailingZeros32(rest)&31][j])
		}
	}
	for rest := m; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest) & 31
		w.clocks[i] = joined
		w.clocks[i][i]++
	}
}

// before reports whether the earlier access t happened before what lane i of
// the warp does now: same thread, a barrier between, or warp barriers between.
func (k *worker) before(t touch, w *warp, i int) bool {
	thread, interval := int(t.by&threadMask), t.by>>intervalBits
	switch {
	case interval < k.firstInterval || thread == w.index*32+i:
		return true
	case k.seen == nil && interval != k.interval, k.seen != nil && interval <= k.seen[w.index][thread/32]:
		return true
	case thread/32 != w.index:
		return false
	}
	return w.clocks[i][thread%32] >= t.clock
}

// trackOrdered is trackThreads for kernels with warp barriers.
func (k *worker) trackOrdered(w *warp, r *request, j *judged, at func(granule uint64) *history) error {
	n := uint64(max(r.m.bytes>>j.shift, 1))
	part := uint64(max(r.m.elem>>j.shift, 1))
	if k.readByAll(w, r, j, n, at) {
		return nil
	}
	now := k.interval<<intervalBits | uint64(r.in.site)<<siteShift
	return r.each(func(i int) error {
		me := touch{now | uint64(w.index*32+i), w.clocks[i][i]}
		first, unknown := (r.at(i)-j.base)>>j.shift, 0
		for g := first; g < first+n; g++ {
			h := at(g)
			if h.written.by>>intervalBits < k.firstInterval && h.updated != k.firstInterval {
				unknown++
			}
			if r.m.atomic == nil && k.seen == nil && h.before(k.interval) {
				h.first(me, r.m.store)
			} else if err := k.judgeOrdered(w, r, i, j, g, h, me); err != nil {
				return err
			}
			if (g-first+1)%part == 0 {
				if unknown == int(part) && r.reads() && !r.m.rewrites && j.space == Shared {
					k.unwritten(w, r, i)
				}
				unknown = 0
			}
		}
		return nil
	})
}

// before reports whether a granule was last touched before an interval began.
func (h *history) before(interval uint64) bool {
	return h.written.by>>intervalBits < interval && (len(h.reads) == 0 || h.reads[0].by>>intervalBits < interval) &&
		(len(h.atomics) == 0 || h.atomics[0].by>>intervalBits < interval)
}

// first records the first access of an interval, which races with nothing.
func (h *history) first(me touch, store bool) {
	if store {
		h.written = me
		return
	}
	h.reads = addReader(h.reads[:0], me)
}

// readByAll records a load of one element by a whole warp at once, where the element was
// written before a barrier and its lanes know of each other equally much.
func (k *worker) readByAll(w *warp, r *request, j *judged, n uint64, at func(granule uint64) *history) bool {
	if r.m.store || r.mask != ^uint32(0) || !r.spaced || !r.uniform() || k.seen != nil {
		return false
	}
	clock := w.clocks[0][0]
	for i := range w.clocks {
		if w.clocks[i][i] != clock {
			return false
		}
	}
	me := touch{k.interval<<intervalBits | uint64(r.in.site)<<siteShift | uint64(w.index*32), clock}
	first := (r.base - j.base) >> j.shift
	for g := first; g < first+n; g++ {
		h := at(g)
		h.reads, h.atomics = k.current(h.reads), k.current(h.atomics)
		if wrote := h.written.by >> intervalBits; wrote < k.firstInterval || wrote == k.interval || len(h.atomics) > 0 {
			return false
		}
		at := slices.IndexFunc(h.reads, func(o readers) bool { return (o.by^me.by)&threadMask == 0 })
		if at < 0 {
			at = len(h.reads)
			h.reads = append(h.reads, readers{})
		}
		for i := range h.reads {
			if (h.reads[i].by^me.by)&threadMask == 0 {
				h.reads[i].lanes = 0
			}
		}
		h.reads[at] = readers{me, ^uint32(0)}
	}
	return true
}

// judgeOrdered is judge for kernels with warp barriers.
func (k *worker) judgeOrdered(w *warp, r *request, lane int, j *judged, g uint64, h *history, me touch) error {
	if !k.before(h.written, w, lane) {
		if k.sameStored(w, r, lane, j, g, h.written.by) {
			if !r.m.store {
				return nil
			}
		} else if err := k.race(w, r, lane, j, h.written.by, true); err != nil {
			return err
		}
	}
	if r.m.atomic == nil && !r.m.store && (h.written.by^me.by)&^siteBits == 0 && len(h.atomics) == 0 {
		return nil // as in judge
	}
	h.reads, h.atomics = k.current(h.reads), k.current(h.atomics)
	if r.m.store && !r.m.isCas() {
		if by, ok := k.unordered(h.reads, w, lane, false); ok {
			if err := k.race(w, r, lane, j, by, false); err != nil {
				return err
			}
		}
	}
	if r.m.atomic == nil {
		if by, ok := k.unordered(h.atomics, w, lane, !r.m.store); ok {
			if err := k.race(w, r, lane, j, by, true); err != nil {
				return err
			}
		}
	}
	switch {
	case r.m.atomic != nil:
		h.atomics, h.updated = addReader(h.atomics, me), k.firstInterval
	case r.m.store:
		h.written = me
	default:
		h.reads = addReader(h.reads, me)
	}
	return nil
}

// current returns the readers of this interval; with named barriers, those of the block.
func (k *worker) current(reads []readers) []readers {
	oldest := k.interval
	if k.seen != nil {
		oldest = k.firstInterval
	}
	if len(reads) > 0 && reads[0].by>>intervalBits < oldest {
		return reads[:0]
	}
	return reads
}

// unordered returns an entry for the first reader that is not before what lane
// i of the warp does now. Compare-and-swaps may be passed over.
func (k *worker) unordered(reads []readers, w *warp, i int, butCas bool) (by uint64, ok bool) {
	for _, r := range reads {
		if butCas && k.p.code[r.by>>siteShift&siteMask].mem.isCas() {
			continue
		}
		for rest := r.lanes; rest != 0; rest &= rest - 1 {
			t := r.touch
			t.by |= uint64(bits.TrailingZeros32(rest))
			if !k.before(t, w, i) {
				return t.by, true
			}
		}
	}
	return 0, false
}

// addReader replaces what the thread has read before.
func addReader(reads []readers, t touch) []readers {
	lane := uint32(1) << (t.by & 31)
	t.by &^= 31
	at, free := -1, len(reads)
	for j := range reads {
		r := &reads[j]
		if r.touch == t {
			at = j
		} else if (r.by^t.by)&threadMask == 0 {
			r.lanes &^= lane
		}
		if r.lanes == 0 {
			free = j
		}
	}
	if at < 0 {
		at = free
		if at == len(reads) {
			reads = append(reads, readers{})
		}
		reads[at] = readers{touch: t}
	}
	reads[at].lanes |= lane
	return reads
}
