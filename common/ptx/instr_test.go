package ptx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// value runs code in one thread and returns what it left in %d20, or %r20.
func value(t *testing.T, code string) uint64 {
	t.Helper()
	if !strings.Contains(code, "%d20") {
		code += "\ncvt.u64.u32 %d20, %r20;"
	}
	_, out, err := run{body: code + "\nst.global.u64 [%d0], %d20;", block: 1}.launch(t)
	if err != nil {
		t.Fatalf("%s: %v", code, err)
	}
	return binary.LittleEndian.Uint64(out)
}

func fbits(f float32) uint64 { return uint64(math.Float32bits(f)) }

// TestInstructions has the corners that the PTX ISA's descriptions name.
func TestInstructions(t *testing.T) {
	const all = 1<<32 - 1
	for _, tt := range []struct {
		code string
		want uint64
	}{
		{"mov.u32 %r20, -1;", all},
		{"mov.u64 %d20, -1;", 1<<64 - 1},
		{"mov.f32 %f1, 0f3F800000;\nmov.b32 %r20, %f1;", 0x3f800000},
		{"mov.f64 %e1, 0d3FF0000000000000;\nmov.b64 %d20, %e1;", 0x3ff0000000000000},
		{"mov.f32 %f1, 1.5;\nmov.b32 %r20, %f1;", fbits(1.5)},
		{"mov.u32 %r1, 1;\nmov.u32 %r3, 2;\nmov.b64 %d20, {%r1, %r3};", 1 | 2<<32},
		{"mov.u64 %d5, 0x100000002;\nmov.b64 {%r1, %r20}, %d5;", 1},
		{"mov.u64 %d5, 0x100000002;\nmov.b64 {%r20, _}, %d5;", 2},
		{"mov.b16 %h1, 5;\nmov.b16 %h2, 6;\nmov.b32 %r20, {%h1, %h2};", 5 | 6<<16},
		{"mov.u32 %r20, WARP_SZ;", 32},
		{"mul.hi.s32 %r20, -2, 3;", all},
		{"mul.hi.u32 %r20, 0xfffffffe, 3;", 2},
		{"mul.hi.s64 %d20, -2, 3;", 1<<64 - 1},
		{"mul.hi.u64 %d20, -2, 3;", 2},
		{"mul.wide.s32 %d20, -2, 3;", ^uint64(5)},
		{"mul.wide.u32 %d20, 0xfffffffe, 3;", 0x2fffffffa},
		{"mul.wide.u16 %r20, 0xffff, 0xffff;", 0xfffe0001},
		{"mad.wide.s32 %d20, -2, 3, 7;", 1},
		{"mad.hi.u32 %r20, 0xfffffffe, 3, 5;", 7},
		{"mul24.lo.s32 %r20, 0xffffff, 2;", all - 1},
		{"mul24.hi.u32 %r20, 0xffffff, 0xffffff;", 0xfffffe00},
		{"mad24.lo.u32 %r20, 3, 4, 5;", 17},
		{"add.sat.s32 %r20, 0x7fffffff, 1;", 0x7fffffff},
		{"sub.sat.s32 %r20, 0x80000000, 1;", 0x80000000},
		{"div.u32 %r20, 7, 0;", all},
		{"rem.u32 %r20, 7, 0;", 7},
		{"div.s32 %r20, -7, 2;", all - 2},
		{"rem.s32 %r20, -7, 2;", all},
		{"div.s32 %r20, 0x80000000, -1;", 0x80000000},
		{"rem.s32 %r20, 0x80000000, -1;", 0},
		{"div.s64 %d20, -7, 2;", ^uint64(2)},
		{"div.u64 %d20, 7, 0;", 1<<64 - 1},
		{"neg.s32 %r20, 1;", all},
		{"abs.s32 %r20, -5;", 5},
		{"min.s32 %r20, -1, 1;", all},
		{"min.u32 %r20, -1, 1;", 1},
		{"max.s64 %d20, -1, 1;", 1},
		{"max.u64 %d20, -1, 1;", 1<<64 - 1},
		{"sad.s32 %r20, -3, 4, 10;", 17},
		{"not.b32 %r20, 0;", all},
		{"cnot.b32 %r20, 0;", 1},
		{"shl.b32 %r20, 1, 32;", 0},
		{"shl.b32 %r20, 1, 31;", 1 << 31},
		{"shl.b64 %d20, 1, 63;", 1 << 63},
		{"shl.b64 %d20, 1, 64;", 0},
		{"shr.u32 %r20, -1, 32;", 0},
		{"shr.s32 %r20, -8, 1;", all - 3},
		{"shr.s32 %r20, -8, 99;", all},
		{"shr.s64 %d20, -8, 99;", 1<<64 - 1},
		{"shf.l.wrap.b32 %r20, 0x80000000, 1, 33;", 3},
		{"shf.l.clamp.b32 %r20, 0x80000000, 1, 33;", 0x80000000},
		{"shf.r.wrap.b32 %r20, 2, 1, 1;", 0x80000001},
		{"shf.r.clamp.b32 %r20, 2, 1, 40;", 1},
		{"bfe.u32 %r20, 0xabcd, 4, 8;", 0xbc},
		{"bfe.s32 %r20, 0xabcd, 4, 8;", 0xffffffbc},
		{"bfe.s32 %r20, 0x80000000, 28, 8;", 0xfffffff8},
		{"bfe.u32 %r20, 0xabcd, 40, 8;", 0},
		{"bfe.s32 %r20, 0x80000000, 40, 8;", all},
		{"bfe.u32 %r20, -1, 0, 0;", 0},
		{"bfe.u64 %d20, 0xabcd00000000, 32, 8;", 0xcd},
		{"bfi.b32 %r20, 0xf, 0, 4, 2;", 0x30},
		{"bfi.b32 %r20, -1, 0, 28, 9;", 0xf0000000},
		{"bfi.b32 %r20, -1, 5, 40, 9;", 5},
		{"popc.b32 %r20, 0xf0f;", 8},
		{"popc.b64 %r20, -1;", 64},
		{"clz.b32 %r20, 1;", 31},
		{"clz.b64 %r20, 0;", 64},
		{"brev.b32 %r20, 1;", 1 << 31},
		{"bfind.u32 %r20, 0;", all},
		{"bfind.u32 %r20, 0x10;", 4},
		{"bfind.s32 %r20, -17;", 4},
		{"bfind.shiftamt.u32 %r20, 0x10;", 27},
		{"prmt.b32 %r20, 0x33221100, 0x77665544, 0x7531;", 0x77553311},
		{"prmt.b32 %r20, 0x80, 0, 0x0008;", 0x808080ff},
		{"lop3.b32 %r20, 0xf0, 0xcc, 0xaa, 0x96;", 0xf0 ^ 0xcc ^ 0xaa},
		{"lop3.b32 %r20, 0xf0, 0xcc, 0xaa, 0x80;", 0xf0 & 0xcc & 0xaa},
		{"setp.lt.s32 %p1, -1, 1;\nselp.u32 %r20, 7, 8, %p1;", 7},
		{"setp.lt.u32 %p1, -1, 1;\nselp.u32 %r20, 7, 8, %p1;", 8},
		{"setp.lo.u64 %p1, 1, -1;\nselp.u64 %d20, 7, 8, %p1;", 7},
		{"setp.eq.s32 %p1|%p2, 1, 1;\nselp.u32 %r20, 7, 8, %p2;", 8},
		{"setp.ne.s32 %p1, 1, 1;\nsetp.eq.or.s32 %p2, 1, 2, !%p1;\nselp.u32 %r20, 7, 8, %p2;", 7},
		{"setp.eq.s32 %p1, 1, 1;\nsetp.eq.xor.s32 %p2|%p3, 1, 2, %p1;\nselp.u32 %r1, 1, 0, %p2;\nselp.u32 %r20, 2, 0, %p3;\nor.b32 %r20, %r20, %r1;", 1},
		{"setp.ltu.f32 %p1, 0f7FC00000, 0f00000000;\nselp.u32 %r20, 7, 8, %p1;", 7},
		{"setp.lt.f32 %p1, 0f7FC00000, 0f00000000;\nselp.u32 %r20, 7, 8, %p1;", 8},
		{"setp.neu.f64 %p1, 0d7FF8000000000000, 0d0000000000000000;\nselp.u32 %r20, 7, 8, %p1;", 7},
		{"setp.nan.f32 %p1, 0f7FC00000, 0f00000000;\nselp.u32 %r20, 7, 8, %p1;", 7},
		{"setp.num.f32 %p1, 0f7FC00000, 0f00000000;\nselp.u32 %r20, 7, 8, %p1;", 8},
		{"mov.pred %p1, 1;\nnot.pred %p2, %p1;\nor.pred %p3, %p1, %p2;\nand.pred %p4, %p3, %p1;\nxor.pred %p5, %p4, %p1;\nselp.u32 %r20, 7, 8, %p5;", 8},
		{"set.gt.u32.s32 %r20, 2, 1;", all},
		{"set.gt.f32.s32 %f1, 2, 1;\nmov.b32 %r20, %f1;", 0x3f800000},
		{"slct.s32.s32 %r20, 7, 8, -1;", 8},
		{"slct.u32.f32 %r20, 7, 8, 0f80000000;", 7},
		{"mov.u32 %r1, 0x80;\ncvt.s32.s8 %r20, %r1;", 0xffffff80},
		{"mov.u32 %r1, -1;\ncvt.s64.s32 %d20, %r1;", 1<<64 - 1},
		{"mov.u32 %r1, -1;\ncvt.u64.u32 %d20, %r1;", all},
		{"mov.u64 %d5, 0x123456789;\ncvt.u32.u64 %r20, %d5;", 0x23456789},
		{"mov.u32 %r1, 300;\ncvt.sat.u8.u32 %r20, %r1;", 255},
		{"mov.u32 %r1, -300;\ncvt.sat.s8.s32 %r20, %r1;", 0xffffff80},
		{"mov.u32 %r1, -300;\ncvt.sat.u8.s32 %r20, %r1;", 0},
		{"mov.u32 %r1, 0x12345;\ncvt.u16.u32 %h1, %r1;\ncvt.u32.u16 %r20, %h1;", 0x2345},
		{"mov.u32 %r1, 16777217;\ncvt.rn.f32.u32 %f1, %r1;\nmov.b32 %r20, %f1;", fbits(16777216)},
		{"mov.u32 %r1, -3;\ncvt.rn.f64.s32 %e1, %r1;\nmov.b64 %d20, %e1;", f64bits(-3)},
		{"cvt.rzi.s32.f32 %r20, 0fC0200000;", all - 1}, // -2.5
		{"cvt.rni.s32.f32 %r20, 0f40200000;", 2},       // 2.5
		{"cvt.rpi.s32.f32 %r20, 0f40200000;", 3},
		{"cvt.rmi.s32.f32 %r20, 0fC0200000;", all - 2},
		{"cvt.rzi.s32.f32 %r20, 0f7F800000;", 0x7fffffff}, // +Inf
		{"cvt.rzi.s32.f32 %r20, 0fFF800000;", 0x80000000},
		{"cvt.rzi.u32.f32 %r20, 0fBF800000;", 0},
		{"cvt.rzi.s32.f32 %r20, 0f7FC00000;", 0}, // NaN
		{"cvt.rzi.u16.f32 %h1, 0f7FC00000;\ncvt.u32.u16 %r20, %h1;", 0},
		{"cvt.rzi.s64.f32 %d20, 0f7FC00000;", 1 << 63},
		{"cvt.rzi.u64.f32 %d20, 0f7FC00000;", 1 << 63},
		{"cvt.rzi.s32.f64 %r20, 0d7FF8000000000000;", 0x80000000},
		{"cvt.rzi.u32.f64 %r20, 0d7FF8000000000000;", 0x80000000},
		{"cvt.rzi.u64.f64 %d20, 0d7FF8000000000000;", 1 << 63},
		{"cvt.rzi.u64.f64 %d20, 0d43F0000000000000;", 1<<64 - 1},
		{"cvt.rzi.u64.f64 %d20, 0d43E0000000000000;", 1 << 63},
		{"mov.u32 %r1, 16777219;\ncvt.rz.f32.u32 %f1, %r1;\nmov.b32 %r20, %f1;", fbits(16777218)},
		{"cvt.rp.f32.f64 %f1, 0d3FF0000010000000;\nmov.b32 %r20, %f1;", fbits(1) + 1},
		{"cvt.rn.f32.f64 %f1, 0d3FF0000010000000;\nmov.b32 %r20, %f1;", fbits(1)},
		{"cvt.f64.f32 %e1, 0f3FC00000;\nmov.b64 %d20, %e1;", f64bits(1.5)},
		{"cvt.rmi.f32.f32 %f1, 0fC0200000;\nmov.b32 %r20, %f1;", fbits(-3)},
		{"cvt.sat.f32.f32 %f1, 0f40200000;\nmov.b32 %r20, %f1;", fbits(1)},
		{"add.f32 %f1, 0f7F800000, 0fFF800000;\nmov.b32 %r20, %f1;", 0x7fffffff},
		{"add.ftz.f32 %f1, 0f00000001, 0f00000001;\nmov.b32 %r20, %f1;", 0},
		{"add.f32 %f1, 0f00000001, 0f00000001;\nmov.b32 %r20, %f1;", 2},
		{"mul.sat.f32 %f1, 0f40000000, 0f40000000;\nmov.b32 %r20, %f1;", fbits(1)},
		{"fma.rn.f32 %f1, 0f3F800001, 0f3F800001, 0fBF800002;\nmov.b32 %r20, %f1;", 0x28800000},
		{"fma.rn.f64 %e1, 0d3FF0000000000001, 0d3FF0000000000001, 0dBFF0000000000002;\nmov.b64 %d20, %e1;", 0x3970000000000000},
		{"div.rn.f32 %f1, 0f3F800000, 0f40400000;\nmov.b32 %r20, %f1;", 0x3eaaaaab},
		{"rcp.rn.f32 %f1, 0f40400000;\nmov.b32 %r20, %f1;", 0x3eaaaaab},
		{"sqrt.rn.f32 %f1, 0f40000000;\nmov.b32 %r20, %f1;", 0x3fb504f3},
		{"min.f32 %f1, 0f7FC00000, 0f3F800000;\nmov.b32 %r20, %f1;", 0x3f800000},
		{"min.NaN.f32 %f1, 0f7FC00000, 0f3F800000;\nmov.b32 %r20, %f1;", 0x7fffffff},
		{"max.f32 %f1, 0f80000000, 0f00000000;\nmov.b32 %r20, %f1;", 0},
		{"neg.f32 %f1, 0f00000000;\nmov.b32 %r20, %f1;", 0x80000000},
		{"abs.f64 %e1, 0dBFF0000000000000;\nmov.b64 %d20, %e1;", f64bits(1)},
		{"copysign.f32 %f1, 0f80000000, 0f3F800000;\nmov.b32 %r20, %f1;", fbits(-1)},
		// Memory: extension, vectors, spaces, and wider registers.
		{"mov.u32 %r1, 0xfedc;\nst.global.u16 [%d0+8], %r1;\nld.global.s16 %r20, [%d0+8];", 0xfffffedc},
		{"mov.u32 %r1, 0xfedc;\nst.global.u16 [%d0+8], %r1;\nld.global.u8 %d20, [%d0+9];", 0xfe},
		{"mov.u32 %r1, 0xfedc;\nst.global.u16 [%d0+8], %r1;\nld.global.s8 %d20, [%d0+8];", ^uint64(0x23)},
		{"ld.global.nc.L1::no_allocate.v2.u32 {%r1, %r20}, [%d1+8];", 3},
		{"ld.volatile.global.v4.u32 {_, _, %r20, _}, [%d1+16];", 6},
		{"ld.relaxed.gpu.global.u32 %r20, [%d1+16];", 4},
		{"ld.u32 %r20, [%d1+20];", 5},
		{"st.global.cs.v2.b32 [%d0+8], {0f3F800000, 7};\nld.global.cg.u64 %d20, [%d0+8];", 7<<32 | 0x3f800000},
		{".local .align 8 .b8 a[16];\nmov.u64 %d5, a;\ncvta.local.u64 %d6, %d5;\nst.u32 [%d6+4], 9;\nld.local.u32 %r20, [a+4];", 9},
		{"cvta.shared.u64 %d5, 0;\nmov.u32 %r1, tile;\nst.shared.u32 [%r1+4], 9;\nld.u32 %r20, [%d5+4];", 9},
		{"mov.b64 %d5, k_2;\nld.param.u32 %r20, [%d5];", 77},
		{"mov.b64 %d5, k_2;\ncvta.param.u64 %d6, %d5;\nld.u32 %r20, [%d6];", 77},
		{"{ .reg .b32 q; .reg .pred p; setp.eq.u32 p, 0, 0; @p mov.u32 q, 4; mov.u32 %r20, q; }", 4},
		{"membar.gl;\nfence.acq_rel.gpu;\nmov.u32 %r20, 1;", 1},
	} {
		if strings.Contains(tt.code, "k_2") {
			m := NewMemory()
			out := alloc(t, m, 8)
			body := tt.code + "\ncvt.u64.u32 %d20, %r20;\nst.global.u64 [%d0], %d20;"
			_, err := parse(t, kernel(body)).Entry("k").Launch(m, Config{Grid: Dim3{1, 1, 1}, Block: Dim3{1, 1, 1}, Args: []uint64{out, 0, 77}})
			if got := binary.LittleEndian.Uint64(view(t, m, out, 8)); err != nil || got != tt.want {
				t.Errorf("%s: %#x, error %v; want %#x", tt.code, got, err, tt.want)
			}
			continue
		}
		if got := value(t, tt.code); got != tt.want {
			t.Errorf("%s: %#x, want %#x", tt.code, got, tt.want)
		}
	}
}

