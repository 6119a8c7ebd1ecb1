package cu

import "transpose/common/ptx"

// Context is a handle of a device context.
type Context uintptr

// Flags of CtxCreate. The emulator has nothing to schedule and ignores them.
const (
	CTX_SCHED_AUTO         = 0x00
	CTX_SCHED_SPIN         = 0x01
	CTX_SCHED_YIELD        = 0x02
	CTX_BLOCKING_SYNC      = 0x04
	CTX_MAP_HOST           = 0x08
	CTX_LMEM_RESIZE_TO_MAX = 0x10
)

// CUDA_VERSION is 0: the emulator was built against no CUDA.
const CUDA_VERSION = 0

// Init starts the driver. flags must be 0.
func Init(flags int) {
	driver.mu.Lock()
	defer driver.mu.Unlock()
	if flags != 0 {
		fail(ERROR_INVALID_VALUE, nil)
	}
	driver.initialised = true
	if driver.current == nil {
		driver.current = map[int]*context{}
	}
}

// Version is 0: there is no driver.
func Version() int { return 0 }

// CtxCreate makes a context and makes it current on the calling OS thread.
func CtxCreate(flags uint, dev Device) Context {
	begin()
	defer end()
	checkDevice(dev)
	c := &context{memory: ptx.NewMemory()}
	driver.contexts = append(driver.contexts, c)
	driver.current[threadID()] = c
	return Context(len(driver.contexts))
}

// lookup returns the context behind a handle.
func (ctx Context) lookup() *context {
	if ctx == 0 || int(ctx) > len(driver.contexts) || driver.contexts[ctx-1] == nil {
		fail(ERROR_INVALID_CONTEXT, nil)
	}
	return driver.contexts[ctx-1]
}

// CtxDestroy destroys the context and all that was made in it, and sets *ctx
// to 0.
func CtxDestroy(ctx *Context) {
	begin()
	defer end()
	c := ctx.lookup()
	driver.contexts[*ctx-1] = nil
	for thread, current := range driver.current {
		if current == c {
			delete(driver.current, thread)
		}
	}
	*ctx = 0
}

// Destroy is CtxDestroy.
func (ctx *Context) Destroy() { CtxDestroy(ctx) }

// CtxGetApiVersion returns the version of the context's interface.
func CtxGetApiVersion(ctx Context) (version int) {
	begin()
	defer end()
	ctx.lookup()
	return 3020
}

// ApiVersion is CtxGetApiVersion.
func (ctx Context) ApiVersion() (version int) { return CtxGetApiVersion(ctx) }

// CtxGetCurrent returns the context that is current on this OS thread, or 0.
func CtxGetCurrent() Context {
	begin()
	defer end()
	current := driver.current[threadID()]
	for i, c := range driver.contexts {
		if c != nil && c == current {
			return Context(i + 1)
		}
	}
	return 0
}

// CtxGetDevice returns the device of the current context.
func CtxGetDevice() Device {
	enter()
	defer end()
	return 0
}

// CtxSetCurrent makes a context current on this OS thread; 0 makes none.
func CtxSetCurrent(ctx Context) {
	begin()
	defer end()
	if ctx == 0 {
		delete(driver.current, threadID())
		return
	}
	driver.current[threadID()] = ctx.lookup()
}

// SetCurrent is CtxSetCurrent.
func (ctx Context) SetCurrent() { CtxSetCurrent(ctx) }

// CtxSynchronize waits for all launches. It panics with the fault of a kernel,
// if there was one.
func CtxSynchronize() {
	enterWaiting()
	end()
}
