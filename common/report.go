package common

import (
	"fmt"
	"io"
	"strings"

	"github.com/mumax/3/cuda/cu"
)

// memcpyName is the row of the driver's own copy.
const memcpyName = "driver memcpy"

// A Report is what one run of an episode found out.
type Report struct {
	Name   string // of the episode
	N      int    // the matrices are N × N
	Device string // the GPU, or the emulator, in a line
	PTX    string // which PTX ran, and what made it
	Notes  []string
	Rows   []Row // in the order of the run

	card    string  // name of the GPU; empty on the emulator
	driver  int     // CUDA version of the driver, 13000 for 13.0; 0 on the emulator
	toolkit string  // CUDA version of the cuda.h that the program was built with
	l2      int64   // bytes of L2 cache; 0 where unknown
	peak    float64 // theoretical bandwidth in GB/s; 0 where unknown
}

func (r *Report) add(row Row) { r.Rows = append(r.Rows, row) }

// gpuLine describes a GPU; what the driver does not know is left out.
func (r *Report) gpuLine(major, minor int) string {
	parts := []string{r.card, fmt.Sprintf("compute %d.%d", major, minor), "driver " + cudaVersion(r.driver)}
	if r.l2 > 0 {
		parts = append(parts, fmt.Sprintf("L2 %.4g MiB", float64(r.l2)/(1<<20)))
	}
	if r.peak > 0 {
		parts = append(parts, fmt.Sprintf("peak %.0f GB/s", r.peak))
	}
	return strings.Join(parts, ", ")
}

// Err returns the first wrong output as an error that names the kernel, or nil.
func (r *Report) Err() error {
	for _, row := range r.Rows {
		if row.Err != nil {
			return fmt.Errorf("%s: %w", row.Kernel.Name, row.Err)
		}
	}
	return nil
}

// Timed reports whether a GPU ran the kernels, so that the rows have times and
// no counts.
func (r *Report) Timed() bool { return r.driver != 0 }

// writeHeader prints the device, the size and the PTX, and under the device a
// remark, if there is one.
func (r *Report) writeHeader(w io.Writer, remark string) {
	fmt.Fprintf(w, "%s   %s\n", r.Name, r.Device)
	if remark != "" {
		fmt.Fprintln(w, remark)
	}
	fmt.Fprintf(w, "n = %d: %s bytes moved per launch", r.N, thousands(BytesMoved(r.N)))
	if r.Timed() {
		fmt.Fprintf(w, "; median of %d launches after one warm-up", launches)
	}
	fmt.Fprintf(w, "\nPTX: %s\n", r.PTX)
}

// writeRows prints the table of kernels: the check and, on a GPU, the times.
func (r *Report) writeRows(w io.Writer) {
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
	for i, row := range r.Rows {
		check := row.Kernel.Leaves.String()
		if row.Err != nil {
			check = "WRONG"
		}
		line := fmt.Sprintf("%-*s  %9s", width, names[i], check)
		if row.Times != nil {
			line += r.timeColumns(i)
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// rowNames returns the first column: the kernels' names, and for each empty
// kernel whose launch it is the floor of.
func (r *Report) rowNames() []string {
	grids := map[cu.Dim3]bool{}
	for _, row := range r.Rows {
		if row.Kernel.Name != memcpyName {
			grids[row.Kernel.Grid] = true
		}
	}
	names := make([]string, len(r.Rows))
	for i, row := range r.Rows {
		switch g := row.Kernel.Grid; {
		case row.Kernel.Leaves != Untouched:
			names[i] = row.Kernel.Name
		case len(grids) == 1:
			names[i] = row.Kernel.Name + ", same launch"
		default:
			names[i] = fmt.Sprintf("%s, %d × %d blocks", row.Kernel.Name, g.X, g.Y)
		}
	}
	return names
}

// timeColumns prints median, range, bandwidth and ratios of row i.
func (r *Report) timeColumns(i int) string {
	row := r.Rows[i]
	t := row.Times
	s := fmt.Sprintf("  %6.4f ms  %6.4f … %6.4f", t.Median(), t.Min(), t.Max())
	if row.Kernel.Leaves == Untouched {
		return s
	}
	s += fmt.Sprintf("  %8.1f", Bandwidth(BytesMoved(r.N), t.Median()))
	if c := r.copyOf(row); c != nil {
		s += fmt.Sprintf("  %7.2f", c.Median()/t.Median())
	} else {
		s += strings.Repeat(" ", 9)
	}
	if before := r.inherited(i); before != nil {
		s += "   " + gain(before, row)
	}
	return s
}

// copyOf returns the times of the copy that is row's ceiling: the one of the
// same launch. The driver's copy has no launch of its own; it is set against
// the episode's copy.
func (r *Report) copyOf(row Row) Times {
	for _, c := range r.Rows {
		if c.Kernel.Leaves == Copied && c.Kernel.Name != memcpyName &&
			(c.Kernel.Grid == row.Kernel.Grid || row.Kernel.Name == memcpyName) {
			return c.Times
		}
	}
	return nil
}

// inherited returns the transpose before row i, when row i is the episode's new
// kernel: the last one.
func (r *Report) inherited(i int) *Row {
	if i != len(r.Rows)-1 || r.Rows[i].Kernel.Leaves != Transposed {
		return nil
	}
	for j := i - 1; j >= 0; j-- {
		if r.Rows[j].Kernel.Leaves == Transposed && r.Rows[j].Times != nil {
			return &r.Rows[j]
		}
	}
	return nil
}

// gain says what a kernel bought over the one before it, where the two ranges
// of times lie apart.
func gain(before *Row, after Row) string {
	if before.Times.Overlap(after.Times) {
		return fmt.Sprintf("cannot tell from %s: the ranges overlap", before.Kernel.Name)
	}
	return fmt.Sprintf("%.2f× %s", before.Times.Median()/after.Times.Median(), before.Kernel.Name)
}

// writeNotes prints what a reader must know to read the times.
func (r *Report) writeNotes(w io.Writer) {
	notes := r.Notes
	if r.Timed() && r.l2 >= BytesMoved(r.N)/2 {
		notes = append(notes, fmt.Sprintf("L2 (%.4g MiB) holds half of the bytes moved or more: these times say little about DRAM", float64(r.l2)/(1<<20)))
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
		if bw := Bandwidth(BytesMoved(r.N), row.Times.Median()); row.Kernel.Leaves != Untouched && r.peak > 0 && bw > r.peak {
			notes = append(notes, fmt.Sprintf("%s: %.1f GB/s is over the card's peak of %.0f GB/s: part of the bytes came from a cache", name, bw, r.peak))
		}
	}
	if len(uneven) > 0 {
		notes = append(notes, fmt.Sprintf("min and max lie over 10%% of the median apart for %s: too short to time well, or something else uses the GPU", strings.Join(uneven, ", ")))
	}
	if len(notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, n := range notes {
		fmt.Fprintf(w, "note: %s\n", n)
	}
}
