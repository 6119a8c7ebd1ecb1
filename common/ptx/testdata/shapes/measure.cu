// Launches each kernel of a PTX file once, as shapes_test.go does. See measure.sh.
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

static void check(CUresult r, const char* what) {
  const char* name = "?";
  if (r == CUDA_SUCCESS) return;
  cuGetErrorName(r, &name);
  fprintf(stderr, "%s: %s\n", what, name);
  exit(1);
}

int main(int argc, char** argv) {
  static int values[4096];
  for (int i = 0; i < 4096; i++) values[i] = i % 45;
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUdeviceptr out, in;
  int n = 32;
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&context, device), "context");
  check(cuCtxSetCurrent(context), "context");
  check(cuModuleLoad(&module, argv[1]), argv[1]);
  check(cuMemAlloc(&out, 16384), "cuMemAlloc");
  check(cuMemAlloc(&in, 16384), "cuMemAlloc");
  check(cuMemcpyHtoD(in, values, sizeof values), "cuMemcpyHtoD");
  for (int i = 2; i < argc; i++) {
    CUfunction f;
    void* args[] = {&out, &in, &n};
    check(cuModuleGetFunction(&f, module, argv[i]), argv[i]);
    check(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, args, 0), argv[i]);
    check(cuCtxSynchronize(), argv[i]);
  }
}
