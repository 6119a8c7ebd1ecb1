package ptx

import "slices"

// findMeetings marks the blocks at whose start lanes meet again that a branch has
// parted. That is the branch's immediate post-dominator, where every way from it
// leads; a lane that returns has left and is waited for by nobody. Where a side
// may do more before it returns, no block but the exit is on every way. Outside
// of a loop lanes then meet at the first block that both sides can reach; such a
// loop they leave one by one and do not meet, as on an H200 (testdata/shapes/shapes.csv).
func (p *program) findMeetings() {
	pdom := p.postDominators()
	apart := make(bitset, (len(p.blocks)+63)/64) // branches that lanes leave one by one
	for b := range p.blocks {
		if len(p.blocks[b].next) == 2 && pdom[b] < 0 && p.inLoop(int32(b)) {
			apart.add(int32(b))
		}
	}
	for b := range p.blocks {
		next := p.blocks[b].next
		if in := &p.code[p.blocks[b].end-1]; in.indexed && in.target >= 0 {
			p.blocks[p.code[in.target].block].meeting = true // all indices that lead there go at once
		}
		if len(next) != 2 || apart.has(int32(b)) {
			continue
		}
		meet := pdom[b]
		if meet < 0 {
			meet = p.firstCommon(next[0], next[1], apart)
		}
		if meet >= 0 {
			p.blocks[meet].meeting = true
		}
	}
}

// meetsAt reports whether paths that stand at pc merge.
func (p *program) meetsAt(pc int32) bool {
	b := &p.blocks[p.code[pc].block]
	return b.meeting && b.start == pc || p.code[pc].waits()
}

func (p *program) inLoop(b int32) bool {
	return slices.ContainsFunc(p.loops, func(l loop) bool { return p.has(l, b) })
}

// firstCommon returns the first block in the order that both a and b can reach,
// or -1 if there is none, or if before it lanes come apart.
func (p *program) firstCommon(a, b int32, apart bitset) int32 {
	fromA, fromB := p.reachable(a), p.reachable(b)
	first, parted := int32(-1), int32(everywhere)
	for i := range p.blocks {
		b, place := int32(i), p.blocks[i].place
		if fromA.has(b) && fromB.has(b) && (first < 0 || place < p.blocks[first].place) {
			first = b
		}
		if (fromA.has(b) || fromB.has(b)) && apart.has(b) {
			parted = min(parted, place)
		}
	}
	if first >= 0 && parted < p.blocks[first].place {
		return -1
	}
	return first
}

func (p *program) reachable(from int32) bitset {
	set := make(bitset, (len(p.blocks)+63)/64)
	set.add(from)
	for work := []int32{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range p.blocks[b].next {
			if !set.has(s) {
				set.add(s)
				work = append(work, s)
			}
		}
	}
	return set
}

// postDominators returns for each block its immediate post-dominator, -1 for the
// exit, with the algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast
// Dominance Algorithm") on the reversed graph. Blocks that never reach the exit
// get -1 too; those that end in a trap are not on anybody's way.
func (p *program) postDominators() []int32 {
	exit := int32(len(p.blocks))
	prev := make([][]int32, exit+1)
	for b := range p.blocks {
		for _, s := range p.blocks[b].next {
			prev[s] = append(prev[s], int32(b))
		}
		if len(p.blocks[b].next) == 0 && p.code[p.blocks[b].end-1].op != opTrap {
			prev[exit] = append(prev[exit], int32(b))
		}
	}
	order, number := reversePostorder(prev, exit)
	idom := make([]int32, exit+1)
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
		for _, b := range order[1:] {
			next := p.blocks[b].next
			if len(next) == 0 {
				next = []int32{exit}
			}
			d := int32(-1)
			for _, s := range next {
				switch {
				case idom[s] < 0:
				case d < 0:
					d = s
				default:
					d = meet(d, s)
				}
			}
			if idom[b] != d {
				idom[b], changed = d, true
			}
		}
	}
	for i := range idom {
		if idom[i] == exit {
			idom[i] = -1
		}
	}
	return idom[:exit]
}

// reversePostorder walks next from root without recursion, which a long kernel
// would make deep.
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
