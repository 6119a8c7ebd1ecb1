package ptx

import "slices"

// maxSamples bounds what a traced block may record.
const maxSamples = 1 << 12

// sample records a request of a traced block.
func (k *worker) sample(w *warp, r *request, s space) {
	if k.samples == maxSamples {
		return
	}
	k.samples++
	x := Sample{Site: k.p.sites[r.in.site], Block: k.idx, Warp: w.index,
		Store: r.m.store, Atomic: r.m.atomic != nil, Bytes: r.m.bytes, Active: r.mask, Addr: *r.row()}
	x.Wavefronts, _ = wavefronts(r.row(), r.mask, r.m.bytes, r.m.store || s == spGlobal)
	if s == spShared {
		x.Space = Shared
		for i := range x.Addr {
			x.Addr[i] = k.offset(x.Addr[i])
		}
	} else {
		x.Sectors, x.Lines, _ = pieces(r)
	}
	k.trace = append(k.trace, x)
}

// tell calls Config.Trace with what the workers recorded, in the order that it
// promises whoever ran which block.
func (l *launch) tell(ks []*worker) {
	var all []Sample
	for _, k := range ks {
		all = append(all, k.trace...)
	}
	grid := l.c.Grid
	block := func(d Dim3) int { return d.X + grid.X*(d.Y+grid.Y*d.Z) }
	slices.SortStableFunc(all, func(a, b Sample) int {
		if a.Block != b.Block {
			return block(a.Block) - block(b.Block)
		}
		return a.Warp - b.Warp
	})
	for _, s := range all {
		l.c.Trace(s)
	}
}
