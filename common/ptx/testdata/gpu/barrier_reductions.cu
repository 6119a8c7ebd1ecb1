// Barriers that count and combine. Writes 4 × 256 words.
extern "C" __global__ void barrier_reductions(unsigned* out) {
  int t = threadIdx.x;
  unsigned h = t * 2654435761u;
  out[t] = __syncthreads_count(h & 0x10000);
  out[256 + t] = (__syncthreads_and(t < 256) != 0) | (__syncthreads_and(t != 77) != 0) << 1;
  out[512 + t] = (__syncthreads_or(t == 77) != 0) | (__syncthreads_or(t > 255) != 0) << 1;
  out[768 + t] = 0;
  if (t >= 200) return;  // whole warps and a part of one
  out[768 + t] = __syncthreads_count(t % 3 == 0);
}
