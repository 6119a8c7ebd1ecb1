// One block walks down a column of tiles and uses its tile again for each.
// Launched with n/32 × 1 blocks.

// Wrong: a fast warp fills the tile anew while a slow one still reads it.
extern "C" __global__ void tile_reused(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  for (int top = 0; top < n; top += 32) {
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = top + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
      if (x < n && y + j < n)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];  // want: SharedRace
    __syncthreads();
    x = top + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
      if (x < n && y + j < n)
        out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];  // want: SharedRace
  }
}

extern "C" __global__ void tile_reused_right(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  for (int top = 0; top < n; top += 32) {
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = top + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
      if (x < n && y + j < n)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = top + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
      if (x < n && y + j < n)
        out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
    __syncthreads();
  }
}
