// Double precision of all pairs of 16 special numbers, NaNs among them. Writes 34 × 256 words.
#define PUT(i, v) out[256 * (2 * (i)) + threadIdx.x] = __double_as_longlong(v) >> 32, out[256 * (2 * (i) + 1) + threadIdx.x] = __double_as_longlong(v)
#define D1(i, op) asm(op " %0, %1;" : "=d"(d) : "d"(x)); PUT(i, d)
#define D2(i, op) asm(op " %0, %1, %2;" : "=d"(d) : "d"(x), "d"(y)); PUT(i, d)
#define D3(i, op) asm(op " %0, %1, %2, %3;" : "=d"(d) : "d"(x), "d"(y), "d"(z)); PUT(i, d)

extern "C" __global__ void doubles(unsigned* out) {
  const unsigned long long special[16] = {
      0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800fffffffffffff, 0x0010000000000000, 0x3ff0000000000000,
      0xbff0000000000001, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
      0xfff8123400005678, 0x7ff4000000001234, 0x4330000000000001, 0xfff0000000000001};
  int t = threadIdx.x;
  double x = __longlong_as_double(special[t / 16]), y = __longlong_as_double(special[t % 16]);
  double z = __longlong_as_double(special[(t + t / 16 * 3) % 16]), d;
  D2(0, "add.rn.f64");
  D2(1, "sub.rn.f64");
  D2(2, "mul.rn.f64");
  D3(3, "fma.rn.f64");
  D2(4, "div.rn.f64");
  D1(5, "rcp.rn.f64");
  D1(6, "sqrt.rn.f64");
  D2(7, "min.f64");
  D2(8, "max.f64");
  D1(9, "neg.f64");
  D1(10, "abs.f64");
  D1(11, "rcp.approx.ftz.f64");
  D1(12, "rsqrt.approx.ftz.f64");
  D1(13, "cvt.rni.f64.f64");
  float f;
  asm("cvt.rn.f32.f64 %0, %1;" : "=f"(f) : "d"(x));
  out[256 * 28 + t] = __float_as_uint(f);
  asm("cvt.rn.f32.f64 %0, %1;" : "=f"(f) : "d"(y));
  out[256 * 29 + t] = __float_as_uint(f);
  unsigned short h;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(h) : "d"(x));
  out[256 * 30 + t] = h;
  asm("cvt.rzi.f32.f32 %0, %1;" : "=f"(f) : "f"(__int_as_float((unsigned)special[t % 16] | (unsigned)(special[t % 16] >> 32))));
  out[256 * 31 + t] = __float_as_uint(f);
  D2(16, "copysign.f64");
}
