// Sums of half and bfloat16 by atomics (compute 9.0), of whole numbers, whose order does not
// show, and at the edges. Writes 3 × 256 words.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void half_atomics(unsigned* out) {
  __shared__ __half2 pair;
  __shared__ __half one[2];
  __shared__ __nv_bfloat162 wide;
  int t = threadIdx.x;
  for (int k = 0; k < 3; k++) out[256 * k + t] = 0;
  if (t == 0) pair = __float2half2_rn(0), one[0] = one[1] = __float2half(1), wide = __float2bfloat162_rn(0);
  __syncthreads();
  atomicAdd((__half2*)&out[t % 8], __floats2half2_rn(t % 16, -(t % 5)));
  atomicAdd((__half*)&out[8] + t % 4, __float2half(t % 9));
  atomicAdd((__nv_bfloat162*)&out[16 + t % 32], __floats2bfloat162_rn(t % 3, -(t % 5)));
  atomicAdd((__nv_bfloat16*)&out[64] + t % 4, __float2bfloat16(t % 2));
  atomicAdd(&pair, __floats2half2_rn(t % 3, t % 7 - 3));
  atomicAdd(&one[t % 2], __float2half(t % 4));
  atomicAdd(&wide, __floats2bfloat162_rn(t % 2, -(t == 7)));
  __syncthreads();
  if (t == 0) out[72] = *(unsigned*)&pair, out[73] = *(unsigned*)one, out[74] = *(unsigned*)&wide;
  // What they return, and numbers at the edges, a thread each: rows 1 and 2.
  const unsigned short a[8] = {0x0001, 0x83ff, 0x7bff, 0x7c00, 0x7e01, 0x8000, 0x3c00, 0x0400};
  const unsigned short b[8] = {0x0002, 0x8001, 0x7bff, 0xfc00, 0x3c00, 0x8000, 0x1000, 0x8001};
  unsigned short* h = (unsigned short*)(out + 256);
  unsigned short* g = (unsigned short*)(out + 512);
  h[t] = a[t / 8 % 8];
  g[t] = a[t / 8 % 8] << 3 & 0x7f80 | a[t / 8 % 8] & 0x807f;
  __syncthreads();
  __half old = atomicAdd((__half*)&h[t], __ushort_as_half(b[t % 8]));
  __nv_bfloat16 before = atomicAdd((__nv_bfloat16*)&g[t], __ushort_as_bfloat16(b[t % 8] << 3 & 0x7f80 | b[t % 8] & 0x807f));
  h[256 + t] = __half_as_ushort(old);
  g[256 + t] = __bfloat16_as_ushort(before);
}
