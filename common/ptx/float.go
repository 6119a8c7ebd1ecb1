package ptx

import "math"

// bits32 returns the bits of a result; a NaN is the one that the hardware
// makes (PTX ISA, "Floating Point Instructions": canonical NaN).
func bits32(f float32) uint64 {
	if f != f {
		return 0x7fffffff
	}
	return uint64(math.Float32bits(f))
}

// bits64 does the same for double precision, so that the host's sign of a new
// NaN never shows.
func bits64(f float64) uint64 {
	if f != f {
		return 0x7ff8000000000000
	}
	return math.Float64bits(f)
}

// ftz replaces a subnormal by zero of the same sign.
func ftz(v uint64) uint64 {
	if v&0x7f800000 == 0 {
		return v & 0x80000000
	}
	return v
}

// saturate clamps to [0, 1], NaN to 0 (PTX ISA, ".sat").
func saturate(f float64) float64 {
	if !(f > 0) {
		return 0
	}
	return min(f, 1)
}

// float returns the lane function of an instruction on f32 or f64, or nil.
// The .approx forms are computed exactly and rounded, so they may differ from
// a GPU in the last bits.
func float(op string, n int, round string, flush, sat bool) laneFn {
	var f laneFn
	switch nearest := round == "" || round == "rn"; {
	case n == 32 && nearest:
		f = single(op)
	case n == 32:
		f = directed(op, round)
	case nearest:
		f = double(op)
	}
	if f == nil || !flush && !sat {
		return f
	}
	return func(a, b, c, e uint64) uint64 {
		if flush {
			a, b, c = ftz(a), ftz(b), ftz(c)
		}
		r := f(a, b, c, e)
		if flush {
			r = ftz(r)
		}
		if sat {
			r = bits32(float32(saturate(float64(f32(r)))))
		}
		return r
	}
}

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
	case "neg":
		return func(a, _, _, _ uint64) uint64 { return a ^ 1<<31 }
	case "abs":
		return func(a, _, _, _ uint64) uint64 { return a &^ (1 << 31) }
	case "min", "max", "min.NaN", "max.NaN":
		return func(a, b, _, _ uint64) uint64 {
			return bits32(float32(extreme(op, float64(f32(a)), float64(f32(b)))))
		}
	case "copysign":
		return func(a, b, _, _ uint64) uint64 { return a&(1<<31) | b&^(1<<31) }
	}
	// Correct in single precision: double has more than twice the bits.
	if g := function1(op); g != nil {
		return func(a, _, _, _ uint64) uint64 { return bits32(float32(g(float64(f32(a))))) }
	}
	return nil
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
	case "neg":
		return func(a, _, _, _ uint64) uint64 { return a ^ 1<<63 }
	case "abs":
		return func(a, _, _, _ uint64) uint64 { return a &^ (1 << 63) }
	case "min", "max":
		return func(a, b, _, _ uint64) uint64 { return bits64(extreme(op, f64(a), f64(b))) }
	case "copysign":
		return func(a, b, _, _ uint64) uint64 { return a&(1<<63) | b&^(1<<63) }
	}
	if g := function1(op); g != nil {
		return func(a, _, _, _ uint64) uint64 { return bits64(g(f64(a))) }
	}
	return nil
}

func function1(op string) func(float64) float64 {
	switch op {
	case "sqrt":
		return math.Sqrt
	case "rsqrt":
		return func(x float64) float64 { return 1 / math.Sqrt(x) }
	case "sin":
		return math.Sin
	case "cos":
		return math.Cos
	case "ex2":
		return math.Exp2
	case "lg2":
		return math.Log2
	}
	return nil
}

// extreme is min or max: a single NaN loses unless .NaN says otherwise, and
// -0 is less than +0 (PTX ISA, "min" and "max").
func extreme(op string, a, b float64) float64 {
	switch {
	case len(op) == 3 && a != a:
		return b
	case len(op) == 3 && b != b:
		return a
	case op[:3] == "min":
		return math.Min(a, b)
	}
	return math.Max(a, b)
}

