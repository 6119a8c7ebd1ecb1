package ptx

import (
	"math"
	"math/bits"
	"slices"
)

// A lanePath is a set of lanes that run together. At a branch that lanes take
// differently a path splits; paths merge where such lanes meet again (see
// findReconvergence). Of several paths the one that stands first in the program's
// order runs, so that it comes to a meeting point last. A GPU's own choice is not
// documented; what an H200 does is in testdata/shapes/shapes.csv.
type lanePath struct {
	pc   int32 // next instruction
	mask uint32
	held bool       // waits there for other lanes
	call *callFrame // that it is in
}

// A warp is 32 consecutive threads of a block.
type warp struct {
	index   int
	all     uint32 // lanes that exist
	live    uint32 // lanes that have not exited
	paths   []lanePath
	regs    []register
	preds   []uint32
	left    int64 // instructions until the budget is used up
	tries   int   // atomics since its lanes were together
	waiting bool  // all live lanes are at a barrier: paths[0]
	clocks  *[32][32]uint32
	copies  []asyncCopy // under way
	groups  [32]int     // cp.async.commit_group, by lane
	fenced  uint32      // lanes that have passed a fence for the whole GPU
	frames  map[callFrom]*callFrame
	saved   []savedCall // by depth
}

// start puts the warp at the start of the kernel.
func (w *warp) start(p *program, budget int64) {
	w.live, w.left, w.waiting, w.tries = w.all, budget, false, 0
	w.paths = append(w.paths[:0], lanePath{mask: w.all})
	clear(w.preds)
	w.preds[predTrue] = ^uint32(0)
	for _, r := range p.zeroRows {
		w.regs[r].set(0)
	}
	clear(w.frames)
}

// exit ends lanes.
func (w *warp) exit(lanes uint32) {
	w.live &^= lanes
	for i := range w.paths {
		w.paths[i].mask &^= lanes
	}
}

// run executes until all lanes have exited or wait at a barrier.
func (k *worker) run(w *warp) error {
	for len(w.paths) > 0 {
		i, stop := k.choose(w)
		if i < 0 {
			return k.stuck(w)
		}
		n := len(w.paths)
		if err := k.runPath(w, &w.paths[i], stop); err != nil || w.waiting {
			return err
		}
		if len(w.paths) > n { // it has split
			w.merge(k.p, n)
		}
		w.merge(k.p, i)
	}
	return nil
}

// merge makes one path of path i and another one at the same meeting point, or at
// the same instruction that waits for other lanes, and removes it if its lanes
// have exited.
func (w *warp) merge(prog *program, i int) {
	p, last := &w.paths[i], len(w.paths)-1
	gone := p.mask == 0
	if prog.reconvergesAt(p.pc) {
		for j := range w.paths {
			if j != i && w.paths[j].pc == p.pc && w.paths[j].call == p.call {
				w.paths[j].mask |= p.mask
				gone = true
			}
		}
	}
	if gone {
		if i < last {
			w.paths[i] = w.paths[last]
		}
		w.paths = w.paths[:last]
	}
}

// everywhere is a place behind all others.
const everywhere = math.MaxInt32

// choose returns the path that is to run, or -1, and the place where it has to
// stop, because another path stands there. Lanes that wait for others are held; if
// those come, they are not.
func (k *worker) choose(w *warp) (path int, stop int32) {
	if len(w.paths) == 1 && !w.paths[0].held {
		return 0, everywhere
	}
	held := false
	for i := range w.paths {
		p := &w.paths[i]
		p.held = p.held && k.missing(w, &k.p.code[p.pc], p.mask) != 0
		held = held || p.held
	}
	ready := uint32(0)
	for i := range w.paths {
		if p := &w.paths[i]; !p.held && !(held && k.follows(w, p.pc)) {
			ready |= 1 << i
		}
	}
	path = -1
	first, stop, deferred := int32(everywhere), int32(everywhere), false
	inCalls := false
	for rest := ready; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest)
		inCalls = inCalls || w.paths[i].call != nil
		place := k.p.code[w.paths[i].pc].place
		if end := k.nextRound(w, &w.paths[i], ready); end >= 0 {
			place, deferred = end, true
		}
		switch {
		case place < first:
			path, first, stop = i, place, first
		default:
			stop = min(stop, place)
		}
	}
	if inCalls {
		path, stop = k.chooseInCalls(w, ready)
	}
	switch {
	case held:
		stop = -1 // after one instruction
	case deferred:
		stop = 0 // wherever lanes reconverge
	}
	if w.tries >= maxTries {
		return w.other(k.p, path), everywhere
	}
	return path, stop
}

