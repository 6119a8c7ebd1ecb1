// Where a tile hangs over the edge of the matrix, the guards keep its threads
// from the elements that do not exist: n = 33 and 1000.

// Wrong: no guard at all.
extern "C" __global__ void guard_missing(float* out, const float* in, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  out[x * n + y] = in[y * n + x];  // want: OutOfBounds
}

// Wrong: the load runs past the end. On a GPU it may pass for years, until the
// allocation happens to end where its page does.
extern "C" __global__ void guard_on_store_only(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];  // want: OutOfBounds
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// Wrong: the store is guarded with the coordinates of the load.
extern "C" __global__ void guard_of_the_load(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  int column = blockIdx.y * 32 + threadIdx.x;
  int row = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      out[(row + j) * n + column] = tile[threadIdx.x][threadIdx.y + j];  // want: OutOfBounds
}

// Wrong unless rows = cols: the two limits have changed places.
extern "C" __global__ void guards_swapped(float* out, const float* in, int rows, int cols) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < rows && y < cols)
    out[x * rows + y] = in[y * cols + x];  // want: OutOfBounds
}

extern "C" __global__ void guards_right(float* out, const float* in, int rows, int cols) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}
