package cu

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"transpose/common/ptx"
)

// kernels is PTX with a kernel that adds 1 to a word, and one that writes far
// outside every buffer.
const kernels = `
.version 4.2
.target sm_50
.address_size 64
.visible .entry increment(.param .u64 word, .param .u32 by)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [word];
	ld.param.u32 %r1, [by];
	ld.global.u32 %r2, [%rd1];
	add.u32 %r3, %r2, %r1;
	st.global.u32 [%rd1], %r3;
	ret;
}
.visible .entry far(.param .u64 word, .param .u32 by)
{
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [word];
	st.global.u32 [%rd1+4096], 7;
	ret;
}
`

// start makes a context on this OS thread for one test.
func start(t *testing.T) {
	t.Helper()
	runtime.LockOSThread()
	Init(0)
	context := CtxCreate(CTX_SCHED_AUTO, DeviceGet(0))
	t.Cleanup(func() {
		context.Destroy()
		runtime.UnlockOSThread()
	})
}

// panicOf returns what f panics with, or nil.
func panicOf(f func()) (r any) {
	defer func() { r = recover() }()
	f()
	return nil
}

// launch launches a kernel of one thread.
func launch(f Function, args ...uint64) {
	var pointers []unsafe.Pointer
	for i := range args {
		pointers = append(pointers, unsafe.Pointer(&args[i]))
	}
	LaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, pointers)
}

func TestLaunch(t *testing.T) {
	start(t)
	word := MemAlloc(4)
	MemsetD32(word, 40, 1)
	increment := ModuleLoadData(kernels).GetFunction("increment")
	launch(increment, uint64(word), 2)
	CtxSynchronize()
	var got uint32
	MemcpyDtoH(unsafe.Pointer(&got), word, 4)
	if got != 42 {
		t.Errorf("40 + 2 = %d", got)
	}
	if counts := LaunchCounts(); len(counts.Accesses) != 2 || counts.Accesses[0].Sectors != 1 {
		t.Errorf("LaunchCounts = %+v", counts)
	}
	if _, block := LastLaunch(); block.X != 1 || block.Y != 1 {
		t.Errorf("LastLaunch has block %+v", block)
	}
}

// TestResults provokes what a driver refuses.
func TestResults(t *testing.T) {
	start(t)
	word := MemAlloc(64)
	module := ModuleLoadData(kernels)
	increment := module.GetFunction("increment")
	var host [64]byte
	for _, test := range []struct {
		name string
		call func()
		want Result
	}{
		{"a kernel that is not there", func() { module.GetFunction("decrement") }, ERROR_NOT_FOUND},
		{"text that is no PTX", func() { ModuleLoadData("hello") }, errorInvalidPTX},
		{"a file that is not there", func() { ModuleLoad("no such file") }, ERROR_FILE_NOT_FOUND},
		{"a second device", func() { DeviceGet(1) }, ERROR_INVALID_DEVICE},
		{"no bytes", func() { MemAlloc(0) }, ERROR_INVALID_VALUE},
		{"too many bytes", func() { MemAlloc(1 << 40) }, ERROR_OUT_OF_MEMORY},
		{"a copy past the end", func() { MemcpyDtoH(unsafe.Pointer(&host), word, 65) }, ERROR_INVALID_VALUE},
		{"a free of half a buffer", func() { (word + 32).Free() }, ERROR_INVALID_VALUE},
		{"an unknown stream", func() { Stream(9).Synchronize() }, ERROR_INVALID_HANDLE},
		{"an unknown module", func() { Module(9).GetFunction("increment") }, ERROR_INVALID_HANDLE},
		{"a block of 1025 threads", func() {
			LaunchKernel(increment, 1, 1, 1, 1025, 1, 1, 0, 0, make([]unsafe.Pointer, 0))
		}, ERROR_INVALID_VALUE},
		{"a grid without blocks", func() {
			LaunchKernel(increment, 0, 1, 1, 1, 1, 1, 0, 0, make([]unsafe.Pointer, 0))
		}, ERROR_INVALID_VALUE},
		{"one argument of two", func() { launch(increment, uint64(word)) }, ERROR_INVALID_VALUE},
		{"a destroyed context", func() { Context(9999).SetCurrent() }, ERROR_INVALID_CONTEXT},
	} {
		if got := panicOf(test.call); got != test.want {
			t.Errorf("%s: panic %v, want %v", test.name, got, test.want)
		}
	}
}

