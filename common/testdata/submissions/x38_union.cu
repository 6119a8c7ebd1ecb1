extern "C" __global__ void transpose_shared(float* out, const float* in, int n) {
  union Word { float f; unsigned u; unsigned char b[4]; };
  __shared__ Word tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) {
      Word w;
      w.f = in[(y + j) * n + x];
      for (int i = 0; i < 4; i++) tile[threadIdx.y + j][threadIdx.x].b[i] = w.b[i];
    }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j].f;
}
