package common

import (
	"errors"
	"math"
	"strings"
	"testing"
	"unsafe"
)

// TestLikely runs kernels with one mistake each and expects it to be named.
func TestLikely(t *testing.T) {
	inside := func(n int, is ...int) bool {
		for _, i := range is {
			if i < 0 || i >= n {
				return false
			}
		}
		return true
	}
	for _, test := range []struct {
		name   string
		n      int
		leaves Leaves
		kernel func(n int) func(x, y int, in, out []float32)
		want   string
	}{
		{"untransposed copy", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[y*n+x] = in[y*n+x] }
		}, "an untransposed copy"},
		{"transposed copy", 100, Copied, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[x*n+y] = in[y*n+x] }
		}, "a transpose, where a copy is wanted"},
		{"tile offsets not swapped", 128, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[(y/32*32+x%32)*n+x/32*32+y%32] = in[y*n+x] }
		}, "tile offsets not swapped: each 32 × 32 tile"},
		{"tile offsets not swapped, ragged", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if r, c := y/32*32+x%32, x/32*32+y%32; inside(n, r, c) {
					out[r*n+c] = in[y*n+x]
				}
			}
		}, "tile offsets not swapped: each 32 × 32 tile"},
		{"16-wide tile offsets not swapped", 64, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[(y/16*16+x%16)*n+x/16*16+y%16] = in[y*n+x] }
		}, "tile offsets not swapped: each 16 × 16 tile"},
		{"tiles not turned", 64, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[(x/32*32+y%32)*n+y/32*32+x%32] = in[y*n+x] }
		}, "tiles moved but not turned"},
		{"one row down", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if inside(n, x+1) {
					out[(x+1)*n+y] = in[y*n+x]
				}
			}
		}, "off by one row: out[y][x] holds what belongs in out[y-1][x]"},
		{"reads one row further", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if inside(n, y+1) {
					out[x*n+y] = in[(y+1)*n+x]
				}
			}
		}, "off by one column of out, one row of in"},
		{"copy one row up", 100, Copied, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if inside(n, y-1) {
					out[(y-1)*n+x] = in[y*n+x]
				}
			}
		}, "off by one row: out[y][x] holds what belongs in out[y+1][x]"},
		{"last rows skipped", 100, Copied, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if y < 96 {
					out[y*n+x] = in[y*n+x]
				}
			}
		}, "rows 96 … 99 never written"},
		{"last rows of in skipped", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if y < 64 {
					out[x*n+y] = in[y*n+x]
				}
			}
		}, "columns 64 … 99 never written"},
		{"last rows and columns skipped", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if x < 96 && y < 88 {
					out[x*n+y] = in[y*n+x]
				}
			}
		}, "all rows from 96 and all columns from 88 never written"},
		{"last rows and columns skipped, and one more element", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if x < 96 && y < 88 && x+y > 0 {
					out[x*n+y] = in[y*n+x]
				}
			}
		}, "what was written is right"},
		{"one row of four", 128, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if y%32 < 8 {
					out[y*n+x] = in[x*n+y]
				}
			}
		}, "rows y % 32 ≥ 8 never written"},
		{"nothing", 40, Transposed, func(int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {}
		}, "nothing was written"},
		{"guards of the wrong side", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if x >= 96 && y < 96 {
					out[x*n+y] = 0.5
				} else {
					out[x*n+y] = in[y*n+x]
				}
			}
		}, "the guards: only the last, partial tiles (row or column 96 and up)"},
		{"no guard on the store", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				out[x*n+y] = in[y*n+x]
				if y == n-1 && x == n-1 { // last of all, the partial tiles write past their rows
					for row := 0; row < n-1; row++ {
						for col := n; col < 128; col++ {
							out[row*n+col] = 0
						}
					}
				}
			}
		}, "the guards: only the last, partial tiles (row or column 96 and up)"},
		{"one element in the last row", 33, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if out[x*n+y] = in[y*n+x]; x == n-1 && y == n-1 {
					out[x*n+y] = 0.5
				}
			}
		}, ""},
		{"one row skipped", 33, Copied, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if y < n-1 {
					out[y*n+x] = in[y*n+x]
				}
			}
		}, "row 32 never written"},
		{"no pattern", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[x*n+y] = in[(y*n+x)*7%(n*n)] }
		}, ""},
		{"all NaN", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[x*n+y] = float32(math.NaN()) }
		}, "NaN everywhere: out holds NaN until it is written"},
		{"one number among NaN", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if out[x*n+y] = float32(math.NaN()); x == 50 && y == 50 {
					out[x*n+y] = in[y*n+x]
				}
			}
		}, ""},
		{"zeros", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[x*n+y] = 0 }
		}, "zeros everywhere"},
		{"rows in reverse", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[(n-1-x)*n+y] = in[y*n+x] }
		}, "a rotation: the rows of out"},
		{"columns in reverse", 100, Copied, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[y*n+n-1-x] = in[y*n+x] }
		}, "a rotation: the columns of out"},
		{"tiles 8 rows apart", 128, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[x*n+y] = in[(y/32*8+y%32)*n+x] }
		}, "the tiles of in lie 8 rows apart"},
		{"tiles 8 rows apart, ragged copy", 100, Copied, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[y*n+x] = in[(y/32*8+y%32)*n+x] }
		}, "the tiles of in lie 8 rows apart"},
		{"no + j in the load", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[x*n+y] = in[(y/32*32+y%8)*n+x] }
		}, "a + j is missing: the first 8 rows of each tile of in"},
		{"no + j in the tile", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[y*n+x] = in[x*n+y/32*32+y%8] }
		}, "a + j is missing: the first 8 rows of each tile of out"},
		{"no + j in the store", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[(y/32*32+y%8)*n+x] = in[x*n+y] }
		}, "a + j is missing where out is written"},
		{"rows of in by another length", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if at := y*128 + x; at < n*n {
					out[x*n+y] = in[at]
				}
			}
		}, "the length of a row of in is taken to be 128, but it is n = 100"},
		{"rows of a copy by a shorter length", 100, Copied, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[y*n+x] = in[y*64+x] }
		}, "the length of a row of in is taken to be 64, but it is n = 100"},
		{"a constant for n", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if x < 64 && y < 64 {
					out[x*64+y] = in[y*64+x]
				}
			}
		}, "n is taken to be 64, but it is 100"},
		{"blocks of 16 × 16", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if x < 80 && y < 64 && y%16 < 8 {
					out[x*n+y] = in[y*n+x]
				}
			}
		}, "the kernel reaches only what one for blocks of 16 × 16 threads reaches here"},
		{"one dimension", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if y*n+x < 128 {
					out[x*n+y] = in[y*n+x]
				}
			}
		}, "the kernel reaches only what one for a grid and blocks of one dimension"},
		{"one row of four of a tile", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if y < 32 {
					out[x*n+y] = in[y*n+x]
				}
			}
		}, "columns 32 … 99 never written: one row of blocks did 8 of them"},
		{"elements of 2 bytes", 64, Transposed, func(n int) func(x, y int, in, out []float32) {
			half := func(m []float32, i int) *uint16 {
				return (*uint16)(unsafe.Add(unsafe.Pointer(&m[0]), 2*i))
			}
			return func(x, y int, in, out []float32) { *half(out, x*n+y) = *half(in, y*n+x) }
		}, "as many bytes were written as n * n elements of 2 bytes have"},
		{"elements of 1 byte", 33, Copied, func(n int) func(x, y int, in, out []float32) {
			bytes := func(m []float32, i int) *uint8 { return (*uint8)(unsafe.Add(unsafe.Pointer(&m[0]), i)) }
			return func(x, y int, in, out []float32) { *bytes(out, y*n+x) = *bytes(in, 4*(y*n+x)+3) }
		}, "as many bytes were written as n * n elements of 1 byte have"},
		{"in declared int", 33, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[x*n+y] = float32(int32(math.Float32bits(in[y*n+x]))) }
		}, "each element is an integer made of the bits"},
		{"out declared int", 33, Copied, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[y*n+x] = math.Float32frombits(uint32(in[y*n+x])) }
		}, "each element has the bits of an integer"},
		{"a tile of half", 100, Copied, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[y*n+x] = half(in[y*n+x]) }
		}, "values come back rounded to half precision"},
		{"a triangle", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if x+y < n {
					out[x*n+y] = in[y*n+x]
				}
			}
		}, "what was written is right, but a part never was"},
		{"a triangle with one wrong element", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) {
				if x+y < n {
					out[x*n+y] = in[y*n+max(x, 1)]
				}
			}
		}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := kernel(test.n, test.kernel(test.n))
			want := FillIndex(test.n)
			if test.leaves == Transposed {
				want = Transpose(want, test.n)
			}
			var m *Mismatch
			if err := Check(got, want, test.n, test.leaves); !errors.As(err, &m) {
				t.Fatalf("Check = %v, want a Mismatch", err)
			}
			if !strings.HasPrefix(m.Likely, test.want) || (m.Likely == "") != (test.want == "") {
				t.Errorf("likely %q, want %q", m.Likely, test.want)
			}
		})
	}
}

