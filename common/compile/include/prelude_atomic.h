// Atomics: relaxed, each returns what was there before. clang makes atom.* of its
// own builtins and finds whether the address is global or shared; what it cannot
// make for the oldest cards is spelled out. _block and _system are scopes: a
// wider one is always right.
#define PRELUDE_ATOMIC(name, T, ...)                            \
  PRELUDE T name(T* p, T v) { return __VA_ARGS__; }             \
  PRELUDE T name##_block(T* p, T v) { return __VA_ARGS__; }     \
  PRELUDE T name##_system(T* p, T v) { return __VA_ARGS__; }
#define PRELUDE_ATOMIC_INTEGER(T)                                                \
  PRELUDE_ATOMIC(atomicAdd, T, __atomic_fetch_add(p, v, __ATOMIC_RELAXED))          \
  PRELUDE_ATOMIC(atomicMin, T, __atomic_fetch_min(p, v, __ATOMIC_RELAXED))          \
  PRELUDE_ATOMIC(atomicMax, T, __atomic_fetch_max(p, v, __ATOMIC_RELAXED))          \
  PRELUDE_ATOMIC(atomicAnd, T, __atomic_fetch_and(p, v, __ATOMIC_RELAXED))          \
  PRELUDE_ATOMIC(atomicOr, T, __atomic_fetch_or(p, v, __ATOMIC_RELAXED))            \
  PRELUDE_ATOMIC(atomicXor, T, __atomic_fetch_xor(p, v, __ATOMIC_RELAXED))          \
  PRELUDE_ATOMIC(atomicExch, T, __atomic_exchange_n(p, v, __ATOMIC_RELAXED))        \
  PRELUDE T atomicCAS(T* p, T compare, T v) {                                       \
    __atomic_compare_exchange_n(p, &compare, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return compare;                                                                 \
  }                                                                                 \
  PRELUDE T atomicCAS_block(T* p, T compare, T v) { return atomicCAS(p, compare, v); } \
  PRELUDE T atomicCAS_system(T* p, T compare, T v) { return atomicCAS(p, compare, v); }
PRELUDE_ATOMIC_INTEGER(int)
PRELUDE_ATOMIC_INTEGER(unsigned)
PRELUDE_ATOMIC_INTEGER(long long)
PRELUDE_ATOMIC_INTEGER(unsigned long long)
PRELUDE_ATOMIC_INTEGER(unsigned long)
PRELUDE_ATOMIC(atomicSub, int, __atomic_fetch_sub(p, v, __ATOMIC_RELAXED))
PRELUDE_ATOMIC(atomicSub, unsigned, __atomic_fetch_sub(p, v, __ATOMIC_RELAXED))
PRELUDE_ATOMIC(atomicInc, unsigned, __nvvm_atom_inc_gen_ui(p, v))
PRELUDE_ATOMIC(atomicDec, unsigned, __nvvm_atom_dec_gen_ui(p, v))
PRELUDE_ATOMIC(atomicAdd, float, __nvvm_atom_add_gen_f(p, v))
PRELUDE_ATOMIC(atomicExch, float, __int_as_float(__atomic_exchange_n((int*)p, __float_as_int(v), __ATOMIC_RELAXED)))

PRELUDE double prelude_atomic_add(double* p, double v) {
  double old;
  asm volatile("atom.add.f64 %0, [%1], %2;" : "=d"(old) : "l"(p), "d"(v) : "memory");
  return old;
}
PRELUDE_ATOMIC(atomicAdd, double, prelude_atomic_add(p, v))

PRELUDE unsigned short atomicCAS(unsigned short* p, unsigned short compare, unsigned short v) {
  unsigned short old;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(old) : "l"(p), "h"(compare), "h"(v) : "memory");
  return old;
}
#undef PRELUDE_ATOMIC_INTEGER
