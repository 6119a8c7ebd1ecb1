package ptx_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"transpose/common/ptx"
)

// The kernels under testdata are held to the verdicts that stand in them:
//
//	// want: SharedRace                     this line is accused, of that FaultKind
//	// want: load 4 sectors                 each load on this line costs that per request
//	// want: load 32 wavefronts (1 at best)
//	// want: store 16 sectors (25% used)
//	// want: note                           no fault, but Counts.Notes names this line
//
// A kernel without such a comment must stay silent. Whatever is not accused must
// leave exactly the output that this table says.

// shape is the size of the matrix in: rows × cols elements.
type shape struct{ rows, cols int }

func square(sizes ...int) []shape {
	var s []shape
	for _, n := range sizes {
		s = append(s, shape{n, n})
	}
	return s
}

// never stands for an element of the output that no thread writes.
const never = -1

// Each of these says which element of in belongs at out[i].
type output func(s shape, i int) int

func transposed(s shape, i int) int { return i%s.rows*s.cols + i/s.rows }
func copied(s shape, i int) int     { return i }

// only keeps the rows of an n × n output for which keep holds.
func only(of output, keep func(row int) bool) output {
	return func(s shape, i int) int {
		if keep(i / s.cols) {
			return of(s, i)
		}
		return never
	}
}

func firstEight(row int) bool { return row%32 < 8 }

func first34(row int) bool { return row < 34 }

func oneRowLow(s shape, i int) int {
	if i < s.cols {
		return never
	}
	return transposed(s, i-s.cols)
}

// tilesInPlace transposes each 32 × 32 tile and leaves it where it was.
func tilesInPlace(s shape, i int) int {
	row, column := i/s.cols, i%s.cols
	return (row-row%32+column%32)*s.cols + column - column%32 + row%32
}

// withoutExited is what is left when the threads beyond the right edge return
// before they have stored their part of the last tiles' rows.
func withoutExited(s shape, i int) int {
	row, column := i/s.cols, i%s.cols
	if row >= s.cols-s.cols%32 && column%32 >= s.cols%32 {
		return never
	}
	return transposed(s, i)
}

// at makes an output of an n × n matrix from the row and column of in that belong
// at out[y][x]; a negative row is never written.
func at(from func(y, x, n int) (row, column int)) output {
	return func(s shape, i int) int {
		row, column := from(i/s.cols, i%s.cols, s.cols)
		if row < 0 {
			return never
		}
		return row*s.cols + column
	}
}

// What the slips of slips.cu leave behind.
var (
	eightRowTiles = at(func(y, x, _ int) (int, int) { return x/32*8 + x%32, y })
	jLostInLoad   = at(func(y, x, _ int) (int, int) { return x/32*32 + x%8, y })
	jLostInTile   = at(func(y, x, _ int) (int, int) { return x, y/32*32 + y%8 })
	wideUnturned  = at(func(y, x, _ int) (int, int) { return x/64*64 + y%64, y/64*64 + x%64 })
	tilesUnturned = at(func(y, x, _ int) (int, int) { return x/32*32 + y%32, y/32*32 + x%32 })
	rotated       = at(func(y, x, n int) (int, int) { return x, n - 1 - y })
	untouched     = at(func(int, int, int) (int, int) { return never, 0 })

	jLostInStore = at(func(y, x, n int) (int, int) {
		if y%32 >= 8 {
			return never, 0
		}
		last := y
		for last+8 < min(n, y/32*32+32) {
			last += 8
		}
		return x, last
	})
	upperLeft = at(func(y, x, n int) (int, int) {
		if x+y >= n {
			return never, 0
		}
		return x, y
	})
)

// A launch gives the grid and block for a matrix.
type launch func(shape) (grid, block ptx.Dim3)

// blocksOf launches blocks of bx × by threads that do width × height elements each.
func blocksOf(bx, by, width, height int) launch {
	return func(s shape) (grid, block ptx.Dim3) {
		return ptx.Dim3{X: (s.cols + width - 1) / width, Y: (s.rows + height - 1) / height, Z: 1}, ptx.Dim3{X: bx, Y: by, Z: 1}
	}
}

var (
	each   = blocksOf(32, 8, 32, 8)   // one element a thread
	tiles  = blocksOf(32, 8, 32, 32)  // four rows a thread
	strips = blocksOf(32, 8, 32, 64)  // eight rows a warp
	quads  = blocksOf(32, 8, 128, 8)  // four columns a thread
	fours  = blocksOf(32, 8, 128, 32) // 4 × 4 elements a thread
	wide   = blocksOf(16, 32, 64, 64) // 4 × 2 elements a thread
)

