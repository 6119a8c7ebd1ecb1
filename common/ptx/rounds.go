package ptx

import "math/bits"

// countRounds gives each loop with a barrier a register that counts its rounds, so that
// warps at one barrier in different rounds are told apart. It reports whether there is one.
func (p *program) countRounds() bool {
	n := p.nest()
	rows := p.roundRows(n)
	p.rounds = map[int32][]int32{}
	count := map[int32][]instr{} // by the instruction that they go before
	for i, r := range rows {
		if r < 0 {
			continue
		}
		in := instr{op: opALU, guard: -1, q: -1, d: r, a: r, b: p.constRow(1), fn: fast["add32"], affine: affineFns["add32"]}
		at := p.blocks[n.loops[i].head].start
		in.site = p.code[at].site
		count[at] = append(count[at], in)
		in.a, in.b, in.fn, in.affine = 0, 0, fast["mov"], affineFns["mov"] // to zero
		for i := n.parent[i]; i >= 0; i = n.parent[i] {
			at := p.blocks[n.loops[i].head].start
			in.site = p.code[at].site
			count[at] = append(count[at], in)
		}
	}
	var code []instr
	var sites []Site // of each instruction of code
	moved := make([]int32, len(p.code))
	for i, in := range p.code {
		moved[i] = int32(len(code))
		code = append(code, count[int32(i)]...)
		if in.isBarrier() {
			at := int32(len(code))
			for l := n.inner[in.block]; l >= 0; l = n.parent[l] {
				if rows[l] >= 0 {
					p.rounds[at] = append(p.rounds[at], rows[l])
				}
			}
		}
		code = append(code, in)
	}
	for i := range code {
		in := &code[i]
		if (in.op == opBra || in.op == opCall) && in.target >= 0 {
			in.target = moved[in.target]
		}
		sites = append(sites, p.sites[in.site])
		in.site = int32(i)
	}
	for _, s := range p.subs {
		s.entry = moved[s.entry]
	}
	p.code, p.sites = code, sites
	return len(count) > 0
}

func (in *instr) isBarrier() bool { return in.op == opBar || in.op == opBarrier }

// roundRows returns a new row for each loop that has a barrier and is entered at its head
// alone, and -1 for the others.
func (p *program) roundRows(n nest) []int32 {
	rows := make([]int32, len(n.loops))
	for i := range rows {
		rows[i] = -1
	}
	for i := range p.code {
		if in := &p.code[i]; in.isBarrier() {
			for l := n.inner[in.block]; l >= 0 && rows[l] < 0; l = n.parent[l] {
				rows[l] = p.newRow()
			}
		}
	}
	for _, b := range p.sequence {
		for _, s := range p.blocks[b].next {
			for l := n.inner[s]; l >= 0 && !p.has(n.loops[l], b); l = n.parent[l] {
				if s != n.loops[l].head {
					rows[l] = -1
				}
			}
		}
	}
	return rows
}

// sameBarrier reports whether two warps wait at one barrier of the program, in the same
// round of each loop around it. A compiler does not make two of a barrier of which some
// threads would come to one and some to the other.
func (k *worker) sameBarrier(a, b *warp) bool {
	pc := a.paths[0].pc
	if pc != b.paths[0].pc {
		return false
	}
	for _, r := range k.p.rounds[pc] {
		if a.regs[r].row()[bits.TrailingZeros32(a.live)&31] != b.regs[r].row()[bits.TrailingZeros32(b.live)&31] {
			return false
		}
	}
	return true
}
