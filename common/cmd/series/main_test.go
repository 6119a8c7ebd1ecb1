package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	timed   = "n: 4096\nptx: nvcc\ncard: NVIDIA GeForce RTX 4090 (Laptop)\nBenchmarkEp01/n=4096/kernel=transpose_naive/grid=128x512/leaves=transposed 1 250000 ns/op 536.9 GB/s\n"
	counted = "n: 4096\nptx: nvcc\nBenchmarkEp01/n=4096/kernel=transpose_naive/grid=128x512/leaves=transposed 1 8 loads/op 4 sectors/load 4 best-sectors/load 1 lines/load 1 wavefronts/load 1 best-wavefronts/load 8 stores/op 32 sectors/store 4 best-sectors/store 32 lines/store 32 wavefronts/store 1 best-wavefronts/store 288 sectors/op 64 best-sectors/op 264 lines/op 264 wavefronts/op 16 best-wavefronts/op\n"
)

func TestRecord(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	time, count := write("ep01.txt", timed), write("ep01-count.txt", counted)

	if err := series(&strings.Builder{}, dir, []string{count}); err == nil || !strings.Contains(err.Error(), "no GPU was timed") {
		t.Errorf("without a GPU: error %v", err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.bench")); len(files) > 0 {
		t.Errorf("without a GPU: wrote %s", files)
	}

	if err := series(&strings.Builder{}, dir, []string{count, time}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "nvidia-geforce-rtx-4090-laptop.bench"))
	if err != nil {
		t.Fatal(err)
	}
	want := "BenchmarkEp01/n=4096/kernel=transpose_naive/grid=128x512/leaves=transposed 1 250000 ns/op 536.9 GB/s 8 loads/op 4 sectors/load 4 best-sectors/load 1 lines/load 1 wavefronts/load 1 best-wavefronts/load 8 stores/op 32 sectors/store 4 best-sectors/store 32 lines/store 32 wavefronts/store 1 best-wavefronts/store 288 sectors/op 64 best-sectors/op 264 lines/op 264 wavefronts/op 16 best-wavefronts/op\n"
	if !strings.HasSuffix(string(text), want) {
		t.Errorf("record:\n%s\nwant it to end in\n%s", text, want)
	}
}

func TestNothingGiven(t *testing.T) {
	if err := series(&strings.Builder{}, "", nil); err == nil || !strings.Contains(err.Error(), "no record given") {
		t.Errorf("error %v", err)
	}
}
