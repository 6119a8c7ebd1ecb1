// Episode 01: a transpose that is correct, and a copy to measure it against.
// Run it: make ep01
//
// Matrices are n × n floats, row by row: row y, column x is at [y * n + x].
// A block is 32 × 8 threads, so a warp is one row of it: 32 threads with one
// threadIdx.y, and threadIdx.x from 0 to 31.

// A warp touches nothing. What is left is what the launch itself costs.
extern "C" __global__ void empty(float* out, const float* in, int n) {
}

// The ceiling: moves what a transpose moves, in the easiest order. A warp reads
// 32 neighbouring floats of a row and writes 32 neighbours: both sides contiguous.
extern "C" __global__ void copy(float* out, const float* in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;  // column
  int y = blockIdx.y * blockDim.y + threadIdx.y;  // row
  if (x < n && y < n) out[y * n + x] = in[y * n + x];
}

// A warp reads 32 neighbouring floats of a row, contiguous, and writes 32 floats of
// a column, each n floats after the last.
extern "C" __global__ void transpose_naive(float* out, const float* in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;  // column
  int y = blockIdx.y * blockDim.y + threadIdx.y;  // row
  out[x * n + y] = in[y * n + x];
}
