#include <cuda_pipeline.h>
extern "C" __global__ void transpose_shared(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) __pipeline_memcpy_async(&tile[threadIdx.y + j][threadIdx.x], &in[(y + j) * n + x], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
