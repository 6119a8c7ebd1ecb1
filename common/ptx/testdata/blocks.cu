// A warp is 32 threads in a row of the linear index, whatever the block's shape: a
// block of 16 × 16 makes warps of two rows of 16, a block of 8 × 32 of four rows of 8.
extern "C" __global__ void block_16x16(float* out, const float* in, int n) {
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n)
    out[x * n + y] = in[y * n + x];  // want: load 4 sectors, store 16 sectors (25% used)
}

extern "C" __global__ void block_8x32(float* out, const float* in, int n) {
  int x = blockIdx.x * 8 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  if (x < n && y < n)
    out[x * n + y] = in[y * n + x];  // want: load 4 sectors, store 8 sectors (50% used)
}
