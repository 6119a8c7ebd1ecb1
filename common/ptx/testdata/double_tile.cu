// Elements of 8 bytes: a warp's row is 8 sectors, and shared memory serves it in
// two halves, so two wavefronts are the best there is.

// Right result; each half warp's column read lies in two banks.
extern "C" __global__ void double_tile(double* out, const double* in, int n) {
  __shared__ double tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];  // want: load 8 sectors, store 2 wavefronts
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];  // want: load 32 wavefronts (2 at best), store 8 sectors
}

// One double of padding serves as well as one float did.
extern "C" __global__ void double_tile_padded(double* out, const double* in, int n) {
  __shared__ double tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];  // want: load 8 sectors, store 2 wavefronts
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];  // want: load 2 wavefronts, store 8 sectors
}