// inARow launches blocks of 256 threads that do so many elements each, row by row.
func inARow(elements int) func(s shape) (grid, block ptx.Dim3) {
	return func(s shape) (grid, block ptx.Dim3) {
		return ptx.Dim3{X: (s.rows*s.cols + elements - 1) / elements, Y: 1, Z: 1}, ptx.Dim3{X: 256, Y: 1, Z: 1}
	}
}

// oneRow launches as many blocks of 32 × 8 threads as the matrix has tiles in a row.
func oneRow(s shape) (grid, block ptx.Dim3) {
	return ptx.Dim3{X: (s.cols + 31) / 32, Y: 1, Z: 1}, ptx.Dim3{X: 32, Y: 8, Z: 1}
}

// linear launches one thread an element, in blocks of 256.
func linear(s shape) (grid, block ptx.Dim3) {
	return ptx.Dim3{X: (s.rows*s.cols + 255) / 256, Y: 1, Z: 1}, ptx.Dim3{X: 256, Y: 1, Z: 1}
}

type fixture struct {
	file, kernel string
	sizes        []shape
	launch       launch
	holds        output
	inPlace      bool // out is in
	double       bool // elements of 8 bytes
	wrong        bool // what it leaves is no transpose, nor the copy that it should be
}

var fixtures = []fixture{
	{file: "missing_barrier", kernel: "missing_barrier", sizes: square(33, 64), launch: tiles},
	{file: "missing_barrier", kernel: "missing_barrier_right", sizes: square(33, 64), launch: tiles, holds: transposed},
	{file: "divergent_barrier", kernel: "divergent_barrier", sizes: square(33, 64), launch: tiles},
	{file: "divergent_barrier", kernel: "barrier_under_guard", sizes: square(33), launch: tiles},
	{file: "divergent_barrier", kernel: "divergent_barrier_right", sizes: square(33, 64), launch: tiles, holds: transposed},
	{file: "tile_reused", kernel: "tile_reused", sizes: square(33, 64), launch: oneRow},
	{file: "tile_reused", kernel: "tile_reused_right", sizes: square(33, 64), launch: oneRow, holds: transposed},
	{file: "tile_unfilled", kernel: "tile_unfilled", sizes: square(33, 64), launch: tiles},
	{file: "tile_unfilled", kernel: "tile_unfilled_right", sizes: square(33, 64), launch: tiles, holds: transposed},
	{file: "tile_overrun", kernel: "tile_overrun", sizes: square(33, 64), launch: tiles},
	{file: "tile_overrun", kernel: "tile_overrun_right", sizes: square(33, 64), launch: tiles, holds: transposed},
	{file: "broadcast", kernel: "broadcast", sizes: square(33, 64), launch: each, holds: copied},
	{file: "guards", kernel: "guard_missing", sizes: square(33, 1000), launch: each},
	{file: "guards", kernel: "guard_on_store_only", sizes: square(33, 1000), launch: tiles},
	{file: "guards", kernel: "guard_of_the_load", sizes: square(33, 1000), launch: tiles},
	{file: "guards", kernel: "guards_swapped", sizes: []shape{{33, 70}, {70, 33}, {1000, 999}}, launch: each},
	{file: "guards", kernel: "guards_right", sizes: []shape{{33, 70}, {70, 33}, {1000, 999}}, launch: each, holds: transposed},
	{file: "index_overflow", kernel: "index_overflow", sizes: square(1300), launch: linear},
	{file: "index_overflow", kernel: "index_overflow_right", sizes: square(1300), launch: linear, holds: transposed},
	{file: "in_place", kernel: "in_place_naive", sizes: square(33, 64), launch: each, inPlace: true},
	{file: "in_place", kernel: "in_place_pairs", sizes: square(33, 64), launch: tiles, inPlace: true, holds: transposed},
	{file: "misaligned_float4", kernel: "misaligned_float4", sizes: square(33), launch: quads},
	{file: "misaligned_float4", kernel: "misaligned_float4_right", sizes: square(33, 64), launch: quads, holds: copied},
	{file: "endless", kernel: "endless", sizes: square(33), launch: oneRow},
	{file: "endless", kernel: "endless_right", sizes: square(33), launch: oneRow, holds: copied},
	{file: "warp_barrier", kernel: "warp_barrier", sizes: square(33, 64), launch: strips},
	{file: "warp_barrier", kernel: "warp_barrier_right", sizes: square(33, 64), launch: strips, holds: transposed},

	{file: "padding_unused", kernel: "padding_unused", sizes: square(33, 128), launch: tiles, holds: transposed},
	{file: "padding_unused", kernel: "padding_unused_right", sizes: square(33, 128), launch: tiles, holds: transposed},
	{file: "padding_rows", kernel: "padding_rows", sizes: square(33, 128), launch: tiles, holds: transposed},
	{file: "padding_rows", kernel: "padding_rows_right", sizes: square(33, 128), launch: tiles, holds: transposed},
	{file: "tile16", kernel: "tile16", sizes: square(33, 128), launch: blocksOf(16, 16, 16, 16), holds: transposed},
	{file: "tile16", kernel: "tile16_padded", sizes: square(33, 128), launch: blocksOf(16, 16, 16, 16), holds: transposed},
	{file: "xor_swizzle", kernel: "xor_swizzle", sizes: square(33, 128), launch: tiles, holds: transposed},
	{file: "double_tile", kernel: "double_tile", sizes: square(33, 128), launch: tiles, double: true, holds: transposed},
	{file: "double_tile", kernel: "double_tile_padded", sizes: square(33, 128), launch: tiles, double: true, holds: transposed},
	{file: "float4_registers", kernel: "float4_registers", sizes: square(36, 128), launch: fours, holds: transposed},
	{file: "wide_registers", kernel: "wide_registers", sizes: square(36, 128), launch: blocksOf(16, 16, 64, 64), holds: transposed},
	{file: "tiles_moved", kernel: "tiles_moved", sizes: square(128, 192), launch: wide, holds: wideUnturned, wrong: true},
	{file: "float4_copies", kernel: "float4_copy", sizes: square(36, 128), launch: inARow(1024), holds: copied},
	{file: "float4_copies", kernel: "float4_copy_by_fours", sizes: square(36, 128), launch: inARow(4096), holds: copied},
	{file: "cache_hints", kernel: "cache_hints", sizes: square(36, 128), launch: wide, holds: transposed},
	{file: "rectangular", kernel: "rectangular", sizes: []shape{{33, 70}, {70, 33}, {128, 256}}, launch: tiles, holds: transposed},
	{file: "shuffles", kernel: "shuffles", sizes: square(33, 128), launch: strips, holds: transposed},
	{file: "blocks", kernel: "block_16x16", sizes: square(33, 128), launch: blocksOf(16, 16, 16, 16), holds: transposed},
	{file: "blocks", kernel: "block_8x32", sizes: square(33, 128), launch: blocksOf(8, 32, 8, 32), holds: transposed},
	{file: "own_word", kernel: "own_word", sizes: square(33, 128), launch: tiles, holds: transposed},

	{file: "copy_part_of_rows", kernel: "copy_part_of_rows", sizes: square(33, 64), launch: tiles, holds: only(copied, firstEight), wrong: true},
	{file: "rows_skipped", kernel: "rows_skipped", sizes: square(33, 64), launch: tiles, holds: only(transposed, firstEight), wrong: true},
	{file: "off_by_one_row", kernel: "off_by_one_row", sizes: square(33, 64), launch: each, holds: oneRowLow, wrong: true},
	{file: "untransposed", kernel: "untransposed", sizes: square(33, 64), launch: tiles, holds: copied, wrong: true},
	{file: "offsets_not_swapped", kernel: "offsets_not_swapped", sizes: square(64, 96), launch: tiles, holds: tilesInPlace, wrong: true},
	{file: "early_return", kernel: "early_return", sizes: square(33), launch: each, holds: transposed},
	{file: "early_return", kernel: "early_return_tile", sizes: square(33), launch: tiles, holds: withoutExited, wrong: true},
	{file: "slips", kernel: "tile_rows_by_blockdim", sizes: square(33, 64), launch: tiles, holds: eightRowTiles, wrong: true},
	{file: "slips", kernel: "j_lost_in_load", sizes: square(33, 64), launch: tiles, holds: jLostInLoad, wrong: true},
	{file: "slips", kernel: "j_lost_in_tile", sizes: square(33, 64), launch: tiles, holds: jLostInTile, wrong: true},
	{file: "slips", kernel: "j_lost_in_store", sizes: square(33, 64), launch: tiles, holds: jLostInStore, wrong: true},
	{file: "slips", kernel: "tile_not_turned", sizes: square(64, 96), launch: tiles, holds: tilesUnturned, wrong: true},
	{file: "slips", kernel: "tile_too_narrow", sizes: square(33, 64), launch: tiles},
	{file: "slips", kernel: "guards_exchanged", sizes: square(33, 1000), launch: tiles},
	{file: "slips", kernel: "pointers_swapped", sizes: square(33, 64), launch: each, holds: untouched, wrong: true},
	{file: "slips", kernel: "griddim_for_blockdim", sizes: square(64), launch: each, holds: only(transposed, first34), wrong: true},
	{file: "slips", kernel: "rotated", sizes: square(33, 64), launch: each, holds: rotated, wrong: true},
	{file: "slips", kernel: "index_for_element", sizes: square(33, 64), launch: each, holds: transposed},
	{file: "slips", kernel: "guard_of_the_sum", sizes: square(33, 64), launch: each, holds: upperLeft, wrong: true},
	{file: "mangled", kernel: "_Z9transposePfPKfi", sizes: square(33), launch: each, holds: transposed},
}

