package record

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"transpose/common/ptx"
)

const ep03 = "testdata/ep03.bench" // of an H200, with few and round times

// read returns the record at path and its only run.
func read(t *testing.T, path string) (*Record, *Run) {
	t.Helper()
	rec, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return rec, rec.Runs[0]
}

// write writes a file and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTwoPrograms holds that the record of a program that times and that of one
// that counts the same episode become one, whatever their order.
func TestTwoPrograms(t *testing.T) {
	_, timed := read(t, ep03)
	_, counted := read(t, ep03)
	counted.Card = Card{}
	for i := range timed.Rows {
		timed.Rows[i].Counts, counted.Rows[i].Times = nil, nil
	}
	dir := t.TempDir()
	timedPath, countedPath := filepath.Join(dir, "ep03.txt"), filepath.Join(dir, "ep03-count.txt")
	if err := New(timed, "nvcc 13.0.88, sm_75, .version 9.0").WriteFile(timedPath); err != nil {
		t.Fatal(err)
	}
	if err := New(counted, "clang 19, sm_50, .version 4.2").WriteFile(countedPath); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(ep03)
	if err != nil {
		t.Fatal(err)
	}
	for _, paths := range [][]string{{timedPath, countedPath}, {countedPath, timedPath}} {
		rec, err := Read(paths...)
		if err != nil {
			t.Fatal(err)
		}
		all := filepath.Join(dir, "all.bench")
		if err := rec.WriteFile(all); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(all)
		if err != nil {
			t.Fatal(err)
		}
		got = regexp.MustCompile(`^date: .*`).ReplaceAll(got, []byte("date: 2000-01-01"))
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("record (-want +got):\n%s", diff)
		}
	}
}

