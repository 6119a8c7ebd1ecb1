// A grid-stride loop: a block copies every so many-th row.

// Wrong with one row of blocks: half of gridDim.y is 0, and so is the stride.
extern "C" __global__ void endless(float* out, const float* in, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  int stride = 8 * (gridDim.y / 2);
  if (x < n)
    for (int j = y; j < n; j += stride) out[j * n + x] = in[j * n + x];  // want: TooLong
}

extern "C" __global__ void endless_right(float* out, const float* in, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  int stride = 8 * gridDim.y;
  if (x < n)
    for (int j = y; j < n; j += stride) out[j * n + x] = in[j * n + x];
}
