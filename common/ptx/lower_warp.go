package ptx

import (
	"slices"
	"strings"
)

// sync emits what the lanes that mask names do together.
func (l *lowerer) sync(in instr, mask operand) error {
	var err error
	in.op = opSync
	in.e, err = l.source(mask, typ{'b', 32})
	l.emit(in)
	return err
}

// warpResult reads the destination d, p, d|p or _|p: a row or -1, a predicate or -1.
func (l *lowerer) warpResult(o operand) (d, p int32, err error) {
	d, p = -1, -1
	if o.kind != opdUnused {
		if d, _, err = l.register(o); err != nil {
			return
		}
	}
	if o.also >= 0 {
		p, err = l.predicate(operand{kind: opdReg, reg: o.also})
	}
	return
}

// always makes a warpFn of what does not fail.
func always(f func(k *worker, w *warp, in *instr, m uint32)) warpFn {
	return func(k *worker, w *warp, in *instr, m uint32) error {
		f(k, w, in, m)
		return nil
	}
}

// A lanesPred returns the lanes for which a predicate operand holds.
type lanesPred func(w *warp) uint32

// lanesOf reads a predicate operand, which may be negated.
func (l *lowerer) lanesOf(o operand) (lanesPred, error) {
	p, err := l.predicate(o)
	if o.neg {
		return func(w *warp) uint32 { return ^w.preds[p] }, err
	}
	return func(w *warp) uint32 { return w.preds[p] }, err
}

// shuffle reads shfl.sync and shfl, which asks no mask who takes part.
func (l *lowerer) shuffle() error {
	st := l.st
	mods, together := cutSync(st.mods)
	want := 4
	if together {
		want = 5
	}
	if len(mods) != 2 || mods[1] != ".b32" || len(st.args) != want {
		return l.unsupported("")
	}
	mode := slices.Index([]string{".up", ".down", ".bfly", ".idx"}, mods[0])
	if mode < 0 {
		return l.unsupported("")
	}
	d, p, err := l.warpResult(st.args[0])
	in := instr{op: opWarp, d: d, warp: always(func(k *worker, w *warp, in *instr, m uint32) { k.shfl(w, in, m, mode, p) })}
	if d < 0 {
		return l.unsupported("expected a register")
	}
	for i, r := range []*int32{&in.a, &in.b, &in.c} {
		if err == nil {
			*r, err = l.source(st.args[i+1], typ{'b', 32})
		}
	}
	if err != nil {
		return err
	}
	if together {
		return l.sync(in, st.args[4])
	}
	l.emit(in)
	return nil
}

// cutSync returns the modifiers without .sync, and whether it stood there.
func cutSync(mods []string) ([]string, bool) {
	i := slices.Index(mods, ".sync")
	if i < 0 {
		return mods, false
	}
	return slices.Concat(mods[:i], mods[i+1:]), true
}

// vote reads vote.sync and vote, which asks the lanes that execute it (PTX ISA,
// "vote.sync" and "vote").
func (l *lowerer) vote() error {
	st := l.st
	mods, together := cutSync(st.mods)
	want := 2
	if together {
		want = 3
	}
	if len(mods) != 2 || len(st.args) != want {
		return l.unsupported("")
	}
	lanes, err := l.lanesOf(st.args[1])
	if err != nil {
		return err
	}
	in := instr{op: opWarp, d: -1}
	switch test := votes[mods[0]]; {
	case mods[0] == ".ballot" && mods[1] == ".b32":
		if in.d, _, err = l.register(st.args[0]); err != nil {
			return err
		}
		in.warp = always(func(_ *worker, w *warp, in *instr, m uint32) { w.give(in.d, m, uint64(lanes(w)&m)) })
	case test != nil && mods[1] == ".pred":
		p, err := l.predicate(st.args[0])
		if err != nil || p <= predTrue {
			return l.unsupported("expected a predicate")
		}
		in.warp = always(func(_ *worker, w *warp, _ *instr, m uint32) { w.decide(p, m, test(lanes(w)&m, m)) })
	default:
		return l.unsupported("")
	}
	if together {
		return l.sync(in, st.args[2])
	}
	l.emit(in)
	return nil
}

