package ptx

import "math/bits"

// analyse finds where the lanes of each branch meet again and which registers
// may be read before they are written.
func (p *program) analyse() {
	for i := range p.code {
		if in := &p.code[i]; in.op == opBra && p.leadsToExit(in.target) {
			in.target = -1
		}
	}
	pdom := p.postDominators()
	for i := range p.code {
		if in := &p.code[i]; in.op == opBra {
			in.reconv = pdom[i]
		}
	}
	p.zeroRows = p.liveAtStart()
}

// leadsToExit reports whether nothing but a return happens from i on. Lanes
// that go there have exited: they wait for nobody, and an early return above
// a barrier is none of the barrier's business.
func (p *program) leadsToExit(i int32) bool {
	for range 64 {
		in := &p.code[i]
		switch {
		case in.guard >= 0:
			return false
		case in.op == opExit || in.op == opBra && in.target < 0:
			return true
		case in.op != opBra:
			return false
		}
		i = in.target
	}
	return false
}

// successors calls f for what may follow instruction i; -1 is exit.
func (p *program) successors(i int32, f func(int32)) {
	in := &p.code[i]
	next := i + 1
	if int(next) < len(p.code) && p.leadsToExit(next) {
		next = -1
	}
	switch in.op {
	case opExit:
		f(-1)
	case opBra:
		f(in.target)
	default:
		f(next)
		return
	}
	if in.guard >= 0 {
		f(next)
	}
}

// postDominators returns for each instruction its immediate post-dominator, -1
// for exit, with the algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast
// Dominance Algorithm") on the reversed graph. Instructions that never reach
// exit get -1 too.
func (p *program) postDominators() []int32 {
	n := int32(len(p.code))
	exit := n
	preds := make([][]int32, n+1)
	for i := range n {
		p.successors(i, func(s int32) {
			if s < 0 {
				s = exit
			}
			preds[s] = append(preds[s], i)
		})
	}
	order, number := reversePostorder(preds, exit)
	idom := make([]int32, n+1)
	for i := range idom {
		idom[i] = -1
	}
	idom[exit] = exit
	meet := func(a, b int32) int32 {
		for a != b {
			for number[a] > number[b] {
				a = idom[a]
			}
			for number[b] > number[a] {
				b = idom[b]
			}
		}
		return a
	}
	for changed := true; changed; {
		changed = false
		for _, i := range order[1:] {
			d := int32(-1)
			p.successors(i, func(s int32) {
				if s < 0 {
					s = exit
				}
				switch {
				case idom[s] < 0:
				case d < 0:
					d = s
				default:
					d = meet(d, s)
				}
			})
			if idom[i] != d {
				idom[i], changed = d, true
			}
		}
	}
	for i := range idom {
		if idom[i] == exit {
			idom[i] = -1
		}
	}
	return idom
}

// reversePostorder walks next from root without recursion, which a long
// kernel would make deep.
func reversePostorder(next [][]int32, root int32) (order, number []int32) {
	number = make([]int32, len(next))
	at := make([]int, len(next))
	seen := make([]bool, len(next))
	stack := []int32{root}
	seen[root] = true
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		if at[i] < len(next[i]) {
			s := next[i][at[i]]
			at[i]++
			if !seen[s] {
				seen[s] = true
				stack = append(stack, s)
			}
			continue
		}
		stack = stack[:len(stack)-1]
		order = append(order, i)
	}
	for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	for k, i := range order {
		number[i] = int32(k)
	}
	return order, number
}

// A bitset of rows.
type bitset []uint64

func (s bitset) add(i int32)    { s[i>>6] |= 1 << (i & 63) }
func (s bitset) remove(i int32) { s[i>>6] &^= 1 << (i & 63) }

// liveAtStart returns the register rows that some path reads before it writes
// them. Such a read is undefined in PTX; a warp finds zero there, so that a
// run repeats itself.
func (p *program) liveAtStart() []int32 {
	starts := p.blockStarts()
	words := (p.nrows + 63) / 64
	in := make([]bitset, len(starts))
	blockOf := map[int32]int{}
	for b, s := range starts {
		in[b] = make(bitset, words)
		blockOf[s] = b
	}
	live := make(bitset, words)
	for changed := true; changed; {
		changed = false
		for b := len(starts) - 1; b >= 0; b-- {
			end := int32(len(p.code))
			if b+1 < len(starts) {
				end = starts[b+1]
			}
			clear(live)
			p.successors(end-1, func(s int32) {
				if s >= 0 {
					for k, w := range in[blockOf[s]] {
						live[k] |= w
					}
				}
			})
			for i := end - 1; i >= starts[b]; i-- {
				p.code[i].effect(live)
			}
			for k, w := range live {
				if in[b][k] != w {
					in[b][k], changed = w, true
				}
			}
		}
	}
	return p.variableRows(in[0])
}

// variableRows returns the members that are registers, not constants.
func (p *program) variableRows(s bitset) []int32 {
	for _, r := range p.fixed {
		s.remove(r)
	}
	for _, r := range p.special {
		s.remove(r)
	}
	var out []int32
	for k, w := range s {
		for ; w != 0; w &= w - 1 {
			out = append(out, int32(k*64+bits.TrailingZeros64(w)))
		}
	}
	return out
}

// blockStarts returns the first instructions of the basic blocks.
func (p *program) blockStarts() []int32 {
	leader := make([]bool, len(p.code)+1)
	leader[0] = true
	for i := range p.code {
		if in := &p.code[i]; in.op == opBra || in.op == opExit {
			leader[i+1] = true
			if in.op == opBra && in.target >= 0 {
				leader[in.target] = true
			}
		}
	}
	var starts []int32
	for i := range p.code {
		if leader[i] {
			starts = append(starts, int32(i))
		}
	}
	return starts
}

// effect turns the rows that are live after an instruction into those that
// are live before it.
func (in *instr) effect(live bitset) {
	switch in.op {
	case opALU, opSelp, opShfl:
		if in.guard < 0 {
			live.remove(in.d)
		}
	case opMem:
		for _, r := range in.mem.regs[:in.mem.n] {
			switch {
			case in.mem.store:
				live.add(r)
			case r >= 0 && in.guard < 0:
				live.remove(r)
			}
		}
		live.add(in.mem.base)
		return
	case opPred, opBra, opExit, opBar:
		return
	}
	live.add(in.a)
	live.add(in.b)
	if in.op != opSetp { // there c is a predicate
		live.add(in.c)
		live.add(in.e)
	}
}
