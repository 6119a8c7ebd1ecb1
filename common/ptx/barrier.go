package ptx

import (
	"fmt"
	"math/bits"
	"slices"
)

// A barrierOp is what a barrier other than bar.sync 0 does (PTX ISA, "bar, barrier").
type barrierOp struct {
	arrives bool // and does not wait
	counted bool // row b says how many threads it takes
	reduce  func(yes, all int64) uint64
	lanes   lanesPred // that say yes
	p       int32     // predicate that the result goes to, or -1: row d
}

// maxBarriers is the number of barriers of a block.
const maxBarriers = 16

// blocks reports whether a warp stops at the instruction until others come.
func (in *instr) blocks() bool { return in.op == opBar || in.op == opBarrier && !in.barrier.arrives }

func (in *instr) counted() bool { return in.op == opBarrier && in.barrier.counted }

var barrierReductions = map[string]func(yes, all int64) uint64{
	".red.popc.u32": func(yes, _ int64) uint64 { return uint64(yes) },
	".red.and.pred": func(yes, all int64) uint64 { return truth(yes == all) },
	".red.or.pred":  func(yes, _ int64) uint64 { return truth(yes > 0) },
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// namedBarrier reads bar.sync a{, b}, bar.arrive a, b and bar.red.op d, a{, b}, p.
func (l *lowerer) namedBarrier(kind string, args []operand) error {
	op := &barrierOp{arrives: kind == ".arrive", reduce: barrierReductions[kind], p: -1}
	in := instr{op: opBarrier, d: -1, barrier: op}
	var err error
	switch {
	case op.reduce != nil && len(args) >= 3:
		if kind == ".red.popc.u32" {
			in.d, _, err = l.register(args[0])
		} else if op.p, err = l.predicate(args[0]); op.p <= predTrue {
			return l.unsupported("expected a predicate")
		}
		if err != nil {
			return err
		}
		if op.lanes, err = l.lanesOf(args[len(args)-1]); err != nil {
			return err
		}
		args = args[1 : len(args)-1]
	case kind != ".sync" && kind != ".arrive":
		return l.unsupported("")
	}
	op.counted = len(args) == 2
	if len(args) == 0 || len(args) > 2 || op.arrives && !op.counted {
		return l.unsupported("")
	}
	for i, r := range []*int32{&in.a, &in.b}[:len(args)] {
		if *r, err = l.source(args[i], typ{'b', 32}); err != nil {
			return err
		}
	}
	zero := args[0].kind == opdImm && args[0].val == 0
	l.p.named = l.p.named || !zero || op.counted
	l.p.ordered = l.p.ordered || l.p.named
	l.emit(in)
	return nil
}

// reduce gives the warps at a barrier with a reduction its result.
func (k *worker) reduce(those func(w *warp) bool) {
	var yes, all int64
	for i := range k.warps {
		if w := &k.warps[i]; those(w) {
			op := k.p.code[w.paths[0].pc].barrier
			if op == nil || op.reduce == nil {
				return
			}
			yes += int64(bits.OnesCount32(op.lanes(w) & w.live))
			all += int64(bits.OnesCount32(w.live))
		}
	}
	for i := range k.warps {
		w := &k.warps[i]
		if !those(w) {
			continue
		}
		in := &k.p.code[w.paths[0].pc]
		if v := in.barrier.reduce(yes, all); in.d >= 0 {
			w.give(in.d, w.live, v)
		} else {
			w.decide(in.barrier.p, w.live, v != 0)
		}
	}
}

// A barrierState is what a named barrier has seen since it last let warps go.
type barrierState struct {
	arrived  int      // threads that came by bar.arrive
	expected int      // what these asked for
	site     int32    // of the first
	before   []uint64 // what comes before them, by warp
}

// A barrierUse is what a warp asks of a named barrier.
type barrierUse struct {
	number, expected int
	counted          bool
}

// use reads the operands of the barrier that a warp is at, which are those of all its lanes.
func (k *worker) use(w *warp, in *instr) (u barrierUse, err error) {
	if in.op == opBar {
		return u, nil
	}
	a, b := w.regs[in.a].row(), w.regs[in.b].row()
	first := bits.TrailingZeros32(w.live)
	u = barrierUse{int(uint32(a[first])), int(uint32(b[first])), in.barrier.counted}
	for rest := w.live; rest != 0; rest &= rest - 1 {
		if i := bits.TrailingZeros32(rest); a[i] != a[first] || b[i] != b[first] {
			return u, k.barrierFault(w, in, "gives barrier %d, %d threads, and lane %d of its warp another: a warp waits at one barrier at a time", u.number, u.expected, i)
		}
	}
	switch {
	case u.number >= maxBarriers:
		return u, k.barrierFault(w, in, "waits at barrier %d: a block has %d, from 0 on", u.number, maxBarriers)
	case u.counted && (u.expected%32 != 0 || u.expected == 0 || u.expected > 32*len(k.warps)):
		return u, k.barrierFault(w, in, "wants %d threads at barrier %d: it must be a multiple of 32, and no more than the block has", u.expected, u.number)
	}
	return u, nil
}

// arrive executes bar.arrive.
func (k *worker) arrive(w *warp, in *instr) error {
	u, err := k.use(w, in)
	if err != nil {
		return err
	}
	b := &k.barriers[u.number]
	if b.arrived == 0 {
		b.expected, b.site, b.before = u.expected, in.site, make([]uint64, len(k.warps))
	}
	if b.arrived += 32; b.expected != u.expected || b.arrived > b.expected {
		return k.barrierFault(w, in, "comes to barrier %d, which takes %d threads, as one of %d: do all give the same number?", u.number, b.expected, b.arrived)
	}
	join(b.before, k.known(w))
	k.interval++ // what the warp does from now on is not before the barrier
	return nil
}

// known returns, for each warp, the last interval that comes before what w does next,
// once it has passed a barrier.
func (k *worker) known(w *warp) []uint64 {
	v := slices.Clone(k.seen[w.index])
	v[w.index] = k.interval
	return v
}

func join(to, from []uint64) {
	for i, v := range from {
		to[i] = max(to[i], v)
	}
}

// releaseNamed is release for kernels in which a barrier may be for some of the warps.
// What such a barrier orders is kept in seen: of each warp, and for each other one, the
// last interval of that one that comes before what this one does now.
func (k *worker) releaseNamed() (done bool, err error) {
	var waiting [maxBarriers][]*warp
	live := 0
	for i := range k.warps {
		w := &k.warps[i]
		if w.live != 0 {
			live++
		}
		if w.waiting {
			u, err := k.use(w, &k.p.code[w.paths[0].pc])
			if err != nil {
				return false, err
			}
			waiting[u.number] = append(waiting[u.number], w)
		}
	}
	released := false
	for number, warps := range waiting {
		if len(warps) == 0 {
			continue
		}
		complete, err := k.complete(number, warps, live)
		if err != nil {
			return false, err
		}
		if complete {
			released = true
			k.pass(number, warps)
		}
	}
	if live > 0 && !released {
		return false, k.deadlock(waiting)
	}
	return live == 0, nil
}

// complete reports whether all have come that a barrier takes.
func (k *worker) complete(number int, warps []*warp, live int) (bool, error) {
	b := &k.barriers[number]
	first := warps[0]
	u, _ := k.use(first, &k.p.code[first.paths[0].pc])
	for _, w := range warps[1:] {
		in := &k.p.code[w.paths[0].pc]
		switch v, _ := k.use(w, in); {
		case v != u:
			return false, k.barrierFault(w, in, "wants %d threads at barrier %d, and others %d: all must give the same number", v.expected, number, u.expected)
		case !u.counted && !k.sameBarrier(w, first):
			return false, k.divergentBarrier(first, first.paths[0], w.live, w.paths[0].pc, w)
		}
	}
	if !u.counted {
		return len(warps) == live, nil
	}
	came := 32*len(warps) + b.arrived
	if came > u.expected || b.arrived > 0 && b.expected != u.expected {
		return false, k.barrierFault(first, &k.p.code[first.paths[0].pc], "waits at barrier %d for %d threads, and %d have come: do all give the same number?", number, u.expected, came)
	}
	return came == u.expected, nil
}

// pass lets the warps at a barrier go on, behind all that came to it.
func (k *worker) pass(number int, warps []*warp) {
	before := make([]uint64, len(k.warps))
	join(before, k.barriers[number].before)
	for i := range k.warps {
		w := &k.warps[i]
		// Those that have exited come before what the whole block waits at.
		if slices.Contains(warps, w) || w.live == 0 && !k.p.code[warps[0].paths[0].pc].counted() {
			v := k.known(w)
			v[i]-- // the interval that has just ended is its last
			join(before, v)
		}
	}
	for _, w := range warps {
		copy(k.seen[w.index], before)
	}
	k.barriers[number] = barrierState{}
	k.letGo(func(w *warp) bool { return slices.Contains(warps, w) })
}

// deadlock accuses the lowest warp that waits where nobody can come any more.
func (k *worker) deadlock(waiting [maxBarriers][]*warp) error {
	var first *warp
	number, came := 0, 0
	for i, warps := range waiting {
		if len(warps) > 0 && (first == nil || warps[0].index < first.index) {
			first, number, came = warps[0], i, 32*len(warps)+k.barriers[i].arrived
		}
	}
	in := &k.p.code[first.paths[0].pc]
	u, _ := k.use(first, in)
	if !u.counted {
		for _, warps := range waiting {
			if len(warps) > 0 && warps[0] != first {
				w := warps[0]
				return k.divergentBarrier(first, first.paths[0], w.live, w.paths[0].pc, w)
			}
		}
	}
	return k.barrierFault(first, in, "waits at barrier %d for %d threads: %d have come, and no other can", number, u.expected, came)
}

// barrierFault accuses the lowest lane of a warp at a barrier.
func (k *worker) barrierFault(w *warp, in *instr, format string, args ...any) error {
	f := k.fault(DivergentBarrier, w, in.site, bits.TrailingZeros32(w.live)&31)
	f.title = "barrier that not all come to"
	f.detail = fmt.Sprintf("block %v, thread %v ", f.Block, f.Thread) + fmt.Sprintf(format, args...) + "\nat " + place(f.Site)
	return f
}

// unevenLoop reports whether an instruction is in a loop with a barrier that another
// thread has left already: then it is not for want of a barrier that the two race.
func (k *worker) unevenLoop(in *instr, other int) bool {
	w := &k.warps[other/32]
	left := w.live>>(other%32)&1 == 0
	return slices.ContainsFunc(k.p.loops, func(l loop) bool {
		return k.p.has(l, in.block) && k.p.hasBarrier(l) && (left || w.waiting && !k.p.has(l, k.p.code[w.paths[0].pc].block))
	})
}

func (p *program) hasBarrier(l loop) bool {
	return slices.ContainsFunc(p.code, func(in instr) bool { return in.isBarrier() && p.has(l, in.block) })
}
