// The functions of cuda_fp16.h and cuda_bf16.h (compute 9.0). Writes 12 × 256 words.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ unsigned hash(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

__device__ void mix(unsigned& sum, unsigned x) { sum = (sum ^ x) * 0x9e3779b9u + (sum >> 15); }
__device__ void mix(unsigned& sum, __half x) { mix(sum, __half_as_ushort(x)); }
__device__ void mix(unsigned& sum, __half2 x) { mix(sum, __low2half(x)), mix(sum, __high2half(x)); }
__device__ void mix(unsigned& sum, __nv_bfloat16 x) { mix(sum, __bfloat16_as_ushort(x)); }
__device__ void mix(unsigned& sum, __nv_bfloat162 x) { mix(sum, __low2bfloat16(x)), mix(sum, __high2bfloat16(x)); }
__device__ void mix(unsigned& sum, float x) { mix(sum, __float_as_uint(x)); }
#define END(i) out[256 * (i) + threadIdx.x] = sum, sum = 0

extern "C" __global__ void half_functions(unsigned* out) {
  unsigned g = hash(threadIdx.x), h = hash(g), k = hash(h), sum = 0;
  float f = (int)g * 0x1p-24f, e = (int)h * 0x1p-26f, d = (int)k * 0x1p-22f;
  __half a = __float2half(f), b = __float2half_rn(e), c = __float2half_rz(d);
  mix(sum, a), mix(sum, b), mix(sum, c), mix(sum, __float2half_ru(f)), mix(sum, __float2half_rd(f)), mix(sum, __half2float(a));
  END(0);
  mix(sum, __hadd(a, b)), mix(sum, __hsub(a, b)), mix(sum, __hmul(a, b)), mix(sum, __hfma(a, b, c)), mix(sum, __hneg(a)), mix(sum, __habs(a)), mix(sum, __hadd_sat(a, b)), mix(sum, __hmul_sat(a, b));
  END(1);
  mix(sum, a + b), mix(sum, a - b), mix(sum, a * b), mix(sum, -a);
  a += c, mix(sum, a), a *= b, mix(sum, a), a -= c, mix(sum, a);
  mix(sum, (unsigned)((a < b) | (a == b) << 1 | (a >= c) << 2 | (b != c) << 3));
  mix(sum, (unsigned)(__hlt(a, b) | __heq(a, a) << 1 | __hge(a, c) << 2 | __hne(b, c) << 3 | __hgt(b, c) << 4 | __hle(b, c) << 5 | __hisnan(a) << 6));
  END(2);
  mix(sum, __hmin(a, b)), mix(sum, __hmax(b, c)), mix(sum, __hdiv(a, c)), mix(sum, a / b);
  END(3);
  mix(sum, (unsigned)__half2int_rn(c)), mix(sum, (unsigned)__half2int_rz(c)), mix(sum, __int2half_rn((int)g >> 16)), mix(sum, __uint2half_rn(h >> 18)), mix(sum, (unsigned)__half2short_rz(c)), mix(sum, __short2half_rn((short)k));
  mix(sum, hfloor(c)), mix(sum, hceil(c)), mix(sum, hrint(c)), mix(sum, htrunc(c));
  END(4);
  __half2 p = __floats2half2_rn(f, e), q = __halves2half2(c, a), r = __float2half2_rn(d);
  mix(sum, p), mix(sum, __hadd2(p, q)), mix(sum, __hsub2(p, q)), mix(sum, __hmul2(p, q)), mix(sum, __hfma2(p, q, r)), mix(sum, __hneg2(p)), mix(sum, __habs2(q)), mix(sum, p + q), mix(sum, p * q), mix(sum, p - r);
  END(5);
  float2 w = __half22float2(p);
  mix(sum, w.x), mix(sum, w.y), mix(sum, __low2float(q)), mix(sum, __high2float(q)), mix(sum, __lowhigh2highlow(p)), mix(sum, __low2half2(p)), mix(sum, __high2half2(p)), mix(sum, __lows2half2(p, q)), mix(sum, __highs2half2(p, q)), mix(sum, __half2half2(a)), mix(sum, __float22half2_rn(w));
  mix(sum, __heq2(p, q)), mix(sum, __hlt2(p, q)), mix(sum, __hmin2(p, q)), mix(sum, __hmax2(p, r)), mix(sum, (unsigned)__hbeq2(p, p));
  END(6);
  __nv_bfloat16 x = __float2bfloat16(f), y = __float2bfloat16_rn(e), z = __float2bfloat16_rz(d);
  mix(sum, x), mix(sum, y), mix(sum, z), mix(sum, __bfloat162float(x)), mix(sum, __hadd(x, y)), mix(sum, __hsub(x, y)), mix(sum, __hmul(x, y)), mix(sum, __hfma(x, y, z)), mix(sum, __hneg(x)), mix(sum, __habs(y));
  END(7);
  mix(sum, x + y), mix(sum, x - y), mix(sum, x * y), mix(sum, __hmin(x, y)), mix(sum, __hmax(x, y)), mix(sum, (unsigned)((x < y) | (x == y) << 1 | (x >= z) << 2 | __hne(y, z) << 3));
  END(8);
  __nv_bfloat162 u = __floats2bfloat162_rn(f, e), v = __halves2bfloat162(z, x);
  mix(sum, u), mix(sum, __hadd2(u, v)), mix(sum, __hmul2(u, v)), mix(sum, __hfma2(u, v, u)), mix(sum, u + v), mix(sum, __low2float(u)), mix(sum, __bfloat1622float2(v).y), mix(sum, __bfloat162bfloat162(x));
  END(9);
  __shared__ __half2 tile[256];
  tile[threadIdx.x] = p;
  __syncthreads();
  mix(sum, tile[255 - threadIdx.x]), mix(sum, __shfl_xor_sync(0xffffffffu, p, 3)), mix(sum, __shfl_down_sync(0xffffffffu, a, 1));
  END(10);
  mix(sum, __ushort_as_half(g)), mix(sum, __short_as_half((short)h)), mix(sum, (float)a), mix(sum, __half(1.5f) * b), mix(sum, hsqrt(__habs(c)));
  END(11);
}