// TestGuards runs the tile kernel with wrong guards as a GPU does, where memory
// goes on beyond the matrix: nothing is accused there, and the check alone must
// name the guards.
func TestGuards(t *testing.T) {
	type guard func(load, store [2]int, n int) bool
	inside := func(p [2]int, n int) bool { return p[0] < n && p[1] < n }
	ofLoad := func(load, _ [2]int, n int) bool { return inside(load, n) }
	ofStore := func(_, store [2]int, n int) bool { return inside(store, n) }
	none := func(_, _ [2]int, _ int) bool { return true }
	for _, test := range []struct {
		name        string
		load, store guard
		wrong       bool
	}{
		{"right", ofLoad, ofStore, false},
		{"load without", none, ofStore, false}, // reads what no one stores
		{"store without", ofLoad, none, true},
		{"none", none, none, true},
		{"exchanged", ofStore, ofLoad, true},
		{"store with the load's", ofLoad, ofLoad, true},
		{"load with the store's", ofStore, ofStore, true},
	} {
		for _, n := range []int{33, 1000, 1001} {
			got := tileKernel(n, func(load, store [2]int) (bool, bool) { return test.load(load, store, n), test.store(load, store, n) })
			err := Check(got, Transpose(FillIndex(n), n), n, Transposed)
			var m *Mismatch
			if errors.As(err, &m) != test.wrong {
				t.Errorf("%s, n = %d: Check = %v", test.name, n, err)
			}
			if m != nil && !strings.HasPrefix(m.Likely, "the guards: ") {
				t.Errorf("%s, n = %d: likely %q in\n%v", test.name, n, m.Likely, err)
			}
		}
	}
}