// TestWide holds what is recorded of float4 accesses, whose best is not that of
// single floats, and of a kernel whose name says nothing of what it leaves.
func TestWide(t *testing.T) {
	k := Kernel{Name: "mine", Leaves: Copied}
	k.Grid.X, k.Grid.Y, k.Grid.Z = 64, 128, 1
	k.Block.X, k.Block.Y, k.Block.Z = 16, 32, 1
	counts := &ptx.Counts{Accesses: []ptx.Access{
		{Requests: 2, Sectors: 32, BestSectors: 32, Lines: 8, Wavefronts: 8, BestWavefronts: 8},
		{Requests: 1, Sectors: 17, BestSectors: 16, Lines: 5, Wavefronts: 4, BestWavefronts: 4},
		{Store: true, Requests: 4, Sectors: 128, BestSectors: 16, Lines: 128, Wavefronts: 128, BestWavefronts: 4},
		{Space: ptx.Shared, Requests: 4, Wavefronts: 16, BestWavefronts: 8},
	}}
	path := filepath.Join(t.TempDir(), "wide.txt")
	if err := New(&Run{Name: "ep06-wide", N: 4096, Rows: []Row{{Kernel: k, Counts: counts}}}, "clang").WriteFile(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	want := "BenchmarkEp06/n=4096/kernel=mine/grid=64x128/block=16x32/leaves=copied 1" +
		" 3 loads/op 16.333333333333332 sectors/load 16 best-sectors/load 4.333333333333333 lines/load 4 wavefronts/load 4 best-wavefronts/load" +
		" 4 stores/op 32 sectors/store 4 best-sectors/store 32 lines/store 32 wavefronts/store 1 best-wavefronts/store" +
		" 4 shared-loads/op 4 wavefronts/shared-load 2 best-wavefronts/shared-load" +
		" 177 sectors/op 64 best-sectors/op 141 lines/op 156 wavefronts/op 24 best-wavefronts/op"
	if got := lines[len(lines)-1]; got != want {
		t.Errorf("line\n%s\nwant\n%s", got, want)
	}
	_, run := read(t, path)
	if diff := cmp.Diff(k, run.Rows[0].Kernel); diff != "" {
		t.Errorf("kernel read back (-want +got):\n%s", diff)
	}
	for _, kind := range kinds {
		if diff := cmp.Diff(kind.Sum(counts), kind.Sum(run.Rows[0].Counts)); diff != "" {
			t.Errorf("%s read back (-want +got):\n%s", kind.requests, diff)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	text, err := os.ReadFile(ep03)
	if err != nil {
		t.Fatal(err)
	}
	other := write(t, "a100.bench", strings.Replace(string(text), "H200", "A100", 1))
	for _, c := range []struct {
		name, want string
		paths      []string
	}{
		{"two cards", `not the records of one run: card is "NVIDIA H200" in one and "NVIDIA A100" in another`, []string{ep03, other}},
		{"no file", "no such file", []string{"nothing.txt"}},
		{"no row", "it has no line of a kernel", []string{write(t, "bad.txt", "date: today\n")}},
		{"no size", "bad.txt:1: not a line of a record: BenchmarkEp01/kernel=copy/grid=1x1/leaves=copied has no n=", []string{write(t, "bad.txt", "BenchmarkEp01/kernel=copy/grid=1x1/leaves=copied 1 5 ns/op\n")}},
		{"a size of nothing", "has no size in n=", []string{write(t, "bad.txt", "BenchmarkEp01/n=0/kernel=copy/grid=1x1/leaves=copied 1 5 ns/op\n")}},
		{"a file of nothing", "no matrix has 0 rows", []string{write(t, "bad.txt", "n: 0\n")}},
		{"other text", "bad.txt:2: not a line of a record", []string{write(t, "bad.txt", "n: 4\nPASS\n")}},
		{"no number", "bad.txt:2: not a line of a record", []string{write(t, "bad.txt", "n: 4\nBenchmarkEp01/kernel=copy/grid=1x1/leaves=copied 1 fast ns/op\n")}},
		{"no time", "no time, so no bandwidth", []string{write(t, "bad.txt", "n: 4\nBenchmarkEp01/kernel=copy/grid=1x1/leaves=copied 1 0 ns/op\n")}},
		{"no kernel", "names no kernel=", []string{write(t, "bad.txt", "n: 4\nBenchmarkEp01 1 5 ns/op\n")}},
		{"no grid", "has no grid=", []string{write(t, "bad.txt", "n: 4\nBenchmarkEp01/kernel=copy/grid=4/leaves=copied 1 5 ns/op\n")}},
		{"no block", "has no size in block=", []string{write(t, "bad.txt", "n: 4\nBenchmarkEp01/kernel=copy/grid=4x4/block=16/leaves=copied 1 5 ns/op\n")}},
		{"nothing left", "does not say leaves=transposed, copied, untouched", []string{write(t, "bad.txt", "n: 4\nBenchmarkEp01/kernel=copy/grid=1x1 1 5 ns/op\n")}},
		{"counts of an older program", "it has loads/op and no lines/load: record the card anew", []string{write(t, "bad.txt", "n: 4\nBenchmarkEp01/kernel=copy/grid=1x1/leaves=copied 1 5 ns/op 8 loads/op 4 sectors/load 4 best-sectors/load\n")}},
		{"something else left", "does not say leaves=", []string{write(t, "bad.txt", "n: 4\nBenchmarkEp01/kernel=copy/grid=1x1/leaves=rotated 1 5 ns/op\n")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Read(c.paths...); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// TestValue holds what the documents quote.
func TestValue(t *testing.T) {
	rec, _ := read(t, ep03)
	for _, c := range []struct {
		kernel, unit string
		want         float64
		decimals     int
	}{
		{"memcpy", "ms", 0.035, 4},
		{"empty/128x128", "us", 12.7, 1},
		{"empty/128x512", "us", 42.5, 1},
		{"transpose_shared", "of-copy", 0.5, 2},
		{"transpose_shared", "wavefronts/shared-load", 32, 0},
		{"transpose_read_strided", "sectors/load", 32, 0},
		{"transpose_read_strided", "wavefronts/load", 32, 0},
		{"transpose_shared", "wavefronts/op", 18350080, 0},
		{"transpose_read_strided", "lines/store", 1, 0},
	} {
		v, decimals, err := rec.Value("ep03", c.kernel, c.unit)
		if err != nil || v != c.want || decimals != c.decimals {
			t.Errorf("%s %s = %v with %d decimals, %v; want %v with %d", c.kernel, c.unit, v, decimals, err, c.want, c.decimals)
		}
	}
	for _, c := range [][2]string{{"none", "ms"}, {"empty", "sectors/load"}, {"copy_tile", "miles"}, {"transpose_read_strided", "of-copy"}} {
		if v, _, err := rec.Value("ep03", c[0], c[1]); err == nil {
			t.Errorf("%s %s = %v, want an error", c[0], c[1], v)
		}
	}
}

// TestSizes holds that a record tells the sizes apart, whether the rows or, as in
// older ones, the whole file has n.
func TestSizes(t *testing.T) {
	text, err := os.ReadFile(ep03)
	if err != nil {
		t.Fatal(err)
	}
	larger := strings.ReplaceAll(string(text), "/n=4096", "/n=8192")
	older := "n: 1024\n" + strings.ReplaceAll(string(text), "/n=4096", "")
	rec, err := Read(ep03, write(t, "larger.bench", larger), write(t, "older.bench", older))
	if err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(t.TempDir(), "again.bench")
	if err := rec.WriteFile(again); err != nil {
		t.Fatal(err)
	}
	if rec, err = Read(again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{4096, 8192, 1024}, rec.Sizes()); diff != "" {
		t.Errorf("sizes (-want +got):\n%s", diff)
	}
	for episode, want := range map[string]float64{"ep03": 1677.7, "ep03/4096": 1677.7, "ep03/8192": 6710.9, "ep03/1024": 104.9} {
		if v, _, err := rec.Value(episode, "transpose_shared", "GB/s"); err != nil || math.Abs(v-want) > 0.05 {
			t.Errorf("%s runs at %.1f GB/s, %v; want %.1f", episode, v, err, want)
		}
	}
	for _, episode := range []string{"ep03/16384", "ep02", "ep03/"} {
		if _, _, err := rec.Value(episode, "transpose_shared", "GB/s"); err == nil {
			t.Errorf("%s has a value", episode)
		}
	}
	if part := rec.At(8192); len(part.Runs) != 1 || part.Runs[0].N != 8192 || part.Setting("card") != "NVIDIA H200" {
		t.Errorf("the part of n = 8192 is %+v", part)
	}
	var b strings.Builder
	rec.WriteSeries(&b)
	for _, want := range []string{"n = 4096\nthe series, ", "\n\nn = 8192\nthe series, ", "\n\nn = 1024\nthe series, "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the tables lack %q:\n%s", want, b.String())
		}
	}
}
