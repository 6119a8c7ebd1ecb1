// Shapes of control flow like those of shapes.cu: loops that end the kernel. One block of
// 32 threads, i[t] = t % 45, n = 32.

// a loop with a branch that ends the kernel: its lanes meet before each round
extern "C" __global__ void stride_branch(int* o, const int* i, int n) {
  for (int v = blockIdx.x; v < n; v += 8 * gridDim.x) { int x = i[v + threadIdx.x]; if (x > 20) o[n + threadIdx.x] = x; o[v * 32 + threadIdx.x] = x + 1; }
}

// the same with work behind the loop
extern "C" __global__ void stride_branch_more(int* o, const int* i, int n) {
  int v; for (v = blockIdx.x; v < n; v += 8 * gridDim.x) { int x = i[v + threadIdx.x]; if (x > 20) o[n + threadIdx.x] = x; o[v * 32 + threadIdx.x] = x + 1; } o[2048 + threadIdx.x] = v;
}

// some lanes go on with the next round at once
extern "C" __global__ void stride_continue(int* o, const int* i, int n) {
  for (int v = blockIdx.x; v < n; v += 8 * gridDim.x) { int x = i[v + threadIdx.x]; o[v * 32 + threadIdx.x] = x; if (x & 1) continue; o[2048 + v * 32 + threadIdx.x] = x + 1; }
}

// some lanes return, which stores nothing
extern "C" __global__ void stride_bare_return(int* o, const int* i, int n) {
  for (int v = blockIdx.x; v < n; v += 8 * gridDim.x) { int x = i[v + threadIdx.x]; if (x > 40) return; if (x & 1) o[n + threadIdx.x] = x; o[v * 32 + threadIdx.x] = x + 1; }
}

// lanes have loops of different lengths
extern "C" __global__ void stride_by_lane(int* o, const int* i, int n) {
  for (int v = threadIdx.x; v < 64; v += 1 + i[threadIdx.x]) { if (v & 1) o[n + threadIdx.x] = v; o[2048 + threadIdx.x] = v; }
}
