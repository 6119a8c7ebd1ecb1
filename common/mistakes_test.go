package common

import (
	"errors"
	"math"
	"strings"
	"testing"
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
		{"no pattern", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[x*n+y] = in[(y*n+x)*7%(n*n)] }
		}, ""},
		{"all NaN", 100, Transposed, func(n int) func(x, y int, in, out []float32) {
			return func(x, y int, in, out []float32) { out[x*n+y] = float32(math.NaN()) }
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