// nextRound returns, for lanes that stand where those of a loop meet before a round, the
// loop's last place if others of the paths given are still in the round before; else -1.
func (k *worker) nextRound(w *warp, path *lanePath, paths uint32) int32 {
	pc := path.pc
	b := &k.p.blocks[k.p.code[pc].block]
	if b.loopEnd < 0 || b.start != pc || !b.reconverges {
		return -1
	}
	for ; paths != 0; paths &= paths - 1 {
		at := k.placeIn(&w.paths[bits.TrailingZeros32(paths)], path.call)
		if at > k.p.code[pc].place && at <= b.loopEnd {
			return b.loopEnd
		}
	}
	return -1
}

// maxTries is after how many atomics the lanes of one path let others run first: they
// may wait for a lock that those hold. A GPU lets all lanes get on (Programming Guide,
// "Independent Thread Scheduling").
const maxTries = 1 << 12

// other returns the next path behind the one given, or that one.
func (w *warp) other(p *program, path int) int {
	w.tries = 0
	best := path
	for i := range w.paths {
		if x := &w.paths[i]; i != path && !x.held && (best == path || p.code[x.pc].place < p.code[w.paths[best].pc].place) {
			best = i
		}
	}
	return best
}

// missing returns the lanes that an instruction waits for besides those of m.
func (k *worker) missing(w *warp, in *instr, m uint32) uint32 {
	named := w.live
	if in.op == opSync {
		named &= w.named(in, m)
	}
	return named &^ m
}

// stuck says why no path can go on: the first one that is held waits for
// lanes that do not come.
func (k *worker) stuck(w *warp) error {
	var at *lanePath
	for i := range w.paths {
		if p := &w.paths[i]; p.held && (at == nil || k.p.code[p.pc].place < k.p.code[at.pc].place) {
			at = p
		}
	}
	in := &k.p.code[at.pc]
	if in.op == opSync {
		return k.apart(w, in, at.mask)
	}
	var other *lanePath
	for i := range w.paths {
		if p := &w.paths[i]; p != at && (other == nil || k.p.code[p.pc].place < k.p.code[other.pc].place) {
			other = p
		}
	}
	return k.divergentBarrier(w, *at, other.mask, other.pc)
}

