// What __half and __nv_bfloat16 have in common, once for each: HALF is the type,
// HALF2 two of it. The includer has defined how they become floats and back, and
// prelude_add, _sub, _mul and _fma of both. No guard, on purpose.

#define HALF_BITS(v) __builtin_bit_cast(unsigned short, v)
#define HALF_OF(bits) __builtin_bit_cast(HALF, (unsigned short)(bits))

// Arithmetic, by name and by operator. A quotient of floats, rounded once more, is exact.
#define HALF_ARITHMETIC(T, suffix)                                                      \
  PRELUDE T __hadd##suffix(T a, T b) { return prelude_add(a, b); }                      \
  PRELUDE T __hsub##suffix(T a, T b) { return prelude_sub(a, b); }                      \
  PRELUDE T __hmul##suffix(T a, T b) { return prelude_mul(a, b); }                      \
  PRELUDE T __hfma##suffix(T a, T b, T c) { return prelude_fma(a, b, c); }              \
  PRELUDE T __hadd##suffix##_rn(T a, T b) { return prelude_add(a, b); }                 \
  PRELUDE T __hsub##suffix##_rn(T a, T b) { return prelude_sub(a, b); }                 \
  PRELUDE T __hmul##suffix##_rn(T a, T b) { return prelude_mul(a, b); }                 \
  PRELUDE T operator+(T a, T b) { return prelude_add(a, b); }                           \
  PRELUDE T operator-(T a, T b) { return prelude_sub(a, b); }                           \
  PRELUDE T operator*(T a, T b) { return prelude_mul(a, b); }                           \
  PRELUDE T operator/(T a, T b) { return prelude_div(a, b); }                           \
  PRELUDE T operator-(T a) { return __hneg##suffix(a); }                                \
  PRELUDE T operator+(T a) { return a; }                                                \
  PRELUDE T& operator+=(T& a, T b) { return a = a + b; }                                \
  PRELUDE T& operator-=(T& a, T b) { return a = a - b; }                                \
  PRELUDE T& operator*=(T& a, T b) { return a = a * b; }                                \
  PRELUDE T& operator/=(T& a, T b) { return a = a / b; }
PRELUDE HALF prelude_div(HALF a, HALF b) { return HALF((float)a / (float)b); }
PRELUDE HALF __hdiv(HALF a, HALF b) { return prelude_div(a, b); }
PRELUDE HALF __hneg(HALF a) { return HALF_OF(HALF_BITS(a) ^ 0x8000); }
PRELUDE HALF __habs(HALF a) { return HALF_OF(HALF_BITS(a) & 0x7fff); }
PRELUDE HALF2 prelude_div(HALF2 a, HALF2 b) { return HALF2(a.x / b.x, a.y / b.y); }
PRELUDE HALF2 __h2div(HALF2 a, HALF2 b) { return prelude_div(a, b); }
PRELUDE HALF2 __hneg2(HALF2 a) { return HALF2(__hneg(a.x), __hneg(a.y)); }
PRELUDE HALF2 __habs2(HALF2 a) { return HALF2(__habs(a.x), __habs(a.y)); }
HALF_ARITHMETIC(HALF, )
HALF_ARITHMETIC(HALF2, 2)
#undef HALF_ARITHMETIC

// Held between 0 and 1, where a NaN becomes 0; and at 0 or more, where it stays one.
PRELUDE HALF prelude_sat(HALF a) { return HALF(__saturatef(a)); }
PRELUDE HALF2 prelude_sat(HALF2 a) { return HALF2(prelude_sat(a.x), prelude_sat(a.y)); }
PRELUDE HALF prelude_relu(HALF a) { return (float)a < 0 ? HALF(0.f) : a; }
PRELUDE HALF2 prelude_relu(HALF2 a) { return HALF2(prelude_relu(a.x), prelude_relu(a.y)); }
#define HALF_HELD(T, suffix)                                                            \
  PRELUDE T __hadd##suffix##_sat(T a, T b) { return prelude_sat(prelude_add(a, b)); }   \
  PRELUDE T __hsub##suffix##_sat(T a, T b) { return prelude_sat(prelude_sub(a, b)); }   \
  PRELUDE T __hmul##suffix##_sat(T a, T b) { return prelude_sat(prelude_mul(a, b)); }   \
  PRELUDE T __hfma##suffix##_sat(T a, T b, T c) { return prelude_sat(prelude_fma(a, b, c)); } \
  PRELUDE T __hfma##suffix##_relu(T a, T b, T c) { return prelude_relu(prelude_fma(a, b, c)); }
HALF_HELD(HALF, )
HALF_HELD(HALF2, 2)
#undef HALF_HELD

// The smaller and the greater: the number where the other is a NaN.
PRELUDE HALF __hmin(HALF a, HALF b) { return HALF(fminf(a, b)); }
PRELUDE HALF __hmax(HALF a, HALF b) { return HALF(fmaxf(a, b)); }
PRELUDE HALF2 __hmin2(HALF2 a, HALF2 b) { return HALF2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
PRELUDE HALF2 __hmax2(HALF2 a, HALF2 b) { return HALF2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
PRELUDE HALF __hmin_nan(HALF a, HALF b) { return isnan((float)a) || isnan((float)b) ? HALF_OF(0x7fff) : __hmin(a, b); }
PRELUDE HALF __hmax_nan(HALF a, HALF b) { return isnan((float)a) || isnan((float)b) ? HALF_OF(0x7fff) : __hmax(a, b); }
PRELUDE bool __hisnan(HALF a) { return isnan((float)a); }
PRELUDE int __hisinf(HALF a) { return isinf((float)a) ? (float)a < 0 ? -1 : 1 : 0; }

// Comparisons; those with a u also hold where one is a NaN.
#define HALF_COMPARE(name, op)                                                          \
  PRELUDE bool __h##name(HALF a, HALF b) { return (float)a op (float)b; }               \
  PRELUDE bool __h##name##u(HALF a, HALF b) { return isnan((float)a) || isnan((float)b) || (float)a op (float)b; } \
  PRELUDE HALF2 __h##name##2(HALF2 a, HALF2 b) {                                        \
    return HALF2(HALF(__h##name(a.x, b.x) ? 1.f : 0.f), HALF(__h##name(a.y, b.y) ? 1.f : 0.f)); \
  }                                                                                     \
  PRELUDE bool __hb##name##2(HALF2 a, HALF2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
  PRELUDE bool operator op(HALF a, HALF b) { return (float)a op (float)b; }
HALF_COMPARE(eq, ==)
HALF_COMPARE(ne, !=)
HALF_COMPARE(lt, <)
HALF_COMPARE(le, <=)
HALF_COMPARE(gt, >)
HALF_COMPARE(ge, >=)
#undef HALF_COMPARE

#define HALF_FUNCTION(name)                                 \
  PRELUDE HALF h##name(HALF v) { return HALF(name##f(v)); } \
  PRELUDE HALF2 h2##name(HALF2 v) { return HALF2(h##name(v.x), h##name(v.y)); }
HALF_FUNCTION(sqrt)
HALF_FUNCTION(rsqrt)
HALF_FUNCTION(exp)
HALF_FUNCTION(exp2)
HALF_FUNCTION(exp10)
HALF_FUNCTION(log)
HALF_FUNCTION(log2)
HALF_FUNCTION(log10)
HALF_FUNCTION(sin)
HALF_FUNCTION(cos)
HALF_FUNCTION(tanh)
HALF_FUNCTION(floor)
HALF_FUNCTION(ceil)
HALF_FUNCTION(trunc)
HALF_FUNCTION(rint)
#undef HALF_FUNCTION
PRELUDE HALF hrcp(HALF v) { return HALF(1 / (float)v); }

// Between lanes.
#define HALF_SHUFFLE(name, second)                                                      \
  PRELUDE HALF name(unsigned mask, HALF v, second b, int width = 32) {                  \
    return HALF_OF(name(mask, (unsigned)HALF_BITS(v), b, width));                       \
  }                                                                                     \
  PRELUDE HALF2 name(unsigned mask, HALF2 v, second b, int width = 32) {                \
    return __builtin_bit_cast(HALF2, name(mask, __builtin_bit_cast(unsigned, v), b, width)); \
  }
HALF_SHUFFLE(__shfl_sync, int)
HALF_SHUFFLE(__shfl_up_sync, unsigned)
HALF_SHUFFLE(__shfl_down_sync, unsigned)
HALF_SHUFFLE(__shfl_xor_sync, int)
#undef HALF_SHUFFLE

#undef HALF_BITS
#undef HALF_OF
