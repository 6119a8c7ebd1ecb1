package ptx

import (
	"fmt"
	"math/bits"
)

// endless accuses lanes of a warp that has used up its budget.
func (k *worker) endless(w *warp, in *instr, active uint32) error {
	lane := bits.TrailingZeros32(active) & 31
	f := k.fault(TooLong, w, in.site, lane)
	if !k.p.ends(in.block, func(p int32) bool { return w.preds[p]>>lane&1 == 1 }) {
		f.Kind = Endless
		f.detail = fmt.Sprintf("block %v, thread %v is in a loop that it never leaves\nat %s: does what ends the loop ever change?",
			f.Block, f.Thread, place(f.Site))
		return f
	}
	f.title = fmt.Sprintf("kernel is too long: it does not end within %d instructions of a warp", k.l.c.Budget)
	f.detail = fmt.Sprintf("block %v, thread %v still runs\nat %s: does the loop end? "+
		"If it does, as where one thread does a whole matrix, the kernel is too long to be counted here", f.Block, f.Thread, place(f.Site))
	return f
}

// ends reports whether a way leads from a block to the end of the kernel for a thread
// with the predicates that set gives. A branch in a loop around the block always goes
// the same way if nothing in the loop changes what it depends on.
func (p *program) ends(from int32, set func(pred int32) bool) bool {
	n, prev := len(p.blocks), p.previous()
	ahead := reachable(from, n, p.next)
	back := reachable(from, n, func(b int32) []int32 { return prev[b] })
	fixed := p.fixedPredicates(func(b int32) bool { return ahead.has(b) && back.has(b) })
	ends := false
	next := func(b int32) []int32 {
		last := p.blocks[b].end - 1
		in := &p.code[last]
		var out []int32
		ends = ends || in.op == opTrap
		p.successors(last, func(s int32) {
			taken := s == in.target
			switch {
			case in.op == opBra && in.guard >= 0 && back.has(b) && ahead.has(b) && fixed.has(in.guard) && taken != (set(in.guard) != in.guardNot):
			case s < 0:
				ends = true
			default:
				out = append(out, p.code[s].block)
			}
		})
		return out
	}
	reachable(from, n, next)
	return ends
}

// fixedPredicates returns the predicates that keep their value in some blocks: nothing
// there writes them, or one instruction that makes them of what keeps its value.
func (p *program) fixedPredicates(in func(block int32) bool) bitset {
	rows, preds := make([]int, p.nrows), make([]int, p.npreds) // writes
	for i := range p.code {
		if x := &p.code[i]; in(x.block) {
			if x.op >= opWarp && x.op != opBar { // may write any
				return newBitset(p.npreds)
			}
			for _, r := range x.writes() {
				rows[r]++
			}
			for _, q := range x.writesPredicates() {
				preds[q]++
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range p.code {
			x := &p.code[i]
			if !in(x.block) || x.guard >= 0 || x.op != opALU && x.op != opSetp && x.op != opPred {
				continue
			}
			same := true
			for _, r := range x.reads() {
				same = same && rows[r] == 0
			}
			for _, q := range x.readsPredicates() {
				same = same && preds[q] == 0
			}
			if !same {
				continue
			}
			// One write that gives the same again is none.
			for _, r := range x.writes() {
				if rows[r] == 1 {
					rows[r], changed = 0, true
				}
			}
			for _, q := range x.writesPredicates() {
				if preds[q] == 1 {
					preds[q], changed = 0, true
				}
			}
		}
	}
	fixed := newBitset(p.npreds)
	for q, n := range preds {
		if n == 0 {
			fixed.add(int32(q))
		}
	}
	return fixed
}

// writesPredicates and readsPredicates are for arithmetic what writes and reads are for rows.
func (in *instr) writesPredicates() []int32 {
	switch {
	case in.op == opSetp && in.q >= 0:
		return []int32{in.p, in.q}
	case in.op == opSetp, in.op == opPred:
		return []int32{in.p}
	}
	return nil
}

func (in *instr) readsPredicates() []int32 {
	switch in.op {
	case opSetp:
		return []int32{in.c}
	case opPred:
		return []int32{in.a, in.b}
	case opSelp:
		return []int32{in.p}
	}
	return nil
}
