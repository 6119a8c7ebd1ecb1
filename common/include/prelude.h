// What nvcc knows without being told and clang does not, for compiling this
// series' kernels, and the next ones a reader writes, on a machine that has
// clang (14 or later) and no CUDA toolkit. The Makefile passes it with -include;
// nvcc never sees it.
//
// Offered: the CUDA keywords, threadIdx and its kin, dim3, the vector types,
// min, max, abs, fminf, fmaxf, __ldg, __ldcs, __stcs, the bit casts, and
// (PTX 6.0) __syncwarp and the shuffles. Not offered: printf, atomics, math.h.
//
// Meaning of each name: CUDA C++ Programming Guide, "C++ Language Extensions".
#ifndef PRELUDE_H
#define PRELUDE_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(bytes) __attribute__((aligned(bytes)))

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __UINTPTR_TYPE__ uintptr_t;

// Without debug information of its own, a function's instructions carry the line
// of the kernel that calls it: a __ldg is counted on the .cu line it stands on.
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#define PRELUDE static __device__ __forceinline__

// Vector types. Two and four elements are aligned to their size, so that one
// instruction can move them; clang would split a plain struct into 8-byte pieces,
// hence the copy as one vector. Three elements are a plain struct.
#define PRELUDE_COPY(name, T, count)                                                     \
  typedef T wide __attribute__((ext_vector_type(count)));                                \
  name() = default;                                                                      \
  __device__ name(const name& v) { *this = v; }                                          \
  __device__ name& operator=(const name& v) {                                            \
    *reinterpret_cast<wide*>(this) = reinterpret_cast<const wide&>(v);                   \
    return *this;                                                                        \
  }
#define PRELUDE_VECTOR2(name, T)                                                         \
  struct __align__(2 * sizeof(T)) name {                                                 \
    T x, y;                                                                              \
    PRELUDE_COPY(name, T, 2)                                                             \
    __device__ name(T x, T y) : x(x), y(y) {}                                            \
  };                                                                                     \
  PRELUDE name make_##name(T x, T y) { return {x, y}; }
#define PRELUDE_VECTOR3(name, T)                                                         \
  struct name { T x, y, z; };                                                            \
  PRELUDE name make_##name(T x, T y, T z) { return {x, y, z}; }
#define PRELUDE_VECTOR4(name, T)                                                         \
  struct __align__(4 * sizeof(T)) name {                                                 \
    T x, y, z, w;                                                                        \
    PRELUDE_COPY(name, T, 4)                                                             \
    __device__ name(T x, T y, T z, T w) : x(x), y(y), z(z), w(w) {}                      \
  };                                                                                     \
  PRELUDE name make_##name(T x, T y, T z, T w) { return {x, y, z, w}; }
PRELUDE_VECTOR2(float2, float)
PRELUDE_VECTOR3(float3, float)
PRELUDE_VECTOR4(float4, float)
PRELUDE_VECTOR2(int2, int)
PRELUDE_VECTOR3(int3, int)
PRELUDE_VECTOR4(int4, int)
PRELUDE_VECTOR2(uint2, unsigned)
PRELUDE_VECTOR3(uint3, unsigned)
PRELUDE_VECTOR4(uint4, unsigned)
PRELUDE_VECTOR2(double2, double)
#undef PRELUDE_COPY
#undef PRELUDE_VECTOR2
#undef PRELUDE_VECTOR3
#undef PRELUDE_VECTOR4

struct dim3 {
  unsigned x, y, z;
  __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __device__ operator uint3() const { return {x, y, z}; }
};

// threadIdx, blockIdx, blockDim, gridDim, warpSize.
#include <__clang_cuda_builtin_vars.h>

__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return {x, y, z}; }

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
PRELUDE_MIN_MAX(unsigned long, unsigned long, unsigned long)
PRELUDE_MIN_MAX(long long, long long, long long)
PRELUDE_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
#undef PRELUDE_MIN_MAX

