package ptx

import "slices"

// A block is a basic block: control enters it at its start and leaves it at
// its end. An instruction that waits for lanes ends one too.
type block struct {
	start, end  int32   // instructions
	next        []int32 // blocks that may follow
	place       int32   // in the order
	loopEnd     int32   // the head of a loop: place of the loop's last instruction; else -1
	private     bool    // nothing from here on concerns other threads
	stops       bool    // all ways from here lead to traps
	reconverges bool    // lanes that a branch has parted meet at its start
}

// findBlocks divides the code. An edge to the exit is none: a lane that returns has
// left, and the ways of the others are as if it had never been there.
func (p *program) findBlocks() {
	p.blocks = nil
	leader := make([]bool, len(p.code)+1)
	leader[0] = true
	for i := range p.code {
		in := &p.code[i]
		if (in.op == opBra || in.op == opCall) && in.target >= 0 {
			leader[in.target] = true
		}
		if in.op == opBra || in.op == opExit || in.op == opTrap || in.op >= opBar {
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
func (in *instr) waits() bool { return in.op >= opBar && in.op <= opSync }

// successors calls f for what may follow instruction i; -1 is exit.
func (p *program) successors(i int32, f func(int32)) {
	in := &p.code[i]
	next := i + 1
	if int(next) < len(p.code) && p.leadsToExit(next) {
		next = -1
	}
	switch in.op {
	case opTrap:
	case opCall: // where it goes on
		f(i + 1)
		return
	case opExit, opReturn:
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

// A bitset of rows or basic blocks.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (s bitset) add(i int32)      { s[i>>6] |= 1 << (i & 63) }
func (s bitset) has(i int32) bool { return s[i>>6]>>(i&63)&1 == 1 }
func (s bitset) remove(i int32)   { s[i>>6] &^= 1 << (i & 63) }

// reachable returns the nodes of a graph that a walk from one of them comes to.
func reachable(from int32, n int, next func(int32) []int32) bitset {
	set := newBitset(n)
	set.add(from)
	for work := []int32{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range next(b) {
			if !set.has(s) {
				set.add(s)
				work = append(work, s)
			}
		}
	}
	return set
}

func (p *program) next(b int32) []int32 { return p.blocks[b].next }

// previous returns the blocks before each block.
func (p *program) previous() [][]int32 {
	prev := make([][]int32, len(p.blocks))
	for b := range p.blocks {
		for _, s := range p.blocks[b].next {
			prev[s] = append(prev[s], int32(b))
		}
	}
	return prev
}

// postDominators returns for each block its immediate post-dominator, where every
// way from it leads; -1 is the exit. Blocks that never reach the exit get -1 too;
// those that end in a trap are not on anybody's way.
//
// From a loop that ends the kernel, as a grid-stride loop does, there is no edge: the
// lanes that stay in it meet before its next round, so there is a way out there.
func (p *program) postDominators() []int32 {
	exit := int32(len(p.blocks))
	prev := make([][]int32, exit+1)
	rounds := map[int32]int32{} // by head of an endless loop, the node where a round ends
	heads := make([]int32, exit+1, int(exit)+8)
	for _, l := range p.endlessLoops() {
		node := int32(len(prev))
		rounds[l.head] = node
		prev, heads = append(prev, nil), append(heads, l.head)
		prev[l.head], prev[exit] = append(prev[l.head], node), append(prev[exit], node)
	}
	for b := range p.blocks {
		for _, s := range p.blocks[b].next {
			if node, ok := rounds[s]; ok && p.blocks[b].place >= p.blocks[s].place {
				s = node
			}
			prev[s] = append(prev[s], int32(b))
		}
		if len(p.blocks[b].next) == 0 && p.code[p.blocks[b].end-1].op != opTrap {
			prev[exit] = append(prev[exit], int32(b))
		}
	}
	idom := dominators(prev, exit)
	for b, d := range idom {
		switch {
		case d == exit:
			idom[b] = -1
		case d > exit:
			idom[b] = heads[d]
		}
	}
	return idom[:exit]
}

// findStops marks the blocks from which all ways lead to traps.
func (p *program) findStops() {
	for i := len(p.sequence) - 1; i >= 0; i-- {
		x := &p.blocks[p.sequence[i]]
		goesOn := func(s int32) bool { return !p.blocks[s].stops || p.blocks[s].place <= x.place }
		if len(x.next) == 0 {
			x.stops = p.code[x.end-1].op == opTrap
		} else {
			x.stops = !slices.ContainsFunc(x.next, goesOn)
		}
	}
}

// endlessLoops returns the outermost loops that no edge leads out of, but to a trap.
func (p *program) endlessLoops() []loop {
	var out []loop
	n := p.nest()
	for i, l := range n.loops {
		if n.parent[i] >= 0 {
			continue
		}
		leaves := func(b int32) bool {
			return slices.ContainsFunc(p.blocks[b].next, func(s int32) bool { return !p.has(l, s) && !p.blocks[s].stops })
		}
		if !slices.ContainsFunc(p.sequence[p.blocks[l.head].place:l.end], leaves) {
			out = append(out, l)
		}
	}
	return out
}

// dominators returns the immediate dominator of each node that can be reached from
// root, and -1 for root and the others, with the algorithm of Lengauer and Tarjan ("A
// Fast Algorithm for Finding Dominators in a Flowgraph"), whose time does not depend
// on the shape of the graph.
func dominators(next [][]int32, root int32) []int32 {
	d := &dominance{next: next}
	d.number(root)
	prev := make([][]int32, len(d.node)) // all by number from here on
	for v, node := range d.node {
		for _, s := range next[node] {
			w := d.num[s]
			prev[w] = append(prev[w], int32(v))
		}
	}
	idom := make([]int32, len(d.node))
	bucket := make([][]int32, len(d.node))
	for w := int32(len(d.node) - 1); w > 0; w-- {
		for _, v := range prev[w] {
			d.semi[w] = min(d.semi[w], d.semi[d.eval(v)])
		}
		bucket[d.semi[w]] = append(bucket[d.semi[w]], w)
		parent := d.parent[w]
		d.above[w] = parent
		for _, v := range bucket[parent] {
			if u := d.eval(v); d.semi[u] < d.semi[v] {
				idom[v] = u
			} else {
				idom[v] = parent
			}
		}
		bucket[parent] = nil
	}
	out := make([]int32, len(next))
	for i := range out {
		out[i] = -1
	}
	for w := 1; w < len(d.node); w++ {
		if idom[w] != d.semi[w] {
			idom[w] = idom[idom[w]]
		}
		out[d.node[w]] = d.node[idom[w]]
	}
	return out
}

// A dominance is what the algorithm knows: num and next by node, the rest by the
// number in which a walk in depth found the node.
type dominance struct {
	next   [][]int32
	num    []int32 // -1: not found
	node   []int32
	parent []int32 // in the walk
	semi   []int32 // semidominator
	above  []int32 // ancestor in the forest, -1 for none
	label  []int32 // the least semidominator on the way there
	way    []int32
}

// number walks without recursion, which a long kernel would make deep.
func (d *dominance) number(root int32) {
	d.num = make([]int32, len(d.next))
	for i := range d.num {
		d.num[i] = -1
	}
	found := func(node, parent int32) {
		n := int32(len(d.node))
		d.num[node] = n
		d.node, d.parent, d.semi = append(d.node, node), append(d.parent, parent), append(d.semi, n)
		d.above, d.label = append(d.above, -1), append(d.label, n)
	}
	at := make([]int, len(d.next))
	found(root, -1)
	for stack := []int32{root}; len(stack) > 0; {
		i := stack[len(stack)-1]
		if at[i] == len(d.next[i]) {
			stack = stack[:len(stack)-1]
			continue
		}
		s := d.next[i][at[i]]
		at[i]++
		if d.num[s] < 0 {
			found(s, d.num[i])
			stack = append(stack, s)
		}
	}
}

// eval returns the node with the least semidominator between v and the root of its
// tree, and makes the way there short.
func (d *dominance) eval(v int32) int32 {
	if d.above[v] < 0 {
		return d.label[v]
	}
	d.way = d.way[:0]
	for u := v; d.above[d.above[u]] >= 0; u = d.above[u] {
		d.way = append(d.way, u)
	}
	for i := len(d.way) - 1; i >= 0; i-- {
		u := d.way[i]
		a := d.above[u]
		if d.semi[d.label[a]] < d.semi[d.label[u]] {
			d.label[u] = d.label[a]
		}
		d.above[u] = d.above[a]
	}
	return d.label[v]
}

// A domTree says in constant time which block dominates which: the blocks below one in
// the tree are numbered from enter up to leave.
type domTree struct{ enter, leave []int32 }

func (p *program) dominatorTree() domTree {
	next := make([][]int32, len(p.blocks))
	for b := range next {
		next[b] = p.blocks[b].next
	}
	for i := range p.code {
		if in := &p.code[i]; in.op == opCall {
			next[in.block] = append(slices.Clone(next[in.block]), p.code[in.target].block)
		}
	}
	below := make([][]int32, len(p.blocks))
	for b, d := range dominators(next, 0) {
		if d >= 0 {
			below[d] = append(below[d], int32(b))
		}
	}
	t := domTree{make([]int32, len(p.blocks)), make([]int32, len(p.blocks))}
	count := int32(0)
	for stack := []int32{0}; len(stack) > 0; {
		b := stack[len(stack)-1]
		if t.enter[b] == 0 {
			count++
			t.enter[b] = count
			stack = append(stack, below[b]...)
			continue
		}
		stack = stack[:len(stack)-1]
		t.leave[b] = count
	}
	return t
}

func (t *domTree) reached(b int32) bool { return t.enter[b] > 0 }

func (t *domTree) dominates(a, b int32) bool {
	return t.enter[a] <= t.enter[b] && t.enter[b] <= t.leave[a]
}
