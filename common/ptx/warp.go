package ptx

import (
	"fmt"
	"math/bits"
)

// A lanePath is a set of lanes that run together. The paths of a warp form a
// stack: at a branch that lanes take differently, the current path waits at
// the meeting point, and one new path a side runs on top of it until it gets
// there. A GPU's own choice is not documented; for structured code every
// scheme that meets again at the post-dominator makes the same requests.
type lanePath struct {
	pc, meet int32 // next instruction; where to stop, -1 for at exit
	mask     uint32
	waits    bool // for the paths above it
	stuck    bool // at a barrier that not all live lanes have reached
}

// A warp is 32 consecutive threads of a block.
type warp struct {
	index   int
	all     uint32 // lanes that exist
	live    uint32 // lanes that have not exited
	stack   []lanePath
	rows    []row
	preds   []uint32
	left    int64 // instructions until the budget is used up
	waiting bool  // at the barrier at top of stack
	clocks  *[32][32]uint32
}

// start puts the warp at the start of the kernel.
func (w *warp) start(p *program, budget int64) {
	w.live, w.left, w.waiting = w.all, budget, false
	w.stack = append(w.stack[:0], lanePath{pc: 0, meet: -1, mask: w.all})
	clear(w.preds)
	w.preds[predTrue] = ^uint32(0)
	for _, r := range p.zeroRows {
		w.rows[r] = row{}
	}
}

func (w *warp) top() *lanePath { return &w.stack[len(w.stack)-1] }

// exit ends lanes.
func (w *warp) exit(lanes uint32) {
	w.live &^= lanes
	for i := range w.stack {
		w.stack[i].mask &^= lanes
	}
}

// run executes until all lanes have exited or wait at a barrier.
func (k *worker) run(w *warp) error {
	for len(w.stack) > 0 {
		top := w.top()
		switch {
		case top.mask == 0:
			w.stack = w.stack[:len(w.stack)-1]
		case top.stuck && top.mask == w.live:
			top.stuck, w.waiting = false, true
			return nil
		case top.stuck:
			if err := k.unstick(w); err != nil {
				return err
			}
		default:
			top.waits = false
			if err := k.runPath(w); err != nil || w.waiting {
				return err
			}
		}
	}
	return nil
}

// unstick lets another path of the warp run, since those at a barrier wait
// for lanes that have not exited. If all of them wait, nobody can go on.
func (k *worker) unstick(w *warp) error {
	for i := len(w.stack) - 1; i >= 0; i-- {
		if p := w.stack[i]; !p.stuck && !p.waits && p.mask != 0 {
			w.stack = append(append(w.stack[:i], w.stack[i+1:]...), p)
			return nil
		}
	}
	at := *w.top()
	missing := w.live &^ at.mask
	other := at
	for _, p := range w.stack {
		if p.mask&missing != 0 {
			other = p // the last one is where they really are
		}
	}
	lanes := other.mask & missing
	return k.divergentBarrier(w, at, lanes, other.pc)
}

