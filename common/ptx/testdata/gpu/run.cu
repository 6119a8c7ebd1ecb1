// Runs kernels NAME(unsigned* out) on a GPU, one block of 256 threads each, and writes NAME.words
// from NAME.ptx: what the kernel left, 8 words a line. It asks the driver alone:
//
//   nvcc -o run run.cu -ldl && ./run *.ptx        (or g++ -x c++)
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS (1 << 16)
#define POISON 0x55555555u

static void* library;

static void* symbol(const char* name) {
  void* s = dlsym(library, name);
  if (!s) {
    fprintf(stderr, "the driver has no %s\n", name);
    exit(2);
  }
  return s;
}

// CALL calls a function of the driver, whose types the arguments give.
#define CALL(name, types, ...) check(#name, ((int(*) types)symbol(#name))(__VA_ARGS__))

static void check(const char* what, int result) {
  if (result) {
    fprintf(stderr, "%s: error %d\n", what, result);
    exit(1);
  }
}

static char* readFile(const char* name) {
  FILE* f = fopen(name, "rb");
  if (!f) {
    perror(name);
    exit(2);
  }
  char* text = (char*)calloc(1, 1 << 20);
  if (fread(text, 1, (1 << 20) - 1, f) == 0) fprintf(stderr, "%s: empty\n", name);
  fclose(f);
  return text;
}

static void write(const char* path, const unsigned* out) {
  FILE* f = fopen(path, "w");
  if (!f) {
    perror(path);
    exit(2);
  }
  int n = WORDS;
  while (n > 0 && out[n - 1] == POISON) n--;
  for (int i = 0; i < n; i++) fprintf(f, "%08x%c", out[i], i % 8 == 7 ? '\n' : ' ');
  fclose(f);
}

static unsigned out[WORDS];

static void run(const char* path) {
  char name[256], result[300];
  const char* base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(base, "."), base);
  snprintf(result, sizeof result, "%s.words", name);
  void *module, *function;
  unsigned long long address;
  void* args[] = {&address};
  CALL(cuModuleLoadData, (void**, const void*), &module, readFile(path));
  CALL(cuModuleGetFunction, (void**, void*, const char*), &function, module, name);
  CALL(cuMemAlloc_v2, (unsigned long long*, size_t), &address, sizeof out);
  CALL(cuMemsetD32_v2, (unsigned long long, unsigned, size_t), address, POISON, WORDS);
  CALL(cuLaunchKernel, (void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**),
       function, 1, 1, 1, 256, 1, 1, 0, 0, args, 0);
  CALL(cuMemcpyDtoH_v2, (void*, unsigned long long, size_t), out, address, sizeof out);
  CALL(cuMemFree_v2, (unsigned long long), address);
  write(result, out);
  printf("%s\n", result);
}

int main(int argc, char** argv) {
  library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  int device;
  void* context;
  CALL(cuInit, (unsigned), 0);
  CALL(cuDeviceGet, (int*, int), &device, 0);
  CALL(cuDevicePrimaryCtxRetain, (void**, int), &context, device);
  CALL(cuCtxSetCurrent, (void*), context);
  for (int i = 1; i < argc; i++) run(argv[i]);
  return 0;
}
