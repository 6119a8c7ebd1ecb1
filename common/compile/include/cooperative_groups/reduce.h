// The sum, the least and so on of a tile's values, which every lane gets.
#pragma once
#include <cooperative_groups.h>

PRELUDE_BEGIN
namespace cooperative_groups {
#define PRELUDE_OPERATION(name, expression) \
  template <class T = void>                 \
  struct name {                             \
    __host__ __device__ __forceinline__ T operator()(T a, T b) const { return expression; } \
  };
PRELUDE_OPERATION(plus, a + b)
PRELUDE_OPERATION(less, b < a ? b : a)
PRELUDE_OPERATION(greater, a < b ? b : a)
PRELUDE_OPERATION(bit_and, a & b)
PRELUDE_OPERATION(bit_or, a | b)
PRELUDE_OPERATION(bit_xor, a ^ b)
#undef PRELUDE_OPERATION
template <unsigned Size, class Parent, class T, class Operation>
PRELUDE T reduce(const thread_block_tile<Size, Parent>& tile, T v, Operation&& operation) {
#pragma unroll
  for (unsigned by = Size / 2; by > 0; by /= 2) v = operation(v, tile.shfl_xor(v, by));
  return v;
}
}  // namespace cooperative_groups
PRELUDE_END
