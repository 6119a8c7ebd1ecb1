// transpose_wide for n a multiple of 4, with a word to the caches: each element is read
// once and written once, so let it go first. The hint changes no count.
extern "C" __global__ void cache_hints(float* out, const float* in, int n) {
  __shared__ float tile[64][65];
  int c = threadIdx.x * 4, r = threadIdx.y;
  int x = blockIdx.y * 64 + c;
  int y = blockIdx.x * 64 + r;
  float4 v[2] = {};
  for (int j = 0; j < 2; j++)
    if (x < n && y + 32 * j < n) v[j] = __ldcs((const float4*)&in[(y + 32 * j) * n + x]);  // want: load 16 sectors
  for (int j = 0; j < 2; j++) {
    float* to = &tile[r + 32 * j][c];
    to[0] = v[j].x, to[1] = v[j].y, to[2] = v[j].z, to[3] = v[j].w;  // want: store 2 wavefronts (1 at best)
  }
  __syncthreads();
  x = blockIdx.x * 64 + c;
  y = blockIdx.y * 64 + r;
  for (int j = 0; j < 64; j += 32)
    if (x < n && y + j < n) {
      float4 t = {tile[c][r + j], tile[c + 1][r + j], tile[c + 2][r + j], tile[c + 3][r + j]};  // want: load 2 wavefronts (1 at best)
      __stcs((float4*)&out[(y + j) * n + x], t);  // want: store 16 sectors
    }
}
