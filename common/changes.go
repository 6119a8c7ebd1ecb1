package common

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A change is what becomes of the elements when a kernel computes with them on
// their way instead of moving them.
type change struct {
	name string
	// makes reports whether got is what the change makes of want.
	makes func(want, got float32) bool
}

const movesBits = "; a transpose moves its elements and computes nothing"

// changes lists them, each before those that change more.
var changes = []change{
	{"NaNs come back as another NaN: arithmetic on the way, such as * 1.0f" + movesBits, same},
	{"−0 comes back as 0: arithmetic on the way, such as + 0.0f" + movesBits,
		func(want, got float32) bool { return same(want+0, got) }},
	{"NaNs come back as numbers: fminf or fmaxf on the way, which drop a NaN" + movesBits,
		func(want, got float32) bool { return want != want || same(want, got) }},
	{"subnormal numbers come back as 0: arithmetic that flushes them, as with -use_fast_math" + movesBits,
		func(want, got float32) bool {
			return same(want, got) || same(want+0, got) || want != 0 && math.Abs(float64(want)) < 0x1p-126 && got == 0
		}},
	{"the sign is lost: fabsf, or a square and its root, on the way",
		func(want, got float32) bool { return same(float32(math.Abs(float64(want))), got) }},
	{"what is behind the point is lost, and NaN, infinity and −0 with it: an int on the way, such as a tile declared int",
		func(want, got float32) bool { return same(integer(want, math.MinInt32, math.MaxInt32), got) }},
	{"the sign and what is behind the point are lost: an unsigned int on the way, such as a tile declared unsigned",
		func(want, got float32) bool { return same(integer(want, 0, math.MaxUint32), got) }},
	{"each element is an integer made of the bits of the right one: in is declared int*, but holds float",
		func(want, got float32) bool { return same(float32(int32(math.Float32bits(want))), got) }},
	{"each element has the bits of an integer: out is declared int*, but is to hold float",
		func(want, got float32) bool {
			return math.Float32bits(got) == uint32(int32(integer(want, math.MinInt32, math.MaxInt32)))
		}},
	{"values come back rounded to half precision: a __half on the way keeps 11 bits of a float's 24, and nothing above 65504",
		func(want, got float32) bool { return same(half(want), got) }},
	{"values come back rounded to bfloat16: it keeps 8 bits of a float's 24",
		func(want, got float32) bool { return same(bfloat16(want), got) }},
}

// same reports whether a and b are the same bits, or two NaNs.
func same(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// integer converts v to an integer from low to high and back, as a GPU does: what
// is out of range becomes the nearest, and NaN becomes 0.
func integer(v float32, low, high float64) float32 {
	if v != v {
		return 0
	}
	return float32(min(max(math.Trunc(float64(v)), low), high) + 0) // an integer has no −0
}

// half rounds v to half precision.
func half(v float32) float32 {
	x := float64(v)
	_, exp := math.Frexp(x)
	ulp := math.Ldexp(1, max(exp-11, -24))
	r := math.Copysign(math.RoundToEven(x/ulp)*ulp, x)
	if math.Abs(r) > 65504 {
		r = math.Copysign(math.Inf(1), x)
	}
	return float32(r)
}

// bfloat16 rounds v to the upper half of its bits.
func bfloat16(v float32) float32 {
	bits := math.Float32bits(v)
	if v != v {
		return v
	}
	return math.Float32frombits((bits + 0x7FFF + bits>>16&1) &^ 0xFFFF)
}

// changed names what the kernel did to the elements on their way, or returns "".
// What it says holds for the whole of the output.
func (o output) changed() string {
	if o.every(func(i int) bool { return o.missing(i) || !o.wrong(i) }) {
		return "" // never written is another matter
	}
	for _, c := range changes {
		if o.every(func(i int) bool { return c.makes(o.want[i], o.got[i]) }) {
			return c.name
		}
	}
	return ""
}

// lost says which values did not arrive, where a kernel loses all of some kinds and
// none of the others, or returns "".
func (o output) lost() string {
	madeUp := func(i int) bool {
		from, _ := o.fill.index(o.want[i], o.n)
		return math.Float32bits(o.got[i]) == byIndex.bits(from)
	}
	if o.every(madeUp) {
		return "the index of an element is stored, not the element: what is read is not what is written"
	}
	var kinds []string
	missing := true
	for i := range o.got {
		if o.wrong(i) {
			missing = missing && o.missing(i)
			if kind := kindOf(o.want[i]); !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	right := 0
	isLost := func(i int) bool {
		if !o.wrong(i) {
			right++
		}
		return o.wrong(i) == slices.Contains(kinds, kindOf(o.want[i]))
	}
	if !o.every(isLost) || right == 0 {
		return ""
	}
	what := strings.Join(kinds, ", ")
	if missing {
		return fmt.Sprintf("never written where the element is %s: is that a mark for \"no element here\"? Any value can be an element", what)
	}
	return fmt.Sprintf("lost where the element is %s: arithmetic or a comparison on the way%s", what, movesBits)
}

// kindOf names a value of the input: those that there is only one of by
// themselves, the others by their kind.
func kindOf(v float32) string {
	switch {
	case v != v:
		return "NaN"
	case slices.Contains(special, math.Float32bits(v)):
		return strings.Replace(fmt.Sprint(v), "-", "−", 1)
	case math.Abs(float64(v)) < 0x1p-126:
		return "subnormal"
	case v < 0 && v == float32(math.Trunc(float64(v))):
		return "negative and whole"
	case v < 0:
		return "a negative fraction"
	case v > 1<<31:
		return "very large"
	}
	return "a fraction"
}

// every reports whether f holds for each element.
func (o output) every(f func(i int) bool) bool {
	for i := range o.got {
		if !f(i) {
			return false
		}
	}
	return true
}
