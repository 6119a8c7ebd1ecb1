// Nothing is wrong here: what nvcc knows by itself and the prelude teaches clang, each
// used once. Thread i of n writes row r of the output at out[r * n + i]. Each __ldg is
// to be an ld.global.nc.
__constant__ float table[4] = {10, 20, 30, 40};

extern "C" __global__ void __launch_bounds__(32) prelude(float* __restrict__ out, const float* __restrict__ in, int n) {
  __shared__ __align__(16) double2 pairs[32];
  extern __shared__ float spare[];
  const unsigned all = 0xffffffff;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int a = i - 16;
  float f = in[i];
  out += i;

  out[0 * n] = min(a, 3);
  out[1 * n] = max(a, 3);
  out[2 * n] = min((unsigned)i, 7);
  out[3 * n] = max(a, 3u);
  out[4 * n] = min((size_t)i, (size_t)9);
  out[5 * n] = max((long long)a, -2LL);
  out[6 * n] = fminf(f, 4.5f);
  out[7 * n] = fmaxf(f, 4.5f);
  out[8 * n] = min((double)f, 2.5);
  out[9 * n] = max(f, 2.5f);
  out[10 * n] = abs(a);
  out[11 * n] = fabsf(-f);

  out[12 * n] = __ldg(in + (i ^ 1));
  out[13 * n] = __ldg((const float2*)in + i / 2).y;
  out[14 * n] = __ldg((const float4*)in + i / 4).w;
  out[15 * n] = __int_as_float(__ldg((const int*)in + (i ^ 2)));
  out[16 * n] = __int_as_float(__ldg((const int2*)in + i / 2).x);
  out[17 * n] = __int_as_float(__ldg((const int4*)in + i / 4).z);
  out[18 * n] = __uint_as_float(__ldg((const unsigned*)in + (i ^ 3)));
  out[19 * n] = __int_as_float(__double_as_longlong(__ldg((const double*)in + i / 2)) >> 32);
  out[20 * n] = __int_as_float(__double_as_longlong(__ldg((const double2*)in + i / 4).y) >> 32);
  out[21 * n] = __int_as_float(__ldg((const long long*)in + (i / 2 ^ 1)) >> 32);
  out[22 * n] = __ldcs(in + i);
  __stcs(out + 23 * n, f);

  pairs[threadIdx.x] = make_double2(f, __longlong_as_double(__double_as_longlong(f) ^ 1LL << 63));
  spare[threadIdx.x] = make_float4(1, 2, f, 4).z;
  __syncthreads();
  out[24 * n] = pairs[31 - threadIdx.x].y;
  out[25 * n] = spare[31 - threadIdx.x] + make_int2(5, 6).y;

  dim3 thread = threadIdx, blocks = gridDim;
  out[26 * n] = thread.x + blocks.x + blocks.y + warpSize;
  out[27 * n] = table[i % 4];
  out[28 * n] = (int8_t)(9 * i) + (int64_t)1;

  out[29 * n] = __shfl_sync(all, a, 3);
  out[30 * n] = __shfl_up_sync(all, f, 1);
  out[31 * n] = __shfl_down_sync(all, (double)f, 2);
  out[32 * n] = __shfl_xor_sync(all, (unsigned)i, 1);
  out[33 * n] = __shfl_sync(all, (long long)i << 33, 1, 8) >> 33;
  __syncwarp();
}
