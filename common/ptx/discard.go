package ptx

import "slices"

// A compiler may move a load up above the guard that the source has around it: threads
// then load what they do not use. Such lanes do not race and read nothing unwritten.

// A need is a condition under which the value that a load gives is used: a predicate that
// is known when it loads, or that an instruction behind it makes of what is known then.
type need struct {
	pred int32
	not  bool
	made *instr // opSetp, or nil
}

// needed returns the lanes of a load whose value is used.
func (w *warp) needed(m *memOp) uint32 {
	if m.needs == nil {
		return ^uint32(0)
	}
	lanes := uint32(0)
	for _, n := range m.needs {
		set := w.preds[n.pred]
		if n.made != nil {
			set = n.made.cmp(w.regs[n.made.a].row(), w.regs[n.made.b].row())
		}
		if n.not {
			set = ^set
		}
		lanes |= set
	}
	return lanes
}

// ofUse returns the request without the lanes whose value is not used.
func (r *request) ofUse(w *warp) *request {
	if r.m.store || r.m.needs == nil {
		return r
	}
	use := *r
	r.row()
	use.spaced, use.mask = false, r.mask&w.needed(r.m)
	return &use
}

// findNeeds finds the loads whose values some lanes may not use. It follows predicates
// that compare and combine, so a kernel whose lanes vote has none.
func (p *program) findNeeds() {
	writers := make([][]int32, p.npreds)
	for i := range p.code {
		in := &p.code[i]
		if in.op >= opWarp && in.op != opTrap && in.op != opBar {
			return
		}
		for _, q := range in.writesPredicates() {
			writers[q] = append(writers[q], int32(i))
		}
	}
	tree := p.dominatorTree()
	for i := range p.code {
		in := &p.code[i]
		if in.op == opMem && !in.mem.store && in.mem.n == 1 && in.mem.regs[0] >= 0 && tree.reached(in.block) {
			f := needFinder{p: p, tree: &tree, writers: writers, load: int32(i), row: in.mem.regs[0], seen: map[[2]int32]bool{}}
			if f.walk(int32(i)+1, nil) && !slices.ContainsFunc(f.needs, f.changed) {
				in.mem.needs = f.needs
			}
		}
	}
}

// A needFinder follows the value of a load through the code.
type needFinder struct {
	p       *program
	tree    *domTree
	writers [][]int32 // of predicates
	load    int32
	row     int32
	needs   []need
	seen    map[[2]int32]bool // block, and whether there is a condition
	passed  []int32           // instructions that make predicates
	steps   int
}

const maxNeedSteps = 1 << 9

// walk goes on from pc, where on is what lanes that get there fulfil, if anything. It
// reports whether all uses have a condition.
func (f *needFinder) walk(pc int32, on *need) bool {
	for {
		if f.steps++; f.steps > maxNeedSteps {
			return false
		}
		in := &f.p.code[pc]
		if slices.Contains(in.reads(), f.row) && !f.use(in, on) {
			return false
		}
		if in.guard < 0 && slices.Contains(in.writes(), f.row) {
			return true
		}
		if len(in.writesPredicates()) > 0 {
			f.passed = append(f.passed, pc)
		}
		if last := f.p.blocks[in.block].end - 1; pc < last {
			pc++
			continue
		}
		return f.follow(pc, in, on)
	}
}

// follow walks through what comes after a block.
func (f *needFinder) follow(pc int32, in *instr, on *need) bool {
	all := true
	f.p.successors(pc, func(s int32) {
		if s < 0 || !all {
			return
		}
		next := on
		if next == nil && in.op == opBra && in.guard >= 0 && len(f.p.blocks[in.block].next) == 2 {
			if n, ok := f.known(in.guard, in.guardNot != (s != in.target)); ok {
				next = &n
			}
		}
		key := [2]int32{f.p.code[s].block, 0}
		if next != nil {
			key[1] = 1 + 2*next.pred
			if next.not {
				key[1]++
			}
		}
		if !f.seen[key] {
			f.seen[key] = true
			all = f.walk(s, next)
		}
	})
	return all
}

// use notes under which condition an instruction uses the value, if there is one.
func (f *needFinder) use(in *instr, on *need) bool {
	switch {
	case on != nil:
		f.needs = append(f.needs, *on)
		return true
	case in.op == opSelp && in.guard < 0 && in.a != in.b:
		n, ok := f.known(in.p, in.b == f.row)
		f.needs = append(f.needs, n)
		return ok
	case in.guard >= 0 && in.op != opBra:
		n, ok := f.known(in.guard, in.guardNot)
		f.needs = append(f.needs, n)
		return ok
	}
	return false
}

// known returns a predicate as a condition that can be told when the load is executed.
func (f *needFinder) known(pred int32, not bool) (need, bool) {
	if len(f.writers[pred]) != 1 {
		return need{}, false
	}
	at, load := f.writers[pred][0], &f.p.code[f.load]
	in := &f.p.code[at]
	switch {
	case in.guard >= 0:
		return need{}, false
	case in.block != load.block:
		return need{pred: pred, not: not}, f.tree.dominates(in.block, load.block)
	case at < f.load:
		return need{pred: pred, not: not}, true
	}
	// Made behind the load, of what it could have been made of before.
	ok := in.op == opSetp && in.p == pred && in.c == predFalse
	for i := f.load; i < at; i++ {
		for _, r := range f.p.code[i].writes() {
			ok = ok && r != in.a && r != in.b
		}
	}
	return need{pred: pred, not: not, made: in}, ok
}

// changed reports whether a predicate that was known when the load was executed is made
// anew before the value is used.
func (f *needFinder) changed(n need) bool {
	return n.made == nil && slices.Contains(f.passed, f.writers[n.pred][0])
}
