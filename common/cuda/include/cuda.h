// Found before the toolkit's cuda.h, so that the driver bindings build with
// every CUDA from 11.8 to 13. They call cuCtxCreate with three arguments; from
// CUDA 13 on that name means cuCtxCreate_v4, which takes four. The library still
// has the older function (CUDA Driver API, "Context Management"), but the header
// declares it no more.
#include_next <cuda.h>

#if CUDA_VERSION >= 13000
#ifdef __cplusplus
extern "C"
#endif
CUresult CUDAAPI cuCtxCreate_v2(CUcontext *pctx, unsigned int flags, CUdevice dev);
#undef cuCtxCreate
#define cuCtxCreate cuCtxCreate_v2
#endif
