package main

import (
	"fmt"
	"path/filepath"
	"strconv"

	"transpose/common/record"
)

// value prints one number of one kernel.
func (c *commands) value(args []string) (string, error) {
	decimals := -1
	if d, err := strconv.Atoi(args[len(args)-1]); err == nil {
		decimals, args = d, args[:len(args)-1]
	}
	var v float64
	var usual int
	var err error
	switch {
	case len(args) == 3:
		v, usual, err = c.number(args[0], args[1], args[2])
	case len(args) >= 4 && args[2] == "over":
		v, usual, err = c.over(args[0], args[1], args[3:])
	default:
		err = fmt.Errorf("want an episode, a kernel and a unit, or over and a kernel")
	}
	if decimals < 0 {
		decimals = usual
	}
	if v >= 10000 && decimals == 0 {
		return thousands(int64(v)), err
	}
	return strconv.FormatFloat(v, 'f', decimals, 64), err
}

// thousands writes v with a comma between groups of three digits.
func thousands(v int64) string {
	if v < 1000 {
		return strconv.FormatInt(v, 10)
	}
	return fmt.Sprintf("%s,%03d", thousands(v/1000), v%1000)
}

// number returns a number of a kernel and its usual decimals. The emulator is
// asked for a count, so that it is there before any GPU was recorded.
func (c *commands) number(ep, kernel, unit string) (v float64, decimals int, err error) {
	var rec *record.Record
	if record.IsCount(unit) {
		rec, err = c.counted(ep)
	} else {
		rec, err = c.recorded()
	}
	if err != nil {
		return 0, 0, err
	}
	return rec.Value(ep, kernel, unit)
}

// over returns how many times as fast a kernel is as another: of the same
// episode, or of the one that others begins with.
func (c *commands) over(ep, kernel string, others []string) (v float64, decimals int, err error) {
	otherEp, other := ep, others[len(others)-1]
	if len(others) == 2 {
		otherEp = others[0]
	}
	fast, _, err := c.number(ep, kernel, "ms")
	if err != nil {
		return 0, 0, err
	}
	slow, _, err := c.number(otherEp, other, "ms")
	return slow / fast, 2, err
}

// recorded is the record that GPU figures come from.
func (c *commands) recorded() (*record.Record, error) {
	return record.Read(filepath.Join(c.root, c.record))
}

// counted is a record that the emulator makes of an episode now.
func (c *commands) counted(ep string) (*record.Record, error) {
	r, err := c.rightProgram(ep)
	if err != nil {
		return nil, err
	}
	return record.Read(r.record)
}
