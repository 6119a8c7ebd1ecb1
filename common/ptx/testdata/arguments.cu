// Nothing is wrong here. The test calls it with two arguments, with four, and with
// an n whose upper half is not zero, as a pointer to a 4-byte variable would give.
extern "C" __global__ void arguments(float* out, const float* in, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < n && y < n) out[x * n + y] = in[y * n + x];
}
