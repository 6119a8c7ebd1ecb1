// A 64 × 64 tile by 16 × 16 threads, n a multiple of 4. Each thread turns 4 × 4 elements
// in its registers, so that the tile can hold float4: no padding, but float4 number c of
// row r lies at c xor r / 4, or a column would take eight times as long.
extern "C" __global__ void wide_registers(float* out, const float* in, int n) {
  __shared__ float4 tile[64][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.y * 64 + tx * 4;
  int y = blockIdx.x * 64 + ty * 4;
  if (x < n && y < n) {
    float4 a = *(const float4*)&in[(y + 0) * n + x];  // want: load 16 sectors
    float4 b = *(const float4*)&in[(y + 1) * n + x];  // want: load 16 sectors
    float4 c = *(const float4*)&in[(y + 2) * n + x];  // want: load 16 sectors
    float4 d = *(const float4*)&in[(y + 3) * n + x];  // want: load 16 sectors
    tile[tx * 4 + 0][ty ^ tx] = make_float4(a.x, b.x, c.x, d.x);  // want: store 4 wavefronts
    tile[tx * 4 + 1][ty ^ tx] = make_float4(a.y, b.y, c.y, d.y);  // want: store 4 wavefronts
    tile[tx * 4 + 2][ty ^ tx] = make_float4(a.z, b.z, c.z, d.z);  // want: store 4 wavefronts
    tile[tx * 4 + 3][ty ^ tx] = make_float4(a.w, b.w, c.w, d.w);  // want: store 4 wavefronts
  }
  __syncthreads();
  x = blockIdx.x * 64 + tx * 4;
  y = blockIdx.y * 64 + ty;
  for (int j = 0; j < 64; j += 16)
    if (x < n && y + j < n)
      *(float4*)&out[(y + j) * n + x] = tile[ty + j][tx ^ (ty + j) / 4];  // want: load 4 wavefronts, store 16 sectors
}
