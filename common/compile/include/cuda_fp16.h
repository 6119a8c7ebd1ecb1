// Half precision: its arithmetic is instructions of an sm_53; the rest goes by float, exactly.
#pragma once

PRELUDE_BEGIN
struct __align__(2) __half {
  unsigned short bits;
  __half() = default;
  __host__ __device__ __half(float v) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(v)); }
  __host__ __device__ __half(double v) { asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(v)); }
  __host__ __device__ __half(int v) : __half((float)v) {}
  __host__ __device__ __half(unsigned v) : __half((float)v) {}
  __host__ __device__ __half(long long v) : __half((float)v) {}
  __host__ __device__ __half(unsigned long long v) : __half((float)v) {}
  __host__ __device__ operator float() const {
    float v;
    asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(bits));
    return v;
  }
};
struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(__half x, __half y) : x(x), y(y) {}
};
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
struct __half_raw { unsigned short x; };

#define PRELUDE_HALF(name, op)                                                             \
  PRELUDE __half name(__half a, __half b) {                                                \
    __half v;                                                                              \
    asm(op ".f16 %0, %1, %2;" : "=h"(v.bits) : "h"(a.bits), "h"(b.bits));                  \
    return v;                                                                              \
  }                                                                                        \
  PRELUDE __half2 name(__half2 a, __half2 b) {                                             \
    unsigned v;                                                                            \
    asm(op ".f16x2 %0, %1, %2;" : "=r"(v)                                                  \
        : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)));     \
    return __builtin_bit_cast(__half2, v);                                                 \
  }
PRELUDE_HALF(prelude_add, "add")
PRELUDE_HALF(prelude_sub, "sub")
PRELUDE_HALF(prelude_mul, "mul")
#undef PRELUDE_HALF
PRELUDE __half prelude_fma(__half a, __half b, __half c) {
  __half v;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(v.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
  return v;
}
PRELUDE __half2 prelude_fma(__half2 a, __half2 b, __half2 c) {
  unsigned v;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(v)
      : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)), "r"(__builtin_bit_cast(unsigned, c)));
  return __builtin_bit_cast(__half2, v);
}

#define HALF __half
#define HALF2 __half2
#include "prelude_half.h"
#undef HALF
#undef HALF2

// Conversions.
PRELUDE __half __float2half(float v) { return __half(v); }
PRELUDE __half __double2half(double v) { return __half(v); }
PRELUDE float __half2float(__half v) { return v; }
PRELUDE short __half_as_short(__half v) { return v.bits; }
PRELUDE unsigned short __half_as_ushort(__half v) { return v.bits; }
PRELUDE __half __short_as_half(short v) { return __builtin_bit_cast(__half, v); }
PRELUDE __half __ushort_as_half(unsigned short v) { return __builtin_bit_cast(__half, v); }
PRELUDE __half2 __float2half2_rn(float v) { return __half2(__half(v), __half(v)); }
PRELUDE __half2 __floats2half2_rn(float x, float y) { return __half2(__half(x), __half(y)); }
PRELUDE __half2 __float22half2_rn(float2 v) { return __half2(__half(v.x), __half(v.y)); }
PRELUDE float2 __half22float2(__half2 v) { return make_float2(v.x, v.y); }
PRELUDE __half2 __half2half2(__half v) { return __half2(v, v); }
PRELUDE __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
PRELUDE __half2 make_half2(__half x, __half y) { return __half2(x, y); }
PRELUDE __half __low2half(__half2 v) { return v.x; }
PRELUDE __half __high2half(__half2 v) { return v.y; }
PRELUDE float __low2float(__half2 v) { return v.x; }
PRELUDE float __high2float(__half2 v) { return v.y; }
PRELUDE __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
PRELUDE __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
PRELUDE __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
PRELUDE __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
PRELUDE __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
#define PRELUDE_HALF_ROUNDED(mode, ptx)                                                     \
  PRELUDE __half __float2half_##mode(float v) {                                            \
    __half h;                                                                              \
    asm("cvt." ptx ".f16.f32 %0, %1;" : "=h"(h.bits) : "f"(v));                          \
    return h;                                                                              \
  }                                                                                        \
  PRELUDE __half __int2half_##mode(int v) { return __float2half_##mode(__int2float_##mode(v)); } \
  PRELUDE __half __uint2half_##mode(unsigned v) { return __float2half_##mode(__uint2float_##mode(v)); } \
  PRELUDE __half __short2half_##mode(short v) { return __float2half_##mode(v); }           \
  PRELUDE __half __ushort2half_##mode(unsigned short v) { return __float2half_##mode(v); } \
  PRELUDE int __half2int_##mode(__half v) { return __float2int_##mode(v); }                \
  PRELUDE unsigned __half2uint_##mode(__half v) { return __float2uint_##mode(v); }         \
  PRELUDE short __half2short_##mode(__half v) {                                            \
    return max(-32768, min(32767, __float2int_##mode(v)));                                 \
  }                                                                                        \
  PRELUDE unsigned short __half2ushort_##mode(__half v) { return min(65535u, __float2uint_##mode(v)); }
PRELUDE_HALF_ROUNDED(rn, "rn")
PRELUDE_HALF_ROUNDED(rz, "rz")
PRELUDE_HALF_ROUNDED(ru, "rp")
PRELUDE_HALF_ROUNDED(rd, "rm")
#undef PRELUDE_HALF_ROUNDED

PRELUDE __half atomicAdd(__half* p, __half v) {
  __half old;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old.bits) : "l"(p), "h"(v.bits) : "memory");
  return old;
}
PRELUDE __half2 atomicAdd(__half2* p, __half2 v) {
  unsigned old;
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
               : "=r"(old) : "l"(p), "r"(__builtin_bit_cast(unsigned, v)) : "memory");
  return __builtin_bit_cast(__half2, old);
}
PRELUDE_END
