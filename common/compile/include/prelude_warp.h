// What a warp does together. From here on PTX 6.0.

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
  PRELUDE unsigned long long name(unsigned mask, unsigned long long v, second b, int width = 32) { \
    return name(mask, (long long)v, b, width);                                                 \
  }                                                                                            \
  PRELUDE long name(unsigned mask, long v, second b, int width = 32) {                         \
    return name(mask, (long long)v, b, width);                                                 \
  }                                                                                            \
  PRELUDE unsigned long name(unsigned mask, unsigned long v, second b, int width = 32) {       \
    return name(mask, (long long)v, b, width);                                                 \
  }                                                                                            \
  PRELUDE double name(unsigned mask, double v, second b, int width = 32) {                     \
    return __longlong_as_double(name(mask, __double_as_longlong(v), b, width));                \
  }
PRELUDE_SHFL_WORD(__shfl_sync, idx, int, 0x1f)
PRELUDE_SHFL_WORD(__shfl_up_sync, up, unsigned, 0)
PRELUDE_SHFL_WORD(__shfl_down_sync, down, unsigned, 0x1f)
PRELUDE_SHFL_WORD(__shfl_xor_sync, bfly, int, 0x1f)
#undef PRELUDE_SHFL_WORD

// Votes.
#define PRELUDE_VOTE(name, mode)                                                               \
  PRELUDE int name(unsigned mask, int predicate) {                                             \
    int result;                                                                                \
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync." mode ".pred q, p, %2; " \
                 "selp.s32 %0, 1, 0, q; }" : "=r"(result) : "r"(predicate), "r"(mask) : "memory"); \
    return result;                                                                             \
  }
PRELUDE_VOTE(__all_sync, "all")
PRELUDE_VOTE(__any_sync, "any")
PRELUDE_VOTE(__uni_sync, "uni")
#undef PRELUDE_VOTE
PRELUDE unsigned __ballot_sync(unsigned mask, int predicate) {
  unsigned lanes;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(lanes) : "r"(predicate), "r"(mask) : "memory");
  return lanes;
}
PRELUDE unsigned __activemask() {
  unsigned lanes;
  asm volatile("activemask.b32 %0;" : "=r"(lanes)::"memory");
  return lanes;
}

// Which lanes hold the same bits.
#define PRELUDE_MATCH(T, type, r)                                                              \
  PRELUDE unsigned __match_any_sync(unsigned mask, T v) {                                      \
    unsigned lanes;                                                                            \
    asm volatile("match.any.sync." type " %0, %1, %2;"                                         \
                 : "=r"(lanes) : r(v), "r"(mask) : "memory");                                  \
    return lanes;                                                                              \
  }                                                                                            \
  PRELUDE unsigned __match_all_sync(unsigned mask, T v, int* all) {                            \
    unsigned lanes;                                                                            \
    asm volatile("{ .reg .pred p; match.all.sync." type " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }" \
                 : "=r"(lanes), "=r"(*all) : r(v), "r"(mask) : "memory");                      \
    return lanes;                                                                              \
  }
PRELUDE_MATCH(unsigned, "b32", "r")
PRELUDE_MATCH(int, "b32", "r")
PRELUDE_MATCH(float, "b32", "f")
PRELUDE_MATCH(unsigned long, "b64", "l")
PRELUDE_MATCH(long, "b64", "l")
PRELUDE_MATCH(unsigned long long, "b64", "l")
PRELUDE_MATCH(long long, "b64", "l")
PRELUDE_MATCH(double, "b64", "d")
#undef PRELUDE_MATCH

#define PRELUDE_REDUCE(name, T, op)                                                            \
  PRELUDE T name(unsigned mask, T v) {                                                         \
    T result;                                                                                  \
    asm volatile("redux.sync." op " %0, %1, %2;" : "=r"(result) : "r"(v), "r"(mask) : "memory"); \
    return result;                                                                             \
  }
PRELUDE_REDUCE(__reduce_add_sync, unsigned, "add.u32")
PRELUDE_REDUCE(__reduce_add_sync, int, "add.s32")
PRELUDE_REDUCE(__reduce_min_sync, unsigned, "min.u32")
PRELUDE_REDUCE(__reduce_min_sync, int, "min.s32")
PRELUDE_REDUCE(__reduce_max_sync, unsigned, "max.u32")
PRELUDE_REDUCE(__reduce_max_sync, int, "max.s32")
PRELUDE_REDUCE(__reduce_and_sync, unsigned, "and.b32")
PRELUDE_REDUCE(__reduce_or_sync, unsigned, "or.b32")
PRELUDE_REDUCE(__reduce_xor_sync, unsigned, "xor.b32")
#undef PRELUDE_REDUCE