// fma32 rounds a·b + c once.
func fma32(a, b, c float32) float32 { return float32(oddSum(float64(a)*float64(b), float64(c))) }

// oddSum returns the sum of two doubles, each exact, rounded to odd: if it is
// not exact its last bit is set. Rounding that to single precision in any
// direction is as good as rounding the exact sum.
func oddSum(p, z float64) float64 {
	s := p + z
	if math.IsInf(s, 0) || s != s {
		return s
	}
	t := s - p
	lost := (p - (s - t)) + (z - t)
	if u := math.Float64bits(s); lost != 0 && u&1 == 0 {
		if (lost > 0) == (s > 0) {
			u++
		} else {
			u--
		}
		s = math.Float64frombits(u)
	}
	return s
}

// directed returns the lane function of a single-precision instruction that
// rounds to zero (rz), down (rm) or up (rp), or nil.
func directed(op, round string) laneFn {
	switch op {
	case "add":
		return func(a, b, _, _ uint64) uint64 { return bits32(roundSum(float64(f32(a)), float64(f32(b)), round)) }
	case "sub":
		return func(a, b, _, _ uint64) uint64 { return bits32(roundSum(float64(f32(a)), -float64(f32(b)), round)) }
	case "mul":
		return func(a, b, _, _ uint64) uint64 { return bits32(roundTo(float64(f32(a))*float64(f32(b)), round)) }
	case "fma":
		return func(a, b, c, _ uint64) uint64 {
			return bits32(roundSum(float64(f32(a))*float64(f32(b)), float64(f32(c)), round))
		}
	}
	return nil
}

func roundSum(p, z float64, round string) float32 {
	s := oddSum(p, z)
	if s == 0 && round == "rm" && math.Signbit(p) != math.Signbit(z) {
		return float32(math.Copysign(0, -1)) // an exact zero is negative when rounding down
	}
	return roundTo(s, round)
}

// roundTo rounds to single precision, to nearest unless round says otherwise.
func roundTo(s float64, round string) float32 {
	f := float32(s)
	down := round == "rm" || round == "rz" && s > 0
	up := round == "rp" || round == "rz" && s < 0
	switch {
	case float64(f) > s && down:
		return math.Nextafter32(f, float32(math.Inf(-1)))
	case float64(f) < s && up:
		return math.Nextafter32(f, float32(math.Inf(1)))
	}
	return f
}

