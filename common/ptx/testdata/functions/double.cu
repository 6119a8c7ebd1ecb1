// Double-precision functions, which nvcc writes out: their errors are within what the
// Programming Guide ("Mathematical Functions") says.
#define KERNEL(name, value) \
  extern "C" __global__ void name(double* out, const double* in, int n) { \
    int i = threadIdx.x; \
    double x = i < n ? in[i] : 1; \
    if (i < n) out[i] = value; \
  }
KERNEL(k_log, log(x))
KERNEL(k_exp, exp(x))
KERNEL(k_sin, sin(x))
KERNEL(k_tan, tan(x))
KERNEL(k_atan, atan(x))
KERNEL(k_erf, erf(x))
KERNEL(k_tanh, tanh(x))
KERNEL(k_cbrt, cbrt(x))
KERNEL(k_cos, cos(x))
KERNEL(k_log2, log2(x))
KERNEL(k_log10, log10(x))
KERNEL(k_exp2, exp2(x))
KERNEL(k_sinh, sinh(x))
KERNEL(k_cosh, cosh(x))
KERNEL(k_asin, asin(x))
KERNEL(k_acos, acos(x))
KERNEL(k_log1p, log1p(x))
KERNEL(k_expm1, expm1(x))
KERNEL(k_lgamma, lgamma(x))
KERNEL(k_tgamma, tgamma(x))
KERNEL(k_erfc, erfc(x))
KERNEL(k_round, round(x))
KERNEL(k_pow, pow(x, 1.7))
KERNEL(k_hypot, hypot(x, 3.0))
KERNEL(k_atan2, atan2(x, 2.0))
KERNEL(k_rsq, rsqrt(x))
KERNEL(k_div, x / 3)
