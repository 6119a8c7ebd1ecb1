#include <cooperative_groups.h>
using namespace cooperative_groups;
extern "C" __global__ void transpose_shared(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  auto b = this_thread_block();
  auto half = tiled_partition<16>(b);
  int lane = half.shfl(b.thread_index().x, half.thread_rank());
  int x = blockIdx.x * 32 + lane, y = blockIdx.y * 32 + b.thread_index().y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  b.sync();
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