// TestFaultIsSticky holds that a fault waits for the next call that waits for
// the device, and then stays.
func TestFaultIsSticky(t *testing.T) {
	start(t)
	word := MemAlloc(4)
	far := ModuleLoadData(kernels).GetFunction("far")
	if p := panicOf(func() { launch(far, uint64(word), 0) }); p != nil {
		t.Errorf("the launch itself panics with %v", p)
	}
	for _, call := range []func(){CtxSynchronize, func() { MemAlloc(4) }, func() { MemsetD8(word, 0, 4) }} {
		if p := panicOf(call); p != errorIllegalAddress {
			t.Errorf("after the fault: panic %v, want %v", p, errorIllegalAddress)
		}
		var fault *ptx.Fault
		if !errors.As(LastError(), &fault) || fault.Kind != ptx.OutOfBounds || fault.Kernel != "far" {
			t.Errorf("LastError = %v", LastError())
		}
	}
}

// TestArgumentOfFourBytes passes an int32 where eight bytes are read: what lies
// behind it in memory arrives in the upper half.
func TestArgumentOfFourBytes(t *testing.T) {
	start(t)
	word := uint64(MemAlloc(4))
	increment := ModuleLoadData(kernels).GetFunction("increment")
	by := [2]int32{2, 1}
	p := panicOf(func() {
		LaunchKernel(increment, 1, 1, 1, 1, 1, 1, 0, 0, []unsafe.Pointer{unsafe.Pointer(&word), unsafe.Pointer(&by[0])})
	})
	if p != ERROR_INVALID_VALUE || LastError() == nil || !strings.Contains(LastError().Error(), "by") {
		t.Errorf("panic %v, %v", p, LastError())
	}
}

// TestPrintAndAssert holds that a kernel's printf comes on standard output, and that
// an assert that does not hold is the driver's ASSERT.
func TestPrintAndAssert(t *testing.T) {
	start(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = w
	f := ModuleLoadData(`.version 6.0
.target sm_50
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.global .align 1 .b8 $s[4] = {104, 105, 10, 0};
.visible .entry k() {
.reg .b64 %d<2>;
.param .b64 a;
.param .b64 b;
.param .b32 c;
.param .b64 d;
.param .b64 e;
mov.u64 %d0, $s;
cvta.global.u64 %d1, %d0;
st.param.b64 [a], %d1;
st.param.b64 [b], %d1;
call (c), vprintf, (a, b);
call __assertfail, (a, b, c, d, e);
ret;
}
`).GetFunction("k")
	LaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, nil)
	os.Stdout = stdout
	w.Close()
	if text, err := io.ReadAll(r); string(text) != "hi\n" || err != nil {
		t.Errorf("printed %q, error %v", text, err)
	}
	if p := panicOf(CtxSynchronize); p != ERROR_ASSERT {
		t.Errorf("panic %v, want %v", p, ERROR_ASSERT)
	}
}

// TestThreads runs 50 subtests at once. Each works in a context of its own on a
// thread of its own, and cannot use a context that is current elsewhere.
func TestThreads(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells a Go program its thread")
	}
	for i := 0; i < 50; i++ {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			start(t)
			word := MemAlloc(4)
			MemsetD32(word, uint32(i), 1)
			launch(ModuleLoadData(kernels).GetFunction("increment"), uint64(word), 1)
			CtxSynchronize()
			var got uint32
			MemcpyDtoH(unsafe.Pointer(&got), word, 4)
			if got != uint32(i)+1 {
				t.Errorf("%d + 1 = %d", i, got)
			}
			var other sync.WaitGroup
			other.Add(1)
			go func() {
				defer other.Done()
				runtime.LockOSThread() // not unlocked: the thread ends with the goroutine
				if p := panicOf(func() { MemAlloc(4) }); p != ERROR_INVALID_CONTEXT {
					t.Errorf("on another thread: panic %v, want %v", p, ERROR_INVALID_CONTEXT)
				}
			}()
			other.Wait()
		})
	}
}
