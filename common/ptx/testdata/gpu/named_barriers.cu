// Producers arrive, consumers wait; each half of the block counts at a barrier of its own.
// Writes 4 × 256 words.
extern "C" __global__ void named_barriers(unsigned* out) {
  __shared__ unsigned buffer[128];
  int t = threadIdx.x;
  unsigned sum = 0, count;
  for (int round = 0; round < 4; round++) {
    if (t < 128) {
      asm volatile("bar.sync 1, 256;" ::: "memory");  // empty
      buffer[t] = t * 2654435761u + round;
      __threadfence_block();
      asm volatile("bar.arrive 2, 256;" ::: "memory");  // full
    } else {
      asm volatile("bar.arrive 1, 256;" ::: "memory");
      asm volatile("bar.sync 2, 256;" ::: "memory");
      sum = sum * 3 + buffer[(t * 7 + round) % 128];
    }
  }
  out[t] = sum;
  int half = t / 128;
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 0; bar.red.popc.u32 %0, %2, 128, p; }" : "=r"(count) : "r"(t % (3 + half)), "r"(3 + half) : "memory");
  out[256 + t] = count;
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 128; barrier.cta.red.and.pred q, %2, 128, p; selp.u32 %0, 1, 0, q; }" : "=r"(count) : "r"(t), "r"(5 + half) : "memory");
  out[512 + t] = count;
  asm volatile("barrier.sync 7;" ::: "memory");
  out[768 + t] = out[(t + 1) % 256];
}
