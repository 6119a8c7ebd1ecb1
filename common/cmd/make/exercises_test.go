package main

import (
	"strings"
	"testing"

	"transpose/common/record"
)

func TestExercises(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.makes("exercises", 2, "nothing to time: ")
	m = newMade(t)
	m.gpu()
	m.write("common/cmd/docs/testdata/ep01-one/main.go", "package main")
	m.write("common/cmd/docs/testdata/ep02-two/transpose.cu", kernel)
	m.makes("exercises", 1, "no edit was exact: nothing is written\n")
}

// TestTimesOf holds what a line says, and which kernels have one.
func TestTimesOf(t *testing.T) {
	run := &record.Run{N: 4096, Rows: []record.Row{
		{Kernel: record.Memcpy, Times: record.Times{1}},
		{Kernel: record.Kernel{Name: "empty", Leaves: record.Untouched}, Times: record.Times{1}},
		{Kernel: record.Kernel{Name: "k"}, Times: record.Times{0.1, 0.3}},
		{Kernel: record.Kernel{Name: "untimed"}},
	}}
	if got, want := timesOf("ep01-x/4096", run), "ep01-x/4096                   k                       0.2000 ms  0.1000 … 0.3000     671 GB/s\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	said := "ep03-shared  NVIDIA\n\nep03-shared: k: wrong: 3 elements\n  out"
	if got := lastFailure(said); got != "k: wrong: 3 elements" {
		t.Errorf("%q", got)
	}
	said = "ep03-shared: k: wrong:\n    12,582,912 of 16,777,216\n    elements\n  out[1][0]"
	if got := lastFailure(said); got != "k: wrong: 12,582,912 of 16,777,216 elements" {
		t.Errorf("%q", got)
	}
	if got := lastFailure(strings.Repeat("x\n", 3)); got != "ended without a word" {
		t.Errorf("%q", got)
	}
}
