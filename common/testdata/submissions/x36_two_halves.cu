#include <cuda_fp16.h>
extern "C" __global__ void transpose_shared(float* out, const float* in, int n) {
  __shared__ unsigned short low[32][34], high[32][34];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) {
      unsigned u = __float_as_uint(in[(y + j) * n + x]);
      low[threadIdx.y + j][threadIdx.x] = u & 0xffff;
      high[threadIdx.y + j][threadIdx.x] = u >> 16;
    }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = __uint_as_float(high[threadIdx.x][threadIdx.y + j] << 16 | low[threadIdx.x][threadIdx.y + j]);
}
