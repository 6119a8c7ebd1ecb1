package common

import (
	"fmt"
	"io"
	"math"
	"strings"

	"transpose/common/ptx"
)

// WriteSeries prints one table of the whole series: what the new kernel of each
// episode runs at, what one of its requests asks of memory, and what it bought
// over the one before it.
func (rec *Record) WriteSeries(w io.Writer) {
	timed := rec.Setting("card") != ""
	heading := fmt.Sprintf("%-30s", "the series")
	if timed {
		heading += "     GB/s  of copy"
	}
	heading += "  sectors load/store  wavefronts load/store"
	if timed {
		heading += "  over the kernel before"
	}
	fmt.Fprintln(w, heading)
	for _, r := range rec.Episodes {
		i := len(r.Rows) - 1
		if i < 0 || r.Rows[i].Kernel.Leaves != Transposed {
			continue
		}
		row := r.Rows[i]
		line := fmt.Sprintf("%-30s", r.Name+"  "+row.Kernel.Name)
		if timed {
			line += r.seriesTimes(row)
		}
		line += fmt.Sprintf("  %18s  %21s", pair(row.Counts, ptx.Global), pair(row.Counts, ptx.Shared))
		if before := r.inherited(i); before != nil && row.Times != nil {
			line += "  " + gain(before, row)
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// seriesTimes prints bandwidth and ratio to the copy, blank where not timed.
func (r *Report) seriesTimes(row Row) string {
	if row.Times == nil {
		return fmt.Sprintf("  %7s  %7s", "", "")
	}
	ofCopy := ""
	if c := r.copyOf(row); c != nil {
		ofCopy = fmt.Sprintf("%.2f", c.Median()/row.Times.Median())
	}
	return fmt.Sprintf("  %7.1f  %7s", Bandwidth(BytesMoved(r.N), row.Times.Median()), ofCopy)
}

// pair writes what a load and a store of one memory cost per request, as 4/32, or
// nothing where the kernel has neither.
func pair(c *ptx.Counts, space ptx.Space) string {
	load, store := perRequest(c, space, false), perRequest(c, space, true)
	if load == 0 && store == 0 {
		return ""
	}
	return fmt.Sprintf("%.4g/%.4g", load, store)
}

// WriteTimes prints the table of times of one episode of a record, and the notes
// that belong to it, as the program that was recorded printed them.
func (r *Report) WriteTimes(w io.Writer) {
	r.writeRows(w)
	r.writeNotes(w)
}

// Value returns one number of one kernel, and with how many decimals it is
// printed. kernel is a name, memcpy for the driver's copy, or empty/128x512 where
// the grid matters. unit is ms, us or GB/s for the median time and what follows
// from it; of-copy for the ratio to the copy of the same launch; load, store,
// shared-load or shared-store for sectors or wavefronts per request.
func (rec *Record) Value(episode, kernel, unit string) (v float64, decimals int, err error) {
	r, row, err := rec.find(episode, kernel)
	if err != nil {
		return 0, 0, err
	}
	for i, name := range []string{"load", "store", "shared-load", "shared-store"} {
		if unit == name && row.Counts != nil {
			v = perRequest(row.Counts, countUnits[i].space, countUnits[i].store)
			if v != math.Trunc(v) {
				decimals = 2
			}
			return v, decimals, nil
		}
	}
	if row.Times != nil {
		switch median := row.Times.Median(); unit {
		case "ms":
			return median, 4, nil
		case "us":
			return 1e3 * median, 1, nil
		case "GB/s":
			return Bandwidth(BytesMoved(r.N), median), 1, nil
		case "of-copy":
			if c := r.copyOf(row); c != nil {
				return c.Median() / median, 2, nil
			}
		}
	}
	return 0, 0, fmt.Errorf("%s %s has no %s in this record", episode, kernel, unit)
}

// find returns an episode and the row of a kernel.
func (rec *Record) find(episode, kernel string) (*Report, Row, error) {
	name, grid, _ := strings.Cut(kernel, "/")
	if name == "memcpy" {
		name = memcpyName
	}
	for _, r := range rec.Episodes {
		for _, row := range r.Rows {
			g := fmt.Sprintf("%dx%d", row.Kernel.Grid.X, row.Kernel.Grid.Y)
			if r.Name == episode && row.Kernel.Name == name && (grid == "" || grid == g) {
				return r, row, nil
			}
		}
	}
	return nil, Row{}, fmt.Errorf("the record has no %s %s", episode, kernel)
}
