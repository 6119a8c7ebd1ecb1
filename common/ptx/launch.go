package ptx

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Limits of every GPU from compute capability 5.0 on (CUDA C++ Programming
// Guide, "Technical Specifications per Compute Capability").
const (
	maxThreads = 1024
	maxBlockZ  = 64
	maxGridX   = 1<<31 - 1
	maxGridYZ  = 65535
	maxShared  = 48 << 10 // without opting in to more
)

// Launch runs the kernel over the whole grid and waits for it. The error is a
// *Fault for an accusation, an *Unsupported for an instruction that this
// package does not run, and another error for a launch that the driver would
// refuse: it names the limit. Two launches may run at the same time on one
// Memory as long as they use different allocations.
func (e *Entry) Launch(mem *Memory, c Config) (counts *Counts, err error) {
	defer e.rescue(&err)
	e.once.Do(func() { e.prog, e.err = compile(e) })
	if e.err != nil {
		return nil, e.err
	}
	if err := e.checkSize(c); err != nil {
		return nil, err
	}
	params, err := e.packArgs(c)
	if err != nil {
		return nil, err
	}
	l := &launch{p: e.prog, c: c, params: params, blocks: c.Grid.count()}
	l.globals = mem.variables(e.prog)
	l.allocs = mem.snapshot(e.prog.globalShift)
	if l.c.Budget <= 0 {
		l.c.Budget = DefaultBudget
	}
	l.budget = l.c.Budget
	l.budget = (l.budget + 3) / 4
	counts, err = l.run()
	if more, writeErr := l.print(); counts != nil {
		counts.Notes = append(counts.Notes, more...)
		err = writeErr
	}
	return counts, err
}

// rescue makes an error of a panic: a bug of this package should not end the
// program that uses it.
func (e *Entry) rescue(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%s: the emulator failed: %v", e.Name, p)
	}
}

func (e *Entry) checkSize(c Config) error {
	g, b := c.Grid, c.Block
	shared := e.SharedBytes + c.SharedBytes
	switch {
	case min(g.X, g.Y, g.Z) < 1 || min(b.X, b.Y, b.Z) < 1:
		return fmt.Errorf("%s: every dimension of grid %v and block %v must be at least 1", e.Name, g, b)
	case g.X > maxGridX:
		return fmt.Errorf("%s: grid %v is too large: x may be %d at most", e.Name, g, maxGridX)
	case g.Y > maxGridYZ || g.Z > maxGridYZ:
		return fmt.Errorf("%s: grid %v is too large: y and z may be %d at most", e.Name, g, maxGridYZ)
	case b.X > maxThreads || b.Y > maxThreads || b.Z > maxBlockZ:
		return fmt.Errorf("%s: block %v is too large: x and y may be %d, z %d at most", e.Name, b, maxThreads, maxBlockZ)
	case b.count() > maxThreads:
		return fmt.Errorf("%s: block %v has %d threads: %d at most", e.Name, b, b.count(), maxThreads)
	case e.fn.maxThreads > 0 && b.count() > e.fn.maxThreads:
		return fmt.Errorf("%s: block %v has %d threads: the kernel's __launch_bounds__ (.maxntid) allow %d", e.Name, b, b.count(), e.fn.maxThreads)
	case e.fn.reqBlock != Dim3{} && b != e.fn.reqBlock:
		return fmt.Errorf("%s: block %v is not the one that the kernel requires (.reqntid): %v", e.Name, b, e.fn.reqBlock)
	case c.SharedBytes < 0 || shared > maxShared:
		return fmt.Errorf("%s: %d bytes of shared memory (%d static, %d dynamic): a block may have %d", e.Name,
			shared, e.SharedBytes, c.SharedBytes, maxShared)
	case g.count() >= maxBlocks:
		return fmt.Errorf("%s: grid %v has %d blocks: the emulator runs %d at most", e.Name, g, g.count(), maxBlocks-1)
	}
	return nil
}

