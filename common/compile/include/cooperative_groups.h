// The groups inside a block. A group of the whole grid cannot meet: that needs a
// launch of another kind.
#pragma once

PRELUDE_BEGIN
namespace cooperative_groups {
#define PRELUDE_MEMBER __host__ __device__ __forceinline__

PRELUDE unsigned prelude_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
PRELUDE unsigned prelude_count() { return blockDim.x * blockDim.y * blockDim.z; }
PRELUDE unsigned prelude_lane() { return __nvvm_read_ptx_sreg_laneid(); }

struct thread_block {
  PRELUDE_MEMBER static void sync() { __syncthreads(); }
  PRELUDE_MEMBER static unsigned thread_rank() { return prelude_rank(); }
  PRELUDE_MEMBER static unsigned size() { return prelude_count(); }
  PRELUDE_MEMBER static unsigned num_threads() { return prelude_count(); }
  PRELUDE_MEMBER static dim3 group_index() { return blockIdx; }
  PRELUDE_MEMBER static dim3 thread_index() { return threadIdx; }
  PRELUDE_MEMBER static dim3 group_dim() { return blockDim; }
  PRELUDE_MEMBER static dim3 dim_threads() { return blockDim; }
};
PRELUDE thread_block this_thread_block() { return {}; }
typedef thread_block thread_group;

struct grid_group {
  __attribute__((unavailable("a whole grid cannot meet here: the kernel is not launched as a cooperative one")))
  __host__ __device__ void sync() const;
  PRELUDE_MEMBER static unsigned long long block_rank() {
    return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
  }
  PRELUDE_MEMBER static unsigned long long thread_rank() { return block_rank() * prelude_count() + prelude_rank(); }
  PRELUDE_MEMBER static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  PRELUDE_MEMBER static unsigned long long size() { return num_blocks() * prelude_count(); }
  PRELUDE_MEMBER static unsigned long long num_threads() { return size(); }
  PRELUDE_MEMBER static bool is_valid() { return false; }
  PRELUDE_MEMBER static dim3 group_dim() { return gridDim; }
};
PRELUDE grid_group this_grid() { return {}; }

// Size neighbouring lanes of a warp, Size a power of two.
template <unsigned Size, class Parent = thread_block>
struct thread_block_tile {
  static_assert(Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
  PRELUDE_MEMBER static unsigned mask() {
    return Size == 32 ? 0xffffffff : ((1u << Size % 32) - 1) << (prelude_lane() & ~(Size - 1));
  }
  PRELUDE_MEMBER static void sync() { __syncwarp(mask()); }
  PRELUDE_MEMBER static unsigned thread_rank() { return prelude_lane() & (Size - 1); }
  PRELUDE_MEMBER static constexpr unsigned size() { return Size; }
  PRELUDE_MEMBER static constexpr unsigned num_threads() { return Size; }
  PRELUDE_MEMBER static unsigned meta_group_rank() { return prelude_rank() / Size; }
  PRELUDE_MEMBER static unsigned meta_group_size() { return (prelude_count() + Size - 1) / Size; }
  template <class T> PRELUDE_MEMBER T shfl(T v, int rank) const { return __shfl_sync(mask(), v, rank, Size); }
  template <class T> PRELUDE_MEMBER T shfl_up(T v, unsigned by) const { return __shfl_up_sync(mask(), v, by, Size); }
  template <class T> PRELUDE_MEMBER T shfl_down(T v, unsigned by) const { return __shfl_down_sync(mask(), v, by, Size); }
  template <class T> PRELUDE_MEMBER T shfl_xor(T v, unsigned by) const { return __shfl_xor_sync(mask(), v, by, Size); }
  PRELUDE_MEMBER int any(int predicate) const { return __any_sync(mask(), predicate); }
  PRELUDE_MEMBER int all(int predicate) const { return __all_sync(mask(), predicate); }
  PRELUDE_MEMBER unsigned ballot(int predicate) const {
    return __ballot_sync(mask(), predicate) >> (prelude_lane() & ~(Size - 1) & 31);
  }
};
template <unsigned Size, class Parent>
PRELUDE thread_block_tile<Size, Parent> tiled_partition(const Parent&) { return {}; }

// The lanes that came here together.
struct coalesced_group {
  unsigned lanes;
  PRELUDE_MEMBER void sync() const { __syncwarp(lanes); }
  PRELUDE_MEMBER unsigned size() const { return __popc(lanes); }
  PRELUDE_MEMBER unsigned num_threads() const { return __popc(lanes); }
  PRELUDE_MEMBER unsigned thread_rank() const { return __popc(lanes & ((1u << prelude_lane()) - 1)); }
  template <class T>
  PRELUDE_MEMBER T shfl(T v, unsigned rank) const {
    unsigned rest = lanes;
    for (; rank > 0; rank--) rest &= rest - 1;
    return __shfl_sync(lanes, v, __ffs(rest) - 1);
  }
  PRELUDE_MEMBER int any(int predicate) const { return __any_sync(lanes, predicate); }
  PRELUDE_MEMBER int all(int predicate) const { return __all_sync(lanes, predicate); }
};
PRELUDE coalesced_group coalesced_threads() { return {__activemask()}; }

template <class Group> PRELUDE void sync(const Group& group) { group.sync(); }
template <class Group> PRELUDE unsigned thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group> PRELUDE unsigned group_size(const Group& group) { return group.size(); }
#undef PRELUDE_MEMBER
}  // namespace cooperative_groups
PRELUDE_END
