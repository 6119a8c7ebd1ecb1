package ptx

import (
	"cmp"
	"math"
	"slices"
)

// A loop is a component of the order: its head and the blocks at places from
// there up to end.
type loop struct{ head, end int32 }

// order gives every instruction its place in a weak topological order of the
// control flow: an edge leads on to a later block, or back to the head of a
// loop that it is in, and the blocks of a loop stand together (Bourdoncle,
// "Efficient Chaotic Iteration Strategies with Widenings"). A warp always runs
// the path that stands first. So the sides of a branch are run before the
// place where they meet, and a loop to its end before what follows it, however
// the compiler has arranged them and wherever a lane returns.
func (p *program) order() {
	o := &orderer{p: p, number: make([]int32, len(p.blocks))}
	for _, s := range p.subs {
		o.visit(p.code[s.entry].block)
	}
	o.visit(0)
	slices.Reverse(o.done)
	p.sequence, p.loops = o.done, nil
	for b := range p.blocks {
		p.blocks[b].place, p.blocks[b].loopEnd = -1, -1 // unless something leads there
	}
	for _, l := range o.loops { // its end was counted from the other end
		p.loops = append(p.loops, loop{l.head, int32(len(o.done)) - l.end})
	}
	at := int32(0)
	for i, b := range o.done {
		p.blocks[b].place = int32(i)
		for j := p.blocks[b].start; j < p.blocks[b].end; j++ {
			p.code[j].place = at
			at++
		}
	}
	for _, l := range p.loops {
		if last := p.sequence[l.end-1]; p.blocks[last].end > 0 {
			p.blocks[l.head].loopEnd = p.code[p.blocks[last].end-1].place
		}
	}
}

// An orderer finds the order, last block first.
type orderer struct {
	p      *program
	number []int32 // of first visit; 0: not yet, math.MaxInt32: done
	count  int32
	stack  []int32
	done   []int32
	loops  []loop
}

// maxVisits is how many visits a block may have on average, so that jumps without
// a structure do not take time by the square: a block has one for each loop around
// it. Beyond that, loops in loops are left as they are found.
const maxVisits = 64

// visit returns the lowest number that b can reach among the blocks on the
// stack, as in Tarjan's algorithm for strongly connected components.
func (o *orderer) visit(b int32) int32 {
	o.count++
	o.number[b] = o.count
	head, isLoop := o.count, false
	o.stack = append(o.stack, b)
	for _, s := range o.p.successorsLastFirst(b) {
		low := o.number[s]
		if low == 0 {
			low = o.visit(s)
		}
		if low <= head {
			head, isLoop = low, true
		}
	}
	if head != o.number[b] {
		return head
	}
	o.number[b] = math.MaxInt32
	first := int32(len(o.done))
	tangled := int(o.count) > maxVisits*len(o.number)
	for {
		e := o.stack[len(o.stack)-1]
		o.stack = o.stack[:len(o.stack)-1]
		if e == b {
			break
		}
		if tangled {
			o.number[e] = math.MaxInt32
			o.done = append(o.done, e)
		} else {
			o.number[e] = 0 // again, now without b
		}
	}
	if isLoop {
		for _, s := range o.p.successorsLastFirst(b) {
			if o.number[s] == 0 {
				o.visit(s)
			}
		}
	}
	o.done = append(o.done, b)
	if isLoop {
		o.loops = append(o.loops, loop{b, first})
	}
	return head
}

// successorsLastFirst makes the order keep to the text where it has a choice.
func (p *program) successorsLastFirst(b int32) []int32 {
	next := p.blocks[b].next
	if len(next) == 2 && next[0] < next[1] {
		next[0], next[1] = next[1], next[0]
	}
	return next
}

// has reports whether a block is in a loop.
func (p *program) has(l loop, b int32) bool {
	at := p.blocks[b].place
	return p.blocks[l.head].place <= at && at < l.end
}

// A nest says which loop is in which: outer ones come first.
type nest struct {
	loops  []loop
	parent []int // index in loops of the next loop around one, -1 for none
	inner  []int // by block, the innermost loop around it, -1 for none
}

func (p *program) nest() nest {
	n := nest{loops: slices.Clone(p.loops), inner: make([]int, len(p.blocks))}
	place := func(l loop) int32 { return p.blocks[l.head].place }
	slices.SortFunc(n.loops, func(a, b loop) int { return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(b.end, a.end)) })
	n.parent = make([]int, len(n.loops))
	for b := range n.inner {
		n.inner[b] = -1
	}
	at, begun := -1, 0
	for i, b := range p.sequence {
		for at >= 0 && n.loops[at].end <= int32(i) {
			at = n.parent[at]
		}
		for ; begun < len(n.loops) && place(n.loops[begun]) == int32(i); begun++ {
			n.parent[begun], at = at, begun
		}
		n.inner[b] = at
	}
	return n
}
