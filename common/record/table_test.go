package record

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"transpose/common/internal/columns"
)

func h200(t *testing.T) *Run {
	_, run := read(t, ep03)
	return run
}

func printed(r *Run) string {
	var b strings.Builder
	r.WriteTable(&b)
	return b.String()
}

func TestWriteTable(t *testing.T) {
	want := `
                             check     median        min … max      GB/s  of copy
driver memcpy                exact  0.0350 ms  0.0340 … 0.0360    3834.8     1.14
empty, 128 × 512 blocks  untouched  0.0425 ms  0.0421 … 0.0431
empty, 128 × 128 blocks  untouched  0.0127 ms  0.0126 … 0.0128
copy_tile                    exact  0.0400 ms  0.0390 … 0.0410    3355.4     1.00
transpose_read_strided       exact  0.0840 ms  0.0830 … 0.0850    1597.8
transpose_shared             exact  0.0800 ms  0.0795 … 0.0810    1677.7     0.50
  1.05× transpose_read_strided

note: of the run
`
	var b strings.Builder
	h200(t).WriteTable(&b, "of the run")
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

// TestLaunches holds that two launches of one grid are told apart by their blocks,
// and that a ceiling is one of its own launch alone.
func TestLaunches(t *testing.T) {
	r := h200(t)
	for i := range r.Rows {
		k := &r.Rows[i].Kernel
		if *k == Memcpy {
			continue
		}
		k.Block.X, k.Block.Y, k.Block.Z = 32, 8, 1
		if k.Grid.Y == 512 {
			k.Grid.Y, k.Block.X, k.Block.Y = 128, 16, 32
		}
	}
	got := printed(r)
	for _, want := range []string{
		"\nempty, 128 × 128 of 16 × 32  untouched ",
		"\nempty, 128 × 128 of 32 × 8   untouched ",
		"1597.8\n",                  // no copy has this launch
		"1677.7     0.50\n  1.05× ", // one has this
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the report lacks %q:\n%s", want, got)
		}
	}
}

// TestReportSays holds what a report says of measurements that need a word.
func TestReportSays(t *testing.T) {
	last := func(r *Run) *Row { return &r.Rows[len(r.Rows)-1] }
	for _, test := range []struct {
		name   string
		change func(*Run)
		want   string
	}{
		{"ranges that overlap", func(r *Run) { last(r).Times = Times{0.080, 0.0795, 0.0831} },
			"cannot tell from transpose_read_strided: the ranges overlap"},
		{"uneven times", func(r *Run) { last(r).Times = Times{0.080, 0.0795, 0.200} },
			"note: min and max lie over 10% of the median apart for transpose_shared (150.6%): too short to time well, or something else uses the GPU"},
		{"faster than the card", func(r *Run) { last(r).Times = Times{0.020, 0.020, 0.020} },
			"note: transpose_shared: 6710.9 GB/s is over the card's peak of 4814 GB/s: part of the bytes came from a cache"},
		{"a small matrix", func(r *Run) { r.N = 1000 },
			"note: L2 (60 MiB) holds half of the bytes moved or more: these times say little about DRAM"},
		{"a wrong output", func(r *Run) { last(r).Times, last(r).Err = nil, errors.New("wrong") },
			"transpose_shared             WRONG\n"},
	} {
		before := printed(h200(t))
		r := h200(t)
		test.change(r)
		got := columns.Unfold(2, columns.Unfold(0, printed(r)))
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
	last := func(r *Run) *Row { return &r.Rows[len(r.Rows)-1] }
	for _, test := range []struct {
		name   string
		change func(*Run)
		note   bool
	}{
		{"a spread of 9.9 %", func(r *Run) { last(r).Times = Times{0.1, 0.1, 0.1099} }, false},
		{"a spread of 10.1 %", func(r *Run) { last(r).Times = Times{0.1, 0.1, 0.1101} }, true},
		{"an L2 of one byte less than half", func(r *Run) { r.Card.L2 = BytesMoved(r.N)/2 - 1 }, false},
		{"an L2 of half", func(r *Run) { r.Card.L2 = BytesMoved(r.N) / 2 }, true},
		{"bandwidth just under the peak", func(r *Run) { r.Card.Peak = 3834.9 }, false},
		{"bandwidth just over the peak", func(r *Run) { r.Card.Peak = 3834.7 }, true},
	} {
		r := h200(t)
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
		change func(*Run)
	}{
		{"a copy last", func(r *Run) { r.Rows[5].Kernel.Leaves = Copied }},
		{"the kernel before not timed", func(r *Run) { r.Rows[4].Times = nil }},
		{"no transpose before", func(r *Run) { r.Rows[4].Kernel.Leaves = Copied }},
	} {
		r := h200(t)
		test.change(r)
		if text := printed(r); strings.Contains(text, "×  transpose") || strings.Contains(text, "× transpose_read_strided") {
			t.Errorf("%s: a gain is printed:\n%s", test.name, text)
		}
	}
}
