//go:build !cuda

package common

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strings"

	"transpose/common/ptx"
	"transpose/common/record"

	"github.com/mumax/3/cuda/cu"
)

// doing is what a run does with a kernel.
const doing = "counting"

// launches is how often a kernel that keeps state is launched between the two
// checks, as often as the GPU times it.
const launches = 20

// checkedTwice is the largest n whose kernels are launched a second time, with
// values of every kind. A larger matrix would take twice the time: its kernels get
// their second check at n = 256, as what a kernel does to a value it does at every
// size. 256 leaves no partial tiles, like 4096, so the guards stay idle.
const checkedTwice, checkedSmall = 1024, 256

// largestN is the largest size that the emulator takes.
const largestN = 8192

const otherSizes = "other sizes than 4096 are for checking the guards"

// tooLarge says why a size is refused. The matrices on both sides and what the
// emulator keeps of each byte come to five times one matrix.
func tooLarge(n int) string {
	times := float64(n) * float64(n) / (SeriesN * SeriesN)
	return fmt.Sprintf("to count that takes %.0f times as long as n = 4096, and %.0f GB of memory; on a GPU sizes up to 16384 are timed", times, math.Ceil(5.2*4e-9*SeriesN*SeriesN*times))
}

// secondSize returns the size of the second check of kernels that run at n.
func secondSize(n int) int {
	if n > checkedTwice {
		return checkedSmall
	}
	return n
}

// measureDevice takes the counts of the launch just checked, exact or not. The
// emulator gives the same output for the same input every time, so more launches
// are due only where it changes a variable that outlives it.
func measureDevice(row *Row, ep *Episode, launch func()) (checkAgain bool) {
	row.Counts = cu.LaunchCounts()
	if ep.traced {
		grid, block := cu.LastLaunch()
		row.Traced = &record.Traced{In: uint64(ep.In), Out: uint64(ep.Out), Grid: grid, Block: block, Requests: cu.LaunchTrace()}
	}
	loads := record.Kind{Space: ptx.Global}.Sum(row.Counts)
	if row.Err == nil && row.Kernel.Leaves != Untouched && loads.Requests == 0 {
		row.Err = errNeverReads
	}
	if row.Err != nil {
		return false
	}
	if !row.Counts.ChangesVariables {
		return secondSize(ep.N) == ep.N
	}
	for i := 0; i < 1+launches; i++ {
		launch()
	}
	cu.CtxSynchronize()
	return true
}

// traceNext has the next launch record the requests of warps, if this run is traced.
func (ep *Episode) traceNext() {
	if ep.traced {
		cu.TraceNext(tracedBlocks)
	}
}

// lastLaunch returns the grid and the block of the last launch.
func lastLaunch() (grid, block ptx.Dim3) { return cu.LastLaunch() }

// measureMemcpy does nothing: only a clock has a use for the driver's copy.
func (ep *Episode) measureMemcpy() {}

// deviceError is the error for a driver's answer: what the emulator knows in
// words, if it does.
func deviceError(r Result) error {
	var none *cu.NoKernel
	switch err := cu.LastError(); {
	case errors.As(err, &none):
		return notFound{none.Name}
	case err != nil:
		return err
	}
	return r
}

// describe names the emulator in the report.
func (r *Report) describe(cu.Device) { r.Device = "PTX emulator" }

// deviceOptions are the flags of a program that counts.
type deviceOptions struct {
	why   string // nothing is timed; "" if another program has timed it already
	given bool   // and it was looked into; else nothing is known of the machine
}

func (o *deviceOptions) define(f *flag.FlagSet) {
	f.Func("why", "the `reason` to print for timing nothing; an empty one prints the counts alone", func(s string) error {
		o.why, o.given = s, true
		return nil
	})
}

// timed reports whether another program has timed the same kernels just now.
func (o *deviceOptions) timed() bool { return o.given && o.why == "" }

// remark says that nothing was timed: why, or else what would do it.
func (o *deviceOptions) remark(episode string) string {
	if o.given {
		return o.why + ": counted, not timed"
	}
	number, _, _ := strings.Cut(episode, "-")
	return "counted, not timed: make " + number + " times it where there is a GPU"
}

// write prints the report.
func (r *Report) write(w io.Writer, cu sources, o options) {
	if len(r.Rows) == 0 { // stopped before anything was counted
		return
	}
	if !o.timed() {
		r.writeHeader(w, o.remark(r.Name))
		r.WriteTable(w, r.Notes...)
	}
	r.writeCounts(w, cu)
}
