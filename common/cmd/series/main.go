// Series prints one table of the whole series from the records that the episodes'
// programs wrote with -record: what the new kernel of each episode runs at, what
// it bought over the one before, and what one of its requests asks of memory.
//
//	series record.txt …
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "series: no record given\nusage: series record.txt …")
		os.Exit(2)
	}
	kernels, err := readAll(os.Args[1:])
	if err != nil {
		fmt.Fprintf(os.Stderr, "series: %v\n", err)
		os.Exit(2)
	}
	writeTable(os.Stdout, kernels)
}

// writeTable prints a line for the last transpose of each episode.
func writeTable(w io.Writer, kernels []*kernel) {
	timed := false
	for _, k := range kernels {
		timed = timed || len(k.times) > 0
	}
	fmt.Fprintf(w, "\n%-30s", "the series")
	if timed {
		fmt.Fprintf(w, "     GB/s  of copy  %-28s", "over the kernel before")
	}
	fmt.Fprintf(w, "  sectors load/store  wavefronts store/load\n")
	for i, k := range kernels {
		if !isNew(kernels, i) {
			continue
		}
		fmt.Fprintf(w, "%-30s", k.episode+"  "+k.name)
		if timed {
			fmt.Fprintf(w, "  %7s  %7s  %-28s", k.bandwidth(), ofCopy(kernels, k), overBefore(kernels, i))
		}
		fmt.Fprintf(w, "  %18s  %s\n", pair(k, "sectors/load", "sectors/store"), pair(k, "wavefronts/store", "wavefronts/load"))
	}
}
