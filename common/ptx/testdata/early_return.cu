// Threads that have returned are not waited for: a barrier below a return is no
// fault, but it deserves a note, because those threads do no more work.

// Right: a thread beyond the edge has nothing to store either.
extern "C" __global__ void early_return(float* out, const float* in, int n) {
  __shared__ float tile[8][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x >= n || y >= n) return;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();  // want: note
  out[x * n + y] = tile[threadIdx.y][threadIdx.x];
}

// Wrong: a thread beyond the right edge should have stored a row of the output, and
// where a tile hangs over that edge only the tile's first n % 32 columns arrive.
extern "C" __global__ void early_return_tile(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  if (x >= n) return;
  for (int j = 0; j < 32; j += 8)
    if (y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();  // want: note
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
