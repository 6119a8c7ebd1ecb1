// Copies by float4, n a multiple of 4: one a thread, and four. By the count they are
// equal; the second has a quarter of the threads, and four loads of each under way.
extern "C" __global__ void float4_copy(float* out, const float* in, int n) {
  int i = (blockIdx.x * 256 + threadIdx.x) * 4;
  if (i < n * n) *(float4*)&out[i] = *(const float4*)&in[i];  // want: load 16 sectors, store 16 sectors
}

extern "C" __global__ void float4_copy_by_fours(float* out, const float* in, int n) {
  float4 v[4];
  for (int k = 0; k < 4; k++) {
    int i = (blockIdx.x * 1024 + k * 256 + threadIdx.x) * 4;
    if (i < n * n) v[k] = *(const float4*)&in[i];  // want: load 16 sectors
  }
  for (int k = 0; k < 4; k++) {
    int i = (blockIdx.x * 1024 + k * 256 + threadIdx.x) * 4;
    if (i < n * n) *(float4*)&out[i] = v[k];  // want: store 16 sectors
  }
}
