package ptx

import "strings"

// clocks has the special registers that tell time. None passes here: a clock counts
// the instructions of its warp, as cycles and as nanoseconds.
var clocks = map[string]func(ticks uint64) uint64{
	"%clock":          func(t uint64) uint64 { return t & mask(32) },
	"%clock_hi":       func(t uint64) uint64 { return t >> 32 },
	"%clock64":        func(t uint64) uint64 { return t },
	"%globaltimer":    func(t uint64) uint64 { return t },
	"%globaltimer_lo": func(t uint64) uint64 { return t & mask(32) },
	"%globaltimer_hi": func(t uint64) uint64 { return t >> 32 },
}

// clockStart is what a clock says when a kernel begins: a GPU has been running
// before, so that no small number, such as 0 or 1, is ever its answer.
const clockStart = 1 << 30

// clock emits the reading of a clock into a row of its own.
func (l *lowerer) clock(of func(ticks uint64) uint64) int32 {
	d := l.p.newRow()
	l.emit(instr{op: opWarp, d: d, warp: always(func(k *worker, w *warp, in *instr, m uint32) {
		w.give(in.d, m, of(clockStart+uint64(k.l.budget-w.left)))
	})})
	return d
}

// createPolicy gives what is handed on as a cache hint, which nothing here takes.
func (l *lowerer) createPolicy() error {
	if len(l.st.args) == 0 {
		return l.unsupported("")
	}
	d, _, err := l.register(l.st.args[0])
	l.emit(instr{op: opALU, d: d, fn: fast["mov"], affine: affineFns["mov"]})
	return err
}

// windows are the places of the generic address space that are no global memory.
var windows = map[string]uint64{".shared": sharedWindow, ".local": localWindow, ".param": paramWindow}

// isSpace asks which space a generic address lies in (PTX ISA, "isspacep").
func (l *lowerer) isSpace() error {
	st := l.st
	if len(st.mods) != 1 || len(st.args) != 2 {
		return l.unsupported("")
	}
	name, _, _ := strings.Cut(st.mods[0], "::")
	window, ok := windows[name]
	test := func(a, _ uint64) bool { return a/windowSize == window/windowSize }
	switch {
	case name == ".global":
		test = func(a, _ uint64) bool {
			for _, w := range windows {
				if a/windowSize == w/windowSize {
					return false
				}
			}
			return true
		}
	case !ok:
		return l.unsupported("")
	}
	p, err := l.predicate(st.args[0])
	if err != nil || p <= predTrue {
		return l.unsupported("expected a predicate")
	}
	u64 := typ{'u', 64}
	a, err := l.source(st.args[1], u64)
	l.emit(instr{op: opSetp, a: a, p: p, q: -1, logic: logic["mov"],
		cmp: compareRows("", u64, test), cmpAffine: compareAffine(u64, test)})
	return err
}
