package common

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"transpose/common/ptx"
)

// A Record is the measurements of one or more episodes, as they stand in a file
// in the Go benchmark format (golang.org/design/14313-benchmark-format). Its
// settings say where they come from: date, n and ptx always; card, driver,
// toolkit, l2-bytes and peak where a GPU was timed.
//
// A launch that was timed is a line with ns/op and, where the kernel moves
// anything, GB/s. What the kernel asked of memory, which is the same for every
// launch, stands on each of its lines: requests per launch, and sectors or
// wavefronts per request. A kernel that was only counted has one line.
type Record struct {
	Episodes []*Report // Name is ep01, ep02, …; the texts of a run are empty

	settings []setting
}

type setting struct{ key, value string }

// Setting returns the value of a configuration line, or "".
func (rec *Record) Setting(key string) string {
	for _, s := range rec.settings {
		if s.key == key {
			return s.value
		}
	}
	return ""
}

// countUnits are the units of what a launch asks of memory.
var countUnits = []struct {
	space          ptx.Space
	store          bool
	requests, cost string
}{
	{ptx.Global, false, "loads/op", "sectors/load"},
	{ptx.Global, true, "stores/op", "sectors/store"},
	{ptx.Shared, false, "shared-loads/op", "wavefronts/load"},
	{ptx.Shared, true, "shared-stores/op", "wavefronts/store"},
}

// writeRecord writes the measurements to a file. A run that found a wrong output
// is not recorded.
func (r *Report) writeRecord(path string, file ptxFile) error {
	rec := &Record{Episodes: []*Report{r}, settings: []setting{
		{"date", time.Now().Format("2006-01-02")},
		{"n", fmt.Sprint(r.N)},
		{"ptx", strings.Join([]string{file.compiler(), file.target(), ".version " + file.version()}, ", ")},
	}}
	if r.Timed() {
		rec.settings = append(rec.settings, setting{"card", r.card}, setting{"driver", cudaVersion(r.driver)}, setting{"toolkit", r.toolkit})
		if r.l2 > 0 {
			rec.settings = append(rec.settings, setting{"l2-bytes", fmt.Sprint(r.l2)})
		}
		if r.peak > 0 {
			rec.settings = append(rec.settings, setting{"peak", fmt.Sprintf("%.1f GB/s", r.peak)})
		}
	}
	if err := rec.WriteFile(path); err != nil {
		return fmt.Errorf("%w\ngive -record a file in a folder that exists and can be written", err)
	}
	return nil
}

// WriteFile writes the record to a file, all of it or nothing.
func (rec *Record) WriteFile(path string) error {
	var b strings.Builder
	rec.write(&b)
	if err := os.WriteFile(path+".tmp", []byte(b.String()), 0o644); err != nil {
		os.Remove(path + ".tmp")
		return err
	}
	return os.Rename(path+".tmp", path)
}

func (rec *Record) write(w io.Writer) {
	for _, s := range rec.settings {
		fmt.Fprintf(w, "%s: %s\n", s.key, s.value)
	}
	fmt.Fprintf(w, "Unit GB/s better=higher\n")
	for _, u := range countUnits {
		fmt.Fprintf(w, "Unit %s assume=exact\nUnit %s assume=exact\n", u.requests, u.cost)
	}
	for _, r := range rec.Episodes {
		for _, row := range r.Rows {
			r.recordRow(w, row)
		}
	}
}

// recordRow writes the lines of one kernel.
func (r *Report) recordRow(w io.Writer, row Row) {
	name := benchmarkName(r.Name, row.Kernel)
	counts := countFields(row.Counts)
	for _, ms := range row.Times {
		fmt.Fprintf(w, "%s 1 %.0f ns/op", name, ms*1e6)
		if row.Kernel.Leaves != Untouched {
			fmt.Fprintf(w, " %.1f GB/s", Bandwidth(BytesMoved(r.N), ms))
		}
		fmt.Fprintln(w, counts)
	}
	if row.Times == nil && counts != "" {
		fmt.Fprintf(w, "%s 1%s\n", name, counts)
	}
}

// countFields writes what a launch asked of memory, with a blank before each
// field.
func countFields(c *ptx.Counts) string {
	s := ""
	for _, u := range countUnits {
		if requests, cost := total(c, u.space, u.store); requests > 0 {
			s += fmt.Sprintf(" %d %s %g %s", requests, u.requests, float64(cost)/float64(requests), u.cost)
		}
	}
	return s
}

// benchmarkName is BenchmarkEp02/copy/grid=128x512 for kernel copy of
// ep02-coalescing.
func benchmarkName(episode string, k Kernel) string {
	number, _, _ := strings.Cut(episode, "-")
	name := "Benchmark" + strings.ToUpper(number[:1]) + number[1:] + "/" + strings.ReplaceAll(k.Name, " ", "_")
	if k.Grid.X > 0 {
		name += fmt.Sprintf("/grid=%dx%d", k.Grid.X, k.Grid.Y)
	}
	return name
}

func cudaVersion(v int) string { return fmt.Sprintf("%d.%d", v/1000, v%1000/10) }