// runPath executes the path on top of the stack until it ends, splits or
// waits.
func (k *worker) runPath(w *warp) error {
	top := w.top()
	pc, meet, active := top.pc, top.meet, top.mask
	code, rows, preds := k.p.code, w.rows, w.preds
	for {
		if pc == meet {
			w.stack = w.stack[:len(w.stack)-1]
			return nil
		}
		in := &code[pc]
		if w.left--; w.left < 0 {
			return k.endless(w, in, active)
		}
		m := active
		if in.guard >= 0 {
			g := preds[in.guard]
			if in.guardNot {
				g = ^g
			}
			if m &= g; m == 0 {
				pc++
				continue
			}
		}
		switch in.op {
		case opALU:
			// Lanes that have exited may be overwritten.
			if m == w.live {
				in.fn(&rows[in.d], &rows[in.a], &rows[in.b], &rows[in.c], &rows[in.e])
			} else {
				in.fn(&k.tmp, &rows[in.a], &rows[in.b], &rows[in.c], &rows[in.e])
				merge(&rows[in.d], &k.tmp, m)
			}
		case opSelp:
			merge2(&rows[in.d], &rows[in.a], &rows[in.b], preds[in.p], m)
		case opSetp:
			w.setp(in, m)
		case opPred:
			r := in.logic(preds[in.a], preds[in.b])
			preds[in.p] = preds[in.p]&^m | r&m
		case opMem:
			if err := k.access(w, in, m); err != nil {
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
			w.split(in, pc, m)
			return nil
		case opExit:
			w.exit(m)
			if active &^= m; active == 0 {
				return nil
			}
		case opShfl:
			if err := k.shfl(w, in, m); err != nil {
				return err
			}
		case opWarpSync:
			if err := k.warpSync(w, in, m); err != nil {
				return err
			}
		case opBar:
			if m != active { // a guard held some lanes back
				return k.divergentBarrier(w, lanePath{pc: pc, mask: m}, active&^m, pc)
			}
			w.arrive(pc)
			return nil
		}
		pc++
	}
}

// arrive stops the top path at the barrier at pc.
func (w *warp) arrive(pc int32) {
	top := w.top()
	top.pc = pc
	w.waiting = top.mask == w.live
	top.stuck = !w.waiting
}

// setp compares for the lanes of m.
func (w *warp) setp(in *instr, m uint32) {
	r := in.cmp(&w.rows[in.a], &w.rows[in.b])
	c := w.preds[in.c]
	p, q := in.logic(r, c), in.logic(^r, c)
	w.preds[in.p] = w.preds[in.p]&^m | p&m
	if in.q >= 0 {
		w.preds[in.q] = w.preds[in.q]&^m | q&m
	}
}

// split divides the top path at branch pc: the lanes of taken go to its
// target, the others go on.
func (w *warp) split(in *instr, pc int32, taken uint32) {
	p := w.top()
	rest := p.mask &^ taken
	meet := in.reconv
	if meet < 0 {
		meet = p.meet
	}
	if meet == p.meet {
		w.stack = w.stack[:len(w.stack)-1]
	} else {
		p.pc, p.waits = meet, true
	}
	for _, side := range [2]lanePath{{pc: in.target, meet: meet, mask: taken}, {pc: pc + 1, meet: meet, mask: rest}} {
		if side.pc != meet {
			w.stack = append(w.stack, side)
		}
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

// shfl exchanges values between the lanes of a warp (PTX ISA, "shfl.sync").
func (k *worker) shfl(w *warp, in *instr, m uint32) error {
	if err := k.together(w, in, m, uint32(w.rows[in.e][bits.TrailingZeros32(m)&31])); err != nil {
		return err
	}
	a, b, c := w.rows[in.a], &w.rows[in.b], &w.rows[in.c]
	d, valid, absent := w.rows[in.d], uint32(0), false
	for rest := m; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest) & 31
		j, ok := shflSource(in.target, lane, int(b[lane]), int(c[lane]))
		if !ok {
			j = lane
		} else {
			valid |= 1 << lane
		}
		if m>>j&1 == 0 {
			absent, j = true, lane
		}
		d[lane] = a[j]
	}
	if absent {
		k.notes[note{in.site, noteShfl}]++
	}
	w.rows[in.d] = d
	if in.p >= 0 {
		w.preds[in.p] = w.preds[in.p]&^m | valid
	}
	return nil
}

func shflSource(mode int32, lane, b, c int) (int, bool) {
	b &= 31
	seg, clamp := c>>8&31, c&31
	low := lane & seg
	high := low | clamp&^seg
	switch mode {
	case 0: // up
		return max(lane-b, 0), lane-b >= high
	case 1: // down
		return min(lane+b, 31), lane+b <= high
	case 2: // bfly
		return lane ^ b, lane^b <= high
	}
	j := low | b&^seg
	return j, j <= high
}

// together checks that the lanes that a .sync instruction names are here.
func (k *worker) together(w *warp, in *instr, m, named uint32) error {
	reason := ""
	switch {
	case m&^named != 0:
		reason = "executed by a lane that its mask does not name"
	case named&w.live&^m != 0:
		reason = fmt.Sprintf("lane %d, which its mask names, is in another branch", bits.TrailingZeros32(named&w.live&^m))
	default:
		return nil
	}
	return &Unsupported{Kernel: k.p.entry.Name, Site: k.p.sites[in.site], Reason: reason}
}
