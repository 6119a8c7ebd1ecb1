package record

import (
	"fmt"
	"io"
)

// A bound is a time that a kernel cannot be faster than, and why.
type bound struct {
	ms  float64
	why string
}

// WriteBounds prints what part of each kernel's time its counts explain on the card
// that timed it: the largest of its bounds. It prints nothing where no row has both.
func (r *Run) WriteBounds(w io.Writer) {
	width := 0
	for _, row := range r.Rows {
		width = max(width, len(row.Kernel.Name))
	}
	text, least, counted := "", "", false
	for i := range r.Rows {
		row := &r.Rows[i]
		b, ok := r.bound(row)
		if !ok {
			continue
		}
		counted = counted || row.Counts != nil
		part := b.ms / row.Times.Median()
		text += fmt.Sprintf("%-*s  %.4f ms %2.0f%%: %s\n", width, row.Kernel.Name, b.ms, 100*part, b.why)
		if part < 0.5 {
			least += row.Kernel.Name + ": no bound explains half of its time\n"
		}
	}
	if counted {
		fmt.Fprintf(w, "\n%s%s%s", r.boundsHeading(), text, least)
	}
}

// boundsHeading says what the bounds are, as far as the driver knows the card.
func (r *Run) boundsHeading() string {
	heading := "bounds: "
	if r.Card.SMs > 0 && r.Card.Clock > 0 {
		heading += fmt.Sprintf("wavefronts ÷ %d SMs ÷ %g MHz,\n        ", r.Card.SMs, r.Card.Clock)
	}
	if r.missesL2() && r.Card.Peak > 0 {
		heading += fmt.Sprintf("bytes ÷ %.0f GB/s, ", r.Card.Peak)
	}
	return heading + "the empty launch;\nthe largest of them, and its part of the time:\n"
}

// bound returns the largest bound of a kernel that was timed and counted.
func (r *Run) bound(row *Row) (largest bound, ok bool) {
	if row.Times == nil || row.Kernel.Leaves == Untouched || row.Kernel != Memcpy && row.Counts == nil {
		return bound{}, false
	}
	for _, b := range r.bounds(row) {
		if b.ms > largest.ms {
			largest = b
		}
	}
	return largest, largest.ms > 0
}

// bounds returns what the driver's attributes and the counts demand. An SM's data
// pipe takes one wavefront a clock, and no clock is faster than the driver says.
func (r *Run) bounds(row *Row) (list []bound) {
	if n := Total(row.Counts).Wavefronts; n > 0 && r.Card.SMs > 0 && r.Card.Clock > 0 {
		list = append(list, bound{float64(n) / float64(r.Card.SMs) / (r.Card.Clock * 1e3), thousands(n) + " wavefronts"})
	}
	if r.missesL2() && r.Card.Peak > 0 {
		list = append(list, bound{float64(BytesMoved(r.N)) / (r.Card.Peak * 1e6), thousands(BytesMoved(r.N)) + " bytes"})
	}
	for _, e := range r.Rows {
		if e.Kernel.Leaves == Untouched && e.Kernel.SameLaunch(row.Kernel) && e.Times != nil {
			list = append(list, bound{e.Times.Median(), "the empty launch"})
		}
	}
	return list
}

// missesL2 reports whether the matrices are so large that their bytes must come
// from DRAM: where L2 holds half of them, they need not.
func (r *Run) missesL2() bool { return r.Card.L2 < BytesMoved(r.N)/2 }

// thousands writes v with a comma between groups of three digits.
func thousands(v int64) string {
	if v < 1000 {
		return fmt.Sprint(v)
	}
	return thousands(v/1000) + fmt.Sprintf(",%03d", v%1000)
}
