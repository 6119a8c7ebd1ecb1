#include "own_header.h"
extern "C" __global__ void transpose_shared(float* out, const float* in, int n) {
  out[n] = load(in);  // this line
}
int main() { report(1); }
