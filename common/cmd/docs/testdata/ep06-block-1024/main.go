// Episode 06: 16 bytes a lane, and a tile that has grown with it.
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

func main() { common.Main("ep06-wide", source, compiled, run) }

// run finds the driver initialised, a context made, and the matrices allocated and
// in filled: ep did cu.Init, cu.CtxCreate, cu.MemAlloc and cu.MemcpyHtoD.
func run(ep *common.Episode) {
	module := cu.ModuleLoadData(ep.PTX)

	block := cu.Dim3{X: 32, Y: 8, Z: 1}                              // a warp is one row of it
	tiles := cu.Dim3{X: (ep.N + 31) / 32, Y: (ep.N + 31) / 32, Z: 1} // a block for each 32 × 32 tile
	half := cu.Dim3{X: 16, Y: 32, Z: 1}                              // a warp is two rows of it
	wide := cu.Dim3{X: (ep.N + 63) / 64, Y: (ep.N + 63) / 64, Z: 1}  // a block for each 64 × 64 tile
	kernels := []common.Kernel{
		{Name: "empty", Leaves: common.Untouched, Grid: tiles, Block: block},
		{Name: "empty", Leaves: common.Untouched, Grid: wide, Block: half},
		{Name: "copy_wide", Leaves: common.Copied, Grid: wide, Block: half},
		{Name: "transpose_ordered", Leaves: common.Transposed, Grid: tiles, Block: block},
		{Name: "transpose_wide", Leaves: common.Transposed, Grid: wide, Block: cu.Dim3{X: 16, Y: 64, Z: 1}},
	}

	// mumax reads eight bytes behind each pointer, whatever the parameter's type,
	// so even the int n must be a variable of eight bytes.
	out, in, n := uint64(ep.Out), uint64(ep.In), uint64(ep.N)
	args := []unsafe.Pointer{unsafe.Pointer(&out), unsafe.Pointer(&in), unsafe.Pointer(&n)}

	for _, k := range kernels {
		function := module.GetFunction(k.Name)
		ep.Measure(k, func() {
			cu.LaunchKernel(function, k.Grid.X, k.Grid.Y, k.Grid.Z, k.Block.X, k.Block.Y, k.Block.Z, 0, 0, args)
		})
	}
}
