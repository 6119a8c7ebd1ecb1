package record

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"transpose/common/ptx"
)

// Value returns one number of one kernel, and with how many decimals it is
// printed. episode is ep02, or ep02/8192 for another size than the first; kernel is a name, memcpy for the driver's copy, or empty/128x512 where
// the grid matters. unit is ms, us or GB/s for the median time and what follows
// from it; of-copy for the ratio to the copy of the same launch; or a unit of the
// record, such as sectors/load or wavefronts/op.
func (rec *Record) Value(episode, kernel, unit string) (v float64, decimals int, err error) {
	r, row, err := rec.find(episode, kernel)
	if err != nil {
		return 0, 0, err
	}
	if v, ok := count(row.Counts, unit); ok {
		if v != math.Trunc(v) {
			decimals = 2
		}
		return v, decimals, nil
	}
	if row.Times != nil {
		switch median := row.Times.Median(); unit {
		case "ms":
			return median, 4, nil
		case "us":
			return 1e3 * median, 1, nil
		case "GB/s":
			return Bandwidth(BytesMoved(r.N), median), 1, nil
		case "of-copy":
			if c := r.copyOf(row.Kernel); c != nil {
				return c.Median() / median, 2, nil
			}
		}
	}
	return 0, 0, fmt.Errorf("%s %s has no %s in this record", episode, kernel, unit)
}

// IsCount reports whether a unit is counted, and not timed.
func IsCount(name string) bool {
	for _, k := range kinds {
		if slices.ContainsFunc(k.perRequest, func(u unit) bool { return u.name == name }) {
			return true
		}
	}
	return slices.ContainsFunc(totals, func(u unit) bool { return u.name == name })
}

// count returns what a launch counted, by the name of its unit.
func count(c *ptx.Counts, name string) (float64, bool) {
	for _, k := range kinds {
		a := k.Sum(c)
		for _, u := range k.perRequest {
			if u.name == name && a.Requests > 0 {
				return perRequest(*u.of(&a), a.Requests), true
			}
		}
	}
	all := Total(c)
	for _, u := range totals {
		if u.name == name && all.Requests > 0 {
			return float64(*u.of(&all)), true
		}
	}
	return 0, false
}

// find returns an episode and the row of a kernel.
func (rec *Record) find(episode, kernel string) (*Run, Row, error) {
	name, grid, _ := strings.Cut(kernel, "/")
	if name == "memcpy" {
		name = Memcpy.Name
	}
	r, err := rec.Run(episode)
	if err != nil {
		return nil, Row{}, err
	}
	for _, row := range r.Rows {
		g := fmt.Sprintf("%dx%d", row.Kernel.Grid.X, row.Kernel.Grid.Y)
		if row.Kernel.Name == name && (grid == "" || grid == g) {
			return r, row, nil
		}
	}
	return nil, Row{}, fmt.Errorf("the record has no %s %s", episode, kernel)
}
