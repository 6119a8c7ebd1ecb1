// What the kernels of TestRandomKernels are made of. The host runs the same text one thread
// after the other, barrier by barrier. Everything is defined in C and rounded alike: no
// signed overflow, no contraction, no sign or payload of a NaN that shows.
typedef unsigned u32;
typedef unsigned long long u64;
typedef long long i64;
enum { threads = 64 };

struct State { // of one thread
  u32 u[4];
  int i[3];
  u64 w[2];
  float f[3];
  double d[2];
  u32 a[8];
  int t;
};

#if defined(__CUDA__) || defined(__CUDACC__)
#define FN static __device__ __forceinline__
#define CALL static __device__ __noinline__
#define TABLE static __constant__
#define KERNEL(name) \
  extern "C" __global__ void name(u32* out, const u32* in) { \
    __shared__ u32 tile[threads]; \
    State s; \
    start(s, in, threadIdx.x);
#define END_KERNEL finish(s, out); }
#define ALL(...) { __VA_ARGS__; }
#define BARRIER __syncthreads();
#define EXIT(condition) if (condition) { finish(s, out); return; }
#define SHUFFLE(to, from, x) to = __shfl_xor_sync(~0u, from, x);
#define BALLOT(to, condition) to ^= __ballot_sync(~0u, condition);
#define ATOMIC_ADD(p, v) atomicAdd(p, v)
#define ATOMIC_MAX(p, v) atomicMax(p, v)
#define fadd __fadd_rn
#define fsub __fsub_rn
#define fmul __fmul_rn
#define fdiv __fdiv_rn
#define froot __fsqrt_rn
#define ffma __fmaf_rn
#define dadd __dadd_rn
#define dsub __dsub_rn
#define dmul __dmul_rn
#define ddiv __ddiv_rn
#define droot __dsqrt_rn
#define dfma __fma_rn
FN u32 word(float f) { return __float_as_uint(f); }
FN u64 words(double d) { return __double_as_longlong(d); }
FN float single(u32 u) { return __uint_as_float(u); }
#else
#include <math.h>
#include <stdio.h>
#include <string.h>
#define FN static inline
#define CALL static __attribute__((noinline))
#define TABLE static const
#define KERNEL(name) \
  static void name(u32* out, const u32* in) { \
    u32 tile[threads]; \
    State all[threads]; \
    bool gone[threads] = {}; \
    for (int t = 0; t < threads; t++) start(all[t], in, t);
#define END_KERNEL ALL(finish(s, out)) }
#define ALL(...) for (int t = 0; t < threads; t++) if (!gone[t]) { State& s = all[t]; __VA_ARGS__; }
#define BARRIER
#define EXIT(condition) ALL(if (condition) { finish(s, out); gone[t] = true; })
#define SHUFFLE(to, from, x) { \
    u32 v[threads]; \
    ALL(v[t] = from) \
    ALL(to = v[t ^ x]) \
  }
#define BALLOT(to, condition) { \
    u32 v[threads / 32] = {}; \
    ALL(v[t / 32] |= (u32)(condition) << t % 32) \
    ALL(to ^= v[t / 32]) \
  }
