// Blocks of 16 × 16 threads, one element each: a warp is two rows of the tile.

// Right result; the 32 words of a column read lie in four banks.
extern "C" __global__ void tile16(float* out, const float* in, int n) {
  __shared__ float tile[16][16];
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n)
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];  // want: load 4 sectors, store 1 wavefront
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < n && y < n)
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];  // want: load 8 wavefronts (1 at best), store 4 sectors
}

// Padded to 17 it is nearly free of conflicts, not quite: two rows that lie 17 apart
// span 33 words, and the first and the last share a bank, in the store as well.
extern "C" __global__ void tile16_padded(float* out, const float* in, int n) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n)
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];  // want: load 4 sectors, store 2 wavefronts (1 at best)
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < n && y < n)
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];  // want: load 2 wavefronts (1 at best), store 4 sectors
}
