package common

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"transpose/common/compile"
)

// An episode is a folder of the series.
type episode struct {
	folder, source, committed string   // source and committed as in Program
	kernels                   []string // that its transpose.cu has, in order
}

// episodes lists the folders of the series, in order.
func episodes(t *testing.T) (list []episode) {
	t.Helper()
	folders, err := filepath.Glob("../ep[0-9][0-9]-*")
	if err != nil || len(folders) < 4 {
		t.Fatalf("the episodes: %v, %v", folders, err)
	}
	for _, folder := range folders {
		ep := episode{folder: filepath.Base(folder)}
		ep.source = readTree(t, ep.folder+"/transpose.cu")
		ep.committed = readTree(t, ep.folder+"/transpose.ptx")
		for _, k := range compile.Kernels(ep.source) {
			ep.kernels = append(ep.kernels, k.Name)
		}
		list = append(list, ep)
	}
	return list
}

// readTree reads a file of the repository. go test keeps a result as long as it
// sees no change, and it sees none outside a test's own module; so make test sets
// TREE_SHA256, which changes with every file, and a test that asks for it is run
// again. (It counts only when asked for in a test, not in TestMain.)
func readTree(t *testing.T, path string) string {
	t.Helper()
	_ = os.Getenv("TREE_SHA256")
	text, err := os.ReadFile("../" + path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestInheritedKernels holds the rule of the series: a kernel that an episode takes
// over stands there byte for byte as it was.
func TestInheritedKernels(t *testing.T) {
	before := map[string]string{}
	for _, ep := range episodes(t) {
		if got := strings.Count(ep.source, "__global__"); got != len(ep.kernels) {
			t.Errorf("%s: %d kernels, of which %v are written as the series writes them", ep.folder, got, ep.kernels)
		}
		for _, k := range compile.Kernels(ep.source) {
			if old, ok := before[k.Name]; ok && old != k.Text {
				t.Errorf("%s: %s is not what the last episode left (-last +this):\n%s", ep.folder, k.Name, cmp.Diff(old, k.Text))
			}
			before[k.Name] = k.Text
		}
	}
}

// TestOneIdea holds that two new kernels are the ones before them, but for what
// their episodes are about.
func TestOneIdea(t *testing.T) {
	for _, test := range []struct {
		file, last, new string
		change          *strings.Replacer
	}{
		{"ep04-padding/transpose.cu", "transpose_shared", "transpose_padded", strings.NewReplacer("[32][32]", "[32][33]")},
		{"ep05-order/transpose.cu", "transpose_padded", "transpose_ordered", strings.NewReplacer(
			"blockIdx.x", "blockIdx.y", "blockIdx.y", "blockIdx.x", "(bx, by)", "(by, bx)", "(by, bx)", "(bx, by)")},
	} {
		texts := map[string]string{}
		for _, k := range compile.Kernels(readTree(t, test.file)) {
			texts[k.Name] = k.Text
		}
		want := test.change.Replace(strings.Replace(texts[test.last], test.last, test.new, 1))
		if diff := cmp.Diff(want, texts[test.new]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.new, diff)
		}
	}
}

// TestCommittedPTX holds that every committed transpose.ptx was made from the
// transpose.cu beside it, for every driver, and has its kernels.
func TestCommittedPTX(t *testing.T) {
	for _, ep := range episodes(t) {
		file := ptxFile{path: "transpose.ptx", text: ep.committed}
		if !compile.MadeFrom(file.text, ep.source) {
			t.Errorf("%s: transpose.ptx was not made from transpose.cu: run make ptx", ep.folder)
		}
		if compile.MadeFrom(file.text, ep.source+"\n") {
			t.Errorf("%s: an edited transpose.cu passes for the one the PTX was made from", ep.folder)
		}
		if got, want := file.String(), "transpose.ptx by clang 19, sm_50, .version 4.2"; got != want {
			t.Errorf("%s: %s, want %s", ep.folder, got, want)
		}
		if diff := cmp.Diff(ep.kernels, file.entries()); diff != "" {
			t.Errorf("%s: entries (-want +got):\n%s", ep.folder, diff)
		}
	}
}
