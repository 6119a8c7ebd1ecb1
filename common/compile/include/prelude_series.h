// The functions that no instruction computes, for doubles: an argument is brought
// near zero, where a Taylor series is short. Off by a few units in the last place;
// sin, cos and tan of arguments beyond 10⁹, and lgamma beside 1 and 2, by more.

// A sum of count terms from the smallest: c(0) + x (c(1) + x (c(2) + …)).
#define PRELUDE_SERIES(sum, count, x, term)                 \
  double sum = 0;                                           \
  _Pragma("unroll") for (int k = (count) - 1; k >= 0; k--) sum = __builtin_fma(sum, x, term);

PRELUDE double prelude_power_of_2(int e) { return __longlong_as_double((long long)(e + 1023) << 52); }
// In steps of which only the last can round.
PRELUDE double ldexp(double v, int e) {
  for (int i = 0; i < 2; i++) {
    if (e > 1023) v *= prelude_power_of_2(1023), e -= 1023;
    if (e < -1022) v *= prelude_power_of_2(-969), e += 969;
  }
  return v * prelude_power_of_2(e > 1023 ? 1023 : e < -1022 ? -1022 : e);
}
PRELUDE double scalbn(double v, int e) { return ldexp(v, e); }
PRELUDE double scalbln(double v, long e) { return ldexp(v, e > 5000 ? 5000 : e < -5000 ? -5000 : (int)e); }
PRELUDE double frexp(double v, int* e) {
  *e = 0;
  if (v == 0 || !isfinite(v)) return v;
  int tiny = fabs(v) < 2.2250738585072014e-308 ? 54 : 0;
  long long bits = __double_as_longlong(v * prelude_power_of_2(tiny));
  *e = (int)(bits >> 52 & 0x7ff) - 1022 - tiny;
  return __longlong_as_double((bits & ~(0x7ffLL << 52)) | 1022LL << 52);
}
PRELUDE int ilogb(double v) {
  int e;
  frexp(v, &e);
  return e - 1;
}
PRELUDE double logb(double v) { return ilogb(v); }
PRELUDE double modf(double v, double* whole) {
  *whole = trunc(v);
  return copysign(isinf(v) ? 0 : v - *whole, v);
}

// (e^v - 1) / v for |v| ≤ 0.35.
PRELUDE double prelude_exp_series(double v) {
  constexpr double factorial[] = {1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800,
                                  39916800, 479001600, 6227020800, 87178291200};
  PRELUDE_SERIES(sum, 14, v, 1 / factorial[k])
  return sum;
}
// e^(v + low), where low is far below v.
PRELUDE double prelude_exp(double v, double low) {
  if (v != v) return v;
  if (v > 709.8) return __builtin_inf();
  if (v < -746) return 0;
  double k = rint(v * 1.4426950408889634);
  double r = fma(-k, 1.90821492927058770002e-10, fma(-k, 6.93147180369123816490e-01, v)) + low;
  return ldexp(fma(prelude_exp_series(r), r, 1), (int)k);
}
PRELUDE double exp(double v) { return prelude_exp(v, 0); }
PRELUDE double expm1(double v) { return fabs(v) < 0.35 ? prelude_exp_series(v) * v : exp(v) - 1; }