// compare returns the test of setp and set. Float comparisons are false for
// NaN, and those that end in u are true (PTX ISA, "Comparison and Selection").
func compare(cmp string, t typ) func(a, b uint64) bool {
	if t.kind == 'f' {
		return compareFloat(cmp, t.bits)
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

func compareFloat(cmp string, n int) func(a, b uint64) bool {
	value := f64
	if n == 32 {
		value = func(v uint64) float64 { return float64(f32(v)) }
	}
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
		x, y := value(a), value(b)
		if x != x || y != y {
			return nan
		}
		return test(x, y)
	}
}

// convert returns the lane function of cvt, or nil. round is empty or one of
// rn, rz, rni, rzi, rmi, rpi. Float to integer clamps to the range. NaN becomes 0
// or, if one of the two types has 64 bits, the integer with only its highest bit
// set (PTX ISA, "cvt").
func convert(to, from typ, round string, flush, sat bool) laneFn {
	switch {
	case to.kind == 'f' && from.kind == 'f':
		return convertFloats(to, from, round, flush, sat)
	case to.kind == 'f':
		return intToFloat(to, from, round)
	case from.kind == 'f':
		return floatToInt(to, from, round, flush)
	}
	return func(a, _, _, _ uint64) uint64 { return intToInt(a, to, from, sat) }
}

func intToInt(a uint64, to, from typ, sat bool) uint64 {
	a &= mask(from.bits)
	if from.kind == 's' {
		a = uint64(sx(a, from.bits))
	}
	if !sat {
		return extend(a, to)
	}
	negative := from.kind == 's' && int64(a) < 0
	if to.kind == 's' {
		top := mask(to.bits - 1)
		switch {
		case negative && int64(a) < -int64(top)-1:
			a = ^top
		case !negative && a > top:
			a = top
		}
		return extend(a, to)
	}
	if negative {
		return 0
	}
	return min(a, mask(to.bits))
}

// extend cuts to the width of t and extends by its sign to 64 bits.
func extend(a uint64, t typ) uint64 {
	if t.kind == 's' {
		return uint64(sx(a, t.bits))
	}
	return a & mask(t.bits)
}

func convertFloats(to, from typ, round string, flush, sat bool) laneFn {
	var toInt func(float64) float64
	switch round {
	case "", "rn", "rz", "rm", "rp":
	case "rni":
		toInt = math.RoundToEven
	case "rzi":
		toInt = math.Trunc
	case "rmi":
		toInt = math.Floor
	case "rpi":
		toInt = math.Ceil
	default:
		return nil
	}
	if to.bits < 32 || from.bits < 32 || round == "" && to.bits < from.bits {
		return nil
	}
	return func(a, _, _, _ uint64) uint64 {
		if flush && from.bits == 32 {
			a = ftz(a)
		}
		x := f64(a)
		if from.bits == 32 {
			x = float64(f32(a))
		}
		if toInt != nil {
			x = toInt(x)
		}
		if sat {
			x = saturate(x)
		}
		if x != x && toInt == nil && !sat && to.bits != from.bits {
			return convertNaN(a, to, from)
		}
		if to.bits == 64 {
			return bits64(x)
		}
		r := bits32(roundTo(x, round))
		if flush {
			r = ftz(r)
		}
		return r
	}
}

// convertNaN converts a NaN as an H200 does: sign and payload stay, and a signalling
// NaN becomes quiet.
func convertNaN(a uint64, to, from typ) uint64 {
	if to.bits == 64 {
		return a>>31&1<<63 | 0x7ff8<<48 | a&0x7fffff<<29
	}
	return a>>63<<31 | 0x7fc00000 | a>>29&0x7fffff
}

func intToFloat(to, from typ, round string) laneFn {
	// Up to 32 bits are exact in double precision; wider ones only round to nearest.
	exact := from.bits <= 32
	if round == "" && !(exact && to.bits == 64 || from.bits < 32) || !exact && round != "rn" || len(round) > 2 {
		return nil
	}
	signed := from.kind == 's'
	return func(a, _, _, _ uint64) uint64 {
		a &= mask(from.bits)
		s := sx(a, from.bits)
		switch {
		case to.bits == 32 && exact && signed:
			return bits32(roundTo(float64(s), round))
		case to.bits == 32 && exact:
			return bits32(roundTo(float64(a), round))
		case to.bits == 32 && signed:
			return bits32(float32(s))
		case to.bits == 32:
			return bits32(float32(a))
		case signed:
			return bits64(float64(s))
		}
		return bits64(float64(a))
	}
}

func floatToInt(to, from typ, round string, flush bool) laneFn {
	var toInt func(float64) float64
	switch round {
	case "rni":
		toInt = math.RoundToEven
	case "rzi":
		toInt = math.Trunc
	case "rmi":
		toInt = math.Floor
	case "rpi":
		toInt = math.Ceil
	default:
		return nil
	}
	return func(a, _, _, _ uint64) uint64 {
		x := f64(a)
		if from.bits == 32 {
			if flush {
				a = ftz(a)
			}
			x = float64(f32(a))
		}
		if x != x && max(to.bits, from.bits) == 64 {
			return extend(1<<(to.bits-1), to)
		}
		return extend(clampToInt(toInt(x), to), to)
	}
}

func clampToInt(x float64, to typ) uint64 {
	if to.kind == 's' {
		limit := math.Ldexp(1, to.bits-1)
		switch {
		case x != x:
			return 0
		case x >= limit:
			return mask(to.bits - 1)
		case x < -limit:
			return ^mask(to.bits - 1)
		}
		return uint64(int64(x))
	}
	switch {
	case !(x > 0):
		return 0
	case x >= math.Ldexp(1, to.bits):
		return mask(to.bits)
	case x >= 1<<63:
		return uint64(x-1<<63) + 1<<63
	}
	return uint64(x)
}
