// The matrix is transposed where it lies: out and in are the same address.

// Wrong: one block overwrites elements that another has still to read.
extern "C" __global__ void in_place_naive(float* out, const float* in, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < n && y < n)
    out[x * n + y] = in[y * n + x];  // want: GlobalRace
}

// A block takes a tile on or above the diagonal and its mirror image, reads both
// and only then writes both: no other block touches either.
extern "C" __global__ void in_place_pairs(float* out, const float* in, int n) {
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
