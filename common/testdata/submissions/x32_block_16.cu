#define BLOCK 16
extern "C" __global__ void transpose_shared(float* out, const float* in, int n) {
  __shared__ float tile[BLOCK][BLOCK + 1];
  int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y * BLOCK + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * BLOCK + threadIdx.x; y = blockIdx.x * BLOCK + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
