package ptx

import "math/bits"

// The rows that an instruction reads and writes, by opcode; see instr. Those of a
// memOp are besides.
const (
	readsA = 1 << iota
	readsB
	readsC
	readsE
	writesD
)

var rowsOf = [...]uint8{
	opALU:     readsA | readsB | readsC | readsE | writesD,
	opSelp:    readsA | readsB | writesD,
	opSetp:    readsA | readsB,
	opPred:    0,
	opBra:     0,
	opExit:    0,
	opMem:     0,
	opAtom:    readsA | readsB | readsC | writesD,
	opWarp:    readsA | readsB | readsC | readsE | writesD,
	opTrap:    readsA | readsB | readsC | readsE,
	opBar:     0,
	opBarrier: readsA | readsB | writesD,
	opSync:    readsA | readsB | readsC | readsE | writesD,
	opCall:    writesD,
	opReturn:  writesD,
}

// writes returns the rows that an instruction writes.
func (in *instr) writes() []int32 {
	var rows []int32
	if rowsOf[in.op]&writesD != 0 && in.d >= 0 {
		rows = append(rows, in.d)
	}
	if in.op == opMem && !in.mem.store {
		for _, r := range in.mem.regs[:in.mem.n] {
			if r >= 0 {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// reads returns the rows that an instruction reads. A field that it has no use for is
// row 0, a constant.
func (in *instr) reads() []int32 {
	var rows []int32
	for i, r := range [...]int32{in.a, in.b, in.c, in.e} {
		if rowsOf[in.op]&(readsA<<i) != 0 {
			rows = append(rows, r)
		}
	}
	for m := in.mem; m != nil; m = m.into {
		rows = append(rows, m.base)
		if in.op == opMem && m.store {
			rows = append(rows, m.regs[:m.n]...)
		}
	}
	return rows
}

// liveAt returns the rows that some way from the start of block b reads before it
// writes them.
func (p *program) liveAt(b int32) bitset {
	region := reachable(b, len(p.blocks), p.next)
	in := map[int32]bitset{}
	for changed := true; changed; {
		changed = false
		for i := len(p.sequence) - 1; i >= 0; i-- {
			x := p.sequence[i]
			if !region.has(x) {
				continue
			}
			live := newBitset(p.nrows)
			for _, s := range p.blocks[x].next {
				for k, w := range in[s] {
					live[k] |= w
				}
			}
			for j := p.blocks[x].end - 1; j >= p.blocks[x].start; j-- {
				p.code[j].effect(live)
			}
			for k, w := range live {
				changed = changed || in[x] == nil || in[x][k] != w
			}
			in[x] = live
		}
	}
	return in[b]
}

// effect turns the rows that are live after an instruction into those that
// are live before it.
func (in *instr) effect(live bitset) {
	if in.guard < 0 {
		for _, r := range in.writes() {
			live.remove(r)
		}
	}
	for _, r := range in.reads() {
		live.add(r)
	}
}

// unsureRows returns the registers that may be read before they are written: those
// without one write that all reads come after. Such a read is undefined in PTX; a warp
// finds zero there, so that a run repeats itself.
func (p *program) unsureRows() []int32 {
	tree := p.dominatorTree()
	first := make([]int32, p.nrows) // write, -1 for none
	for r := range first {
		first[r] = -1
	}
	for i := range p.code {
		in := &p.code[i]
		if in.guard >= 0 || !tree.reached(in.block) {
			continue
		}
		for _, r := range in.writes() {
			if f := first[r]; f < 0 || tree.enter[in.block] < tree.enter[p.code[f].block] {
				first[r] = int32(i)
			}
		}
	}
	unsure := newBitset(p.nrows)
	for i := range p.code {
		in := &p.code[i]
		for _, r := range in.reads() {
			f := first[r]
			switch {
			case !tree.reached(in.block):
			case f < 0:
				unsure.add(r)
			case p.code[f].block == in.block && f >= int32(i), !tree.dominates(p.code[f].block, in.block):
				unsure.add(r)
			}
		}
	}
	return p.variableRows(unsure)
}

// variableRows returns the members that are registers, not constants.
func (p *program) variableRows(s bitset) []int32 {
	for _, r := range p.fixed {
		s.remove(r)
	}
	for _, r := range p.special {
		s.remove(r)
	}
	var out []int32
	for k, w := range s {
		for ; w != 0; w &= w - 1 {
			out = append(out, int32(k*64+bits.TrailingZeros64(w)))
		}
	}
	return out
}
