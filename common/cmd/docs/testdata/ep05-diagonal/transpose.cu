// Episode 05: blocks that run together write neighbouring tiles of out.
// Run it: make ep05
//
// Changed: transpose_ordered is new: its name, and blockIdx.x and blockIdx.y exchanged.

// A warp touches nothing. What is left is what the launch itself costs.
extern "C" __global__ void empty(float* out, const float* in, int n) {
}

// The ceiling of a tile launch: the tile goes back untransposed to where it came
// from. Blocks beside each other read and write tiles beside each other.
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

// A block turns a 32 × 32 tile in shared memory, without bank conflicts. Blocks
// beside each other read tiles beside each other, and write tiles below each other.
extern "C" __global__ void transpose_padded(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
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

// transpose_padded with the tiles dealt out in the other order. Blocks beside each
// other read tiles below each other, and write tiles beside each other.
extern "C" __global__ void transpose_ordered(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  int bx = (blockIdx.x + blockIdx.y) % gridDim.x, by = blockIdx.x;
  int x = by * 32 + threadIdx.x;  // column of in
  int y = bx * 32 + threadIdx.y;  // row of in, the first of four
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = bx * 32 + threadIdx.x;  // column of out: tile (by, bx) goes to (bx, by)
  y = by * 32 + threadIdx.y;  // row of out
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
