// Arithmetic on bfloat16 (compute 9.0), of all pairs of 16 special numbers and of random bits.
// Writes 34 × 256 values of 16 bits.
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

extern "C" __global__ void bfloat(unsigned* out) {
  const unsigned short special[16] = {0x0000, 0x8000, 0x0001, 0x807f, 0x0080, 0x3f80, 0xbf80, 0x3f81,
                                      0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffd5, 0x7f81, 0x3b80};
  int t = threadIdx.x;
  unsigned short a = special[t / 16], b = special[t % 16], c = special[(t + t / 16 * 3) % 16];
  for (int i = 0; i < 34; i += 17) {
    OP2(i, "add.bf16");
    OP2(i + 1, "sub.bf16");
    OP2(i + 2, "mul.bf16");
    OP3(i + 3, "fma.rn.bf16");
    OP3(i + 4, "fma.rn.relu.bf16");
    OP1(i + 5, "neg.bf16");
    OP1(i + 6, "abs.bf16");
    OP2(i + 7, "min.bf16");
    OP2(i + 8, "max.bf16");
    OP2(i + 9, "min.NaN.bf16");
    OP2(i + 10, "max.NaN.bf16");
    OP2(i + 11, "max.xorsign.abs.bf16");
    TEST(i + 12, "setp.lt.bf16");
    TEST(i + 13, "setp.neu.bf16");
    OP2(i + 14, "set.gt.bf16.bf16");
    unsigned x = a | b << 16, y = b | c << 16, z = c | a << 16, d;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(x), "r"(y), "r"(z));
    H(i + 15) = d;
    H(i + 16) = d >> 16;
    unsigned h = hash(t);
    a = h, b = h >> 16, c = hash(h);
    if (t % 2) b = b & 0x807f | a & 0x7f80;  // of like size
  }
}
