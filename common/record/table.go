package record

import (
	"fmt"
	"io"
	"strings"

	"transpose/common/internal/columns"
)

// WriteTable prints the table of kernels, the check and, where a GPU was timed,
// the times; then the notes given and those that a reader needs to read the times.
func (r *Run) WriteTable(w io.Writer, notes ...string) {
	r.writeRows(w)
	if notes = append(notes, r.notes()...); len(notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, n := range notes {
		fmt.Fprintln(w, columns.Fold("note: "+n))
	}
}

func (r *Run) writeRows(w io.Writer) {
	names := r.rowNames()
	width := 22
	for _, name := range names {
		width = max(width, len([]rune(name)))
	}
	if r.Timed() {
		fmt.Fprintf(w, "\n%*s      check     median        min … max      GB/s  of copy\n", width, "")
	} else {
		fmt.Fprintf(w, "\n%*s      check\n", width, "")
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		line := fmt.Sprintf("%-*s  %9s", width, names[i], row.check())
		if row.Times != nil {
			line += r.timeColumns(row)
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
		if before := r.inherited(); before != nil && row == r.New() && row.Times != nil {
			fmt.Fprintln(w, columns.Indent(2, gain(before, row)))
		}
	}
}

// check is the verdict on a kernel's output in a word.
func (row *Row) check() string {
	switch {
	case row.Err != nil:
		return "WRONG"
	case row.Kernel.Leaves == Untouched:
		return "untouched"
	}
	return "exact"
}

// rowNames returns the first column: the kernels' names, and for each empty
// kernel whose launch it is the floor of.
func (r *Run) rowNames() []string {
	launches := map[Kernel]bool{}
	for _, row := range r.Rows {
		if k := row.Kernel; k != Memcpy {
			launches[Kernel{Grid: k.Grid, Block: k.Block}] = true
		}
	}
	names := make([]string, len(r.Rows))
	for i, row := range r.Rows {
		switch g, b := row.Kernel.Grid, row.Kernel.Block; {
		case row.Kernel.Leaves != Untouched:
			names[i] = row.Kernel.Name
		case len(launches) == 1:
			names[i] = row.Kernel.Name + ", same launch"
		case b.X == 0:
			names[i] = fmt.Sprintf("%s, %d × %d blocks", row.Kernel.Name, g.X, g.Y)
		default:
			names[i] = fmt.Sprintf("%s, %d × %d of %d × %d", row.Kernel.Name, g.X, g.Y, b.X, b.Y)
		}
	}
	return names
}

// timeColumns prints median, range, bandwidth and ratios of a row.
func (r *Run) timeColumns(row *Row) string {
	t := row.Times
	s := fmt.Sprintf("  %6.4f ms  %6.4f … %6.4f", t.Median(), t.Min(), t.Max())
	if row.Kernel.Leaves == Untouched {
		return s
	}
	s += fmt.Sprintf("  %8.1f", Bandwidth(BytesMoved(r.N), t.Median()))
	if c := r.copyOf(row.Kernel); c != nil {
		s += fmt.Sprintf("  %7.2f", c.Median()/t.Median())
	} else {
		s += strings.Repeat(" ", 9)
	}
	return s
}

// gain says what a kernel bought over the one before it, where the two ranges
// of times lie apart.
func gain(before, after *Row) string {
	if before.Times.Overlap(after.Times) {
		return fmt.Sprintf("cannot tell from %s: the ranges overlap", before.Kernel.Name)
	}
	return fmt.Sprintf("%.2f× %s", before.Times.Median()/after.Times.Median(), before.Kernel.Name)
}

// notes are what a reader must know to read the times.
func (r *Run) notes() (notes []string) {
	if r.Timed() && !r.missesL2() {
		notes = append(notes, fmt.Sprintf("L2 (%.4g MiB) holds half of the bytes moved or more: these times say little about DRAM", float64(r.Card.L2)/(1<<20)))
	}
	var uneven []string
	for i, name := range r.rowNames() {
		row := r.Rows[i]
		if row.Times == nil {
			continue
		}
		if s := row.Times.Spread(); s > 0.10 {
			uneven = append(uneven, fmt.Sprintf("%s (%.1f%%)", name, 100*s))
		}
		if bw := Bandwidth(BytesMoved(r.N), row.Times.Median()); row.Kernel.Leaves != Untouched && r.Card.Peak > 0 && bw > r.Card.Peak {
			notes = append(notes, fmt.Sprintf("%s: %.1f GB/s is over the card's peak of %.0f GB/s: part of the bytes came from a cache", name, bw, r.Card.Peak))
		}
	}
	if len(uneven) > 0 {
		notes = append(notes, fmt.Sprintf("min and max lie over 10%% of the median apart for %s: too short to time well, or something else uses the GPU", strings.Join(uneven, ", ")))
	}
	return notes
}