// The logarithm as a sum of two doubles, returned and *low, of a positive finite number:
// with v = m 2^e and s = (m - 1) / (m + 1), log v = e log 2 + 2 (s + s³/3 + s⁵/5 + …).
PRELUDE double prelude_log(double v, double* low) {
  int e;
  double m = frexp(v, &e);
  if (m < 0.70710678118654752) m *= 2, e--;
  double d = m + 1, d_low = m - (d - 1);
  double s = (m - 1) / d;
  double s_low = (fma(-s, d, m - 1) - s * d_low) / d;
  double x = s * s;
  PRELUDE_SERIES(sum, 12, x, 2.0 / (2 * k + 3))
  double tail = fma(sum * x, s, 2 * s_low) + e * 1.90821492927058770002e-10;
  double head = e * 6.93147180369123816490e-01, both = head + 2 * s;
  double both_low = e ? 2 * s - (both - head) : 0;
  tail += both_low;
  double high = both + tail;
  *low = tail - (high - both);
  return high;
}
PRELUDE double log(double v) {
  if (v != v || v == __builtin_inf()) return v;
  if (v <= 0) return v < 0 ? __builtin_nan("") : -__builtin_inf();
  double low;
  return prelude_log(v, &low);
}
PRELUDE double log1p(double v) {
  double u = 1 + v;
  if (u == 1 || u == __builtin_inf()) return v;
  return u <= 0 ? log(u) : log(u) * (v / (u - 1));
}
// By a factor in two parts, so that powers of the base come out whole.
PRELUDE double prelude_log_by(double v, double factor, double factor_low) {
  if (!(v > 0) || v == __builtin_inf()) return log(v);
  double low, high = prelude_log(v, &low);
  double product = high * factor;
  return product + (fma(high, factor, -product) + fma(high, factor_low, low * factor));
}
PRELUDE double log2(double v) { return prelude_log_by(v, 1.4426950408889634, 2.0355273740931033e-17); }
PRELUDE double log10(double v) { return prelude_log_by(v, 0.4342944819032518, 1.098319650216765e-17); }
PRELUDE double exp2(double v) {
  double product = v * 0.6931471805599453;
  return v == rint(v) && fabs(v) < 2000 ? ldexp(1, (int)v)
                                        : prelude_exp(product, fma(v, 0.6931471805599453, -product) + v * 2.3190468138462996e-17);
}
PRELUDE double exp10(double v) {
  double product = v * 2.302585092994046;
  return prelude_exp(product, fabs(v) < 400 ? fma(v, 2.302585092994046, -product) + v * -2.1707562233822494e-16 : 0);
}

PRELUDE double pow(double a, double b) {
  if (b == 0 || a == 1) return 1;
  if (a != a || b != b) return a + b;
  double size = fabs(a);
  bool whole = b == rint(b), odd = whole && fabs(b) < 9007199254740992. && ((long long)b & 1);
  double sign = odd && signbit(a) ? -1 : 1;
  if (isinf(b)) return size == 1 ? 1 : (size > 1) == (b > 0) ? __builtin_inf() : 0;
  if (size == 0 || isinf(size)) return sign * ((size == 0) == (b > 0) ? 0 : __builtin_inf());
  if (a < 0 && !whole) return __builtin_nan("");
  double low, high = prelude_log(size, &low);
  double product = high * b;
  if (!(fabs(product) < 1000)) return sign * (product > 0 ? __builtin_inf() : 0);
  return sign * prelude_exp(product, fma(high, b, -product) + low * b);
}
PRELUDE float powif(float a, int b) { return pow((double)a, (double)b); }
PRELUDE double powi(double a, int b) { return pow(a, (double)b); }

PRELUDE double cbrt(double v) {
  if (v == 0 || !isfinite(v)) return v;
  bool tiny = fabs(v) < 1e-280;  // where the step below would be lost
  double low, size = fabs(tiny ? v * prelude_power_of_2(300) : v);
  double r = exp(prelude_log(size, &low) / 3);
  r -= fma(r * r, r, -size) / (3 * r * r);
  return copysign(tiny ? r * prelude_power_of_2(-100) : r, v);
}
PRELUDE double rcbrt(double v) { return 1 / cbrt(v); }
PRELUDE double hypot(double a, double b) {
  a = fabs(a), b = fabs(b);
  if (isinf(a) || isinf(b)) return __builtin_inf();
  double big = fmax(a, b);
  if (!(big > 0)) return a + b;
  int e;
  frexp(big, &e);
  a = ldexp(a, -e), b = ldexp(b, -e);
  return ldexp(sqrt(fma(a, a, b * b)), e);
}

// The remainder, exact, by long division in steps that are.
PRELUDE double fmod(double a, double b) {
  double rest = fabs(a), divisor = fabs(b);
  if (a != a || b != b || isinf(rest) || divisor == 0) return __builtin_nan("");
  if (isinf(divisor)) return a;
  while (rest >= divisor) {
    int e, f;
    frexp(rest, &e), frexp(divisor, &f);
    double step = ldexp(divisor, e - f);
    if (step > rest) step = ldexp(divisor, e - f - 1);
    rest -= step;
  }
  return copysign(rest, a);
}
PRELUDE double remainder(double a, double b) {
  if (isinf(b) && isfinite(a)) return a;
  double rest = fabs(fmod(a, b)), divisor = fabs(b), whole = 0;
  // Halves go to the even quotient, so its last bit is needed.
  if (divisor < 8e307) whole = fmod(fabs(a), 2 * divisor) >= divisor;
  if (rest > divisor - rest || (rest == divisor - rest && whole)) rest -= divisor;
  return signbit(a) ? -rest : rest;
}

