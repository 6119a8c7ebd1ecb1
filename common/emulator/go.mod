// The emulator takes the module path of the real bindings, so that a workspace
// that has this module resolves github.com/mumax/3/cuda/cu to it.
module github.com/mumax/3

go 1.22.4

require transpose/common v0.0.0

replace transpose/common => ../