// runPath executes a path until it ends, splits, waits or comes to stop, but
// at least one instruction.
func (k *worker) runPath(w *warp, path *lanePath, stop int32) error {
	pc, active := path.pc, path.mask
	code, preds := k.p.code, w.preds
	last := int32(everywhere)
	for limit := int32(everywhere); ; limit = stop {
		in := &code[pc]
		if in.place >= limit && (limit < 0 || k.p.reconvergesAt(pc)) ||
			in.place < last && limit != everywhere && k.p.reconvergesAt(pc) { // perhaps before another round
			path.pc = pc
			return nil
		}
		last = in.place
		if w.left -= int64(in.next - pc); w.left < 0 {
			return k.endless(w, in, active)
		}
		m := active
		if in.guard >= 0 {
			g := preds[in.guard]
			if in.guardNot {
				g = ^g
			}
			if m &= g; m == 0 {
				pc = in.next
				continue
			}
		}
		switch in.op {
		case opALU:
			if m == w.live { // lanes that have exited may be overwritten
				w.alu(in)
				break
			}
			in.fn(&k.tmp, w.regs[in.a].row(), w.regs[in.b].row(), w.regs[in.c].row(), w.regs[in.e].row())
			merge(w.regs[in.d].change(), &k.tmp, m)
		case opAtom:
			if err := k.access(w, in, m); err != nil {
				return err
			}
			if len(w.paths) == 1 {
				w.tries = 0
			} else if w.tries++; w.tries == maxTries {
				path.pc = in.next
				return nil
			}
		case opSelp, opSetp, opPred, opMem, opWarp, opTrap:
			if err := k.execute(w, in, m); err != nil {
				return err
			}
		case opBra:
			if m == active && in.target >= 0 {
				pc = in.target
				continue
			}
			if in.target < 0 {
				w.exit(m)
				if active &^= m; active == 0 {
					return nil
				}
				break
			}
			path.pc, path.mask = in.target, m
			w.paths = append(w.paths, lanePath{pc: in.next, mask: active &^ m, call: path.call})
			return nil
		case opExit:
			w.exit(m)
			if active &^= m; active == 0 {
				return nil
			}
		case opSync, opBar, opBarrier:
			if others := k.missing(w, in, m); others&active != 0 { // a guard holds them back
				if in.op == opSync {
					return k.apart(w, in, m)
				}
				return k.divergentBarrier(w, lanePath{pc: pc, mask: m}, others&active, pc)
			} else if others != 0 || in.blocks() {
				path.pc, path.held = pc, others != 0
				w.waiting = others == 0
				return nil
			}
			if err := k.exchange(w, in, m); err != nil {
				return err
			}
		case opCall, opReturn:
			if active != m {
				w.paths = append(w.paths, lanePath{pc: in.next, mask: active &^ m, call: path.call})
				path = &w.paths[slices.IndexFunc(w.paths, func(x lanePath) bool { return x.mask == active })]
			}
			path.mask = m
			if in.op == opReturn {
				k.ret(w, path)
			} else if err := k.call(w, path, in, pc); err != nil {
				return err
			}
			if len(w.paths) > 1 {
				return nil
			}
			pc, active = path.pc, m
			continue
		}
		pc = in.next
	}
}

// alu executes an arithmetic instruction for all lanes.
func (w *warp) alu(in *instr) {
	d, a, b, c, e := &w.regs[in.d], &w.regs[in.a], &w.regs[in.b], &w.regs[in.c], &w.regs[in.e]
	if a.form&b.form&c.form&e.form&isAffine != 0 && in.affine(&d.affine, &a.affine, &b.affine, &c.affine, &e.affine) {
		d.form = isAffine
		return
	}
	d.compute(in.fn, a, b, c, e)
}

// execute executes an instruction that is not arithmetic and leads to the next one.
func (k *worker) execute(w *warp, in *instr, m uint32) error {
	switch in.op {
	case opSelp:
		merge2(w.regs[in.d].change(), w.regs[in.a].row(), w.regs[in.b].row(), w.preds[in.p], m)
	case opSetp:
		w.setp(in, m)
	case opPred:
		r := in.logic(w.preds[in.a], w.preds[in.b])
		w.preds[in.p] = w.preds[in.p]&^m | r&m
	case opMem, opAtom:
		return k.access(w, in, m)
	case opWarp, opTrap:
		return in.warp(k, w, in, m)
	}
	return nil
}

// setp compares for the lanes of m.
func (w *warp) setp(in *instr, m uint32) {
	a, b := &w.regs[in.a], &w.regs[in.b]
	r, ok := uint32(0), false
	if a.form&b.form&isAffine != 0 {
		r, ok = in.cmpAffine(&a.affine, &b.affine)
	}
	if !ok {
		r = in.cmp(a.row(), b.row())
	}
	c := w.preds[in.c]
	p, q := in.logic(r, c), in.logic(^r, c)
	w.preds[in.p] = w.preds[in.p]&^m | p&m
	if in.q >= 0 {
		w.preds[in.q] = w.preds[in.q]&^m | q&m
	}
}

// merge copies the lanes of m.
func merge(d, s *row, m uint32) {
	for ; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		d[i] = s[i]
	}
}

// merge2 picks from a where p is set and from b elsewhere, for the lanes of m.
func merge2(d, a, b *row, p, m uint32) {
	for ; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		if p>>i&1 == 1 {
			d[i] = a[i]
		} else {
			d[i] = b[i]
		}
	}
}
