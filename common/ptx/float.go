package ptx

import "math"

// bits32 returns the bits of a result; a NaN is the one that the hardware makes.
func bits32(f float32) uint64 {
	if f != f {
		return 0x7fffffff
	}
	return uint64(math.Float32bits(f))
}

// bits64 does the same for double precision. A NaN of a source is for propagate.
func bits64(f float64) uint64 {
	if f != f {
		return doubleFormat.nan()
	}
	return math.Float64bits(f)
}

// propagate gives an instruction on doubles the NaN that an H200 returns: of several
// sources that are NaN the second, else the third, made quiet; division prefers the first.
func propagate(op string, lane laneFn) laneFn {
	if lane == nil || op == "copysign" {
		return lane
	}
	return func(a, b, c, e uint64) uint64 {
		v := lane(a, b, c, e)
		if !doubleFormat.isNaN(v) {
			return v
		}
		sources := [...]uint64{b, c, a}
		if op == "div" {
			sources = [...]uint64{a, b, c}
		}
		for _, s := range sources {
			if doubleFormat.isNaN(s) {
				return doubleFormat.quiet(s)
			}
		}
		return v
	}
}

// saturate clamps to [0, 1], NaN to 0 (PTX ISA, ".sat").
func saturate(f float64) float64 {
	if !(f > 0) {
		return 0
	}
	return min(f, 1)
}

// floatMods are the modifiers of an instruction on floats.
type floatMods struct {
	round rounding
	flush bool // .ftz
	sat   bool
	relu  bool
}

// around applies .ftz to sources and result, and .sat and .relu to the result.
func (m floatMods) around(f format, lane laneFn) laneFn {
	if lane == nil || !m.flush && !m.sat && !m.relu {
		return lane
	}
	return func(a, b, c, e uint64) uint64 {
		if m.flush {
			a, b, c = f.flush(a), f.flush(b), f.flush(c)
		}
		return m.clamp(f, lane(a, b, c, e))
	}
}

// clamp applies .ftz, .sat and .relu to a result.
func (m floatMods) clamp(f format, v uint64) uint64 {
	if m.flush {
		v = f.flush(v)
	}
	switch {
	case m.sat:
		v = f.round(saturate(f.value(v)), toNearest)
	case m.relu && v&f.sign() != 0 && !f.isNaN(v):
		v = 0
	}
	return v
}

// float returns the lane function of an instruction on floats, or nil. The .approx
// forms are computed exactly and rounded, so they may differ from a GPU in the last
// bits.
func float(op string, f format, m floatMods) laneFn {
	if f == doubleFormat && m.flush && (op == "rcp" || op == "rsqrt") {
		return roughly(op)
	}
	lane := arithmetic(op, f, m.round)
	if lane == nil {
		lane = signs(op, f)
	}
	if f == doubleFormat {
		if m.flush || m.sat {
			return nil
		}
		lane = propagate(op, lane)
	}
	if lane == nil {
		lane = function1(op, f)
	}
	return m.around(f, lane)
}

// arithmetic has the instructions that round an exact result.
func arithmetic(op string, f format, r rounding) laneFn {
	if r == toNearest {
		switch f {
		case singleFormat:
			if lane := single(op); lane != nil {
				return lane
			}
		case doubleFormat:
			if lane := double(op); lane != nil {
				return lane
			}
		}
	}
	value := f.value
	switch op {
	case "add":
		return func(a, b, _, _ uint64) uint64 { return sum(value(a), value(b)).bits(f, r) }
	case "sub":
		return func(a, b, _, _ uint64) uint64 { return sum(value(a), -value(b)).bits(f, r) }
	case "mul":
		return func(a, b, _, _ uint64) uint64 { return product(value(a), value(b)).bits(f, r) }
	case "fma":
		if f == doubleFormat {
			return func(a, b, c, _ uint64) uint64 { return fused(f64(a), f64(b), f64(c)).bits(f, r) }
		}
		return func(a, b, c, _ uint64) uint64 { return sum(value(a)*value(b), value(c)).bits(f, r) } // an exact product
	case "div":
		return func(a, b, _, _ uint64) uint64 { return quotient(value(a), value(b)).bits(f, r) }
	case "rcp":
		return func(a, _, _, _ uint64) uint64 { return quotient(1, value(a)).bits(f, r) }
	case "sqrt":
		return func(a, _, _, _ uint64) uint64 { return root(value(a)).bits(f, r) }
	}
	return nil
}

