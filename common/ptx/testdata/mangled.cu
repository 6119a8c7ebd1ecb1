// Without extern "C" the compiler puts the parameters' types into the name: the
// entry is _Z9transposePfPKfi, and no kernel is called transpose.
__global__ void transpose(float* out, const float* in, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < n && y < n) out[x * n + y] = in[y * n + x];
}
