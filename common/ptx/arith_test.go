package ptx

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand"
	"testing"
)

// TestArithmetic has the corners of what TestInstructions leaves out: half precision,
// extended precision, dot products, bit fields, directed rounding.
func TestArithmetic(t *testing.T) {
	const all = 1<<32 - 1
	h := func(code string) string { // of %h1, %h2, %h3 into %h4
		return "mov.b16 %h1, 0x3c01;\nmov.b16 %h2, 0x1000;\nmov.b16 %h3, 0xfc00;\n" + code + "\ncvt.u32.u16 %r20, %h4;"
	}
	for _, tt := range []struct {
		code string
		want uint64
	}{
		{h("add.f16 %h4, %h1, %h2;"), 0x3c02},         // a tie goes to the even one
		{h("sub.rn.f16 %h4, %h2, %h1;"), 0xbc00},      // here too
		{h("mul.f16 %h4, %h1, %h1;"), 0x3c02},         // 1.001953…
		{h("mul.f16 %h4, %h2, %h2;"), 0x0004},         // subnormal
		{h("mul.ftz.f16 %h4, %h2, %h2;"), 0},          //
		{h("fma.rn.f16 %h4, %h1, %h1, %h2;"), 0x3c03}, // rounded once: 0x3c02 + 0.508 ulp
		{h("fma.rn.relu.f16 %h4, %h1, %h3, %h2;"), 0}, // -Inf
		{h("fma.rn.sat.f16 %h4, %h1, %h1, %h1;"), 0x3c00},
		{h("add.f16 %h4, %h3, %h1;"), 0xfc00},
		{h("sub.f16 %h4, %h3, %h3;"), 0x7fff},
		{h("neg.f16 %h4, %h3;"), 0x7c00},
		{h("abs.f16 %h4, %h3;"), 0x7c00},
		{h("mov.b16 %h5, 0x7e01;\nmin.f16 %h4, %h5, %h1;"), 0x3c01},
		{h("mov.b16 %h5, 0x7e01;\nmin.NaN.f16 %h4, %h5, %h1;"), 0x7fff},
		{h("max.f16 %h4, %h3, %h2;"), 0x1000},
		{h("max.xorsign.abs.f16 %h4, %h3, %h2;"), 0xfc00},
		{h("mov.b16 %h5, 0x7bff;\nadd.f16 %h4, %h5, %h5;"), 0x7c00},
		{h("ex2.approx.f16 %h4, %h3;"), 0},
		{h("tanh.approx.f16 %h4, %h3;"), 0xbc00},
		{h("setp.lt.f16 %p1, %h3, %h1;\nselp.b16 %h4, 7, 8, %p1;"), 7},
		{h("mov.b16 %h5, 0x8001;\nmov.b16 %h6, 0;\nsetp.eq.ftz.f16 %p1, %h5, %h6;\nselp.b16 %h4, 7, 8, %p1;"), 7},
		{h("set.gt.f16.f16 %h4, %h1, %h2;"), 0x3c00},
		{h("set.gtu.u16.f16 %h4, %h2, %h1;"), 0},
		// bfloat16: 1.0078125, and a number too small to change it
		{"mov.b16 %h1, 0x3f81;\nmov.b16 %h2, 0x3b80;\nadd.rn.bf16 %h4, %h1, %h2;\ncvt.u32.u16 %r20, %h4;", 0x3f82},
		{"mov.b16 %h1, 0x3f80;\nmov.b16 %h2, 0x3b80;\nadd.rn.bf16 %h4, %h1, %h2;\ncvt.u32.u16 %r20, %h4;", 0x3f80},
		{"mov.b16 %h1, 0x7f7f;\nmov.b16 %h2, 0x0001;\nmov.b16 %h3, 0x8001;\nfma.rn.bf16 %h4, %h1, %h2, %h3;\ncvt.u32.u16 %r20, %h4;", 0x3cff},
		{"mov.b16 %h1, 0x7f80;\nmov.b16 %h2, 0x7f80;\nsub.bf16 %h4, %h1, %h2;\ncvt.u32.u16 %r20, %h4;", 0x7fff},
		{"mov.b16 %h1, 0xff80;\nabs.bf16 %h4, %h1;\ncvt.u32.u16 %r20, %h4;", 0x7f80},
		// Two at once
		{"mov.b32 %r1, 0x3c000001;\nmov.b32 %r3, 0x3c010001;\nadd.f16x2 %r20, %r1, %r3;", 0x40000002},
		{"mov.b32 %r1, 0xbf803f80;\nneg.bf16x2 %r20, %r1;", 0x3f80bf80},
		{"mov.b32 %r1, 0x3f803f80;\nmov.b32 %r3, 0x40004000;\nfma.rn.bf16x2 %r20, %r1, %r3, %r3;", 0x40804080},
		{"mov.b32 %r1, 0x3c003c00;\nmov.b32 %r3, 0x40000000;\nset.gt.f16x2.f16x2 %r20, %r1, %r3;", 0x3c00},
		{"mov.b32 %r1, 0x3c003c00;\nmov.b32 %r3, 0x40000000;\nset.gt.u32.f16x2 %r20, %r1, %r3;", 0xffff},
		{"mov.b32 %r1, 0x3c003c00;\nset.ge.u32.f16x2 %r4, %r1, %r1;\nsetp.eq.s32 %p1, %r4, -1;\nselp.u32 %r20, 1, 0, %p1;", 1},
		{"mov.b32 %r1, 0x3c003c00;\nmov.b32 %r3, 0x40000000;\nsetp.gt.f16x2 %p1|%p2, %r1, %r3;\nselp.u32 %r4, 1, 0, %p1;\nselp.u32 %r5, 2, 0, %p2;\nor.b32 %r20, %r4, %r5;", 1},
		{"mov.pred %p1, 1;\nmov.b32 %r1, 0x3c003c00;\nsetp.eq.and.f16x2 %p1|%p2, %r1, %r1, !%p1;\nselp.u32 %r4, 1, 0, %p1;\nselp.u32 %r5, 2, 0, %p2;\nor.b32 %r20, %r4, %r5;", 0},
		{"mov.b32 %r1, 0xffff0001;\nmov.b32 %r3, 0x00010002;\nmin.s16x2 %r20, %r1, %r3;", 0xffff0001},
		{"mov.b32 %r1, 0xffff0001;\nmov.b32 %r3, 0x00010002;\nmax.u16x2 %r20, %r1, %r3;", 0xffff0002},
		{"mov.b32 %r1, 0xffff0001;\nmov.b32 %r3, 0x00010002;\nadd.u16x2 %r20, %r1, %r3;", 3},
		{"max.relu.s32 %r20, -5, -7;", 0},
		{"min.relu.s32 %r20, 5, 7;", 5},
		// Conversions of 16-bit floats
		{"cvt.rn.f16.f32 %h4, 0f3F801000;\ncvt.u32.u16 %r20, %h4;", 0x3c00}, // a tie
		{"cvt.rp.f16.f32 %h4, 0f3F801000;\ncvt.u32.u16 %r20, %h4;", 0x3c01},
		{"cvt.rz.f16.f32 %h4, 0f47800000;\ncvt.u32.u16 %r20, %h4;", 0x7bff}, // 65536
		{"cvt.rm.f16.f32 %h4, 0fC7800000;\ncvt.u32.u16 %r20, %h4;", 0xfc00},
		{"cvt.rn.f16.f32 %h4, 0f477FF000;\ncvt.u32.u16 %r20, %h4;", 0x7c00}, // 65520
		{"cvt.rn.satfinite.f16.f32 %h4, 0f47800000;\ncvt.u32.u16 %r20, %h4;", 0x7bff},
		{"cvt.rn.relu.f16.f32 %h4, 0fC7800000;\ncvt.u32.u16 %r20, %h4;", 0},
		{"cvt.rn.f16.f64 %h4, 0d3FF0020000000001;\ncvt.u32.u16 %r20, %h4;", 0x3c01},
		{"cvt.rn.bf16.f32 %h4, 0f3F808000;\ncvt.u32.u16 %r20, %h4;", 0x3f80},
		{"cvt.rz.bf16.f32 %h4, 0f7F7FFFFF;\ncvt.u32.u16 %r20, %h4;", 0x7f7f},
		{"cvt.rn.bf16.f32 %h4, 0f7F7FFFFF;\ncvt.u32.u16 %r20, %h4;", 0x7f80},
		{"cvt.rn.f16x2.f32 %r20, 0f3F800000, 0f40000000;", 0x3c004000},
		{"cvt.rn.bf16x2.f32 %r20, 0f3F800000, 0f40000000;", 0x3f804000},
		{"mov.b16 %h1, 0x0001;\ncvt.f32.f16 %f1, %h1;\nmov.b32 %r20, %f1;", 0x33800000},
		{"mov.b16 %h1, 0xfc00;\ncvt.f64.f16 %e1, %h1;\nmov.b64 %d20, %e1;", 0xfff0 << 48},
		{"mov.b16 %h1, 0x4148;\ncvt.rni.f16.f16 %h4, %h1;\ncvt.u32.u16 %r20, %h4;", 0x4200},
		{"mov.b16 %h1, 0xc148;\ncvt.rzi.s32.f16 %r20, %h1;", all - 1},
		{"mov.u32 %r1, 2049;\ncvt.rn.f16.u32 %h4, %r1;\ncvt.u32.u16 %r20, %h4;", 0x6800},
		{"mov.u32 %r1, -100000;\ncvt.rn.f16.s32 %h4, %r1;\ncvt.u32.u16 %r20, %h4;", 0xfc00},
		{"mov.u64 %d5, 0x8000008000000001;\ncvt.rn.f32.u64 %f1, %d5;\nmov.b32 %r20, %f1;", 0x5f000001},
		{"mov.u64 %d5, 0x8000008000000001;\ncvt.rz.f32.u64 %f1, %d5;\nmov.b32 %r20, %f1;", 0x5f000000},
		{"mov.u64 %d5, -1;\ncvt.rz.f64.u64 %e1, %d5;\nmov.b64 %d20, %e1;", 0x43efffffffffffff},
		{"mov.u64 %d5, 0x8000000000000001;\ncvt.rm.f64.s64 %e1, %d5;\nmov.b64 %d20, %e1;", 0xc3e0000000000000},
		{"mov.u64 %d5, 0x8000000000000001;\ncvt.rp.f64.s64 %e1, %d5;\nmov.b64 %d20, %e1;", 0xc3dfffffffffffff},
		{"mov.u64 %d5, 0x12345678ffffffff;\ncvt.u64.u32 %d20, %d5;", all},
		{"mov.u64 %d5, 0x12345678ffffffff;\ncvt.s64.s32 %d20, %d5;", 1<<64 - 1},
		{"mov.u64 %d5, 0x12345678ffffff80;\ncvt.s32.s8 %r20, %d5;", all - 127},
		// Carry
		{"add.cc.u32 %r1, -1, 1;\naddc.u32 %r20, 3, 4;", 8},
		{"add.cc.u32 %r1, -1, 0;\naddc.u32 %r20, 3, 4;", 7},
		{"add.cc.u32 %r1, -1, 1;\naddc.cc.u32 %r3, -1, 0;\naddc.u32 %r20, 0, 0;", 1},
		{"sub.cc.s32 %r1, 0, 1;\nsubc.s32 %r20, 10, 4;", 5},
		{"sub.cc.u32 %r1, 1, 1;\nsubc.cc.u32 %r3, 0, 1;\nsubc.u32 %r20, 10, 4;", 5},
		{"add.cc.u64 %d5, -1, 1;\naddc.u64 %d20, 3, 4;", 8},
		{"sub.cc.u64 %d5, 0, 1;\nsubc.u64 %d20, 3, 4;", 1<<64 - 2},
		{"mad.lo.cc.u32 %r1, -1, 1, 1;\nmadc.hi.u32 %r20, -1, -1, 5;", all - 1 + 5 + 1 - 1<<32},
		{"mad.hi.cc.s32 %r1, -1, 1, 1;\naddc.u32 %r20, 0, 0;", 1},
		{"mad.lo.cc.u64 %d5, -1, 1, 1;\nmadc.lo.u64 %d20, 5, 7, 1;", 37},
		{"mov.u32 %r1, -1;\nadd.cc.u32 %r1, %r1, %r1;\naddc.u32 %r20, %r1, 0;", all},
		{"setp.ne.u32 %p1, 0, 0;\nadd.cc.u32 %r1, -1, 1;\n@%p1 add.cc.u32 %r1, 0, 0;\naddc.u32 %r20, 0, 0;", 1},
		// Dot products and bit fields
		{"dp4a.u32.u32 %r20, 0xff010203, 0xff040506, 7;", 255*255 + 4 + 10 + 18 + 7},
		{"dp4a.s32.s32 %r20, 0xff010203, 0x02040506, 7;", 4 + 10 + 18 + 7 - 2},
		{"dp4a.u32.s32 %r20, 0xff000000, 0xff000000, 0;", all - 254},
		{"dp2a.lo.s32.u32 %r20, 0xffff0002, 0x0a0b0c0d, 1;", 26 - 12 + 1},
		{"dp2a.hi.u32.s32 %r20, 0xffff0002, 0xff0b0c0d, 1;", 22 - 65535 + 1 + 1<<32},
		{"bmsk.clamp.b32 %r20, 4, 8;", 0xff0},
		{"bmsk.clamp.b32 %r20, 28, 40;", 0xf0000000},
		{"bmsk.wrap.b32 %r20, 36, 8;", 0xff0},
		{"szext.clamp.s32 %r20, 0x80, 8;", 0xffffff80},
		{"szext.clamp.u32 %r20, 0xff80, 8;", 0x80},
		{"szext.wrap.u32 %r20, 0xff80, 40;", 0x80},
		{"szext.clamp.s32 %r20, 0x12345678, 99;", 0x12345678},
		{"fns.b32 %r20, 0xf0, 0, 2;", 5},
		{"fns.b32 %r20, 0xf0, 31, -1;", 7},
		{"fns.b32 %r20, 0xf0, 5, 0;", 5},
		{"fns.b32 %r20, 0xf0, 3, 0;", all},
		{"fns.b32 %r20, 0xf0, 0, 5;", all},
		{"prmt.b32.f4e %r20, 0x33221100, 0x77665544, 1;", 0x44332211},
		{"prmt.b32.b4e %r20, 0x33221100, 0x77665544, 1;", 0x66770011},
		{"prmt.b32.rc8 %r20, 0x33221100, 0x77665544, 2;", 0x22222222},
		{"prmt.b32.ecl %r20, 0x33221100, 0x77665544, 2;", 0x33222222},
		{"prmt.b32.ecr %r20, 0x33221100, 0x77665544, 2;", 0x22221100},
		{"prmt.b32.rc16 %r20, 0x33221100, 0x77665544, 1;", 0x33223322},
		{"testp.subnormal.f32 %p1, 0f00000001;\nselp.u32 %r20, 7, 8, %p1;", 7},
		{"testp.normal.f32 %p1, 0f00000000;\nselp.u32 %r20, 7, 8, %p1;", 8},
		{"testp.finite.f64 %p1, 0d7FF0000000000000;\nselp.u32 %r20, 7, 8, %p1;", 8},
		{"testp.infinite.f64 %p1, 0dFFF0000000000000;\nselp.u32 %r20, 7, 8, %p1;", 7},
		{"testp.notanumber.f32 %p1, 0fFFC00000;\nselp.u32 %r20, 7, 8, %p1;", 7},
		{"testp.number.f32 %p1, 0f7F800000;\nselp.u32 %r20, 7, 8, %p1;", 7},
		// Single and double precision
		{"max.NaN.f32 %f1, 0f7F800000, 0f7FC00000;\nmov.b32 %r20, %f1;", 0x7fffffff},
		{"min.xorsign.abs.f32 %f1, 0fC0000000, 0f3F800000;\nmov.b32 %r20, %f1;", fbits(-1)},
		{"rcp.approx.ftz.f64 %e1, 0d4000000000000000;\nmov.b64 %d20, %e1;", 0x3fe0 << 48},
		{"rcp.approx.ftz.f64 %e1, 0d0000000000000001;\nmov.b64 %d20, %e1;", 0x7ff0 << 48},
		{"rsqrt.approx.ftz.f64 %e1, 0d4010000000000000;\nmov.b64 %d20, %e1;", 0x3fe0 << 48},
		{"div.rz.f32 %f1, 0f40000000, 0f40400000;\nmov.b32 %r20, %f1;", 0x3f2aaaaa},
		{"div.rp.f32 %f1, 0f00000001, 0f40400000;\nmov.b32 %r20, %f1;", 1},
		{"sqrt.rm.f32 %f1, 0f40400000;\nmov.b32 %r20, %f1;", 0x3fddb3d7},
		{"rcp.rp.f32 %f1, 0f40400000;\nmov.b32 %r20, %f1;", 0x3eaaaaab},
		{"div.approx.f32 %f1, 0f7F000000, 0f7F000000;\nmov.b32 %r20, %f1;", 0},
		{"div.approx.f32 %f1, 0f7F800000, 0fFF000000;\nmov.b32 %r20, %f1;", 0x7fffffff},
		{"div.full.f32 %f1, 0f7F000000, 0f7F000000;\nmov.b32 %r20, %f1;", fbits(1)},
		{"tanh.approx.f32 %f1, 0f7F800000;\nmov.b32 %r20, %f1;", fbits(1)},
		{"add.rz.f64 %e1, 0d3FF0000000000000, 0dBC90000000000000;\nmov.b64 %d20, %e1;", 0x3fefffffffffffff},
		{"add.rm.f64 %e1, 0d3FF0000000000000, 0dBFF0000000000000;\nmov.b64 %d20, %e1;", 1 << 63},
		{"mul.rp.f64 %e1, 0d0000000000000001, 0d3FE0000000000000;\nmov.b64 %d20, %e1;", 1},
		{"mul.rz.f64 %e1, 0d7FE0000000000000, 0d4000000000000000;\nmov.b64 %d20, %e1;", 0x7fefffffffffffff},
		{"div.rp.f64 %e1, 0d3FF0000000000000, 0d4008000000000000;\nmov.b64 %d20, %e1;", 0x3fd5555555555556},
		{"rcp.rm.f64 %e1, 0d4008000000000000;\nmov.b64 %d20, %e1;", 0x3fd5555555555555},
		{"sqrt.rp.f64 %e1, 0d4000000000000000;\nmov.b64 %d20, %e1;", 0x3ff6a09e667f3bcd},
		{"sqrt.rm.f64 %e1, 0d4000000000000000;\nmov.b64 %d20, %e1;", 0x3ff6a09e667f3bcc},
		{"fma.rz.f64 %e1, 0d3FF0000000000001, 0d3FF0000000000001, 0dBFF0000000000000;\nmov.b64 %d20, %e1;", 0x3cc0000000000000},
		{"fma.rm.f64 %e1, 0d3FF0000000000000, 0d3FF0000000000000, 0dBFF0000000000000;\nmov.b64 %d20, %e1;", 1 << 63},
	} {
		if got := value(t, tt.code); got != tt.want {
			t.Errorf("%s: %#x, want %#x", tt.code, got, tt.want)
		}
	}
}

