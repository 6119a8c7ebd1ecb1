package cu

import (
	"errors"
	"sync"

	"transpose/common/ptx"
)

// driver is the state of the emulated driver. Its methods hold mu.
var driver struct {
	mu          sync.Mutex
	initialised bool
	contexts    []*context
	current     map[int]*context // by OS thread
	lastError   error
	grid, block ptx.Dim3                       // of the last launch
	trace       func(grid ptx.Dim3) []ptx.Dim3 // of the next one, or nil
}

// A context is one emulated device context and everything made in it.
type context struct {
	memory    *ptx.Memory
	allocated int64
	modules   []*ptx.Module
	functions []*ptx.Entry
	streams   int
	fault     error  // what a kernel was accused of; every later call fails with sticky
	sticky    Result // SUCCESS until then
	counts    *ptx.Counts
	samples   []ptx.Sample // of the last launch that TraceNext was for
}

// fail panics with r and remembers why, for LastError. why may be nil.
func fail(r Result, why error) {
	driver.lastError = why
	panic(r)
}

// begin locks the driver for a call that needs Init; the caller defers end.
func begin() {
	driver.mu.Lock()
	if !driver.initialised {
		defer driver.mu.Unlock()
		fail(ERROR_NOT_INITIALIZED, nil)
	}
}

func end() { driver.mu.Unlock() }

// enter is begin for a call that works in a context: it returns the one that is
// current on this OS thread.
func enter() *context {
	begin()
	c := driver.current[threadID()]
	if c == nil {
		defer end()
		fail(ERROR_INVALID_CONTEXT, nil)
	}
	return c
}

// enterWaiting is enter for a call that waits for the device: it panics with the
// fault of an earlier kernel, if there was one.
func enterWaiting() *context {
	c := enter()
	if c.sticky != SUCCESS {
		defer end()
		fail(c.sticky, c.fault)
	}
	return c
}

// LaunchCounts returns what the last launch in the current context asked of
// memory, or nil if none has ended well. The real package has no such call.
func LaunchCounts() *ptx.Counts {
	c := enter()
	defer end()
	return c.counts
}

// TraceNext has the next launch, in whatever context, record the requests of some
// blocks, which choose picks when it knows the grid. The real package has no such call.
func TraceNext(choose func(grid ptx.Dim3) []ptx.Dim3) {
	driver.mu.Lock()
	defer driver.mu.Unlock()
	driver.trace = choose
}

// LaunchTrace returns what the last launch that TraceNext was for in the current context
// recorded: see [ptx.Config]. The real package has no such call.
func LaunchTrace() []ptx.Sample {
	c := enter()
	defer end()
	return c.samples
}

// LastLaunch returns the grid and the block of the last launch, of whatever context. The
// real package has no such call.
func LastLaunch() (grid, block ptx.Dim3) {
	driver.mu.Lock()
	defer driver.mu.Unlock()
	return driver.grid, driver.block
}

// LastError says what the last panic of this package was about, as far as a
// Result cannot: a *ptx.Fault with kernel, block, thread and line, a
// *ptx.Unsupported, or the limit that a launch exceeds. It is nil where the
// Result says all. The real package has no such call.
func LastError() error {
	driver.mu.Lock()
	defer driver.mu.Unlock()
	return driver.lastError
}

// resultOf returns the Result that a driver gives for a launch error of the
// emulator, and whether it comes at the launch or at the next synchronisation.
// A GPU does not detect races and unwritten reads; they count as
// ERROR_LAUNCH_FAILED.
func resultOf(err error) (r Result, atLaunch bool) {
	var fault *ptx.Fault
	var unsupported *ptx.Unsupported
	switch {
	case errors.As(err, &unsupported):
		return ERROR_NOT_SUPPORTED, true
	case !errors.As(err, &fault):
		return ERROR_INVALID_VALUE, true
	}
	switch fault.Kind {
	case ptx.BadArguments:
		return ERROR_INVALID_VALUE, true
	case ptx.OutOfBounds:
		return errorIllegalAddress, false
	case ptx.Misaligned:
		return ERROR_MISALIGNED_ADDRESS, false
	case ptx.AssertFailed:
		return ERROR_ASSERT, false
	case ptx.Endless, ptx.TooLong:
		return ERROR_LAUNCH_TIMEOUT, false
	}
	return ERROR_LAUNCH_FAILED, false
}
