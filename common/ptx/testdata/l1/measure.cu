// Launches one warp for each access that measure.sh has counted, and prints what it was.
//
// A line says kind, bytes a lane and each lane's offset in bytes, - for a lane that takes
// no part. Kinds: load, load twice (the second finds in L1 what the first fetched), store,
// atomic (with the old value returned), red, async (global to shared memory).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

enum Kind { load, twice, store, atomic, red, async };
static const char* const names[] = {"load", "load twice", "store", "atomic", "red", "async"};

// In constant memory, so that reading them does not pass through L1's data pipe.
__constant__ uint32_t offsets[32];
__constant__ uint32_t active;

// What a load returns is added to the address of the next one: it is 0, and makes the
// second wait for the first.
template <int bytes> __device__ uint32_t get(const char* p);
template <> __device__ uint32_t get<1>(const char* p) {
  uint32_t v;
  asm volatile("ld.global.u8 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
template <> __device__ uint32_t get<4>(const char* p) {
  uint32_t v;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
template <> __device__ uint32_t get<8>(const char* p) {
  uint32_t v, w;
  asm volatile("ld.global.v2.u32 {%0,%1}, [%2];" : "=r"(v), "=r"(w) : "l"(p) : "memory");
  return v + w;
}
template <> __device__ uint32_t get<16>(const char* p) {
  uint32_t v, w, x, y;
  asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v), "=r"(w), "=r"(x), "=r"(y) : "l"(p) : "memory");
  return v + w + x + y;
}

template <int bytes> __device__ void put(char* p) {
  if (bytes == 1) asm volatile("st.global.u8 [%0], %1;" ::"l"(p), "r"(0) : "memory");
  if (bytes == 4) asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(0) : "memory");
  if (bytes == 8) asm volatile("st.global.v2.u32 [%0], {%1,%1};" ::"l"(p), "r"(0) : "memory");
  if (bytes == 16) asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(p), "r"(0) : "memory");
}

template <Kind kind, int bytes> __global__ void access(char* data) {
  __shared__ char tile[32 * 16];
  if (!(active >> threadIdx.x & 1)) return;
  char* p = data + offsets[threadIdx.x];
  uint32_t got = 0;
  switch (kind) {
    case load:
      got = get<bytes>(p);
      break;
    case twice:
      got = get<bytes>(p + get<bytes>(p));
      break;
    case store:
      put<bytes>(p);
      break;
    case atomic:
      uint32_t v;
      asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(v) : "l"(p), "r"(0) : "memory");
      break;
    case red:
      asm volatile("red.global.add.u32 [%0], %1;" ::"l"(p), "r"(0) : "memory");
      break;
    case async: {
      uint32_t to = (uint32_t)__cvta_generic_to_shared(tile) + threadIdx.x * bytes;
      if (bytes == 4) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(p) : "memory");
      if (bytes == 16) asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(p) : "memory");
      asm volatile("cp.async.wait_all;" ::: "memory");
    }
  }
  if (got) asm volatile("trap;");  // ptxas drops a load that nobody uses, volatile or not
}

static void check(cudaError_t e) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(e));
  exit(1);
}

static char* data;
typedef std::vector<int64_t> Lanes;  // by lane, in elements; -1 takes no part

template <Kind kind, int bytes> static void one(const Lanes& lanes, int64_t first) {
  uint32_t at[32] = {}, mask = 0;
  printf("%s,%d,", names[kind], bytes);
  for (int i = 0; i < 32; i++) {
    const char* blank = i ? " " : "";
    if (lanes[i] < 0) {
      printf("%s-", blank);
      continue;
    }
    mask |= 1u << i;
    at[i] = first + lanes[i] * bytes;
    printf("%s%u", blank, at[i]);
  }
  printf("\n");
  check(cudaMemcpyToSymbol(offsets, at, sizeof at));
  check(cudaMemcpyToSymbol(active, &mask, sizeof mask));
  access<kind, bytes><<<1, 32>>>(data);
  check(cudaDeviceSynchronize());
}

template <int bytes> static void pattern(const Lanes& lanes, int first = 0) {
  one<load, bytes>(lanes, first);
  one<twice, bytes>(lanes, first);
  one<store, bytes>(lanes, first);
  if (bytes == 4) one<atomic, bytes>(lanes, first), one<red, bytes>(lanes, first);
  if (bytes == 4 || bytes == 16) one<async, bytes>(lanes, first);
}

static uint32_t state = 1;
static uint32_t random(uint32_t below) {  // the same on every machine
  state = state * 1664525 + 1013904223;
  return (uint64_t)state * below >> 32;
}

template <class F> static Lanes by(F f) {
  Lanes l(32);
  for (int i = 0; i < 32; i++) l[i] = f(i);
  return l;
}

// The patterns, for elements of 1, 4, 8 and 16 bytes.
template <int bytes> static void measure() {
  const int64_t row = 16384 / bytes;  // of a matrix, in elements
  pattern<bytes>(by([](int i) { return i; }));
  for (int first : {bytes, 16, 32, 48, 64, 96, 128 - bytes})  // rows that begin within a line
    pattern<bytes>(by([](int i) { return i; }), first);
  pattern<bytes>(by([](int i) { return 31 - i; }));
  pattern<bytes>(by([](int) { return 3; }));  // equal addresses
  pattern<bytes>(by([](int i) { return i / 2; }));
  pattern<bytes>(by([](int i) { return i / 4; }));
  pattern<bytes>(by([](int i) { return i & ~2; }));
  pattern<bytes>(by([](int i) { return i % 16; }));
  pattern<bytes>(by([=](int i) { return i % 4 * row; }));
  for (int n : {1, 5, 8, 17, 24}) {  // partial warps
    pattern<bytes>(by([=](int i) { return i < n ? i : -1; }));
    pattern<bytes>(by([=](int i) { return i < n ? i * row : -1; }));
  }
  pattern<bytes>(by([](int i) { return i % 2 ? i : -1; }));
  pattern<bytes>(by([=](int i) { return i % 2 ? i * row : -1; }));
  for (int64_t pitch : {128 / bytes, 16384 / bytes, 16384 / bytes + 1}) {  // blocks that are 16, 8 and 2 wide
    pattern<bytes>(by([=](int i) { return i % 16 + i / 16 * pitch; }));
    pattern<bytes>(by([=](int i) { return i % 8 + i / 8 * pitch; }));
    pattern<bytes>(by([=](int i) { return i % 2 + i / 2 * pitch; }));
  }
  pattern<bytes>(by([=](int i) { return i * row; }), 48);
  pattern<bytes>(by([=](int i) { return i * (row - 1); }), 48);  // of a matrix with an odd n
  for (int range : {128, 512, 1024, 4096, 16384, 65536, 1 << 20})
    for (int k = 0; k < 3; k++) pattern<bytes>(by([=](int) { return k == 2 && random(2) ? -1 : (int64_t)random(range / bytes); }));
}

int main(int argc, char** argv) {
  const size_t size = 2 << 20;
  check(cudaMalloc(&data, size));
  check(cudaMemset(data, 0, size));
  switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: measure<1>(); break;
    case 4: measure<4>(); break;
    case 8: measure<8>(); break;
    case 16: measure<16>(); break;
    default: fprintf(stderr, "usage: measure 1 | 4 | 8 | 16\n"); return 2;
  }
}
