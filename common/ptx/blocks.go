package ptx

import (
	"bytes"
	"errors"
	"math/bits"
	"sync"
	"sync/atomic"
)

// An allocation is one allocation as a launch sees it.
type allocation struct {
	index    int // in worker.marks
	base     uint64
	data     []byte
	readOnly bool // .const
	shift    int  // log2 of the bytes that one state stands for

	// Who touched what, for races between blocks: a state for each granule.
	mu      sync.Mutex
	tracked atomic.Bool
	state   []uint32

	// For a second run: data before the first store, and whether there was a load.
	kept    atomic.Bool
	before  []byte
	wasRead atomic.Bool
	told    atomic.Bool // an atomic returned what was there, for a use
}

// A state is a block number and one of these. No two blocks may touch a
// granule unless all of them read it. The smallest access that the kernel has
// is the granule, so states of granules are as good as states of bytes.
const (
	stateRead    = 1 // by this block alone
	stateWritten = 2 // by this block alone, and perhaps read by it
	stateShared  = 3 // read by this block first and by others
	stateAtomic  = 4 // by atomics of this block alone
	stateAtomics = 5 // by atomics of this block first and of others
	stateCas     = 6 // by compare-and-swaps of this block alone, and perhaps read by it
	stateCases   = 7 // by compare-and-swaps and reads of this block and others
	stateBits    = 3
	stateMask    = 1<<stateBits - 1
)

// maxBlocks is where block numbers no longer fit a state.
const maxBlocks = 1 << (32 - stateBits)

// keep saves the data before the launch changes it. Of data that repeats itself, as
// after a memset, it saves the first bytes only.
func (a *allocation) keep() {
	if a.kept.Load() {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.kept.Load() {
		end := len(a.data)
		if n := min(8, end); bytes.Equal(a.data[n:], a.data[:end-n]) {
			end = n
		}
		a.before = append([]byte(nil), a.data[:end]...)
		a.kept.Store(true)
	}
}

// restore undoes the launch.
func (a *allocation) restore() {
	if a.kept.Load() {
		for n := copy(a.data, a.before); n < len(a.data); {
			n += copy(a.data[n:], a.data[:n])
		}
	}
	clear(a.state)
}

// errSuspect ends a run that only marks granules: one was touched twice in a way
// that may be a mistake, or read without being written. States and the shadow, which
// know who it was, will tell.
var errSuspect = errors.New("suspect")

// marks has the bits of 64 granules of an allocation that a worker has stored to.
type marks uint64

// mark marks a request's granules and reports whether one was marked before.
func (k *worker) mark(a *allocation, r *request) bool {
	set := k.marks[a.index]
	if set == nil {
		set = make([]marks, (len(a.data)>>a.shift)/64+1)
		k.marks[a.index] = set
	}
	n := uint64(max(r.m.bytes>>a.shift, 1))
	twice, one := uint64(0), mask(int(n))
	switch {
	case r.spaced && r.step == uint64(r.m.bytes):
		first, lanes := (r.base-a.base)>>a.shift, r.sideBySide()
		for range 32 / lanes {
			for g, end := first, first+lanes*n; g < end; g += 64 - g%64 {
				twice |= set[g/64].add(mask(int(min(end-g, 64))) << (g % 64))
			}
			first += uint64(int64(r.half) >> a.shift)
		}
	case r.spaced:
		first, step := (r.base-a.base)>>a.shift, uint64(int64(r.step)>>a.shift)
		for range 2 {
			g := first
			for range 16 {
				twice |= set[g/64].add(one << (g % 64))
				g += step
			}
			first += uint64(int64(r.half) >> a.shift)
		}
	default:
		for rest := r.mask; rest != 0; rest &= rest - 1 {
			g := (r.lanes[bits.TrailingZeros32(rest)&31] - a.base) >> a.shift
			twice |= set[g/64].add(one << (g % 64))
		}
	}
	return twice != 0
}

// add adds bits and returns those that were there.
func (s *marks) add(m uint64) uint64 {
	twice := uint64(*s) & m
	*s |= marks(m)
	return twice
}

// twice reports whether two workers have marked one granule, or one was updated by
// an atomic too. It joins their marks, so that it can be asked once.
func twice(ks []*worker) bool {
	sum := ks[0].marks
	both := marks(0)
	for _, k := range ks[1:] {
		for a, set := range k.marks {
			if sum[a] == nil {
				sum[a] = set
				continue
			}
			for i, m := range set {
				both |= sum[a][i] & m
				sum[a][i] |= m
			}
		}
	}
	for _, k := range ks {
		for a, set := range k.updates {
			if sum[a] == nil {
				continue
			}
			for i, m := range set {
				both |= sum[a][i] & m
			}
		}
	}
	return both != 0
}

func (a *allocation) startTracking() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.state == nil {
		a.state = make([]uint32, (len(a.data)+1<<a.shift-1)>>a.shift)
		a.tracked.Store(true)
	}
}

// track records a request and returns the first lane that races with another block, or -1.
func (k *worker) track(w *warp, a *allocation, r *request) int {
	if !a.tracked.Load() {
		a.startTracking()
	}
	n := uint64(max(r.m.bytes>>a.shift, 1))
	block := uint32(k.block) << stateBits
	for rest := r.mask; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest) & 31
		first := (r.at(i) - a.base) >> a.shift
		for g := first; g < first+n; g++ {
			s := &a.state[g]
			switch {
			case r.m.atomic != nil:
				cas := r.m.atomic.cas
				if !trackUpdate(s, block, cas) && !(k.comesAfter(s) && trackUpdate(s, block, cas)) {
					return i
				}
			case r.m.store:
				if atomic.LoadUint32(s) != block|stateWritten && !trackStore(s, block) &&
					!(k.comesAfter(s) && trackStore(s, block)) && !k.storesSame(w, a, r, i, g) {
					return i
				}
			case !trackLoad(s, block) && !(k.comesAfter(s) && trackLoad(s, block)):
				return i
			}
		}
	}
	return -1
}

// storesSame reports whether a store changes nothing where another block has stored, which
// is worth a note. While blocks run at the same time, what is there does not tell.
func (k *worker) storesSame(w *warp, a *allocation, r *request, lane int, g uint64) bool {
	if !k.l.alone || a.state[g]&stateMask != stateWritten {
		return false
	}
	return k.storesAgain(w, r, lane, &judged{data: a.data, base: a.base, shift: a.shift}, g)
}

func trackStore(s *uint32, block uint32) bool {
	for {
		old := atomic.LoadUint32(s)
		switch old {
		case block | stateWritten:
			return true
		case 0, block | stateRead, block | stateAtomic, block | stateCas:
			if atomic.CompareAndSwapUint32(s, old, block|stateWritten) {
				return true
			}
		default:
			return false
		}
	}
}

func trackLoad(s *uint32, block uint32) bool {
	for {
		old := atomic.LoadUint32(s)
		next := block | stateRead
		switch {
		case old == 0:
		case old == block|stateAtomic:
			next = block | stateWritten
		case old&stateMask == stateAtomics:
			return false
		case old>>stateBits == block>>stateBits || old&stateMask == stateShared || old&stateMask == stateCases:
			return true
		case old&stateMask == stateCas:
			next = old | stateCases
		case old&stateMask == stateRead:
			next = old | stateShared
		default:
			return false
		}
		if atomic.CompareAndSwapUint32(s, old, next) {
			return true
		}
	}
}
