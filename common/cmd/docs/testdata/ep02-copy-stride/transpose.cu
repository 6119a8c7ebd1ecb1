// Episode 02: the cheapest fix, two indices swapped, and what each access costs.
// Run it: make ep02
//
// Changed: transpose_read_strided is new.

// A warp touches nothing. What is left is what the launch itself costs.
extern "C" __global__ void empty(float* out, const float* in, int n) {
}

// The ceiling: moves what a transpose moves, in the easiest order. A warp reads
// 32 neighbouring floats of a row and writes 32 neighbours: both sides contiguous.
extern "C" __global__ void copy(float* out, const float* in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;  // column
  int y = blockIdx.y * blockDim.y + threadIdx.y;  // row
  int c = 8 * x % n + 8 * x / n;  // lanes 8 columns apart
  if (x < n && y < n) out[y * n + c] = in[y * n + c];
}

// A warp reads 32 neighbouring floats of a row, contiguous, and writes 32 floats of
// a column, each n floats after the last.
extern "C" __global__ void transpose_naive(float* out, const float* in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;  // column
  int y = blockIdx.y * blockDim.y + threadIdx.y;  // row
  if (x < n && y < n) out[x * n + y] = in[y * n + x];
}

// The indices of transpose_naive swapped: a warp reads 32 floats of a column, each n
// floats after the last, and writes 32 neighbouring floats of a row, contiguous.
extern "C" __global__ void transpose_read_strided(float* out, const float* in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;  // column of out
  int y = blockIdx.y * blockDim.y + threadIdx.y;  // row of out
  if (x < n && y < n) out[y * n + x] = in[x * n + y];
}
