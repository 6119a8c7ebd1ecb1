package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// waits prints how busy the parts of the GPU were in each kernel that was recorded
// with Nsight Compute, the busiest marked. A kernel that several episodes have is told
// once, of the first. It prints all of them, or those that are named.
func (c *commands) waits(names []string) (string, error) {
	path := strings.TrimSuffix(c.record, ".bench") + "-ncu.txt"
	if len(names) > 0 && names[0] == "-odd" {
		path, names = c.oddPath(), names[1:]
	}
	text, err := os.ReadFile(filepath.Join(c.root, path))
	if err != nil {
		return "", err
	}
	var units []string
	var rows []waitsRow
	seen := map[string]bool{}
	counted := false // by Nsight Compute: it is a line of its tables
	skip := true     // what is no kernel, or told already
	for _, line := range strings.Split(string(text), "\n") {
		unit, value, isBusy := strings.Cut(strings.TrimSpace(line), " busy ")
		switch {
		case strings.Contains(line, ", one launch "):
			counted = true
		case line == "":
			counted, skip = false, true
		case counted && line[0] != ' ':
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

// oddPath is the file of what was measured at an odd n.
func (c *commands) oddPath() string { return strings.TrimSuffix(c.record, ".bench") + "-n4095.txt" }

// odd prints the median time of a kernel at that n, in µs.
func (c *commands) odd(args []string) (string, error) {
	text, err := os.ReadFile(filepath.Join(c.root, c.oddPath()))
	if err != nil {
		return "", err
	}
	here := false
	for _, line := range strings.Split(string(text), "\n") {
		f := strings.Fields(line)
		switch {
		case len(f) > 1 && strings.HasPrefix(f[0], "ep"):
			here = strings.HasPrefix(f[0], args[0]+"-")
		case here && len(f) > 3 && f[0] == args[1] && f[3] == "ms":
			ms, err := strconv.ParseFloat(f[2], 64)
			return strconv.FormatFloat(1000*ms, 'f', 0, 64), err
		}
	}
	return "", fmt.Errorf("%s has no time of %s in %s", c.oddPath(), args[1], args[0])
}
