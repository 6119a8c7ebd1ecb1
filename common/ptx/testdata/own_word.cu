// Right result, no gain: each thread reads back the word it wrote itself. The tile
// moved nothing from thread to thread, and the store is as scattered as without it.
extern "C" __global__ void own_word(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];  // want: load 4 sectors, store 1 wavefront
  __syncthreads();
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      out[x * n + y + j] = tile[threadIdx.y + j][threadIdx.x];  // want: load 1 wavefront, store 32 sectors (12.5% used)
}
