package ptx

import (
	"math/bits"
	"strings"
)

// extended makes an instruction of extended precision (PTX ISA, "Extended-Precision
// Integer Arithmetic Instructions"): .cc writes the carry or borrow into a condition code
// of one bit, and addc, subc and madc read it.
func (l *lowerer) extended(f aluForm) error {
	t := f.types[0]
	op, part, _ := strings.Cut(f.op, ".")
	base := strings.TrimSuffix(op, "c")
	n := map[string]int{"add": 2, "sub": 2, "mad": 3}[base]
	if n == 0 || len(f.types) != 1 || t.kind == 'f' || t.bits < 32 || len(l.st.args) != n+1 || f.sat || f.round != "" || f.flush {
		return l.unsupported("")
	}
	add := addCarry(base == "sub", t.bits)
	if n == 3 {
		var ok bool
		if add, ok = multiplyCarry(part, t); !ok {
			return l.unsupported("")
		}
	} else if part != "" {
		return l.unsupported("")
	}
	in, err := l.operands(&f, n)
	if err != nil {
		return err
	}
	if l.p.carry == 0 {
		l.p.carry = l.p.newRow()
	}
	if op != base {
		*[]*int32{2: &in.c, 3: &in.e}[n] = l.p.carry
	}
	carry := in
	carry.d = l.p.newRow() // the result may overwrite a source
	if f.carry {
		l.emitLane(carry, func(a, b, c, e uint64) uint64 { _, out := add(a, b, c, e); return out })
	}
	l.emitLane(in, func(a, b, c, e uint64) uint64 { v, _ := add(a, b, c, e); return v })
	if f.carry {
		l.emit(instr{op: opALU, d: l.p.carry, a: carry.d, fn: fast["mov"], affine: affineFns["mov"]})
	}
	return nil
}

func (l *lowerer) emitLane(in instr, f laneFn) {
	in.fn, in.affine = rows(f), uniform(f)
	l.emit(in)
}

// A carryFn returns a value and what is carried or borrowed.
type carryFn func(a, b, c, e uint64) (v, out uint64)

// addCarry adds a, b and the carry c, or takes b and the borrow c away from a.
func addCarry(sub bool, n int) carryFn {
	return func(a, b, c, _ uint64) (v, out uint64) {
		switch {
		case n == 64 && sub:
			return bits.Sub64(a, b, c)
		case n == 64:
			return bits.Add64(a, b, c)
		case sub:
			v = a - b - c
		default:
			v = a + b + c
		}
		return v & mask(32), v >> 32 & 1
	}
}

// multiplyCarry adds one half of a·b, c and the carry e.
func multiplyCarry(part string, t typ) (carryFn, bool) {
	half, add := integer("mul."+part, t.kind == 's', t.bits), addCarry(false, t.bits)
	return func(a, b, c, e uint64) (uint64, uint64) { return add(half(a, b, 0, 0), c, e, 0) }, part == "lo" || part == "hi"
}
