package ptx

// runTogether executes a block's warps instruction by instruction, as long as all
// their lanes take the same way: what an instruction is, is then looked up once for
// all of them. It reports whether the block has ended; if not, the warps stand where
// each has to go on alone.
func (k *worker) runTogether() (done bool, err error) {
	left := k.l.budget
	for pc := int32(0); ; {
		in := &k.p.code[pc]
		cost := int64(in.next - pc)
		some, all := k.guarded(in)
		if left < cost || some != all || in.op == opWarp || in.op > opBar || k.orderShows(in) {
			for i := range k.warps {
				w := &k.warps[i]
				w.left, w.paths[0].pc = left, pc
			}
			return false, nil
		}
		left -= cost
		if !some {
			pc = in.next
			continue
		}
		switch in.op {
		case opBra:
			if in.target < 0 {
				return true, k.endInterval()
			}
			pc = in.target
			continue
		case opExit:
			return true, k.endInterval()
		case opBar:
			err = k.endInterval()
		case opALU:
			for i := range k.warps {
				k.warps[i].alu(in)
			}
		default:
			for i := range k.warps {
				if err = k.execute(&k.warps[i], in, k.warps[i].all); err != nil {
					break
				}
			}
		}
		if err != nil {
			return true, err
		}
		pc = in.next
	}
}

// orderShows reports whether an atomic leaves or returns something else if the warps
// come to it in another order.
func (k *worker) orderShows(in *instr) bool {
	return in.op == opAtom && in.mem.atomic.shows() && !(k.l.once && in.mem.space == spGlobal)
}

// guarded reports whether an instruction is executed by some lanes of a block, and by all.
func (k *worker) guarded(in *instr) (some, all bool) {
	if in.guard < 0 {
		return true, true
	}
	all = true
	for i := range k.warps {
		w := &k.warps[i]
		m := w.preds[in.guard]
		if in.guardNot {
			m = ^m
		}
		m &= w.all
		some = some || m != 0
		all = all && m == w.all
	}
	return some, all
}
