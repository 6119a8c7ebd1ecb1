// Nothing to add: prelude.h has printf.
