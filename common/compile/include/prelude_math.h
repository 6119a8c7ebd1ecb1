// Bit casts, conversions and the mathematical functions.

// Bit casts.
PRELUDE int __float_as_int(float v) { return __builtin_bit_cast(int, v); }
PRELUDE unsigned __float_as_uint(float v) { return __builtin_bit_cast(unsigned, v); }
PRELUDE float __int_as_float(int v) { return __builtin_bit_cast(float, v); }
PRELUDE float __uint_as_float(unsigned v) { return __builtin_bit_cast(float, v); }
PRELUDE long long __double_as_longlong(double v) { return __builtin_bit_cast(long long, v); }
PRELUDE double __longlong_as_double(long long v) { return __builtin_bit_cast(double, v); }

// Floating-point min and max return the number when the other is a NaN.
PRELUDE float fminf(float a, float b) { return __builtin_fminf(a, b); }
PRELUDE float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
PRELUDE double fmin(double a, double b) { return __builtin_fmin(a, b); }
PRELUDE double fmax(double a, double b) { return __builtin_fmax(a, b); }
PRELUDE float fabsf(float v) { return __builtin_fabsf(v); }
PRELUDE double fabs(double v) { return __builtin_fabs(v); }

PRELUDE float min(float a, float b) { return fminf(a, b); }
PRELUDE float max(float a, float b) { return fmaxf(a, b); }
PRELUDE double min(double a, double b) { return fmin(a, b); }
PRELUDE double max(double a, double b) { return fmax(a, b); }
PRELUDE double min(float a, double b) { return fmin((double)a, b); }
PRELUDE double max(float a, double b) { return fmax((double)a, b); }
PRELUDE double min(double a, float b) { return fmin(a, (double)b); }
PRELUDE double max(double a, float b) { return fmax(a, (double)b); }
PRELUDE float abs(float v) { return fabsf(v); }
PRELUDE double abs(double v) { return fabs(v); }
PRELUDE int abs(int v) { return v < 0 ? -v : v; }
PRELUDE long abs(long v) { return v < 0 ? -v : v; }
PRELUDE long long abs(long long v) { return v < 0 ? -v : v; }

// As in CUDA, an int beside an unsigned becomes unsigned.
#define PRELUDE_MIN_MAX(T, A, B)                                \
  PRELUDE T min(A a, B b) { return (T)b < (T)a ? (T)b : (T)a; } \
  PRELUDE T max(A a, B b) { return (T)a < (T)b ? (T)b : (T)a; }
PRELUDE_MIN_MAX(int, int, int)
PRELUDE_MIN_MAX(unsigned, unsigned, unsigned)
PRELUDE_MIN_MAX(unsigned, int, unsigned)
PRELUDE_MIN_MAX(unsigned, unsigned, int)
PRELUDE_MIN_MAX(long, long, long)
PRELUDE_MIN_MAX(unsigned long, long, unsigned long)
PRELUDE_MIN_MAX(unsigned long, unsigned long, long)
PRELUDE_MIN_MAX(unsigned long long, long long, unsigned long long)
PRELUDE_MIN_MAX(unsigned long long, unsigned long long, long long)
PRELUDE_MIN_MAX(unsigned long, unsigned long, unsigned long)
PRELUDE_MIN_MAX(long long, long long, long long)
PRELUDE_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
#undef PRELUDE_MIN_MAX

// Parts of a double.
PRELUDE int __double2hiint(double v) { return __double_as_longlong(v) >> 32; }
PRELUDE int __double2loint(double v) { return __double_as_longlong(v); }
PRELUDE double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