// Less the nearest multiple of π/2, which *quarter gets.
PRELUDE double prelude_reduce(double v, long long* quarter) {
  double k = rint(v * 0.6366197723675814);
  *quarter = (long long)k;
  return fma(-k, -1.4973849048591697e-33, fma(-k, 6.123233995736766e-17, fma(-k, 1.5707963267948966, v)));
}
PRELUDE double prelude_sin_series(double v) {
  double x = -v * v;
  constexpr double factorial[] = {6, 120, 5040, 362880, 39916800, 6227020800, 1307674368000, 355687428096000};
  PRELUDE_SERIES(sum, 8, x, 1 / factorial[k])
  return fma(sum * x, v, v);
}
PRELUDE double prelude_cos_series(double v) {
  double x = -v * v;
  constexpr double factorial[] = {24, 720, 40320, 3628800, 479001600, 87178291200, 20922789888000, 6402373705728000};
  PRELUDE_SERIES(sum, 8, x, 1 / factorial[k])
  return fma(x, 0.5, 1) + sum * x * x;
}
PRELUDE double prelude_turned(double v, long long quarter) {
  double size = quarter & 1 ? prelude_cos_series(v) : prelude_sin_series(v);
  return quarter & 2 ? -size : size;
}
PRELUDE double sin(double v) {
  long long quarter;
  double r = prelude_reduce(v, &quarter);
  return isinf(v) ? __builtin_nan("") : v == 0 ? v : prelude_turned(r, quarter);
}
PRELUDE double cos(double v) {
  long long quarter;
  double r = prelude_reduce(v, &quarter);
  return isinf(v) ? __builtin_nan("") : prelude_turned(r, quarter + 1);
}
PRELUDE double tan(double v) {
  long long quarter;
  double r = prelude_reduce(v, &quarter);
  if (isinf(v)) return __builtin_nan("");
  if (v == 0) return v;
  return prelude_turned(r, quarter) / prelude_turned(r, quarter + 1);
}
PRELUDE void sincos(double v, double* s, double* c) { *s = sin(v), *c = cos(v); }
PRELUDE double sinpi(double v) {
  double k = rint(2 * v);
  return v == rint(v) ? copysign(0, v) : prelude_turned(fma(k, -0.5, v) * 3.141592653589793, (long long)k);
}
PRELUDE double cospi(double v) {
  double k = rint(2 * v);
  return prelude_turned(fma(k, -0.5, v) * 3.141592653589793, (long long)k + 1);
}
PRELUDE void sincospi(double v, double* s, double* c) { *s = sinpi(v), *c = cospi(v); }

// atan of a / b, both positive, less than ½ of one turn: less the nearest of 16 angles.
PRELUDE double prelude_atan(double a, double b) {
  constexpr double angle[] = {0, 0.24497866312686414, 0.4636476090008061, 0.6435011087932844, 0.7853981633974483};
  bool steep = a > b;
  double y = steep ? b : a, x = steep ? a : b;
  double q = y / x;
  int i = (int)(q * 4 + 0.5);
  double t = i * 0.25;
  double z = i ? fma(-t, x, y) / fma(t, y, x) : q;
  double s = -z * z;
  PRELUDE_SERIES(sum, 11, s, 1.0 / (2 * k + 3))
  constexpr double angle_low[] = {0, 1.0698755618734451e-17, 2.2698777452961687e-17, 1.5834785051444286e-17, 3.061616997868383e-17};
  double r = angle[i] + (z + (sum * s * z + angle_low[i]));
  return steep ? 1.5707963267948966 - (r - 6.123233995736766e-17) : r;
}
PRELUDE double atan2(double a, double b) {
  if (a != a || b != b) return a + b;
  double y = fabs(a), x = fabs(b);
  double r;
  if (y == 0) r = 0;
  else if (isinf(y) && isinf(x)) r = 0.78539816339744831;
  else if (x == 0 || isinf(y)) r = 1.5707963267948966;
  else if (isinf(x)) r = 0;
  else r = y > x * 1e300 ? 1.5707963267948966 : prelude_atan(y, x);
  return copysign(signbit(b) ? 3.141592653589793 - (r - 1.2246467991473532e-16) : r, a);
}
PRELUDE double atan(double v) { return v == 0 ? v : atan2(v, 1); }
PRELUDE double asin(double v) { return v == 0 ? v : atan2(v, sqrt((1 - v) * (1 + v))); }
PRELUDE double acos(double v) { return atan2(sqrt((1 - v) * (1 + v)), v); }

