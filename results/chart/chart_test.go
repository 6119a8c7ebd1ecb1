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
		"Example Card (invented numbers), 2000-01-01: effective bandwidth in GB/s": 1,
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

func TestReadRecord(t *testing.T) {
	f, err := os.Open(example)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rec, err := readRecord(f, example)
	if err != nil {
		t.Fatal(err)
	}
	var newest []string
	for _, m := range rec.measurements {
		if len(m.bandwidths) != 3 {
			t.Errorf("%s %s: %d launches, want 3", m.episode, m.kernel, len(m.bandwidths))
		}
		if m.newest {
			newest = append(newest, m.episode+" "+m.kernel)
		}
	}
	const want = "ep01 transpose_naive, ep02 transpose_read_strided, ep03 transpose_shared, ep04 transpose_padded"
	if got := strings.Join(newest, ", "); got != want {
		t.Errorf("new kernels: %s\nwant %s", got, want)
	}
	if len(rec.memcpy) != 12 || rec.peak != 4500 {
		t.Errorf("%d copies by the driver, peak %v; want 12 and 4500", len(rec.memcpy), rec.peak)
	}

	for text, want := range map[string]string{
		"":                             "no card and no bandwidth",
		"card: X\n":                    "no card and no bandwidth",
		"card: X\nBenchmarkEp01 1 2\n": "missing unit",
		"card: X\npeak: high\nBenchmarkEp01/copy 1 2 GB/s\n": "invalid syntax",
		"card: X\nBenchmarkEp01 1 2 GB/s\n":                  "names no kernel",
	} {
		if _, err := readRecord(strings.NewReader(text), "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("record %q: error %v, want %q", text, err, want)
		}
	}
}

func TestMedian(t *testing.T) {
	if got := median([]float64{1, 2, 4, 9}); got != 3 {
		t.Errorf("median of an even count = %v, want 3", got)
	}
	if got := median([]float64{1, 2, 9}); got != 2 {
		t.Errorf("median of an odd count = %v, want 2", got)
	}
}
