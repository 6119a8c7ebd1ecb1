// Nothing to add: prelude.h has memcpy and its kin.
