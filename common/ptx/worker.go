package ptx

import (
	"errors"
	"fmt"
	"slices"
)

// A worker runs blocks, one at a time. All its memory is used again.
type worker struct {
	l *launch
	p *program

	block int64 // linear index
	idx   Dim3
	warps []warp

	shared        []byte
	arrays        []sharedArray
	shadow        shadow
	sharedMarks   []sharedMarks // instead of shadow, until it takes that to judge
	histories     []history     // instead of shadow, if there are warp barriers
	barriers      [maxBarriers]barrierState
	seen          [][]uint64 // for named barriers, by warps: see releaseNamed
	interval      uint64     // between barriers, never the same twice
	firstInterval uint64     // of this block
	pending       error      // first read of unwritten shared memory in this interval
	inWarp        *Fault     // first race in this interval between lanes of a warp
	granules      granuleTable

	perBlock []perBlock // special registers that change with the block

	localMem  []byte
	localHigh int // bytes of a thread's that have been used
	cache     []memCache
	following map[int32]following // by instruction that has held lanes
	notes     map[note]int64
	same      map[granule]*sameStore
	marks     [][]marks // by allocation
	updates   [][]marks // by atomics
	traced    bool      // this block is
	samples   int       // of it
	trace     []Sample
	printed   printed

	published map[uint64]blocks // by place of an atomic, what comes before who learns of it
	after     blocks            // that come before this one

	flying  []int32 // by word of shared memory: the thread that copies there, plus 1
	request request
	addr    row
	tmp     row
}

// specials says how a warp fills a special register's row. Those that change
// with the block have fill; the others, lane, are set once.
var specials = map[string]struct {
	lane func(l *launch, warp, lane int) uint64
	fill func(l *launch, idx Dim3) uint64
}{
	"%tid.x":    {lane: func(l *launch, w, i int) uint64 { return uint64(l.c.Block.at(int64(w*32 + i)).X) }},
	"%tid.y":    {lane: func(l *launch, w, i int) uint64 { return uint64(l.c.Block.at(int64(w*32 + i)).Y) }},
	"%tid.z":    {lane: func(l *launch, w, i int) uint64 { return uint64(l.c.Block.at(int64(w*32 + i)).Z) }},
	"%laneid":   {lane: func(_ *launch, _, i int) uint64 { return uint64(i) }},
	"%warpid":   {lane: func(_ *launch, w, _ int) uint64 { return uint64(w) }},
	"%nwarpid":  {lane: func(l *launch, _, _ int) uint64 { return uint64(l.c.Block.count()+31) / 32 }},
	"%ntid.x":   {lane: func(l *launch, _, _ int) uint64 { return uint64(l.c.Block.X) }},
	"%ntid.y":   {lane: func(l *launch, _, _ int) uint64 { return uint64(l.c.Block.Y) }},
	"%ntid.z":   {lane: func(l *launch, _, _ int) uint64 { return uint64(l.c.Block.Z) }},
	"%nctaid.x": {lane: func(l *launch, _, _ int) uint64 { return uint64(l.c.Grid.X) }},
	"%nctaid.y": {lane: func(l *launch, _, _ int) uint64 { return uint64(l.c.Grid.Y) }},
	"%nctaid.z": {lane: func(l *launch, _, _ int) uint64 { return uint64(l.c.Grid.Z) }},
	"%ctaid.x":  {fill: func(_ *launch, idx Dim3) uint64 { return uint64(idx.X) }},
	"%ctaid.y":  {fill: func(_ *launch, idx Dim3) uint64 { return uint64(idx.Y) }},
	"%ctaid.z":  {fill: func(_ *launch, idx Dim3) uint64 { return uint64(idx.Z) }},

	"%lanemask_eq": {lane: func(_ *launch, _, i int) uint64 { return 1 << i }},
	"%lanemask_lt": {lane: func(_ *launch, _, i int) uint64 { return mask(i) }},
	"%lanemask_le": {lane: func(_ *launch, _, i int) uint64 { return mask(i + 1) }},
	"%lanemask_gt": {lane: func(_ *launch, _, i int) uint64 { return mask(32) &^ mask(i+1) }},
	"%lanemask_ge": {lane: func(_ *launch, _, i int) uint64 { return mask(32) &^ mask(i) }},
}

