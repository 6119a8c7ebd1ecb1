package ptx

import (
	"math"
	"slices"
)

// A block is a basic block: control enters it at its start and leaves it at
// its end. An instruction that waits for lanes ends one too.
type block struct {
	start, end int32   // instructions
	next       []int32 // blocks that may follow
	place      int32   // in the order
	private    bool    // nothing from here on concerns other threads
	live       bitset  // register rows that may be read from here on before they are written
	meeting    bool    // lanes that a branch has parted meet at its start
}

// A loop is a component of the order: its head and the blocks at places from
// there up to end.
type loop struct{ head, end int32 }

// findBlocks divides the code.
func (p *program) findBlocks() {
	leader := make([]bool, len(p.code)+1)
	leader[0] = true
	for i := range p.code {
		in := &p.code[i]
		if in.op == opBra && in.target >= 0 {
			leader[in.target] = true
		}
		if in.op == opBra || in.op == opExit || in.op == opTrap || in.waits() {
			leader[i+1] = true
		}
	}
	for i := range p.code {
		if leader[i] {
			p.blocks = append(p.blocks, block{start: int32(i)})
		}
		b := int32(len(p.blocks) - 1)
		p.code[i].block = b
		p.blocks[b].end = int32(i + 1)
	}
	for b := range p.blocks {
		p.successors(p.blocks[b].end-1, func(s int32) {
			if s >= 0 {
				p.blocks[b].next = append(p.blocks[b].next, p.code[s].block)
			}
		})
	}
}

// waits reports whether the instruction waits for other lanes.
func (in *instr) waits() bool { return in.op >= opBar }

// order gives every instruction its place in a weak topological order of the
// control flow: an edge leads on to a later block, or back to the head of a
// loop that it is in, and the blocks of a loop stand together (Bourdoncle,
// "Efficient Chaotic Iteration Strategies with Widenings"). A warp always runs
// the path that stands first. So the sides of a branch are run before the
// place where they meet, and a loop to its end before what follows it, however
// the compiler has arranged them and wherever a lane returns.
func (p *program) order() {
	o := &orderer{p: p, number: make([]int32, len(p.blocks))}
	o.visit(0)
	slices.Reverse(o.done)
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
	p.findPrivate(o.done)
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

// findPrivate marks the blocks from which on, up to the exit, there is no
// barrier, no exchange with other lanes, and no access to shared memory.
func (p *program) findPrivate(done []int32) {
	prev := make([][]int32, len(p.blocks))
	var work []int32
	for _, b := range done {
		x := &p.blocks[b]
		x.private = true
		for i := x.start; i < x.end; i++ {
			if in := &p.code[i]; in.waits() || in.mem != nil && (in.mem.into != nil || p.mayBeShared(in.mem.space)) {
				x.private = false
			}
		}
		if !x.private {
			work = append(work, b)
		}
		for _, s := range x.next {
			prev[s] = append(prev[s], b)
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

// behind returns the blocks where lanes wait for those that are held at pc:
// the ones that these come to next, and the heads of the loops around them.
func (p *program) behind(pc int32) bitset {
	set := make(bitset, (len(p.blocks)+63)/64)
	from := p.code[pc].block
	work := []int32{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range p.blocks[b].next {
			if p.blocks[s].place > p.blocks[b].place && !set.has(s) {
				set.add(s)
				work = append(work, s)
			}
		}
	}
	for _, l := range p.loops {
		if p.has(l, from) {
			set.add(l.head)
		}
	}
	// Lanes that have nothing left to do that concerns others may go on to their
	// exit: then nobody waits for them. That holds only where a compiler has put
	// the ends of two sides together; else a barrier in a branch is what it looks
	// like, and so is a mask.
	for i := range p.blocks {
		b := int32(i)
		if set.has(b) && p.blocks[b].private && p.endsTogether(pc, b) {
			set.remove(b)
		}
	}
	return set
}

// has reports whether a block is in a loop.
func (p *program) has(l loop, b int32) bool {
	at := p.blocks[b].place
	return p.blocks[l.head].place <= at && at < l.end
}

// endsTogether reports whether block b, where lanes wait for those at the barrier
// at pc, is the common end of two sides: the barrier's side gives it a value that
// it reads. So a compiler joins the last store of threads that return above a
// barrier with one below it.
func (p *program) endsTogether(pc, b int32) bool {
	after := p.reachable(p.code[pc].block)
	live := p.blocks[b].live
	for i := range p.blocks {
		x := &p.blocks[i]
		if !after.has(int32(i)) || x.place >= p.blocks[b].place {
			continue
		}
		for j := x.start; j < x.end; j++ {
			if slices.ContainsFunc(p.code[j].writes(), func(r int32) bool { return r >= 0 && live.has(r) }) {
				return true
			}
		}
	}
	return false
}

// writes returns the rows that an instruction writes.
func (in *instr) writes() []int32 {
	switch {
	case in.op == opALU, in.op == opSelp, in.op == opAtom, in.op == opWarp, in.op == opBarrier, in.op == opSync:
		return []int32{in.d}
	case in.op == opMem && !in.mem.store:
		return in.mem.regs[:in.mem.n]
	}
	return nil
}
