//go:build !cuda

package common

import (
	"fmt"
	"io"
	"path"
	"strings"

	"transpose/common/internal/columns"
	"transpose/common/ptx"
)

// writeCounts prints what each line of each kernel asked of memory: how much a
// request moves, in sectors, and how often it passes through the data pipe of L1
// and shared memory, in wavefronts. The line of source stands above.
func (r *Report) writeCounts(w io.Writer, cu sources) {
	type line struct{ text, requests, sectors, wavefronts string }
	var lines []line
	for _, row := range r.Rows {
		if row.Counts == nil || len(row.Counts.Accesses) == 0 {
			continue
		}
		lines = append(lines, line{text: row.Kernel.Name})
		place := ""
		for _, a := range row.Counts.ByLine() {
			if p := placeText(a, cu(a.File)); p != place {
				lines = append(lines, line{text: p})
				place = p
			}
			l := line{"    " + kindText(a), thousands(a.Requests), "", costText(a.Wavefronts, a.BestWavefronts, a)}
			if a.Space == ptx.Global {
				l.sectors = costText(a.Sectors, a.BestSectors, a)
			}
			lines = append(lines, l)
		}
		for _, note := range row.Counts.Notes {
			lines = append(lines, line{text: columns.Indent(2, "note: "+note)})
		}
	}
	if len(lines) == 0 {
		return
	}
	fmt.Fprint(w, "\ncounted on the PTX: sectors and wavefronts of one request\n")
	lines = append([]line{{"", "requests", "sectors", "wavefronts"}}, lines...)
	label, requests, sectors := 0, 0, 0
	for _, l := range lines {
		if l.requests != "" {
			label, requests, sectors = max(label, len(l.text)), max(requests, len(l.requests)), max(sectors, len(l.sectors))
		}
	}
	for _, l := range lines {
		if l.requests != "" {
			l.text = fmt.Sprintf("%-*s  %*s  %-*s  %s", label, l.text, requests, l.requests, sectors, l.sectors, l.wavefronts)
		}
		fmt.Fprintln(w, strings.TrimRight(l.text, " "))
	}
}

// placeText is where an access stands, and its text, as far as there is room.
func placeText(a ptx.Access, source string) string {
	var place, text string
	switch {
	case a.File == "": // compiled without line information
		place, text = fmt.Sprintf("  PTX line %d", a.PTXLine), a.PTXText
	case a.Line == 0:
		return "  line unknown (merged by the compiler)"
	default:
		place, text = fmt.Sprintf("  %s:%d", path.Base(a.File), a.Line), Snippet(source, a.Line, a.Store && !a.Atomic)
	}
	// A file with a long name leaves little.
	return strings.TrimRight(place+"  "+shorten(text, max(20, columns.Width-len(place)-2)), " ")
}

// kindText is load, store, shared load, …
func kindText(a ptx.Access) string {
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
	return kind
}

// costText is what one request costs, and what it would at best where that is less,
// or not what 4 bytes a lane cost.
func costText(cost, best int64, a ptx.Access) string {
	s := fmt.Sprintf("%2s", quotient(cost, a.Requests))
	if cost > best || a.Bytes > 4 {
		s += fmt.Sprintf(" (best %s)", quotient(best, a.Requests))
	}
	return s
}

// quotient writes a/b to three digits, with decimals only where it is not whole.
func quotient(a, b int64) string {
	if a%b == 0 {
		return fmt.Sprint(a / b)
	}
	return fmt.Sprintf("%.3g", float64(a)/float64(b))
}
