// Directed rounding of single and double precision, of special numbers and of random bits,
// and the NaNs of what does not round. Writes 30 × 256 words.
#define S2(op) asm(op " %0, %1, %2;" : "=f"(f) : "f"(a), "f"(b)); mix(sum, __float_as_uint(f))
#define S1(op) asm(op " %0, %1;" : "=f"(f) : "f"(a)); mix(sum, __float_as_uint(f))
#define S3(op) asm(op " %0, %1, %2, %3;" : "=f"(f) : "f"(a), "f"(b), "f"(c)); mix(sum, __float_as_uint(f))
#define D2(op) asm(op " %0, %1, %2;" : "=d"(d) : "d"(x), "d"(y)); mix(sum, __double_as_longlong(d))
#define D1(op) asm(op " %0, %1;" : "=d"(d) : "d"(x)); mix(sum, __double_as_longlong(d))
#define D3(op) asm(op " %0, %1, %2, %3;" : "=d"(d) : "d"(x), "d"(y), "d"(z)); mix(sum, __double_as_longlong(d))
#define ALL(k, op, type) k(op ".rn" type); k(op ".rz" type); k(op ".rm" type); k(op ".rp" type)
#define END(i) out[256 * (j + (i)) + threadIdx.x] = sum ^ sum >> 32; sum = 0

__device__ unsigned hash(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

__device__ void mix(unsigned long long& sum, unsigned long long x) { sum = (sum ^ x) * 0x9e3779b97f4a7c15ull + (sum >> 29); }

extern "C" __global__ void rounding(unsigned* out) {
  const unsigned special[16] = {0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000, 0xbf800001, 0x7f7fffff,
                                0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00001, 0xffc12345, 0x7f812345, 0x34000000, 0x40400000};
  int t = threadIdx.x;
  unsigned p = special[t / 16], q = special[t % 16], r = special[(t + t / 16 * 3) % 16], l = 0;
  for (int j = 0; j < 30; j += 15) {
    float a = __uint_as_float(p), b = __uint_as_float(q), c = __uint_as_float(r), f;
    unsigned long long u = (unsigned long long)p << 32 | l, v = (unsigned long long)q << 32 | l * 3, w = (unsigned long long)r << 32 | l * 5;
    if (j == 0) u ^= u >> 3 & 0x7000000000000000ull, v ^= v >> 3 & 0x7000000000000000ull, w ^= w >> 3 & 0x7000000000000000ull;
    double x = __longlong_as_double(u), y = __longlong_as_double(v), z = __longlong_as_double(w), d;
    unsigned long long sum = 0;
    ALL(S2, "add", ".f32"); ALL(S2, "sub", ".f32"); END(0);
    ALL(S2, "mul", ".f32"); END(1);
    ALL(S3, "fma", ".f32"); END(2);
    ALL(S2, "div", ".f32"); END(3);
    ALL(S1, "rcp", ".f32"); ALL(S1, "sqrt", ".f32"); END(4);
    ALL(S2, "mul", ".ftz.f32"); ALL(S3, "fma", ".ftz.sat.f32"); END(5);
    S1("neg.f32"); S1("abs.f32"); END(6);
    S2("min.f32"); S2("max.f32"); S2("max.NaN.f32"); S2("min.ftz.f32"); S2("min.xorsign.abs.f32"); END(7);
    S2("copysign.f32"); D2("copysign.f64"); D1("neg.f64"); D1("abs.f64"); END(8);
    D2("min.f64"); D2("max.f64"); END(9);
    ALL(D2, "add", ".f64"); ALL(D2, "sub", ".f64"); END(10);
    ALL(D2, "mul", ".f64"); END(11);
    ALL(D3, "fma", ".f64"); END(12);
    ALL(D2, "div", ".f64"); END(13);
    ALL(D1, "rcp", ".f64"); ALL(D1, "sqrt", ".f64"); END(14);
    p = hash(t), q = hash(p), r = hash(q), l = hash(r);
    if (t % 2) q = q & 0x83ffffff | p & 0x7c000000, r = r & 0x83ffffff | p & 0x7c000000;  // of like size
    if (t % 4 == 2) r = (p & 0x7fffffff) + (q & 0x7fffffff) - 0x3f800000;                   // as large as the product
  }
}
