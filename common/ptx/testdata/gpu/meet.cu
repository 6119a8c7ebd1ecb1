// Where lanes meet behind recursion. Writes 7 × 256 words.
__device__ __noinline__ unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

extern "C" __global__ void meet(unsigned* out) {
  int t = threadIdx.x;
  unsigned n = 0;
  if (t % 3) n = fibonacci(t % 5);
  out[t] = __ballot_sync(0xffffffffu, n & 1);
  n = fibonacci(t % 5);
  out[256 + t] = __ballot_sync(0xffffffffu, n & 1);
  out[512 + t] = __activemask();
  __syncwarp();
  out[768 + t] = __activemask();
  n = fibonacci(t % 5);
  out[1024 + t] = __shfl_xor_sync(0xffffffffu, n, 1);
  n = fibonacci(t % 5);
  __syncthreads();
  out[1280 + t] = __activemask();
  out[1536 + t] = __ballot_sync(0xffffffffu, n & 1);
}