#define ATOMIC_ADD(p, v) *(p) += (v)
#define ATOMIC_MAX(p, v) *(p) = *(p) > (v) ? *(p) : (v)
FN float fadd(float a, float b) { return a + b; }
FN float fsub(float a, float b) { return a - b; }
FN float fmul(float a, float b) { return a * b; }
FN float fdiv(float a, float b) { return a / b; }
FN float froot(float a) { return sqrtf(a); }
FN float ffma(float a, float b, float c) { return fmaf(a, b, c); }
FN double dadd(double a, double b) { return a + b; }
FN double dsub(double a, double b) { return a - b; }
FN double dmul(double a, double b) { return a * b; }
FN double ddiv(double a, double b) { return a / b; }
FN double droot(double a) { return sqrt(a); }
FN double dfma(double a, double b, double c) { return fma(a, b, c); }
FN u32 word(float f) { u32 u; memcpy(&u, &f, 4); return u; }
FN u64 words(double d) { u64 u; memcpy(&u, &d, 8); return u; }
FN float single(u32 u) { float f; memcpy(&f, &u, 4); return f; }
FN int __popc(u32 a) { return __builtin_popcount(a); }
FN int __clz(int a) { return a ? __builtin_clz(a) : 32; }
FN int __clzll(i64 a) { return a ? __builtin_clzll(a) : 64; }
FN int __ffs(int a) { return __builtin_ffs(a); }
FN u32 __brev(u32 a) { u32 r = 0; for (int i = 0; i < 32; i++) r |= (a >> i & 1) << (31 - i); return r; }
FN u32 __umulhi(u32 a, u32 b) { return (u64)a * b >> 32; }
FN int __mulhi(int a, int b) { return (i64)a * b >> 32; }
FN u64 __umul64hi(u64 a, u64 b) { return (unsigned __int128)a * b >> 64; }
FN u32 __usad(u32 a, u32 b, u32 c) { return (a > b ? a - b : b - a) + c; }
FN u32 __funnelshift_l(u32 lo, u32 hi, u32 n) { return ((u64)hi << 32 | lo) << (n & 31) >> 32; }
FN u32 __byte_perm(u32 a, u32 b, u32 k) {
  u64 all = (u64)b << 32 | a;
  u32 r = 0;
  for (int i = 0; i < 4; i++) r |= (u32)(all >> 8 * (k >> 4 * i & 7) & 255) << 8 * i;
  return r;
}
#endif

FN int iadd(int a, int b) { return (int)((u32)a + (u32)b); }
FN int isub(int a, int b) { return (int)((u32)a - (u32)b); }
FN int imul(int a, int b) { return (int)((u32)a * (u32)b); }
FN u32 bits(float f) { return f != f ? 0x7fc00000 : word(f); }
FN u64 bits(double d) { return d != d ? 0x7ff8000000000000 : words(d); }
FN int whole(float f) { return f > -2e9f && f < 2e9f ? (int)f : 7; }
FN int whole(double d) { return d > -2e9 && d < 2e9 ? (int)d : 9; }
FN u64 large(double d) { return d > 0 && d < 1e19 ? (u64)d : 11; }
FN u64 carried(u64 a, u64 b, u64 c) { return ((unsigned __int128)a * b + c) >> 64; }
FN u64 borrowed(u64 a, u64 b, u64 c) { return (((unsigned __int128)a << 64 | b) - c) >> 64; }
FN int dot(u32 a, u32 b, int c) {
  int sum = 0;
  for (int i = 0; i < 32; i += 8) sum += (signed char)(a >> i) * (signed char)(b >> i);
  return iadd(sum, c);
}
FN u32 small(u32 a, u32 b, u32 c) { return (a & 0xffffff) * (b & 0xffffff) + c; }

TABLE u32 table[16] = {0, 1, 0x80000000, 0xffffffff, 7, 31, 32, 0x7fffffff, 100, 0x55555555, 3, 0xdeadbeef, 0x3f800000, 255, 65536, 12345};

FN void start(State& s, const u32* in, int t) {
  u32 h = in[t];
  s.t = t;
  for (int k = 0; k < 4; k++) s.u[k] = h = h * 1664525 + 1013904223;
  for (int k = 0; k < 3; k++) s.i[k] = (int)(h = h * 1664525 + 1013904223) >> 11 * k;
  for (int k = 0; k < 2; k++) h = h * 1664525 + 1013904223, s.w[k] = (u64)h * s.u[k];
  for (int k = 0; k < 3; k++) s.f[k] = (float)(int)(h = h * 1664525 + 1013904223) * 0x1p-20f;
  for (int k = 0; k < 2; k++) s.d[k] = (double)(int)(h = h * 1664525 + 1013904223) * 0x1p-25;
  for (int k = 0; k < 8; k++) s.a[k] = h = h * 1664525 + 1013904223;
}

enum { words_of_thread = 26 };

FN void finish(State& s, u32* out) {
  out += words_of_thread * s.t;
  for (int k = 0; k < 4; k++) *out++ = s.u[k];
  for (int k = 0; k < 3; k++) *out++ = s.i[k];
  for (int k = 0; k < 2; k++) *out++ = s.w[k], *out++ = s.w[k] >> 32;
  for (int k = 0; k < 3; k++) *out++ = bits(s.f[k]);
  for (int k = 0; k < 2; k++) *out++ = bits(s.d[k]), *out++ = bits(s.d[k]) >> 32;
  for (int k = 0; k < 8; k++) *out++ = s.a[k];
}
