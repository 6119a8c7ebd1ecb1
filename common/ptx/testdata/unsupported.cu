// The emulator runs what kernels like these need and stops at the rest, of which a
// named barrier stands for all: atomics, votes, printf, textures.

// Right on a GPU: 256 threads meet at barrier 1, as they would at __syncthreads().
extern "C" __global__ void named_barrier(float* out, const float* in, int n) {
  __shared__ float tile[8][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  asm volatile("bar.sync 1, 256;" ::: "memory");
  if (x < n && y < n) out[x * n + y] = tile[threadIdx.y][threadIdx.x];
}
