// Every element lands one row too low; the first row stays as it was.
extern "C" __global__ void off_by_one_row(float* out, const float* in, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x + 1 < n && y < n) out[(x + 1) * n + y] = in[y * n + x];
}
