// What nvcc knows without being told and clang does not, for compiling kernels
// on a machine that has clang (14 or later) and no CUDA toolkit. It is included
// before the first line of a kernel; nvcc never sees it, nor the headers beside
// it, which stand where a kernel includes CUDA's or the C and C++ libraries'.
//
// Only what a kernel can use is here. Nothing is for the host part of a program,
// which is taken out before it is compiled. Not offered: textures, surfaces, tensor cores (but by
// inline asm), the SIMD-in-a-word functions (__vadd4 …), Bessel functions, starting kernels from kernels.
//
// Meaning of each name: CUDA C++ Programming Guide, "C++ Language Extensions",
// and CUDA Math API.
#ifndef PRELUDE_H
#define PRELUDE_H

#define __CUDACC__ 1
#define __NVCC__ 1
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(registers)
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define CUDART_CB
#define CUDARTAPI

// CUDA 12's number: headers and kernels ask it for what they may use.
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0

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
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#ifndef NULL
#define NULL 0
#endif

// The members of a braced list, by which the vector types are initialised.
namespace std {
template <class E>
class initializer_list {
  const E* first;
  size_t count;

 public:
  constexpr initializer_list() : first(0), count(0) {}
  constexpr size_t size() const { return count; }
  constexpr const E* begin() const { return first; }
  constexpr const E* end() const { return first + count; }
};
}  // namespace std

// Without debug information of its own, a function's instructions carry the line
// of the kernel that calls it: a __ldg is counted on the .cu line it stands on.
#define PRELUDE_BEGIN \
  _Pragma("clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))")
#define PRELUDE_END _Pragma("clang attribute pop")
#define PRELUDE static __host__ __device__ __forceinline__

PRELUDE_BEGIN
#include "prelude_types.h"
#include "prelude_math.h"
#include "prelude_integer.h"
#include "prelude_memory.h"
#include "prelude_block.h"
#include "prelude_warp.h"
#include "prelude_atomic.h"
PRELUDE_END

#endif
