// Carries, dot products, bit fields and byte permutations, of corners and of random bits.
// Writes 18 × 256 words.
#define W(i) out[256 * (i) + threadIdx.x]
#define OP2(i, op) asm(op " %0, %1, %2;" : "=r"(W(i)) : "r"(a), "r"(b))
#define OP3(i, op) asm(op " %0, %1, %2, %3;" : "=r"(W(i)) : "r"(a), "r"(b), "r"(c))

__device__ unsigned hash(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

__device__ unsigned fold(unsigned long long x) { return x ^ x >> 32; }

extern "C" __global__ void integers(unsigned* out) {
  const unsigned corner[8] = {0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 31, 32, 0xff00ff00};
  int t = threadIdx.x;
  unsigned a = t < 64 ? corner[t / 8] : hash(t), b = t < 64 ? corner[t % 8] : hash(a), c = hash(b ^ t);
  unsigned long long x = (unsigned long long)a << 32 | b, y = (unsigned long long)c << 32 | a, z = (unsigned long long)b << 32 | c, lo, hi;
  asm("{ .reg .u32 l; add.cc.u32 l, %2, %3; addc.cc.u32 %0, %3, %4; addc.u32 %1, l, 0; }" : "=r"(W(0)), "=r"(W(1)) : "r"(a), "r"(b), "r"(c));
  asm("{ .reg .u32 l; sub.cc.u32 l, %2, %3; subc.cc.u32 %0, %3, %4; subc.u32 %1, l, 0; }" : "=r"(W(2)), "=r"(W(3)) : "r"(a), "r"(b), "r"(c));
  asm("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, %4;" : "=&r"(W(4)), "=r"(W(5)) : "r"(a), "r"(b), "r"(c));
  asm("{ .reg .u32 l; mad.hi.cc.s32 l, %1, %2, %3; madc.lo.cc.s32 l, l, %2, %1; addc.u32 %0, l, %1; }" : "=r"(W(6)) : "r"(a), "r"(b), "r"(c));
  asm("mad.lo.cc.u64 %0, %2, %3, %4; madc.hi.u64 %1, %2, %3, %4;" : "=&l"(lo), "=l"(hi) : "l"(x), "l"(y), "l"(z));
  W(7) = fold(lo) ^ fold(hi) * 3;
  asm("{ .reg .u64 l; sub.cc.u64 l, %1, %2; subc.cc.u64 l, l, %3; subc.u64 %0, l, %2; }" : "=l"(lo) : "l"(x), "l"(y), "l"(z));
  W(8) = fold(lo);
  OP3(9, "dp4a.u32.s32");
  unsigned d;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  W(9) = W(9) * 3 ^ d;
  OP3(10, "dp2a.lo.s32.u32");
  OP3(11, "dp2a.hi.u32.s32");
  OP2(12, "bmsk.clamp.b32");
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  W(12) = W(12) * 3 ^ d;
  OP2(13, "szext.clamp.s32");
  asm("szext.wrap.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  W(13) = W(13) * 3 ^ d;
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(W(14)) : "r"(a), "r"(b % 32), "r"((int)(c % 17) - 8));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(W(15)) : "r"(a), "r"(b), "r"(c % 40));
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(c), "r"(c >> 8));
  W(15) = W(15) * 3 ^ d;
  unsigned sum = 0;
#define MODE(m) asm("prmt.b32" m " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); sum = (sum ^ d) * 0x9e3779b9u
  MODE(""); MODE(".f4e"); MODE(".b4e"); MODE(".rc8"); MODE(".ecl"); MODE(".ecr"); MODE(".rc16");
  W(16) = sum;
  sum = __mul24(a, b) ^ __umul24(b, c) * 3 ^ __sad(a, b, c) ^ __usad(a, b, c) * 5;
  W(17) = sum ^ __funnelshift_lc(a, b, c) * 7 ^ __funnelshift_r(b, c, a) * 9;
}
