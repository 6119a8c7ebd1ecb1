package ptx

import (
	"math"
	"math/bits"
	"slices"
	"strings"
)

// A row holds one register of the 32 lanes of a warp. A value narrower than
// 64 bits stands in the low bits, the rest is zero; floats are their bits.
type row [32]uint64

// A rowFn computes d from up to four sources, lane by lane. d may be a source.
type rowFn func(d, a, b, c, e *row)

// A laneFn is the same for one lane.
type laneFn func(a, b, c, e uint64) uint64

// rows makes a rowFn of a laneFn.
func rows(f laneFn) rowFn {
	return func(d, a, b, c, e *row) {
		for i := range d {
			d[i] = f(a[i], b[i], c[i], e[i])
		}
	}
}

func mask(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// sx extends the sign of the low n bits.
func sx(v uint64, n int) int64 { return int64(v<<(64-n)) >> (64 - n) }

func f64bits(f float64) uint64 { return math.Float64bits(f) }

func f64(v uint64) float64 { return math.Float64frombits(v) }

func f32(v uint64) float32 { return math.Float32frombits(uint32(v)) }

// fast holds hand-written loops for what kernels spend their time on; the
// tests compare them with the lane functions.
var fast = map[string]rowFn{
	"mov": func(d, a, _, _, _ *row) { *d = *a },
	"add32": func(d, a, b, _, _ *row) {
		for i := range d {
			d[i] = uint64(uint32(a[i]) + uint32(b[i]))
		}
	},
	"sub32": func(d, a, b, _, _ *row) {
		for i := range d {
			d[i] = uint64(uint32(a[i]) - uint32(b[i]))
		}
	},
	"add64": func(d, a, b, _, _ *row) {
		for i := range d {
			d[i] = a[i] + b[i]
		}
	},
	"mul.lo32": func(d, a, b, _, _ *row) {
		for i := range d {
			d[i] = uint64(uint32(a[i]) * uint32(b[i]))
		}
	},
	"mad.lo32": func(d, a, b, c, _ *row) {
		for i := range d {
			d[i] = uint64(uint32(a[i])*uint32(b[i]) + uint32(c[i]))
		}
	},
	"mul.wide.s32": func(d, a, b, _, _ *row) {
		for i := range d {
			d[i] = uint64(int64(int32(a[i])) * int64(int32(b[i])))
		}
	},
	"mul.wide.u32": func(d, a, b, _, _ *row) {
		for i := range d {
			d[i] = a[i] * b[i]
		}
	},
	"shl32": func(d, a, b, _, _ *row) {
		for i := range d {
			d[i] = uint64(uint32(a[i]) << uint32(b[i]))
		}
	},
	"shl64": func(d, a, b, _, _ *row) {
		for i := range d {
			d[i] = a[i] << uint32(b[i])
		}
	},
	"and": func(d, a, b, _, _ *row) {
		for i := range d {
			d[i] = a[i] & b[i]
		}
	},
	"or": func(d, a, b, _, _ *row) {
		for i := range d {
			d[i] = a[i] | b[i]
		}
	},
	"xor": func(d, a, b, _, _ *row) {
		for i := range d {
			d[i] = a[i] ^ b[i]
		}
	},
	"cvt.s64.s32": func(d, a, _, _, _ *row) {
		for i := range d {
			d[i] = uint64(int64(int32(a[i])))
		}
	},
	"cvt.u32.u64": func(d, a, _, _, _ *row) {
		for i := range d {
			d[i] = uint64(uint32(a[i]))
		}
	},
	"max.s32": func(d, a, b, _, _ *row) {
		for i := range d {
			d[i] = uint64(uint32(max(int32(a[i]), int32(b[i]))))
		}
	},
	"add.f32": func(d, a, b, _, _ *row) {
		for i := range d {
			d[i] = bits32(f32(a[i]) + f32(b[i]))
		}
	},
}

// integer returns the lane function of an integer instruction on n bits, or
// nil. Sources are zero-extended from n bits and the result must be too,
// except that a "wide" result has 2n bits.
func integer(op string, signed bool, n int) laneFn {
	m := mask(n)
	switch base, _, _ := strings.Cut(op, "."); {
	case strings.HasSuffix(op, ".wide") && n > 32:
		return nil
	case n != 32 && slices.Contains([]string{"shf", "prmt", "mul24", "mad24", "fns", "bmsk", "szext"}, base):
		return nil
	}
	switch op {
	case "add":
		return func(a, b, _, _ uint64) uint64 { return (a + b) & m }
	case "sub":
		return func(a, b, _, _ uint64) uint64 { return (a - b) & m }
	case "mul.lo":
		return func(a, b, _, _ uint64) uint64 { return a * b & m }
	case "mad.lo":
		return func(a, b, c, _ uint64) uint64 { return (a*b + c) & m }
	case "mul.wide":
		f := wide(signed, n)
		return func(a, b, _, _ uint64) uint64 { return f(a, b) & mask(2*n) }
	case "mad.wide":
		f := wide(signed, n)
		return func(a, b, c, _ uint64) uint64 { return (f(a, b) + c) & mask(2*n) }
	case "mul.hi":
		f := high(signed, n)
		return func(a, b, _, _ uint64) uint64 { return f(a, b) & m }
	case "mad.hi":
		f := high(signed, n)
		return func(a, b, c, _ uint64) uint64 { return (f(a, b) + c) & m }
	case "mul24.lo", "mad24.lo", "mul24.hi", "mad24.hi":
		return mul24(op, signed)
	case "neg":
		return func(a, _, _, _ uint64) uint64 { return -a & m }
	case "not":
		return func(a, _, _, _ uint64) uint64 { return ^a & m }
	case "cnot":
		return func(a, _, _, _ uint64) uint64 {
			if a == 0 {
				return 1
			}
			return 0
		}
	case "and":
		return func(a, b, _, _ uint64) uint64 { return a & b }
	case "or":
		return func(a, b, _, _ uint64) uint64 { return a | b }
	case "xor":
		return func(a, b, _, _ uint64) uint64 { return a ^ b }
	case "div", "rem":
		return divide(op, signed, n)
	case "abs", "min", "max", "sad":
		return ordered(op, signed, n)
	default:
		return bitwise(op, signed, n)
	}
}

func wide(signed bool, n int) func(a, b uint64) uint64 {
	if signed {
		return func(a, b uint64) uint64 { return uint64(sx(a, n) * sx(b, n)) }
	}
	return func(a, b uint64) uint64 { return a * b }
}

// high returns the upper half of the product.
func high(signed bool, n int) func(a, b uint64) uint64 {
	if n < 64 {
		f := wide(signed, n)
		return func(a, b uint64) uint64 { return f(a, b) >> n }
	}
	return func(a, b uint64) uint64 {
		hi, _ := bits.Mul64(a, b)
		if signed {
			hi -= b & uint64(int64(a)>>63)
			hi -= a & uint64(int64(b)>>63)
		}
		return hi
	}
}

// mul24 multiplies the low 24 bits; lo is bits 0 to 31 of the 48-bit product,
// hi is bits 16 to 47 (PTX ISA, "mul24").
func mul24(op string, signed bool) laneFn {
	shift := 0
	if op[6:] == "hi" {
		shift = 16
	}
	add := op[:5] == "mad24"
	return func(a, b, c, _ uint64) uint64 {
		p := (a & mask(24)) * (b & mask(24))
		if signed {
			p = uint64(sx(a, 24) * sx(b, 24))
		}
		p >>= shift
		if add {
			p += c
		}
		return p & mask(32)
	}
}

// divide does not trap: the hardware answers a division by zero with all ones
// and its remainder with the dividend; PTX leaves both unspecified.
func divide(op string, signed bool, n int) laneFn {
	m := mask(n)
	rem := op == "rem"
	return func(a, b, _, _ uint64) uint64 {
		switch {
		case b == 0 && rem:
			return a
		case b == 0:
			return m
		case signed && b == m && rem: // by -1: also what would overflow
			return 0
		case signed && b == m:
			return -a & m
		case signed && rem:
			return uint64(sx(a, n)%sx(b, n)) & m
		case signed:
			return uint64(sx(a, n)/sx(b, n)) & m
		case rem:
			return a % b
		}
		return a / b
	}
}

func ordered(op string, signed bool, n int) laneFn {
	m := mask(n)
	less := func(a, b uint64) bool { return a < b }
	if signed {
		less = func(a, b uint64) bool { return sx(a, n) < sx(b, n) }
	}
	switch op {
	case "min":
		return func(a, b, _, _ uint64) uint64 {
			if less(b, a) {
				return b
			}
			return a
		}
	case "max":
		return func(a, b, _, _ uint64) uint64 {
			if less(a, b) {
				return b
			}
			return a
		}
	case "sad":
		return func(a, b, c, _ uint64) uint64 {
			if less(a, b) {
				a, b = b, a
			}
			return (a - b + c) & m
		}
	}
	return func(a, _, _, _ uint64) uint64 { // abs
		if sx(a, n) < 0 {
			return -a & m
		}
		return a
	}
}

// bitwise has shifts and bit fields. Shift amounts are 32-bit values and are
// clamped to the width (PTX ISA, "shl" and "shr").
func bitwise(op string, signed bool, n int) laneFn {
	m := mask(n)
	switch op {
	case "shl":
		return func(a, b, _, _ uint64) uint64 { return a << uint32(b) & m }
	case "shr":
		if signed {
			return func(a, b, _, _ uint64) uint64 { return uint64(sx(a, n)>>uint32(b)) & m }
		}
		return func(a, b, _, _ uint64) uint64 { return a >> uint32(b) }
	case "popc":
		return func(a, _, _, _ uint64) uint64 { return uint64(bits.OnesCount64(a)) }
	case "clz":
		return func(a, _, _, _ uint64) uint64 { return uint64(bits.LeadingZeros64(a) - (64 - n)) }
	case "brev":
		return func(a, _, _, _ uint64) uint64 { return bits.Reverse64(a) >> (64 - n) }
	case "bfind", "bfind.shiftamt":
		return bfind(signed, n, op != "bfind")
	case "bfe":
		return bfe(signed, n)
	case "bfi":
		return func(a, b, c, e uint64) uint64 {
			pos, size := uint(c&255), int(e&255)
			field := mask(size) << pos & m
			return b&^field | a<<pos&field
		}
	case "shf.l.wrap", "shf.l.clamp", "shf.r.wrap", "shf.r.clamp":
		return funnel(op)
	case "bmsk.clamp", "bmsk.wrap":
		return bitMask(op == "bmsk.wrap")
	case "szext.clamp", "szext.wrap":
		return extendFrom(signed, op == "szext.wrap")
	case "fns":
		return nthSet
	}
	return permute(op)
}

func bfind(signed bool, n int, shiftamt bool) laneFn {
	return func(a, _, _, _ uint64) uint64 {
		if signed && sx(a, n) < 0 {
			a = ^a & mask(n)
		}
		switch {
		case a == 0:
			return mask(32)
		case shiftamt:
			return uint64(bits.LeadingZeros64(a) - (64 - n))
		}
		return uint64(63 - bits.LeadingZeros64(a))
	}
}

// bfe extracts c bits from bit b on; beyond the top it reads the sign bit of
// the field (PTX ISA, "bfe").
func bfe(signed bool, n int) laneFn {
	return func(a, b, c, _ uint64) uint64 {
		pos, size := int(b&255), int(c&255)
		if size == 0 {
			return 0
		}
		v := uint64(0)
		if pos < n {
			v = a >> pos & mask(min(size, n))
		}
		top := min(pos+size-1, n-1)
		if signed && a>>top&1 == 1 {
			if have := top - pos + 1; have <= 0 {
				v = ^uint64(0)
			} else if have < 64 {
				v |= ^uint64(0) << have
			}
		}
		return v & mask(n)
	}
}

func funnel(op string) laneFn {
	left, wrap := op[4] == 'l', op[6:] == "wrap"
	return func(a, b, c, _ uint64) uint64 {
		s := c & mask(32)
		if wrap {
			s &= 31
		} else {
			s = min(s, 32)
		}
		v := b<<32 | a
		if left {
			return v << s >> 32
		}
		return v >> s & mask(32)
	}
}

// permute returns prmt in one of its modes: each picks four of the eight bytes of b:a
// (PTX ISA, "prmt").
func permute(op string) laneFn {
	mode := map[string]func(i, n int) int{ // the i-th byte, by the lowest two bits of c
		"prmt.f4e":  func(i, n int) int { return n + i },
		"prmt.b4e":  func(i, n int) int { return (n - i) & 7 },
		"prmt.rc8":  func(_, n int) int { return n },
		"prmt.ecl":  func(i, n int) int { return max(i, n) },
		"prmt.ecr":  func(i, n int) int { return min(i, n) },
		"prmt.rc16": func(i, n int) int { return n&1*2 + i&1 },
	}[op]
	switch {
	case op == "prmt":
		return prmt
	case mode == nil:
		return nil
	}
	return func(a, b, c, _ uint64) uint64 {
		v, r := b<<32|a, uint64(0)
		for i := 0; i < 4; i++ {
			r |= v >> (8 * mode(i, int(c&3))) & 255 << (8 * i)
		}
		return r
	}
}

// prmt is the mode in which c names each byte and whether its sign is to fill it.
func prmt(a, b, c, _ uint64) uint64 {
	v := b<<32 | a
	r := uint64(0)
	for i := 0; i < 4; i++ {
		sel := c >> (4 * i) & 15
		x := v >> (8 * (sel & 7)) & 255
		if sel&8 != 0 {
			x = uint64(sx(x>>7, 1)) & 255
		}
		r |= x << (8 * i)
	}
	return r
}

// dot is dp4a or dp2a: it adds up products of bytes with bytes, or of halves with the two
// lower or upper bytes (PTX ISA, "dp4a" and "dp2a").
func dot(op string, types []typ) laneFn {
	if len(types) != 2 || types[0].bits != 32 || types[1].bits != 32 || types[0].kind == 'b' || types[1].kind == 'b' {
		return nil
	}
	n, bitsA, first := 4, 8, 0
	if op != "dp4a" {
		n, bitsA = 2, 16
	}
	if op == "dp2a.hi" {
		first = 2
	}
	part := func(v uint64, at, n int, t typ) uint64 { return extend(v>>at, typ{t.kind, n}) }
	return func(a, b, c, _ uint64) uint64 {
		for i := 0; i < n; i++ {
			c += part(a, i*bitsA, bitsA, types[0]) * part(b, (first+i)*8, 8, types[1])
		}
		return c & mask(32)
	}
}

// bitMask makes b ones from bit a on (PTX ISA, "bmsk").
func bitMask(wrap bool) laneFn {
	return func(a, b, _, _ uint64) uint64 {
		if wrap {
			a, b = a&31, b&31
		}
		return mask(int(min(b, 32))) << min(a, 32) & mask(32)
	}
}

// extendFrom extends the low b bits of a (PTX ISA, "szext").
func extendFrom(signed, wrap bool) laneFn {
	return func(a, b, _, _ uint64) uint64 {
		if wrap {
			b &= 31
		}
		switch n := int(min(b, 32)); {
		case n == 0:
			return 0
		case signed:
			return uint64(sx(a, n)) & mask(32)
		default:
			return a & mask(n)
		}
	}
}

// nthSet finds the c-th set bit of a from bit b on, downward if c is negative (PTX ISA,
// "fns").
func nthSet(a, b, c, _ uint64) uint64 {
	pos, n, step := int64(b), int64(int32(c)), int64(1)
	if n == 0 {
		n = 1
		step = 64 // bit b or none
	} else if n < 0 {
		n, step = -n, -1
	}
	for ; pos >= 0 && pos < 32; pos += step {
		if a>>pos&1 == 1 {
			if n--; n == 0 {
				return uint64(pos)
			}
		}
	}
	return mask(32)
}

// lop3 computes any function of three bits; its table is a constant.
func lop3(table uint64) laneFn {
	return func(a, b, c, _ uint64) uint64 {
		r := uint64(0)
		for i := uint64(0); i < 8; i++ {
			if table>>i&1 == 1 {
				r |= pick(a, i&4) & pick(b, i&2) & pick(c, i&1)
			}
		}
		return r & mask(32)
	}
}

func pick(v, one uint64) uint64 {
	if one != 0 {
		return v
	}
	return ^v
}
