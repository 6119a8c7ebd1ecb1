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
	{"what is behind the point is lost, and NaN, infinity and −0 with it: a long long on the way",
		func(want, got float32) bool {
			return got == got && want != want || same(integer(want, -1<<63, 1<<63), got)
		}},
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
		return math.Float32bits(o.got[i]) == byIndex.bits(from, o.n)
	}
	if o.every(madeUp) {
		return "the index of an element is stored, not the element: what is read is not what is written"
	}
	var lost []kind
	isLost := func(v float32) bool { return slices.ContainsFunc(lost, func(k kind) bool { return k.has(v) }) }
	for _, k := range valueKinds {
		more := false // does k have a wrong element that none so far has?
		if o.every(func(i int) bool {
			if !k.has(o.want[i]) {
				return true
			}
			more = more || !isLost(o.want[i])
			return o.wrong(i)
		}) && more {
			lost = append(lost, k)
		}
	}
	missing, right := true, false
	if !o.every(func(i int) bool {
		missing, right = missing && (!o.wrong(i) || o.missing(i)), right || !o.wrong(i)
		return o.wrong(i) == isLost(o.want[i])
	}) || !right {
		return ""
	}
	var names []string
	for _, k := range lost {
		names = append(names, k.name)
	}
	what := strings.Join(names, " or ")
	if missing {
		return fmt.Sprintf("never written where the element is %s: is that a mark for \"no element here\"? Any value can be an element", what)
	}
	return fmt.Sprintf("lost where the element is %s: arithmetic or a comparison on the way%s", what, movesBits)
}

// A kind is a kind of value that a kernel can lose.
type kind struct {
	name string
	has  func(v float32) bool
}

// valueKinds has the kinds that are more before those that are less.
var valueKinds = append([]kind{
	{"NaN", func(v float32) bool { return v != v }},
	{"negative", func(v float32) bool { return v < 0 }},
	{"positive", func(v float32) bool { return v > 0 }},
	{"0 or −0", func(v float32) bool { return v == 0 }},
	{"a fraction", func(v float32) bool { return v != float32(math.Trunc(float64(v))) && v == v }},
	{"infinite", func(v float32) bool { return math.IsInf(float64(v), 0) }},
	{"subnormal", func(v float32) bool { return v != 0 && math.Abs(float64(v)) < 0x1p-126 }},
	{"very large", func(v float32) bool { return math.Abs(float64(v)) > 1e20 && !math.IsInf(float64(v), 0) }},
}, specialKinds()...)

// specialKinds makes a kind of each value that there is only one of.
func specialKinds() (kinds []kind) {
	for _, bits := range special[1:] {
		name := strings.Replace(fmt.Sprint(math.Float32frombits(bits)), "-", "−", 1)
		kinds = append(kinds, kind{name, func(v float32) bool { return math.Float32bits(v) == bits }})
	}
	return kinds
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
