// Each warp transposes 8 rows × 32 columns through a strip of its own, so the
// block needs no barrier. Its lanes still do. Launched with n/32 × n/64 blocks.

// Wrong: a lane reads what other lanes of its warp wrote, and since Volta a warp
// need not run in lockstep.
extern "C" __global__ void warp_barrier(float* out, const float* in, int n) {
  __shared__ float strips[8][8][36];
  float(*strip)[36] = strips[threadIdx.y];
  int x = blockIdx.x * 32, y = (blockIdx.y * 8 + threadIdx.y) * 8;
  for (int k = 0; k < 8; k++)
    if (x + threadIdx.x < n && y + k < n)
      strip[k][threadIdx.x] = in[(y + k) * n + x + threadIdx.x];  // want: SharedRace
  int row = threadIdx.x % 8;
  for (int column = threadIdx.x / 8; column < 32; column += 4)
    if (x + column < n && y + row < n)
      out[(x + column) * n + y + row] = strip[row][column];  // want: SharedRace
}

extern "C" __global__ void warp_barrier_right(float* out, const float* in, int n) {
  __shared__ float strips[8][8][36];
  float(*strip)[36] = strips[threadIdx.y];
  int x = blockIdx.x * 32, y = (blockIdx.y * 8 + threadIdx.y) * 8;
  for (int k = 0; k < 8; k++)
    if (x + threadIdx.x < n && y + k < n)
      strip[k][threadIdx.x] = in[(y + k) * n + x + threadIdx.x];
  __syncwarp();
  int row = threadIdx.x % 8;
  for (int column = threadIdx.x / 8; column < 32; column += 4)
    if (x + column < n && y + row < n)
      out[(x + column) * n + y + row] = strip[row][column];
}