PRELUDE double sinh(double v) {
  double size = fabs(v);
  if (size > 709) return copysign(exp(size - 0.6931471805599453), v);
  double e = expm1(size);
  return copysign(0.5 * (e + e / (e + 1)), v);
}
PRELUDE double cosh(double v) {
  double size = fabs(v);
  if (size > 709) return exp(size - 0.6931471805599453);
  double e = exp(size);
  return 0.5 * (e + 1 / e);
}
PRELUDE double tanh(double v) {
  double e = expm1(2 * fabs(v));
  return copysign(fabs(v) > 22 ? 1 : e / (e + 2), v);
}
PRELUDE double asinh(double v) {
  double size = fabs(v);
  if (size > 1e8) return copysign(log(size) + 0.6931471805599453, v);
  return copysign(log1p(size + size * size / (1 + sqrt(size * size + 1))), v);
}
PRELUDE double acosh(double v) {
  if (v < 1) return __builtin_nan("");
  if (v > 1e8) return log(v) + 0.6931471805599453;
  double d = v - 1;
  return log1p(d + sqrt(2 * d + d * d));
}
PRELUDE double atanh(double v) { return copysign(0.5 * log1p(2 * fabs(v) / (1 - fabs(v))), v); }

// erf v = 2/√π e^(-v²) (v + 2v³/3 + 4v⁵/15 + …); beyond 3 by erfc's continued fraction.
PRELUDE double prelude_erfc(double v) {
  double fraction = 0;
  for (int k = 120; k >= 1; k--) fraction = 0.5 * k / (v + fraction);
  double square = v * v;
  return prelude_exp(-square, -fma(v, v, -square)) / ((v + fraction) * 1.7724538509055160);
}
PRELUDE double erf(double v) {
  double size = fabs(v);
  if (size > 6) return copysign(1, v);
  if (size > 3) return copysign(1 - prelude_erfc(size), v);
  double term = v, sum = v;
  for (int k = 1; k < 60; k++) {
    term *= 2 * v * v / (2 * k + 1);
    sum += term;
  }
  return v != v ? v : sum * exp(-v * v) * 1.1283791670955126;
}
PRELUDE double erfc(double v) { return v > 1.5 ? (v > 28 ? 0 : prelude_erfc(v)) : 1 - erf(v); }

// log Γ and Γ by Stirling's series, from 12 on: what is smaller is brought there by Γ(v+1) = v Γ(v).
PRELUDE double prelude_stirling(double v) {
  constexpr double term[] = {1. / 12, -1. / 360, 1. / 1260, -1. / 1680, 1. / 1188, -691. / 360360, 1. / 156};
  double x = 1 / (v * v);
  PRELUDE_SERIES(sum, 7, x, term[k])
  return sum / v;
}
PRELUDE double prelude_gamma(double v) {
  double product = 1;
  for (; v < 12; v++) product *= v;
  double root = pow(v, 0.5 * v - 0.25);
  return root * exp(-v) * root * 2.5066282746310005 * exp(prelude_stirling(v)) / product;
}
PRELUDE double tgamma(double v) {
  if (v != v || v == __builtin_inf()) return v;
  if (v == 0) return 1 / v;
  if (v == floor(v) && v < 0) return __builtin_nan("");
  if (v > 172) return __builtin_inf();
  if (v >= 0.5) return prelude_gamma(v);
  return v < -185 ? 0 : 3.141592653589793 / (sinpi(v) * prelude_gamma(1 - v));
}
PRELUDE double prelude_lgamma(double v) {
  if (v < 100) return log(prelude_gamma(v));
  return (v - 0.5) * log(v) - v + 0.91893853320467274 + prelude_stirling(v);
}
PRELUDE double lgamma(double v) {
  if (v != v || isinf(v)) return fabs(v);
  if (v == 1 || v == 2) return 0;
  if (v >= 0.5) return prelude_lgamma(v);
  return v == floor(v) ? __builtin_inf() : log(3.141592653589793 / fabs(sinpi(v))) - prelude_lgamma(1 - v);
}
#undef PRELUDE_SERIES
