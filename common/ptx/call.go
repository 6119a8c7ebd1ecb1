package ptx

import (
	"fmt"
	"math/bits"
	"slices"
)

// A call of a function is expanded where it stands. One that may call itself, by whatever
// way, has its code once: each lane then has a stack of the registers of those that wait
// for their callee, and of frames in its local memory.

// A subroutine is such a function.
type subroutine struct {
	f            *function
	entry        int32 // instruction
	size         int   // of its frame
	params, rets []int // where they lie in it
	rows, preds  [2]int
}

// stackBytes is the room for the frames of subroutines. How much those take on a GPU, and
// whether there is more than 1 KiB, PTX does not say.
const stackBytes = 16 << 10

const frameAlign = 16

// A callOp is the call of a subroutine.
type callOp struct {
	from, to     *subroutine // from is nil in the kernel itself
	size         int         // of the caller's frame
	params, rets []int       // where they lie in that
	saved        []int32     // rows that the caller reads after it
}

// A callFrame is a call that lanes have not returned from. Those that have come the same
// way have the same one.
type callFrame struct {
	callFrom
	depth int
	base  uint64 // of the caller's frame in local memory
}

type callFrom struct {
	above *callFrame // nil in the kernel itself
	site  int32      // the opCall
}

// A savedCall holds the registers of callers at one depth.
type savedCall struct {
	rows  []row
	preds []uint32
}

// callsItself reports whether a call of f may lead to another one.
func (m *Module) callsItself(f *function) bool {
	seen := map[*function]bool{}
	for work := m.calls(f); len(work) > 0; {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		if g == f {
			return true
		}
		if !seen[g] {
			seen[g] = true
			work = append(work, m.calls(g)...)
		}
	}
	return false
}

// subroutine returns that of a function, which is lowered later.
func (l *lowerer) subroutine(f *function) *subroutine {
	for _, s := range l.p.subs {
		if s.f == f {
			return s
		}
	}
	s := &subroutine{f: f}
	for i, list := range [2][]*variable{f.rets, f.params} {
		for _, v := range list {
			off := roundUp(s.size, max(v.align, 4))
			s.size = off + v.size
			*[]*[]int{&s.rets, &s.params}[i] = append(*[]*[]int{&s.rets, &s.params}[i], off)
		}
	}
	if len(l.p.subs) == 0 {
		l.p.frame = l.p.newRow()
	}
	l.p.subs = append(l.p.subs, s)
	return s
}

// callSubroutine emits a call whose arguments lie in the caller's frame.
func (l *lowerer) callSubroutine(g *function, params, rets []int) {
	s := l.subroutine(g)
	c := &callOp{from: l.sub, to: s, params: params, rets: rets}
	l.emit(instr{op: opCall, d: l.p.frame, call: c})
}

// subroutines lowers those that have been called, and those that they call.
func (l *lowerer) subroutines() error {
	for i := 0; i < len(l.p.subs); i++ {
		s := l.p.subs[i]
		l.sub = s
		s.entry = int32(len(l.p.code))
		s.rows[0], s.preds[0] = l.p.nrows, l.p.npreds
		if err := l.function(s.f, s.params, s.rets); err != nil {
			return err
		}
		s.rows[1], s.preds[1] = l.p.nrows, l.p.npreds
		l.p.end(s.f, opReturn)
	}
	if len(l.p.subs) == 0 {
		return nil
	}
	for i := range l.p.code {
		if in := &l.p.code[i]; in.op == opCall {
			in.target, in.call.size = in.call.to.entry, l.p.localBytes
			if in.call.from != nil {
				in.call.size = in.call.from.size
			}
		}
	}
	l.p.localBytes = roundUp(l.p.localBytes, frameAlign) + stackBytes
	return nil
}

// findSaved finds what callers have to save: of the registers of a subroutine, those
// that are read after the call.
func (p *program) findSaved() {
	for i := range p.code {
		in := &p.code[i]
		if in.op != opCall || in.call.from == nil || p.blocks[in.block].place < 0 {
			continue
		}
		live := p.liveAt(p.code[i+1].block)
		for _, r := range p.variableRows(live) {
			if from := in.call.from.rows; r != p.frame && from[0] <= int(r) && int(r) < from[1] {
				in.call.saved = append(in.call.saved, r)
			}
		}
	}
}

// frameOf returns a lane's local memory from the frame of its function on.
func (k *worker) frameOf(w *warp, lane int) []byte {
	base := uint64(0)
	if k.p.subs != nil {
		base = w.regs[k.p.frame].row()[lane]
	}
	return k.own(w, lane)[base:]
}

