package ptx

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHeader holds that loads of a header's functions are reported at the line of the .cu
// that calls them, through other functions of the header too.
func TestHeader(t *testing.T) {
	files, err := filepath.Glob("testdata/header/*.ptx")
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		mem := NewMemory()
		out, in := alloc(t, mem, 4096), alloc(t, mem, 4096)
		c, err := parseFile(t, file).Entry("header").Launch(mem, Config{Grid: Dim3{1, 1, 1}, Block: Dim3{32, 1, 1}, Args: []uint64{out, in, 128}})
		if err != nil {
			t.Fatal(err)
		}
		type line struct {
			file string
			line int
		}
		got := map[line]int64{}
		for _, a := range c.Accesses {
			if !a.Store {
				got[line{filepath.Base(a.File), a.Line}] += a.Requests
			}
		}
		if d := cmp.Diff(map[line]int64{{"header.cu", 4}: 1, {"header.cu", 5}: 2, {"header.cu", 6}: 4}, got); d != "" {
			t.Errorf("%s: %s", file, d)
		}
	}
}