// TestFMA compares single-precision fma with exact arithmetic in doubles where
// that is exact, and near ties where rounding twice goes wrong.
func TestFMA(t *testing.T) {
	// 1·1 + 2^-24 is a tie between 1 and the next float; a little more or less
	// decides it, but gets lost when a double is rounded first.
	for _, tt := range []struct{ a, b, c, want float32 }{
		{1 + 0x1p-23, 1 + 0x1p-23, 0x1p-70, float32(1 + 0x1p-22 + 0)},
		{0x1p-24 + 0x1p-47, 1, 1, 1 + 0x1p-23},
		{0x1p-24 - 0x1p-48, 1, 1, 1},
		{0x1p-12, 0x1p-12, 1, 1},
		{-0x1p-12, 0x1p-12, 1, 1 - 0x1p-24},
		{0x1.000002p-12, 0x1.000002p-12, 1, 1 + 0x1p-23},
		{3, 4, 5, 17},
	} {
		if got := fma32(tt.a, tt.b, tt.c); got != tt.want {
			t.Errorf("fma(%x, %x, %x) = %x, want %x", tt.a, tt.b, tt.c, got, tt.want)
		}
	}
}

// TestRounding compares directed rounding with exact arithmetic.
func TestRounding(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	number := func() float32 {
		return float32(math.Ldexp(rng.Float64()-0.5, rng.Intn(60)-30))
	}
	exact := func(f float32) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(float64(f)) }
	modes := map[string]big.RoundingMode{"rz": big.ToZero, "rm": big.ToNegativeInf, "rp": big.ToPositiveInf}
	for range 2000 {
		a, b, c := number(), number(), number()
		sum := new(big.Float).SetPrec(2000).Add(exact(a), exact(b))
		product := new(big.Float).SetPrec(2000).Mul(exact(a), exact(b))
		fma := new(big.Float).SetPrec(2000).Add(product, exact(c))
		for round, mode := range modes {
			for op, x := range map[string]*big.Float{"add": sum, "mul": product, "fma": fma} {
				want, _ := new(big.Float).SetPrec(24).SetMode(mode).Set(x).Float32()
				got := f32(arithmetic(op, singleFormat, roundings[round])(fbits(a), fbits(b), fbits(c), 0))
				if got != want {
					t.Fatalf("%s.%s(%x, %x, %x) = %x, want %x", op, round, a, b, c, got, want)
				}
			}
		}
		want, _ := new(big.Float).SetPrec(24).Set(fma).Float32()
		if got := fma32(a, b, c); got != want {
			t.Fatalf("fma(%x, %x, %x) = %x, want %x", a, b, c, got, want)
		}
	}
	for _, tt := range []struct {
		op, round string
		a, b      float32
		want      uint64
	}{
		{"add", "rm", 1, -1, 0x80000000}, {"add", "rz", 1, -1, 0}, {"sub", "rm", 1, 1, 0x80000000}, {"add", "rm", 0, 0, 0},
		{"mul", "rz", math.MaxFloat32, 2, 0x7f7fffff}, {"mul", "rp", math.MaxFloat32, 2, 0x7f800000},
		{"mul", "rp", -math.MaxFloat32, 2, 0xff7fffff}, {"mul", "rm", -math.MaxFloat32, 2, 0xff800000},
		{"add", "rz", float32(math.Inf(1)), 1, 0x7f800000},
	} {
		if got := arithmetic(tt.op, singleFormat, roundings[tt.round])(fbits(tt.a), fbits(tt.b), 0, 0); got != tt.want {
			t.Errorf("%s.%s(%g, %g) = %#x, want %#x", tt.op, tt.round, tt.a, tt.b, got, tt.want)
		}
	}
}

