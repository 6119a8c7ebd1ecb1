#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
extern "C" __global__ void transpose_shared(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  auto block = cg::this_thread_block();
  int width = min(32, n - (int)blockIdx.x * 32);
  for (int r = 0; r < 32 && blockIdx.y * 32 + r < n; r++)
    cg::memcpy_async(block, tile[r], &in[(size_t)(blockIdx.y * 32 + r) * n + blockIdx.x * 32], sizeof(float) * width);
  cg::wait(block);
  int x, y;
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
