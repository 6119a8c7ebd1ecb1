__device__ inline float one(const float* p) { return *p; }
__device__ inline float two(const float* p) { return one(p) + one(p + 32); }
__device__ inline float four(const float* p) {
  return two(p)
       + two(p + 64);
}
