// Nothing to add: prelude.h has malloc, free and abs.