// folders are the places with PTX to hold to the verdicts: what is committed, and
// what another compiler made of the same kernels, in the folder PTX_DIR.
func folders() []string {
	dirs := []string{"testdata"}
	if d := os.Getenv("PTX_DIR"); d != "" {
		dirs = append(dirs, d)
	}
	return dirs
}

func load(t *testing.T, dir, file, kernel string) *ptx.Entry {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(dir, file+".ptx"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := ptx.Parse(string(src))
	if err != nil {
		t.Fatal(err)
	}
	e := m.Entry(kernel)
	if e == nil {
		t.Fatalf("%s.ptx has no entry %s", file, kernel)
	}
	return e
}

func TestFixtures(t *testing.T) {
	for _, dir := range folders() {
		for _, f := range fixtures {
			t.Run(filepath.Base(dir)+"/"+f.kernel, func(t *testing.T) {
				e := load(t, dir, f.file, f.kernel)
				want := wants(t, f.file, f.kernel)
				counted := len(want.counts) == 0
				for _, s := range f.sizes {
					counts, err := f.run(t, e, s)
					if want.fault != 0 {
						checkFault(t, f, want, err)
						continue
					}
					if err != nil {
						t.Fatalf("%d × %d: %v", s.rows, s.cols, err)
					}
					checkNotes(t, f, want, counts.Notes)
					if s.rows%128 == 0 && s.cols%128 == 0 && len(want.counts) > 0 {
						checkCounts(t, want, counts, int64(s.rows*s.cols*f.size()))
						counted = true
					}
				}
				if !counted {
					t.Error("no size of this fixture is whole tiles, so nothing was counted")
				}
			})
		}
	}
}

// size returns the bytes of an element.
func (f fixture) size() int {
	if f.double {
		return 8
	}
	return 4
}

// run launches the kernel on index-filled input and poisoned output and, if
// nothing is accused, compares every element of the output.
func (f fixture) run(t *testing.T, e *ptx.Entry, s shape) (*ptx.Counts, error) {
	t.Helper()
	size := f.size()
	b := newBuffers(t, s.rows*s.cols, size)
	if f.inPlace {
		b.out, b.outBytes = b.in, b.inBytes
	}
	grid, block := f.launch(s)
	args := []uint64{b.out, b.in, uint64(s.cols)}
	if len(e.Params) == 4 {
		args = []uint64{b.out, b.in, uint64(s.rows), uint64(s.cols)}
	}
	// The budget keeps the endless kernel short; the others need less than a thousandth.
	counts, err := e.Launch(b.mem, ptx.Config{Grid: grid, Block: block, Args: args, Budget: 1 << 20})
	if err == nil {
		b.compare(t, size, func(i int) uint64 {
			if from := f.holds(s, i); from != never {
				return number(from, size)
			}
			return math.MaxUint64 >> (64 - 8*size)
		})
	}
	return counts, err
}

// buffers are out, all poison (0xFF), and in, filled with its index.
type buffers struct {
	mem               *ptx.Memory
	out, in           uint64
	outBytes, inBytes []byte
}

func newBuffers(t *testing.T, elements, size int) *buffers {
	t.Helper()
	b := &buffers{mem: ptx.NewMemory()}
	alloc := func() (uint64, []byte) {
		addr, err := b.mem.Alloc(int64(elements * size))
		if err != nil {
			t.Fatal(err)
		}
		bytes, err := b.mem.Bytes(addr, int64(elements*size))
		if err != nil {
			t.Fatal(err)
		}
		return addr, bytes
	}
	b.out, b.outBytes = alloc()
	b.in, b.inBytes = alloc()
	for i := range b.outBytes {
		b.outBytes[i] = 0xFF
	}
	for i := 0; i < elements; i++ {
		put(b.inBytes, i, size, number(i, size))
	}
	return b
}

// number returns the bits of element i of in, a float or a double.
func number(i, size int) uint64 {
	if size == 8 {
		return math.Float64bits(float64(i))
	}
	return uint64(math.Float32bits(float32(i)))
}

func put(b []byte, i, size int, bits uint64) {
	for k := 0; k < size; k++ {
		b[i*size+k] = byte(bits >> (8 * k))
	}
}

func get(b []byte, i, size int) uint64 {
	var bits uint64
	for k := 0; k < size; k++ {
		bits |= uint64(b[i*size+k]) << (8 * k)
	}
	return bits
}

// compare reports the first element of out whose bits are not the wanted ones.
func (b *buffers) compare(t *testing.T, size int, want func(i int) uint64) {
	t.Helper()
	for i := 0; i < len(b.outBytes)/size; i++ {
		if g, w := get(b.outBytes, i, size), want(i); g != w {
			t.Errorf("out[%d] holds %#x, want %#x", i, g, w)
			return
		}
	}
}

// verdict is what the comments of one kernel ask for.
type verdict struct {
	fault  ptx.FaultKind
	lines  []int // accused
	counts []count
	costs  []string // the clauses that counts were read from, each once
	notes  []int    // lines
}

type count struct {
	line        int
	store       bool
	space       ptx.Space
	each, best  int64   // sectors or wavefronts a request
	usedPerCent float64 // of the sectors' bytes
}

var (
	kernelLine = regexp.MustCompile(`__global__ void (?:__launch_bounds__\(\d+\) )?(\w+)\(`)
	wantLine   = regexp.MustCompile(`// want: (.*)$`)
	countText  = regexp.MustCompile(`^(load|store) (\d+) (sector|wavefront)s?(?: \((\d+) at best\)| \(([\d.]+)% used\))?$`)
)

// wants reads the verdict of a kernel from its .cu file.
func wants(t *testing.T, file, kernel string) verdict {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", file+".cu"))
	if err != nil {
		t.Fatal(err)
	}
	var v verdict
	current := ""
	for i, text := range strings.Split(string(src), "\n") {
		if m := kernelLine.FindStringSubmatch(text); m != nil {
			current = m[1]
		}
		m := wantLine.FindStringSubmatch(text)
		if m == nil || current != kernel {
			continue
		}
		for _, clause := range strings.Split(m[1], ", ") {
			if !v.add(clause, i+1) {
				t.Fatalf("%s.cu:%d: can not read %q", file, i+1, clause)
			}
		}
	}
	return v
}

var faultNames = map[string]ptx.FaultKind{
	"OutOfBounds":       ptx.OutOfBounds,
	"Misaligned":        ptx.Misaligned,
	"SharedOutOfBounds": ptx.SharedOutOfBounds,
	"SharedUnwritten":   ptx.SharedUnwritten,
	"SharedRace":        ptx.SharedRace,
	"GlobalRace":        ptx.GlobalRace,
	"DivergentBarrier":  ptx.DivergentBarrier,
	"Endless":           ptx.Endless,
	"TooLong":           ptx.TooLong,
}

// add takes one clause of a want comment and returns whether it made sense of it.
func (v *verdict) add(clause string, line int) bool {
	if clause == "note" {
		v.notes = append(v.notes, line)
		return true
	}
	if kind, ok := faultNames[clause]; ok {
		v.fault = kind
		v.lines = append(v.lines, line)
		return true
	}
	m := countText.FindStringSubmatch(clause)
	if m == nil {
		return false
	}
	c := count{line: line, store: m[1] == "store", usedPerCent: 100}
	c.each, _ = strconv.ParseInt(m[2], 10, 64)
	c.best = c.each
	if m[3] == "wavefront" {
		c.space = ptx.Shared
	}
	if m[4] != "" {
		c.best, _ = strconv.ParseInt(m[4], 10, 64)
	}
	if m[5] != "" {
		c.usedPerCent, _ = strconv.ParseFloat(m[5], 64)
	}
	v.counts = append(v.counts, c)
	if !slices.Contains(v.costs, clause) {
		v.costs = append(v.costs, clause)
	}
	return true
}

// checkFault holds an error to the accused kind, kernel and lines. A race names
// both of its lines.
func checkFault(t *testing.T, f fixture, want verdict, err error) {
	t.Helper()
	var fault *ptx.Fault
	if !errors.As(err, &fault) {
		t.Fatalf("got error %v, want a fault: %v", err, want.fault)
	}
	lines := []int{fault.Line}
	if fault.Kind == ptx.SharedRace || fault.Kind == ptx.GlobalRace {
		lines = append(lines, fault.Other.Line)
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	type accusation struct {
		Kind   ptx.FaultKind
		Kernel string
		File   string
		Lines  []int
	}
	got := accusation{fault.Kind, fault.Kernel, filepath.Base(fault.File), lines}
	if diff := cmp.Diff(accusation{want.fault, f.kernel, f.file + ".cu", want.lines}, got); diff != "" {
		t.Errorf("%v\naccusation (-want +got):\n%s", err, diff)
	}
	for _, part := range []string{f.kernel, fmt.Sprintf("%s.cu:%d", f.file, fault.Line)} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("message does not say %s: %v", part, err)
		}
	}
}

