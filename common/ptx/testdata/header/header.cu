// Functions of a header that call each other: what they do is the doing of the line here.
#include "header.h"
extern "C" __global__ void header(float* out, const float* in, int n) {
  out[threadIdx.x] = one(in + threadIdx.x);             // want: 1 load
  out[threadIdx.x + 32] = two(in + n + threadIdx.x);    // want: 2 loads
  out[threadIdx.x + 64] = four(in + 2 * n + threadIdx.x); // want: 4 loads
}
