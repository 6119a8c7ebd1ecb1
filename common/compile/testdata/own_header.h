#pragma once
#include <iostream>
#include <string>
inline void report(int a) { std::cout << a; }
__device__ inline float load(const float* p) { return __shfl_xor_sync(~0u, *p, 1); }
