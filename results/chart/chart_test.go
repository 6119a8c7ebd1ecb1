package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const example = "testdata/example.bench" // invented numbers

// TestCommitted holds that the chart beside each record is that record's.
func TestCommitted(t *testing.T) {
	records, err := filepath.Glob("../*.bench")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range records {
		want, err := chart(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(svgPath(path))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is not the chart of %s: run make chart", svgPath(path), path)
		}
	}
}

func TestChart(t *testing.T) {
	svg, err := chart(example)
	if err != nil {
		t.Fatal(err)
	}
	again, err := chart(example)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(svg, again) {
		t.Error("the same record gave two different charts")
	}
	for text, want := range map[string]int{
		"Example Card (invented numbers), 2000-01-01": 1, "Effective bandwidth in GB/s": 1,
		"Episode 01": 1, "Episode 02": 1, "Episode 03": 1, "Episode 04": 1,
		"copy": 2, "transpose_naive": 2, "transpose_read_strided": 2,
		"copy_tile": 2, "transpose_shared": 2, "transpose_padded": 1, "empty": 0,
		"peak 4500": 1, "driver memcpy 3733": 1,
		"3367": 1, // the median of transpose_padded
	} {
		if got := strings.Count(string(svg), ">"+text+"</text>"); got != want {
			t.Errorf("%q stands %d times in the chart, want %d", text, got, want)
		}
	}
}

// TestWidths holds that each text has the width of the font that it was placed with, so
// that it keeps off the bars where a reader has another.
func TestWidths(t *testing.T) {
	svg, err := chart(example)
	if err != nil {
		t.Fatal(err)
	}
	if texts, widths := strings.Count(string(svg), "<text "), strings.Count(string(svg), " textLength="); texts == 0 || texts != widths {
		t.Errorf("%d texts, %d with a width", texts, widths)
	}
}

// TestNothingTimed holds that a record of counts alone gives no chart.
func TestNothingTimed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "counted.bench")
	const counted = "n: 4096\nBenchmarkEp01/kernel=copy/grid=128x512/leaves=copied 1 8 loads/op 4 sectors/load 4 best-sectors/load 1 lines/load 1 wavefronts/load 1 best-wavefronts/load\n"
	if err := os.WriteFile(path, []byte(counted), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := chart(path); err == nil || !strings.Contains(err.Error(), "no GPU was timed") {
		t.Errorf("error %v", err)
	}
}

// TestSizes holds that of a record with several sizes the first is drawn.
func TestSizes(t *testing.T) {
	text, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	var larger strings.Builder
	for _, line := range strings.SplitAfter(string(text), "\n") {
		if episode, rest, ok := strings.Cut(line, "/kernel="); ok {
			larger.WriteString(strings.TrimSuffix(episode, "/n=4096") + "/n=8192/kernel=" + rest)
		}
	}
	path := filepath.Join(t.TempDir(), "sizes.bench")
	if err := os.WriteFile(path, []byte(string(text)+larger.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	want, err := chart(example)
	if err != nil {
		t.Fatal(err)
	}
	got, err := chart(path)
	if err != nil {
		t.Fatal(err)
	}
	drawn := func(svg []byte) []byte { return svg[:bytes.LastIndex(svg, []byte("<!-- drawn from"))] }
	if !bytes.Equal(drawn(got), drawn(want)) {
		t.Error("another size changes the chart")
	}
}
