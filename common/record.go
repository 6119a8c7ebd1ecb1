package common

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// writeRecord writes the measurements to a file in the Go benchmark format
// (golang.org/design/14313-benchmark-format): one line for each launch with
// ns/op and GB/s, or, where nothing was timed, one line a kernel with sectors
// and wavefronts per request. A run that found a wrong output is not recorded.
func (r *Report) writeRecord(path string, file ptxFile) error {
	var b strings.Builder
	r.recordConfig(&b, file)
	for _, row := range r.Rows {
		r.recordRow(&b, row)
	}
	// Written beside and renamed, so that a full disk leaves no half a record.
	if err := os.WriteFile(path+".tmp", []byte(b.String()), 0o644); err != nil {
		return fmt.Errorf("%w\ngive -record a file in a folder that exists and can be written", err)
	}
	return os.Rename(path+".tmp", path)
}

// recordConfig writes the lines that say where the measurements come from.
func (r *Report) recordConfig(w io.Writer, file ptxFile) {
	fmt.Fprintf(w, "date: %s\nn: %d\nptx: %s, .version %s\n", time.Now().Format("2006-01-02"), r.N, file.compiler()+", "+file.target(), file.version())
	if r.Timed() {
		fmt.Fprintf(w, "card: %s\ndriver: %s\ntoolkit: %s\n", r.card, cudaVersion(r.driver), r.toolkit)
		fmt.Fprintf(w, "l2-bytes: %d\npeak-GB/s: %.1f\n", r.l2, r.peak)
	}
	fmt.Fprintf(w, "Unit GB/s better=higher\n")
	for _, unit := range []string{"sectors/load", "sectors/store", "wavefronts/load", "wavefronts/store"} {
		fmt.Fprintf(w, "Unit %s assume=exact\n", unit)
	}
}

// recordRow writes the lines of one kernel.
func (r *Report) recordRow(w io.Writer, row Row) {
	name := benchmarkName(r.Name, row.Kernel)
	for _, ms := range row.Times {
		fmt.Fprintf(w, "%s 1 %.0f ns/op", name, ms*1e6)
		if row.Kernel.Leaves != Untouched {
			fmt.Fprintf(w, " %.1f GB/s", Bandwidth(BytesMoved(r.N), ms))
		}
		fmt.Fprintln(w)
	}
	p, ok := row.perRequest()
	if !ok {
		return
	}
	fmt.Fprintf(w, "%s 1", name)
	for _, v := range []struct {
		count float64
		unit  string
	}{{p.Load, "sectors/load"}, {p.Store, "sectors/store"}, {p.SharedLoad, "wavefronts/load"}, {p.SharedStore, "wavefronts/store"}} {
		if v.count > 0 {
			fmt.Fprintf(w, " %g %s", v.count, v.unit)
		}
	}
	fmt.Fprintln(w)
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
