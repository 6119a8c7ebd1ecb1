package main

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// readCSV reads the raw page of Nsight Compute and returns each kernel's metrics
// by name. The page begins with a line of names, the next has the units, then
// each launch has a line; of a kernel with several launches the first one counts.
// What the tool says before it is skipped.
func readCSV(r io.Reader) (map[string]map[string]float64, error) {
	rows, err := csv.NewReader(fromHeading(r)).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) < 3 {
		return nil, fmt.Errorf("no launch in it: not the raw page of Nsight Compute as CSV")
	}
	names, wanted := rows[0], strings.Split(metrics(), ",")
	kernels := map[string]map[string]float64{}
	for _, row := range rows[2:] {
		kernel, values := "", map[string]float64{}
		for i, name := range names {
			switch {
			case name == "Kernel Name":
				kernel, _, _ = strings.Cut(row[i], "(")
			case slices.Contains(wanted, name):
				v, err := strconv.ParseFloat(strings.ReplaceAll(row[i], ",", ""), 64)
				if err != nil {
					return nil, fmt.Errorf("%s: %s is no number: may this user read the counters? (NVIDIA's ERR_NVGPUCTRPERM says how)", kernel, name)
				}
				values[name] = v
			}
		}
		if kernels[kernel] == nil {
			kernels[kernel] = values
		}
	}
	for _, metric := range wanted {
		for kernel, values := range kernels {
			if _, ok := values[metric]; !ok {
				return nil, fmt.Errorf("%s: no metric %s", kernel, metric)
			}
		}
	}
	return kernels, nil
}

// fromHeading skips the lines before the one with the names of the columns.
func fromHeading(r io.Reader) io.Reader {
	lines := bufio.NewReader(r)
	for {
		start, err := lines.Peek(len(`"ID"`))
		if err != nil || string(start) == `"ID"` {
			return lines
		}
		if _, err := lines.ReadString('\n'); err != nil {
			return lines
		}
	}
}
