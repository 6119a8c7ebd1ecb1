package common

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
)

// A mistake is a common error of a transpose kernel: out[y][x] holds the element
// of in that source names, wherever that lies inside the matrix.
type mistake struct {
	name   string
	source func(y, x int) (row, col int)
}

// mistakes lists what to try on an n × n output that should be l, the plainest
// first.
func mistakes(l Leaves, n int) []mistake {
	right := func(y, x int) (int, int) { return x, y }
	list := []mistake{{"an untransposed copy: out[y][x] holds in[y][x]", func(y, x int) (int, int) { return y, x }}}
	if l == Copied {
		right = func(y, x int) (int, int) { return y, x }
		list = []mistake{{"a transpose, where a copy is wanted: out[y][x] holds in[x][y]", func(y, x int) (int, int) { return x, y }}}
	}
	for _, d := range []struct {
		dy, dx int
		name   string
	}{
		{-1, 0, "off by one row: out[y][x] holds what belongs in out[y-1][x]"},
		{+1, 0, "off by one row: out[y][x] holds what belongs in out[y+1][x]"},
		{0, -1, "off by one column of out, one row of in: out[y][x] holds what belongs in out[y][x-1]"},
		{0, +1, "off by one column of out, one row of in: out[y][x] holds what belongs in out[y][x+1]"},
	} {
		if l == Copied && d.dx != 0 {
			d.name = fmt.Sprintf("off by one column: out[y][x] holds what belongs in out[y][x%+d]", d.dx)
		}
		list = append(list, mistake{d.name, func(y, x int) (int, int) { return right(y+d.dy, x+d.dx) }})
	}
	list = append(list,
		mistake{"zeros everywhere: what is stored does not come from in", func(int, int) (int, int) { return 0, 0 }},
		mistake{"a rotation: the rows of out come in reverse", func(y, x int) (int, int) { return right(n-1-y, x) }},
		mistake{"a rotation: the columns of out come in reverse", func(y, x int) (int, int) { return right(y, n-1-x) }})
	for _, t := range []int{32, 64, 16, 8} {
		list = append(list,
			mistake{fmt.Sprintf("tile offsets not swapped: each %d × %d tile is transposed, but stays where it was", t, t),
				func(y, x int) (int, int) { return y/t*t + x%t, x/t*t + y%t }},
			mistake{fmt.Sprintf("tiles moved but not turned: inside each %d × %d tile nothing is transposed", t, t),
				func(y, x int) (int, int) { return x/t*t + y%t, y/t*t + x%t }})
	}
	return append(list, rowMistakes(right, n)...)
}

// rowMistakes lists what goes wrong where a 32 × 8 block has a 32 × 32 tile, so
// that a thread handles rows j = 0, 8, 16 and 24 below its own. right says which
// element of in belongs in out[y][x].
func rowMistakes(right func(y, x int) (row, col int), n int) []mistake {
	return []mistake{
		{"the tiles of in lie 8 rows apart: a tile starts at row blockIdx.y * 32, not blockIdx.y * blockDim.y",
			func(y, x int) (int, int) {
				row, col := right(y, x)
				return row/32*8 + row%32, col
			}},
		{"a + j is missing: the first 8 rows of each tile of in stand there four times",
			func(y, x int) (int, int) {
				row, col := right(y, x)
				return row/32*32 + row%8, col
			}},
		{"a + j is missing: the first 8 rows of each tile of out stand there four times",
			func(y, x int) (int, int) { return right(y/32*32+y%8, x) }},
		{"a + j is missing where out is written: the last of each thread's four rows stands in the place of the first",
			func(y, x int) (int, int) {
				if y%32 >= 8 {
					return -1, -1
				}
				last := y
				for last+8 < min(n, y/32*32+32) {
					last += 8
				}
				return right(last, x)
			}},
	}
}

// likely names the mistake that explains the whole of the output, or returns "".
func (o output) likely() string {
	n := o.n
	if s := o.changed(); s != "" {
		return s
	}
	if o.fill != byIndex {
		if s := o.lost(); s != "" {
			return s
		}
	}
	if s := o.neverWritten(); s != "" {
		return s
	}
	if o.allNaN() {
		return "NaN everywhere: out holds NaN until it is written, so a kernel that reads out, with += for example, passes it on"
	}
	if s := o.partOfBytes(); s != "" {
		return s
	}
	for _, m := range append(mistakes(o.leaves, n), o.rowLength()...) {
		if o.explainedBy(m) {
			return m.name
		}
	}
	if o.onlyRaggedEdge() {
		return fmt.Sprintf(theGuards+": only the last, partial tiles (row or column %d and up) and what runs over from them are wrong; "+
			"load and store must each guard the row and column that they use themselves, and no thread may return, or stay outside a guard that has a barrier in it, before its store", n/32*32)
	}
	if o.fill == byIndex && o.onlyMissing() {
		return "what was written is right, but a part never was: too few threads pass the guard, or the grid has too few blocks"
	}
	return ""
}

