package ptx

// hoist finds the instructions that compute the same in every block: those of
// constants, parameters and thread indices. They run once for a launch, and then
// they are passed over. None has an effect if it runs again nevertheless.
func (p *program) hoist() {
	same, unsure, writers := newBitset(p.nrows), newBitset(p.nrows), make([]int, p.nrows)
	for _, r := range p.zeroRows {
		unsure.add(r)
	}
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
			writers[r]++
		}
	}
	isHoisted := func(in *instr) bool { return in.op == opALU && same.has(in.d) }
	for i := range p.code {
		in := &p.code[i]
		if in.op == opALU && in.guard < 0 && writers[in.d] == 1 && !unsure.has(in.d) &&
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
