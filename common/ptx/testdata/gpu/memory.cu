// Cache hints, prefetches, constants, and variables of the module. Writes 12 × 256 words.
__constant__ unsigned table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
__constant__ double scale = 0.75;
__device__ unsigned counts[8] = {100, 200, 300};
__device__ uint2 corner = {7, 9};

extern "C" __global__ void memory(unsigned* out) {
  int t = threadIdx.x, u = t ^ 255;
  unsigned h = t * 2654435761u;
  out[t] = h;
  __stcg(&out[256 + t], h ^ 1);
  __stcs(&out[512 + t], h ^ 2);
  __stwb(&out[768 + t], h ^ 3);
  __stwt(&out[1024 + t], h ^ 4);
  __syncthreads();
  out[1280 + t] = __ldcg(&out[u]) ^ __ldca(&out[256 + u]) * 3;
  out[1536 + t] = __ldcs(&out[512 + u]) ^ __ldcv(&out[768 + u]) * 3;
  asm volatile("prefetch.global.L2 [%0];" ::"l"(&out[t]));
  asm volatile("prefetch.global.L1 [%0];" ::"l"(&out[t]));
  unsigned a, b, c;
  asm volatile("ld.global.lu.u32 %0, [%1];" : "=r"(a) : "l"(&out[1024 + u]) : "memory");
  asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(b) : "l"(&out[t]) : "memory");
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(c) : "l"(&out[t]) : "memory");
  out[1792 + t] = a ^ b * 3 ^ c * 5;
  out[2048 + t] = table[t % 16] + table[h >> 28] * 10 + (unsigned)(scale * t);
  uint4 wide = t < 64 ? __ldcg((const uint4*)out + t) : __ldcs((const uint4*)out + t % 64);
  out[2304 + t] = wide.x ^ wide.y * 3 ^ wide.z * 5 ^ wide.w * 7;
  atomicAdd(&counts[t % 8], t);
  __syncthreads();
  out[2560 + t] = counts[t % 8] + corner.x * corner.y;
  unsigned short* s = (unsigned short*)(out + 2816);
  unsigned char* bytes = (unsigned char*)(out + 2944);
  s[t] = __ldcg((const unsigned short*)out + t);
  __stcs(&bytes[t], (unsigned char)__ldcg((const signed char*)out + 3 * t));
  if (t < 64) out[3008 + t] = t;
}
