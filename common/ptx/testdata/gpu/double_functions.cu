// Double-precision functions as nvcc writes them out. They start from approximations of the
// hardware, so the last bits of a GPU may differ: the lowest 8 are left out. Writes 12 × 256 words.
#define END(i, value) { double v = value; out[256 * (i) + threadIdx.x] = (__double_as_longlong(v) + 128) >> 8; }

extern "C" __global__ void double_functions(unsigned* out) {
  int t = threadIdx.x;
  double x = 0.0625 + t * 0.123456789;
  END(0, log(x));
  END(1, exp(x - 10));
  END(2, sin(x * 1e5));
  END(3, atan(x));
  END(4, pow(x, 1.7));
  END(5, cbrt(x));
  END(6, tanh(x - 10));
  END(7, erfc(x / 8));
  END(8, x / 3 + sqrt(x));
  END(9, rsqrt(x));
  END(10, rint(x) + round(x * 7.5) + fmod(x * 1e10, 3.7));
  END(11, lgamma(x));
}
