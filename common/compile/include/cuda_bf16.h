// bfloat16, the upper half of a float: all of it goes by float and rounds to
// nearest even, as on cards that have no instructions for it.
#pragma once

PRELUDE_BEGIN
struct __align__(2) __nv_bfloat16 {
  unsigned short bits;
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(float v) {
    unsigned u = __float_as_uint(v);
    bits = v != v ? 0x7fff : (u + 0x7fff + (u >> 16 & 1)) >> 16;
  }
  __host__ __device__ __nv_bfloat16(double v) : __nv_bfloat16((float)v) {}
  __host__ __device__ __nv_bfloat16(int v) : __nv_bfloat16((float)v) {}
  __host__ __device__ __nv_bfloat16(unsigned v) : __nv_bfloat16((float)v) {}
  __host__ __device__ operator float() const { return __uint_as_float((unsigned)bits << 16); }
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) : x(x), y(y) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define PRELUDE_BFLOAT(name, op)                                                                         \
  PRELUDE __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a op (float)b); } \
  PRELUDE __nv_bfloat162 name(__nv_bfloat162 a, __nv_bfloat162 b) {                                      \
    return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y));                                               \
  }
PRELUDE_BFLOAT(prelude_add, +)
PRELUDE_BFLOAT(prelude_sub, -)
PRELUDE_BFLOAT(prelude_mul, *)
#undef PRELUDE_BFLOAT
PRELUDE __nv_bfloat16 prelude_fma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __nv_bfloat16(fmaf(a, b, c));
}
PRELUDE __nv_bfloat162 prelude_fma(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return __nv_bfloat162(prelude_fma(a.x, b.x, c.x), prelude_fma(a.y, b.y, c.y));
}

#define HALF __nv_bfloat16
#define HALF2 __nv_bfloat162
#include "prelude_half.h"
#undef HALF
#undef HALF2

// Conversions.
PRELUDE __nv_bfloat16 __float2bfloat16(float v) { return __nv_bfloat16(v); }
PRELUDE __nv_bfloat16 __float2bfloat16_rn(float v) { return __nv_bfloat16(v); }
PRELUDE __nv_bfloat16 __float2bfloat16_rz(float v) {
  return v != v ? __nv_bfloat16(v) : __builtin_bit_cast(__nv_bfloat16, (unsigned short)(__float_as_uint(v) >> 16));
}
PRELUDE __nv_bfloat16 __double2bfloat16(double v) { return __nv_bfloat16(v); }
PRELUDE float __bfloat162float(__nv_bfloat16 v) { return v; }
PRELUDE __nv_bfloat16 __int2bfloat16_rn(int v) { return __nv_bfloat16(v); }
PRELUDE int __bfloat162int_rz(__nv_bfloat16 v) { return __float2int_rz(v); }
PRELUDE int __bfloat162int_rn(__nv_bfloat16 v) { return __float2int_rn(v); }
PRELUDE short __bfloat16_as_short(__nv_bfloat16 v) { return v.bits; }
PRELUDE unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) { return v.bits; }
PRELUDE __nv_bfloat16 __short_as_bfloat16(short v) { return __builtin_bit_cast(__nv_bfloat16, v); }
PRELUDE __nv_bfloat16 __ushort_as_bfloat16(unsigned short v) { return __builtin_bit_cast(__nv_bfloat16, v); }
PRELUDE __nv_bfloat162 __float2bfloat162_rn(float v) { return __nv_bfloat162(v, v); }
PRELUDE __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return __nv_bfloat162(x, y); }
PRELUDE __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __nv_bfloat162(v.x, v.y); }
PRELUDE float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2(v.x, v.y); }
PRELUDE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 v) { return __nv_bfloat162(v, v); }
PRELUDE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
PRELUDE __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
PRELUDE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
PRELUDE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
PRELUDE float __low2float(__nv_bfloat162 v) { return v.x; }
PRELUDE float __high2float(__nv_bfloat162 v) { return v.y; }
PRELUDE __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.x); }

PRELUDE __nv_bfloat16 atomicAdd(__nv_bfloat16* p, __nv_bfloat16 v) {
  unsigned short* bits = (unsigned short*)p;
  unsigned short old = *(volatile unsigned short*)bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, (__ushort_as_bfloat16(seen) + v).bits);
  } while (old != seen);
  return __ushort_as_bfloat16(old);
}
PRELUDE __nv_bfloat162 atomicAdd(__nv_bfloat162* p, __nv_bfloat162 v) {
  unsigned* bits = (unsigned*)p;
  unsigned old = *(volatile unsigned*)bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, __builtin_bit_cast(unsigned, __builtin_bit_cast(__nv_bfloat162, seen) + v));
  } while (old != seen);
  return __builtin_bit_cast(__nv_bfloat162, old);
}
PRELUDE_END
