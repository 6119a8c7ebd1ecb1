// Episode 01: a transpose that is correct, and a copy to measure it against.
package main

import (
	_ "embed"
	"unsafe"

	"github.com/mumax/3/cuda/cu"

	"transpose/common"
)

//go:embed transpose.cu
var source string

//go:embed transpose.ptx
var compiled string

func main() { common.Main("ep01-correct", source, compiled, run) }

// run finds the driver initialised, a context made, and the matrices allocated and
// in filled: ep did cu.Init, cu.CtxCreate, cu.MemAlloc and cu.MemcpyHtoD.
func run(ep *common.Episode) {
	module := cu.ModuleLoadData(ep.PTX)

	block := cu.Dim3{X: 32, Y: 8, Z: 1}                         // a warp is one row of it
	elements := cu.Dim3{X: (ep.N + 31) / 32, Y: ep.N / 8, Z: 1} // a thread for each element
	kernels := []common.Kernel{
		{Name: "empty", Leaves: common.Untouched, Grid: elements},
		{Name: "copy", Leaves: common.Copied, Grid: elements},
		{Name: "transpose_naive", Leaves: common.Transposed, Grid: elements},
	}

	// mumax reads eight bytes behind each pointer, whatever the parameter's type,
	// so even the int n must be a variable of eight bytes.
	out, in, n := uint64(ep.Out), uint64(ep.In), uint64(ep.N)
	args := []unsafe.Pointer{unsafe.Pointer(&out), unsafe.Pointer(&in), unsafe.Pointer(&n)}

	for _, k := range kernels {
		function := module.GetFunction(k.Name)
		ep.Measure(k, func() {
			cu.LaunchKernel(function, k.Grid.X, k.Grid.Y, k.Grid.Z, block.X, block.Y, block.Z, 0, 0, args)
		})
	}
}
