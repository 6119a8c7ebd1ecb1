package main

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const root = "../../.."

// TestCommitted holds that the pictures in the tree are those that the kernels make.
// A later episode may show a picture of a kernel that it inherits.
func TestCommitted(t *testing.T) {
	// The go command does not look at files of other modules before it takes a
	// result from its cache, so make test names their sum.
	_ = os.Getenv("TREE_SHA256")
	files, err := pictures(root)
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]string{} // by the file's name
	for path, svg := range files {
		made[filepath.Base(path)] = svg
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%v: run make pictures", err)
		}
	}
	paths, err := filepath.Glob(filepath.Join(root, "ep*", "pictures", "*"))
	if err != nil || len(paths) < 6 {
		t.Fatalf("%d pictures, want one for each kernel that accesses memory: %v", len(paths), err)
	}
	for _, path := range paths {
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		switch svg, ok := made[filepath.Base(path)]; {
		case !ok:
			t.Errorf("%s: no kernel makes it", path)
		case string(got) != svg:
			t.Errorf("%s is not what its kernel makes: run make pictures", path)
		}
	}
}

// TestCosts holds that each picture says, to those who cannot see it, what the
// series says of its kernel, and that it is well-formed XML.
func TestCosts(t *testing.T) {
	files, err := pictures(root)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"ep01-correct/pictures/copy.svg":                      "load: 4 sectors, 100% used; store: 4 sectors, 100% used.",
		"ep01-correct/pictures/transpose_naive.svg":           "load: 4 sectors, 100% used; store: 32 sectors, 12.5% used.",
		"ep02-coalescing/pictures/transpose_read_strided.svg": "load: 32 sectors, 12.5% used; store: 4 sectors, 100% used.",
		"ep03-shared/pictures/copy_tile.svg":                  "load: 4 sectors, 100% used; shared store: 1 wavefront; shared load: 1 wavefront; store: 4 sectors, 100% used.",
		"ep03-shared/pictures/transpose_shared.svg":           "load: 4 sectors, 100% used; shared store: 1 wavefront; shared load: 32 wavefronts; store: 4 sectors, 100% used.",
		"ep04-padding/pictures/transpose_padded.svg":          "load: 4 sectors, 100% used; shared store: 1 wavefront; shared load: 1 wavefront; store: 4 sectors, 100% used.",
		"ep05-order/pictures/transpose_ordered.svg":           "load: 4 sectors, 100% used; shared store: 1 wavefront; shared load: 1 wavefront; store: 4 sectors, 100% used.",
		"ep06-wide/pictures/copy_wide.svg":                    "load: 16 sectors, 100% used; shared store: 2 wavefronts; shared load: 2 wavefronts; store: 16 sectors, 100% used.",
		"ep06-wide/pictures/transpose_wide.svg":               "load: 16 sectors, 100% used; shared store: 2 wavefronts; shared load: 2 wavefronts; store: 16 sectors, 100% used.",
	} {
		var svg struct {
			Desc string `xml:"desc"`
		}
		if err := xml.Unmarshal([]byte(files[filepath.Join(root, filepath.FromSlash(path))]), &svg); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if diff := cmp.Diff(want, svg.Desc); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

func TestWavefronts(t *testing.T) {
	lanes := func(addr func(lane int) int) (a [32]uint64) {
		for i := range a {
			a[i] = uint64(addr(i))
		}
		return a
	}
	for _, c := range []struct {
		name      string
		addr      [32]uint64
		waves     int
		bank      int // a cell of the last wavefront
		wantsLane int
	}{
		{"a row", lanes(func(i int) int { return 4 * i }), 1, 7, 7},
		{"a column", lanes(func(i int) int { return 128 * i }), 32, 0, 31},
		{"a padded column", lanes(func(i int) int { return 132*i + 12 }), 1, 3, 0},
		{"every other word", lanes(func(i int) int { return 8 * i }), 2, 2, 17},
		{"one word for all", lanes(func(int) int { return 20 }), 1, 5, 0},
		{"one word for all, the other banks", lanes(func(int) int { return 20 }), 1, 6, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := wavefronts(c.addr)
			if len(got) != c.waves {
				t.Fatalf("%d wavefronts, want %d", len(got), c.waves)
			}
			if lane := got[len(got)-1][c.bank]; lane != c.wantsLane {
				t.Errorf("bank %d serves lane %d in the last wavefront, want %d", c.bank, lane, c.wantsLane)
			}
		})
	}
}

func TestApart(t *testing.T) {
	for _, c := range []struct {
		sectors []uint64
		want    string
	}{
		{[]uint64{7}, "one alone"},
		{[]uint64{7, 8, 9}, "side by side"},
		{[]uint64{0, 512, 1024}, "16 KiB apart"},
		{[]uint64{0, 2, 7}, "scattered"},
	} {
		if got := apart(c.sectors); got != c.want {
			t.Errorf("apart(%v) = %q, want %q", c.sectors, got, c.want)
		}
	}
}
