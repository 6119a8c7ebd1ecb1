package record

import (
	"fmt"
	"io"
	"strings"

	"transpose/common/ptx"
)

// WriteSeries prints one table of the whole series for each size: what the new kernel
// of each episode runs at, what one load and one store ask of memory, and what it bought
// over the one before it.
func (rec *Record) WriteSeries(w io.Writer) {
	sizes := rec.Sizes()
	for i, n := range sizes {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if len(sizes) > 1 {
			fmt.Fprintf(w, "n = %d\n", n)
		}
		rec.At(n).writeSeries(w)
	}
}

func (rec *Record) writeSeries(w io.Writer) {
	timed := rec.Setting("card") != ""
	table := [][]string{{"the series, load/store", "GB/s", "of copy", "sectors", "wavefronts", "shared", "over the kernel before"}}
	for _, r := range rec.Runs {
		row := r.New()
		if row == nil {
			continue
		}
		bandwidth, ofCopy := r.seriesTimes(row)
		bought := ""
		if before := r.inherited(); before != nil && row.Times != nil {
			bought = gain(before, row)
		}
		table = append(table, []string{r.Name + "  " + row.Kernel.Name, bandwidth, ofCopy,
			pair(row.Counts, ptx.Global, sectors, bestSectors, 4), pair(row.Counts, ptx.Global, wavefronts, bestWavefronts, 1),
			pair(row.Counts, ptx.Shared, wavefronts, bestWavefronts, 1), bought})
	}
	width := []int{30, 7, 7, 0, 0, 0, 0}
	for _, cells := range table {
		for i, cell := range cells {
			width[i] = max(width[i], len(cell))
		}
	}
	for _, c := range table {
		line := fmt.Sprintf("%-*s", width[0], c[0])
		if timed {
			line += fmt.Sprintf("  %*s  %*s", width[1], c[1], width[2], c[2])
		}
		line += fmt.Sprintf("  %*s  %*s  %*s", width[3], c[3], width[4], c[4], width[5], c[5])
		if timed {
			line += "  " + c[6]
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// seriesTimes writes bandwidth and ratio to the copy, nothing where not timed.
func (r *Run) seriesTimes(row *Row) (bandwidth, ofCopy string) {
	if row.Times == nil {
		return "", ""
	}
	if c := r.copyOf(row.Kernel); c != nil {
		ofCopy = fmt.Sprintf("%.2f", c.Median()/row.Times.Median())
	}
	return fmt.Sprintf("%.1f", Bandwidth(BytesMoved(r.N), row.Times.Median())), ofCopy
}

// pair writes what a load and a store of one memory cost per request, as 4/32, or
// nothing where the kernel has neither. Where a request asks for so much that its
// best is over narrow, that of 32 lanes with 4 bytes, it names the best.
func pair(c *ptx.Counts, space ptx.Space, cost, best func(*ptx.Access) *int64, narrow float64) string {
	load, store := Kind{space, false}.Sum(c), Kind{space, true}.Sum(c)
	if load.Requests == 0 && store.Requests == 0 {
		return ""
	}
	of := func(count func(*ptx.Access) *int64) (l, s float64) {
		return perRequest(*count(&load), load.Requests), perRequest(*count(&store), store.Requests)
	}
	l, s := of(cost)
	text := fmt.Sprintf("%.4g/%.4g", l, s)
	if l, s := of(best); max(l, s) > narrow {
		text += fmt.Sprintf(" (%.4g/%.4g at best)", l, s)
	}
	return text
}

// WriteBandwidths prints a narrow table of a record of several sizes: the GB/s of the new
// kernel of each episode, and how many times as fast it is as the one before it.
func (rec *Record) WriteBandwidths(w io.Writer) {
	sizes := rec.Sizes()
	heading := fmt.Sprintf("%-22s", "GB/s, over the last")
	for _, n := range sizes {
		heading += fmt.Sprintf("  %11s", fmt.Sprintf("n = %d", n))
	}
	fmt.Fprintln(w, heading)
	for _, run := range rec.At(sizes[0]).Runs {
		row := run.New()
		if row == nil || row.Times == nil {
			continue
		}
		line := fmt.Sprintf("%-22s", row.Kernel.Name)
		for _, n := range sizes {
			line += "  " + rec.At(n).bandwidthCell(run.Name)
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// bandwidthCell is what an episode's new kernel runs at, and what it bought: ~ where the
// two ranges of times overlap.
func (rec *Record) bandwidthCell(episode string) string {
	for _, run := range rec.Runs {
		row := run.New()
		if run.Name != episode || row == nil || row.Times == nil {
			continue
		}
		bought := ""
		switch before := run.inherited(); {
		case before == nil:
		case before.Times.Overlap(row.Times):
			bought = "~"
		default:
			bought = fmt.Sprintf("%.2f×", before.Times.Median()/row.Times.Median())
		}
		return fmt.Sprintf("%5.0f %5s", Bandwidth(BytesMoved(run.N), row.Times.Median()), bought)
	}
	return fmt.Sprintf("%11s", "")
}
