package record

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"transpose/common/ptx"
)

// Read reads the files of one run of the series, timed and counted ones
// in any order, and puts them together. Files that do not belong to one run are
// an error, and so is a line that is not of a record.
func Read(paths ...string) (*Record, error) {
	var timed, counted []*Record
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		rec, err := parseRecord(path, string(text))
		if err != nil {
			return nil, err
		}
		if rec.Setting("card") != "" {
			timed = append(timed, rec)
		} else {
			counted = append(counted, rec)
		}
	}
	all := &Record{}
	// Timed records first: they have every row, so theirs is the order.
	for _, rec := range append(timed, counted...) {
		if err := all.merge(rec); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// merge adds the rows of another record of the same run.
func (rec *Record) merge(other *Record) error {
	for _, s := range other.settings {
		have := rec.Setting(s.key)
		// A run may last past midnight, and what only counts may run another PTX.
		free := s.key == "date" || s.key == "ptx" && other.Setting("card") == ""
		if have != "" && have != s.value && !free {
			return fmt.Errorf("not the records of one run: %s is %q in one and %q in another\nrecord all episodes anew", s.key, have, s.value)
		}
		if have == "" {
			rec.settings = append(rec.settings, s)
		}
	}
	for _, r := range other.Runs {
		to := rec.run(r.Name, r.N)
		for _, row := range r.Rows {
			*to.row(row.Kernel) = joined(*to.row(row.Kernel), row)
		}
	}
	rec.describe()
	return nil
}

func joined(a, b Row) Row {
	a.Times = append(a.Times, b.Times...)
	if a.Counts == nil {
		a.Counts = b.Counts
	}
	return a
}

// run returns the run of an episode at a size, a new one if need be.
func (rec *Record) run(name string, n int) *Run {
	for _, r := range rec.Runs {
		if r.Name == name && r.N == n {
			return r
		}
	}
	r := &Run{Name: name, N: n}
	rec.Runs = append(rec.Runs, r)
	return r
}

// row returns the row of a kernel, a new one if need be.
func (r *Run) row(k Kernel) *Row {
	for i := range r.Rows {
		if r.Rows[i].Kernel == k {
			return &r.Rows[i]
		}
	}
	r.Rows = append(r.Rows, Row{Kernel: k})
	return &r.Rows[len(r.Rows)-1]
}

// describe gives every run what the settings say of the card.
func (rec *Record) describe() {
	driver, _ := strconv.ParseFloat(rec.Setting("driver"), 64)
	peak, _ := strconv.ParseFloat(strings.TrimSuffix(rec.Setting("peak"), " GB/s"), 64)
	l2, _ := strconv.ParseInt(rec.Setting("l2-bytes"), 10, 64)
	sms, _ := strconv.Atoi(rec.Setting("sms"))
	clock, _ := strconv.ParseFloat(strings.TrimSuffix(rec.Setting("clock"), " MHz"), 64)
	for _, r := range rec.Runs {
		r.Card = Card{Name: rec.Setting("card"), Driver: int(math.Round(1000 * driver)), Toolkit: rec.Setting("toolkit"), L2: l2, Peak: peak, SMs: sms, Clock: clock}
	}
}

func parseRecord(path, text string) (*Record, error) {
	rec, n := &Record{}, 0
	for i, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		key, value, isSetting := strings.Cut(line, ": ")
		var err error
		switch {
		case len(fields) == 0 || fields[0] == "Unit":
		case strings.HasPrefix(line, "Benchmark"):
			err = rec.parseLine(fields, n)
		case isSetting && key == "n": // for all rows below, where their names have none
			if n, err = strconv.Atoi(value); err == nil && n < 1 {
				err = fmt.Errorf("no matrix has %d rows", n)
			}
		case isSetting:
			rec.settings = append(rec.settings, setting{key, value})
		default:
			err = fmt.Errorf("neither a setting nor a measurement")
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: not a line of a record: %w", path, i+1, err)
		}
	}
	if len(rec.Runs) == 0 {
		return nil, fmt.Errorf("%s: no record: it has no line of a kernel", path)
	}
	return rec, nil
}

// parseLine takes a line apart: name, iterations, then pairs of value and unit. n is
// the size if the name has none.
func (rec *Record) parseLine(fields []string, n int) error {
	episode, own, kernel, err := parseName(fields[0])
	if own > 0 {
		n = own
	}
	if err == nil && n == 0 {
		err = fmt.Errorf("%s has no n=", fields[0])
	}
	if err != nil {
		return err
	}
	values := map[string]float64{}
	for i := 2; i+1 < len(fields); i += 2 {
		if values[fields[i+1]], err = strconv.ParseFloat(fields[i], 64); err != nil {
			return err
		}
	}
	row := Row{Kernel: kernel}
	if row.Counts, err = parseCounts(values); err != nil {
		return err
	}
	if ns, ok := values["ns/op"]; ok {
		row.Times = Times{ns / 1e6}
		if err := row.Times.Validate(); err != nil {
			return err
		}
	}
	to := rec.run(episode, n).row(kernel)
	*to = joined(*to, row)
	return nil
}

// parseCounts returns the counts that countFields wrote, one access for each
// kind: what the line numbers were is not recorded.
func parseCounts(values map[string]float64) (*ptx.Counts, error) {
	var c ptx.Counts
	for _, k := range kinds {
		requests := values[k.requests]
		if requests == 0 {
			continue
		}
		a := ptx.Access{Space: k.Space, Store: k.Store, Requests: int64(requests)}
		for _, u := range k.perRequest {
			v, ok := values[u.name]
			if !ok {
				return nil, fmt.Errorf("it has %s and no %s: record the card anew", k.requests, u.name)
			}
			*u.of(&a) = int64(math.Round(requests * v))
		}
		c.Accesses = append(c.Accesses, a)
	}
	if len(c.Accesses) == 0 {
		return nil, nil
	}
	return &c, nil
}