// TestFastLoops compares every hand-written loop with the lane function of
// the same instruction.
func TestFastLoops(t *testing.T) {
	reference := map[string]laneFn{
		"mov": func(a, _, _, _ uint64) uint64 { return a },
		"and": integer("and", false, 64), "or": integer("or", false, 64), "xor": integer("xor", false, 64),
		"add32": integer("add", false, 32), "sub32": integer("sub", false, 32), "add64": integer("add", false, 64),
		"mul.lo32": integer("mul.lo", false, 32), "mad.lo32": integer("mad.lo", false, 32),
		"mul.wide.s32": integer("mul.wide", true, 32), "mul.wide.u32": integer("mul.wide", false, 32),
		"shl32": integer("shl", false, 32), "shl64": integer("shl", false, 64),
		"max.s32":     integer("max", true, 32),
		"cvt.s64.s32": conversion{to: typ{'s', 64}, from: typ{'s', 32}}.lane(),
		"cvt.u32.u64": conversion{to: typ{'u', 32}, from: typ{'u', 64}}.lane(),
		"add.f32":     float("add", singleFormat, floatMods{}),
	}
	if len(reference) != len(fast) {
		t.Errorf("%d references for %d loops", len(reference), len(fast))
	}
	rng := rand.New(rand.NewSource(1))
	for name, f := range fast {
		for range 100 {
			var a, b, c, e, got, want row
			for i := range a {
				a[i], b[i], c[i] = corner(rng), corner(rng), corner(rng)
				if strings.Contains(name, "32") && name != "cvt.u32.u64" {
					a[i], b[i], c[i] = a[i]&mask(32), b[i]&mask(32), c[i]&mask(32)
				}
			}
			f(&got, &a, &b, &c, &e)
			rows(reference[name])(&want, &a, &b, &c, &e)
			if got != want {
				t.Errorf("%s: %s", name, cmp.Diff(want, got))
				break
			}
		}
	}
	for _, cond := range []string{"eq", "ne", "lt", "le", "gt", "ge"} {
		test := compare(cond, typ{'s', 32})
		for range 100 {
			var a, b row
			want := uint32(0)
			for i := range a {
				a[i], b[i] = corner(rng)&mask(32), corner(rng)&mask(32)
				if test(a[i], b[i]) {
					want |= 1 << i
				}
			}
			if got := compareRows(cond, typ{'s', 32}, test)(&a, &b); got != want {
				t.Errorf("%s: %#x, want %#x", cond, got, want)
			}
		}
	}
}