// votes says what a vote makes of the lanes that say yes and all that vote.
var votes = map[string]func(yes, all uint32) bool{
	".all": func(yes, all uint32) bool { return yes == all },
	".any": func(yes, _ uint32) bool { return yes != 0 },
	".uni": func(yes, all uint32) bool { return yes == 0 || yes == all },
}

// match reads match.any.sync and match.all.sync (PTX ISA, "match.sync").
func (l *lowerer) match() error {
	st := l.st
	mods, together := cutSync(st.mods)
	if !together || len(mods) != 2 || mods[1] != ".b32" && mods[1] != ".b64" || len(st.args) != 3 {
		return l.unsupported("")
	}
	d, p, err := l.warpResult(st.args[0])
	if err != nil || d < 0 {
		return l.unsupported("expected a register")
	}
	in := instr{d: d, warp: matchAny}
	switch {
	case mods[0] == ".all":
		in.warp = always(func(_ *worker, w *warp, in *instr, m uint32) { w.matchAll(in, m, p) })
	case mods[0] != ".any" || p >= 0:
		return l.unsupported("")
	}
	if in.a, err = l.source(st.args[1], types[mods[1]]); err != nil {
		return err
	}
	return l.sync(in, st.args[2])
}

// redux reads redux.sync on integers (PTX ISA, "redux.sync").
func (l *lowerer) redux() error {
	st := l.st
	mods, together := cutSync(st.mods)
	if !together || len(mods) != 2 || len(st.args) != 3 {
		return l.unsupported("")
	}
	fn := reductions[strings.Join(mods, "")]
	if fn == nil {
		return l.unsupported("")
	}
	var in instr
	var err error
	if in.d, _, err = l.register(st.args[0]); err != nil {
		return err
	}
	if in.a, err = l.source(st.args[1], typ{'b', 32}); err != nil {
		return err
	}
	in.warp = always(func(_ *worker, w *warp, in *instr, m uint32) { w.reduce(in, m, fn) })
	return l.sync(in, st.args[2])
}

var reductions = map[string]func(a, b uint32) uint32{
	".add.u32": func(a, b uint32) uint32 { return a + b },
	".add.s32": func(a, b uint32) uint32 { return a + b },
	".min.u32": func(a, b uint32) uint32 { return min(a, b) },
	".max.u32": func(a, b uint32) uint32 { return max(a, b) },
	".min.s32": func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) },
	".max.s32": func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) },
	".and.b32": func(a, b uint32) uint32 { return a & b },
	".or.b32":  func(a, b uint32) uint32 { return a | b },
	".xor.b32": func(a, b uint32) uint32 { return a ^ b },
}

// elect reads elect.sync, which makes the lowest lane the leader (PTX ISA,
// "elect.sync", leaves the choice open).
func (l *lowerer) elect() error {
	st := l.st
	if len(st.mods) != 1 || st.mods[0] != ".sync" || len(st.args) != 2 {
		return l.unsupported("")
	}
	d, p, err := l.warpResult(st.args[0])
	if err != nil || p <= predTrue {
		return l.unsupported("expected a predicate")
	}
	return l.sync(instr{d: d, warp: always(func(_ *worker, w *warp, in *instr, m uint32) { w.elect(in, m, p) })}, st.args[1])
}

// activeMask reads activemask.b32 (PTX ISA, "activemask").
func (l *lowerer) activeMask() error {
	st := l.st
	if len(st.mods) != 1 || st.mods[0] != ".b32" || len(st.args) != 1 {
		return l.unsupported("")
	}
	d, _, err := l.register(st.args[0])
	l.emit(instr{op: opWarp, d: d, warp: always(func(_ *worker, w *warp, in *instr, m uint32) { w.give(in.d, m, uint64(m)) })})
	return err
}
