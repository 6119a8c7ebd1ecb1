package ptx

import (
	"fmt"
	"math/bits"
	"path"
)

// place names a site for a reader: the .cu line if there is one.
func place(s Site) string {
	at := fmt.Sprintf("ptx line %d (%s)", s.PTXLine, s.PTXText)
	switch {
	case s.File == "":
		return at
	case s.Line == 0:
		return path.Base(s.File) + ", line unknown (merged by the compiler), " + at
	}
	return fmt.Sprintf("%s:%d, %s", path.Base(s.File), s.Line, at)
}

func (e *Entry) badArguments(format string, args ...any) *Fault {
	return &Fault{Kind: BadArguments, Kernel: e.Name, detail: fmt.Sprintf(format, args...)}
}

// thread returns the index of a lane's thread.
func (k *worker) thread(w *warp, lane int) Dim3 { return k.l.c.Block.at(int64(w.index*32 + lane)) }

// fault starts an accusation against a lane.
func (k *worker) fault(kind FaultKind, w *warp, site int32, lane int) *Fault {
	return &Fault{Kind: kind, Kernel: k.p.entry.Name, Block: k.idx, Thread: k.thread(w, lane), Site: k.p.sites[site]}
}

// accessFault starts one about an access.
func (k *worker) accessFault(kind FaultKind, w *warp, r *request, lane int, s Space) *Fault {
	f := k.fault(kind, w, r.in.site, lane)
	f.Store, f.Atomic, f.Space, f.Addr, f.Bytes = r.m.store, r.m.atomic != nil, s, r.at(lane), r.m.bytes
	if s == Shared {
		f.Addr = k.offset(f.Addr)
	}
	return f
}

// who says: block (0, 0, 0), thread (1, 2, 0) writes 4 bytes.
func (f *Fault) who() string {
	return fmt.Sprintf("block %v, thread %v %s %s", f.Block, f.Thread, verb(f.Store, f.Atomic), plural(int64(f.Bytes), "byte"))
}

func verb(store, atomic bool) string {
	switch {
	case atomic:
		return "atomically updates"
	case store:
		return "writes"
	}
	return "reads"
}

func past(distance int64) string {
	if distance == 0 {
		return "right behind the end"
	}
	return fmt.Sprintf("%s past the end", plural(distance, "byte"))
}

func (k *worker) outOfBounds(w *warp, r *request, lane int, a *allocation) error {
	f := k.accessFault(OutOfBounds, w, r, lane, Global)
	switch {
	case a == nil && k.l.find(f.Addr) != nil:
		f.detail = fmt.Sprintf("%s of constant memory\nat %s", f.who(), place(f.Site))
		return f
	case a == nil:
		f.detail = fmt.Sprintf("%s at address %#x, where no allocation is: a null, freed or host pointer?\nat %s",
			f.who(), f.Addr, place(f.Site))
		return f
	}
	off, size := int64(f.Addr-a.base), int64(len(a.data))
	rel := ""
	switch {
	case off < 0:
		f.Distance = off
		rel = fmt.Sprintf("%s before the start", plural(-off, "byte"))
	case off >= size:
		f.Distance = off - size
		rel = past(f.Distance)
	default:
		rel = "across the end"
	}
	f.detail = fmt.Sprintf("%s, %s of an allocation of %d bytes\nat %s: compare the index with the size first",
		f.who(), rel, size, place(f.Site))
	return f
}

func (k *worker) misaligned(w *warp, r *request, lane int) error {
	s := Global
	if r.m.space == spShared {
		s = Shared
	}
	f := k.accessFault(Misaligned, w, r, lane, s)
	f.detail = fmt.Sprintf("%s at address %#x, which is no multiple of %d\nat %s%s", f.who(), f.Addr, f.Bytes, place(f.Site),
		vectorHint(f.Bytes))
	return f
}

// vectorHint says what a wide access asks of an index, for the wide accesses
// that people write.
func vectorHint(bytes int) string {
	switch bytes {
	case 8:
		return ": a float2 needs an index of floats that is even"
	case 16:
		return ": a float4 needs an index of floats that is a multiple of 4, so the length of a row must be one too"
	}
	return ""
}

