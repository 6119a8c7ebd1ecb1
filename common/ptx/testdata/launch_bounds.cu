// __launch_bounds__ promises the compiler the largest block, and a launch with a
// larger one is refused. Launched with 32 × 8 threads.

// Wrong: it promises half of that.
extern "C" __global__ void __launch_bounds__(128) bounds_too_low(float* out, const float* in, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < n && y < n) out[x * n + y] = in[y * n + x];
}

extern "C" __global__ void __launch_bounds__(256) bounds_right(float* out, const float* in, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < n && y < n) out[x * n + y] = in[y * n + x];
}
