// Arithmetic on half (compute 9.0), of all pairs of 16 special numbers and of random bits.
// Writes 44 × 256 halves.
#define H(i) (((unsigned short*)out)[256 * (i) + threadIdx.x])
#define OP1(i, op) asm(op " %0, %1;" : "=h"(H(i)) : "h"(a))
#define OP2(i, op) asm(op " %0, %1, %2;" : "=h"(H(i)) : "h"(a), "h"(b))
#define OP3(i, op) asm(op " %0, %1, %2, %3;" : "=h"(H(i)) : "h"(a), "h"(b), "h"(c))
#define TEST(i, op) asm("{ .reg .pred p; " op " p, %1, %2; selp.b16 %0, 1, 0, p; }" : "=h"(H(i)) : "h"(a), "h"(b))

__device__ unsigned hash(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

extern "C" __global__ void half(unsigned* out) {
  const unsigned short special[16] = {0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x3c00, 0xbc00, 0x3c01,
                                      0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe55, 0x7d01, 0x1400};
  int t = threadIdx.x;
  unsigned short a = special[t / 16], b = special[t % 16], c = special[(t + t / 16 * 3) % 16];
  for (int i = 0; i < 44; i += 22) {
    OP2(i, "add.f16");
    OP2(i + 1, "sub.f16");
    OP2(i + 2, "mul.f16");
    OP3(i + 3, "fma.rn.f16");
    OP2(i + 4, "add.sat.f16");
    OP2(i + 5, "add.ftz.f16");
    OP2(i + 6, "mul.ftz.f16");
    OP3(i + 7, "fma.rn.relu.f16");
    OP3(i + 8, "fma.rn.ftz.sat.f16");
    OP1(i + 9, "neg.f16");
    OP1(i + 10, "abs.f16");
    OP1(i + 11, "neg.ftz.f16");
    OP2(i + 12, "min.f16");
    OP2(i + 13, "max.f16");
    OP2(i + 14, "min.NaN.f16");
    OP2(i + 15, "max.ftz.NaN.f16");
    OP2(i + 16, "min.xorsign.abs.f16");
    OP2(i + 17, "set.lt.f16.f16");
    TEST(i + 18, "setp.ltu.f16");
    TEST(i + 19, "setp.eq.ftz.f16");
    unsigned x = a | b << 16, y = b | c << 16, z = c | a << 16, d;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(x), "r"(y), "r"(z));
    H(i + 20) = d;
    H(i + 21) = d >> 16;
    unsigned h = hash(t);
    a = h, b = h >> 16, c = hash(h);
    if (t % 2) b = b & 0x83ff | a & 0x7c00;  // of like size
  }
}
