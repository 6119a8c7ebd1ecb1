// A copy from global to shared memory that a block's threads share, by cp.async.
#pragma once
#include <cooperative_groups.h>
#include <cuda_pipeline_primitives.h>

PRELUDE_BEGIN
namespace cooperative_groups {
template <class Group, class T>
PRELUDE void memcpy_async(const Group& group, T* shared, const T* global, size_t bytes) {
  static_assert(sizeof(T) % 4 == 0, "only elements of whole words can be copied so here");
  for (size_t i = group.thread_rank(); i < bytes / 4; i += group.size())
    __pipeline_memcpy_async((unsigned*)shared + i, (const unsigned*)global + i, 4);
  __pipeline_commit();
}
template <class Group>
PRELUDE void wait(const Group& group) {
  __pipeline_wait_prior(0);
  group.sync();
}
}  // namespace cooperative_groups
PRELUDE_END