// rowLength lists the mistakes of a kernel that finds rows by another length than n,
// those of in or those of both. Where the first row of in should give way to the
// second, out shows which length.
func (o output) rowLength() []mistake {
	second, right := 1, func(y, x int) (row, col int) { return x, y }
	if o.leaves == Copied {
		second, right = o.n, func(y, x int) (row, col int) { return y, x }
	}
	if o.n < 2 {
		return nil
	}
	length, ok := o.fill.index(o.got[second], o.n)
	if !ok || length == 0 {
		return nil
	}
	return []mistake{{fmt.Sprintf("the length of a row of in is taken to be %d, but it is n = %d, without padding", length, o.n),
		func(y, x int) (int, int) {
			row, col := right(y, x)
			at := row*length + col
			return at / o.n, at % o.n
		}}, {fmt.Sprintf("n is taken to be %d, but it is %d: what the host passes is the third parameter", length, o.n),
		func(y, x int) (int, int) {
			at := y*o.n + x
			if at >= length*length {
				return -1, -1
			}
			at = at%length*length + at/length
			return at / o.n, at % o.n
		}}}
}

// partOfBytes explains an output of which just as many bytes were written as n * n
// elements of 1 or 2 bytes have, most of them wrong.
func (o output) partOfBytes() string {
	for _, size := range []int{1, 2} {
		written, right := (len(o.got)*size+3)/4, 0
		if o.every(func(i int) bool {
			if !o.wrong(i) {
				right++
			}
			return o.missing(i) == (i >= written)
		}) && right <= written/2 && written < len(o.got) {
			return fmt.Sprintf("as many bytes were written as n * n elements of %s have: is out declared with such a type? Its elements are float, of 4 bytes",
				[]string{1: "1 byte", 2: "2 bytes"}[size])
		}
	}
	return ""
}

// theGuards begins what likely says of wrong elements in partial tiles.
const theGuards = "the guards"

// missedBarrier matches the emulator's note of a barrier that threads have exited
// before.
var missedBarrier = regexp.MustCompile(`^barrier at ([^,]*).*: threads that had exited`)

// blameBarrier names the barrier, where threads left before it and the partial tiles
// are wrong: then no guard is, but where it stands.
func blameBarrier(row *Row) {
	var m *Mismatch
	if row.Counts == nil || !errors.As(row.Err, &m) || !strings.HasPrefix(m.Likely, theGuards) {
		return
	}
	for _, note := range row.Counts.Notes {
		if at := missedBarrier.FindStringSubmatch(note); at != nil {
			m.Likely = fmt.Sprintf("the barrier at %s stands inside a guard, or below a return: threads that have no element to load leave before it, "+
				"and with them those that have one to store; guard the load alone, so that all threads get to the barrier", at[1])
			return
		}
	}
}

// allNaN reports whether no element is a number.
func (o output) allNaN() bool {
	for _, g := range o.got {
		if !math.IsNaN(float64(g)) {
			return false
		}
	}
	return true
}

// onlyMissing reports whether all that is wrong was never written.
func (o output) onlyMissing() bool {
	for i := range o.got {
		if o.wrong(i) && !o.missing(i) {
			return false
		}
	}
	return true
}

// explainedBy reports whether every output element holds what the mistake puts
// there. Where the mistake points outside the matrix anything may stand, so
// most of the wrong elements must lie elsewhere; what was never written proves
// nothing either way.
func (o output) explainedBy(m mistake) bool {
	explained, outside := 0, 0
	for y := 0; y < o.n; y++ {
		for x := 0; x < o.n; x++ {
			i := y*o.n + x
			row, col := m.source(y, x)
			switch {
			case row < 0 || row >= o.n || col < 0 || col >= o.n:
				if o.wrong(i) && !o.missing(i) {
					outside++
				}
			case math.Float32bits(o.got[i]) != o.fill.bits(row*o.n+col, o.n):
				return false
			case o.wrong(i):
				explained++
			}
		}
	}
	return explained > outside
}

