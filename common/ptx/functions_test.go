package ptx

import (
	"encoding/binary"
	"math"
	"math/bits"
	"testing"
)

// launchDoubles runs a kernel of 64 threads over doubles.
func launchDoubles(t *testing.T, e *Entry, in []float64) []float64 {
	t.Helper()
	mem := NewMemory()
	from, to := alloc(t, mem, 8*64), alloc(t, mem, 8*64)
	for i, x := range in {
		binary.LittleEndian.PutUint64(view(t, mem, from, 512)[8*i:], math.Float64bits(x))
	}
	if _, err := e.Launch(mem, Config{Grid: Dim3{1, 1, 1}, Block: Dim3{64, 1, 1}, Args: []uint64{to, from, 64}}); err != nil {
		t.Fatal(err)
	}
	out := make([]float64, 64)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(view(t, mem, to, 512)[8*i:]))
	}
	return out
}

// TestDoubleFunctions compares what nvcc makes of CUDA's double functions with Go's. ulps
// is the error that the Programming Guide ("Mathematical Functions") allows; Go's own is
// one more.
func TestDoubleFunctions(t *testing.T) {
	m := parseFile(t, "testdata/functions/double.ptx")
	inputs := map[string][2]float64{ // of numbers that the function is defined for
		"log": {1e-3, 50}, "log2": {1e-3, 50}, "log10": {1e-3, 50}, "log1p": {-0.99, 50}, "rsq": {1e-3, 50}, "pow": {1e-3, 50},
		"asin": {-1, 1}, "acos": {-1, 1}, "lgamma": {0.1, 50}, "tgamma": {0.1, 30}, "erfc": {-3, 20},
	}
	functions := map[string]struct {
		f    func(float64) float64
		ulps float64
	}{
		"log": {math.Log, 1}, "exp": {math.Exp, 1}, "sin": {math.Sin, 2}, "tan": {math.Tan, 2}, "atan": {math.Atan, 2},
		"erf": {math.Erf, 2}, "tanh": {math.Tanh, 2}, "cbrt": {math.Cbrt, 1}, "cos": {math.Cos, 2}, "log2": {math.Log2, 1},
		"log10": {math.Log10, 2}, "exp2": {math.Exp2, 1}, "sinh": {math.Sinh, 2}, "cosh": {math.Cosh, 1}, "asin": {math.Asin, 2},
		"acos": {math.Acos, 2}, "log1p": {math.Log1p, 1}, "expm1": {math.Expm1, 1},
		"lgamma": {func(x float64) float64 { v, _ := math.Lgamma(x); return v }, 6}, "tgamma": {math.Gamma, 10}, "erfc": {math.Erfc, 5},
		"round": {math.Round, 0},
		"pow":   {func(x float64) float64 { return math.Pow(x, 1.7) }, 2},
		"hypot": {func(x float64) float64 { return math.Hypot(x, 3) }, 2},
		"atan2": {func(x float64) float64 { return math.Atan2(x, 2) }, 2},
		"rsq":   {func(x float64) float64 { return 1 / math.Sqrt(x) }, 1},
		"div":   {func(x float64) float64 { return x / 3 }, 0},
	}
	if len(m.Entries) != len(functions) {
		t.Errorf("%d kernels, %d functions", len(m.Entries), len(functions))
	}
	for _, e := range m.Entries {
		name := e.Name[len("k_"):]
		fn, ok := functions[name]
		if !ok {
			t.Fatalf("%s: not among the functions", e.Name)
		}
		bounds, ok := inputs[name]
		if !ok {
			bounds = [2]float64{-20, 20}
		}
		in := make([]float64, 64)
		for i := range in {
			in[i] = bounds[0] + (bounds[1]-bounds[0])*float64(i)/63
		}
		if name == "log" {
			in[0] = 1.125
		}
		for i, got := range launchDoubles(t, e, in) {
			want := fn.f(in[i])
			ulp := math.Abs(math.Nextafter(want, math.Inf(1)) - want)
			allowed := fn.ulps
			if allowed > 0 {
				allowed++
			}
			if !(math.Abs(got-want) <= allowed*ulp) && got != want {
				t.Errorf("%s(%v) = %v, want %v: %.3g ulps", name, in[i], got, want, math.Abs(got-want)/ulp)
			}
			if name == "log" && i == 0 && got != 0.11778303565638346 {
				t.Errorf("log(1.125) = %v", got)
			}
		}
	}
}

// TestOrdinary runs ordinary code for which nvcc takes carries, directed rounding and dot
// products, and calls of assert and printf that nobody comes to.
func TestOrdinary(t *testing.T) {
	m := parseFile(t, "testdata/functions/ordinary.ptx")
	in := make([]float64, 64)
	for i := range in {
		in[i] = float64(i)*0.25 - 7.5
	}
	for i, got := range launchDoubles(t, m.Entry("rounds"), in) {
		if want := math.Round(in[i]); got != want {
			t.Errorf("round(%v) = %v, want %v", in[i], got, want)
		}
	}
	for i, got := range launchDoubles(t, m.Entry("sines"), in) {
		if want := math.Sin(in[i] * 1e10); math.Abs(got-want) > 1e-15 {
			t.Errorf("sin(%v) = %v, want %v", in[i]*1e10, got, want)
		}
	}
	words := make([]float64, 64)
	for i := range words {
		words[i] = math.Float64frombits(uint64(i+1) * 0x9E3779B97F4A7C15)
	}
	at := func(i int) uint64 { return math.Float64bits(words[i%64]) }
	for i, got := range launchDoubles(t, m.Entry("high"), words) {
		hi, lo := bits.Mul64(at(i), at(i+1))
		_, carry := bits.Add64(lo, at(i+2), 0)
		if math.Float64bits(got) != hi+carry {
			t.Errorf("high %d: %#x, want %#x", i, math.Float64bits(got), hi+carry)
		}
	}
	for _, name := range []string{"asserts", "prints"} {
		e := m.Entry(name)
		if got := launchDoubles(t, e, words); math.Float64bits(got[7]) != at(7) {
			t.Errorf("%s: %#x, want %#x", name, math.Float64bits(got[7]), at(7))
		}
	}
	dots(t, m.Entry("dots"))
}

func dots(t *testing.T, e *Entry) {
	mem := NewMemory()
	out, a, b := alloc(t, mem, 256), alloc(t, mem, 256), alloc(t, mem, 256)
	for i := range 64 {
		setWord(view(t, mem, out, 256), i, uint32(i))
		setWord(view(t, mem, a, 256), i, uint32(i)*0x9E3779B9)
		binary.LittleEndian.PutUint16(view(t, mem, b, 256)[2*i:], uint16(i*0x9E37))
	}
	if _, err := e.Launch(mem, Config{Grid: Dim3{1, 1, 1}, Block: Dim3{64, 1, 1}, Args: []uint64{out, a, b}}); err != nil {
		t.Fatal(err)
	}
	for i := range 64 {
		x, y := uint32(i)*0x9E3779B9, uint16(i*0x9E37)
		want := int32(int16(x))*int32(int8(y)) + int32(int16(x>>16))*int32(int8(y>>8)) + int32(i)
		if got := int32(word(view(t, mem, out, 256), i)); got != want {
			t.Errorf("dot %d: %d, want %d", i, got, want)
		}
	}
}
