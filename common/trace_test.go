//go:build !cuda

package common

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/mumax/3/cuda/cu"

	"transpose/common/compile"
	"transpose/common/ptx"
	"transpose/common/record"
	"transpose/common/trace"
)

// traceOf runs a program with -trace and returns its status and what it wrote.
func traceOf(t *testing.T, p *Program, args ...string) (int, *trace.Trace) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace.json")
	status := p.Run(append(args, "-trace", path), &bytes.Buffer{}, &bytes.Buffer{})
	got, err := trace.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return status, got
}

// traceProgram is episode 03 with the committed PTX of it, in a launch as in its main.
func traceProgram(t *testing.T) *Program {
	t.Helper()
	source, committed := readTree(t, "ep03-shared/transpose.cu"), readTree(t, "ep03-shared/transpose.ptx")
	return testProgram("ep03-shared", source, committed, func(ep *Episode) {
		module := cu.ModuleLoadData(ep.PTX)
		out, in, n := uint64(ep.Out), uint64(ep.In), uint64(ep.N)
		args := []unsafe.Pointer{unsafe.Pointer(&out), unsafe.Pointer(&in), unsafe.Pointer(&n)}
		for _, name := range []string{"copy_tile", "transpose_shared"} {
			k := Kernel{Name: name, Grid: cu.Dim3{X: (ep.N + 31) / 32, Y: (ep.N + 31) / 32, Z: 1}, Block: cu.Dim3{X: 32, Y: 8, Z: 1}}
			if name == "copy_tile" {
				k.Leaves = Copied
			}
			ep.Measure(k, func() {
				cu.LaunchKernel(module.GetFunction(name), k.Grid.X, k.Grid.Y, 1, 32, 8, 1, 0, 0, args)
			})
		}
	})
}

// TestTraceAddsUp holds that the requests of a grid whose blocks are all traced are
// those that were counted.
func TestTraceAddsUp(t *testing.T) {
	status, got := traceOf(t, traceProgram(t), "-n", "100")
	if status != 0 || got.Verdict != trace.Exact || got.Message != "" || got.N != 100 {
		t.Fatalf("status %d, verdict %s, n = %d: %s", status, got.Verdict, got.N, got.Message)
	}
	requests := 0
	for _, k := range got.Kernels {
		if want := (ptx.Dim3{X: 4, Y: 4, Z: 1}); k.Grid != want || k.Block != (ptx.Dim3{X: 32, Y: 8, Z: 1}) || len(k.Blocks) != 16 {
			t.Errorf("%s: grid %v, block %v, %d blocks", k.Name, k.Grid, k.Block, len(k.Blocks))
		}
		sums := make([]trace.Access, len(k.Accesses))
		for _, r := range k.Requests {
			requests++
			a := &sums[r.Access]
			a.Requests++
			a.Sectors += int64(r.Sectors)
			a.Lines += int64(r.Lines)
			a.Wavefronts += int64(r.Wavefronts)
			if end := 4 * int64(got.N*got.N); r.Buffer != "in" && r.Buffer != "out" && r.Buffer != "shared" || r.Lane(0) < 0 || r.Lane(0) >= end {
				t.Fatalf("%s: a request to %q at %d", k.Name, r.Buffer, r.Lane(0))
			}
		}
		for i, a := range k.Accesses {
			want := trace.Access{Requests: a.Requests, Sectors: a.Sectors, Lines: a.Lines, Wavefronts: a.Wavefronts}
			if d := cmp.Diff(want, sums[i]); d != "" {
				t.Errorf("%s, line %d: %s", k.Name, a.Line, d)
			}
			if a.File != "transpose.cu" || a.Text == "" {
				t.Errorf("%s: an access at %q line %d: %q", k.Name, a.File, a.Line, a.Text)
			}
		}
	}
	if requests == 0 {
		t.Error("no request was traced")
	}
	if len(got.Sources) != 1 || !strings.Contains(got.Sources[0].Text, "__global__") {
		t.Errorf("the sources are %v", got.Sources)
	}
}

func TestTracedBlocks(t *testing.T) {
	for _, c := range []struct {
		grid  ptx.Dim3
		count int
		last  ptx.Dim3
	}{
		{ptx.Dim3{X: 1, Y: 1, Z: 1}, 1, ptx.Dim3{}},
		{ptx.Dim3{X: 8, Y: 32, Z: 1}, 256, ptx.Dim3{X: 7, Y: 31}},
		{ptx.Dim3{X: 128, Y: 512, Z: 1}, 25, ptx.Dim3{X: 127, Y: 511}},
		{ptx.Dim3{X: 1, Y: 1000, Z: 1}, 5, ptx.Dim3{Y: 999}},
		{ptx.Dim3{X: 2, Y: 300, Z: 1}, 10, ptx.Dim3{X: 1, Y: 299}},
	} {
		got := tracedBlocks(c.grid)
		if len(got) != c.count || got[len(got)-1] != c.last || got[0] != (ptx.Dim3{}) {
			t.Errorf("of grid %v: %d blocks from %v to %v", c.grid, len(got), got[0], got[len(got)-1])
		}
	}
}

