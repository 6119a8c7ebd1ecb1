package ptx

import "math"

// A conversion is a cvt.
type conversion struct {
	to, from typ
	round    string // empty, rn, rz, rm, rp, or rni, rzi, rmi, rpi
	floatMods
	finite bool // .satfinite: no infinity, but the largest number
}

// lane returns the lane function, or nil. Float to integer clamps to the range. NaN
// becomes 0 or, if one of the two types has 64 bits, the integer with only its highest
// bit set (PTX ISA, "cvt").
func (c conversion) lane() laneFn {
	from, fromFloat := formatOf(c.from)
	to, toFloat := formatOf(c.to)
	switch {
	case fromFloat && toFloat:
		return c.floats(to, from)
	case toFloat:
		return c.intToFloat(to)
	case fromFloat:
		return c.floatToInt(from)
	}
	t, f, sat := c.to, c.from, c.sat
	return func(a, _, _, _ uint64) uint64 { return intToInt(a, t, f, sat) }
}

func intToInt(a uint64, to, from typ, sat bool) uint64 {
	a = extend(a, from)
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

// integral has the roundings to an integer.
var integral = map[string]func(float64) float64{"rni": math.RoundToEven, "rzi": math.Trunc, "rmi": math.Floor, "rpi": math.Ceil}

// widens reports whether every number of one format is one of another.
func (f format) widens(from format) bool {
	return f.exponent >= from.exponent && f.fraction >= from.fraction
}

func (c conversion) floats(to, from format) laneFn {
	toInt := integral[c.round]
	r, known := roundings[c.round]
	if toInt == nil && !known || c.round == "" && !to.widens(from) {
		return nil
	}
	m := c.floatMods
	return func(a, _, _, _ uint64) uint64 {
		if m.flush && from == singleFormat { // only single-precision numbers are flushed
			a = from.flush(a)
		}
		if from.isNaN(a) {
			return c.nan(a, to, from, toInt != nil)
		}
		x := from.value(a)
		if toInt != nil {
			x = toInt(x)
		}
		if m.sat {
			x = saturate(x)
		}
		v := exact{near: x}.bits(to, r)
		if m.flush && to == singleFormat {
			v = to.flush(v)
		}
		if c.finite && v&^to.sign() == to.infinity() {
			v--
		}
		if m.relu && v&to.sign() != 0 {
			return 0
		}
		return v
	}
}

// nan converts a NaN as an H200 does: to or from double precision sign and payload stay
// and a signalling NaN becomes quiet, and from bfloat16 to single precision all bits stay.
func (c conversion) nan(a uint64, to, from format, integral bool) uint64 {
	switch {
	case c.sat:
		return 0
	case from == bfloatFormat && to == singleFormat && !integral:
		return a << 16
	case from != doubleFormat && to != doubleFormat:
		return to.nan()
	}
	payload := a & mask(from.fraction) << (doubleFormat.fraction - from.fraction) >> (doubleFormat.fraction - to.fraction)
	v := to.quiet(to.infinity() | payload)
	if a&from.sign() != 0 {
		v |= to.sign()
	}
	return v
}

func (c conversion) intToFloat(to format) laneFn {
	r, known := roundings[c.round]
	if !known || c.round == "" && c.from.bits > to.fraction+1 {
		return nil
	}
	from, m := c.from, c.floatMods
	return func(a, _, _, _ uint64) uint64 {
		v := whole(extend(a, from), from.kind == 's').bits(to, r)
		m.flush = false
		return m.clamp(to, v)
	}
}

func (c conversion) floatToInt(from format) laneFn {
	toInt := integral[c.round]
	if toInt == nil {
		return nil
	}
	to, flush := c.to, c.flush && from == singleFormat
	return func(a, _, _, _ uint64) uint64 {
		if flush {
			a = from.flush(a)
		}
		if from.isNaN(a) && max(to.bits, c.from.bits) == 64 {
			return extend(1<<(to.bits-1), to)
		}
		return extend(clampToInt(toInt(from.value(a)), to), to)
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
