package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"

	"transpose/common"
)

// A kernel is what the records say of one kernel in one episode.
type kernel struct {
	episode, name, grid string
	times               common.Times // in milliseconds
	bytes               int64        // moved by a launch
	counts              map[string]float64
}

// readAll reads records; two that name the same kernel, one timed and one
// counted, are put together.
func readAll(paths []string) ([]*kernel, error) {
	var kernels []*kernel
	byName := map[string]*kernel{}
	for _, path := range paths {
		if err := read(path, func(name string) *kernel {
			if byName[name] == nil {
				byName[name] = newKernel(name)
				kernels = append(kernels, byName[name])
			}
			return byName[name]
		}); err != nil {
			return nil, err
		}
	}
	return kernels, nil
}

// newKernel takes apart BenchmarkEp02/copy/grid=128x512.
func newKernel(name string) *kernel {
	parts := append(strings.Split(strings.TrimPrefix(name, "Benchmark"), "/"), "", "")
	return &kernel{episode: strings.ToLower(parts[0]), name: parts[1], grid: parts[2], counts: map[string]float64{}}
}

// read reads one record in the Go benchmark format.
func read(path string, at func(name string) *kernel) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	n := 0
	lines := bufio.NewScanner(f)
	for number := 1; lines.Scan(); number++ {
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) == 2 && fields[0] == "n:":
			n, err = strconv.Atoi(fields[1])
		case len(fields) > 0 && strings.HasPrefix(fields[0], "Benchmark"):
			err = at(fields[0]).add(fields[1:], n)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: not a line of a record: %w", path, number, err)
		}
	}
	return lines.Err()
}

// add takes the values of a line: iterations, then pairs of value and unit.
func (k *kernel) add(fields []string, n int) error {
	k.bytes = common.BytesMoved(n)
	for i := 1; i+1 < len(fields); i += 2 {
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return err
		}
		switch unit := fields[i+1]; unit {
		case "ns/op":
			k.times = append(k.times, v/1e6)
		case "GB/s": // follows from ns/op
		default:
			k.counts[unit] = v
		}
	}
	return nil
}

func (k *kernel) bandwidth() string {
	if len(k.times) == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", common.Bandwidth(k.bytes, k.times.Median()))
}

// isTranspose reports whether k is one of the series' transposes.
func (k *kernel) isTranspose() bool { return strings.HasPrefix(k.name, "transpose_") }

// isNew reports whether kernel i is the last transpose of its episode.
func isNew(kernels []*kernel, i int) bool {
	if !kernels[i].isTranspose() {
		return false
	}
	for _, k := range kernels[i+1:] {
		if k.episode == kernels[i].episode && k.isTranspose() {
			return false
		}
	}
	return true
}

// ofCopy is the ratio to the copy of the same launch in the same run.
func ofCopy(kernels []*kernel, k *kernel) string {
	for _, c := range kernels {
		if c.episode == k.episode && c.grid == k.grid && strings.HasPrefix(c.name, "copy") && len(c.times) > 0 && len(k.times) > 0 {
			return fmt.Sprintf("%.2f", c.times.Median()/k.times.Median())
		}
	}
	return ""
}

// overBefore is what kernel i bought over the transpose before it in the same
// run, where the two ranges of times lie apart.
func overBefore(kernels []*kernel, i int) string {
	for j := i - 1; j >= 0; j-- {
		before := kernels[j]
		if before.episode != kernels[i].episode || !before.isTranspose() || len(before.times) == 0 || len(kernels[i].times) == 0 {
			continue
		}
		if before.times.Overlap(kernels[i].times) {
			return "cannot tell: ranges overlap"
		}
		return fmt.Sprintf("%.2f× %s", before.times.Median()/kernels[i].times.Median(), before.name)
	}
	return ""
}

// pair writes two counts as 4/32, or nothing where the kernel has neither.
func pair(k *kernel, a, b string) string {
	if k.counts[a] == 0 && k.counts[b] == 0 {
		return ""
	}
	return fmt.Sprintf("%g/%g", k.counts[a], k.counts[b])
}
