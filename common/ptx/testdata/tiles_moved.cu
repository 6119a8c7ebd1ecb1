// What transpose_wide moves, in its order, n a multiple of 4; but nothing is turned, so
// there is no tile and no barrier. The result is wrong: 64 × 64 tiles change places, and
// inside them all stays as it was. Its time is the least that this pattern takes.
extern "C" __global__ void tiles_moved(float* out, const float* in, int n) {
  int c = threadIdx.x * 4, r = threadIdx.y;
  int x = blockIdx.y * 64 + c, y = blockIdx.x * 64 + r;  // in in
  int u = blockIdx.x * 64 + c, v = blockIdx.y * 64 + r;  // in out
  float4 a = {}, b = {};
  if (x < n && y < n) a = *(const float4*)&in[y * n + x];                   // want: load 16 sectors
  if (x < n && y + 32 < n) b = *(const float4*)&in[(y + 32) * n + x];       // want: load 16 sectors
  if (u < n && v < n) *(float4*)&out[v * n + u] = a;                        // want: store 16 sectors
  if (u < n && v + 32 < n) *(float4*)&out[(v + 32) * n + u] = b;            // want: store 16 sectors
}
