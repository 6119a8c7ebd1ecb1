//go:build cuda

package common

// The driver's event calls, which the bindings do not have.

/*
#cgo LDFLAGS: -lcuda
#include <cuda.h>
*/
import "C"

import (
	"flag"
	"io"

	"github.com/mumax/3/cuda/cu"

	"transpose/common/ptx"
	"transpose/common/record"
)

// launches is how often a kernel is launched for its median.
const launches = 20

// measureDevice times a kernel on the GPU, if its output was exact. The second
// check is then due always: a race can spoil any launch.
func measureDevice(row *Row, _ *Episode, launch func()) (checkAgain bool) {
	if row.Err != nil {
		return false
	}
	row.Times = timeLaunches(launch)
	return true
}

// doing is what a run does with a kernel.
const doing = "timing"

// largestN is the largest size that is timed. The CPU's part of it takes 5 GiB.
const largestN = 16384

const otherSizes = "sizes that are no multiple of 64 are for checking the guards"

// tooLarge says why a size is refused.
func tooLarge(int) string {
	return "the check tells elements apart by 2^28 = 16384² values, and has no more"
}

// traceNext does nothing: a GPU does not tell what its warps ask for.
func (ep *Episode) traceNext() {}

// writeTrace does nothing: make runs the program that counts as well, with the same
// flags.
func (p *Program) writeTrace(options, *Report, ptxFile, error) error { return nil }

// lastLaunch returns nothing: the driver does not tell.
func lastLaunch() (grid, block ptx.Dim3) { return }

// secondSize returns the size of the second check of kernels that run at n.
func secondSize(n int) int { return n }

// timeLaunches returns the time of each of twenty launches after one warm-up.
// All are queued, each between two events, before the first is waited for: so
// the GPU always has the next launch at hand, and the time that the CPU takes
// to issue one stays out of the measurement.
func timeLaunches(launch func()) record.Times {
	var start, stop [launches]C.CUevent
	for i := range start {
		must(C.cuEventCreate(&start[i], C.CU_EVENT_DEFAULT))
		must(C.cuEventCreate(&stop[i], C.CU_EVENT_DEFAULT))
		defer C.cuEventDestroy(start[i])
		defer C.cuEventDestroy(stop[i])
	}
	launch()
	for i := range start {
		must(C.cuEventRecord(start[i], nil))
		launch()
		must(C.cuEventRecord(stop[i], nil))
	}
	cu.CtxSynchronize()

	times := make(record.Times, launches)
	for i := range times {
		var ms C.float
		must(C.cuEventElapsedTime(&ms, start[i], stop[i]))
		times[i] = float64(ms)
	}
	if err := times.Validate(); err != nil {
		panic(err)
	}
	return times
}

// must panics as cu does when the driver's answer is not success.
func must(r C.CUresult) {
	if r != C.CUDA_SUCCESS {
		panic(cu.Result(r))
	}
}

// measureMemcpy times the driver's own copy of the matrix, the card's fixed
// mark in every table.
func (ep *Episode) measureMemcpy() {
	ep.add(record.Memcpy, func() {
		cu.MemcpyDtoDAsync(ep.Out, ep.In, ep.bytes(), 0)
	})
}

// deviceError is the error for a driver's answer.
func deviceError(r Result) error {
	if r == resultNotFound {
		return notFound{}
	}
	return r
}

// describe notes the GPU in the report.
func (r *Report) describe(d cu.Device) {
	major, minor := d.ComputeCapability()
	r.Card = record.Card{
		Name:    d.Name(),
		Driver:  cu.Version(),
		Toolkit: record.CUDAVersion(cu.CUDA_VERSION),
		L2:      int64(d.Attribute(cu.L2_CACHE_SIZE)),
		Peak:    record.PeakBandwidth(d.Attribute(cu.MEMORY_CLOCK_RATE), d.Attribute(cu.GLOBAL_MEMORY_BUS_WIDTH)),
		SMs:     d.Attribute(cu.MULTIPROCESSOR_COUNT),
		Clock:   float64(d.Attribute(cu.CLOCK_RATE)) / 1e3, // in kHz
	}
	r.Device = r.gpuLine(major, minor)
}

// deviceOptions are the flags of a program that times: none.
type deviceOptions struct{}

func (deviceOptions) define(*flag.FlagSet) {}

func (deviceOptions) timed() bool { return false }

// write prints the report.
func (r *Report) write(w io.Writer, _ sources, _ options) {
	if len(r.Rows) == 0 { // stopped before anything was measured
		return
	}
	r.writeHeader(w, "")
	r.WriteTable(w, r.Notes...)
}
