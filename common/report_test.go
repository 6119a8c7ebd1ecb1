package common

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mumax/3/cuda/cu"
)

// h200 is a report as a GPU gives it, with few and round times.
func h200() *Report {
	elements, tiles := cu.Dim3{X: 128, Y: 512, Z: 1}, cu.Dim3{X: 128, Y: 128, Z: 1}
	r := &Report{Name: "ep03-shared", N: 4096, PTX: "transpose.ptx by clang 19, sm_50, .version 4.2",
		card: "NVIDIA H200", driver: 13000, toolkit: "13.0", l2: 60 << 20, peak: 4814.3}
	r.Device = r.gpuLine(9, 0)
	for _, row := range []Row{
		{Kernel: Kernel{Name: memcpyName, Leaves: Copied}, Times: Times{0.035, 0.036, 0.034}},
		{Kernel: Kernel{"empty", Untouched, elements}, Times: Times{0.0425, 0.0421, 0.0431}},
		{Kernel: Kernel{"empty", Untouched, tiles}, Times: Times{0.0127, 0.0126, 0.0128}},
		{Kernel: Kernel{"copy_tile", Copied, tiles}, Times: Times{0.040, 0.039, 0.041}},
		{Kernel: Kernel{"transpose_read_strided", Transposed, elements}, Times: Times{0.084, 0.083, 0.085}},
		{Kernel: Kernel{"transpose_shared", Transposed, tiles}, Times: Times{0.080, 0.0795, 0.081}},
	} {
		r.add(row)
	}
	return r
}

func printed(r *Report) string {
	var b strings.Builder
	r.writeHeader(&b, "")
	r.writeRows(&b)
	r.writeNotes(&b)
	return b.String()
}

func TestTimedReport(t *testing.T) {
	want := `ep03-shared   NVIDIA H200, compute 9.0, driver 13.0, L2 60 MiB, peak 4814 GB/s
n = 4096: 134,217,728 bytes moved per launch; median of 20 launches after one warm-up
PTX: transpose.ptx by clang 19, sm_50, .version 4.2

                             check     median        min … max      GB/s  of copy
driver memcpy                exact  0.0350 ms  0.0340 … 0.0360    3834.8     1.14
empty, 128 × 512 blocks  untouched  0.0425 ms  0.0421 … 0.0431
empty, 128 × 128 blocks  untouched  0.0127 ms  0.0126 … 0.0128
copy_tile                    exact  0.0400 ms  0.0390 … 0.0410    3355.4     1.00
transpose_read_strided       exact  0.0840 ms  0.0830 … 0.0850    1597.8
transpose_shared             exact  0.0800 ms  0.0795 … 0.0810    1677.7     0.50   1.05× transpose_read_strided
`
	if diff := cmp.Diff(want, printed(h200())); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

// TestReportSays holds what a report says of measurements that need a word.
func TestReportSays(t *testing.T) {
	last := func(r *Report) *Row { return &r.Rows[len(r.Rows)-1] }
	for _, test := range []struct {
		name   string
		change func(*Report)
		want   string
	}{
		{"ranges that overlap", func(r *Report) { last(r).Times = Times{0.080, 0.0795, 0.0831} },
			"cannot tell from transpose_read_strided: the ranges overlap"},
		{"uneven times", func(r *Report) { last(r).Times = Times{0.080, 0.0795, 0.200} },
			"note: min and max lie over 10% of the median apart for transpose_shared (150.6%): too short to time well, or something else uses the GPU"},
		{"faster than the card", func(r *Report) { last(r).Times = Times{0.020, 0.020, 0.020} },
			"note: transpose_shared: 6710.9 GB/s is over the card's peak of 4814 GB/s: part of the bytes came from a cache"},
		{"a small matrix", func(r *Report) { r.N = 1000 },
			"note: L2 (60 MiB) holds half of the bytes moved or more: these times say little about DRAM"},
		{"a wrong output", func(r *Report) { last(r).Times, last(r).Err = nil, &Mismatch{Wrong: 1, Elements: 2} },
			"transpose_shared             WRONG\n"},
		{"a driver that knows no peak", func(r *Report) { r.peak, r.l2 = 0, 0; r.Device = r.gpuLine(9, 0) },
			"NVIDIA H200, compute 9.0, driver 13.0\n"},
	} {
		before := printed(h200())
		r := h200()
		test.change(r)
		got := printed(r)
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: the report lacks %q:\n%s", test.name, test.want, got)
		}
		if strings.Contains(before, test.want) {
			t.Errorf("%s: %q stands in every report", test.name, test.want)
		}
	}
}

