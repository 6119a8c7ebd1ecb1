// Small slips of the pen in a kernel that is otherwise right. Tiles of 32 × 32, blocks
// of 32 × 8, each thread four rows; or one element a thread, where there is no tile.

// Wrong: the tile has 32 rows and the block 8, so the second tile starts too high.
extern "C" __global__ void tile_rows_by_blockdim(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// Wrong: the load has lost its + j and reads the first eight rows four times.
extern "C" __global__ void j_lost_in_load(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// Wrong: the read of the tile has lost it.
extern "C" __global__ void j_lost_in_tile(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y];
}

// Wrong: the store has lost it, and the last of the four rows stands in the first's place.
extern "C" __global__ void j_lost_in_store(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[y * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// Wrong: both sides of the tile are read and written by rows, so the tiles change
// places and nothing inside them does.
extern "C" __global__ void tile_not_turned(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.y + j][threadIdx.x];
}

// Wrong: a row of the tile is one float too short, and its last float is the next
// row's first. No barrier can help.
extern "C" __global__ void tile_too_narrow(float* out, const float* in, int n) {
  __shared__ float tile[32][31];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];  // want: SharedRace
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// Wrong: load and store are each guarded with the other's coordinates.
extern "C" __global__ void guards_exchanged(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, column = blockIdx.y * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y, row = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (column < n && row + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      out[(row + j) * n + column] = tile[threadIdx.x][threadIdx.y + j];  // want: OutOfBounds
}

// Wrong: out is added to, and it holds NaN until somebody writes it.
extern "C" __global__ void adds_to_out(float* out, const float* in, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < n && y < n) out[x * n + y] += in[y * n + x];
}

// Wrong: the parameters have changed places, and out is where the data comes from.
extern "C" __global__ void pointers_swapped(const float* in, float* out, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < n && y < n) out[x * n + y] = in[y * n + x];
}

// Wrong: the width of the grid stands where the width of a block belongs.
extern "C" __global__ void griddim_for_blockdim(float* out, const float* in, int n) {
  int x = blockIdx.x * gridDim.x + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < n && y < n)
    out[x * n + y] = in[y * n + x];  // want: note
}

// Wrong: the rows come in reverse, which makes it a rotation.
extern "C" __global__ void rotated(float* out, const float* in, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < n && y < n) out[(n - 1 - x) * n + y] = in[y * n + x];
}

// Wrong: the guard lets only the matrix's upper left triangle through.
extern "C" __global__ void guard_of_the_sum(float* out, const float* in, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x + y < n) out[x * n + y] = in[y * n + x];
}

// Right by chance: the input holds each element's index, and that is what is written.
// Nothing is read.
extern "C" __global__ void index_for_element(float* out, const float* in, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < n && y < n) out[x * n + y] = y * n + x;
}