// checkNotes wants a note for each line that asks for one, and no others.
func checkNotes(t *testing.T, f fixture, want verdict, notes []string) {
	t.Helper()
	if len(notes) != len(want.notes) {
		t.Fatalf("got %d notes, want %d: %q", len(notes), len(want.notes), notes)
	}
	for i, line := range want.notes {
		if place := fmt.Sprintf("%s.cu:%d", f.file, line); !strings.Contains(notes[i], place) {
			t.Errorf("note does not name %s: %s", place, notes[i])
		}
	}
}

// checkCounts holds every access to the clause of its line. Together the accesses
// that share space and direction ask for each element once.
func checkCounts(t *testing.T, want verdict, counts *ptx.Counts, matrixBytes int64) {
	t.Helper()
	type direction struct {
		space ptx.Space
		store bool
	}
	asked, seen := map[direction]int64{}, map[count]bool{}
	for _, a := range counts.Accesses {
		at := slices.IndexFunc(want.counts, func(c count) bool {
			return c.line == a.Line && c.space == a.Space && c.store == a.Store
		})
		if at < 0 {
			t.Errorf("line %d: %s access without a verdict: %s", a.Line, a.Space, a.PTXText)
			continue
		}
		c := want.counts[at]
		seen[c] = true
		asked[direction{a.Space, a.Store}] += a.BytesAsked
		if got := perRequest(a); got != c {
			t.Errorf("%s\ngot  %+v\nwant %+v", a.PTXText, got, c)
		}
	}
	for _, c := range want.counts {
		if !seen[c] {
			t.Errorf("line %d: nothing counted for %+v", c.line, c)
		}
	}
	for d, bytes := range asked {
		if bytes != matrixBytes {
			t.Errorf("%s, store %v: %d bytes asked for, want %d", d.space, d.store, bytes, matrixBytes)
		}
	}
}

