// Episode 06: 16 bytes a lane, and a tile that has grown with it.
// Run it: make ep06
//
// Changed: transpose_wide is new, and with it the launch: one block of 16 × 32 threads
// for each 64 × 64 tile, eight elements a thread. copy_wide is that launch's ceiling.

// A warp touches nothing. What is left is what the launch itself costs.
extern "C" __global__ void empty(float* out, const float* in, int n) {
}

// The ceiling of this launch: transpose_wide, but the tile goes back untransposed to
// where it came from. A warp reads and writes two half rows of a tile, 16 bytes a lane.
extern "C" __global__ void copy_wide(float* out, const float* in, int n) {
  __shared__ float tile[64][65];
  int c = threadIdx.x * 4, r = threadIdx.y;
  int x = blockIdx.x * 64;      // column of in, the tile's first
  int y = blockIdx.y * 64 + r;  // row of in, the first of two
  if (n % 4 == 0) {             // every row begins at a multiple of 16 bytes
    float4 v[2] = {};
    for (int j = 0; j < 2; j++)  // both are asked for before one is waited for
      if (x + c < n && y + 32 * j < n) v[j] = *(const float4*)&in[(y + 32 * j) * n + x + c];
    for (int j = 0; j < 2; j++) {
      float* to = &tile[r + 32 * j][c];
      to[0] = v[j].x, to[1] = v[j].y, to[2] = v[j].z, to[3] = v[j].w;
    }
  } else
    for (int j = 0; j < 64; j += 32)
      for (int k = threadIdx.x; k < 64; k += 16)
        if (x + k < n && y + j < n) tile[r + j][k] = in[(y + j) * n + x + k];
  __syncthreads();
  if (n % 4 == 0) {
    for (int j = 0; j < 64; j += 32)
      if (x + c < n && y + j < n) {
        float4 v = {tile[r + j][c], tile[r + j][c + 1], tile[r + j][c + 2], tile[r + j][c + 3]};
        *(float4*)&out[(y + j) * n + x + c] = v;
      }
  } else
    for (int j = 0; j < 64; j += 32)
      for (int k = threadIdx.x; k < 64; k += 16)
        if (x + k < n && y + j < n) out[(y + j) * n + x + k] = tile[r + j][k];
}

// A block turns a 32 × 32 tile in shared memory, without bank conflicts. Blocks
// beside each other read tiles below each other, and write tiles beside each other.
extern "C" __global__ void transpose_ordered(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.y * 32 + threadIdx.x;  // column of in
  int y = blockIdx.x * 32 + threadIdx.y;  // row of in, the first of four
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.x * 32 + threadIdx.x;  // column of out: tile (by, bx) goes to (bx, by)
  y = blockIdx.y * 32 + threadIdx.y;  // row of out
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// A block turns a 64 × 64 tile, in the order of transpose_ordered. A lane moves four
// floats of a row at once between the matrices and its registers, one at a time between
// them and the tile, whose rows of 65 floats no float4 could be aligned in. Where n is
// no multiple of 4, nor are the rows of in and out: there floats are moved one by one.
extern "C" __global__ void transpose_wide(float* out, const float* in, int n) {
  __shared__ float tile[64][65];
  int c = threadIdx.x * 4, r = threadIdx.y;
  int x = blockIdx.y * 64;      // column of in, the tile's first
  int y = blockIdx.x * 64 + r;  // row of in
  if (n % 4 == 0) {             // every row begins at a multiple of 16 bytes
    if (x + c < n && y < n) {
      float4 v = *(const float4*)&in[y * n + x + c];
      float* to = &tile[r][c];
      to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
    }
  } else
    for (int k = threadIdx.x; k < 64; k += 16)
      if (x + k < n && y < n) tile[r][k] = in[y * n + x + k];
  __syncthreads();
  x = blockIdx.x * 64;      // column of out: tile (by, bx) goes to (bx, by)
  y = blockIdx.y * 64 + r;  // row of out
  if (n % 4 == 0) {
    if (x + c < n && y < n) {
      float4 v = {tile[c][r], tile[c + 1][r], tile[c + 2][r], tile[c + 3][r]};
      *(float4*)&out[y * n + x + c] = v;
    }
  } else
    for (int k = threadIdx.x; k < 64; k += 16)
      if (x + k < n && y < n) out[y * n + x + k] = tile[k][r];
}
