// Episode 04: one unused column, so that a column of the tile lies in 32 banks.
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

func main() { common.Main("ep04-padding", source, compiled, run) }

// run finds the driver initialised, a context made, and the matrices allocated and
// in filled: ep did cu.Init, cu.CtxCreate, cu.MemAlloc and cu.MemcpyHtoD.
func run(ep *common.Episode) {
	module := cu.ModuleLoadData(ep.PTX)

	block := cu.Dim3{X: 32, Y: 8, Z: 1}                              // a warp is one row of it
	tiles := cu.Dim3{X: (ep.N + 31) / 32, Y: (ep.N + 31) / 32, Z: 1} // a block for each 32 × 32 tile
	kernels := []common.Kernel{
		{Name: "empty", Leaves: common.Untouched, Grid: tiles},
		{Name: "copy_tile", Leaves: common.Copied, Grid: tiles},
		{Name: "transpose_shared", Leaves: common.Transposed, Grid: tiles},
		{Name: "transpose_padded", Leaves: common.Transposed, Grid: tiles},
	}

	// mumax reads eight bytes behind each pointer, whatever the parameter's type,
	// so even the int n must be a variable of eight bytes.
	out, in, n := uint64(ep.Out), uint64(ep.In), uint64(ep.N)
	args := []unsafe.Pointer{unsafe.Pointer(&out), unsafe.Pointer(&in), unsafe.Pointer(&n)}

	for _, k := range kernels {
		function := module.GetFunction(k.Name)
		ep.Measure(k, func() {
			if k.Name == "transpose_padded" {
				cu.MemcpyDtoD(ep.Out, ep.In, int64(4*ep.N*ep.N))
				in = out
			}
			cu.LaunchKernel(function, k.Grid.X, k.Grid.Y, k.Grid.Z, block.X, block.Y, block.Z, 0, 0, args)
		})
	}
}