// perRequest returns an access as a count, with -1 where requests differ.
func perRequest(a ptx.Access) count {
	share := func(total int64) int64 {
		if a.Requests == 0 || total%a.Requests != 0 {
			return -1
		}
		return total / a.Requests
	}
	c := count{line: a.Line, store: a.Store, space: a.Space, usedPerCent: 100}
	if a.Space == ptx.Shared {
		c.each, c.best = share(a.Wavefronts), share(a.BestWavefronts)
		return c
	}
	c.each = share(a.Sectors)
	c.best = c.each
	c.usedPerCent = 100 * float64(a.BytesTouched) / float64(32*a.Sectors)
	return c
}

func TestFixtureValues(t *testing.T) {
	const n = 33
	last := n*n - 1
	tests := []struct {
		file, kernel string
		want         func(i int) (bits uint32, special bool)
	}{
		{"slips", "adds_to_out", func(i int) (uint32, bool) { return 0x7fffffff, true }},
		{"values", "all_nan", func(i int) (uint32, bool) { return 0x7fc00000, true }},
		{"values", "one_nan", func(i int) (uint32, bool) { return 0x7fc00000, i == last }},
		{"values", "one_inf", func(i int) (uint32, bool) { return 0x7f800000, i == last }},
		{"values", "minus_zero", func(i int) (uint32, bool) { return 0x80000000, i == 0 }},
	}
	for _, dir := range folders() {
		for _, tt := range tests {
			t.Run(filepath.Base(dir)+"/"+tt.kernel, func(t *testing.T) {
				e := load(t, dir, tt.file, tt.kernel)
				b := newBuffers(t, n*n, 4)
				grid, block := each(shape{n, n})
				_, err := e.Launch(b.mem, ptx.Config{Grid: grid, Block: block, Args: []uint64{b.out, b.in, n}})
				if err != nil {
					t.Fatal(err)
				}
				b.compare(t, 4, func(i int) uint64 {
					if bits, special := tt.want(i); special {
						return uint64(bits)
					}
					return number(transposed(shape{n, n}, i), 4)
				})
			})
		}
	}
}

