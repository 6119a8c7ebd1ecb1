// What a block does together, fences, clocks, and how a kernel speaks or stops.

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

PRELUDE int __syncthreads_count(int predicate) {
  int count;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
               : "=r"(count) : "r"(predicate) : "memory");
  return count;
}
PRELUDE int __syncthreads_and(int predicate) {
  int all;
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red.and.pred q, 0, p; selp.s32 %0, 1, 0, q; }"
               : "=r"(all) : "r"(predicate) : "memory");
  return all;
}
PRELUDE int __syncthreads_or(int predicate) {
  int any;
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red.or.pred q, 0, p; selp.s32 %0, 1, 0, q; }"
               : "=r"(any) : "r"(predicate) : "memory");
  return any;
}

PRELUDE void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
PRELUDE void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
PRELUDE void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }

typedef long clock_t;
PRELUDE clock_t clock() {
  int ticks;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(ticks)::"memory");
  return ticks;
}
PRELUDE long long clock64() {
  long long ticks;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(ticks)::"memory");
  return ticks;
}
PRELUDE void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns) : "memory"); }

// No unreachable code behind them, as nvcc has none.
PRELUDE void __trap() { asm volatile("trap;" ::: "memory"); }
PRELUDE void __brkpt() { asm volatile("brkpt;" ::: "memory"); }
extern "C" __host__ __device__ void __assertfail(const char* condition, const char* file, unsigned line,
                                                 const char* function, size_t char_size);

// clang makes the call of vprintf and the buffer of its arguments.
extern "C" __host__ __device__ int printf(const char* format, ...);
