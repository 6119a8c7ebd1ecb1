package ptx

import (
	"math"
	"math/big"
)

// A format is a binary floating-point format (PTX ISA, "Fundamental Types" and
// "Alternate Floating-Point Data Formats").
type format struct{ exponent, fraction int } // bits

var (
	halfFormat   = format{5, 10}
	bfloatFormat = format{8, 7}
	singleFormat = format{8, 23}
	doubleFormat = format{11, 52}
)

// formatOf returns the format of a type that is a float.
func formatOf(t typ) (format, bool) {
	switch t {
	case typ{'f', 16}:
		return halfFormat, true
	case typ{'g', 16}:
		return bfloatFormat, true
	case typ{'f', 32}:
		return singleFormat, true
	case typ{'f', 64}:
		return doubleFormat, true
	}
	return format{}, false
}

func (f format) sign() uint64 { return 1 << (f.exponent + f.fraction) }

func (f format) infinity() uint64 { return mask(f.exponent) << f.fraction }

// nan returns the NaN that the hardware makes (PTX ISA, "Floating Point
// Instructions": canonical NaN). The one of doubles is an H200's.
func (f format) nan() uint64 {
	if f == doubleFormat {
		return 0xfff8 << 48
	}
	return mask(f.exponent + f.fraction)
}

func (f format) isNaN(v uint64) bool { return v&^f.sign() > f.infinity() }

// quiet makes a signalling NaN a quiet one.
func (f format) quiet(nan uint64) uint64 { return nan | 1<<(f.fraction-1) }

// canonical replaces a NaN by the one that the hardware makes.
func (f format) canonical(v uint64) uint64 {
	if f.isNaN(v) {
		return f.nan()
	}
	return v
}

// flush replaces a subnormal by zero of the same sign.
func (f format) flush(v uint64) uint64 {
	if v&f.infinity() == 0 {
		return v & f.sign()
	}
	return v
}

// value returns the number that bits stand for.
func (f format) value(v uint64) float64 {
	switch f {
	case doubleFormat:
		return f64(v)
	case singleFormat:
		return float64(f32(v))
	case bfloatFormat:
		return float64(f32(v << 16))
	}
	x := math.Inf(1)
	switch fraction, exponent := v&mask(f.fraction), int(v>>f.fraction&mask(f.exponent)); {
	case f.isNaN(v):
		return math.NaN()
	case exponent == 0:
		x = math.Ldexp(float64(fraction), 1-f.bias()-f.fraction)
	case v&f.infinity() != f.infinity():
		x = math.Ldexp(float64(fraction|1<<f.fraction), exponent-f.bias()-f.fraction)
	}
	if v&f.sign() != 0 {
		return -x
	}
	return x
}

func (f format) bias() int { return 1<<(f.exponent-1) - 1 }

// A rounding says which neighbour an inexact result becomes (PTX ISA, "Rounding
// Modifiers").
type rounding byte

const (
	toNearest rounding = iota // the even one if both are as near
	towardZero
	down
	up
)

var roundings = map[string]rounding{"": toNearest, "rn": toNearest, "rz": towardZero, "rm": down, "rp": up}

// away reports whether a number of that sign is rounded away from zero.
func (r rounding) away(negative bool) bool { return r == up && !negative || r == down && negative }

// An exact is the result of an operation: the nearest double, and on which side of it
// the exact result lies.
type exact struct {
	near    float64
	side    int  // 1: it is greater, -1: less, 0: the same
	cancels bool // the sum of two numbers of different sign, and 0
}

