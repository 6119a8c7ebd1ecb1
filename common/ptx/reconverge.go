package ptx

import (
	"cmp"
	"slices"
)

// findReconvergence marks the blocks at whose start lanes meet again that a branch has
// parted: they reconverge. That is the branch's immediate post-dominator, where every
// way from it leads; a lane that returns has left and is waited for by nobody. Where a
// side may do more before it returns, no block but the exit is on every way. Outside
// of a loop lanes then meet at the first block that both sides can reach; such a
// loop they leave one by one and do not meet, as on an H200 (testdata/shapes/shapes.csv).
func (p *program) findReconvergence() {
	pdom, prev := p.postDominators(), p.previous()
	inner := p.nest().inner
	apart := newBitset(len(p.blocks)) // branches that lanes leave one by one
	for b := range p.blocks {
		if len(p.blocks[b].next) == 2 && pdom[b] < 0 && inner[b] >= 0 {
			apart.add(int32(b))
		}
	}
	for b := range p.blocks {
		if in := &p.code[p.blocks[b].end-1]; in.op == opCall {
			p.blocks[p.code[p.blocks[b].end].block].reconverges = true
		} else if in.indexed && in.target >= 0 {
			p.blocks[p.code[in.target].block].reconverges = true // all indices that lead there go at once
		}
		if len(p.blocks[b].next) != 2 || apart.has(int32(b)) {
			continue
		}
		meet := pdom[b]
		if meet < 0 {
			meet = p.firstCommon(int32(b), prev, apart)
		}
		if meet >= 0 {
			p.blocks[meet].reconverges = true
		}
	}
}

// reconvergesAt reports whether paths that stand at pc merge.
func (p *program) reconvergesAt(pc int32) bool {
	b := &p.blocks[p.code[pc].block]
	return b.reconverges && b.start == pc || p.code[pc].waits()
}

// firstCommon returns the first block in the order that both sides of a branch can
// reach, or -1 if there is none, or if before it lanes come apart. It looks at both
// sides in the order and, at the same time, at each side for itself: so it takes as
// long as the nearer of the two ends is far, the common block or the end of a side.
func (p *program) firstCommon(branch int32, prev [][]int32, apart bitset) int32 {
	s := newSweep(p, branch)
	sides := [2]walk{newWalk(p.blocks[branch].next[0]), newWalk(p.blocks[branch].next[1])}
	for ended := false; ; {
		b, common, ok := s.step()
		switch {
		case !ok:
			return -1
		case common:
			return b
		case apart.has(b):
			return -1
		}
		for i := range sides {
			if !ended && !sides[i].step(p) {
				ended = true // the side has been seen whole
				if !sides[i].entered(p, branch, prev) {
					return -1
				}
			}
		}
	}
}

// A sweep goes through what can be reached from both sides of a branch, in order.
type sweep struct {
	p     *program
	sides map[int32]uint8 // 1 and 2, by block
	todo  []int32         // last first
}

func newSweep(p *program, branch int32) *sweep {
	s := &sweep{p: p, sides: map[int32]uint8{}}
	for i, b := range p.blocks[branch].next {
		s.add(b, 1<<i)
	}
	return s
}

func (s *sweep) add(b int32, sides uint8) {
	if s.sides[b]|sides == s.sides[b] {
		return
	}
	s.sides[b] |= sides
	place := func(b int32) int32 { return -s.p.blocks[b].place }
	at, found := slices.BinarySearchFunc(s.todo, b, func(x, b int32) int { return cmp.Compare(place(x), place(b)) })
	if !found {
		s.todo = slices.Insert(s.todo, at, b)
	}
}

// step returns the next block and whether both sides reach it.
func (s *sweep) step() (b int32, common, ok bool) {
	if len(s.todo) == 0 {
		return 0, false, false
	}
	b = s.todo[len(s.todo)-1]
	s.todo = s.todo[:len(s.todo)-1]
	for _, n := range s.p.blocks[b].next {
		s.add(n, s.sides[b])
	}
	return b, s.sides[b] == 3, true
}

// A walk goes through what can be reached from a block, in any order.
type walk struct {
	seen map[int32]bool
	todo []int32
}

func newWalk(from int32) walk { return walk{map[int32]bool{from: true}, []int32{from}} }

// step goes on by a block, and reports whether there was one.
func (w *walk) step(p *program) bool {
	if len(w.todo) == 0 {
		return false
	}
	b := w.todo[len(w.todo)-1]
	w.todo = w.todo[:len(w.todo)-1]
	for _, s := range p.blocks[b].next {
		if !w.seen[s] {
			w.seen[s] = true
			w.todo = append(w.todo, s)
		}
	}
	return true
}

// entered reports whether there may be a way from behind the branch to what has been
// walked through, besides the one from the branch.
func (w *walk) entered(p *program, branch int32, prev [][]int32) bool {
	for b := range w.seen {
		for _, q := range prev[b] {
			if !w.seen[q] && p.blocks[q].place > p.blocks[branch].place {
				return true
			}
		}
	}
	return false
}
