package ptx

import (
	"math/bits"
	"slices"
)

// analyse finds the order in which a warp runs its paths and which registers
// may be read before they are written.
func (p *program) analyse() {
	for i := range p.code {
		if in := &p.code[i]; in.op == opBra && p.leadsToExit(in.target) {
			in.target = -1
		}
	}
	p.findBlocks()
	p.order()
	p.findMeetings()
	p.zeroRows = p.liveAtStart()
}

// leadsToExit reports whether nothing but a return happens from i on. Lanes
// that go there have exited: they wait for nobody, and an early return above
// a barrier is none of the barrier's business.
func (p *program) leadsToExit(i int32) bool {
	for range 64 {
		in := &p.code[i]
		switch {
		case in.guard >= 0:
			return false
		case in.op == opExit || in.op == opBra && in.target < 0:
			return true
		case in.op != opBra:
			return false
		}
		i = in.target
	}
	return false
}

// successors calls f for what may follow instruction i; -1 is exit.
func (p *program) successors(i int32, f func(int32)) {
	in := &p.code[i]
	next := i + 1
	if int(next) < len(p.code) && p.leadsToExit(next) {
		next = -1
	}
	switch in.op {
	case opTrap:
	case opExit:
		f(-1)
	case opBra:
		f(in.target)
	default:
		f(next)
		return
	}
	if in.guard >= 0 {
		f(next)
	}
}

// A bitset of rows or basic blocks.
type bitset []uint64

func (s bitset) add(i int32)      { s[i>>6] |= 1 << (i & 63) }
func (s bitset) has(i int32) bool { return s[i>>6]>>(i&63)&1 == 1 }
func (s bitset) remove(i int32)   { s[i>>6] &^= 1 << (i & 63) }

// liveAtStart returns the register rows that some path reads before it writes
// them. Such a read is undefined in PTX; a warp finds zero there, so that a
// run repeats itself.
func (p *program) liveAtStart() []int32 {
	words := (p.nrows + 63) / 64
	in := make([]bitset, len(p.blocks))
	for b := range in {
		in[b] = make(bitset, words)
		p.blocks[b].live = in[b]
	}
	live := make(bitset, words)
	for changed := true; changed; {
		changed = false
		for b := len(in) - 1; b >= 0; b-- {
			clear(live)
			for _, s := range p.blocks[b].next {
				for k, w := range in[s] {
					live[k] |= w
				}
			}
			for i := p.blocks[b].end - 1; i >= p.blocks[b].start; i-- {
				p.code[i].effect(live)
			}
			for k, w := range live {
				if in[b][k] != w {
					in[b][k], changed = w, true
				}
			}
		}
	}
	return p.variableRows(in[0])
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

// effect turns the rows that are live after an instruction into those that
// are live before it.
func (in *instr) effect(live bitset) {
	if in.guard < 0 {
		for _, r := range in.writes() {
			if r >= 0 {
				live.remove(r)
			}
		}
	}
	switch in.op {
	case opMem:
		if in.mem.store {
			for _, r := range in.mem.regs[:in.mem.n] {
				live.add(r)
			}
		}
		live.add(in.mem.base)
		return
	case opPred, opBra, opExit, opBar:
		return
	}
	live.add(in.a)
	live.add(in.b)
	if in.op != opSetp { // there c is a predicate
		live.add(in.c)
		live.add(in.e)
	}
}

// hoist finds the instructions that compute the same in every block: those of
// constants, parameters and thread indices. They run once for a launch, and then
// they are passed over. None has an effect if it runs again nevertheless.
func (p *program) hoist() {
	same, writers := make(bitset, (p.nrows+63)/64), make([]int, p.nrows)
	for _, r := range p.fixed {
		same.add(r)
	}
	for name, r := range p.special {
		if specials[name].lane != nil {
			same.add(r)
		}
	}
	for i := range p.code {
		for _, r := range p.code[i].writes() {
			if r >= 0 {
				writers[r]++
			}
		}
	}
	isHoisted := func(in *instr) bool { return in.op == opALU && same.has(in.d) }
	for i := range p.code {
		in := &p.code[i]
		if in.op == opALU && in.guard < 0 && writers[in.d] == 1 && !slices.Contains(p.zeroRows, in.d) &&
			same.has(in.a) && same.has(in.b) && same.has(in.c) && same.has(in.e) {
			same.add(in.d)
			p.hoisted = append(p.hoisted, int32(i))
		}
	}
	for i := range p.code {
		next := i + 1
		for next < len(p.code) && p.code[next].block == p.code[i].block && isHoisted(&p.code[next]) {
			next++
		}
		p.code[i].next = int32(next)
	}
}