func (k *worker) privateFault(w *warp, r *request, lane int, what string, size uint64) error {
	f := k.accessFault(OutOfBounds, w, r, lane, Global)
	f.Distance, f.title = int64(f.Addr-size), what+" access out of bounds"
	f.detail = fmt.Sprintf("%s at offset %d of the %d bytes of %s memory\nat %s", f.who(), int64(f.Addr), size, what, place(f.Site))
	return f
}

func (k *worker) sharedOutOfBounds(w *warp, r *request, lane int) error {
	addr := int64(r.at(lane))
	if r.m.narrow {
		addr = int64(int32(addr)) // a negative index
	}
	f := k.accessFault(SharedOutOfBounds, w, r, lane, Shared)
	what, size, hint := "the block's %s of shared memory", 0, "compare the index with the size of the array"
	if len(k.arrays) > 0 {
		i := k.nearest(addr)
		size, f.Distance = k.arrays[i].size, k.arrays[i].distance(addr)
		f.Addr = uint64(addr) - uint64(k.arrays[i].gap)
		if i == k.p.shared.dynamic && size == 0 {
			hint = "an array is extern __shared__, but the launch asks for no dynamic shared memory: see sharedMemBytes of the launch"
		}
	}
	if len(k.arrays) > 1 {
		what = "a shared array of %s"
	}
	rel := past(f.Distance)
	if f.Distance < 0 {
		rel = fmt.Sprintf("%s before the start", plural(-f.Distance, "byte"))
	}
	f.detail = fmt.Sprintf("%s, %s of "+what+"\nat %s: %s", f.who(), rel, plural(int64(size), "byte"), place(f.Site), hint)
	return f
}

// unwritten remembers the first read of bytes that nobody has written yet.
func (k *worker) unwritten(w *warp, r *request, lane int) {
	if k.pending != nil {
		return
	}
	f := k.accessFault(SharedUnwritten, w, r, lane, Shared)
	f.detail = fmt.Sprintf("%s at offset %d of shared memory that no thread has written\nat %s: "+
		"does the loop that fills the array get that far, and does its guard let it?", f.who(), f.Addr, place(f.Site))
	k.pending = f
}

// threadRace says that a lane touches what the other one, an entry of a shadow, touched
// in the same interval.
func (k *worker) threadRace(w *warp, r *request, lane int, j *judged, other uint64, store bool) *Fault {
	kind, where := SharedRace, ""
	if j.space == Global {
		kind = GlobalRace
	}
	f := k.accessFault(kind, w, r, lane, j.space)
	if where = fmt.Sprintf("at offset %d", f.Addr); j.space == Global {
		f.title = "race in global memory"
		where = fmt.Sprintf("at byte %d of an allocation of %d", f.Addr-j.base, len(j.data))
	}
	thread := int(other & threadMask)
	f.Other = &Party{
		Site:   k.p.sites[other>>siteShift&siteMask],
		Block:  k.idx,
		Thread: k.l.c.Block.at(int64(thread)),
		Store:  store,
		Atomic: k.p.isAtomic(int32(other >> siteShift & siteMask)),
	}
	f.detail = fmt.Sprintf("%s %s at %s;\nthread %v %s, at %s, with no barrier between%s",
		f.who(), where, place(f.Site), f.Other.Thread, f.Other.does(f), place(f.Other.Site), k.raceHint(f, r, w, thread))
	return f
}

// raceHint says what may be the mistake in a race with another thread.
func (k *worker) raceHint(f *Fault, r *request, w *warp, thread int) string {
	switch {
	case k.unevenLoop(r.in, thread):
		return ", although one is in the loop: do all threads run the loop as often?"
	case f.Atomic != f.Other.Atomic:
		return ": an atomic is one only towards other atomics"
	case f.Store && f.Other.Store && f.Space == Shared:
		return ": is a row of the array too short, the index the same for both, or __syncthreads() missing?"
	case f.Store && f.Other.Store:
		return ": is the index the same for both, or __syncthreads() missing?"
	case thread/32 == w.index:
		return ": lanes of a warp are not ordered either, __syncthreads() or __syncwarp() missing?"
	}
	return ": __syncthreads() missing?"
}

