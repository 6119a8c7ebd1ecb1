package common

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFillAny holds that each element says its index, so that all differ, and that
// they are of every kind.
func TestFillAny(t *testing.T) {
	for _, n := range []int{1, 2, 5, 33, 1001, SeriesN} {
		counts := map[string]int{}
		for i, v := range FillAny(n) {
			bits := math.Float32bits(v)
			if bits == Poison || bits&0x7FC00000 == 0x7F800000 && bits&0x7FFFFF != 0 {
				t.Fatalf("n = %d: element %d is the poison or a signalling NaN, %08x", n, i, bits)
			}
			if from, ok := anyFloat.index(v, n); !ok || from != i {
				t.Fatalf("n = %d: element %d, %08x, says it is %d, %v", n, i, bits, from, ok)
			}
			for _, k := range valueKinds {
				if n >= 5 && n <= 1001 && k.has(v) {
					counts[k.name]++
				}
			}
		}
		for _, k := range valueKinds {
			if n >= 5 && n <= 1001 && counts[k.name] == 0 {
				t.Errorf("n = %d: no element is %s", n, k.name)
			}
		}
	}
}

// TestLargeFills holds that each element of a matrix that is too large for whole
// numbers says its index in both fills, that none is the poison or a signalling NaN,
// and that each part of the matrix has every kind of value.
func TestLargeFills(t *testing.T) {
	const n = 16384
	counts := map[string]int{}
	check := func(i int) {
		for _, f := range []fill{byIndex, anyFloat} {
			bits := f.bits(i, n)
			if bits == Poison || bits&0x7FC00000 == 0x7F800000 && bits&0x7FFFFF != 0 {
				t.Fatalf("element %d is the poison or a signalling NaN, %08x", i, bits)
			}
			if from, ok := f.index(math.Float32frombits(bits), n); !ok || from != i {
				t.Fatalf("element %d, %08x, says it is %d, %v", i, bits, from, ok)
			}
		}
		for _, k := range valueKinds {
			if k.has(math.Float32frombits(anyFloat.bits(i, n))) {
				counts[k.name]++
			}
		}
	}
	for i := 0; i < n*n; i += 997 {
		check(i)
	}
	clear(counts)
	for i := n * n / 2; i < n*n/2+33*n; i++ {
		check(i)
	}
	for _, name := range []string{"NaN", "negative", "positive", "a fraction", "subnormal", "very large"} {
		if counts[name] == 0 {
			t.Errorf("no element of 33 rows is %s", name)
		}
	}
	for _, f := range []fill{byIndex, anyFloat} {
		for _, bits := range []uint32{Poison, 0x7FC00000, 0x7FFFFFFF, n * n} {
			if i, ok := f.index(math.Float32frombits(bits), n); ok {
				t.Errorf("fill %d: %08x is element %d", f, bits, i)
			}
		}
	}
}

// TestFillAnyElsewhere gives values that are no element of a small matrix.
func TestFillAnyElsewhere(t *testing.T) {
	for _, bits := range []uint32{Poison, 0x7FC00000, 0x7FFFFFFF, 0x42280000, 0xBF800001, anyFloat.bits(33*33, 33), seriesKinds.ranges[2].first + 3*seriesKinds.scatter} {
		v := math.Float32frombits(bits)
		if i, ok := anyFloat.index(v, 33); ok {
			t.Errorf("%08x is element %d", bits, i)
		}
	}
	if i, ok := anyFloat.index(math.Float32frombits(special[3]), 1); ok {
		t.Errorf("in a matrix of one element, %08x is element %d", special[3], i)
	}
}

