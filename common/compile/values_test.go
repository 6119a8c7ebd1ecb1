package compile

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"transpose/common/ptx"
)

// arguments are what every function is tried with, in its domain or not.
var arguments = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2, -2, 3, 1.125, 0.1, -0.1, 0.7, -0.9, 1e-10, 1e-300,
	10, -10, 20.5, 33.3, -7.75, 100.25, 171.5, 700, -700, 709.5, -745, 1000, 1e5, -12345.678, 1e15, 1e100, -1e300,
	math.Inf(1), math.Inf(-1), math.NaN(), 4.5, -4.5, 2.5, 1.5, 27, -64, 8.25, 6.9, 12.1}

// The functions that no instruction computes, of doubles, are within a few units
// in the last place of Go's.
func TestMathematics(t *testing.T) {
	t.Parallel()
	one := func(f func(float64) float64) func(a, b float64) float64 {
		return func(a, b float64) float64 { return f(a) }
	}
	tests := []struct {
		call  string
		want  func(a, b float64) float64
		units float64
	}{
		{"exp(a)", one(math.Exp), 2},
		{"exp2(a)", one(math.Exp2), 2},
		{"exp10(a)", func(a, b float64) float64 { return math.Pow(10, a) }, 4},
		{"expm1(a)", one(math.Expm1), 4},
		{"log(a)", one(math.Log), 2},
		{"log2(a)", one(math.Log2), 16},
		{"log10(a)", one(math.Log10), 4},
		{"log1p(a)", one(math.Log1p), 4},
		{"sqrt(a)", one(math.Sqrt), 0},
		{"cbrt(a)", one(math.Cbrt), 2},
		{"sin(a)", one(small(math.Sin)), 3},
		{"cos(a)", one(small(math.Cos)), 3},
		{"tan(a)", one(small(math.Tan)), 4},
		{"asin(a)", one(math.Asin), 4},
		{"acos(a)", one(math.Acos), 4},
		{"atan(a)", one(math.Atan), 2},
		{"sinh(a)", one(math.Sinh), 4},
		{"cosh(a)", one(math.Cosh), 4},
		{"tanh(a)", one(math.Tanh), 4},
		{"asinh(a)", one(math.Asinh), 4},
		{"acosh(a)", one(math.Acosh), 4},
		{"atanh(a)", one(math.Atanh), 4},
		{"erf(a)", one(math.Erf), 8},
		{"erfc(a)", one(math.Erfc), 64},
		{"tgamma(a)", one(math.Gamma), 64},
		{"lgamma(a)", func(a, b float64) float64 { l, _ := math.Lgamma(a); return l }, 64},
		{"floor(a)", one(math.Floor), 0},
		{"ceil(a)", one(math.Ceil), 0},
		{"trunc(a)", one(math.Trunc), 0},
		{"round(a)", one(math.Round), 0},
		{"rint(a)", one(math.RoundToEven), 0},
		{"ldexp(a, 5)", func(a, b float64) float64 { return math.Ldexp(a, 5) }, 0},
		{"ldexp(a, -1060)", func(a, b float64) float64 { return math.Ldexp(a, -1060) }, 0},
		{"pow(a, b)", math.Pow, 128},
		{"atan2(a, b)", math.Atan2, 3},
		{"hypot(a, b)", math.Hypot, 2},
		{"fmod(a, b)", func(a, b float64) float64 { return math.Mod(a, b) }, 0},
		{"remainder(a, b)", math.Remainder, 0},
		{"fmin(a, b)", fmin, 0},
		{"copysign(a, b)", math.Copysign, 0},
		{"fma(a, b, 0.1)", func(a, b float64) float64 { return math.FMA(a, b, 0.1) }, 0},
		{"frexp(a, &e) + e", func(a, b float64) float64 { f, e := math.Frexp(a); return f + float64(e) }, 0},
		{"modf(a, &c) + c", func(a, b float64) float64 { return a }, 0},
		// Where Go's own are not so exact.
		{"log(5e-324)", constant(-744.4400719213812), 8},
		{"cbrt(5e-324)", constant(1.7031839360032603e-108), 2},
		{"log2(1.125)", constant(0.16992500144231237), 8},
		{"log2(32768.)", constant(15.0), 8},
		{"log10(1e22)", constant(22.0), 8},
		{"sin(3.141592653589793)", constant(1.2246467991473532e-16), 8},
		{"cos(1.5707963267948966)", constant(6.123233995736766e-17), 8},
		{"tan(1.5707963267948966)", constant(1.633123935319537e+16), 8},
		{"sin(1e6)", constant(-0.34999350217129294), 8},
		{"cos(-123456789.)", constant(0.14025968153390964), 8},
		{"asin(-0.9999)", constant(-1.5566540733173846), 8},
		{"acos(0.9999999)", constant(0.00044721359910904126), 8},
		{"pow(0.1, 27.)", constant(1.0000000000000015e-27), 2},
		{"pow(33.3, 171.5)", constant(1.2565681465168738e+261), 2},
		{"pow(1.0000001, 1e9)", constant(2.6881038582144647e+43), 8},
		{"exp(1e-5)", constant(1.00001000005), 8},
		{"erfc(5.)", constant(1.5374597944280351e-12), 64},
		{"tgamma(5.)", constant(24.0), 8},
		{"exp10(3.)", constant(1000.0), 8},
		// A float's function is the double's.
		{"sinf(a)", func(a, b float64) float64 { return float64(float32(small(math.Sin)(float64(float32(a))))) }, 1 << 29},
		{"expf(a)", func(a, b float64) float64 { return float64(float32(math.Exp(float64(float32(a))))) }, 1 << 29},
		{"logf(a)", func(a, b float64) float64 { return float64(float32(math.Log(float64(float32(a))))) }, 1 << 29},
		{"powf(a, 1.5f)", func(a, b float64) float64 { return float64(float32(math.Pow(float64(float32(a)), 1.5))) }, 1 << 29},
	}
	var text strings.Builder
	for i, test := range tests {
		fmt.Fprintf(&text, `extern "C" __global__ void k%d(double* out, const double* x, const double* y) {
  int i = blockIdx.x * 32 + threadIdx.x, e; double a = x[i], b = y[i], c; out[i] = %s; (void)b; (void)c; (void)e; }`+"\n", i, test.call)
	}
	var a, b []float64
	for i, v := range arguments {
		for _, j := range []int{3, 7, 20, 30} {
			a, b = append(a, v), append(b, arguments[(i+j)%len(arguments)])
		}
	}
	for len(a)%32 != 0 {
		a, b = append(a, 1), append(b, 1)
	}
	for _, clang := range clangs(t) {
		t.Run(clang, func(t *testing.T) {
			t.Parallel()
			code, _, err := ptxOf(clang, source(t, text.String()))
			if err != nil {
				t.Fatal(err)
			}
			module, err := ptx.Parse(string(code))
			if err != nil {
				t.Fatal(err)
			}
			for i, test := range tests {
				for j, got := range run(t, module.Entry(fmt.Sprintf("k%d", i)), a, b) {
					want := test.want(a[j], b[j])
					if want == skip || want == float64(float32(skip)) {
						continue
					}
					if units(got, want) > test.units {
						t.Errorf("%s for a = %v, b = %v: got %v, want %v", test.call, a[j], b[j], got, want)
					}
				}
			}
		})
	}
}

