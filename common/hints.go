package common

import (
	"fmt"
	"strings"

	"transpose/common/ptx"
)

// A hintedFault is a fault whose last line says what a run knows and the emulator
// does not: which matrix was meant, and which element of it.
type hintedFault struct {
	*ptx.Fault
	hint string
}

func (f hintedFault) Error() string {
	text, _, _ := strings.Cut(f.Fault.Error(), ": compare the index with the size")
	return text + ": " + f.hint
}

func (f hintedFault) Unwrap() error { return f.Fault }

// withHint adds to an access outside a matrix what explains its address, where that
// is not a missing guard.
func (ep *Episode) withHint(f *ptx.Fault) error {
	if f.Kind != ptx.OutOfBounds || f.Space != ptx.Global || f.Addr == 0 {
		return f
	}
	base := ep.In
	if distance(f.Addr, uint64(ep.Out)) < distance(f.Addr, uint64(ep.In)) {
		base = ep.Out
	}
	if hint := strayed(f, ep.kernel.Block, int64(f.Addr)-int64(base), ep.N); hint != "" {
		return hintedFault{f, hint}
	}
	return f
}

func distance(a, b uint64) uint64 { return max(a, b) - min(a, b) }

// strayed explains an access offset bytes behind the start of an n × n matrix: by
// the length that a row or an element is taken to have. It returns "" where the
// thread's own element lies there, beyond the edge, and where nothing fits.
func strayed(f *ptx.Fault, block ptx.Dim3, offset int64, n int) string {
	at := func(size, length int64) bool {
		for _, e := range elementsOf(f, block) {
			if e.row > 0 && offset == size*(e.row*length+e.col) {
				return true
			}
		}
		return false
	}
	if at(4, int64(n)) {
		return ""
	}
	if at(8, int64(n)) || strings.Contains(f.PTXText, ".f64") {
		return "elements of 8 bytes, as of double or long long, are twice as long as those of out and in, which are float"
	}
	for _, length := range rowLengths(int64(n)) {
		if at(4, length) {
			return fmt.Sprintf("the length of a row is taken to be %d, but rows of out and in are n = %d floats long, without padding", length, n)
		}
	}
	return ""
}

// An element is one that a thread has in its care.
type element struct{ row, col int64 }

// elementsOf returns the elements of in and of out that the accused thread has in the
// launches of the series: blocks of 32 × 8 threads, for as many elements or for a
// tile of 32 × 32, or, where the kernel has a block of its own, four elements of a row
// to each thread of one.
func elementsOf(f *ptx.Fault, block ptx.Dim3) []element {
	bx, by, tx, ty := int64(f.Block.X), int64(f.Block.Y), int64(f.Thread.X), int64(f.Thread.Y)
	if block.X > 0 && block.X < 32 {
		return wideElements(bx, by, tx, ty, int64(block.X), int64(block.Y))
	}
	list := []element{{by*8 + ty, bx*32 + tx}, {bx*32 + tx, by*8 + ty}}
	for y := ty; y < 32; y += 8 {
		list = append(list,
			element{by*32 + y, bx*32 + tx}, element{bx*32 + tx, by*32 + y}, // of the tile, and transposed
			element{bx*32 + y, by*32 + tx}) // of the tile's mirror image
	}
	return list
}

// wideElements returns the elements of a thread whose block of width × height has a
// square tile: four side by side, or as many one width apart.
func wideElements(bx, by, tx, ty, width, height int64) (list []element) {
	tile := 4 * width
	for y := ty; y < tile; y += height {
		for k := int64(0); k < 4; k++ {
			for _, x := range []int64{tx*4 + k, tx + k*width} {
				list = append(list, element{by*tile + y, bx*tile + x}, element{bx*tile + y, by*tile + x})
			}
		}
	}
	return list
}

// rowLengths returns what people take for the length of a row instead of n: n
// rounded up, as for a pitch or a grid of whole tiles, and the round numbers that
// stand in a kernel as constants.
func rowLengths(n int64) []int64 {
	lengths := []int64{n + 1}
	for unit := int64(2); unit <= 256; unit *= 2 {
		lengths = append(lengths, (n+unit-1)/unit*unit)
	}
	return append(lengths, 512, 1000, 1001, 1024, 2048, 4096, 8192, n-1)
}
