// Right in the first five launches and not from the sixth on: a check before the
// timing alone lets it pass. Each block counts its own launches (n ≤ 4096).
__device__ int launches[128 * 128];

// Wrong: every element is a half too large, later.

extern "C" __global__ void wrong_later(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  int before = launches[block];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) launches[block] = before + 1;
  float wrong = before >= 5 ? 0.5f : 0;
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j] + wrong;
}

// Wrong: it leaves its buffers, later. The launch that faults is one of those timed.
extern "C" __global__ void fault_later(float* out, const float* in, int n) {
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  int before = launches[block];
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) launches[block] = before + 1;
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  long long shift = before < 5 ? 0 : 1LL << 32;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      out[x * n + y + j + shift] = in[(y + j) * n + x];  // want: OutOfBounds
}
