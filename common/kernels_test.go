package common

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// episodes lists the folders of the series and, for each, the kernels that its
// transpose.cu has, in order.
var episodes = []struct {
	folder  string
	kernels []string
}{
	{"ep01-correct", []string{"empty", "copy", "transpose_naive"}},
	{"ep02-coalescing", []string{"empty", "copy", "transpose_naive", "transpose_read_strided"}},
	{"ep03-shared", []string{"empty", "copy_tile", "transpose_read_strided", "transpose_shared"}},
	{"ep04-padding", []string{"empty", "copy_tile", "transpose_shared", "transpose_padded"}},
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

// kernelsOf cuts the kernels out of a .cu, each from extern "C" to its closing
// brace, and returns them by name, and the names in order.
func kernelsOf(t *testing.T, folder string) (texts map[string]string, names []string) {
	t.Helper()
	texts = map[string]string{}
	for _, part := range strings.Split(readTree(t, folder+"/transpose.cu"), `extern "C"`)[1:] {
		text, _, closed := strings.Cut(part, "\n}\n")
		_, rest, found := strings.Cut(text, "__global__ void ")
		name, _, called := strings.Cut(rest, "(")
		if !closed || !found || !called {
			t.Fatalf("%s: not a kernel:\n%s", folder, part)
		}
		texts[name] = text
		names = append(names, name)
	}
	return texts, names
}

// TestInheritedKernels holds the rule of the series: a kernel that an episode
// takes over stands there byte for byte as it was.
func TestInheritedKernels(t *testing.T) {
	before := map[string]string{}
	for _, ep := range episodes {
		texts, names := kernelsOf(t, ep.folder)
		if diff := cmp.Diff(ep.kernels, names); diff != "" {
			t.Errorf("%s: kernels (-want +got):\n%s", ep.folder, diff)
		}
		for name, text := range texts {
			if old, ok := before[name]; ok && old != text {
				t.Errorf("%s: %s is not what the last episode left (-last +this):\n%s", ep.folder, name, cmp.Diff(old, text))
			}
			before[name] = text
		}
	}
}

func TestPaddedDiffersInNameAndWidth(t *testing.T) {
	texts, _ := kernelsOf(t, "ep04-padding")
	want := strings.Replace(texts["transpose_shared"], "transpose_shared", "transpose_padded", 1)
	want = strings.Replace(want, "[32][32]", "[32][33]", 1)
	if diff := cmp.Diff(want, texts["transpose_padded"]); diff != "" {
		t.Errorf("transpose_padded (-want +got):\n%s", diff)
	}
}

// TestCommittedPTX holds that every committed transpose.ptx was made from the
// transpose.cu beside it, for every driver, and has its kernels.
func TestCommittedPTX(t *testing.T) {
	for _, ep := range episodes {
		source := readTree(t, ep.folder+"/transpose.cu")
		file := ptxFile{"transpose.ptx", readTree(t, ep.folder+"/transpose.ptx")}
		if !file.madeFrom(source) {
			t.Errorf("%s: transpose.ptx was not made from transpose.cu: run make ptx", ep.folder)
		}
		if file.madeFrom(source + "\n") {
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
