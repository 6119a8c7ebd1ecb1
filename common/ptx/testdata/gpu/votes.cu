// Votes, match and activemask over whole warps, parts of them, and tiles. Writes 12 × 256 words.
extern "C" __global__ void votes(unsigned* out) {
  int t = threadIdx.x, lane = t % 32;
  unsigned h = t * 2654435761u, full = 0xffffffffu;
  bool third = t % 3 == 0;
  out[t] = __ballot_sync(full, third);
  out[256 + t] = __any_sync(full, h >> 28 == 7) | __all_sync(full, h > 100) << 1;
  out[512 + t] = __match_any_sync(full, h >> 29);
  int same;
  out[768 + t] = __match_all_sync(full, t / 64, &same) ^ same;
  out[1024 + t] = __match_all_sync(full, t / 63, &same) ^ same;
  out[1280 + t] = __match_any_sync(full, (unsigned long long)(h >> 30) << 40);
  out[1536 + t] = out[1792 + t] = out[2048 + t] = 0;
  if (lane % 2) {
    out[1536 + t] = __ballot_sync(0xaaaaaaaau, third);
    out[1792 + t] = __match_any_sync(0xaaaaaaaau, h >> 30);
  } else if (third) {
    out[1536 + t] = __activemask();
  }
  __syncwarp();
  unsigned tile = 0xffu << (lane & 24);
  out[2048 + t] = __ballot_sync(tile, third) ^ __match_any_sync(tile, h >> 31);
  out[2304 + t] = __shfl_xor_sync(tile, h, 5, 8);
  unsigned uniform;
  asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; vote.sync.uni.pred q, p, -1; selp.u32 %0, 1, 0, q; }" : "=r"(uniform) : "r"((int)(t > 40)));
  out[2560 + t] = uniform;
  if (lane < t / 32) {  // those that have exited are not waited for
    out[2816 + t] = 7;
    return;
  }
  out[2816 + t] = __ballot_sync(full, third);
}
