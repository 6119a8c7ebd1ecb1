package common

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"transpose/common/record"
)

// h200 is a report as a GPU gives it.
func h200(t *testing.T) *Report {
	t.Helper()
	rec, err := record.Read("record/testdata/ep03.bench")
	if err != nil {
		t.Fatal(err)
	}
	r := &Report{Run: *rec.Runs[0], PTX: "transpose.ptx by clang 19, sm_50, .version 4.2"}
	r.Device = r.gpuLine(9, 0)
	return r
}

func printed(r *Report) string {
	var b strings.Builder
	r.writeHeader(&b, "")
	r.WriteTable(&b, r.Notes...)
	return b.String()
}

func TestTimedReport(t *testing.T) {
	want := `ep03   NVIDIA H200, compute 9.0, driver 13.0, L2 60 MiB,
    peak 4814 GB/s
n = 4096: 134,217,728 bytes moved per launch
median of 20 launches after one warm-up
PTX: transpose.ptx by clang 19, sm_50, .version 4.2

                             check     median        min … max      GB/s  of copy
driver memcpy                exact  0.0350 ms  0.0340 … 0.0360    3834.8     1.14
empty, 128 × 512 blocks  untouched  0.0425 ms  0.0421 … 0.0431
empty, 128 × 128 blocks  untouched  0.0127 ms  0.0126 … 0.0128
copy_tile                    exact  0.0400 ms  0.0390 … 0.0410    3355.4     1.00
transpose_read_strided       exact  0.0840 ms  0.0830 … 0.0850    1597.8
transpose_shared             exact  0.0800 ms  0.0795 … 0.0810    1677.7     0.50
  1.05× transpose_read_strided
`
	if diff := cmp.Diff(want, printed(h200(t))); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestUnknownCard(t *testing.T) {
	r := h200(t)
	r.Card.Peak, r.Card.L2 = 0, 0
	if got, want := r.gpuLine(9, 0), "NVIDIA H200, compute 9.0, driver 13.0"; got != want {
		t.Errorf("a driver that knows neither L2 nor peak: %q, want %q", got, want)
	}
}

func TestReportErr(t *testing.T) {
	r := h200(t)
	if err := r.Err(); err != nil {
		t.Errorf("Err = %v for a report without errors", err)
	}
	r.Rows[3].Err = &Mismatch{Wrong: 1, Elements: 2}
	var m *Mismatch
	if err := r.Err(); !errors.As(err, &m) || !strings.HasPrefix(err.Error(), "copy_tile: wrong: 1 of 2") {
		t.Errorf("Err = %v", err)
	}
}