// TestDirectedRounding compares the four roundings of every format with long arithmetic,
// subnormals and overflow included.
func TestDirectedRounding(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	const precision = 8 << 10
	for _, f := range []format{halfFormat, bfloatFormat, singleFormat, doubleFormat} {
		number := func() uint64 {
			v := rng.Uint64() & mask(1+f.exponent+f.fraction)
			if rng.Intn(2) == 0 { // near one
				v = v&(f.sign()|mask(f.fraction)) | uint64(f.bias()+rng.Intn(9)-4)<<f.fraction
			}
			if v&f.infinity() == f.infinity() {
				v ^= 1 << f.fraction
			}
			return v
		}
		long := func(v uint64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(f.value(v)) }
		for range 2000 {
			a, b, c := number(), number(), number()
			x, y, z := long(a), long(b), long(c)
			results := map[string]*big.Float{"add": x.Add(x, y)}
			x = long(a)
			results["mul"] = new(big.Float).SetPrec(precision).Mul(x, y)
			results["fma"] = new(big.Float).SetPrec(precision).Add(results["mul"], z)
			if y.Sign() != 0 {
				results["div"] = new(big.Float).SetPrec(precision).Quo(x, y)
			}
			if x.Sign() > 0 {
				results["sqrt"] = new(big.Float).SetPrec(200).Sqrt(x)
			}
			for op, want := range results {
				if want.Sign() == 0 {
					continue // its sign is in TestArithmetic
				}
				for name, r := range roundings {
					if got, want := arithmetic(op, f, r)(a, b, c, 0), f.reference(want, r); got != want {
						t.Fatalf("%s.%s of %v: %#x, %#x, %#x: %#x, want %#x", op, name, f, a, b, c, got, want)
					}
				}
			}
		}
	}
}