// neverWritten describes which elements still hold the poison, when those are
// all that is wrong and they form whole rows or whole columns.
func (o output) neverWritten() string {
	n := o.n
	rows, cols := make([]int, n), make([]int, n) // elements never written in each
	missing := 0
	for i := range o.got {
		switch {
		case o.missing(i):
			rows[i/n]++
			cols[i%n]++
			missing++
		case o.wrong(i):
			return ""
		}
	}
	if missing == n*n {
		return "nothing was written: does the guard let any thread through, and does the kernel write to its first parameter?"
	}
	if s := o.otherShape(); s != "" {
		return s
	}
	if s := wholeLines("row", "y", rows, n); s != "" {
		return s
	}
	if s := wholeLines("column", "x", cols, n); s != "" {
		return s
	}
	y, x := written(rows, n), written(cols, n)
	if y < n && missing > 0 && missing == n*n-y*x {
		return fmt.Sprintf("all rows from %d and all columns from %d never written: the grid has too few blocks, as n / 32 rounds down and (n + 31) / 32 up", y, x)
	}
	return ""
}

// otherShape explains an output of which just that part was written that a kernel
// for blocks of another shape reaches in a launch of n / 32 × n / 32 blocks of 32 × 8
// threads.
func (o output) otherShape() string {
	blocks := (o.n + 31) / 32
	for _, shape := range []struct {
		name    string
		reaches func(y, x int) bool // element in[y][x], or the one mirrored at the diagonal
	}{
		{"blocks of 16 × 16 threads", func(y, x int) bool { return x < 16*blocks+16 && y < 16*blocks && y%16 < 8 }},
		{"a grid and blocks of one dimension", func(y, x int) bool { return y*o.n+x < 32*blocks }},
		{"a grid of one dimension", func(y, x int) bool { return y*o.n+x < 256*blocks }},
	} {
		for _, mirrored := range []bool{false, true} {
			if o.every(func(i int) bool {
				y, x := i/o.n, i%o.n
				if mirrored {
					y, x = x, y
				}
				return o.missing(i) != shape.reaches(y, x)
			}) {
				return fmt.Sprintf("the kernel reaches only what one for %s reaches here, but its blocks have 32 × 8 threads: look at grid and block in main.go", shape.name)
			}
		}
	}
	return ""
}

// written returns how many of the first lines are not missing altogether.
func written(missing []int, n int) int {
	for i, m := range missing {
		if m == n {
			return i
		}
	}
	return n
}

// wholeLines names the pattern of lines (rows or columns) of which no element
// was written, given how many elements of each were not.
func wholeLines(kind, index string, missing []int, n int) string {
	first, count, residue := -1, 0, 32
	for i, m := range missing {
		switch {
		case m == 0:
			continue
		case m != n:
			return ""
		case first < 0:
			first = i
		}
		residue = min(residue, i%32)
		count++
	}
	if count == 1 {
		return fmt.Sprintf("%s %d never written: too few blocks in the grid, or a loop or guard that ends early", kind, first)
	}
	if count == n-first && first == 8*((n+31)/32) {
		return fmt.Sprintf("%ss %d … %d never written: one row of blocks did 8 of them; as there are (n + 31) / 32 rows of blocks, "+
			"each thread must do four, j = 0, 8, 16, 24, or the grid has too few blocks", kind, first, n-1)
	}
	if count == n-first {
		return fmt.Sprintf("%ss %d … %d never written: too few blocks in the grid, or a loop or guard that ends early", kind, first, n-1)
	}
	inResidue := 0
	for i := range missing {
		if i%32 >= residue {
			inResidue++
		}
	}
	if count == inResidue {
		return fmt.Sprintf("%ss %s %% 32 ≥ %d never written: a 32 × 8 block has 8 rows of threads; either each thread handles four rows of a tile, j = 0, 8, 16, 24, "+
			"or the blocks lie 8 rows apart, blockIdx.y * blockDim.y", kind, index, residue)
	}
	return fmt.Sprintf("%d %ss never written, the first is %s %d", count, kind, kind, first)
}

// onlyRaggedEdge reports whether n leaves partial 32 × 32 tiles and all wrong
// elements are in them, or in the columns where what is written past the end of
// a row comes out: the first ones of the next row. Fewer than half a row of them
// are no matter of guards.
func (o output) onlyRaggedEdge() bool {
	n := o.n
	edge, overflow := n/32*32, (n+31)/32*32-n
	if edge == 0 || edge == n {
		return false
	}
	wrong := 0
	for i := range o.got {
		if !o.wrong(i) {
			continue
		}
		if i/n < edge && i%n < edge && i%n >= overflow {
			return false
		}
		wrong++
	}
	return wrong >= n/2
}