func newWorker(l *launch) *worker {
	p := l.p
	threads := int(l.c.Block.count())
	k := &worker{l: l, p: p, cache: make([]memCache, 2*len(p.mems)), following: map[int32]following{}, notes: map[note]int64{}, marks: make([][]marks, len(l.allocs)), updates: make([][]marks, len(l.allocs))}
	k.warps = make([]warp, (threads+31)/32)
	var size int
	k.arrays, size = p.sharedArrays(l.c.SharedBytes)
	k.shared = make([]byte, size)
	k.shadow = newShadow(size, p.sharedShift)
	k.sharedMarks = make([]sharedMarks, len(k.shadow.touched)/64+1)
	if l.clocks() {
		k.histories = make([]history, len(k.shadow.touched))
	}
	if p.copies {
		k.flying = make([]int32, (size+3)/4)
	}
	if p.named {
		k.seen = make([][]uint64, len(k.warps))
		for i := range k.seen {
			k.seen[i] = make([]uint64, len(k.warps))
		}
	}
	k.localMem = make([]byte, len(k.warps)*32*p.localBytes)
	for i := range k.warps {
		w := &k.warps[i]
		w.index, w.regs, w.preds = i, k.registers(i), make([]uint32, p.npreds)
		w.all = uint32(mask(min(32, threads-32*i)))
		if l.clocks() {
			w.clocks = new([32][32]uint32)
		}
	}
	for name, r := range p.special {
		if f := specials[name].fill; f != nil {
			k.perBlock = append(k.perBlock, perBlock{r, f})
		}
	}
	return k
}

// registers returns the registers of a warp, with those set that no block changes:
// constants, parameters, what depends on the thread, and what follows from them.
func (k *worker) registers(warp int) []register {
	regs := make([]register, k.p.nrows)
	for r := range regs {
		regs[r].set(0)
	}
	for f, r := range k.p.fixed {
		v := f.val
		if f.v != nil {
			v += k.l.globals[f.v]
		}
		if f.param >= 0 {
			v = get(k.l.params[f.param:][:f.size], f.signed) & f.mask
		}
		regs[r].set(v)
	}
	for name, r := range k.p.special {
		if f := specials[name].lane; f != nil {
			d := regs[r].overwrite(isRow)
			for i := range d.lanes {
				d.lanes[i] = f(k.l, warp, i)
			}
			regs[r].findAffine()
		}
	}
	for _, i := range k.p.hoisted {
		in := &k.p.code[i]
		regs[in.d].compute(in.fn, &regs[in.a], &regs[in.b], &regs[in.c], &regs[in.e])
	}
	return regs
}

// A perBlock is the row of a special register that changes with the block.
type perBlock struct {
	row  int32
	fill func(l *launch, idx Dim3) uint64
}

func (k *worker) cached(m *memOp, s Space) *memCache { return &k.cache[2*m.index+int(s)] }

