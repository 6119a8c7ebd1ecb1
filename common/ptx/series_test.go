package ptx

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// seriesFiles are the kernels of the series by both compilers.
var seriesFiles = []string{"testdata/series/clang19.ptx", "testdata/series/nvcc13.ptx"}

var seriesKernels = []string{"copy", "transpose_naive", "transpose_read_strided", "copy_tile", "transpose_shared", "transpose_padded"}

// series launches a kernel of the series on an n × n matrix that holds its own
// indices and returns the counts and the output.
func series(t testing.TB, m *Module, name string, n, workers int) (*Counts, []byte) {
	t.Helper()
	mem := NewMemory()
	out, in := alloc(t, mem, 4*n*n), alloc(t, mem, 4*n*n)
	for i, b := 0, view(t, mem, in, 4*n*n); i < n*n; i++ {
		setWord(b, i, uint32(i))
	}
	c, err := m.Entry(name).Launch(mem, Config{Grid: seriesGrid(name, n), Block: Dim3{32, 8, 1},
		Args: []uint64{out, in, uint64(n)}, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return c, view(t, mem, out, 4*n*n)
}

func seriesGrid(name string, n int) Dim3 {
	rows := 8
	if name == "copy_tile" || name == "transpose_shared" || name == "transpose_padded" {
		rows = 32
	}
	return Dim3{(n + 31) / 32, (n + rows - 1) / rows, 1}
}

// wrong returns the number of elements that are not as a copy or a transpose
// leaves them.
func wrong(out []byte, n int, transposed bool) int {
	bad := 0
	for y := range n {
		for x := range n {
			want := y*n + x
			if transposed {
				want = x*n + y
			}
			if word(out, y*n+x) != uint32(want) {
				bad++
			}
		}
	}
	return bad
}

// TestSeries holds the counts of whole launches at n = 4096. Those of global
// memory are what an H200 counted; a busy chip's wavefronts are a little more.
func TestSeries(t *testing.T) {
	const one, wide = 524288, 16777216 // a request of contiguous lanes, of lanes a row apart
	row, column := [3]int64{4 * one, one, one}, [3]int64{wide, wide, wide}
	tileRow, tileColumn := [3]int64{0, 0, one}, [3]int64{0, 0, wide}
	for name, want := range map[string][][3]int64{ // sectors, lines and wavefronts by source line and direction
		"copy":                   {row, row},
		"transpose_naive":        {row, column},
		"transpose_read_strided": {column, row},
		"copy_tile":              {row, tileRow, tileRow, row},
		"transpose_shared":       {row, tileRow, tileColumn, row},
		"transpose_padded":       {row, tileRow, tileRow, row},
	} {
		for _, file := range seriesFiles {
			c, out := series(t, parseFile(t, file), name, 4096, 0)
			if bad := wrong(out, 4096, name[0] == 't'); bad > 0 {
				t.Errorf("%s: %s: %d elements wrong", file, name, bad)
			}
			var got [][3]int64
			for _, a := range c.ByLine() {
				if a.Requests != 524288 {
					t.Errorf("%s: %s: %d requests, want 524288", file, name, a.Requests)
				}
				got = append(got, [3]int64{a.Sectors, a.Lines, a.Wavefronts})
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s: %s: %s", file, name, d)
			}
		}
	}
}

// TestSeriesSizes checks the guards, and that neither result nor counts
// depend on the number of workers.
func TestSeriesSizes(t *testing.T) {
	for _, file := range seriesFiles {
		m := parseFile(t, file)
		for _, name := range seriesKernels {
			for _, n := range []int{1, 31, 32, 33, 63, 200} {
				c, out := series(t, m, name, n, 1)
				if bad := wrong(out, n, name[0] == 't'); bad > 0 {
					t.Errorf("%s: %s: n = %d: %d elements wrong", file, name, n, bad)
				}
				for _, workers := range []int{2, 7, maxMarkers + 1} {
					again, out := series(t, m, name, n, workers)
					if bad := wrong(out, n, name[0] == 't'); bad > 0 {
						t.Errorf("%s: %s: n = %d, %d workers: %d elements wrong", file, name, n, workers, bad)
					}
					if d := cmp.Diff(c, again); d != "" {
						t.Errorf("%s: %s: n = %d, %d workers: %s", file, name, n, workers, d)
					}
				}
			}
		}
	}
}

// TestCompilersAgree compares the counts by .cu line.
func TestCompilersAgree(t *testing.T) {
	for _, name := range seriesKernels {
		var got [2][]string
		for i, file := range seriesFiles {
			c, _ := series(t, parseFile(t, file), name, 100, 0)
			for _, a := range c.ByLine() {
				got[i] = append(got[i], fmt.Sprint(a.Line, a.Space, a.Store, a.Bytes, a.Requests, a.Sectors, a.Wavefronts, a.BestWavefronts, a.BytesAsked))
			}
		}
		if d := cmp.Diff(got[0], got[1]); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
