// Atomics of each operation and type, on global and shared memory. What depends on the
// order of the threads is summed up. Writes 8 × 256 words.
extern "C" __global__ void atomics(unsigned* out) {
  int t = threadIdx.x;
  __shared__ unsigned u[16];
  __shared__ int s[4];
  __shared__ unsigned long long w[8];
  __shared__ float f[4], edge[4];
  __shared__ double d[2];
  for (int k = 0; k < 8; k++) out[k * 256 + t] = 0;
  if (t < 16) u[t] = t == 2 || t == 4 ? ~0u : 0;
  if (t < 4) s[t] = 0, f[t] = 0;
  if (t < 8) w[t] = t == 2 || t == 4 ? ~0ull : 0;
  if (t < 2) d[t] = 0;
  __syncthreads();
  unsigned h = t * 2654435761u;
  unsigned long long hh = h * 0x9E3779B97F4A7C15ull;
  // Global memory: row 0. A histogram: row 1.
  atomicAdd(&out[0], h);
  atomicMax(&out[1], h);
  atomicXor(&out[2], h);
  atomicOr(&out[3], h & 0x55555);
  atomicMax((int*)&out[4], (int)h);
  atomicMin((int*)&out[5], (int)h);
  atomicAdd((float*)&out[6], t * 0.25f);
  atomicInc(&out[7], 99);
  atomicDec(&out[8], 99);
  atomicAdd((unsigned long long*)&out[10], hh);
  atomicMax((unsigned long long*)&out[12], hh);
  atomicAdd(&out[256 + (h >> 27)], 1);
  // Shared memory: row 2.
  atomicAdd(&u[0], h);
  atomicMax(&u[1], h);
  atomicMin(&u[2], h);
  atomicOr(&u[3], h & 0xaaaa);
  atomicAnd(&u[4], h | 0xff);
  atomicXor(&u[5], h);
  atomicInc(&u[6], 9);
  atomicDec(&u[7], 9);
  atomicMax(&s[0], (int)h);
  atomicMin(&s[1], (int)h);
  atomicAdd(&w[0], hh);
  atomicMax(&w[1], hh);
  atomicMin(&w[2], hh);
  atomicOr(&w[3], hh & 0x5555555555555555ull);
  atomicAnd(&w[4], hh | 0xff00ff);
  atomicXor(&w[5], hh);
  atomicMax((long long*)&w[6], (long long)hh);
  atomicMin((long long*)&w[7], (long long)hh);
  atomicAdd(&f[0], t * 0.5f);
  // What they return: each of 0 … 255 once, each value once.
  unsigned old = atomicAdd(&u[8], 1);
  atomicAdd(&u[9], old * old);
  atomicAdd(&u[10], atomicExch(&u[11], t + 1));
  // A loop with compare and swap.
  for (unsigned seen = u[12], want;; seen = want) {
    want = atomicCAS(&u[12], seen, seen + h % 7);
    if (want == seen) break;
  }
  for (unsigned long long seen = 0, want; (want = atomicCAS((unsigned long long*)&d[0], seen, __double_as_longlong(__longlong_as_double(seen) + t))) != seen;) seen = want;
  __syncthreads();
  if (t < 16) out[512 + t] = t == 10 ? u[10] + u[11] : t == 11 ? 0 : u[t];
  if (t < 2) out[528 + t] = s[t];
  if (t < 8) ((unsigned long long*)&out[544])[t] = w[t];
  if (t == 0) out[560] = __float_as_uint(f[0]), out[561] = (unsigned)d[0];
  // Single precision at its edges, one thread each: row 3, global and shared memory.
  const unsigned a[8] = {1, 0x807fffff, 0x7f7fffff, 0x7f800000, 0x7fc00001, 0x80000000, 0x3f800000, 0x00800000};
  const unsigned b[8] = {2, 0x80000001, 0x7f7fffff, 0xff800000, 0x3f800000, 0x80000000, 0x33800000, 0x80000001};
  if (t < 8) out[768 + t] = a[t];
  if (t >= 8 && t < 12) edge[t - 8] = __uint_as_float(a[t - 8]);
  __syncthreads();
  if (t < 8) atomicAdd((float*)&out[768 + t], __uint_as_float(b[t]));
  if (t >= 8 && t < 12) {
    atomicAdd(&edge[t - 8], __uint_as_float(b[t - 8]));
    out[768 + t] = __float_as_uint(edge[t - 8]);
  }
#if __CUDA_ARCH__ >= 600
  atomicAdd((double*)&out[784], t * 0.125);
#endif
}
