package ptx

import "math/bits"

// A shadow says of each granule of a block's shared memory who touched it
// last. An entry is an interval number, a site, and a thread. Interval numbers
// grow with every barrier and every block, so nothing is ever cleared.
type shadow struct {
	touched []touched
	shift   int
}

type touched struct {
	written uint64
	read    uint64 // the first reader of the interval
	second  uint64 // another reader, if read says so
}

const (
	threadMask   = 1<<10 - 1
	severalRead  = 1 << 10
	siteShift    = 11
	siteMask     = 1<<21 - 1
	siteBits     = siteMask<<siteShift | severalRead
	intervalBits = 32 // from here on: the interval
)

func newShadow(bytes, shift int) shadow {
	n := (bytes + 1<<shift - 1) >> shift
	return shadow{make([]touched, n), shift}
}

// A judged is memory whose accesses by the threads of a block are judged.
type judged struct {
	space Space
	data  []byte
	base  uint64
	shift int // log2 of a granule
	alloc *allocation
}

// trackShared records a request and accuses the lowest lane that races. A
// read of granules that nobody wrote is judged when the interval ends.
func (k *worker) trackShared(w *warp, r *request) error {
	if k.l.marks && !k.l.clocks() {
		if k.markShared(r) {
			return errSuspect
		}
		return nil
	}
	j := judged{space: Shared, data: k.shared, shift: k.shadow.shift}
	if k.p.ordered {
		return k.trackOrdered(w, r, &j, func(g uint64) *history { return &k.histories[g] })
	}
	return k.trackThreads(w, r, &j, func(g uint64) *touched { return &k.shadow.touched[g] })
}

// trackBlock does the same for global memory that several threads of a block may touch
// between two barriers.
func (k *worker) trackBlock(w *warp, r *request, a *allocation) error {
	j := judged{space: Global, data: a.data, base: a.base, shift: a.shift, alloc: a}
	first := a.base >> a.shift
	if k.p.ordered {
		return k.trackOrdered(w, r, &j, func(g uint64) *history { return k.granules.history(first+g, k.firstInterval) })
	}
	return k.trackThreads(w, r, &j, func(g uint64) *touched { return k.granules.touched(first+g, k.interval) })
}

func (k *worker) trackThreads(w *warp, r *request, j *judged, at func(granule uint64) *touched) error {
	n := uint64(max(r.m.bytes>>j.shift, 1))
	now := k.interval<<intervalBits | uint64(r.in.site)<<siteShift | uint64(w.index*32)
	for rest := r.mask; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest) & 31
		first, unknown := (r.at(i)-j.base)>>j.shift, 0
		for g := first; g < first+n; g++ {
			t := at(g)
			if t.written>>intervalBits >= k.firstInterval {
				unknown = 0
			} else {
				unknown++
			}
			if err := k.judge(w, r, i, j, g, t, now|uint64(i)); err != nil {
				return err
			}
			// An element of which a part was written is a struct with padding.
			if part := uint64(max(r.m.elem>>j.shift, 1)); (g-first+1)%part == 0 {
				if unknown >= int(part) && !r.m.store && !r.m.rewrites && j.space == Shared {
					k.unwritten(w, r, i)
				}
				unknown = 0
			}
		}
	}
	return nil
}

// judge records an access to a granule and accuses it of a race.
func (k *worker) judge(w *warp, r *request, lane int, j *judged, g uint64, t *touched, me uint64) error {
	another := func(e uint64) bool { return e>>intervalBits == k.interval && (e^me)&threadMask != 0 }
	if another(t.written) {
		if k.sameStored(w, r, lane, j, g, t.written) {
			if !r.m.store {
				return nil
			}
		} else if err := k.race(w, r, lane, j, t.written, true); err != nil {
			return err
		}
	}
	if r.m.store {
		read := t.read
		if read>>intervalBits == k.interval && read&severalRead != 0 && !another(read) {
			read = t.second
		}
		if another(read) {
			if err := k.race(w, r, lane, j, read, false); err != nil {
				return err
			}
		}
		t.written = me
		return nil
	}
	if (t.written^me)&^siteBits == 0 {
		return nil // what it wrote itself: a store that would race with this races with that
	}
	if t.read>>intervalBits != k.interval {
		t.read = me
	} else if another(t.read) && t.read&severalRead == 0 {
		t.read, t.second = t.read|severalRead, me
	}
	return nil
}

// storesAgain reports whether a store changes nothing where another thread has stored:
// that is worth a note and no race.
func (k *worker) storesAgain(w *warp, r *request, lane int, j *judged, g uint64) bool {
	size := 1 << j.shift
	if !r.m.store || !r.storesAgain(w.regs, lane, j.base+g<<j.shift, size, j.data, j.base) {
		return false
	}
	k.notes[note{r.in.site, noteSame}]++
	return true
}

// A sameStore says which threads have stored one value to a granule in an interval.
type sameStore struct {
	interval uint64
	threads  [32]uint32 // a bit each
}

type granule struct {
	alloc *allocation // nil: shared memory
	index uint64
}

// sameStored reports whether an access is no race with the other one, a store: because it
// stores the same value, or because it loads what the thread itself has stored so.
func (k *worker) sameStored(w *warp, r *request, lane int, j *judged, g, other uint64) bool {
	at, me := granule{j.alloc, g}, w.index*32+lane
	same := k.same[at]
	if !r.m.store {
		return r.m.atomic == nil && same != nil && same.interval == k.interval && same.threads[me/32]>>(me%32)&1 != 0
	}
	if !k.storesAgain(w, r, lane, j, g) {
		return false
	}
	if same == nil {
		if k.same == nil {
			k.same = map[granule]*sameStore{}
		}
		same = &sameStore{}
		k.same[at] = same
	}
	if same.interval != k.interval {
		*same = sameStore{interval: k.interval}
	}
	for _, t := range []int{me, int(other & threadMask)} {
		same.threads[t/32] |= 1 << (t % 32)
	}
	return true
}

// race accuses a lane of touching what the other one, an entry of a shadow, touched with
// no barrier between. Of a race between two warps more is to be learnt than of one in a
// warp: the first of these is kept until the interval ends, or there is one of the others.
func (k *worker) race(w *warp, r *request, lane int, j *judged, other uint64, store bool) error {
	inWarp := int(other&threadMask)/32 == w.index
	if inWarp && k.inWarp != nil {
		return nil
	}
	f := k.threadRace(w, r, lane, j, other, store)
	if inWarp {
		k.inWarp = f
		return nil
	}
	return f
}
