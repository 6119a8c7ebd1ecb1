//go:build !cuda

package common

import (
	"fmt"
	"io"
	"path"
	"strings"

	"transpose/common/ptx"
)

// writeCounts prints what each line of each kernel asked of memory.
func (r *Report) writeCounts(w io.Writer, cu sources) {
	type line struct{ what, requests, cost, used string }
	var lines []line
	for _, row := range r.Rows {
		if row.Counts == nil || len(row.Counts.Accesses) == 0 {
			continue
		}
		lines = append(lines, line{what: row.Kernel.Name})
		for _, a := range row.Counts.ByLine() {
			lines = append(lines, line{"  " + accessText(a, cu(a.File)), thousands(a.Requests), costText(a), usedText(a)})
		}
		for _, note := range row.Counts.Notes {
			lines = append(lines, line{what: "  note: " + note})
		}
	}
	if len(lines) == 0 {
		return
	}
	const heading = "counted on the PTX"
	width, cost := len(heading), len("per request")
	for _, l := range lines {
		if l.requests != "" {
			width, cost = max(width, len([]rune(l.what))), max(cost, len(l.cost))
		}
	}
	fmt.Fprintf(w, "\n%-*s  %10s  %-*s  used\n", width, heading, "requests", cost, "per request")
	for _, l := range lines {
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%-*s  %10s  %-*s  %s", width, l.what, l.requests, cost, l.cost, l.used), " "))
	}
}

// accessText names an access: where it stands, what it is, and its text.
func accessText(a ptx.Access, source string) string {
	kind := "load"
	switch {
	case a.Atomic:
		kind = "atomic"
	case a.Store:
		kind = "store"
	}
	if a.Space == ptx.Shared {
		kind = "shared " + kind
	}
	switch {
	case a.File == "": // compiled without line information
		return fmt.Sprintf("PTX line %d  %-12s  %s", a.PTXLine, kind, a.PTXText)
	case a.Line == 0:
		return "line unknown (merged by the compiler)  " + kind
	}
	return strings.TrimRight(fmt.Sprintf("%s:%d  %-12s  %s", path.Base(a.File), a.Line, kind, Snippet(source, a.Line, a.Store && !a.Atomic)), " ")
}

// costText is what one request costs; a wide access names its best.
func costText(a ptx.Access) string {
	s, best := plural(a.Sectors, a.Requests, "sector"), a.BestSectors
	if a.Space == ptx.Shared {
		s, best = plural(a.Wavefronts, a.Requests, "wavefront"), a.BestWavefronts
	}
	if a.Bytes > 4 {
		s += fmt.Sprintf(" (%s at best)", quotient(best, a.Requests))
	}
	return s
}

// usedText is the part of the bytes in the sectors that the request touched.
func usedText(a ptx.Access) string {
	if a.Space != ptx.Global || a.Sectors == 0 {
		return ""
	}
	return fmt.Sprintf("%.4g%%", 100*float64(a.BytesTouched)/float64(32*a.Sectors))
}

func plural(count, requests int64, unit string) string {
	s := quotient(count, requests)
	if s != "1" {
		unit += "s"
	}
	return fmt.Sprintf("%2s %s", s, unit)
}

// quotient writes a/b, with decimals only where it is not whole.
func quotient(a, b int64) string {
	if a%b == 0 {
		return fmt.Sprint(a / b)
	}
	return fmt.Sprintf("%.2f", float64(a)/float64(b))
}