// The instructions that round as told: to nearest (rn), to zero (rz),
// up (ru) and down (rd), which PTX calls rp and rm.
#define PRELUDE_ROUNDED(mode, ptx)                                                        \
  PRELUDE_OP2(__fadd_##mode, float, "add." ptx ".f32", "f")                               \
  PRELUDE_OP2(__fsub_##mode, float, "sub." ptx ".f32", "f")                               \
  PRELUDE_OP2(__fmul_##mode, float, "mul." ptx ".f32", "f")                               \
  PRELUDE_OP2(__fdiv_##mode, float, "div." ptx ".f32", "f")                               \
  PRELUDE_OP3(__fmaf_##mode, float, "fma." ptx ".f32", "f")                               \
  PRELUDE_OP1(__frcp_##mode, float, float, "rcp." ptx ".f32", "f", "f")                   \
  PRELUDE_OP1(__fsqrt_##mode, float, float, "sqrt." ptx ".f32", "f", "f")                 \
  PRELUDE_OP2(__dadd_##mode, double, "add." ptx ".f64", "d")                              \
  PRELUDE_OP2(__dsub_##mode, double, "sub." ptx ".f64", "d")                              \
  PRELUDE_OP2(__dmul_##mode, double, "mul." ptx ".f64", "d")                              \
  PRELUDE_OP2(__ddiv_##mode, double, "div." ptx ".f64", "d")                              \
  PRELUDE_OP3(__fma_##mode, double, "fma." ptx ".f64", "d")                               \
  PRELUDE_OP1(__drcp_##mode, double, double, "rcp." ptx ".f64", "d", "d")                 \
  PRELUDE_OP1(__dsqrt_##mode, double, double, "sqrt." ptx ".f64", "d", "d")               \
  PRELUDE_OP1(__double2float_##mode, float, double, "cvt." ptx ".f32.f64", "f", "d")      \
  PRELUDE_FROM_INTEGER(float, "f32", "f", mode, ptx)                                      \
  PRELUDE_FROM_INTEGER(double, "f64", "d", mode, ptx)                                     \
  PRELUDE_TO_INTEGER(float, "f32", "f", mode, ptx)                                        \
  PRELUDE_TO_INTEGER(double, "f64", "d", mode, ptx)
#define PRELUDE_OP1(name, T, A, op, r, ra) \
  PRELUDE T name(A a) { T v; asm(op " %0, %1;" : "=" r(v) : ra(a)); return v; }
#define PRELUDE_OP2(name, T, op, r) \
  PRELUDE T name(T a, T b) { T v; asm(op " %0, %1, %2;" : "=" r(v) : r(a), r(b)); return v; }
#define PRELUDE_OP3(name, T, op, r) \
  PRELUDE T name(T a, T b, T c) { T v; asm(op " %0, %1, %2, %3;" : "=" r(v) : r(a), r(b), r(c)); return v; }
#define PRELUDE_FROM_INTEGER(T, type, r, mode, ptx)                                       \
  PRELUDE_OP1(__int2##T##_##mode, T, int, "cvt." ptx "." type ".s32", r, "r")             \
  PRELUDE_OP1(__uint2##T##_##mode, T, unsigned, "cvt." ptx "." type ".u32", r, "r")       \
  PRELUDE_OP1(__ll2##T##_##mode, T, long long, "cvt." ptx "." type ".s64", r, "l")        \
  PRELUDE_OP1(__ull2##T##_##mode, T, unsigned long long, "cvt." ptx "." type ".u64", r, "l")
#define PRELUDE_TO_INTEGER(A, type, r, mode, ptx)                                         \
  PRELUDE_OP1(__##A##2int_##mode, int, A, "cvt." ptx "i.s32." type, "r", r)               \
  PRELUDE_OP1(__##A##2uint_##mode, unsigned, A, "cvt." ptx "i.u32." type, "r", r)         \
  PRELUDE_OP1(__##A##2ll_##mode, long long, A, "cvt." ptx "i.s64." type, "l", r)          \
  PRELUDE_OP1(__##A##2ull_##mode, unsigned long long, A, "cvt." ptx "i.u64." type, "l", r)
PRELUDE_ROUNDED(rn, "rn")
PRELUDE_ROUNDED(rz, "rz")
PRELUDE_ROUNDED(ru, "rp")
PRELUDE_ROUNDED(rd, "rm")
#undef PRELUDE_ROUNDED
#undef PRELUDE_FROM_INTEGER
#undef PRELUDE_TO_INTEGER

// The fast ones, less exact.
PRELUDE_OP1(prelude_ex2, float, float, "ex2.approx.f32", "f", "f")
PRELUDE_OP1(__log2f, float, float, "lg2.approx.f32", "f", "f")
PRELUDE_OP1(__sinf, float, float, "sin.approx.f32", "f", "f")
PRELUDE_OP1(__cosf, float, float, "cos.approx.f32", "f", "f")
PRELUDE_OP1(rsqrtf, float, float, "rsqrt.approx.f32", "f", "f")
PRELUDE_OP1(__saturatef, float, float, "cvt.sat.f32.f32", "f", "f")
PRELUDE_OP2(__fdividef, float, "div.approx.f32", "f")
PRELUDE float __frsqrt_rn(float v) { return rsqrtf(v); }
PRELUDE float __expf(float v) { return prelude_ex2(v * 1.44269504f); }
PRELUDE float __exp10f(float v) { return prelude_ex2(v * 3.32192809f); }
PRELUDE float __logf(float v) { return __log2f(v) * 0.693147181f; }
PRELUDE float __log10f(float v) { return __log2f(v) * 0.301029996f; }
PRELUDE float __powf(float a, float b) { return prelude_ex2(b * __log2f(a)); }
PRELUDE float __tanf(float v) { return __fdividef(__sinf(v), __cosf(v)); }
PRELUDE void __sincosf(float v, float* s, float* c) { *s = __sinf(v), *c = __cosf(v); }
#undef PRELUDE_OP1
#undef PRELUDE_OP2
#undef PRELUDE_OP3

// Signs, kinds, neighbours.
PRELUDE bool isnan(double v) { return v != v; }
PRELUDE bool isinf(double v) { return fabs(v) == __builtin_inf(); }
PRELUDE bool isfinite(double v) { return fabs(v) < __builtin_inf(); }
PRELUDE bool signbit(double v) { return __double_as_longlong(v) < 0; }
PRELUDE double copysign(double a, double b) { return __builtin_copysign(a, b); }
PRELUDE float copysignf(float a, float b) { return __builtin_copysignf(a, b); }
PRELUDE double nan(const char*) { return __builtin_nan(""); }
PRELUDE float nanf(const char*) { return __builtin_nanf(""); }

// What an instruction or two does exactly. rint rounds halves to even.
#define PRELUDE_EXACT(name, how)                      \
  PRELUDE float name##f(float v) { return how##f(v); } \
  PRELUDE double name(double v) { return how(v); }
PRELUDE_EXACT(floor, __builtin_floor)
PRELUDE_EXACT(ceil, __builtin_ceil)
PRELUDE_EXACT(trunc, __builtin_trunc)
PRELUDE_EXACT(rint, __builtin_rint)
PRELUDE_EXACT(nearbyint, __builtin_nearbyint)
#undef PRELUDE_EXACT
PRELUDE double round(double v) { return copysign(trunc(fabs(v) + 0.49999999999999994), v); }
PRELUDE float roundf(float v) { return copysignf(truncf(fabsf(v) + 0.49999997f), v); }
PRELUDE float sqrtf(float v) { return __fsqrt_rn(v); }
PRELUDE double sqrt(double v) { return __dsqrt_rn(v); }
PRELUDE double rsqrt(double v) { return 1 / sqrt(v); }
PRELUDE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
PRELUDE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
PRELUDE float fdividef(float a, float b) { return a / b; }
PRELUDE float fdimf(float a, float b) { return a <= b ? 0 : a - b; }
PRELUDE double fdim(double a, double b) { return a <= b ? 0 : a - b; }
PRELUDE float saturatef(float v) { return __saturatef(v); }
PRELUDE long lrint(double v) { return __double2ll_rn(v); }
PRELUDE long lrintf(float v) { return __float2ll_rn(v); }
PRELUDE long lround(double v) { return round(v); }
PRELUDE long lroundf(float v) { return roundf(v); }
PRELUDE long long llrint(double v) { return __double2ll_rn(v); }
PRELUDE long long llround(double v) { return round(v); }

#include "prelude_series.h"

// A float's function is the double's, rounded.
#define PRELUDE_FLOAT1(name) \
  PRELUDE float name##f(float v) { return name((double)v); }
#define PRELUDE_FLOAT2(name) \
  PRELUDE float name##f(float a, float b) { return name((double)a, (double)b); }
PRELUDE_FLOAT1(exp)
PRELUDE_FLOAT1(exp2)
PRELUDE_FLOAT1(exp10)
PRELUDE_FLOAT1(expm1)
PRELUDE_FLOAT1(log)
PRELUDE_FLOAT1(log2)
PRELUDE_FLOAT1(log10)
PRELUDE_FLOAT1(log1p)
PRELUDE_FLOAT1(sin)
PRELUDE_FLOAT1(cos)
PRELUDE_FLOAT1(tan)
PRELUDE_FLOAT1(sinpi)
PRELUDE_FLOAT1(cospi)
PRELUDE_FLOAT1(asin)
PRELUDE_FLOAT1(acos)
PRELUDE_FLOAT1(atan)
PRELUDE_FLOAT1(sinh)
PRELUDE_FLOAT1(cosh)
PRELUDE_FLOAT1(tanh)
PRELUDE_FLOAT1(asinh)
PRELUDE_FLOAT1(acosh)
PRELUDE_FLOAT1(atanh)
PRELUDE_FLOAT1(cbrt)
PRELUDE_FLOAT1(rcbrt)
PRELUDE_FLOAT1(erf)
PRELUDE_FLOAT1(erfc)
PRELUDE_FLOAT1(lgamma)
PRELUDE_FLOAT1(tgamma)
PRELUDE_FLOAT2(pow)
PRELUDE_FLOAT2(atan2)
PRELUDE_FLOAT2(hypot)
PRELUDE_FLOAT2(fmod)
PRELUDE_FLOAT2(remainder)
#undef PRELUDE_FLOAT1
#undef PRELUDE_FLOAT2
PRELUDE float ldexpf(float v, int e) { return ldexp((double)v, e); }
PRELUDE float scalbnf(float v, int e) { return ldexp((double)v, e); }
PRELUDE float frexpf(float v, int* e) { return frexp((double)v, e); }
PRELUDE float modff(float v, float* whole) { *whole = truncf(v); return copysignf(isinf(v) ? 0 : v - *whole, v); }
PRELUDE void sincosf(float v, float* s, float* c) { *s = sinf(v), *c = cosf(v); }
PRELUDE void sincospif(float v, float* s, float* c) { *s = sinpif(v), *c = cospif(v); }

// C++ calls them by the double's name with a float too, which stays a float, and
// with an integer, which becomes a double.
#define PRELUDE_OVERLOAD1(name)                        \
  PRELUDE float name(float v) { return name##f(v); }   \
  template <class T, prelude_if<__is_integral(T)> = 0> \
  PRELUDE double name(T v) { return name((double)v); }
#define PRELUDE_OVERLOAD2(name)                                       \
  PRELUDE float name(float a, float b) { return name##f(a, b); }      \
  template <class T, class U, prelude_if<__is_arithmetic(T) && __is_arithmetic(U)> = 0> \
  PRELUDE double name(T a, U b) { return name((double)a, (double)b); }
template <bool>
struct prelude_when {};
template <>
struct prelude_when<true> { typedef int type; };
template <bool holds>
using prelude_if = typename prelude_when<holds>::type;
PRELUDE_OVERLOAD1(floor)
PRELUDE_OVERLOAD1(ceil)
PRELUDE_OVERLOAD1(trunc)
PRELUDE_OVERLOAD1(rint)
PRELUDE_OVERLOAD1(nearbyint)
PRELUDE_OVERLOAD1(round)
PRELUDE_OVERLOAD1(sqrt)
PRELUDE_OVERLOAD1(rsqrt)
PRELUDE_OVERLOAD1(fabs)
PRELUDE_OVERLOAD1(exp)
PRELUDE_OVERLOAD1(exp2)
PRELUDE_OVERLOAD1(expm1)
PRELUDE_OVERLOAD1(log)
PRELUDE_OVERLOAD1(log2)
PRELUDE_OVERLOAD1(log10)
PRELUDE_OVERLOAD1(log1p)
PRELUDE_OVERLOAD1(sin)
PRELUDE_OVERLOAD1(cos)
PRELUDE_OVERLOAD1(tan)
PRELUDE_OVERLOAD1(asin)
PRELUDE_OVERLOAD1(acos)
PRELUDE_OVERLOAD1(atan)
PRELUDE_OVERLOAD1(sinh)
PRELUDE_OVERLOAD1(cosh)
PRELUDE_OVERLOAD1(tanh)
PRELUDE_OVERLOAD1(asinh)
PRELUDE_OVERLOAD1(acosh)
PRELUDE_OVERLOAD1(atanh)
PRELUDE_OVERLOAD1(cbrt)
PRELUDE_OVERLOAD1(erf)
PRELUDE_OVERLOAD1(erfc)
PRELUDE_OVERLOAD1(lgamma)
PRELUDE_OVERLOAD1(tgamma)
PRELUDE_OVERLOAD2(pow)
PRELUDE_OVERLOAD2(atan2)
PRELUDE_OVERLOAD2(hypot)
PRELUDE_OVERLOAD2(fmod)
PRELUDE_OVERLOAD2(fmin)
PRELUDE_OVERLOAD2(fmax)
PRELUDE_OVERLOAD2(copysign)
PRELUDE_OVERLOAD2(fdim)
PRELUDE_OVERLOAD2(remainder)
#undef PRELUDE_OVERLOAD1
#undef PRELUDE_OVERLOAD2
PRELUDE float fma(float a, float b, float c) { return fmaf(a, b, c); }
PRELUDE float ldexp(float v, int e) { return ldexpf(v, e); }
PRELUDE float frexp(float v, int* e) { return frexpf(v, e); }
PRELUDE float modf(float v, float* whole) { return modff(v, whole); }
PRELUDE long lround(float v) { return lroundf(v); }
PRELUDE long lrint(float v) { return lrintf(v); }
