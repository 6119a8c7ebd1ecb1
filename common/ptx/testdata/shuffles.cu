// Without shared memory: eight lanes transpose a block of 8 × 8 in their registers,
// in three steps of four shuffles. Eight floats are one whole sector, so the stores
// use all of every sector too. A warp has 8 rows × 32 columns; n/32 × n/64 blocks.

// Lanes l and l ^ step trade the halves in which the bit of row and lane differs.
__device__ __forceinline__ void trade(float (&row)[8], int lane, int step) {
  bool upper = lane & step;
#pragma unroll
  for (int k = 0; k < 8; k++)
    if ((k & step) == 0) {
      float got = __shfl_xor_sync(0xffffffff, upper ? row[k] : row[k + step], step);
      row[k] = upper ? got : row[k];
      row[k + step] = upper ? row[k + step] : got;
    }
}

extern "C" __global__ void shuffles(float* out, const float* in, int n) {
  int lane = threadIdx.x % 8;
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = (blockIdx.y * 8 + threadIdx.y) * 8;
  float row[8];
#pragma unroll
  for (int k = 0; k < 8; k++)
    if (x < n && y + k < n)
      row[k] = in[(y + k) * n + x];  // want: load 4 sectors
  trade(row, lane, 1);
  trade(row, lane, 2);
  trade(row, lane, 4);
  x -= lane;
#pragma unroll
  for (int k = 0; k < 8; k++)
    if (x + k < n && y + lane < n)
      out[(x + k) * n + y + lane] = row[k];  // want: store 4 sectors
}
