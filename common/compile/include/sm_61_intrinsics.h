// Nothing to add: prelude.h has what a kernel uses of it.
