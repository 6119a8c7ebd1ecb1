// Copies that arrive when they are waited for (compute 8.0). Writes 5 × 256 words.
#define COPY(size, to, from, read) \
  asm volatile("cp.async.ca.shared.global [%0], [%1], " #size ", %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "r"(read) : "memory")

extern "C" __global__ void async_copy(unsigned* out) {
  __shared__ __align__(16) unsigned tile[5][256];
  int t = threadIdx.x;
  out[t] = t * 2654435761u;
  for (int k = 0; k < 5; k++) tile[k][t] = 1000 * k + t;
  __syncthreads();
  COPY(4, &tile[0][t], &out[t ^ 1], 4);
  asm volatile("cp.async.commit_group;" ::: "memory");
  COPY(4, &tile[1][t], &out[t ^ 2], t % 3 ? 4 : 0);  // zero where nothing is read
  asm volatile("cp.async.commit_group;" ::: "memory");
  if (t < 128) COPY(8, &tile[2][2 * t], &out[254 - 2 * t], t % 2 ? 8 : 4);
  if (t < 64) COPY(16, &tile[3][4 * t], &out[252 - 4 * t], 4 * (t % 5));
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 2;" ::: "memory");
  unsigned first = tile[0][t];
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  first ^= tile[1][t];
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  unsigned second = tile[2][t], third = tile[3][t], fourth = tile[4][t], last = tile[0][255 - t];
  __syncthreads();
  out[t] = first;
  out[256 + t] = second;
  out[512 + t] = third;
  out[768 + t] = fourth;
  out[1024 + t] = last;
}
