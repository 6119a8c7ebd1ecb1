package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// copied is a made-up machine with the tree's own episodes, where nothing else is.
func copied(t *testing.T) *made {
	t.Helper()
	_ = os.Getenv("TREE_SHA256") // the go command's cache does not see the files read here
	m := newMade(t)
	folders, err := glob(root, "ep[0-9][0-9]-*")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		for _, file := range changedFiles {
			text, err := os.ReadFile(filepath.Join(folder, file))
			if err != nil {
				t.Fatal(err)
			}
			m.write(filepath.Join(filepath.Base(folder), file), string(text))
		}
	}
	return m
}

// The idea of episode 04 is two lines.
func TestSlide(t *testing.T) {
	t.Parallel()
	m := copied(t)
	const want = `ep04-padding/transpose.cu: transpose_padded for transpose_shared
-__global__ void transpose_shared(float* out, const float* in, int n) {
-  __shared__ float tile[32][32];
+__global__ void transpose_padded(float* out, const float* in, int n) {
+  __shared__ float tile[32][33];
   int x = blockIdx.x * 32 + threadIdx.x;  // column of in

ep04-padding/main.go: the launch
-  elements := cu.Dim3{X: (ep.N + 31) / 32, Y: (ep.N + 7) / 8, Z: 1}
-    {Name: "empty", Leaves: common.Untouched, Grid: elements},
-    {Name: "transpose_read_strided", Leaves: common.Transposed,
-        Grid: elements},
+    {Name: "transpose_padded", Leaves: common.Transposed, Grid: tiles},

ep04-padding/main_test.go: for each request
+  {Kernel: "transpose_padded", Load: 4, LoadWavefronts: 1, Store: 4,
+      StoreWavefronts: 1, SharedStore: 1, SharedLoad: 1},

every line: make diff-ep04 ARGS=-all
`
	if diff := cmp.Diff(want, m.makes("diff-ep04", 0)); diff != "" {
		t.Errorf("make diff-ep04 (-want +got):\n%s", diff)
	}
}

// What an episode changes has room on a slide; that of a kernel as long as episode 06's
// on two, and the kernel is the first.
func TestSlideFits(t *testing.T) {
	t.Parallel()
	m := copied(t)
	before := m.read(m.folders()[0] + "/transpose.cu")
	for _, ep := range m.numbers()[1:] {
		now := m.read(m.folder(ep) + "/transpose.cu")
		if now == before { // an episode that was only begun, by copying the last one
			continue
		}
		before = now
		rows, kernel := 32, "transpose.cu: "
		if ep == "ep06" {
			rows = 64
		}
		output := m.makes("diff-"+ep, 0, kernel, "main.go: the launch\n", "main_test.go: for each request\n")
		if first, _, _ := strings.Cut(output, "\n\n"); strings.Count(output, "\n") > rows || strings.Count(first, "\n") > 34 {
			t.Errorf("%s has more than %d lines:\n%s", ep, rows, output)
		}
		for _, line := range strings.Split(output, "\n") {
			if utf8.RuneCountInString(line) > slideWidth {
				t.Errorf("%s: wider than %d columns: %s", ep, slideWidth, line)
			}
		}
	}
}

// A kernel that an episode inherits is not on the slide; one that was changed is named
// there, and shown with -all. So is a headline.
func TestDiffAll(t *testing.T) {
	t.Parallel()
	m := copied(t)
	m.makes("diff-ep03", 0, "new too: copy_tile; every line: make diff-ep03 ARGS=-all\n")
	const name = "ep04-padding/transpose.cu"
	m.write(name, strings.Replace(m.read(name), "tile[32][32]", "tile[32][64]", 1)) // of copy_tile
	const planted = "+  __shared__ float tile[32][64];\n"
	slide := m.makes("diff-ep04", 0, "changed: copy_tile; every line: make diff-ep04 ARGS=-all\n")
	wantNot(t, slide, planted, "Episode 04", "-extern")
	m.makes("diff-ep04 -all", 0, "--- ep03-shared/transpose.cu\n+++ "+name+"\n@@ ", "+// Episode 04", planted, "--- ep03-shared/main_test.go\n")
}

// A line that only moved, or was aligned anew, is no change of a launch.
func TestChanges(t *testing.T) {
	t.Parallel()
	before := "a := 1   // one\nb := 2 // two\nc := 3\n"
	if diff := cmp.Diff([]string{"-c := 3", "+d := 4"}, changes(before, "b := 2 // two\na := 1 // one\n\nd := 4\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Differences are no failure; a file that is not there is one.
func TestDiff(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	for _, folder := range []string{"ep02-coalescing", "ep03-shared"} {
		m.write(folder+"/main.go", "the same\n")
		m.write(folder+"/main_test.go", "test of "+folder+"\n")
		m.write(folder+"/README.md", folder)
	}
	m.write("ep03-shared/transpose.cu", "new kernel\n")
	const all = `--- ep02-coalescing/transpose.cu
+++ ep03-shared/transpose.cu
@@ -1 +1 @@
-kernel
+new kernel
--- ep02-coalescing/main_test.go
+++ ep03-shared/main_test.go
@@ -1 +1 @@
-test of ep02-coalescing
+test of ep03-shared
`
	if diff := cmp.Diff(all, m.makes("diff-ep03 -all", 0)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	m.makes("diff-ep03", 0, "every line: make diff-ep03 ARGS=-all\n") // no kernel to show
	m.delete(m.path("ep03-shared/main.go"))
	m.makes("diff-ep03", 2, "ep03-shared/main.go")
	m.makes("diff-ep01", 2, "ep01 is the first episode: there is none before it\n")
	m.makes("diff-ep02 -n 33", 2, "diff-ep02 takes the flag -all alone\n")
}

// Colours are for a terminal, and for who wants them.
func TestColour(t *testing.T) {
	t.Parallel()
	m := copied(t)
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // of characters, like a terminal
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	inColour := func(settings ...string) bool {
		m.set(settings...)
		return m.inColour()
	}
	m.stdout = device
	if !inColour() || inColour("TERM=dumb") || inColour("TERM=xterm", "NO_COLOR=1") || !inColour("NO_COLOR=") {
		t.Error("colours are not where they are wanted alone")
	}
	m.stdout = &m.said
	if inColour() {
		t.Error("colours in a pipe")
	}
	const plain = "ep04: a for b\n-old\n+new\n same\n\n@@ -1 +1 @@\n--- a\n"
	const want = "\x1b[1mep04: a for b\x1b[m\n\x1b[31m-old\x1b[m\n\x1b[32m+new\x1b[m\n same\n\n\x1b[36m@@ -1 +1 @@\x1b[m\n\x1b[1m--- a\x1b[m\n"
	if diff := cmp.Diff(want, coloured(plain)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
