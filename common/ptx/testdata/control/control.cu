// Control flow as people write it, and the verdict that each kernel must get whatever
// compiler and level made its PTX: one block of 64 threads (32 where that is said),
// in[i] = i % 45, n = 3. Verdicts are those of ../README.md.

// Right: a grid-stride loop ends the kernel. The lanes meet before each round.
extern "C" __global__ void stride_barrier(float* out, const float* in, int n) { // want: right
  __shared__ float s[64];
  for (int v = blockIdx.x; v < n; v += gridDim.x) {
    s[threadIdx.x] = in[v * 64 + threadIdx.x];
    __syncthreads();
    float x = s[63 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) out[v] = x;
  }
}

// The if rejoins in each round: the store below it is 3 requests of each warp.
extern "C" __global__ void stride_count(float* out, const float* in, int n) { // want: right
  for (int v = blockIdx.x; v < n; v += gridDim.x) {
    float x = in[v * 64 + threadIdx.x];
    if (x > 40) out[n * 64 + threadIdx.x] = x;
    out[v * 64 + threadIdx.x] = x + 1; // want: 6 requests
  }
}

// The same with work behind the loop.
extern "C" __global__ void stride_count_more(float* out, const float* in, int n) { // want: right
  int v;
  for (v = blockIdx.x; v < n; v += gridDim.x) {
    float x = in[v * 64 + threadIdx.x];
    if (x > 40) out[n * 64 + threadIdx.x] = x;
    out[v * 64 + threadIdx.x] = x + 1; // want: 6 requests
  }
  out[(n + 1) * 64 + threadIdx.x] = v;
}

// A loop in a loop that ends the kernel, and a continue.
extern "C" __global__ void stride_nested(float* out, const float* in, int n) { // want: right
  for (int v = blockIdx.x; v < n; v += gridDim.x) {
    float x = 0;
    for (int k = 0; k <= threadIdx.x % 4; k++) x += in[k * 64 + threadIdx.x];
    if (x > 60) continue;
    if (x > 40) x = -x;
    out[v * 64 + threadIdx.x] = x;
  }
}

// Threads that return above a barrier, whose last store is like that below it.
extern "C" __global__ void early_return_merged(int* out, const int* in, int n) { // want: note
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t >= 16) { out[t] = s[t - 16]; return; }
  __syncthreads();
  s[t] = n;
  out[t] = s[t];
}

extern "C" __global__ void in_branch(float* out, const float* in, int n) { // want: DivergentBarrier
  if (threadIdx.x < 16) __syncthreads();
  out[threadIdx.x] = 1;
}

extern "C" __global__ void on_both_sides(float* out, const float* in, int n) { // want: DivergentBarrier
  if (threadIdx.x < 32) __syncthreads(); else __syncthreads();
  out[threadIdx.x] = 1;
}

extern "C" __global__ void uneven_loop(float* out, const float* in, int n) { // want: DivergentBarrier
  for (int i = 0; i < (int)threadIdx.x; i++) __syncthreads();
  out[threadIdx.x] = 1;
}

