package compile

import (
	"math"
	"math/bits"
	"testing"

	"transpose/common/ptx"
)

func float(v float32) uint64 { return uint64(math.Float32bits(v)) }

// What the headers spell out by hand, beside what Go makes of it. x is 0xdeadbeef,
// y is 12345, f is 2.75 and g is -0.3, from memory so that clang cannot know.
func TestFunctions(t *testing.T) {
	t.Parallel()
	const x, y = 0xdeadbeef, 12345
	signed := int32(math.MinInt32 + 0x5eadbeef) // x as an int
	const f, g = float32(2.75), float32(-0.3)
	tests := []struct {
		call string
		want uint64 // the bits, of as many as the value has
	}{
		{"__popc(x)", uint64(bits.OnesCount32(x))},
		{"__popcll(x * 1ull << 20)", uint64(bits.OnesCount32(x))},
		{"__clz(y)", uint64(bits.LeadingZeros32(y))},
		{"__clz(x * 0)", 32},
		{"__clzll(y)", 64 - 14},
		{"__clzll(y * 0ull)", 64},
		{"__ffs(y)", 1},
		{"__ffs(x << 8)", 9},
		{"__ffs(x * 0)", 0},
		{"__ffsll((unsigned long long)x << 40)", 41},
		{"__brev(x)", uint64(bits.Reverse32(x))},
		{"__brevll(x)", bits.Reverse64(x)},
		{"__byte_perm(x, y, 0x4012)", 0x39efbead},
		{"__byte_perm(x, y, 0xcb8f)", 0x39deef00},
		{"__mulhi((int)x, y)", uint64(uint32(int64(signed) * y >> 32))},
		{"__umulhi(x, y)", x * y >> 32},
		{"__umul64hi(x * 0x100000001ull, ~0ull)", x*0x100000001 - 1},
		{"__mul24(x, y)", uint64(uint32((int32(signed<<8) >> 8) * y))},
		{"__umul24(x, y)", 0xffffffff & ((x & 0xffffff) * y)},
		{"__sad(x, y, 7u)", uint64(uint32(y-int64(signed)) + 7)},
		{"__usad(x, y, 7u)", x - y + 7},
		{"__hadd((int)x, y)", uint64(uint32((int64(signed) + y) >> 1))},
		{"__uhadd(x, ~0u)", (x + 0xffffffff) / 2},
		{"__urhadd(x, ~0u)", (x + 0xffffffff + 1) / 2},
		{"__funnelshift_l(x, y, 8)", y<<8 | x>>24},
		{"__funnelshift_r(x, y, 8)", y<<24&0xffffffff | x>>8},
		{"__funnelshift_lc(x, y, 40)", x},
		{"min(x, y)", y},
		{"max((int)x, y)", x}, // as unsigned, as y is one
		{"abs((int)x)", uint64(uint32(-signed))},
		{"__float_as_uint(fminf(f, g))", float(g)},
		{"__float_as_uint(fabsf(g))", float(-g)},
		{"__float2int_rn(f)", 3},
		{"__float2int_rz(f)", 2},
		{"__float2int_ru(f)", 3},
		{"__float2int_rd(g)", 0xffffffff},
		{"__float2uint_rn(g)", 0},
		{"__double2ll_rd(-f)", 1<<64 - 3},
		{"__float_as_uint(__int2float_rn(x))", float(float32(signed))},
		{"__float_as_uint(__uint2float_rz(~0u))", float(math.Nextafter32(1<<32, 0))},
		{"__double2hiint(f)", math.Float64bits(2.75) >> 32},
		{"__hiloint2double(0x40060000, 0) == f", 1},
		{"__float_as_uint(__fmaf_rn(f, g, f))", float(float32(float64(f)*float64(g) + float64(f)))},
		{"__float_as_uint(__fdiv_rn(f, g))", float(f / g)},
		{"__float_as_uint(copysignf(f, g))", float(-f)},
		{"isnan(f * 0 / 0.f) + 2 * isinf(f) + 4 * isfinite(f) + 8 * signbit(g)", 1 + 4 + 8},
		{"lrintf(f) * 100 + lround(-2.5)", 297},
		{"__bfloat16_as_ushort(__float2bfloat16(g))", 0xbe9a},
		{"__bfloat16_as_ushort(__float2bfloat16_rz(g))", 0xbe99},
		{"__bfloat16_as_ushort(__nv_bfloat16(f) * __nv_bfloat16(g))", 0xbf54},
		{"__float_as_uint((__nv_bfloat16(f) + __nv_bfloat16(1.f)))", float(3.75)},
		{"__nv_bfloat16(f) > __nv_bfloat16(g) && __hgtu(__nv_bfloat16(f), __nv_bfloat16(NAN)) && !__hgt(__nv_bfloat16(f), __nv_bfloat16(NAN))", 1},
		{"__bfloat16_as_ushort(__float2bfloat16(NAN))", 0x7fff},
		{"sizeof(char3) + sizeof(float3) * 10 + alignof(float4) * 1000 + sizeof(double4) * 100000 + alignof(short4) * 10000000", 3 + 120 + 16000 + 3200000 + 80000000},
	}
	text := "#include <cuda_bf16.h>\n#include <math.h>\n" +
		`extern "C" __global__ void k(unsigned long long* out, const unsigned* in, const float* fin) { unsigned x = in[0], y = in[1]; float f = fin[0], g = fin[1];` + "\n"
	for _, test := range tests {
		text += "{ auto v = " + test.call + "; *out = sizeof v == 8 ? (unsigned long long)v : sizeof v == 4 ? (unsigned)v : (unsigned short)v; out++; }\n"
	}
	text += "}\n"
	for _, clang := range clangs(t) {
		t.Run(clang, func(t *testing.T) {
			t.Parallel()
			code, _, err := ptxOf(clang, source(t, text))
			if err != nil {
				t.Fatal(err)
			}
			module, err := ptx.Parse(string(code))
			if err != nil {
				t.Fatal(err)
			}
			in := math.Float64frombits(y<<32 | x)
			fin := math.Float64frombits(float(g)<<32 | float(f))
			a, b := make([]float64, 64), make([]float64, 64)
			a[0], b[0] = in, fin
			got := launch(t, module.Entry("k"), 1, 1, a, b)
			for i, test := range tests {
				if bits := math.Float64bits(got[i]); bits != test.want {
					t.Errorf("%s: got %#x, want %#x", test.call, bits, test.want)
				}
			}
		})
	}
}