// corner returns a number of a kind that shows mistakes.
func corner(rng *rand.Rand) uint64 {
	switch rng.Intn(4) {
	case 0:
		return uint64(rng.Intn(70))
	case 1:
		return -uint64(rng.Intn(4))
	case 2:
		return 1 << rng.Intn(64)
	}
	return rng.Uint64()
}

// TestUnsupported holds that an instruction that can not be run stops the
// kernel that has it, with line and text, and no other.
func TestUnsupported(t *testing.T) {
	for _, code := range []string{
		"atom.global.add.noftz.v2.f16 {%h1, %h1}, [%d0], {%h1, %h1};", "red.global.exch.b32 [%d0], 1;", "atom.global.exch.b128 %d5, [%d0], %d5;",
		"vote.sync.ballot.pred %p1, %p1, -1;", "bar.arrive 1;", "bar.red.xor.pred %p1, 0, %p1;", "barrier.cluster.arrive;",
		"redux.sync.max.f32 %f1, %f1, -1;", "setmaxnreg.inc.sync.aligned.u32 24;", "fma.rn.relu.f32 %f1, %f1, %f1, %f1;", "add.rn.sat.f64 %e1, %e1, %e1;",
		"add.cc.u16 %h1, %h1, 1;", "madc.wide.u32 %d5, %r5, %r5, %d5;", "vadd.u32.u32.u32 %r5, %r5, %r5;", "cp.async.mbarrier.arrive.shared.b64 [%r5];", "ld.global.b128 %d5, [%d0];",
		"cvt.f16.f32 %h1, %f1;", "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f1;", "testp.odd.f32 %p1, %f1;", "@%p1 call nothing;", "brx.idx %r5, table;", "isspacep.const %p1, %d0;",
		"nonsense.u32 %r5, %r5;", "mov.u32 %r5, nowhere;", "bra nowhere;", "mov.u32 %p1, %r5;", "add.u32 %r5;",
		"dp4a.b32.u32 %r5, %r5, %r5, %r5;", "dp2a.u32.u32 %r5, %r5, %r5, %r5;", "bmsk.b32 %r5, %r5, %r5;", "ld.shared::cluster.u32 %r5, [%r5];", "st.const.u32 [%d0], %r5;",
		"mul.wide.u64 %d5, %d0, %d1;", "shf.l.wrap.b64 %d5, %d0, %d1, %r5;", "lop3.b64 %d5, %d0, %d1, %d2, 3;",
	} {
		src := kernel("\n"+code) + ".visible .entry other() { ret; }\n"
		m := parse(t, src)
		_, err := m.Entry("k").Launch(NewMemory(), Config{Grid: Dim3{1, 1, 1}, Block: Dim3{1, 1, 1}, Args: []uint64{0, 0, 0}})
		var u *Unsupported
		if !errors.As(err, &u) || u.PTXLine != lineOf(t, "\n"+code, code) || u.Kernel != "k" ||
			!strings.Contains(err.Error(), "unsupported") || !strings.Contains(err.Error(), strings.TrimSuffix(code, ";")) {
			t.Errorf("%s: got %v, want it named as unsupported", code, err)
		}
		if _, err := m.Entry("other").Launch(NewMemory(), Config{Grid: Dim3{1, 1, 1}, Block: Dim3{1, 1, 1}}); err != nil {
			t.Errorf("%s: the other kernel: %v", code, err)
		}
	}
}