// single and double have what the host computes just so.
func single(op string) laneFn {
	switch op {
	case "add":
		return func(a, b, _, _ uint64) uint64 { return bits32(f32(a) + f32(b)) }
	case "sub":
		return func(a, b, _, _ uint64) uint64 { return bits32(f32(a) - f32(b)) }
	case "mul":
		return func(a, b, _, _ uint64) uint64 { return bits32(f32(a) * f32(b)) }
	case "fma":
		return func(a, b, c, _ uint64) uint64 { return bits32(fma32(f32(a), f32(b), f32(c))) }
	case "div":
		return func(a, b, _, _ uint64) uint64 { return bits32(f32(a) / f32(b)) }
	case "rcp":
		return func(a, _, _, _ uint64) uint64 { return bits32(1 / f32(a)) }
	case "sqrt": // correct in single precision: double has more than twice the bits
		return func(a, _, _, _ uint64) uint64 { return bits32(float32(math.Sqrt(float64(f32(a))))) }
	}
	return nil
}

// fma32 rounds a·b + c once. The product is exact in double precision.
func fma32(a, b, c float32) float32 {
	return float32(sum(float64(a)*float64(b), float64(c)).odd())
}

func double(op string) laneFn {
	switch op {
	case "add":
		return func(a, b, _, _ uint64) uint64 { return bits64(f64(a) + f64(b)) }
	case "sub":
		return func(a, b, _, _ uint64) uint64 { return bits64(f64(a) - f64(b)) }
	case "mul":
		return func(a, b, _, _ uint64) uint64 { return bits64(f64(a) * f64(b)) }
	case "fma":
		return func(a, b, c, _ uint64) uint64 { return bits64(math.FMA(f64(a), f64(b), f64(c))) }
	case "div":
		return func(a, b, _, _ uint64) uint64 { return bits64(f64(a) / f64(b)) }
	case "rcp":
		return func(a, _, _, _ uint64) uint64 { return bits64(1 / f64(a)) }
	case "sqrt":
		return func(a, _, _, _ uint64) uint64 { return bits64(math.Sqrt(f64(a))) }
	}
	return nil
}

// signs has the instructions that return a source, or that with another sign.
func signs(op string, f format) laneFn {
	s := f.sign()
	switch op {
	case "neg":
		return func(a, _, _, _ uint64) uint64 { return f.canonical(a ^ s) }
	case "abs":
		return func(a, _, _, _ uint64) uint64 { return f.canonical(a &^ s) }
	case "copysign":
		return func(a, b, _, _ uint64) uint64 { return a&s | b&^s }
	case "min", "max", "min.NaN", "max.NaN":
		return extreme(op, f)
	case "min.xorsign.abs", "max.xorsign.abs", "min.NaN.xorsign.abs", "max.NaN.xorsign.abs":
		lane := extreme(op[:len(op)-len(".xorsign.abs")], f)
		return func(a, b, _, _ uint64) uint64 {
			v := lane(a&^s, b&^s, 0, 0)
			if f.isNaN(v) {
				return v
			}
			return v | (a^b)&s
		}
	}
	return nil
}

// extreme is min or max: a single NaN loses unless .NaN says otherwise, and
// -0 is less than +0 (PTX ISA, "min" and "max").
func extreme(op string, f format) laneFn {
	greater, wantNaN := op[:3] == "max", len(op) > 3
	return func(a, b, _, _ uint64) uint64 {
		nanA, nanB := f.isNaN(a), f.isNaN(b)
		switch {
		case nanA && nanB, wantNaN && (nanA || nanB):
			return f.nan()
		case nanA:
			return b
		case nanB:
			return a
		}
		x, y := f.value(a), f.value(b)
		if x == y && (a&f.sign() != 0) == greater || x < y && greater || x > y && !greater {
			return b
		}
		return a
	}
}

// function1 has the functions of one number.
func function1(op string, f format) laneFn {
	var g func(float64) float64
	switch op {
	case "rsqrt":
		g = func(x float64) float64 { return 1 / math.Sqrt(x) }
	case "sin":
		g = math.Sin
	case "cos":
		g = math.Cos
	case "ex2":
		g = math.Exp2
	case "lg2":
		g = math.Log2
	case "tanh":
		g = math.Tanh
	default:
		return nil
	}
	return func(a, _, _, _ uint64) uint64 { return exact{near: g(f.value(a))}.bits(f, toNearest) }
}

