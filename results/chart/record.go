package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// A record is what is drawn of a record: bandwidths in GB/s.
type record struct {
	card, date   string
	peak         float64 // 0 where the driver does not tell
	memcpy       []float64
	measurements []*measurement // in the order of the file
}

// A measurement is the launches of one kernel in one episode.
type measurement struct {
	episode, kernel string
	bandwidths      []float64 // sorted
	newest          bool      // the episode's new kernel
}

// median is the middle, or the mean of the two in the middle.
func median(sorted []float64) float64 {
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

func readRecord(r io.Reader, path string) (*record, error) {
	rec := &record{}
	lines := benchfmt.NewReader(r, path)
	for lines.Scan() {
		switch line := lines.Result().(type) {
		case *benchfmt.Result:
			if err := rec.add(line); err != nil {
				return nil, err
			}
		case *benchfmt.SyntaxError:
			return nil, line
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if rec.card == "" || len(rec.measurements) == 0 {
		return nil, fmt.Errorf("%s: no card and no bandwidth in it", path)
	}
	slices.Sort(rec.memcpy)
	for i, m := range rec.measurements {
		slices.Sort(m.bandwidths)
		last := i == len(rec.measurements)-1 || rec.measurements[i+1].episode != m.episode
		m.newest = last && strings.HasPrefix(m.kernel, "transpose_")
	}
	return rec, nil
}

// add takes a line such as BenchmarkEp02/copy/grid=128x512. A line without a
// bandwidth is the empty kernel's.
func (rec *record) add(line *benchfmt.Result) error {
	bandwidth, ok := line.Value("GB/s")
	if !ok {
		return nil
	}
	rec.card, rec.date = line.GetConfig("card"), line.GetConfig("date")
	if peak := line.GetConfig("peak"); peak != "" {
		var err error
		if rec.peak, err = strconv.ParseFloat(strings.TrimSuffix(peak, " GB/s"), 64); err != nil {
			return err
		}
	}
	name := strings.Split(line.Name.String(), "/")
	if len(name) < 2 {
		return fmt.Errorf("%s names no kernel", line.Name)
	}
	episode, kernel := strings.ToLower(name[0]), name[1]
	if kernel == "driver_memcpy" {
		rec.memcpy = append(rec.memcpy, bandwidth)
		return nil
	}
	i := slices.IndexFunc(rec.measurements, func(m *measurement) bool { return m.episode == episode && m.kernel == kernel })
	if i < 0 {
		i = len(rec.measurements)
		rec.measurements = append(rec.measurements, &measurement{episode: episode, kernel: kernel})
	}
	rec.measurements[i].bandwidths = append(rec.measurements[i].bandwidths, bandwidth)
	return nil
}
