// What readers try next, in one kernel: tables in constant memory, arrays of a
// thread, functions that are not inlined, loops with break, switch, doubles,
// struct parameters, and generic pointers. The test knows the answers.
__constant__ int table[4] = {3, 1, 4, 1};
__constant__ float half_ = 0.5f;
__device__ unsigned char steps[3] = {1, 2, 3};
__device__ int launches;

struct Pair {
  int a;
  float b;
};

__device__ __attribute__((noinline)) int collatz(int n, int* longest) {
  int length = 0;
  while (n != 1) {
    if (++length > 1000) break;
    n = n % 2 ? 3 * n + 1 : n / 2;
  }
  if (length > *longest) *longest = length;
  return length;
}

__device__ __attribute__((noinline)) float pick(const float* p, int i) { return p[i] * half_; }

__device__ int digit(int i, int n) {
  switch (i & 7) {
    case 0: return n;
    case 1: return n + table[i & 3];
    case 2: return steps[i % 3];
    case 5: return -n;
    case 6: return n / (i + 1);
    default: return n % (i + 1);
  }
}

extern "C" __global__ void language(float* out, const float* in, int n, Pair pair, short low, long long wide, double scale) {
  __shared__ float row[64];
  int i = threadIdx.x;
  int local[8];
  int longest = 0;
  for (int j = 0; j < 8; j++) local[j] = digit(i + j, n);
  local[i & 7] += collatz(i + 1, &longest);
  row[i] = in[i];
  __syncthreads();
  const float* from = i % 3 == 0 ? in : row;  // a warp reads both memories
  float sum = pick(from, 63 - i);
  for (int j = 0; j < 8; j++) sum += local[(i + j) & 7] * (j + 1);
  double d = sum * scale + (double)wide / (i + 1) + low;
  if (i == 0) launches++;
  out[4 * i] = sum;
  out[4 * i + 1] = (float)d;
  out[4 * i + 2] = (float)longest + pair.a * pair.b;
  out[4 * i + 3] = (float)(int)(d * 0.001);
  if (i == 0) out[3] += launches;
}

// clang19-O*.ptx: clang 19 with the flags of `make ptx`, -ffp-contract=off, and that -O.
// nvcc13-lineinfo.ptx, nvcc13-G.ptx: nvcc 13.0 -ptx -arch=compute_75 -fmad=false, with
// -lineinfo and with -G. No contraction, so that the test can say what each float is.
