package cu

import (
	"os"
	"unsafe"

	"transpose/common/ptx"
)

// Dim3 is the size of a grid or block.
type Dim3 struct {
	X, Y, Z int
}

// LaunchKernel runs a kernel over a grid of blocks. What it prints goes to
// standard output when it has ended. Each element of
// kernelParams points to one argument, of which eight bytes are read whatever
// its type, as the real package does: an argument must be a variable of eight
// bytes.
func LaunchKernel(f Function, gridDimX, gridDimY, gridDimZ int, blockDimX, blockDimY, blockDimZ int, sharedMemBytes int, stream Stream, kernelParams []unsafe.Pointer) {
	stream.check()
	c := enterWaiting()
	defer end()
	args := make([]uint64, len(kernelParams))
	for i, p := range kernelParams {
		args[i] = *(*uint64)(p)
	}
	driver.grid, driver.block = ptx.Dim3{X: gridDimX, Y: gridDimY, Z: gridDimZ}, ptx.Dim3{X: blockDimX, Y: blockDimY, Z: blockDimZ}
	config := ptx.Config{
		Grid:        driver.grid,
		Block:       driver.block,
		SharedBytes: sharedMemBytes,
		Args:        args,
		Output:      os.Stdout,
	}
	if choose := driver.trace; choose != nil {
		driver.trace, c.samples = nil, nil
		config.TraceBlocks = choose(driver.grid)
		config.Trace = func(s ptx.Sample) { c.samples = append(c.samples, s) }
	}
	counts, err := c.entry(f).Launch(c.memory, config)
	c.counts = counts
	if err == nil {
		return
	}
	r, atLaunch := resultOf(err)
	if atLaunch {
		fail(r, err)
	}
	c.sticky, c.fault = r, err
}

// Stream is a handle of a queue of work. The emulator does all work at once.
type Stream uintptr

// check panics if s is neither the default stream nor one of this context.
func (s Stream) check() {
	c := enter()
	defer end()
	if int(s) > c.streams {
		fail(ERROR_INVALID_HANDLE, nil)
	}
}

// StreamCreate makes a stream.
func StreamCreate() Stream {
	c := enterWaiting()
	defer end()
	c.streams++
	return Stream(c.streams)
}

// StreamDestroy destroys a stream and sets *stream to 0.
func StreamDestroy(stream *Stream) { stream.Destroy() }

// Destroy is StreamDestroy.
func (stream *Stream) Destroy() {
	stream.check()
	*stream = 0
}

// StreamSynchronize waits for the stream's work. It panics with the fault of a
// kernel, if there was one.
func StreamSynchronize(stream Stream) { stream.Synchronize() }

// Synchronize is StreamSynchronize.
func (stream Stream) Synchronize() {
	stream.check()
	CtxSynchronize()
}

// StreamQuery returns SUCCESS, or the fault of a kernel.
func StreamQuery(stream Stream) Result { return stream.Query() }

// Query is StreamQuery.
func (stream Stream) Query() Result {
	stream.check()
	c := enter()
	defer end()
	return c.sticky
}
