#include <iostream>
#include <vector>
#include <algorithm>
#include <string>
#include <new>
#include <cstdio>
#include <cmath>
#include <chrono>
#include <random>
#include <unordered_map>
#include <thrust/device_vector.h>
#include "helper_cuda.h"
using namespace std;
using clk = std::chrono::high_resolution_clock;
#define TILE_DIM 32
#define KERNEL extern "C" __global__ void
#define CUDA_CHECK(x) do { cudaError_t e = x; if (e != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(e)); exit(EXIT_FAILURE); } } while (0)

static std::vector<float> host_in;
cudaStream_t stream;
vector<string> names = {"a", "b"};

class Timer {
  cudaEvent_t a, b;
 public:
  Timer() { cudaEventCreate(&a); cudaEventCreate(&b); }
  float ms() { float t; cudaEventElapsedTime(&t, a, b); return t; }
};
template <typename T> void fill(std::vector<T>& v) { std::mt19937 g(1); for (auto& x : v) x = g(); }
void transposeCPU(const float* in, float* out, int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) out[j*n+i] = in[i*n+j]; }
struct Params { int n; float a; };
constexpr int rows = 8;
__constant__ float coeff[16];
__device__ inline int idx(int y, int x, int n) { return y * n + x; }

KERNEL transpose_shared(float* out, const float* in, int n) {
  __shared__ float tile[TILE_DIM][TILE_DIM+1];
  Params p = {n, 1.f};
  int x = blockIdx.x*32+threadIdx.x, y = blockIdx.y*32+threadIdx.y;
  for (int j = 0; j < 32; j += rows) if (x < p.n && y + j < n) tile[threadIdx.y+j][threadIdx.x] = in[idx(y+j, x, n)];
  __syncthreads();  // this line
  x = blockIdx.y*32+threadIdx.x; y = blockIdx.x*32+threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < n && y + j < n) out[idx(y+j,x,n)] = tile[threadIdx.x][threadIdx.y+j];
}
bool check(const vector<float>& a, const vector<float>& b) { return std::equal(a.begin(), a.end(), b.begin()); }
int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1024;
  vector<float> h(n*n); std::iota(h.begin(), h.end(), 0.f);
  float *d_in, *d_out; CUDA_CHECK(cudaMalloc(&d_in, n*n*4));
  dim3 grid(n/32, n/32), block(32, 8);
  auto t0 = std::chrono::high_resolution_clock::now();
  transpose_shared<<<grid, block, 0, stream>>>(d_out, d_in, n);
  cudaDeviceSynchronize();
  printf("%s %f\n", check(h, h) ? "ok" : "bad", sqrt(2.0));
  std::cout << "GB/s " << std::setprecision(3) << 1.0 << std::endl;
  return EXIT_SUCCESS;
}