// TestTraceOfFault is of a kernel that races, after others that were right.
func TestTraceOfFault(t *testing.T) {
	p := traceProgram(t)
	err := fmt.Errorf("k: right at n = 4096, but at n = 256 %w", &ptx.Fault{Kind: ptx.SharedRace, Kernel: "k", Thread: ptx.Dim3{X: 1},
		Site: ptx.Site{File: "dir/mine.cu", Line: 7}, Store: true, Other: &ptx.Party{Site: ptx.Site{File: "ep03-shared/transpose.cu", Line: 9}}})
	r := &Report{stopped: Kernel{Name: "k"}}
	s := &tracedSources{main: "mine.cu", inherited: "ep03-shared/transpose.cu"}
	got := r.traced(s, noSource, err)
	want := []trace.Kernel{{Name: "k", Leaves: "transposed", Verdict: trace.Fault, Message: err.Error(), Fault: &trace.Accusation{
		Kind:  "race in shared memory",
		Side:  trace.Side{Place: trace.Place{File: "mine.cu", Line: 7}, Thread: ptx.Dim3{X: 1}, Store: true},
		Other: &trace.Side{Place: trace.Place{File: "ep03-shared/transpose.cu", Line: 9}},
	}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if list := s.read(p, options{}, func(string) string { return "text" }); len(list) != 2 || list[1].Name != "ep03-shared/transpose.cu" {
		t.Errorf("the sources are %v", list)
	}
}

// TestTraceOfLaterFault is of a kernel that is right at the size of the run, and stopped at
// another.
func TestTraceOfLaterFault(t *testing.T) {
	r := &Report{Run: record.Run{Rows: []Row{{Kernel: Kernel{Name: "k", Grid: cu.Dim3{X: 128}}}}}, stopped: Kernel{Name: "k", Grid: cu.Dim3{X: 8}}}
	got := r.traced(&tracedSources{}, noSource, &ptx.Fault{Kind: ptx.OutOfBounds, Kernel: "k"})
	if len(got) != 1 || got[0].Verdict != trace.Fault || got[0].Fault == nil {
		t.Errorf("the kernels are %+v", got)
	}
}

// TestTraceNames holds how the files of a judged source are named.
func TestTraceNames(t *testing.T) {
	s := &tracedSources{main: "mine.cu", inherited: "ep03-shared/transpose.cu"}
	for file, want := range map[string]string{
		"mine.cu": "mine.cu", "a/b/mine.cu": "mine.cu", "x/ep03-shared/transpose.cu": "ep03-shared/transpose.cu",
		"transpose.cu": "mine.cu", "./tile.h": "tile.h", "sub\\tile.h": filepath.ToSlash("sub\\tile.h"),
	} {
		if got := s.name(file); got != want {
			t.Errorf("%s is %s, want %s", file, got, want)
		}
	}
}

func TestTraceDiagnostics(t *testing.T) {
	s := &tracedSources{main: "mine.cu", inherited: "ep03-shared/transpose.cu"}
	err := fmt.Errorf("%w", &compile.Error{Name: "x/mine.cu", Compiler: "clang 19", Output: "x/mine.cu:34:29: error: use of undeclared identifier\n   34 | text\nother.h:2:1: fatal error: y\n" +
		"x/mine.cu(3): error: identifier \"z\" is undefined\nx/mine.cu(4): warning #177-D: never used"})
	got := s.diagnostics(err)
	want := []trace.Diagnostic{
		{Place: trace.Place{File: "mine.cu", Line: 34}, Column: 29, Kind: "error", Text: "use of undeclared identifier"},
		{Place: trace.Place{File: "other.h", Line: 2}, Column: 1, Kind: "error", Text: "y"},
		{Place: trace.Place{File: "mine.cu", Line: 3}, Kind: "error", Text: `identifier "z" is undefined`},
		{Place: trace.Place{File: "mine.cu", Line: 4}, Kind: "warning", Text: "never used"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestWhere is the map of wrong elements: one moved, a row never written, and a
// matrix of which a cell is a square.
func TestWhere(t *testing.T) {
	out := func(n int, spoil func(got []float32)) *Mismatch {
		in := FillIndex(n)
		want := Transpose(in, n)
		got := append([]float32(nil), want...)
		spoil(got)
		err := Check(got, want, n, Transposed)
		m, ok := err.(*Mismatch)
		if !ok {
			t.Fatalf("n = %d: %v", n, err)
		}
		return m
	}
	for _, c := range []struct {
		name  string
		n     int
		spoil func(got []float32)
		cell  int
		want  []trace.Run
	}{
		{"one", 3, func(g []float32) { g[4] = -1 }, 1, []trace.Run{{Row: 1, Col: 1, Length: 1}}},
		{"a row, the rest moved", 3, func(g []float32) {
			never := math.Float32frombits(Poison)
			copy(g, []float32{1, 2, never, never, never, never, 7, 8, 6})
		}, 1, []trace.Run{{Row: 0, Col: 0, Length: 2}, {Row: 0, Col: 2, Length: 1, Never: true}, {Row: 1, Col: 0, Length: 3, Never: true}, {Row: 2, Col: 0, Length: 3}}},
		{"squares of 2", 300, func(g []float32) { g[299*300+299] = -1; g[0] = -1; g[3] = -1 }, 2,
			[]trace.Run{{Row: 0, Col: 0, Length: 2}, {Row: 149, Col: 149, Length: 1}}},
	} {
		m := out(c.n, c.spoil)
		if d := cmp.Diff(c.want, m.Where.Runs); d != "" || m.Where.Cell != c.cell || m.Where.Count != m.Wrong || m.Where.N != c.n {
			t.Errorf("%s: cell %d, %d wrong: %s", c.name, m.Where.Cell, m.Where.Count, d)
		}
	}
}

func TestTraceCannotBeWritten(t *testing.T) {
	var stderr bytes.Buffer
	status := traceProgram(t).Run([]string{"-n", "3", "-trace", filepath.Join(t.TempDir(), "none", "x")}, &bytes.Buffer{}, &stderr)
	if status != statusMachine || !strings.Contains(stderr.String(), "give -trace a file in a folder that exists") {
		t.Errorf("status %d: %s", status, &stderr)
	}
	if _, err := trace.Read(os.DevNull); err == nil {
		t.Error("an empty file was read")
	}
}
