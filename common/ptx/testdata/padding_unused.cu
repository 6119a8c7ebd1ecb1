// A padded tile keeps column reads free of bank conflicts only if the rows really
// are 33 words apart.

// Right result, no gain: 33 words a row are declared, but the index uses 32.
extern "C" __global__ void padding_unused(float* out, const float* in, int n) {
  __shared__ float tile[32 * 33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      tile[(threadIdx.y + j) * 32 + threadIdx.x] = in[(y + j) * n + x];  // want: load 4 sectors, store 1 wavefront
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      out[(y + j) * n + x] = tile[threadIdx.x * 32 + threadIdx.y + j];  // want: load 32 wavefronts (1 at best), store 4 sectors
}

extern "C" __global__ void padding_unused_right(float* out, const float* in, int n) {
  __shared__ float tile[32 * 33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      tile[(threadIdx.y + j) * 33 + threadIdx.x] = in[(y + j) * n + x];  // want: load 4 sectors, store 1 wavefront
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      out[(y + j) * n + x] = tile[threadIdx.x * 33 + threadIdx.y + j];  // want: load 1 wavefront, store 4 sectors
}