// does says what the other side of a race did: writes it, or writes it too.
func (p *Party) does(f *Fault) string {
	if p.Store == f.Store && p.Atomic == f.Atomic {
		return verb(p.Store, p.Atomic) + " it too"
	}
	return verb(p.Store, p.Atomic) + " it"
}

// divergentBarrier accuses the lanes at a barrier of waiting for lanes that
// are elsewhere: lanes of the same warp, or of the one given.
func (k *worker) divergentBarrier(w *warp, at lanePath, lanes uint32, pc int32, of ...*warp) error {
	f := k.fault(DivergentBarrier, w, k.p.code[at.pc].site, bits.TrailingZeros32(at.mask)&31)
	if len(of) == 0 {
		of = []*warp{w}
	}
	f.Other = &Party{Site: k.p.sites[k.p.code[pc].site], Block: k.idx, Thread: k.thread(of[0], bits.TrailingZeros32(lanes)&31)}
	where := "at"
	if x, y := f.Site, f.Other.Site; x.File == y.File && x.Line == y.Line && x.Line > 0 && k.p.code[pc].waits() {
		where = "in another round of a loop, or another call, at"
	}
	f.detail = fmt.Sprintf("block %v, thread %v waits at %s;\nthread %v does not come: it is %s %s. All threads of a block must reach the same barrier: take it out of the if or the loop that not all run",
		f.Block, f.Thread, place(f.Site), f.Other.Thread, where, place(f.Other.Site))
	return f
}

// globalRace accuses a lane of touching what another block touched.
func (k *worker) globalRace(w *warp, r *request, lane int, a *allocation) error {
	f := k.accessFault(GlobalRace, w, r, lane, Global)
	n := max(r.m.bytes>>a.shift, 1)
	for g := range n {
		at := (f.Addr-a.base)>>a.shift + uint64(g)
		s := a.state[at]
		other := int64(s >> stateBits)
		if s == 0 || other == k.block || (s&stateMask == stateRead || s&stateMask == stateShared) && !r.m.store {
			continue
		}
		f.Other = &Party{Block: k.l.c.Grid.at(other), Store: s&stateMask != stateRead && s&stateMask != stateShared}
		f.racing = &watch{block: other, alloc: a, granule: at, stores: !r.m.store}
		break
	}
	f.detail = fmt.Sprintf("%s at %s", f.who(), place(f.Site))
	return f
}

// A watch looks for the first access of a block to a granule.
type watch struct {
	block   int64
	alloc   *allocation
	granule uint64
	stores  bool // only stores count
	found   *Party
}

// findOther runs the blocks up to the other one again, to see which thread
// and line of it touched the byte. Then it completes the accusation.
func (l *launch) findOther(f *Fault) {
	if f.racing == nil {
		return
	}
	l.restore()
	l.watch = f.racing
	k := newWorker(l)
	for b := int64(0); b <= l.watch.block && k.runBlock(b) == nil; b++ {
	}
	if p := l.watch.found; p != nil {
		hint := "does the kernel write to what other blocks read, in or out?"
		if f.Atomic != p.Atomic {
			hint = "an atomic is one only towards other atomics"
		} else if f.Store && p.Store {
			hint = "does the index use all of blockIdx, times what a block covers, and does a guard keep x below the length of a row?"
		}
		f.Other = p
		f.detail += fmt.Sprintf(";\nblock %v, thread %v %s, at %s. Nothing orders blocks: %s",
			p.Block, p.Thread, p.does(f), place(p.Site), hint)
	}
	f.racing = nil
}

func (k *worker) watched(w *warp, r *request, a *allocation) {
	t := k.l.watch
	if t.found != nil || t.block != k.block || t.alloc != a || t.stores && !r.m.store {
		return
	}
	n := uint64(max(r.m.bytes>>a.shift, 1))
	for rest := r.mask; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest) & 31
		if g := (r.at(i) - a.base) >> a.shift; g <= t.granule && t.granule < g+n {
			t.found = &Party{Site: k.p.sites[r.in.site], Block: k.idx, Thread: k.thread(w, i), Store: r.m.store, Atomic: r.m.atomic != nil}
			return
		}
	}
}