// call sends the lanes of a path to a subroutine.
func (k *worker) call(w *warp, path *lanePath, in *instr, pc int32) error {
	c := in.call
	f := w.frameFrom(callFrom{path.call, pc}, path, k.p)
	base := roundUp(int(f.base)+c.size, frameAlign)
	if base+max(c.to.size, frameAlign) > k.p.localBytes {
		return k.stackOverflow(w, in, path.mask, f.depth)
	}
	k.localHigh = max(k.localHigh, base+c.to.size)
	k.save(w, c, f.depth, path.mask)
	for rest := path.mask; rest != 0; rest &= rest - 1 {
		mine := k.own(w, bits.TrailingZeros32(rest)&31)
		for i, v := range c.to.f.params {
			copy(mine[base+c.to.params[i]:][:v.size], mine[int(f.base)+c.params[i]:])
		}
	}
	path.call, path.pc = f, in.target
	w.give(k.p.frame, path.mask, uint64(base))
	return nil
}

// frameFrom returns the frame of a call, the same for all lanes that come the same way.
func (w *warp) frameFrom(from callFrom, path *lanePath, p *program) *callFrame {
	f, ok := w.frames[from]
	if !ok {
		f = &callFrame{callFrom: from}
		if from.above != nil {
			f.depth = from.above.depth + 1
			f.base = w.regs[p.frame].row()[bits.TrailingZeros32(path.mask)&31]
		}
		if w.frames == nil {
			w.frames = map[callFrom]*callFrame{}
		}
		w.frames[from] = f
	}
	return f
}

// ret brings the lanes of a path back to where their function was called.
func (k *worker) ret(w *warp, path *lanePath) {
	f := path.call
	c := k.p.code[f.site].call
	frame := w.regs[k.p.frame].row()
	for rest := path.mask; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest) & 31
		mine := k.own(w, i)
		for j, v := range c.to.f.rets {
			copy(mine[int(f.base)+c.rets[j]:][:v.size], mine[int(frame[i])+c.to.rets[j]:])
		}
	}
	k.restore(w, c, f.depth, path.mask)
	w.give(k.p.frame, path.mask, f.base)
	path.call, path.pc = f.above, f.site+1
}

func (k *worker) save(w *warp, c *callOp, depth int, m uint32) {
	for len(w.saved) <= depth {
		w.saved = append(w.saved, savedCall{})
	}
	if c.from == nil {
		return
	}
	s := &w.saved[depth]
	first, end := c.from.preds[0], c.from.preds[1]
	for len(s.rows) < len(c.saved) {
		s.rows = append(s.rows, row{})
	}
	for len(s.preds) < end-first {
		s.preds = append(s.preds, 0)
	}
	for i, r := range c.saved {
		merge(&s.rows[i], w.regs[r].row(), m)
	}
	for i, p := range w.preds[first:end] {
		s.preds[i] = s.preds[i]&^m | p&m
	}
}

func (k *worker) restore(w *warp, c *callOp, depth int, m uint32) {
	if c.from == nil {
		return
	}
	s := &w.saved[depth]
	for i, r := range c.saved {
		merge(w.regs[r].change(), &s.rows[i], m)
	}
	first, end := c.from.preds[0], c.from.preds[1]
	for i := range w.preds[first:end] {
		p := &w.preds[first+i]
		*p = *p&^m | s.preds[i]&m
	}
}

// stackOverflow accuses a call that has no room.
func (k *worker) stackOverflow(w *warp, in *instr, m uint32, depth int) error {
	f := k.fault(OutOfBounds, w, in.site, bits.TrailingZeros32(m)&31)
	f.title = "stack overflow"
	f.detail = fmt.Sprintf("block %v, thread %v calls, %d calls deep, where no room is left on its stack\nat %s: "+
		"does the recursion end? A GPU's stack has 1 KiB unless the program asks for more (cudaLimitStackSize)", f.Block, f.Thread, depth+1, place(f.Site))
	return f
}

// placeIn returns where a path stands in the function that was called by the frame given:
// at the call if it is in what that function has called, and -1 if it is in neither.
func (k *worker) placeIn(path *lanePath, frame *callFrame) int32 {
	if path.call == frame {
		return k.p.code[path.pc].place
	}
	for f := path.call; f != nil; f = f.above {
		if f.above == frame {
			return k.p.code[f.site].place
		}
	}
	return -1
}

// way returns the places of the calls that a path is in, and then its own.
func (k *worker) way(path *lanePath) []int32 {
	way := []int32{k.p.code[path.pc].place}
	for f := path.call; f != nil; f = f.above {
		way = append(way, k.p.code[f.site].place)
	}
	slices.Reverse(way)
	return way
}

// chooseInCalls is choose for paths in calls: the first of them is that whose way is.
func (k *worker) chooseInCalls(w *warp, ready uint32) (path int, stop int32) {
	path, stop = -1, everywhere
	var first []int32
	for rest := ready; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest)
		way := k.way(&w.paths[i])
		if end := k.nextRound(w, &w.paths[i], ready); end >= 0 {
			way[len(way)-1] = end
		}
		if path < 0 || slices.Compare(way, first) < 0 {
			path, first = i, way
		}
	}
	for i := range w.paths {
		if at := k.placeIn(&w.paths[i], w.paths[path].call); i != path && ready>>i&1 == 1 && at >= 0 {
			stop = min(stop, at)
		}
	}
	return path, stop
}