// TestChanges transposes through something that changes values, and expects it to
// be named.
func TestChanges(t *testing.T) {
	nan := math.Float32frombits(0x7FFFFFFF) // what a GPU's arithmetic gives
	arithmetic := func(f func(v float32) float32) func(v float32) float32 {
		return func(v float32) float32 {
			if r := f(v); r == r {
				return r
			}
			return nan
		}
	}
	unwritten := func(where func(v float32) bool) func(v float32) float32 {
		return func(v float32) float32 {
			if where(v) {
				return math.Float32frombits(Poison)
			}
			return v
		}
	}
	for _, test := range []struct {
		name   string
		change func(v float32) float32
		want   string
	}{
		{"* 1", arithmetic(func(v float32) float32 { return v }), "NaNs come back as another NaN"},
		{"+ 0", arithmetic(func(v float32) float32 { return v + 0 }), "−0 comes back as 0"},
		{"max", arithmetic(func(v float32) float32 {
			if v != v {
				return float32(math.Inf(-1))
			}
			return v
		}), "NaNs come back as numbers"},
		{"flushed", arithmetic(func(v float32) float32 {
			if math.Abs(float64(v)) < 0x1p-126 {
				return 0
			}
			return v
		}), "subnormal numbers come back as 0"},
		{"fabsf", arithmetic(func(v float32) float32 { return float32(math.Abs(float64(v))) }), "the sign is lost"},
		{"int", func(v float32) float32 { return integer(v, math.MinInt32, math.MaxInt32) }, "what is behind the point is lost"},
		{"unsigned", func(v float32) float32 { return integer(v, 0, math.MaxUint32) }, "the sign and what is behind the point are lost"},
		{"long long", func(v float32) float32 {
			if v != v {
				return -1 << 63
			}
			return integer(v, -1<<63, 1<<63)
		}, "what is behind the point is lost, and NaN, infinity and −0 with it: a long long"},
		{"fmaxf of 0", func(v float32) float32 {
			if v > 0 {
				return v
			}
			return 0
		}, "lost where the element is NaN or negative or −0: "},
		{"negative or NaN for outside", unwritten(func(v float32) bool { return !(v >= 0) }), "never written where the element is NaN or negative: "},
		{"half", arithmetic(half), "values come back rounded to half precision"},
		{"bfloat16", arithmetic(bfloat16), "values come back rounded to bfloat16"},
		{"-1 for outside", unwritten(func(v float32) bool { return v == -1 }), "never written where the element is −1: "},
		{"0 for outside", unwritten(func(v float32) bool { return v == 0 }), "never written where the element is 0 or −0: "},
		{"NaN for outside", unwritten(func(v float32) bool { return v != v }), "never written where the element is NaN: "},
		{"negative for outside", unwritten(func(v float32) bool { return v < 0 && v != -999 }), ""}, // some of one kind
		{"0 for infinity", func(v float32) float32 {
			if math.IsInf(float64(v), 0) {
				return 0.25
			}
			return v
		}, "lost where the element is infinite: "},
		{"nothing at all", unwritten(func(float32) bool { return true }), "nothing was written"},
		{"no rule", func(v float32) float32 {
			if math.Float32bits(v)%3 == 0 {
				return 0.25
			}
			return v
		}, ""},
	} {
		const n = 33
		want := Transpose(FillAny(n), n)
		got := make([]float32, n*n)
		for i, v := range want {
			got[i] = test.change(v)
		}
		m, ok := output{got, want, n, anyFloat, Transposed}.check().(*Mismatch)
		if !ok {
			t.Errorf("%s passed", test.name)
			continue
		}
		if !strings.HasPrefix(m.Likely, test.want) || (m.Likely == "") != (test.want == "") {
			t.Errorf("%s: likely %q, want %q", test.name, m.Likely, test.want)
		}
	}
}

// TestRounded holds half and bfloat16 to values at their limits.
func TestRounded(t *testing.T) {
	for _, test := range []struct{ v, half, bfloat16 float32 }{
		{0, 0, 0},
		{2049, 2048, 2048},
		{2051, 2052, 2048},
		{257, 257, 256},
		{259, 259, 260},
		{-65504, -65504, -65536},
		{65519, 65504, 65536},
		{65520, float32(math.Inf(1)), 65536},
		{0x1p-14, 0x1p-14, 0x1p-14},
		{0x1.8p-24, 0x1p-23, 0x1.8p-24},
		{0x1p-25, 0, 0x1p-25},
		{math.MaxFloat32, float32(math.Inf(1)), float32(math.Inf(1))},
	} {
		if diff := cmp.Diff([2]float32{test.half, test.bfloat16}, [2]float32{half(test.v), bfloat16(test.v)}); diff != "" {
			t.Errorf("%v as half and as bfloat16 (-want +got):\n%s", test.v, diff)
		}
	}
}

// TestSecondCheckMessage holds the lines of a later check's message.
func TestSecondCheckMessage(t *testing.T) {
	const n = 3
	want := FillAny(n)
	got := append([]float32(nil), want...)
	got[2] = 0
	err := output{got, want, n, anyFloat, Copied}.check()
	wanted := `wrong: 1 of 9 elements
  out[0][2] holds in[1][1], which is 0 (bits 00000000); want in[0][2], which is -0 (bits 80000000)
likely: −0 comes back as 0: arithmetic on the way, such as + 0.0f; a transpose moves its elements and computes nothing
around the first (- want, + got):
- out[0][0…]  in[0][0]  in[0][1]  in[0][2]
+ out[0][0…]  in[0][0]  in[0][1]  in[1][1]
  out[1][0…]  in[1][0]  in[1][1]  in[1][2]
  out[2][0…]  in[2][0]  in[2][1]  in[2][2]`
	if err == nil {
		t.Fatal("0 passed for −0")
	}
	if diff := cmp.Diff(wanted, err.Error()); diff != "" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
}
