package ptx

// Not every load of shared memory that nobody has written reads it: a bit-field is
// written by loading its word and putting that back with some bits changed, and a struct
// is copied with its padding.

// What an instruction does to the bits of a word.
const (
	bitsNone   = iota
	bitsSet    // or
	bitsMasked // takes some out
	bitsLocal  // makes a generic address of one in local memory
)

var bitsOf = map[string]uint8{"or": bitsSet, "xor": bitsSet, "and": bitsMasked, "bfi": bitsMasked, "lop3": bitsMasked}

// findRewrites finds the loads whose values only go back to memory: to where they came
// from, masked, or as they are to shared or local memory.
func (p *program) findRewrites() {
	readers, writers := make([][]int32, p.nrows), make([][]int32, p.nrows)
	for i := range p.code {
		for _, r := range p.code[i].reads() {
			readers[r] = append(readers[r], int32(i))
		}
		for _, r := range p.code[i].writes() {
			writers[r] = append(writers[r], int32(i))
		}
	}
	for i := range p.code {
		in := &p.code[i]
		if in.op != opMem || in.mem.store {
			continue
		}
		rewrites := true
		for _, r := range in.mem.regs[:in.mem.n] {
			rewrites = rewrites && (r < 0 || p.goesBack(in, r, readers, writers))
		}
		in.mem.rewrites = rewrites
	}
}

// goesBack follows a loaded value, of which each instruction makes the next.
func (p *program) goesBack(load *instr, r int32, readers, writers [][]int32) bool {
	changed, masked := false, false
	for {
		if len(readers[r]) != 1 || len(writers[r]) != 1 {
			return false
		}
		in := &p.code[readers[r][0]]
		switch {
		case in.op == opMem && in.mem.store && in.mem.base != r:
			m, from := in.mem, load.mem
			if !changed {
				return m.space == spShared || m.space == spLocal || m.space == spGeneric && p.isLocal(m.base, writers)
			}
			return masked && m.base == from.base && len(writers[m.base]) == 1 && m.off == from.off && m.space == from.space && m.bytes == from.bytes
		case in.op == opALU && (in.bits == bitsSet || in.bits == bitsMasked):
			changed, masked, r = true, masked || in.bits == bitsMasked, in.d
		default:
			return false
		}
	}
}

// isLocal reports whether a row is an address in local memory, or one made of it.
func (p *program) isLocal(r int32, writers [][]int32) bool {
	for range 8 {
		if len(writers[r]) != 1 {
			return false
		}
		in := &p.code[writers[r][0]]
		if in.op != opALU || in.bits == bitsLocal {
			return in.op == opALU
		}
		r = in.a
	}
	return false
}
