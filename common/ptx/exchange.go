package ptx

import (
	"fmt"
	"math/bits"
)

// A warpFn is what an instruction does for the lanes of m, all at once.
type warpFn func(k *worker, w *warp, in *instr, m uint32) error

// named returns the lanes that the masks of the lanes of m name.
func (w *warp) named(in *instr, m uint32) uint32 {
	mask := &w.regs[in.e]
	if mask.form&isAffine != 0 && mask.uniform() {
		return uint32(mask.base)
	}
	named, masks := uint32(0), mask.row()
	for rest := m; rest != 0; rest &= rest - 1 {
		named |= uint32(masks[bits.TrailingZeros32(rest)&31])
	}
	return named
}

// exchange executes a .sync instruction, whose lanes are all there. Lanes with the
// same mask do it together: it may be one tile of several in a warp.
func (k *worker) exchange(w *warp, in *instr, m uint32) error {
	if in.op == opBarrier {
		return k.arrive(w, in)
	}
	masks := w.regs[in.e].row()
	for rest := m; rest != 0; {
		mask, group := uint32(masks[bits.TrailingZeros32(rest)&31]), uint32(0)
		for r := rest; r != 0; r &= r - 1 {
			if i := bits.TrailingZeros32(r) & 31; uint32(masks[i]) == mask {
				group |= 1 << i
			}
		}
		if stray := group &^ mask; stray != 0 {
			return k.maskFault(w, in, stray, "is not in its mask, %#x: a mask must name every lane that executes the instruction", mask)
		}
		if other := mask & m &^ group; other != 0 {
			i := bits.TrailingZeros32(other)
			return k.maskFault(w, in, group, "has the mask %#x, and lane %d, which that names, has %#x: all lanes of a mask must give the same", mask, i, uint32(masks[i]))
		}
		if err := in.warp(k, w, in, group); err != nil {
			return err
		}
		rest &^= group
	}
	return nil
}

// apart says that lanes that a .sync instruction names do not come.
func (k *worker) apart(w *warp, in *instr, m uint32) error {
	return k.maskFault(w, in, m, "waits for lane %d, which its mask names and which does not come: "+
		"a mask may only name lanes that execute the instruction", bits.TrailingZeros32(k.missing(w, in, m)))
}

// maskFault accuses the lowest lane of m.
func (k *worker) maskFault(w *warp, in *instr, m uint32, format string, args ...any) error {
	lane := bits.TrailingZeros32(m) & 31
	f := k.fault(MaskMismatch, w, in.site, lane)
	f.detail = fmt.Sprintf("block %v, thread %v, lane %d of its warp, ", f.Block, f.Thread, lane) + fmt.Sprintf(format, args...) +
		"\nat " + place(f.Site)
	return f
}

// syncWarp executes bar.warp.sync. Lanes that have exited have arrived.
func syncWarp(_ *worker, w *warp, in *instr, m uint32) error {
	w.sync(m | w.named(in, m)&w.all&^w.live)
	return nil
}

// give sets a row to v for the lanes of m.
func (w *warp) give(d int32, m uint32, v uint64) {
	row := w.regs[d].change()
	for ; m != 0; m &= m - 1 {
		row[bits.TrailingZeros32(m)&31] = v
	}
}

// decide sets a predicate to yes for the lanes of m.
func (w *warp) decide(p int32, m uint32, yes bool) {
	w.preds[p] &^= m
	if yes {
		w.preds[p] |= m
	}
}

// matchAny gives each lane those that hold the same value.
func matchAny(_ *worker, w *warp, in *instr, m uint32) error {
	a := *w.regs[in.a].row()
	d := w.regs[in.d].change()
	for rest := m; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest) & 31
		d[i] = uint64(a.same(a[i], m))
	}
	return nil
}

// same returns the lanes of m that hold v.
func (r *row) same(v uint64, m uint32) (lanes uint32) {
	for ; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros32(m) & 31; r[i] == v {
			lanes |= 1 << i
		}
	}
	return lanes
}

// matchAll gives all lanes m if they hold the same value, else 0.
func (w *warp) matchAll(in *instr, m uint32, p int32) {
	a := w.regs[in.a].row()
	all := a.same(a[bits.TrailingZeros32(m)&31], m) == m
	v := uint64(0)
	if all {
		v = uint64(m)
	}
	w.give(in.d, m, v)
	if p >= 0 {
		w.decide(p, m, all)
	}
}

// reduce gives all lanes of m what f makes of their values.
func (w *warp) reduce(in *instr, m uint32, f func(a, b uint32) uint32) {
	a := w.regs[in.a].row()
	v := uint32(a[bits.TrailingZeros32(m)&31])
	for rest := m & (m - 1); rest != 0; rest &= rest - 1 {
		v = f(v, uint32(a[bits.TrailingZeros32(rest)&31]))
	}
	w.give(in.d, m, uint64(v))
}

// elect makes the lowest lane of m the leader.
func (w *warp) elect(in *instr, m uint32, p int32) {
	leader := bits.TrailingZeros32(m)
	if in.d >= 0 {
		w.give(in.d, m, uint64(leader))
	}
	w.decide(p, m, false)
	w.preds[p] |= 1 << leader
}

// shfl exchanges values between the lanes of a warp (PTX ISA, "shfl.sync").
func (k *worker) shfl(w *warp, in *instr, m uint32, mode int, p int32) {
	a, b, c := *w.regs[in.a].row(), w.regs[in.b].row(), w.regs[in.c].row()
	d, valid, absent := *w.regs[in.d].row(), uint32(0), false
	for rest := m; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest) & 31
		j, ok := shflSource(mode, lane, int(b[lane]), int(c[lane]))
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
	w.regs[in.d].overwrite(isRow).lanes = d
	if p >= 0 {
		w.preds[p] = w.preds[p]&^m | valid
	}
}

func shflSource(mode, lane, b, c int) (int, bool) {
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
