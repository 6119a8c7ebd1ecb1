// A copy with four elements a thread. A float4 lies at a multiple of 16 bytes.

// Wrong unless n is a multiple of 4: row 1 starts at byte 4n.
extern "C" __global__ void misaligned_float4(float* out, const float* in, int n) {
  int x = 4 * (blockIdx.x * 32 + threadIdx.x);
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x + 3 < n && y < n)
    *(float4*)(out + y * n + x) = *(const float4*)(in + y * n + x);  // want: Misaligned
}

extern "C" __global__ void misaligned_float4_right(float* out, const float* in, int n) {
  int x = 4 * (blockIdx.x * 32 + threadIdx.x);
  int y = blockIdx.y * 8 + threadIdx.y;
  if (y >= n) return;
  if (n % 4 == 0) {
    if (x < n) *(float4*)(out + y * n + x) = *(const float4*)(in + y * n + x);
  } else {
    for (int k = x; k < x + 4 && k < n; k++) out[y * n + k] = in[y * n + k];
  }
}
