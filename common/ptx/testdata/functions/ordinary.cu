// What nvcc needs rare instructions for: carries, directed rounding, dot products.
#include <assert.h>
#include <stdio.h>

extern "C" __global__ void sines(double* out, const double* in, int n) {
  int i = threadIdx.x;
  out[i] = sin(in[i] * 1e10);  // reduced in 128 bits
}

extern "C" __global__ void rounds(double* out, const double* in, int n) { out[threadIdx.x] = round(in[threadIdx.x]); }

extern "C" __global__ void high(unsigned long long* out, const unsigned long long* in, int n) {
  int i = threadIdx.x;
  unsigned __int128 p = (unsigned __int128)in[i] * in[(i + 1) % 64] + in[(i + 2) % 64];
  out[i] = p >> 64;
}

extern "C" __global__ void dots(int* out, const short2* a, const char2* b) {
  int i = threadIdx.x;
  out[i] = a[i].x * b[i].x + a[i].y * b[i].y + out[i];
}

extern "C" __global__ void asserts(float* out, const float* in, int n) {
  assert(n > 0);
  out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void prints(float* out, const float* in, int n) {
  if (threadIdx.x == 0 && n < 0) printf("%d\n", n);
  out[threadIdx.x] = in[threadIdx.x];
}