// tileKernel transposes tile by tile between buffers that reach far beyond the
// matrix, zeros in the one and poison in the other. guards says, for the places
// (row, column) that a thread loads from and stores to, which of them it does.
func tileKernel(n int, guards func(load, store [2]int) (loads, stores bool)) []float32 {
	tiles := (n + 31) / 32
	in, out := make([]float32, 32*tiles*(n+32)), make([]float32, 32*tiles*(n+32))
	copy(in, FillIndex(n))
	for i := range out {
		out[i] = math.Float32frombits(Poison)
	}
	for block := 0; block < tiles*tiles; block++ {
		top, left := block/tiles*32, block%tiles*32
		var tile [32][32]float32
		each := func(access func(r, c int, loads, stores bool, load, store [2]int)) {
			for r := 0; r < 32; r++ {
				for c := 0; c < 32; c++ {
					load, store := [2]int{top + r, left + c}, [2]int{left + r, top + c}
					loads, stores := guards(load, store)
					access(r, c, loads, stores, load, store)
				}
			}
		}
		each(func(r, c int, loads, _ bool, load, _ [2]int) {
			if loads {
				tile[r][c] = in[load[0]*n+load[1]]
			}
		})
		each(func(r, c int, _, stores bool, _, store [2]int) {
			if stores {
				out[store[0]*n+store[1]] = tile[c][r]
			}
		})
	}
	return out[:n*n]
}
