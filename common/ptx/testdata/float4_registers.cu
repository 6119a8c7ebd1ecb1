// Each thread transposes a block of 4 × 4 in its registers, n a multiple of 4.
// A load takes 512 bytes in a row; a store touches 32 sectors and fills half of
// each: no shared memory, and half way between naive and tiled.
extern "C" __global__ void float4_registers(float* out, const float* in, int n) {
  int x = 4 * (blockIdx.x * 32 + threadIdx.x);
  int y = 4 * (blockIdx.y * 8 + threadIdx.y);
  if (x >= n || y >= n) return;
  float4 a = *(const float4*)(in + (y + 0) * n + x);  // want: load 16 sectors
  float4 b = *(const float4*)(in + (y + 1) * n + x);  // want: load 16 sectors
  float4 c = *(const float4*)(in + (y + 2) * n + x);  // want: load 16 sectors
  float4 d = *(const float4*)(in + (y + 3) * n + x);  // want: load 16 sectors
  *(float4*)(out + (x + 0) * n + y) = make_float4(a.x, b.x, c.x, d.x);  // want: store 32 sectors (50% used)
  *(float4*)(out + (x + 1) * n + y) = make_float4(a.y, b.y, c.y, d.y);  // want: store 32 sectors (50% used)
  *(float4*)(out + (x + 2) * n + y) = make_float4(a.z, b.z, c.z, d.z);  // want: store 32 sectors (50% used)
  *(float4*)(out + (x + 3) * n + y) = make_float4(a.w, b.w, c.w, d.w);  // want: store 32 sectors (50% used)
}
