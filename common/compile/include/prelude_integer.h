// Integer functions.

PRELUDE int __popc(unsigned v) { return __builtin_popcount(v); }
PRELUDE int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
PRELUDE int __clz(int v) { return v ? __builtin_clz(v) : 32; }
PRELUDE int __clzll(long long v) { return v ? __builtin_clzll(v) : 64; }
PRELUDE int __ffs(int v) { return __builtin_ffs(v); }
PRELUDE int __ffsll(long long v) { return __builtin_ffsll(v); }
PRELUDE unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
PRELUDE unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
PRELUDE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  unsigned v;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(v) : "r"(a), "r"(b), "r"(selector & 0x7777));
  return v;
}
PRELUDE int __mul24(int a, int b) {
  int v;
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(v) : "r"(a), "r"(b));
  return v;
}
PRELUDE unsigned __umul24(unsigned a, unsigned b) {
  unsigned v;
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(v) : "r"(a), "r"(b));
  return v;
}
PRELUDE int __mulhi(int a, int b) { return (long long)a * b >> 32; }
PRELUDE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned long long)a * b >> 32; }
PRELUDE long long __mul64hi(long long a, long long b) { return (__int128)a * b >> 64; }
PRELUDE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned __int128)a * b >> 64;
}
PRELUDE unsigned __sad(int a, int b, unsigned c) { return (a > b ? (unsigned)a - b : (unsigned)b - a) + c; }
PRELUDE unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
PRELUDE int __hadd(int a, int b) { return ((long long)a + b) >> 1; }
PRELUDE int __rhadd(int a, int b) { return ((long long)a + b + 1) >> 1; }
PRELUDE unsigned __uhadd(unsigned a, unsigned b) { return ((unsigned long long)a + b) >> 1; }
PRELUDE unsigned __urhadd(unsigned a, unsigned b) { return ((unsigned long long)a + b + 1) >> 1; }

#define PRELUDE_FUNNEL(name, op)                                                       \
  PRELUDE unsigned name(unsigned low, unsigned high, unsigned shift) {                 \
    unsigned v;                                                                        \
    asm("shf." op ".b32 %0, %1, %2, %3;" : "=r"(v) : "r"(low), "r"(high), "r"(shift)); \
    return v;                                                                          \
  }
PRELUDE_FUNNEL(__funnelshift_l, "l.wrap")
PRELUDE_FUNNEL(__funnelshift_r, "r.wrap")
PRELUDE_FUNNEL(__funnelshift_lc, "l.clamp")
PRELUDE_FUNNEL(__funnelshift_rc, "r.clamp")
#undef PRELUDE_FUNNEL

// Products of packed bytes and half words, added up.
#define PRELUDE_DOT(name, T, A, B, op)                                                     \
  PRELUDE T name(A a, B b, T c) {                                                          \
    T v;                                                                                   \
    asm(op " %0, %1, %2, %3;" : "=r"(v)                                                    \
        : "r"(__builtin_bit_cast(int, a)), "r"(__builtin_bit_cast(int, b)), "r"(c));       \
    return v;                                                                              \
  }
PRELUDE_DOT(__dp4a, int, int, int, "dp4a.s32.s32")
PRELUDE_DOT(__dp4a, unsigned, unsigned, unsigned, "dp4a.u32.u32")
PRELUDE_DOT(__dp4a, int, char4, char4, "dp4a.s32.s32")
PRELUDE_DOT(__dp4a, unsigned, uchar4, uchar4, "dp4a.u32.u32")
PRELUDE_DOT(__dp2a_lo, int, int, int, "dp2a.lo.s32.s32")
PRELUDE_DOT(__dp2a_lo, unsigned, unsigned, unsigned, "dp2a.lo.u32.u32")
PRELUDE_DOT(__dp2a_lo, int, short2, char4, "dp2a.lo.s32.s32")
PRELUDE_DOT(__dp2a_lo, unsigned, ushort2, uchar4, "dp2a.lo.u32.u32")
PRELUDE_DOT(__dp2a_hi, int, int, int, "dp2a.hi.s32.s32")
PRELUDE_DOT(__dp2a_hi, unsigned, unsigned, unsigned, "dp2a.hi.u32.u32")
PRELUDE_DOT(__dp2a_hi, int, short2, char4, "dp2a.hi.s32.s32")
PRELUDE_DOT(__dp2a_hi, unsigned, ushort2, uchar4, "dp2a.hi.u32.u32")
#undef PRELUDE_DOT