// TestReportIsSilent holds that the notes begin where they should: at a spread of
// over 10 %, and at an L2 that holds half of the bytes moved.
func TestReportIsSilent(t *testing.T) {
	last := func(r *Report) *Row { return &r.Rows[len(r.Rows)-1] }
	for _, test := range []struct {
		name   string
		change func(*Report)
		note   bool
	}{
		{"a spread of 9.9 %", func(r *Report) { last(r).Times = Times{0.1, 0.1, 0.1099} }, false},
		{"a spread of 10.1 %", func(r *Report) { last(r).Times = Times{0.1, 0.1, 0.1101} }, true},
		{"an L2 of one byte less than half", func(r *Report) { r.l2 = BytesMoved(r.N)/2 - 1 }, false},
		{"an L2 of half", func(r *Report) { r.l2 = BytesMoved(r.N) / 2 }, true},
		{"bandwidth just under the peak", func(r *Report) { r.peak = 3834.9 }, false},
		{"bandwidth just over the peak", func(r *Report) { r.peak = 3834.7 }, true},
	} {
		r := h200()
		test.change(r)
		if got := strings.Contains(printed(r), "note:"); got != test.note {
			t.Errorf("%s: note %v, want %v", test.name, got, test.note)
		}
	}
}

// TestGainIsTheLastTransposes holds that only an episode's last row, if it is a
// timed transpose, is set against the transpose before it.
func TestGainIsTheLastTransposes(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Report)
	}{
		{"a copy last", func(r *Report) { r.Rows[5].Kernel.Leaves = Copied }},
		{"the kernel before not timed", func(r *Report) { r.Rows[4].Times = nil }},
		{"no transpose before", func(r *Report) { r.Rows[4].Kernel.Leaves = Copied }},
	} {
		r := h200()
		test.change(r)
		if text := printed(r); strings.Contains(text, "×  transpose") || strings.Contains(text, "× transpose_read_strided") {
			t.Errorf("%s: a gain is printed:\n%s", test.name, text)
		}
	}
}

func TestReportErr(t *testing.T) {
	r := h200()
	if err := r.Err(); err != nil {
		t.Errorf("Err = %v for a report without errors", err)
	}
	r.Rows[3].Err = &Mismatch{Wrong: 1, Elements: 2}
	var m *Mismatch
	if err := r.Err(); !errors.As(err, &m) || !strings.HasPrefix(err.Error(), "copy_tile: wrong: 1 of 2") {
		t.Errorf("Err = %v", err)
	}
}

func TestRecord(t *testing.T) {
	r := h200()
	var b strings.Builder
	for _, row := range r.Rows[:3] {
		r.recordRow(&b, row)
	}
	want := `BenchmarkEp03/driver_memcpy 1 35000 ns/op 3834.8 GB/s
BenchmarkEp03/driver_memcpy 1 36000 ns/op 3728.3 GB/s
BenchmarkEp03/driver_memcpy 1 34000 ns/op 3947.6 GB/s
BenchmarkEp03/empty/grid=128x512 1 42500 ns/op
BenchmarkEp03/empty/grid=128x512 1 42100 ns/op
BenchmarkEp03/empty/grid=128x512 1 43100 ns/op
BenchmarkEp03/empty/grid=128x128 1 12700 ns/op
BenchmarkEp03/empty/grid=128x128 1 12600 ns/op
BenchmarkEp03/empty/grid=128x128 1 12800 ns/op
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
}
