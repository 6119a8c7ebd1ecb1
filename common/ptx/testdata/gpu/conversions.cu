// Conversions between floats of 16, 32 and 64 bits and integers (compute 9.0), of special
// numbers and of random bits. Writes 16 × 256 words.

__device__ unsigned hash(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

// mix sums up results, so that each counts.
__device__ void mix(unsigned long long& sum, unsigned long long x) { sum = (sum ^ x) * 0x9e3779b97f4a7c15ull + (sum >> 29); }

#define TO16(op, kind, x) { unsigned short d; asm(op " %0, %1;" : "=h"(d) : kind(x)); mix(sum, d); }
#define TO32(op, kind, x) { unsigned d; asm(op " %0, %1;" : "=r"(d) : kind(x)); mix(sum, d); }
#define TO64(op, kind, x) { unsigned long long d; asm(op " %0, %1;" : "=l"(d) : kind(x)); mix(sum, d); }
#define TOF(op, kind, x) { float d; asm(op " %0, %1;" : "=f"(d) : kind(x)); mix(sum, __float_as_uint(d)); }
#define TOD(op, kind, x) { double d; asm(op " %0, %1;" : "=d"(d) : kind(x)); mix(sum, __double_as_longlong(d)); }
#define END(i) out[256 * (i) + threadIdx.x] = sum ^ sum >> 32; sum = 0

extern "C" __global__ void conversions(unsigned* out) {
  const unsigned short halves[8] = {0x0001, 0x83ff, 0x7bff, 0x7c00, 0x3800, 0xc100, 0x7e12, 0xfd01};
  const unsigned singles[16] = {0x33000000, 0x33000001, 0x33800000, 0x387fe000, 0x477fefff, 0x477ff000, 0x3f803000, 0x3f808000,
                                0x7f7fffff, 0xff800000, 0x80000001, 0x4f000000, 0xcf000001, 0x5f800000, 0xc0200000, 0x3f000000};
  int t = threadIdx.x;
  unsigned h = hash(t), g = hash(h);
  unsigned short s = t < 8 ? halves[t] : h;
  unsigned u = t < 16 ? singles[t] : t % 2 ? h : h & 0x81ffffff | 0x3e000000;
  if (t % 4 == 3) u = h & 0x87ffffff | 0x48000000;  // about as large as an integer
  float f = __uint_as_float(u);
  unsigned long long v = (unsigned long long)g << 32 | h;
  if (t % 3 == 0) v >>= g % 64;
  double x = __longlong_as_double(t % 2 ? v : v & 0x81ffffffffffffffull | 0x3e00000000000000ull);
  if (t % 4 == 1) x = (double)f * (1 + h * 0x1p-50);
  unsigned long long sum = 0;
  TO16("cvt.rn.f16.f32", "f", f); TO16("cvt.rz.f16.f32", "f", f); TO16("cvt.rm.f16.f32", "f", f); TO16("cvt.rp.f16.f32", "f", f);
  END(0);
  TO16("cvt.rn.relu.f16.f32", "f", f); TO16("cvt.rn.sat.f16.f32", "f", f); TO16("cvt.rn.ftz.f16.f32", "f", f);
  END(1);
  TO16("cvt.rn.f16.f64", "d", x); TO16("cvt.rz.f16.f64", "d", x);
  END(2);
  TO16("cvt.rn.bf16.f32", "f", f); TO16("cvt.rz.bf16.f32", "f", f); TO16("cvt.rn.relu.bf16.f32", "f", f);
  END(3);
  TOF("cvt.f32.f16", "h", s); TOD("cvt.f64.f16", "h", s); TOF("cvt.f32.bf16", "h", s); TOF("cvt.ftz.f32.f16", "h", s);
  END(4);
  TO16("cvt.rni.f16.f16", "h", s); TO16("cvt.rzi.f16.f16", "h", s); TO16("cvt.rmi.f16.f16", "h", s); TO16("cvt.rpi.f16.f16", "h", s);
  END(5);
  TO32("cvt.rzi.s32.f16", "h", s); TO32("cvt.rni.u32.f16", "h", s); TO16("cvt.rpi.s16.f16", "h", s); TO16("cvt.rmi.u16.f16", "h", s);
  TO64("cvt.rzi.s64.f16", "h", s); TO64("cvt.rzi.u64.f16", "h", s);
  END(6);
  TO16("cvt.rn.f16.s32", "r", u); TO16("cvt.rz.f16.u32", "r", u); TO16("cvt.rp.f16.s16", "h", s); TO16("cvt.rm.f16.u64", "l", v);
  END(7);
  TO16("cvt.rn.bf16.s32", "r", u); TO16("cvt.rn.bf16.u16", "h", s); TO16("cvt.rn.bf16.u64", "l", v);
  END(8);
  TOF("cvt.rn.f32.u64", "l", v); TOF("cvt.rz.f32.u64", "l", v); TOF("cvt.rm.f32.s64", "l", v); TOF("cvt.rp.f32.s64", "l", v);
  END(9);
  TOD("cvt.rn.f64.u64", "l", v); TOD("cvt.rz.f64.u64", "l", v); TOD("cvt.rm.f64.s64", "l", v); TOD("cvt.rp.f64.s64", "l", v);
  END(10);
  TOF("cvt.rn.f32.f64", "d", x); TOF("cvt.rz.f32.f64", "d", x); TOF("cvt.rm.f32.f64", "d", x); TOF("cvt.rp.f32.f64", "d", x);
  END(11);
  TOD("cvt.f64.f32", "f", f); TOD("cvt.ftz.f64.f32", "f", f); TOF("cvt.sat.f32.f32", "f", f); TOF("cvt.rni.f32.f32", "f", f);
  END(12);
  TO32("cvt.rni.s32.f32", "f", f); TO32("cvt.rzi.u32.f32", "f", f); TO64("cvt.rmi.s64.f32", "f", f); TO64("cvt.rpi.u64.f32", "f", f);
  END(13);
  TO32("cvt.rni.s32.f64", "d", x); TO32("cvt.rzi.u32.f64", "d", x); TO64("cvt.rmi.s64.f64", "d", x); TO64("cvt.rpi.u64.f64", "d", x);
  END(14);
  unsigned d;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(f), "f"(f * 3)); mix(sum, d);
  asm("cvt.rz.bf16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(f), "f"(f * 3)); mix(sum, d);
  END(15);
}