func sideOf(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// finished is an exact result or, where that is out of a double's range, less than it.
func finished(near float64, finite bool) exact {
	if finite && math.IsInf(near, 0) {
		return exact{near: near, side: -sideOf(near)}
	}
	return exact{near: near}
}

func isFinite(x float64) bool { return x-x == 0 }

// sum is Knuth's TwoSum.
func sum(a, b float64) exact {
	s := a + b
	if !isFinite(s) {
		return finished(s, isFinite(a) && isFinite(b))
	}
	t := s - a
	return exact{s, sideOf((a - (s - t)) + (b - t)), s == 0 && math.Signbit(a) != math.Signbit(b)}
}

// product finds out what is lost from fractions, so that nothing underflows.
func product(a, b float64) exact {
	p := a * b
	if a == 0 || b == 0 || !isFinite(p) {
		return finished(p, isFinite(a) && isFinite(b))
	}
	x, i := math.Frexp(a)
	y, j := math.Frexp(b)
	return exact{near: p, side: sideOf(math.FMA(x, y, -math.Ldexp(p, -i-j)))}
}

func quotient(a, b float64) exact {
	q := a / b
	if a == 0 || b == 0 || !isFinite(a) || !isFinite(b) {
		return exact{near: q}
	}
	x, i := math.Frexp(a)
	y, j := math.Frexp(b)
	return exact{near: q, side: sideOf(math.FMA(-math.Ldexp(q, j-i), y, x)) * sideOf(y)}
}

func root(a float64) exact {
	r := math.Sqrt(a)
	if !(a > 0) || !isFinite(a) {
		return exact{near: r}
	}
	x, i := math.Frexp(a)
	if i%2 != 0 {
		x, i = 2*x, i-1
	}
	y := math.Ldexp(r, -i/2)
	return exact{near: r, side: sideOf(math.FMA(-y, y, x))}
}

// fused is a·b + c. No two doubles hold that, so it is compared as a long number.
func fused(a, b, c float64) exact {
	s := math.FMA(a, b, c)
	if !isFinite(s) || !isFinite(a) || !isFinite(b) {
		return finished(s, isFinite(a) && isFinite(b) && isFinite(c))
	}
	const enough = 8 << 10 // bits from the largest to the smallest product
	x := new(big.Float).SetPrec(enough).SetFloat64(a)
	x.Mul(x, big.NewFloat(b))
	x.Add(x, big.NewFloat(c))
	side := x.Cmp(big.NewFloat(s))
	return exact{s, side, s == 0 && side == 0 && (math.Signbit(a) != math.Signbit(b)) != math.Signbit(c)}
}

// whole is an integer.
func whole(v uint64, signed bool) exact {
	negative := signed && int64(v) < 0
	if negative {
		v = -v
	}
	near := float64(v)
	side := 0
	if near >= 1<<64 {
		side = -1
	} else if n := uint64(near); n > v {
		side = -1
	} else if n < v {
		side = 1
	}
	if negative {
		return exact{near: -near, side: -side}
	}
	return exact{near: near, side: side}
}

// odd returns the result rounded to odd: if it is not exact its last bit is set.
// Rounding that to a narrower format in any direction is as good as rounding the exact
// result (Boldo and Melquiond, "When double rounding is odd").
func (x exact) odd() float64 {
	u := math.Float64bits(x.near)
	if x.side == 0 || u&1 == 1 {
		return x.near
	}
	if (x.side > 0) == (x.near > 0) {
		return math.Float64frombits(u + 1)
	}
	return math.Float64frombits(u - 1)
}

// bits rounds to a format.
func (x exact) bits(f format, r rounding) uint64 {
	switch {
	case x.cancels && r == down:
		return f.sign() // an exact zero is negative when rounding down
	case f == doubleFormat:
		return bits64(x.double(r))
	case f == singleFormat && r == toNearest:
		return bits32(float32(x.odd()))
	}
	return f.round(x.odd(), r)
}

// double rounds to double precision.
func (x exact) double(r rounding) float64 {
	negative := math.Signbit(x.near)
	switch {
	case r == toNearest || x.side == 0:
		return x.near
	case x.side < 0 && (r == down || r == towardZero && !negative):
		return math.Nextafter(x.near, math.Inf(-1))
	case x.side > 0 && (r == up || r == towardZero && negative):
		return math.Nextafter(x.near, math.Inf(1))
	}
	return x.near
}

// round rounds a double that has more bits than the format.
func (f format) round(x float64, r rounding) uint64 {
	negative := math.Signbit(x)
	sign := uint64(0)
	if negative {
		sign = f.sign()
	}
	switch {
	case x != x:
		return f.nan()
	case x == 0:
		return sign
	case math.IsInf(x, 0):
		return sign | f.infinity()
	}
	_, e := math.Frexp(x)
	low := max(e-1, 1-f.bias()) // of the first bit, or where that of subnormals would be
	n := math.Ldexp(math.Abs(x), f.fraction-low)
	switch {
	case r == toNearest:
		n = math.RoundToEven(n)
	case r.away(negative):
		n = math.Ceil(n)
	}
	v := uint64(n) + uint64(low+f.bias()-1)<<f.fraction
	if v >= f.infinity() {
		v = f.infinity()
		if r != toNearest && !r.away(negative) {
			v-- // the largest finite number
		}
	}
	return sign | v
}