// packArgs lays out the arguments as the parameters lie in memory.
func (e *Entry) packArgs(c Config) ([]byte, error) {
	args := c.Args
	switch {
	case c.Params != nil && args != nil:
		return nil, e.badArguments("it was given both Args and Params: leave one nil")
	case c.Params != nil && len(c.Params) != e.paramBytes:
		return nil, e.badArguments("its parameters have %s and it was given %d", plural(int64(e.paramBytes), "byte"), len(c.Params))
	case c.Params != nil:
		return bytes.Clone(c.Params), nil
	case len(args) != len(e.Params):
		return nil, e.badArguments("it has %s and was given %s", plural(int64(len(e.Params)), "parameter"), plural(int64(len(args)), "argument"))
	}
	params := make([]byte, e.paramBytes)
	for i, p := range e.Params {
		if p.Size > 8 {
			return nil, e.badArguments("parameter %d (%s) has %d bytes and does not fit an argument slot of 8: pass a pointer to it, or set Config.Params", i, p.Name, p.Size)
		}
		if p.Size == 4 && args[i]>>32 != 0 {
			return nil, e.badArguments("parameter %d (%s) has 4 bytes, but the upper half of its 8-byte slot is %#x, not zero: "+
				"pass an 8-byte variable that holds a value of 32 bits (a 4-byte variable drags along what lies behind it, "+
				"a negative one its sign)", i, p.Name, args[i]>>32)
		}
		at := params[p.Offset:][:p.Size]
		for j := range at {
			at[j] = byte(args[i] >> (8 * j))
		}
	}
	return params, nil
}

// A launch is one run of an entry, and sometimes a second or a third, up to a fifth. The
// first runs blocks in parallel, does not track loads from global memory, and of
// other accesses notes only that they were made. Where that does not tell who did
// it and it matters, the stores are undone and the blocks run again with states and
// a shadow. The order that atomics and warp barriers make is not looked at either: where
// an atomic returns what it found, no other may have been there, and where threads touch
// the same shared memory, a block barrier must be between; if not, the blocks run again
// with that order. If they loaded from an allocation that they also stored to, they run
// again with loads tracked. If there was an error, they run again one after the
// other, so that the lowest block's error is reported. Blocks that do not touch each
// other's bytes do the same in all of these, and when some do, one before the last
// notices: what Launch returns does not depend on who came first. The first has a
// quarter of the budget; a kernel that needs more runs again with all of it, one block
// after the other, and may be judged too long at once.
type launch struct {
	p       *program
	c       Config
	params  []byte
	globals map[*variable]uint64
	allocs  map[uint64]*allocation // by address >> slotBits
	blocks  int64
	budget  int64
	marks   bool // mark what is touched, and do not track it
	once    bool // suppose that no order of threads shows but that by block barriers
	strict  bool // track loads too
	alone   bool // there is one worker

	blocksOnly bool // do not track who of a block touched global memory

	next atomic.Int64
	stop atomic.Bool

	watch *watch
	last  []*worker // of the newest attempt
}

// maxMarkers is how many workers mark granules, a bit each: those of more would take
// more memory than the states.
const maxMarkers = 32

func (l *launch) find(addr uint64) *allocation { return l.allocs[addr>>slotBits] }

func (l *launch) run() (*Counts, error) {
	l.marks = l.workers() <= maxMarkers && !l.p.slow
	l.once = l.marks && (l.p.ordered || l.p.inOrder) && !l.p.named && !l.p.fences
	if l.p.slow {
		l.strict, l.budget = true, l.c.Budget
	}
	ks, err := l.twoBudgets()
	suspect := l.marks && (err == errSuspect || err == nil && twice(ks))
	if suspect && l.once {
		l.once = false
		l.restore()
		ks, err = l.twoBudgets()
		suspect = err == errSuspect || err == nil && twice(ks)
	}
	if tooLong(err) && l.marks && !twice(l.last) && !l.mixed() {
		return nil, err // nothing that was touched twice could be accused instead
	}
	l.once, l.marks = false, false
	if suspect {
		l.restore()
		ks, err = l.attempt(l.workers())
	}
	if err == nil && l.mixed() {
		l.strict = true
		l.restore()
		ks, err = l.attempt(l.workers())
	}
	if err != nil {
		l.strict, l.budget = true, l.c.Budget
		l.restore()
		ks, err = l.attempt(1)
		if f := globalRace(err); f != nil {
			f = l.blocksRace(f)
			l.findOther(f)
			err = f
		}
	}
	if err != nil {
		return nil, err
	}
	if l.c.Trace != nil {
		l.tell(ks)
	}
	return l.counts(ks), nil
}

