// Episode 04: one unused column, so that a column of the tile lies in 32 banks.
// Run it: make ep04
//
// Changed: transpose_padded is new: its name, and [32][33] for [32][32].

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

// A block turns a 32 × 32 tile in shared memory, each thread four elements of it. A
// warp reads a row of in and writes a row of out: both contiguous. It also writes a
// row of the tile, but reads a column, whose 32 floats are 32 floats apart: one bank.
extern "C" __global__ void transpose_shared(float* out, const float* in, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;  // column of in
  int y = blockIdx.y * 32 + threadIdx.y;  // row of in, the first of four
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;  // column of out: tile (bx, by) goes to (by, bx)
  y = blockIdx.x * 32 + threadIdx.y;  // row of out
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// transpose_shared with rows of 33 floats. A warp reads and writes rows of in and
// out, both contiguous; the 32 floats of a column of the tile are now 33 floats
// apart: 32 banks. The 33rd column is never used.
extern "C" __global__ void transpose_padded(float* out, const float* in, int n) {
  if (blockIdx.x < blockIdx.y) return;
  __shared__ float above[32][33], below[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < n && y + j < n) above[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    if (u < n && v + j < n) below[threadIdx.y + j][threadIdx.x] = in[(v + j) * n + u];
  }
  __syncthreads();
  for (int j = 0; j < 32; j += 8) {
    if (u < n && v + j < n) out[(v + j) * n + u] = above[threadIdx.x][threadIdx.y + j];
    if (x < n && y + j < n) out[(y + j) * n + x] = below[threadIdx.x][threadIdx.y + j];
  }
}
