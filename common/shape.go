package common

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"transpose/common/ptx"
)

// A shape is what a kernel may have been written for instead: blocks of this shape, one for
// as many elements or for a tile that is as high as the block is wide.
type shape struct {
	name        string
	grid, block ptx.Dim3
}

// shapes lists what people launch on n × n elements, where n is a multiple of 64, always in
// the same order.
func shapes(n int) (list []shape) {
	for _, b := range []ptx.Dim3{{X: 16, Y: 16}, {X: 32, Y: 32}, {X: 8, Y: 8}, {X: 32, Y: 16}, {X: 32, Y: 4}, {X: 16, Y: 8}, {X: 16, Y: 4}, {X: 8, Y: 32}, {X: 64, Y: 4}, {X: 64, Y: 8}, {X: 64, Y: 16}} {
		b.Z = 1
		name := fmt.Sprintf("blocks of %d × %d threads", b.X, b.Y)
		list = append(list, shape{name, ptx.Dim3{X: n / b.X, Y: n / b.Y, Z: 1}, b})
		if b.X != b.Y {
			list = append(list, shape{name, ptx.Dim3{X: n / b.X, Y: n / b.X, Z: 1}, b})
		}
	}
	return append(list, shape{"a grid and blocks of one dimension", ptx.Dim3{X: n * n / 256, Y: 1, Z: 1}, ptx.Dim3{X: 256, Y: 1, Z: 1}})
}

// writtenFor says for what other blocks the kernel at work was written: with those it is
// right at small sizes, and with blocks of 32 × 8 threads, its own, it is not. It returns ""
// if there are none.
func (ep *Episode) writtenFor() string {
	const n, more = 64, 192
	block := ptx.Dim3{X: 32, Y: 8, Z: 1}
	if _, own := lastLaunch(); own != block {
		return ""
	}
	module, err := ptx.Parse(ep.PTX)
	if err != nil {
		return ""
	}
	entry := module.Entry(ep.kernel.Name)
	if entry == nil || len(entry.Params) != 3 {
		return ""
	}
	for _, grid := range []ptx.Dim3{{X: n / 32, Y: n / 32, Z: 1}, {X: n / 32, Y: n / 8, Z: 1}} {
		if right(entry, ep.kernel.Leaves, shape{"", grid, block}, n) {
			return ""
		}
	}
	larger := shapes(more) // where no grid has by chance as many blocks as a block threads
	for i, s := range shapes(n) {
		if right(entry, ep.kernel.Leaves, s, n) && right(entry, ep.kernel.Leaves, larger[i], more) {
			return fmt.Sprintf("the kernel is one for %s, with which it is right, but its blocks have 32 × 8 threads: look at grid and block in main.go", s.name)
		}
	}
	return ""
}

// right reports whether a kernel leaves what it should on n × n elements.
func right(entry *ptx.Entry, l Leaves, s shape, n int) bool {
	in := byIndex.matrix(n)
	want := in
	if l == Transposed {
		want = Transpose(in, n)
	}
	mem := ptx.NewMemory()
	var addr [2]uint64
	var data [2][]byte
	for i := range addr {
		var err error
		if addr[i], err = mem.Alloc(int64(4 * n * n)); err != nil {
			return false
		}
		if data[i], err = mem.Bytes(addr[i], int64(4*n*n)); err != nil {
			return false
		}
	}
	for i, v := range in {
		binary.LittleEndian.PutUint32(data[0][4*i:], Poison)
		binary.LittleEndian.PutUint32(data[1][4*i:], math.Float32bits(v))
	}
	const budget = 1 << 20 // of instructions: a shape that is not its own may keep it from ending
	if _, err := entry.Launch(mem, ptx.Config{Grid: s.grid, Block: s.block, Args: []uint64{addr[0], addr[1], uint64(n)}, Budget: budget}); err != nil {
		return false
	}
	for i, v := range want {
		if binary.LittleEndian.Uint32(data[0][4*i:]) != math.Float32bits(v) {
			return false
		}
	}
	return true
}

// blameShape says of a wrong output that nothing explains that the kernel is for other
// blocks.
func (ep *Episode) blameShape(row *Row) {
	if m := (*Mismatch)(nil); errors.As(row.Err, &m) {
		if m.Likely == "" {
			m.Likely = ep.writtenFor()
		}
	}
}

// A shapedFault is a fault of a kernel that is for other blocks.
type shapedFault struct {
	error
	likely string
}

func (f shapedFault) Error() string { return f.error.Error() + "\nlikely: " + f.likely }

func (f shapedFault) Unwrap() error { return f.error }
