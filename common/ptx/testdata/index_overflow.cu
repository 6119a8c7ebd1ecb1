// With elements numbered row by row, a transpose sends element i to
// i·n mod (n² − 1); the last one stays. One thread an element, blocks of 256.
// In the usual y * n + x the same happens from n = 46341 on.

// Wrong: i * n leaves an int from n = 1291 on and comes back negative.
extern "C" __global__ void index_overflow(float* out, const float* in, int n) {
  int last = n * n - 1;
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i > last) return;
  int to = i == last ? last : i * n % last;
  out[to] = in[i];  // want: OutOfBounds
}

extern "C" __global__ void index_overflow_right(float* out, const float* in, int n) {
  int last = n * n - 1;
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i > last) return;
  int to = i == last ? last : (long long)i * n % last;
  out[to] = in[i];
}