func constant(v float64) func(a, b float64) float64 {
	return func(float64, float64) float64 { return v }
}

// small leaves out what the reduction of great angles is not made for.
func small(f func(float64) float64) func(float64) float64 {
	return func(v float64) float64 {
		if math.Abs(v) > 1e9 && !math.IsInf(v, 0) {
			return skip
		}
		return f(v)
	}
}

const skip = -12345

func fmin(a, b float64) float64 {
	if math.IsNaN(a) {
		return b
	} else if math.IsNaN(b) {
		return a
	}
	return math.Min(a, b)
}

// units is how many units in the last place of want got is off.
func units(got, want float64) float64 {
	switch {
	case math.IsNaN(want) || math.IsNaN(got):
		if math.IsNaN(want) == math.IsNaN(got) {
			return 0
		}
		return math.Inf(1)
	case got == want:
		return 0
	}
	unit := math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want)
	return math.Abs(got-want) / unit
}

// run runs an entry with one thread an element, one warp a block.
func run(t *testing.T, entry *ptx.Entry, a, b []float64) []float64 {
	t.Helper()
	return launch(t, entry, len(a)/32, 32, a, b)
}

// launch gives an entry an output as long as a, a, and b, and returns the output.
func launch(t *testing.T, entry *ptx.Entry, blocks, threads int, a, b []float64) []float64 {
	t.Helper()
	mem := ptx.NewMemory()
	var args []uint64
	var bytes [][]byte
	for _, values := range [][]float64{make([]float64, len(a)), a, b} {
		p, err := mem.Alloc(int64(8 * len(values)))
		if err != nil {
			t.Fatal(err)
		}
		host, err := mem.Bytes(p, int64(8*len(values)))
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			binary.LittleEndian.PutUint64(host[8*i:], math.Float64bits(v))
		}
		args, bytes = append(args, p), append(bytes, host)
	}
	_, err := entry.Launch(mem, ptx.Config{Grid: ptx.Dim3{X: blocks, Y: 1, Z: 1}, Block: ptx.Dim3{X: threads, Y: 1, Z: 1}, Args: args})
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, len(a))
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(bytes[0][8*i:]))
	}
	return out
}