// The kernel keeps its count of launches in a global variable of the module.
func TestFixtureWrongLater(t *testing.T) {
	s := shape{64, 64}
	for _, dir := range folders() {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			e := load(t, dir, "wrong_later", "wrong_later")
			b := newBuffers(t, s.rows*s.cols, 4)
			grid, block := tiles(s)
			for launch := 1; launch <= 7; launch++ {
				_, err := e.Launch(b.mem, ptx.Config{Grid: grid, Block: block, Args: []uint64{b.out, b.in, 64}})
				if err != nil {
					t.Fatal(err)
				}
				var wrong float32
				if launch > 5 {
					wrong = 0.5
				}
				b.compare(t, 4, func(i int) uint64 { return uint64(math.Float32bits(float32(transposed(s, i)) + wrong)) })
			}

			e = load(t, dir, "wrong_later", "fault_later")
			want := wants(t, "wrong_later", "fault_later")
			for launch := 1; launch <= 6; launch++ {
				_, err := e.Launch(b.mem, ptx.Config{Grid: grid, Block: block, Args: []uint64{b.out, b.in, 64}})
				if launch > 5 {
					checkFault(t, fixture{file: "wrong_later", kernel: "fault_later"}, want, err)
				} else if err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestFixtureArguments(t *testing.T) {
	for _, dir := range folders() {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			e := load(t, dir, "arguments", "arguments")
			s := shape{33, 33}
			b := newBuffers(t, s.rows*s.cols, 4)
			grid, block := each(s)
			tests := []struct {
				args []uint64
				says []string // nil: right
			}{
				{[]uint64{b.out, b.in, 33}, nil},
				{[]uint64{b.out, b.in}, []string{"arguments", "2", "3"}},
				{[]uint64{b.out, b.in, 33, 33}, []string{"arguments", "4", "3"}},
				{[]uint64{b.out, b.in, 7<<32 | 33}, []string{"arguments", "upper half"}},
			}
			for _, tt := range tests {
				_, err := e.Launch(b.mem, ptx.Config{Grid: grid, Block: block, Args: tt.args})
				if tt.says == nil {
					if err != nil {
						t.Error(err)
					}
					continue
				}
				var fault *ptx.Fault
				if !errors.As(err, &fault) || fault.Kind != ptx.BadArguments {
					t.Errorf("%d arguments: got %v, want a fault: %v", len(tt.args), err, ptx.BadArguments)
					continue
				}
				for _, part := range tt.says {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("message does not say %q: %v", part, err)
					}
				}
			}
		})
	}
}

