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

	ep.Measure(kernels, func(k common.Kernel) (launch func()) {
		function := module.GetFunction(k.Name)

		// The driver is given a pointer to each argument and eight bytes are read
		// there, so even the int n must be a variable of eight bytes.
		out, in, n := uint64(ep.Out), uint64(ep.In), uint64(ep.N)
		args := []unsafe.Pointer{unsafe.Pointer(&out), unsafe.Pointer(&in), unsafe.Pointer(&n)}

		return func() {
			cu.LaunchKernel(function, k.Grid.X, k.Grid.Y, k.Grid.Z, block.X, block.Y, block.Z, 0, 0, args)
		}
	})
}
