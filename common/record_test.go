package common

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"transpose/common/ptx"
)

// counted is h200 as the emulator sees it: no times and no memcpy.
func counted() *Report {
	r := &Report{Name: "ep03-shared", N: 4096}
	global := func(load, store int64) []ptx.Access {
		return []ptx.Access{{Requests: 8, Sectors: 8 * load}, {Store: true, Requests: 8, Sectors: 8 * store}}
	}
	shared := func(store, load int64) []ptx.Access {
		return []ptx.Access{{Space: ptx.Shared, Store: true, Requests: 8, Wavefronts: 8 * store}, {Space: ptx.Shared, Requests: 8, Wavefronts: 8 * load}}
	}
	for _, row := range h200().Rows[1:] {
		row.Times = nil
		switch row.Kernel.Name {
		case "copy_tile":
			row.Counts = &ptx.Counts{Accesses: append(global(4, 4), shared(1, 1)...)}
		case "transpose_read_strided":
			row.Counts = &ptx.Counts{Accesses: global(32, 4)}
		case "transpose_shared":
			row.Counts = &ptx.Counts{Accesses: append(global(4, 4), shared(1, 32)...)}
		}
		r.add(row)
	}
	return r
}

// files writes the two records of a run, as the two programs do.
func files(t *testing.T, timed, counted *Report) (timedPath, countedPath string) {
	t.Helper()
	dir := t.TempDir()
	timedPath, countedPath = filepath.Join(dir, "ep03.txt"), filepath.Join(dir, "ep03-count.txt")
	nvcc := ptxFile{text: ".version 9.0\n.target sm_75\n// Cuda compilation tools, release 13.0, V13.0.88\n"}
	clang := ptxFile{text: "// Compiler: clang 19\n.version 4.2\n.target sm_50\n"}
	if err := timed.writeRecord(timedPath, nvcc); err != nil {
		t.Fatal(err)
	}
	if err := counted.writeRecord(countedPath, clang); err != nil {
		t.Fatal(err)
	}
	return timedPath, countedPath
}

const bothRecords = `n: 4096
ptx: nvcc 13.0.88, sm_75, .version 9.0
card: NVIDIA H200
driver: 13.0
toolkit: 13.0
l2-bytes: 62914560
peak: 4814.3 GB/s
Unit GB/s better=higher
Unit loads/op assume=exact
Unit sectors/load assume=exact
Unit stores/op assume=exact
Unit sectors/store assume=exact
Unit shared-loads/op assume=exact
Unit wavefronts/load assume=exact
Unit shared-stores/op assume=exact
Unit wavefronts/store assume=exact
BenchmarkEp03/driver_memcpy 1 35000 ns/op 3834.8 GB/s
BenchmarkEp03/driver_memcpy 1 36000 ns/op 3728.3 GB/s
BenchmarkEp03/driver_memcpy 1 34000 ns/op 3947.6 GB/s
BenchmarkEp03/empty/grid=128x512 1 42500 ns/op
BenchmarkEp03/empty/grid=128x512 1 42100 ns/op
BenchmarkEp03/empty/grid=128x512 1 43100 ns/op
BenchmarkEp03/empty/grid=128x128 1 12700 ns/op
BenchmarkEp03/empty/grid=128x128 1 12600 ns/op
BenchmarkEp03/empty/grid=128x128 1 12800 ns/op
BenchmarkEp03/copy_tile/grid=128x128 1 40000 ns/op 3355.4 GB/s 8 loads/op 4 sectors/load 8 stores/op 4 sectors/store 8 shared-loads/op 1 wavefronts/load 8 shared-stores/op 1 wavefronts/store
BenchmarkEp03/copy_tile/grid=128x128 1 39000 ns/op 3441.5 GB/s 8 loads/op 4 sectors/load 8 stores/op 4 sectors/store 8 shared-loads/op 1 wavefronts/load 8 shared-stores/op 1 wavefronts/store
BenchmarkEp03/copy_tile/grid=128x128 1 41000 ns/op 3273.6 GB/s 8 loads/op 4 sectors/load 8 stores/op 4 sectors/store 8 shared-loads/op 1 wavefronts/load 8 shared-stores/op 1 wavefronts/store
BenchmarkEp03/transpose_read_strided/grid=128x512 1 84000 ns/op 1597.8 GB/s 8 loads/op 32 sectors/load 8 stores/op 4 sectors/store
BenchmarkEp03/transpose_read_strided/grid=128x512 1 83000 ns/op 1617.1 GB/s 8 loads/op 32 sectors/load 8 stores/op 4 sectors/store
BenchmarkEp03/transpose_read_strided/grid=128x512 1 85000 ns/op 1579.0 GB/s 8 loads/op 32 sectors/load 8 stores/op 4 sectors/store
BenchmarkEp03/transpose_shared/grid=128x128 1 80000 ns/op 1677.7 GB/s 8 loads/op 4 sectors/load 8 stores/op 4 sectors/store 8 shared-loads/op 32 wavefronts/load 8 shared-stores/op 1 wavefronts/store
BenchmarkEp03/transpose_shared/grid=128x128 1 79500 ns/op 1688.3 GB/s 8 loads/op 4 sectors/load 8 stores/op 4 sectors/store 8 shared-loads/op 32 wavefronts/load 8 shared-stores/op 1 wavefronts/store
BenchmarkEp03/transpose_shared/grid=128x128 1 81000 ns/op 1657.0 GB/s 8 loads/op 4 sectors/load 8 stores/op 4 sectors/store 8 shared-loads/op 32 wavefronts/load 8 shared-stores/op 1 wavefronts/store
`

