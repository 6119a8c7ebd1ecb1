// Calls that stay calls: structs by value and as results, recursion of one and of two
// functions, to depths that differ between lanes, and frames with arrays. Writes 12 × 256 words.
struct Pair {
  unsigned a;
  unsigned long long b;
  unsigned short c[3];
};

__device__ __noinline__ Pair next(Pair p, unsigned k) {
  p.a = p.a * 1664525u + k;
  p.b ^= (unsigned long long)p.a << (k % 32);
  p.c[k % 3] += p.a >> 7;
  return p;
}

__device__ __noinline__ unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ __noinline__ unsigned odd(unsigned n, unsigned sum);
__device__ __noinline__ unsigned even(unsigned n, unsigned sum) { return n == 0 ? sum : odd(n - 1, sum * 3 + 1); }
__device__ __noinline__ unsigned odd(unsigned n, unsigned sum) { return n == 0 ? ~sum : even(n - 1, sum * 5 + 2); }

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

// Each frame has an array of its own, which the next one reads.
__device__ __noinline__ unsigned chain(const unsigned* above, int depth) {
  unsigned mine[4];
  for (int i = 0; i < 4; i++) mine[i] = above[(i + depth) % 4] * 2654435761u + i;
  if (depth == 0) return mine[0] ^ mine[1] ^ mine[2] ^ mine[3];
  unsigned below = chain(mine, depth - 1);
  return below * 3 + mine[depth % 4];
}

__device__ __noinline__ void sort(unsigned* v, int first, int last) {
  if (first >= last) return;
  unsigned pivot = v[(first + last) / 2];
  int i = first, j = last;
  while (i <= j) {
    while (v[i] < pivot) i++;
    while (v[j] > pivot) j--;
    if (i <= j) {
      unsigned x = v[i];
      v[i++] = v[j];
      v[j--] = x;
    }
  }
  sort(v, first, j);
  sort(v, i, last);
}

__device__ __noinline__ double power(double x, int n) { return n == 0 ? 1 : n % 2 ? x * power(x, n - 1) : power(x * x, n / 2); }

extern "C" __global__ void calls(unsigned* out) {
  int t = threadIdx.x;
  unsigned h = t * 2654435761u;
  Pair p = {h, (unsigned long long)h * h, {1, 2, 3}};
  for (int i = 0; i < t % 7; i++) p = next(p, h >> 28);
  out[t] = p.a;
  out[256 + t] = p.b ^ p.b >> 32;
  out[512 + t] = p.c[0] * 7 ^ p.c[1] * 11 ^ p.c[2] * 13;
  out[768 + t] = fibonacci(t % 9);
  out[1024 + t] = even(t % 20, t);
  out[1280 + t] = ackermann(t % 3, t / 3 % 3);
  unsigned start[4] = {h, h ^ 1, h ^ 2, h ^ 3};
  out[1536 + t] = chain(start, h >> 30);
  unsigned v[8];
  for (int i = 0; i < 8; i++) v[i] = (h ^ i * 0x9e3779b9u) * 0x85ebca6bu;
  sort(v, 0, 7);
  out[1792 + t] = v[0] ^ v[3] * 3;
  out[2048 + t] = v[7] - v[6];
  unsigned ordered = 1;
  for (int i = 1; i < 8; i++) ordered &= v[i - 1] <= v[i];
  out[2304 + t] = ordered;
  out[2560 + t] = __double_as_longlong(power(1 + t * 0.01, t % 30)) >> 20;
  // Lanes that call and lanes that do not meet behind the call.
  unsigned n = 0;
  if (t % 3) n = fibonacci(t % 5);
  out[2816 + t] = __ballot_sync(0xffffffffu, n & 1);
}
