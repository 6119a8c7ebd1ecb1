package ptx

import (
	"slices"
	"strings"
	"sync/atomic"
)

// A block may hand on what it wrote: it passes a fence and then updates a flag or a
// counter with an atomic; who learns of that by an atomic on the same place comes
// after it (PTX ISA, "Memory Consistency Model": release and acquire patterns). So the
// last block of a reduction sums up what the others left.

// blocks is a set of blocks, as spans in ascending order.
type blocks []span

type span struct{ first, end int64 }

func (s blocks) has(b int64) bool { return s.covers(span{b, b + 1}) }

func (s blocks) covers(x span) bool {
	return x.first >= x.end || slices.ContainsFunc(s, func(y span) bool { return y.first <= x.first && x.end <= y.end })
}

// with returns the set with those of others too.
func (s blocks) with(others ...span) blocks {
	all := append(slices.Clone(s), others...)
	slices.SortFunc(all, func(a, b span) int { return int(a.first - b.first) })
	out := all[:0]
	for _, x := range all {
		if n := len(out); n > 0 && x.first <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, x.end)
			continue
		}
		out = append(out, x)
	}
	return out
}

// fence reads membar and fence. Those for the whole GPU are what blocks hand on by.
func (l *lowerer) fence() error {
	l.p.fenced = true
	if st := l.st; slices.Contains(st.mods, ".gl") || slices.Contains(st.mods, ".gpu") || slices.Contains(st.mods, ".sys") {
		if strings.HasPrefix(strings.Join(st.mods, ""), ".proxy") {
			return nil
		}
		l.p.fences = true
		l.emit(instr{op: opWarp, d: -1, warp: always(func(_ *worker, w *warp, _ *instr, m uint32) { w.fenced |= m })})
	}
	return nil
}

// publish notes what the atomic of some lanes hands on, and what it is told.
func (k *worker) publish(w *warp, r *request) {
	if k.published == nil {
		k.published = map[uint64]blocks{}
	}
	_ = r.each(func(i int) error {
		at := r.at(i)
		if r.in.d >= 0 {
			k.after = k.after.with(k.published[at]...)
		}
		if w.fenced>>i&1 == 1 || r.m.atomic.release {
			k.published[at] = k.published[at].with(k.after...).with(span{k.block, k.block + 1})
		}
		return nil
	})
}

// comesAfter reports whether all that a state names has been handed on to this block,
// and forgets it then.
func (k *worker) comesAfter(s *uint32) bool {
	if len(k.after) == 0 {
		return false
	}
	switch old := atomic.LoadUint32(s); old & stateMask {
	case stateShared, stateAtomics, stateCases:
		if !k.after.covers(span{0, k.block}) {
			return false
		}
	default:
		if !k.after.has(int64(old >> stateBits)) {
			return false
		}
	}
	atomic.StoreUint32(s, 0)
	return true
}