// __ldg: a load that promises nobody writes there during the launch, ld.global.nc.
#define PRELUDE_LDG(T, suffix) \
  PRELUDE T __ldg(const T* p) { return __nvvm_ldg_##suffix(p); }
PRELUDE_LDG(float, f)
PRELUDE_LDG(double, d)
PRELUDE_LDG(int, i)
PRELUDE_LDG(unsigned, ui)
PRELUDE_LDG(long long, ll)
PRELUDE_LDG(unsigned long long, ull)
#undef PRELUDE_LDG
// Wide ones are spelled out: clang 22 drops the .nc of its own vector builtins.
#define PRELUDE_LDG2(vector, type, r)                                          \
  PRELUDE vector __ldg(const vector* p) {                                      \
    vector v;                                                                  \
    asm("ld.global.nc.v2." type " {%0, %1}, [%2];"                             \
        : "=" r(v.x), "=" r(v.y) : "l"(p));                                    \
    return v;                                                                  \
  }
#define PRELUDE_LDG4(vector, type, r)                                          \
  PRELUDE vector __ldg(const vector* p) {                                      \
    vector v;                                                                  \
    asm("ld.global.nc.v4." type " {%0, %1, %2, %3}, [%4];"                     \
        : "=" r(v.x), "=" r(v.y), "=" r(v.z), "=" r(v.w) : "l"(p));            \
    return v;                                                                  \
  }
PRELUDE_LDG2(float2, "f32", "f")
PRELUDE_LDG4(float4, "f32", "f")
PRELUDE_LDG2(double2, "f64", "d")
PRELUDE_LDG2(int2, "s32", "r")
PRELUDE_LDG4(int4, "s32", "r")
PRELUDE_LDG2(uint2, "u32", "r")
PRELUDE_LDG4(uint4, "u32", "r")
#undef PRELUDE_LDG2
#undef PRELUDE_LDG4

// __ldcs and __stcs: touched once, so evict first from the caches.
PRELUDE float __ldcs(const float* p) {
  float v;
  asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(v) : "l"(p) : "memory");
  return v;
}
PRELUDE float4 __ldcs(const float4* p) {
  float4 v;
  asm volatile("ld.global.cs.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p) : "memory");
  return v;
}
PRELUDE void __stcs(float* p, float v) {
  asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(p), "f"(v) : "memory");
}
PRELUDE void __stcs(float4* p, float4 v) {
  asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};"
               ::"l"(p), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
}

// clang 14 and 15 move loads across a barrier: to them it touches no memory. An
// empty asm that may touch all of it stops them.
#if __clang_major__ < 16
#define PRELUDE_FENCE() asm volatile("" ::: "memory")
PRELUDE void prelude_syncthreads() {
  PRELUDE_FENCE();
  __syncthreads();
  PRELUDE_FENCE();
}
#define __syncthreads prelude_syncthreads
#else
#define PRELUDE_FENCE()
#endif

// From here on PTX 6.0: a kernel that uses one of these is compiled with
// -Xclang -target-feature -Xclang +ptx60, and needs a driver of CUDA 9 or later.
PRELUDE void __syncwarp(unsigned mask = 0xffffffff) {
  PRELUDE_FENCE();
  __nvvm_bar_warp_sync(mask);
  PRELUDE_FENCE();
}

// The last operand of shfl.sync packs the width of a segment and the clamp
// (PTX ISA, "shfl.sync").
#define PRELUDE_SHFL_WORD(name, mode, second, clamp)                                           \
  PRELUDE int name(unsigned mask, int v, second b, int width = 32) {                           \
    return __nvvm_shfl_sync_##mode##_i32(mask, v, b, (32 - width) << 8 | clamp);               \
  }                                                                                            \
  PRELUDE unsigned name(unsigned mask, unsigned v, second b, int width = 32) {                 \
    return name(mask, int(v), b, width);                                                       \
  }                                                                                            \
  PRELUDE float name(unsigned mask, float v, second b, int width = 32) {                       \
    return __int_as_float(name(mask, __float_as_int(v), b, width));                            \
  }                                                                                            \
  PRELUDE long long name(unsigned mask, long long v, second b, int width = 32) {               \
    unsigned low = name(mask, unsigned(v), b, width);                                          \
    unsigned high = name(mask, unsigned(v >> 32), b, width);                                   \
    return (long long)((unsigned long long)high << 32 | low);                                  \
  }                                                                                            \
  PRELUDE double name(unsigned mask, double v, second b, int width = 32) {                     \
    return __longlong_as_double(name(mask, __double_as_longlong(v), b, width));                \
  }
PRELUDE_SHFL_WORD(__shfl_sync, idx, int, 0x1f)
PRELUDE_SHFL_WORD(__shfl_up_sync, up, unsigned, 0)
PRELUDE_SHFL_WORD(__shfl_down_sync, down, unsigned, 0x1f)
PRELUDE_SHFL_WORD(__shfl_xor_sync, bfly, int, 0x1f)
#undef PRELUDE_SHFL_WORD
#undef PRELUDE_FENCE

#undef PRELUDE
#pragma clang attribute pop

#endif