// roughly is rcp or rsqrt .approx.ftz.f64: they read the upper half of a double and
// write such a half (PTX ISA, "rcp.approx.ftz.f64").
func roughly(op string) laneFn {
	g := func(x float64) float64 { return 1 / x }
	if op == "rsqrt" {
		g = func(x float64) float64 { return 1 / math.Sqrt(x) }
	}
	return func(a, _, _, _ uint64) uint64 {
		const upper = 0xffffffff << 32
		x := g(f64(doubleFormat.flush(a & upper)))
		if x != x {
			return 0x7fffffff << 32
		}
		return doubleFormat.flush(bits64(x) & upper)
	}
}

// divideApprox is div.approx.f32, a product with the reciprocal, which is 0 for a large
// divisor (PTX ISA, "div").
func divideApprox(a, b, c, e uint64) uint64 {
	if exponent := b >> 23 & 255; exponent >= 253 && exponent < 255 {
		if a&^(1<<31) < 0x7f800000 {
			return (a ^ b) & (1 << 31)
		}
		return 0x7fffffff
	}
	return bits32(f32(a) / f32(b))
}

// compare returns the test of setp and set. Float comparisons are false for
// NaN, and those that end in u are true (PTX ISA, "Comparison and Selection").
func compare(cmp string, t typ) func(a, b uint64) bool {
	if f, ok := formatOf(t); ok {
		return compareFloat(cmp, f)
	}
	n := t.bits
	if t.kind == 's' {
		switch cmp {
		case "lt":
			return func(a, b uint64) bool { return sx(a, n) < sx(b, n) }
		case "le":
			return func(a, b uint64) bool { return sx(a, n) <= sx(b, n) }
		case "gt":
			return func(a, b uint64) bool { return sx(a, n) > sx(b, n) }
		case "ge":
			return func(a, b uint64) bool { return sx(a, n) >= sx(b, n) }
		}
	}
	switch cmp {
	case "eq":
		return func(a, b uint64) bool { return a == b }
	case "ne":
		return func(a, b uint64) bool { return a != b }
	case "lt", "lo":
		return func(a, b uint64) bool { return a < b }
	case "le", "ls":
		return func(a, b uint64) bool { return a <= b }
	case "gt", "hi":
		return func(a, b uint64) bool { return a > b }
	case "ge", "hs":
		return func(a, b uint64) bool { return a >= b }
	}
	return nil
}

func compareFloat(cmp string, f format) func(a, b uint64) bool {
	nan := false // the answer for NaN
	if len(cmp) == 3 && cmp[2] == 'u' {
		nan, cmp = true, cmp[:2]
	}
	var test func(x, y float64) bool
	switch cmp {
	case "eq":
		test = func(x, y float64) bool { return x == y }
	case "ne":
		test = func(x, y float64) bool { return x != y }
	case "lt":
		test = func(x, y float64) bool { return x < y }
	case "le":
		test = func(x, y float64) bool { return x <= y }
	case "gt":
		test = func(x, y float64) bool { return x > y }
	case "ge":
		test = func(x, y float64) bool { return x >= y }
	case "num":
		test = func(_, _ float64) bool { return true }
	case "nan":
		nan, test = true, func(_, _ float64) bool { return false }
	default:
		return nil
	}
	return func(a, b uint64) bool {
		x, y := f.value(a), f.value(b)
		if x != x || y != y {
			return nan
		}
		return test(x, y)
	}
}

// property returns the test of testp, or nil.
func property(name string, f format) func(a, _ uint64) bool {
	switch name {
	case "finite":
		return func(a, _ uint64) bool { return a&f.infinity() != f.infinity() }
	case "infinite":
		return func(a, _ uint64) bool { return a&^f.sign() == f.infinity() }
	case "number":
		return func(a, _ uint64) bool { return !f.isNaN(a) }
	case "notanumber":
		return func(a, _ uint64) bool { return f.isNaN(a) }
	case "normal":
		return func(a, _ uint64) bool { return a&f.infinity() != f.infinity() && a&f.infinity() != 0 }
	case "subnormal":
		return func(a, _ uint64) bool { return a&f.infinity() == 0 && a&^f.sign() != 0 }
	}
	return nil
}
