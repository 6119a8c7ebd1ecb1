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

// kernelsOf cuts the kernels out of a .cu, each from extern "C" to its closing
// brace, and returns them by name, and the names in order.
func kernelsOf(t *testing.T, folder string) (texts map[string]string, names []string) {
	t.Helper()
	source, err := os.ReadFile("../" + folder + "/transpose.cu")
	if err != nil {
		t.Fatal(err)
	}
	texts = map[string]string{}
	for _, part := range strings.Split(string(source), `extern "C"`)[1:] {
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
		source, err := os.ReadFile("../" + ep.folder + "/transpose.cu")
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile("../" + ep.folder + "/transpose.ptx")
		if err != nil {
			t.Fatal(err)
		}
		file := ptxFile{"transpose.ptx", string(text)}
		if !file.madeFrom(string(source)) {
			t.Errorf("%s: transpose.ptx was not made from transpose.cu: run make ptx", ep.folder)
		}
		if file.madeFrom(string(source) + "\n") {
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