func TestFixtureSharedTooLarge(t *testing.T) {
	s := shape{64, 64}
	for _, dir := range folders() {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			b := newBuffers(t, s.rows*s.cols, 4)
			grid, block := each(s)
			c := ptx.Config{Grid: grid, Block: block, Args: []uint64{b.out, b.in, 64}}

			_, err := load(t, dir, "shared_too_large", "shared_too_large").Launch(b.mem, c)
			if err == nil || !strings.Contains(err.Error(), "shared") || errors.As(err, new(*ptx.Fault)) {
				t.Errorf("got %v, want a launch refused for its shared memory", err)
			}
			b.compare(t, 4, func(i int) uint64 { return math.MaxUint32 })

			if _, err := load(t, dir, "shared_too_large", "shared_too_large_right").Launch(b.mem, c); err != nil {
				t.Error(err)
			}
			b.compare(t, 4, func(i int) uint64 { return number(transposed(s, i), 4) })
		})
	}
}

func TestFixtureLaunchBounds(t *testing.T) {
	s := shape{33, 33}
	for _, dir := range folders() {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			b := newBuffers(t, s.rows*s.cols, 4)
			grid, block := each(s)
			c := ptx.Config{Grid: grid, Block: block, Args: []uint64{b.out, b.in, 33}}

			_, err := load(t, dir, "launch_bounds", "bounds_too_low").Launch(b.mem, c)
			if err == nil || !strings.Contains(err.Error(), "__launch_bounds__") || errors.As(err, new(*ptx.Fault)) {
				t.Errorf("got %v, want a launch refused for its block", err)
			}
			b.compare(t, 4, func(i int) uint64 { return math.MaxUint32 })

			if _, err := load(t, dir, "launch_bounds", "bounds_right").Launch(b.mem, c); err != nil {
				t.Error(err)
			}
			b.compare(t, 4, func(i int) uint64 { return number(transposed(s, i), 4) })
		})
	}
}

func TestFixtureUnsupported(t *testing.T) {
	s := shape{33, 33}
	for _, dir := range folders() {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			b := newBuffers(t, s.rows*s.cols, 4)
			grid, block := each(s)
			_, err := load(t, dir, "unsupported", "texture_fetch").Launch(b.mem, ptx.Config{Grid: grid, Block: block, Args: []uint64{b.out, b.in, 33}})
			var unsupported *ptx.Unsupported
			if !errors.As(err, &unsupported) || !strings.Contains(err.Error(), "unsupported") || !strings.Contains(err.Error(), "tex.1d") {
				t.Errorf("got %v, want tex.1d to be unsupported", err)
			}
			b.compare(t, 4, func(i int) uint64 { return math.MaxUint32 })
		})
	}
}