// work runs blocks until there are no more.
func (k *worker) work() error {
	chunk := min(max(k.l.blocks/256, 1), 64)
	for !k.l.stop.Load() {
		first := k.l.next.Add(chunk) - chunk
		if first >= k.l.blocks {
			break
		}
		for b := first; b < min(first+chunk, k.l.blocks) && !k.l.stop.Load(); b++ {
			if err := k.runBlock(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// runBlock runs a block. What comes after a race of lanes may be its doing.
func (k *worker) runBlock(b int64) error {
	k.inWarp = nil
	err := k.runWarps(b)
	if f := (*Fault)(nil); err != nil && k.inWarp != nil && !(errors.As(err, &f) && (f.Kind == SharedRace || f.Kind == GlobalRace)) {
		return k.inWarp
	}
	return err
}

func (k *worker) runWarps(b int64) error {
	k.block, k.idx = b, k.l.c.Grid.at(b)
	k.traced, k.samples = k.l.c.Trace != nil && slices.Contains(k.l.c.TraceBlocks, k.idx), 0
	if !k.l.marks || k.l.clocks() { // else nothing is read there before it is written
		clear(k.shared)
	}
	k.clearLocal()
	clear(k.sharedMarks)
	k.interval++
	k.firstInterval = k.interval
	if k.p.named {
		clear(k.barriers[:])
		for i := range k.seen {
			clear(k.seen[i])
		}
	}
	for _, x := range k.perBlock {
		v := x.fill(k.l, k.idx)
		for i := range k.warps {
			k.warps[i].regs[x.row].set(v)
		}
	}
	for i := range k.warps {
		k.startWarp(i)
	}
	clear(k.flying)
	k.after = nil
	if k.l.marks && !k.l.clocks() { // else the order of the warps tells who is accused
		if done, err := k.runTogether(); done || err != nil {
			return err
		}
	}
	for {
		for i := range k.warps {
			w := &k.warps[i]
			if w.waiting { // at a barrier that is for others too
				continue
			}
			if err := k.run(w); err != nil {
				return err
			}
		}
		if err := k.endInterval(); err != nil {
			return err
		}
		if done, err := k.release(); done || err != nil {
			return err
		}
	}
}

func (k *worker) clearLocal() {
	if k.p.subs == nil {
		clear(k.localMem)
		return
	}
	for at := 0; at < len(k.localMem); at += k.p.localBytes { // of a stack, what was used
		clear(k.localMem[at:][:k.localHigh])
	}
}

func (k *worker) startWarp(i int) {
	w := &k.warps[i]
	w.start(k.p, k.l.budget)
	w.fenced = 0
	if k.p.copies {
		w.copies, w.groups = w.copies[:0], [32]int{}
	}
	if w.clocks != nil {
		*w.clocks = [32][32]uint32{}
		for j := range 32 {
			w.clocks[j][j] = 1 // ahead of what the others know
		}
	}
}

// endInterval judges the reads of unwritten shared memory and starts the next
// interval.
func (k *worker) endInterval() error {
	err := k.pending
	if k.inWarp != nil {
		err = k.inWarp
	}
	k.pending = nil
	k.interval++
	for i := range k.sharedMarks {
		s := &k.sharedMarks[i]
		*s = sharedMarks{before: s.before | s.written | s.updated}
	}
	return err
}

// release lets the warps at a barrier go on. It reports whether all have
// exited instead.
func (k *worker) release() (done bool, err error) {
	if k.p.named {
		return k.releaseNamed()
	}
	var first *warp
	exited := false
	for i := range k.warps {
		w := &k.warps[i]
		exited = exited || w.live != w.all
		switch {
		case !w.waiting:
		case first == nil:
			first = w
		case !k.sameBarrier(w, first):
			return false, k.divergentBarrier(first, first.paths[0], w.live, w.paths[0].pc, w)
		}
	}
	if first == nil {
		return true, nil
	}
	if exited {
		k.notes[note{k.p.code[first.paths[0].pc].site, noteExited}]++
	}
	k.letGo(func(w *warp) bool { return w.waiting })
	return false, nil
}

// letGo ends the waiting of some warps at one barrier.
func (k *worker) letGo(those func(w *warp) bool) {
	k.reduce(those)
	for i := range k.warps {
		if w := &k.warps[i]; those(w) {
			w.waiting = false
			w.paths[0].pc++
		}
	}
}

// A note counts what is worth telling about a site.
type note struct {
	site int32
	kind int
}

const (
	noteExited = iota
	noteShfl
	noteSame
)

func (l *launch) notes(ks []*worker) []string {
	sum := map[note]int64{}
	for _, k := range ks {
		for n, c := range k.notes {
			sum[n] += c
		}
	}
	var keys []note
	for n := range sum {
		keys = append(keys, n)
	}
	slices.SortFunc(keys, func(a, b note) int { return int(a.site-b.site)*8 + a.kind - b.kind })
	var out []string
	for _, n := range keys {
		switch at := place(l.p.sites[n.site]); n.kind {
		case noteExited:
			out = append(out, fmt.Sprintf("barrier at %s: threads that had exited, by a return above it or a guard around it, did not arrive, the others did not wait for them (%d times)", at, sum[n]))
		case noteSame:
			out = append(out, fmt.Sprintf("store at %s: threads that nothing orders store the same value to one place (%d times)", at, sum[n]))
		case noteShfl:
			out = append(out, fmt.Sprintf("shuffle at %s: read from a lane that does not take part, where the value is undefined (%d times)", at, sum[n]))
		}
	}
	return out
}
