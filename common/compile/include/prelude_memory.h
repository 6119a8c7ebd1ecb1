// Loads and stores with a cache hint, address spaces, memcpy.

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
#define PRELUDE_LDG2(vector, type, r)                                                     \
  PRELUDE vector __ldg(const vector* p) {                                                 \
    vector v;                                                                             \
    asm("ld.global.nc.v2." type " {%0, %1}, [%2];"                                        \
        : "=" r(v.x), "=" r(v.y) : "l"(p));                                               \
    return v;                                                                             \
  }
#define PRELUDE_LDG4(vector, type, r)                                                     \
  PRELUDE vector __ldg(const vector* p) {                                                 \
    vector v;                                                                             \
    asm("ld.global.nc.v4." type " {%0, %1, %2, %3}, [%4];"                                \
        : "=" r(v.x), "=" r(v.y), "=" r(v.z), "=" r(v.w) : "l"(p));                       \
    return v;                                                                             \
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


// The rest moves by size, as bits: any type of 1 to 16 bytes, and 32 in two.
template <class T, class U>
PRELUDE T prelude_bits(const U& from) {
  T to;
  __builtin_memcpy((void*)&to, (const void*)&from, sizeof(T));
  return to;
}
struct prelude_words { unsigned x, y, z, w; };
#define PRELUDE_LOAD(name, op)                                                            \
  template <class T>                                                                      \
  PRELUDE T name(const T* p) {                                                            \
    if constexpr (sizeof(T) == 1) {                                                       \
      unsigned short v;                                                                   \
      asm volatile(op ".u8 %0, [%1];" : "=h"(v) : "l"(p) : "memory");                     \
      return prelude_bits<T>((unsigned char)v);                                           \
    } else if constexpr (sizeof(T) == 2) {                                                \
      unsigned short v;                                                                   \
      asm volatile(op ".u16 %0, [%1];" : "=h"(v) : "l"(p) : "memory");                    \
      return prelude_bits<T>(v);                                                          \
    } else if constexpr (sizeof(T) == 4) {                                                \
      unsigned v;                                                                         \
      asm volatile(op ".u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");                    \
      return prelude_bits<T>(v);                                                          \
    } else if constexpr (sizeof(T) == 8 && alignof(T) == 8) {                             \
      unsigned long long v;                                                               \
      asm volatile(op ".u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");                    \
      return prelude_bits<T>(v);                                                          \
    } else if constexpr (sizeof(T) == 16) {                                               \
      prelude_words u;                                                                    \
      asm volatile(op ".v4.u32 {%0, %1, %2, %3}, [%4];"                                   \
                   : "=r"(u.x), "=r"(u.y), "=r"(u.z), "=r"(u.w) : "l"(p) : "memory");     \
      return prelude_bits<T>(u);                                                          \
    } else {                                                                              \
      static_assert(sizeof(T) == 32, #name " takes types of 1, 2, 4, 8, 16 or 32 bytes"); \
      struct { prelude_words a, b; } u = {name((const prelude_words*)p), name((const prelude_words*)p + 1)};\
      return prelude_bits<T>(u);                                                          \
    }                                                                                     \
  }
PRELUDE_LOAD(__ldg, "ld.global.nc")
PRELUDE_LOAD(__ldca, "ld.global.ca")
PRELUDE_LOAD(__ldcg, "ld.global.cg")
PRELUDE_LOAD(__ldcs, "ld.global.cs")
PRELUDE_LOAD(__ldlu, "ld.global.lu")
PRELUDE_LOAD(__ldcv, "ld.global.cv")
#undef PRELUDE_LOAD

template <class T>
struct prelude_same { typedef T type; };

#define PRELUDE_STORE(name, op)                                                           \
  template <class T>                                                                      \
  PRELUDE void name(T* p, typename prelude_same<T>::type v) {                             \
    if constexpr (sizeof(T) == 1) {                                                       \
      unsigned short u = prelude_bits<unsigned char>(v);                                  \
      asm volatile(op ".u8 [%0], %1;" ::"l"(p), "h"(u) : "memory");                       \
    } else if constexpr (sizeof(T) == 2) {                                                \
      unsigned short u = prelude_bits<unsigned short>(v);                                 \
      asm volatile(op ".u16 [%0], %1;" ::"l"(p), "h"(u) : "memory");                      \
    } else if constexpr (sizeof(T) == 4) {                                                \
      asm volatile(op ".u32 [%0], %1;" ::"l"(p), "r"(prelude_bits<unsigned>(v)) : "memory");\
    } else if constexpr (sizeof(T) == 8 && alignof(T) == 8) {                             \
      unsigned long long u = prelude_bits<unsigned long long>(v);                         \
      asm volatile(op ".u64 [%0], %1;" ::"l"(p), "l"(u) : "memory");                      \
    } else if constexpr (sizeof(T) == 16) {                                               \
      auto u = prelude_bits<prelude_words>(v);                                            \
      asm volatile(op ".v4.u32 [%0], {%1, %2, %3, %4};"                                   \
                   ::"l"(p), "r"(u.x), "r"(u.y), "r"(u.z), "r"(u.w) : "memory");          \
    } else {                                                                              \
      static_assert(sizeof(T) == 32, #name " takes types of 1, 2, 4, 8, 16 or 32 bytes"); \
      struct halves { prelude_words a, b; };                                              \
      auto u = prelude_bits<halves>(v);                                                   \
      name((prelude_words*)p, u.a);                                                       \
      name((prelude_words*)p + 1, u.b);                                                   \
    }                                                                                     \
  }
PRELUDE_STORE(__stwb, "st.global.wb")
PRELUDE_STORE(__stcg, "st.global.cg")
PRELUDE_STORE(__stcs, "st.global.cs")
PRELUDE_STORE(__stwt, "st.global.wt")
#undef PRELUDE_STORE

// Address spaces: an address of one of them as inline asm wants it, and back.
#define PRELUDE_SPACE(name, number)                                                       \
  PRELUDE size_t __cvta_generic_to_##name(const void* p) {                                \
    return (size_t)(const __attribute__((address_space(number))) void*)p;                 \
  }                                                                                       \
  PRELUDE void* __cvta_##name##_to_generic(size_t p) {                                    \
    return (void*)(__attribute__((address_space(number))) void*)p;                        \
  }
PRELUDE_SPACE(global, 1)
PRELUDE_SPACE(shared, 3)
PRELUDE_SPACE(constant, 4)
PRELUDE_SPACE(local, 5)
#undef PRELUDE_SPACE
PRELUDE unsigned __isGlobal(const void* p) { return __nvvm_isspacep_global(p); }
PRELUDE unsigned __isShared(const void* p) { return __nvvm_isspacep_shared(p); }
PRELUDE unsigned __isConstant(const void* p) { return __nvvm_isspacep_const(p); }
PRELUDE unsigned __isLocal(const void* p) { return __nvvm_isspacep_local(p); }

// clang makes loads and stores of the first three.
extern "C" __host__ __device__ void* memcpy(void*, const void*, size_t);
extern "C" __host__ __device__ void* memmove(void*, const void*, size_t);
extern "C" __host__ __device__ void* memset(void*, int, size_t);
extern "C" __host__ __device__ void* malloc(size_t);
extern "C" __host__ __device__ void free(void*);
