//go:build !cuda

package commontest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/mumax/3/cuda/cu"

	"transpose/common"
)

// run launches the transpose of ep01, and expects it to leave what leaves says.
func run(leaves common.Leaves) func(*common.Episode) {
	return func(ep *common.Episode) {
		module := cu.ModuleLoadData(ep.PTX)
		grid := cu.Dim3{X: (ep.N + 31) / 32, Y: (ep.N + 7) / 8, Z: 1}
		k := common.Kernel{Name: "transpose_naive", Leaves: leaves, Grid: grid}
		function := module.GetFunction(k.Name)
		out, in, n := uint64(ep.Out), uint64(ep.In), uint64(ep.N)
		args := []unsafe.Pointer{unsafe.Pointer(&out), unsafe.Pointer(&in), unsafe.Pointer(&n)}
		ep.Measure(k, func() { cu.LaunchKernel(function, k.Grid.X, k.Grid.Y, 1, 32, 8, 1, 0, 0, args) })
	}
}

// TestCheckCanFail holds that an episode's test fails for a wrong output at any
// size, and for wrong counts at n = 4096.
func TestCheckCanFail(t *testing.T) {
	_ = os.Getenv("TREE_SHA256") // the file below is in another module
	text, err := os.ReadFile("../../ep01-correct/transpose.ptx")
	if err != nil {
		t.Fatal(err)
	}
	right := []common.PerRequest{{Kernel: "transpose_naive", Load: 4, LoadWavefronts: 1, Store: 32, StoreWavefronts: 32}}
	wrong := []common.PerRequest{{Kernel: "transpose_naive", Load: 4, LoadWavefronts: 1, Store: 31, StoreWavefronts: 32}}
	for _, test := range []struct {
		name   string
		n      int
		leaves common.Leaves
		counts []common.PerRequest
		want   string
	}{
		{"right", common.SeriesN, common.Transposed, right, ""},
		{"right, small", 33, common.Transposed, wrong, ""},
		{"wrong counts", common.SeriesN, common.Transposed, wrong, "per request"},
		{"a kernel more than expected", common.SeriesN, common.Transposed, nil, "per request"},
		{"wrong output", 33, common.Copied, right, "a transpose, where a copy is wanted"},
	} {
		err := check("ep01-test", test.n, string(text), run(test.leaves), test.counts)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

func TestSizes(t *testing.T) {
	if diff := cmp.Diff([]int{1, 31, 32, 33, 63, 100, 1000, 1001, 4096}, Sizes); diff != "" {
		t.Errorf("sizes (-want +got):\n%s", diff)
	}
}

func TestOtherPTX(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ep02.ptx"), []byte("other"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("EPISODE_PTX", dir)
	if text, err := otherPTX("ep02-coalescing"); text != "other" || err != nil {
		t.Errorf("ep02: %q, %v", text, err)
	}
	if _, err := otherPTX("ep03-shared"); err == nil {
		t.Error("no error for a file that is not there")
	}
	t.Setenv("EPISODE_PTX", "")
	if text, err := otherPTX("ep02-coalescing"); text != "" || err != nil {
		t.Errorf("without a folder: %q, %v", text, err)
	}
}