// TestReadRecords holds that the records of the two programs become one, and
// that the one reads back as it was written.
func TestReadRecords(t *testing.T) {
	timed, count := files(t, h200(), counted())
	rec, err := ReadRecords(count, timed) // in the order of a shell's *
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "all.bench")
	if err := rec.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, afterDate, _ := strings.Cut(string(got), "\n")
	if diff := cmp.Diff(bothRecords, afterDate); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}

	again, err := ReadRecords(path)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	again.write(&b)
	if diff := cmp.Diff(string(got), b.String()); diff != "" {
		t.Errorf("read and written again (-want +got):\n%s", diff)
	}
	want := h200()
	want.PTX, want.Device, want.Name = "", "", "ep03" // not in a record
	if diff := cmp.Diff(printed(want), printed(again.Episodes[0])); diff != "" {
		t.Errorf("report of the record (-want +got):\n%s", diff)
	}
}

func TestReadRecordsRefuses(t *testing.T) {
	other := h200()
	other.card = "NVIDIA A100"
	a, _ := files(t, h200(), counted())
	b, _ := files(t, other, counted())
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "bad.txt")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name, want string
		paths      []string
	}{
		{"two cards", `not the records of one run: card is "NVIDIA H200" in one and "NVIDIA A100" in another`, []string{a, b}},
		{"no file", "no such file", []string{"nothing.txt"}},
		{"no size", "it has no line with n", []string{write("date: today\n")}},
		{"other text", "bad.txt:2: not a line of a record", []string{write("n: 4\nPASS\n")}},
		{"no number", "bad.txt:2: not a line of a record", []string{write("n: 4\nBenchmarkEp01/copy 1 fast ns/op\n")}},
		{"no time", "no time, so no bandwidth", []string{write("n: 4\nBenchmarkEp01/copy 1 0 ns/op\n")}},
		{"no kernel", "names no kernel", []string{write("n: 4\nBenchmarkEp01 1 5 ns/op\n")}},
		{"no grid", "no grid", []string{write("n: 4\nBenchmarkEp01/copy/grid=4 1 5 ns/op\n")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := ReadRecords(c.paths...); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestWriteSeries(t *testing.T) {
	timed, count := files(t, h200(), counted())
	for _, c := range []struct {
		name, want string
		paths      []string
	}{
		{"timed and counted", `the series                         GB/s  of copy  sectors load/store  wavefronts load/store  over the kernel before
ep03  transpose_shared           1677.7     0.50                 4/4                   32/1  1.05× transpose_read_strided
`, []string{timed, count}},
		{"timed", `the series                         GB/s  of copy  sectors load/store  wavefronts load/store  over the kernel before
ep03  transpose_shared           1677.7     0.50                                             1.05× transpose_read_strided
`, []string{timed}},
		{"counted", `the series                      sectors load/store  wavefronts load/store
ep03  transpose_shared                         4/4                   32/1
`, []string{count}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec, err := ReadRecords(c.paths...)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			rec.WriteSeries(&b)
			if diff := cmp.Diff(c.want, b.String()); diff != "" {
				t.Errorf("table (-want +got):\n%s", diff)
			}
		})
	}
}