// Each warp leaves out another round.
extern "C" __global__ void uneven_rounds(float* out, const float* in, int n) { // want: DivergentBarrier
  for (int i = 0; i < 4; i++) {
    if ((threadIdx.x >> 5) == (unsigned)i) continue;
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}

// The same where no compiler can unroll it.
extern "C" __global__ void uneven_rounds_of_n(float* out, const float* in, int n) { // want: DivergentBarrier
  for (int i = 0; i < n; i++) {
    if ((threadIdx.x >> 5) == (unsigned)i) continue;
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}

extern "C" __global__ void one_more(float* out, const float* in, int n) { // want: DivergentBarrier
  if (threadIdx.x < 32) { out[threadIdx.x] = 2; __syncthreads(); } __syncthreads(); out[threadIdx.x] = 1;
}

extern "C" __global__ void bare_return(float* out, const float* in, int n) { // want: note
  if (threadIdx.x >= 20) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}

extern "C" __global__ void return_after_store(float* out, const float* in, int n) { // want: note
  if (threadIdx.x >= 20) { out[threadIdx.x] = 3; return; }
  __syncthreads();
  out[threadIdx.x] = 1;
}

extern "C" __global__ void uneven_break(float* out, const float* in, int n) { // want: DivergentBarrier
  for (int i = 0; ; i++) {
    __syncthreads();
    if (i == threadIdx.x % 3) break;
  }
  out[threadIdx.x] = 1;
}

extern "C" __global__ void in_cases(float* out, const float* in, int n) { // want: DivergentBarrier
  switch (threadIdx.x & 1) {
  case 0: out[threadIdx.x] = 5; __syncthreads(); break;
  case 1: out[threadIdx.x] = 6; __syncthreads(); break;
  }
  out[threadIdx.x + 64] = 1;
}

static __device__ __noinline__ void meet() { __syncthreads(); }

// Warp 0 has one barrier more.
extern "C" __global__ void in_a_call(float* out, const float* in, int n) { // want: DivergentBarrier
  if (threadIdx.x < 32) meet();
  out[threadIdx.x] = 4;
  meet();
  out[threadIdx.x] = 1;
}

static __device__ __forceinline__ void meet_inline() { __syncthreads(); }

extern "C" __global__ void in_an_inlined_call(float* out, const float* in, int n) { // want: DivergentBarrier
  if (threadIdx.x < 32) meet_inline();
  out[threadIdx.x] = 4;
  meet_inline();
  out[threadIdx.x] = 1;
}

extern "C" __global__ void before_return(float* out, const float* in, int n) { // want: DivergentBarrier
  if (threadIdx.x < 16) { __syncthreads(); return; }
  __syncthreads();
  out[threadIdx.x] = 1;
}

// Right: all threads run the loop as often.
extern "C" __global__ void even_while(float* out, const float* in, int n) { // want: right
  float x = 0;
  while (x < in[3]) {
    x += 1;
    if (threadIdx.x & 1) out[threadIdx.x] = x;
    __syncthreads();
  }
}

extern "C" __global__ void even_return(float* out, const float* in, int n) { // want: right
  int i = 0;
  while (i < n) {
    if (in[i] > 1e9f) return;
    __syncthreads();
    if (threadIdx.x & 1) out[threadIdx.x] = i;
    i++;
  }
}

extern "C" __global__ void even_continue(float* out, const float* in, int n) { // want: right
  for (int i = 0; i < n; i++) {
    if (threadIdx.x == 0) out[i] = i;
    if (i == 1) continue;
    __syncthreads();
    if (threadIdx.x == 3) out[i + 64] = 1;
  }
}

// Right: in each round of the outer loop the inner one begins anew.
extern "C" __global__ void even_nested(float* out, const float* in, int n) { // want: right
  __shared__ float s[64];
  for (int i = 0; i < n; i++) {
    for (int j = (threadIdx.x >> 5) * (i == 0); j < 2; j++) {
      if (i > 0) __syncthreads();
    }
    s[threadIdx.x] = i;
    __syncthreads();
    out[i * 64 + threadIdx.x] = s[63 - threadIdx.x];
    __syncthreads();
  }
}

// Threads return above the barrier of a round.
extern "C" __global__ void return_in_a_round(float* out, const float* in, int n) { // want: note
  for (int i = 0; i < n; i++) {
    if (in[threadIdx.x] == i) { out[threadIdx.x] = -1; return; }
    __syncthreads();
    out[threadIdx.x] = i;
  }
}

// Lanes that go on with the next round meet the others before it.
extern "C" __global__ void continue_while(float* out, const float* in, int n) { // want: right
  int i = 0;
  while (i < n) {
    out[i * 64 + threadIdx.x] = in[i]; // want: 6 requests
    i++;
    if (threadIdx.x & 1) continue;
    out[(n + i) * 64 + threadIdx.x] = 1; // want: 6 requests
  }
}

// The two halves of each warp leave out another round.
extern "C" __global__ void uneven_rounds_of_lanes(float* out, const float* in, int n) { // want: DivergentBarrier
  for (int i = 0; i < n; i++) {
    if ((threadIdx.x & 1) == (unsigned)i) continue;
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}

// Right: a compiler may load above the guard, in threads that have no use for the value.
extern "C" __global__ void speculated(float* out, const float* in, int n) { // want: right
  __shared__ float total;
  int t = threadIdx.x;
  if (t == 0) {
    total = in[0];
    for (int i = 1; i < n; i++) total += in[i];
  }
  float y = t == 0 ? total : 1.0f;
  out[t] = y;
}

extern "C" __global__ void speculated_two(float* out, const float* in, int n) { // want: right
  __shared__ float a;
  __shared__ float b;
  int t = threadIdx.x;
  if (t == 0) a = in[0];
  if (t == 1) b = in[1];
  float y = t == 0 ? a : t == 1 ? b : 0;
  out[t] = y;
}

extern "C" __global__ void speculated_sum(float* out, const float* in, int n) { // want: right
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) s[t] += s[t + 32];
  float y = 0;
  if (t < 32) y = s[t]; else y = in[t];
  out[t] = y;
}

extern "C" __global__ void speculated_neighbours(float* out, const float* in, int n) { // want: right
  __shared__ float s[65];
  int t = threadIdx.x;
  s[t] = in[t];
  if (t == 0) s[64] = 0;
  __syncthreads();
  float l = t > 0 ? s[t - 1] : 0, r = t < 63 ? s[t + 1] : 0;
  out[t] = l + r;
}

// The value is used where another thread writes it.
extern "C" __global__ void not_speculated(float* out, const float* in, int n) { // want: SharedRace
  __shared__ float a;
  int t = threadIdx.x;
  if (t == 0) a = in[0];
  float y = t <= 1 ? a : 0;
  out[t] = y;
}

// Right: bit-fields are written by loading their word, and structs copied with their padding.
struct fields { int a : 10; int b : 20; };
struct padded { char c; int i; double d; short s; };

extern "C" __global__ void bit_fields(float* out, const float* in, int n) { // want: right
  __shared__ fields s[64];
  int t = threadIdx.x;
  s[t].a = t;
  s[t].b = 2 * t;
  __syncthreads();
  fields x = s[63 - t];
  out[t] = x.a + x.b;
}

extern "C" __global__ void padding(float* out, const float* in, int n) { // want: right
  __shared__ padded s[64];
  int t = threadIdx.x;
  s[t].c = t;
  s[t].i = 2 * t;
  s[t].d = t;
  s[t].s = n;
  __syncthreads();
  padded x = s[63 - t];
  out[t] = x.c + x.i + x.d + x.s;
}

// What is added to was never written.
extern "C" __global__ void accumulated(float* out, const float* in, int n) { // want: SharedUnwritten
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] += t;
  __syncthreads();
  out[t] = s[63 - t];
}

extern "C" __global__ void one_bit_set(float* out, const float* in, int n) { // want: SharedUnwritten
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] |= 1;
  __syncthreads();
  out[t] = s[63 - t];
}
