// A block has 48 KiB of static shared memory.

// Wrong: 128 × 129 floats are 66,048 bytes. A driver refuses to load the module.
extern "C" __global__ void shared_too_large(float* out, const float* in, int n) {
  __shared__ float tile[128][129];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  if (x < n && y < n) out[x * n + y] = tile[threadIdx.y][threadIdx.x];
}

// 95 × 129 floats are 49,020 bytes and just fit.
extern "C" __global__ void shared_too_large_right(float* out, const float* in, int n) {
  __shared__ float tile[95][129];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  if (x < n && y < n) out[x * n + y] = tile[threadIdx.y][threadIdx.x];
}
