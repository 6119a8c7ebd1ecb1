// Episode 03: a tile in shared memory, so that both sides can be contiguous.
// Run it: make ep03
//
// Changed: transpose_shared is new, and with it the launch: one block for each
// 32 × 32 tile, four elements a thread. copy_tile is that launch's ceiling.

// A warp touches nothing. What is left is what the launch itself costs.
extern "C" __global__ void empty(float* out, const float* in, int n) {
}

// The ceiling of a tile launch: transpose_shared, but the tile goes back untransposed
// to where it came from. A warp reads and writes rows, contiguous on both sides, in
// global and in shared memory.
extern "C" __global__ void copy_tile(float* out, const float* in, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;  // column of in
  int y = blockIdx.y * 32 + threadIdx.y;  // row of in, the first of four
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.y + j][threadIdx.x];
}

// The indices of transpose_naive swapped: a warp reads 32 floats of a column, each n
// floats after the last, and writes 32 neighbouring floats of a row, contiguous.
extern "C" __global__ void transpose_read_strided(float* out, const float* in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;  // column of out
  int y = blockIdx.y * blockDim.y + threadIdx.y;  // row of out
  if (x < n && y < n) out[y * n + x] = in[x * n + y];
}

// A block turns a 32 × 32 tile in shared memory, each thread four elements of it. A
// warp reads a row of in and writes a row of out: both contiguous. It also writes a
// row of the tile, but reads a column, whose 32 floats are 32 floats apart: one bank.
extern "C" __global__ void transpose_shared(float* out, const float* in, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;  // column of in
  int y = blockIdx.y * 32 + threadIdx.y;  // row of in, the first of four
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) tile[threadIdx.x][threadIdx.y + j] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;  // column of out: tile (bx, by) goes to (by, bx)
  y = blockIdx.x * 32 + threadIdx.y;  // row of out
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.y + j][threadIdx.x];
}
