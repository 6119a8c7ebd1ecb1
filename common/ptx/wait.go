package ptx

import "slices"

// findPrivate marks the blocks from which on, up to the exit, there is no
// barrier, no exchange with other lanes, and no access to shared memory.
func (p *program) findPrivate() {
	prev := p.previous()
	var work []int32
	for b := range p.blocks {
		x := &p.blocks[b]
		x.private = true
		for i := x.start; i < x.end; i++ {
			if in := &p.code[i]; p.subs != nil || in.waits() || in.mem != nil && (in.mem.into != nil || p.mayBeShared(in.mem.space)) {
				x.private = false
			}
		}
		if !x.private {
			work = append(work, int32(b))
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, q := range prev[b] {
			if p.blocks[q].private {
				p.blocks[q].private = false
				work = append(work, q)
			}
		}
	}
}

func (p *program) mayBeShared(s space) bool {
	return s == spShared || s == spGeneric && len(p.shared.arrays) > 0
}

// A following is where lanes wait for those that are held at an instruction.
type following struct {
	blocks   bitset
	together map[int32]bool // those of them that are the common end of two sides
}

// follows reports whether lanes at pc have to wait for lanes that are held.
func (k *worker) follows(w *warp, pc int32) bool {
	b := k.p.code[pc].block
	for i := range w.paths {
		at := w.paths[i].pc
		if !w.paths[i].held {
			continue
		}
		f, ok := k.following[at]
		if !ok {
			f = following{k.p.behind(at), map[int32]bool{}}
			k.following[at] = f
		}
		if f.blocks.has(b) && !k.p.mayGoOn(f, at, b) {
			return true
		}
	}
	return false
}

// behind returns the blocks that lanes held at pc come to next, the heads of the loops
// around them, and what follows a loop that is left at its head alone. Where it is left in
// several ways, one may be an early return that is none of the barrier's business.
func (p *program) behind(pc int32) bitset {
	set := newBitset(len(p.blocks))
	from := p.code[pc].block
	work := []int32{from}
	for _, l := range p.loops {
		if p.has(l, from) {
			set.add(l.head)
			if s := p.onlyExit(l); s >= 0 && slices.Contains(p.blocks[l.head].next, s) {
				set.add(s)
				work = append(work, s)
			}
		}
	}
	for len(work) > 0 {
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

// onlyExit returns the block that all ways out of a loop lead to, besides traps, or -1.
func (p *program) onlyExit(l loop) int32 {
	exit := int32(-1)
	for _, b := range p.sequence[p.blocks[l.head].place:l.end] {
		returns := false
		p.successors(p.blocks[b].end-1, func(s int32) { returns = returns || s < 0 })
		if returns {
			return -1
		}
		for _, s := range p.blocks[b].next {
			switch {
			case p.has(l, s) || p.blocks[s].stops || s == exit:
			case exit >= 0:
				return -1
			default:
				exit = s
			}
		}
	}
	return exit
}

// mayGoOn reports whether lanes at block b need not wait for those held at pc. Lanes
// that have nothing left to do that concerns others may go on to their exit: then
// nobody waits for them. That holds only where a compiler has put the ends of two sides
// together; else a barrier in a branch is what it looks like, and so is a mask.
func (p *program) mayGoOn(f following, pc, b int32) bool {
	if !p.blocks[b].private {
		return false
	}
	together, ok := f.together[b]
	if !ok {
		together = p.endsTogether(pc, b)
		f.together[b] = together
	}
	return together
}

// endsTogether reports whether block b, where lanes wait for those held at pc, is the
// common end of two sides: one of them, theirs or the other, gives it a value that it
// reads. So a compiler joins the last store of threads that return above a barrier
// with one below it.
func (p *program) endsTogether(pc, b int32) bool {
	n, prev := len(p.blocks), p.previous()
	previous := func(b int32) []int32 { return prev[b] }
	from := p.code[pc].block
	theirs, before, sides := reachable(from, n, p.next), reachable(from, n, previous), reachable(b, n, previous)
	live := p.liveAt(b)
	for i := range p.blocks {
		x := &p.blocks[i]
		side := theirs.has(int32(i)) || sides.has(int32(i)) && !before.has(int32(i))
		if !side || x.place >= p.blocks[b].place {
			continue
		}
		for j := x.start; j < x.end; j++ {
			if slices.ContainsFunc(p.code[j].writes(), live.has) {
				return true
			}
		}
	}
	return false
}