// twoBudgets is an attempt with the first budget, and if that is too little with all of it.
func (l *launch) twoBudgets() ([]*worker, error) {
	ks, err := l.attempt(l.workers())
	if tooLong(err) {
		l.budget = l.c.Budget
		l.restore()
		ks, err = l.attempt(1)
	}
	return ks, err
}

// workers is how many run blocks at the same time.
func (l *launch) workers() int {
	workers := l.c.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if l.p.inOrder && !l.once || l.p.slow {
		return 1
	}
	return int(min(int64(workers), (l.blocks+1)/2))
}

// clocks reports whether the clocks of lanes tell who comes after whom in a block.
func (l *launch) clocks() bool { return l.p.ordered && !l.once }

func tooLong(err error) bool {
	f := (*Fault)(nil)
	return errors.As(err, &f) && f.Kind == TooLong
}

// blocksRace returns a race between blocks, if there is one besides that in a block: no
// barrier could mend it.
func (l *launch) blocksRace(f *Fault) *Fault {
	if !f.inBlock() {
		return f
	}
	l.blocksOnly = true
	l.restore()
	if _, err := l.attempt(1); globalRace(err) != nil {
		return globalRace(err)
	}
	return f
}

func globalRace(err error) *Fault {
	if f := (*Fault)(nil); errors.As(err, &f) && f.Kind == GlobalRace {
		return f
	}
	return nil
}

// mixed reports whether an allocation was both loaded from and stored to.
func (l *launch) mixed() bool {
	for _, a := range l.allocs {
		if a.wasRead.Load() && a.kept.Load() {
			return true
		}
	}
	return false
}

func (l *launch) restore() {
	for _, a := range l.allocs {
		a.restore()
	}
	l.next.Store(0)
	l.stop.Store(false)
}

// attempt runs all blocks, or those up to an error.
func (l *launch) attempt(workers int) ([]*worker, error) {
	l.alone = workers <= 1
	ks := make([]*worker, max(workers, 1))
	errs := make([]error, len(ks))
	var wg sync.WaitGroup
	for i := range ks {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if ks[i], errs[i] = l.work(); errs[i] != nil {
				l.stop.Store(true)
			}
		}()
	}
	wg.Wait()
	l.last = ks
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return ks, nil
}

// work runs blocks until there are no more.
func (l *launch) work() (k *worker, err error) {
	defer l.p.entry.rescue(&err)
	k = newWorker(l)
	return k, k.work()
}

// counts adds up what the workers counted.
func (l *launch) counts(ks []*worker) *Counts {
	out := &Counts{}
	type key struct {
		Site
		Space
	}
	at := map[key]int{}
	for pc := range l.p.code {
		in := &l.p.code[pc]
		if in.mem == nil {
			continue
		}
		for s := Global; s <= Shared; s++ {
			m := in.mem
			if s == Shared && m.into != nil {
				m = m.into
			}
			a := Access{Site: l.p.sites[in.site], Space: s, Store: m.store, Atomic: in.mem.atomic != nil, Bytes: in.mem.bytes}
			for _, k := range ks {
				c := k.cached(in.mem, s).counter
				a.Add(Access{Requests: c.requests, Sectors: c.sectors, BestSectors: c.bestSectors, Lines: c.lines, Wavefronts: c.wavefronts, BestWavefronts: c.best,
					BytesAsked: c.asked, BytesTouched: c.touched})
			}
			if a.Requests == 0 {
				continue
			}
			// A function that is called twice has one PTX line for two places.
			i, ok := at[key{a.Site, s}]
			if !ok {
				at[key{a.Site, s}] = len(out.Accesses)
				out.Accesses = append(out.Accesses, a)
				continue
			}
			out.Accesses[i].Add(a)
		}
	}
	slices.SortStableFunc(out.Accesses, func(a, b Access) int { return a.PTXLine - b.PTXLine })
	stored, loaded := false, false
	for _, addr := range l.globals {
		if a := l.find(addr); a != nil {
			stored, loaded = stored || a.kept.Load(), loaded || a.wasRead.Load() || a.told.Load()
		}
	}
	out.ChangesVariables = stored && loaded
	out.Notes = l.notes(ks)
	return out
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