func TestFixtureMangled(t *testing.T) {
	src, err := os.ReadFile("testdata/mangled.ptx")
	if err != nil {
		t.Fatal(err)
	}
	m, err := ptx.Parse(string(src))
	if err != nil {
		t.Fatal(err)
	}
	if m.Entry("transpose") != nil || len(m.Entries) != 1 || m.Entries[0].Name != "_Z9transposePfPKfi" {
		t.Errorf("got entries %v, want the mangled name alone", m.Entries)
	}
}

// What the prelude offers gives the same values as nvcc's own, and its __ldg is an
// ld.global.nc.
func TestFixturePrelude(t *testing.T) {
	const n = 64
	mirrored := func(i int) int { return i - i%32 + 31 - i%32 }
	rows := []func(i int) float32{
		0:  func(i int) float32 { return float32(min(i-16, 3)) },
		1:  func(i int) float32 { return float32(max(i-16, 3)) },
		2:  func(i int) float32 { return float32(min(i, 7)) },
		3:  func(i int) float32 { return float32(max(uint32(i-16), 3)) },
		4:  func(i int) float32 { return float32(min(i, 9)) },
		5:  func(i int) float32 { return float32(max(i-16, -2)) },
		6:  func(i int) float32 { return min(float32(i), 4.5) },
		7:  func(i int) float32 { return max(float32(i), 4.5) },
		8:  func(i int) float32 { return min(float32(i), 2.5) },
		9:  func(i int) float32 { return max(float32(i), 2.5) },
		10: func(i int) float32 { return float32(max(i-16, 16-i)) },
		11: func(i int) float32 { return float32(i) },

		12: func(i int) float32 { return float32(i ^ 1) },
		13: func(i int) float32 { return float32(i | 1) },
		14: func(i int) float32 { return float32(i | 3) },
		15: func(i int) float32 { return float32(i ^ 2) },
		16: func(i int) float32 { return float32(i &^ 1) },
		17: func(i int) float32 { return float32(i&^3 + 2) },
		18: func(i int) float32 { return float32(i ^ 3) },
		19: func(i int) float32 { return float32(i | 1) },
		20: func(i int) float32 { return float32(i | 3) },
		21: func(i int) float32 { return float32((i ^ 2) | 1) },
		22: func(i int) float32 { return float32(i) },
		23: func(i int) float32 { return float32(i) },

		24: func(i int) float32 { return -float32(mirrored(i)) },
		25: func(i int) float32 { return float32(mirrored(i) + 6) },
		26: func(i int) float32 { return float32(i%32 + n/32 + 1 + 32) },
		27: func(i int) float32 { return float32(10 * (i%4 + 1)) },
		28: func(i int) float32 { return float32(int8(9*i)) + 1 },

		29: func(i int) float32 { return float32(i - i%32 + 3 - 16) },
		30: func(i int) float32 { return float32(max(i-1, i-i%32)) },
		31: func(i int) float32 {
			if i%32 >= 30 {
				return float32(i)
			}
			return float32(i + 2)
		},
		32: func(i int) float32 { return float32(i ^ 1) },
		33: func(i int) float32 { return float32(i - i%8 + 1) },
	}
	cu, err := os.ReadFile("testdata/prelude.cu")
	if err != nil {
		t.Fatal(err)
	}
	text := append([]string{""}, strings.Split(string(cu), "\n")...) // from line 1
	for _, dir := range folders() {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			e := load(t, dir, "prelude", "prelude")
			b := newBuffers(t, len(rows)*n, 4)
			counts, err := e.Launch(b.mem, ptx.Config{
				Grid: ptx.Dim3{X: n / 32, Y: 1, Z: 1}, Block: ptx.Dim3{X: 32, Y: 1, Z: 1},
				SharedBytes: 32 * 4, Args: []uint64{b.out, b.in, n},
			})
			if err != nil {
				t.Fatal(err)
			}
			for r, row := range rows {
				for i := 0; i < n; i++ {
					if got, want := get(b.outBytes, r*n+i, 4), math.Float32bits(row(i)); got != uint64(want) {
						t.Errorf("row %d, thread %d: got %v, want %v", r, i, math.Float32frombits(uint32(got)), row(i))
						break
					}
				}
			}
			ldg := 0
			for _, a := range counts.Accesses {
				if !a.Store && a.Space == ptx.Global && filepath.Base(a.File) == "prelude.cu" && strings.Contains(text[a.Line], "__ldg(") {
					ldg++
					if !strings.HasPrefix(a.PTXText, "ld.global.nc.") {
						t.Errorf("line %d: %s", a.Line, a.PTXText)
					}
				}
			}
			if want := strings.Count(string(cu), "__ldg("); ldg != want {
				t.Errorf("counted %d loads on lines with __ldg, want %d", ldg, want)
			}
		})
	}
}
