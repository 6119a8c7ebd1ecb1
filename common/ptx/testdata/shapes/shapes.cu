// Shapes of control flow, and how many requests a warp makes of the stores in them:
// a count that depends on where lanes meet again. What an H200 counted is in
// shapes.csv, for the PTX of both compilers: one block of 32 threads, i[t] = t % 45,
// n = 32.

// return in a branch that some lanes take; none returns
extern "C" __global__ void return_in_branch(int* o, const int* i, int n) {
  int t = threadIdx.x, v = i[t]; if (t & 1) { if (v > 1000) { o[t] = -1; return; } v++; } o[t + 64] = v;
}

// the same, some return
extern "C" __global__ void return_in_branch_taken(int* o, const int* i, int n) {
  int t = threadIdx.x, v = i[t]; if (t & 1) { if (v > 20) { o[t] = -1; return; } v++; } o[t + 64] = v;
}

// return in a loop, none returns
extern "C" __global__ void return_in_loop(int* o, const int* i, int n) {
  int t = threadIdx.x, v = i[t], r = 0; while (v > 0) { if (v % 50 == 49) { o[t] = -v; return; } v--; r++; } o[t + 64] = r;
}

// break in a loop, no return
extern "C" __global__ void break_in_loop(int* o, const int* i, int n) {
  int t = threadIdx.x, v = i[t], r = 0; while (v > 0) { if (v % 50 == 49) { o[t] = -v; break; } v--; r++; } o[t + 64] = r;
}

// loop with different trip counts, nothing else
extern "C" __global__ void trip_counts(int* o, const int* i, int n) {
  int t = threadIdx.x, v = i[t], r = 0; while (v > 0) { v = v * 3 / 4; r += v; } o[t + 64] = r;
}

// early return with a store, at the top
extern "C" __global__ void early_return(int* o, const int* i, int n) {
  int t = threadIdx.x, v = i[t]; if (v < 7) { o[t] = -5; return; } if (v & 1) v = v * v + n; o[t + 64] = v;
}

// nested branches, different work each side
extern "C" __global__ void nested(int* o, const int* i, int n) {
  int t = threadIdx.x, v = i[t]; if (v & 1) { if (v & 2) { o[t] = 1; v += 3; } else { o[t + 32] = 2; v *= n; } } else if (v & 4) { o[t + 96] = v; } o[t + 64] = v;
}

// bare return in a loop (no store before it)
extern "C" __global__ void bare_return_in_loop(int* o, const int* i, int n) {
  int t = threadIdx.x, v = i[t], r = 0; while (v > 0) { if (v % 50 == 49) return; v--; r++; } o[t + 64] = r;
}

// bare return in a branch
extern "C" __global__ void bare_return_in_branch(int* o, const int* i, int n) {
  int t = threadIdx.x, v = i[t]; if (t & 1) { if (v > 1000) return; v++; o[t] = v; } o[t + 64] = v;
}

// switch
extern "C" __global__ void switch_cases(int* o, const int* i, int n) {
  int t = threadIdx.x, v = i[t]; switch (v & 3) { case 0: o[t] = 1; v += 1; break; case 1: o[t + 32] = 2; v *= 2; break; case 2: o[t + 96] = 3; v -= n; break; default: v = 9; } o[t + 64] = v;
}

// continue in a loop
extern "C" __global__ void continue_in_loop(int* o, const int* i, int n) {
  int t = threadIdx.x, v = i[t], r = 0; for (int k = 0; k < 8; k++) { if ((v + k) & 1) continue; o[t + 32 * k] = k; r += k; } o[t + 512] = r;
}

// inner loop with its own trip count, store after it in an outer loop
extern "C" __global__ void loop_in_loop(int* o, const int* i, int n) {
  int t = threadIdx.x, v = i[t]; for (int k = 0; k < 3; k++) { int w = v; while (w > 0) { w = w * 3 / 4; v += w & 1; } o[t + 32 * k] = v; }
}

// goto-like: two exits from a loop to different places, joined later
extern "C" __global__ void two_exits(int* o, const int* i, int n) {
  int t = threadIdx.x, v = i[t], r = 0; while (true) { if (v <= 0) { r += 100; break; } if (v % 13 == 5) { o[t] = v; break; } v--; r++; } o[t + 64] = r;
}

// return after a barrier-free guard around more code
extern "C" __global__ void return_after_work(int* o, const int* i, int n) {
  int t = threadIdx.x, v = i[t]; if (v > 3) { v *= n; if (v > 600) { o[t] = v; return; } o[t + 32] = v; } else { v += 2; o[t + 96] = v; } o[t + 64] = v;
}

// clang.ptx: clang 19, as make ptx calls it. nvcc.ptx: nvcc 13.0,
// -ptx -lineinfo -arch=compute_75.
