package main

import (
	"fmt"
	"slices"
	"strings"
)

// changedCounts returns the kernels of the second table of counts that the first
// does not have like that, under the table's heading.
func changedCounts(before, after string) string {
	// The columns may be wider in one than in the other.
	words := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	text, kernels := countedKernels(after)
	for _, k := range kernels {
		if !strings.Contains(words(before), words(k)) {
			text += k
		}
	}
	return text
}

// onlyKernels returns a table of counts with the named kernels alone, or all of it
// if none is named.
func onlyKernels(table string, names []string) (string, error) {
	if len(names) == 0 {
		return table, nil
	}
	text, kernels := countedKernels(table)
	for _, name := range names {
		i := slices.IndexFunc(kernels, func(k string) bool { return strings.HasPrefix(k, name+"\n") || strings.HasPrefix(k, name+" ") })
		if i < 0 {
			return "", fmt.Errorf("no counts of %s", name)
		}
		text += kernels[i]
	}
	return text, nil
}

// countedKernels takes a table of counts apart: its heading, which may have a second
// line, and each kernel's lines, the first of which is its name.
func countedKernels(table string) (heading string, kernels []string) {
	for i, line := range strings.SplitAfter(table, "\n") {
		switch {
		case i > 0 && line != "" && line[0] != ' ':
			kernels = append(kernels, line)
		case len(kernels) > 0:
			kernels[len(kernels)-1] += line
		default:
			heading += line
		}
	}
	return heading, kernels
}
