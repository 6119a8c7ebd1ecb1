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
	switch g, step := (r.base-a.base)>>a.shift, uint64(int64(r.step)>>a.shift); {
	case r.spaced && r.step == uint64(r.m.bytes):
		for end := g + 32*n; g < end; g += 64 - g%64 {
			twice |= set[g/64].add(mask(int(min(end-g, 64))) << (g % 64))
		}
	case r.spaced:
		for range 32 {
			twice |= set[g/64].add(one << (g % 64))
			g += step
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
// an atomic too.
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

// track records a request and returns the first lane that races, or -1.
func (k *worker) track(a *allocation, r *request) int {
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
			if r.m.store {
				if atomic.LoadUint32(s) != block|stateWritten && !trackStore(s, block) && !(k.comesAfter(s) && trackStore(s, block)) {
					return i
				}
			} else if !trackLoad(s, block) && !(k.comesAfter(s) && trackLoad(s, block)) {
				return i
			}
		}
	}
	return -1
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

// A shadow says of each granule of a block's shared memory who touched it
// last. An entry is an interval number, a site, and a thread. Interval numbers
// grow with every barrier and every block, so nothing is ever cleared.
type shadow struct {
	touched []touched
	second  []uint64 // another reader, if read says so
	shift   int
}

type touched struct {
	written uint64
	read    uint64 // the first reader of the interval
}

const (
	threadMask   = 1<<10 - 1
	severalRead  = 1 << 10
	siteShift    = 11
	siteMask     = 1<<21 - 1
	intervalBits = 32 // from here on: the interval
)

func newShadow(bytes, shift int) shadow {
	n := (bytes + 1<<shift - 1) >> shift
	return shadow{make([]touched, n), make([]uint64, n), shift}
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
	if err := k.trackShared(w, r); err != nil {
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
// before this interval, and written and read in it.
type sharedMarks struct{ before, written, read uint64 }

// store and load mark granules and return those that it takes the shadow to judge:
// touched before in this interval, or read without being written.
func (s *sharedMarks) store(m uint64) uint64 {
	twice := (s.written | s.read) & m
	s.written |= m
	return twice
}

func (s *sharedMarks) load(m uint64) uint64 {
	s.read |= m
	return (s.written | ^s.before) & m
}

// markShared marks a request's granules and reports whether it takes the shadow to
// judge it.
func (k *worker) markShared(r *request) bool {
	marks, shift := k.sharedMarks, k.shadow.shift
	n := uint64(max(r.m.bytes>>shift, 1))
	bad, one := uint64(0), mask(int(n))
	switch g, step := r.base>>shift, uint64(int64(r.step)>>shift); {
	case r.spaced && r.step == uint64(r.m.bytes):
		for end := g + 32*n; g < end; g += 64 - g%64 {
			m := mask(int(min(end-g, 64))) << (g % 64)
			if r.m.store {
				bad |= marks[g/64].store(m)
			} else {
				bad |= marks[g/64].load(m)
			}
		}
	case r.spaced && r.m.store:
		for range 32 {
			bad |= marks[g/64].store(one << (g % 64))
			g += step
		}
	case r.spaced:
		for range 32 {
			bad |= marks[g/64].load(one << (g % 64))
			g += step
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

// trackShared records a request and accuses the lowest lane that races. A
// read of granules that nobody wrote is judged when the interval ends.
func (k *worker) trackShared(w *warp, r *request) error {
	if k.p.ordered {
		return k.trackOrdered(w, r)
	}
	if k.l.marks {
		if k.markShared(r) {
			return errSuspect
		}
		return nil
	}
	sh := &k.shadow
	n := uint64(max(r.m.bytes>>sh.shift, 1))
	interval, block := k.interval<<intervalBits, k.firstInterval<<intervalBits
	now := interval | uint64(r.in.site)<<siteShift | uint64(w.index*32)
	for rest := r.mask; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest) & 31
		me := now | uint64(i)
		first := r.at(i) >> sh.shift
		for g := first; g < first+n; g++ {
			t := &sh.touched[g]
			written, read := t.written, t.read
			if max(written, read) < interval { // nobody yet
				if r.m.store {
					t.written = me
					continue
				} else if written >= block {
					t.read = me
					continue
				}
			}
			if written>>intervalBits == k.interval && (written^me)&threadMask != 0 {
				return k.sharedRace(w, r, i, written, true)
			}
			if r.m.store {
				if read>>intervalBits == k.interval && ((read^me)&threadMask != 0 || read&severalRead != 0) {
					if (read^me)&threadMask == 0 {
						read = sh.second[g]
					}
					return k.sharedRace(w, r, i, read, false)
				}
				t.written = me
				continue
			}
			if written>>intervalBits < k.firstInterval {
				k.unwritten(w, r, i)
			}
			if read>>intervalBits != k.interval {
				t.read = me
			} else if (read^me)&threadMask != 0 && read&severalRead == 0 {
				t.read, sh.second[g] = read|severalRead, me
			}
		}
	}
	return nil
}
