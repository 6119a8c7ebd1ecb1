// Reductions of a warp (compute 8.0). Writes 10 × 256 words.
extern "C" __global__ void redux(unsigned* out) {
  int t = threadIdx.x;
  unsigned h = t * 2654435761u, full = 0xffffffffu;
  out[t] = __reduce_add_sync(full, h);
  out[256 + t] = __reduce_min_sync(full, h);
  out[512 + t] = __reduce_max_sync(full, h);
  out[768 + t] = __reduce_min_sync(full, (int)h);
  out[1024 + t] = __reduce_max_sync(full, (int)h);
  out[1280 + t] = __reduce_and_sync(full, h | 0xff);
  out[1536 + t] = __reduce_or_sync(full, h & 0x5555);
  out[1792 + t] = __reduce_xor_sync(full, h);
  out[2048 + t] = 0;
  if (t % 3) out[2048 + t] = __reduce_add_sync(__activemask(), h);
  out[2304 + t] = __reduce_xor_sync(t % 32 < 12 ? 0xfffu : 0xfffff000u, h);
}
