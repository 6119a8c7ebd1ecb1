package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// waits prints how busy the parts of the GPU were in each kernel that was recorded
// with Nsight Compute, the busiest marked. A kernel that several episodes have is told
// once, of the first. It prints all of them, or those that are named.
func (c *commands) waits(names []string) (string, error) {
	path := strings.TrimSuffix(c.record, ".bench") + "-ncu.txt"
	text, err := os.ReadFile(filepath.Join(c.root, path))
	if err != nil {
		return "", err
	}
	var units []string
	var rows []waitsRow
	seen := map[string]bool{}
	skip := true // what is no kernel, or told already
	for _, line := range strings.Split(string(text), "\n") {
		unit, value, isBusy := strings.Cut(strings.TrimSpace(line), " busy ")
		switch {
		case line == "" || strings.Contains(line, ", one launch "):
			skip = true
		case line[0] != ' ':
			if skip = seen[line]; !skip {
				seen[line] = true
				rows = append(rows, waitsRow{kernel: line})
			}
		case isBusy && !skip:
			row := &rows[len(rows)-1]
			value, busiest := strings.CutSuffix(strings.TrimSpace(value), "busiest")
			value = strings.TrimSpace(value)
			if busiest {
				value = "> " + value
			}
			row.busy = append(row.busy, value)
			if len(row.busy) > len(units) {
				units = append(units, unit)
			}
		}
	}
	if len(units) == 0 {
		return "", fmt.Errorf("%s does not say what was busy: record the card anew", path)
	}
	return onlyKernels(waitsTable(units, rows), names)
}

// A waitsRow is a kernel and how busy each unit was.
type waitsRow struct {
	kernel string
	busy   []string
}

func waitsTable(units []string, rows []waitsRow) string {
	var b strings.Builder
	line := func(name string, cells []string) {
		fmt.Fprintf(&b, "%-22s", name)
		for i, cell := range cells {
			fmt.Fprintf(&b, "  %*s", max(len(units[i]), len("> 100.0%")), cell)
		}
		b.WriteString("\n")
	}
	line("busy, % of the peak", units)
	for _, r := range rows {
		if len(r.busy) > 0 {
			line(r.kernel, r.busy)
		}
	}
	return b.String()
}