// reference rounds a long number.
func (f format) reference(x *big.Float, r rounding) uint64 {
	sign := uint64(0)
	if x.Signbit() {
		sign = f.sign()
	}
	m := new(big.Float).Abs(x)
	low := max(m.MantExp(nil)-1, 1-f.bias())
	m.SetMantExp(m, f.fraction-low)
	n, accuracy := m.Int(nil)
	if accuracy != big.Exact {
		rest := new(big.Float).Sub(m, new(big.Float).SetInt(n))
		half := rest.Cmp(big.NewFloat(0.5))
		if r == toNearest && (half > 0 || half == 0 && n.Bit(0) == 1) || r.away(sign != 0) {
			n.Add(n, big.NewInt(1))
		}
	}
	v := n.Uint64() + uint64(low+f.bias()-1)<<f.fraction
	if v >= f.infinity() {
		v = f.infinity()
		if r != toNearest && !r.away(sign != 0) {
			v--
		}
	}
	return sign | v
}

// TestHalfValues goes through all 16-bit floats: to single precision and back.
func TestHalfValues(t *testing.T) {
	for _, k := range []byte{'f', 'g'} {
		small, f := typ{k, 16}, typ{'f', 32}
		format, _ := formatOf(small)
		wide := conversion{to: f, from: small}.lane()
		narrow := conversion{to: small, from: f, round: "rn"}.lane()
		last := math.Inf(-1)
		for v := uint64(0); v < 1<<15; v++ {
			got := narrow(wide(v, 0, 0, 0), 0, 0, 0)
			if format.isNaN(v) {
				if got != 0x7fff {
					t.Errorf("%c %#x: %#x, want the canonical NaN", k, v, got)
				}
				continue
			}
			if x := format.value(v); got != v || !(x > last) {
				t.Errorf("%c %#x = %v, behind %v: %#x", k, v, x, last, got)
			}
			last = format.value(v)
		}
	}
}

// TestThreeValues runs what the comment of three_values.ptx says.
func TestThreeValues(t *testing.T) {
	mem := NewMemory()
	out := alloc(t, mem, 24)
	_, err := parseFile(t, "testdata/functions/three_values.ptx").Entry("k").Launch(mem, Config{Grid: Dim3{1, 1, 1}, Block: Dim3{1, 1, 1}, Args: []uint64{out}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []uint64{0xffffffff, 0x7fffffff, 0x3fe0 << 48} {
		if got := binary.LittleEndian.Uint64(view(t, mem, out+uint64(8*i), 8)); got != want {
			t.Errorf("value %d: %#x, want %#x", i, got, want)
		}
	}
}