// TestSink has _ for a result that nobody wants.
func TestSink(t *testing.T) {
	_, out, err := run{body: addresses + "setp.eq.u32 _|%p1, %r0, 3;\nsetp.eq.u32 %p2|_, %r0, 4;\nselp.u32 %r5, 1, 0, %p1;\n@%p2 mov.u32 %r5, 2;\nst.global.u32 [%d2], %r5;"}.launch(t)
	if err != nil || word(out, 3) != 0 || word(out, 4) != 2 || word(out, 5) != 1 {
		t.Errorf("half a setp: got %v, error %v", out[12:24], err)
	}
	_, out, err = run{body: addresses + "mov.u32 %r5, 7;\nld.global.u32 _, [%d3];\nld.global.v2.u32 {_,%r6}, [%d1];\nst.global.u32 [%d2], %r6;"}.launch(t)
	if err != nil || word(out, 0) != 1 {
		t.Errorf("got %d, error %v; want 1", word(out, 0), err)
	}
}

// TestShuffle compares each mode with the pseudocode of the PTX ISA.
func TestShuffle(t *testing.T) {
	for _, tt := range []struct {
		mode string
		b, c int
		want func(lane int) (from int, in bool)
	}{
		{"idx", 5, 31, func(l int) (int, bool) { return 5, true }},
		{"idx", 5, 24<<8 | 7, func(l int) (int, bool) { return l&24 | 5, true }}, // width 8
		{"bfly", 1, 31, func(l int) (int, bool) { return l ^ 1, true }},
		{"up", 3, 0, func(l int) (int, bool) { return l - 3, l >= 3 }},
		{"up", 3, 16 << 8, func(l int) (int, bool) { return l - 3, l&15 >= 3 }}, // width 16
		{"down", 3, 31, func(l int) (int, bool) { return l + 3, l+3 < 32 }},
		{"down", 3, 16<<8 | 15, func(l int) (int, bool) { return l + 3, l&15+3 < 16 }},
	} {
		_, out, err := run{body: addresses + fmt.Sprintf(`shfl.sync.%s.b32 %%r5|%%p1, %%r0, %d, %d, -1;
@%%p1 add.u32 %%r5, %%r5, 1000;
st.global.u32 [%%d2], %%r5;`, tt.mode, tt.b, tt.c)}.launch(t)
		if err != nil {
			t.Fatal(err)
		}
		for lane := range 32 {
			from, in := tt.want(lane)
			want := uint32(lane)
			if in {
				want = uint32(from) + 1000
			}
			if got := word(out, lane); got != want {
				t.Errorf("shfl.%s %d, %#x: lane %d has %d, want %d", tt.mode, tt.b, tt.c, lane, got, want)
			}
		}
	}
	c, _, err := run{body: "shfl.sync.down.b32 %r5, %r0, 16, 31, -1;", block: 20}.launch(t)
	if err != nil || len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "undefined") {
		t.Errorf("a lane that does not exist: notes %v, error %v", c, err)
	}
	_, _, err = run{body: "setp.gt.u32 %p1, %r0, 15;\n@%p1 shfl.sync.down.b32 %r5, %r0, 1, 31, -1;"}.launch(t)
	if f := asFault(t, err); f.Kind != MaskMismatch {
		t.Errorf("half a warp with a full mask: %v", err)
	}
}

