// Copies from global to shared memory that need no register: cp.async, of an sm_80.
#pragma once

PRELUDE_BEGIN
// The last zeros of the size bytes are not read but filled with 0.
PRELUDE void __pipeline_memcpy_async(void* shared, const void* global, size_t size, size_t zeros = 0) {
  unsigned to = __cvta_generic_to_shared(shared);
  unsigned from_size = size - zeros;
  if (size == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global), "r"(from_size) : "memory");
  else if (size == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(global), "r"(from_size) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(global), "r"(from_size) : "memory");
}
PRELUDE void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// The number must be known to the compiler: it becomes a part of the instruction.
PRELUDE void __pipeline_wait_prior(int groups) {
  switch (groups) {
#define PRELUDE_WAIT(n) case n: asm volatile("cp.async.wait_group " #n ";" ::: "memory"); break;
    PRELUDE_WAIT(1)
    PRELUDE_WAIT(2)
    PRELUDE_WAIT(3)
    PRELUDE_WAIT(4)
    PRELUDE_WAIT(5)
    PRELUDE_WAIT(6)
    PRELUDE_WAIT(7)
    default: asm volatile("cp.async.wait_all;" ::: "memory");
#undef PRELUDE_WAIT
  }
}
PRELUDE_END