// TestDivergence counts requests behind branches: the lanes must be together
// again after the branch, and a loop must run as often as its longest lane.
func TestDivergence(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		requests   []int64
		sum        uint32 // of the output
	}{
		{"if else", addresses + `and.b32 %r5, %r0, 1;
setp.eq.u32 %p1, %r5, 0;
@%p1 bra L;
st.global.u32 [%d2], 1;
bra M;
L: st.global.u32 [%d2], 2;
M: st.global.u32 [%d2+128], 3;`, []int64{1, 1, 1}, 16 + 32 + 96},
		{"loop", addresses + `mov.u32 %r6, 0;
L: st.global.u32 [%d2], %r6;
add.u32 %r6, %r6, 1;
setp.le.u32 %p1, %r6, %r0;
@%p1 bra L;
st.global.u32 [%d2+128], 1;`, []int64{32, 1}, 31*16 + 32},
		{"break and continue", addresses + `mov.u32 %r6, 0;
L: add.u32 %r6, %r6, 1;
setp.gt.u32 %p1, %r6, 10;
@%p1 bra OUT;
and.b32 %r7, %r6, 1;
setp.eq.u32 %p2, %r7, 1;
@%p2 bra L;
setp.gt.u32 %p3, %r6, %r0;
@%p3 bra OUT;
st.global.u32 [%d2], %r6;
bra L;
OUT: st.global.u32 [%d2+128], 1;`, []int64{5, 1}, 2*2 + 2*4 + 2*6 + 2*8 + 22*10 + 32},
		{"code behind the join", addresses + `setp.gt.u32 %p1, %r0, 15;
@%p1 bra COLD;
JOIN: st.global.u32 [%d2], 1;
bra END;
COLD: mov.u32 %r5, 0;
bra JOIN;
END: st.global.u32 [%d2+128], 1;`, []int64{1, 1}, 64},
		{"branch by index", addresses + `and.b32 %r5, %r0, 3;
T: .branchtargets A, B, A, C;
brx.idx %r5, T;
A: st.global.u32 [%d2], 1;
bra D;
B: st.global.u32 [%d2], 2;
C: st.global.u32 [%d2+128], 4;
D: st.global.u32 [%d2+256], 8;`, []int64{1, 1, 1, 1}, 16 + 8*2 + 16*4 + 32*8},
		{"guarded return", addresses + `setp.gt.u32 %p1, %r0, 15;
@%p1 ret;
st.global.u32 [%d2], 1;`, []int64{1}, 16},
		{"return in a branch", addresses + `setp.gt.u32 %p1, %r0, 15;
@%p1 bra A;
setp.gt.u32 %p2, %r0, 7;
@%p2 bra DONE;
st.global.u32 [%d2], 1;
A: bar.warp.sync -1;
bar.sync 0;
st.global.u32 [%d2], 2;
DONE:`, []int64{1, 1}, 24 * 2},
		{"store and return in a branch", addresses + `setp.gt.u32 %p1, %r0, 15;
@%p1 bra A;
setp.gt.u32 %p2, %r0, 7;
@!%p2 bra B;
st.global.u32 [%d2], 5;
bra DONE;
B: st.global.u32 [%d2], 1;
A: bar.sync 0;
st.global.u32 [%d2], 2;
DONE:`, []int64{1, 1, 1}, 8*5 + 24*2},
		{"return in a loop", addresses + `mov.u32 %r6, 0;
L: setp.eq.u32 %p1, %r6, 12;
@%p1 bra DONE;
add.u32 %r6, %r6, 1;
setp.le.u32 %p2, %r6, %r0;
@%p2 bra L;
st.global.u32 [%d2], 1;
DONE:`, []int64{1}, 12},
		{"loop with two exits", addresses + `mov.u32 %r6, 0;
L: setp.eq.u32 %p1, %r6, 12;
@%p1 bra FOUND;
add.u32 %r6, %r6, 1;
setp.le.u32 %p2, %r6, %r0;
@%p2 bra L;
st.global.u32 [%d2], 1;
bra END;
FOUND: st.global.u32 [%d2], 2;
END: st.global.u32 [%d2+128], 1;`, []int64{12, 1, 1}, 12 + 20*2 + 32},
		{"loop whose exit stands before it", addresses + `mov.u32 %r6, 0;
bra L;
OUT: st.global.u32 [%d2+128], 1;
bra END;
L: st.global.u32 [%d2], %r6;
add.u32 %r6, %r6, 1;
setp.gt.u32 %p1, %r6, %r0;
@%p1 bra OUT;
bra L;
END:`, []int64{1, 32}, 31*16 + 32},
		{"nested", addresses + `setp.gt.u32 %p1, %r0, 15;
@%p1 bra A;
setp.gt.u32 %p2, %r0, 7;
@%p2 bra B;
st.global.u32 [%d2], 1;
B: st.global.u32 [%d2+128], 1;
bra C;
A: st.global.u32 [%d2], 1;
C: st.global.u32 [%d2+256], 1;`, []int64{1, 1, 1, 1}, 8 + 16 + 16 + 32},
	} {
		c, out, err := run{body: tt.body}.launch(t)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var got []int64
		for _, a := range c.Accesses {
			got = append(got, a.Requests)
		}
		if d := cmp.Diff(tt.requests, got); d != "" {
			t.Errorf("%s: requests: %s", tt.name, d)
		}
		sum := uint32(0)
		for i := range 1024 {
			sum += word(out, i)
		}
		if sum != tt.sum {
			t.Errorf("%s: the output adds up to %d, want %d", tt.name, sum, tt.sum)
		}
	}
}
