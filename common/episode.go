package common

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"

	"transpose/common/internal/terminal"
	"transpose/common/ptx"
	"transpose/common/record"

	"github.com/mumax/3/cuda/cu"
)

// An Episode is one run of an episode's kernels at one size.
type Episode struct {
	N   int          // the matrices are N × N
	PTX string       // text of the PTX to load
	In  cu.DevicePtr // the input matrix on the device, filled with each element's own index
	Out cu.DevicePtr // the output matrix on the device

	report *Report
	file   ptxFile
	source string    // the episode's transpose.cu
	only   string    // the one kernel to measure, or ""
	copies []waiting // that may be its ceiling
	inputs [2]*input // by fill; made when first needed
	got    []float32 // the output, brought back
	kernel Kernel    // at work
	traced bool      // the requests of warps are recorded
	status *terminal.Status
}

// An input is what a check uploads, and its transpose, by the CPU.
type input struct{ in, transposed []float32 }

// input returns the input of a fill.
func (ep *Episode) input(f fill) *input {
	if ep.inputs[f] == nil {
		in := f.matrix(ep.N)
		ep.inputs[f] = &input{in, Transpose(in, ep.N)}
	}
	return ep.inputs[f]
}

// A waiting kernel is a copy that is measured only if it turns out to have the
// launch of the one kernel that was asked for.
type waiting struct {
	Kernel
	launch func()
}

// Measure checks a kernel and measures it: it times launch, or counts what it asks
// of memory. Where one kernel alone was asked for, it passes over the others, but
// for the copy of the same launch.
func (ep *Episode) Measure(k Kernel, launch func()) {
	switch {
	case ep.only == "" || ep.only == k.Name:
		for _, c := range ep.copies {
			if c.SameLaunch(k) {
				ep.add(c.Kernel, c.launch)
			}
		}
		ep.add(k, launch)
	case k.Leaves == Copied:
		ep.copies = append(ep.copies, waiting{k, launch})
	}
}

// add measures a kernel and adds what it found to the report.
func (ep *Episode) add(k Kernel, launch func()) {
	ep.kernel = k
	ep.status.Say("%s %s, n = %d", doing, k.Name, ep.N)
	ep.report.add(ep.measure(k, launch))
}

// measure checks a kernel, times or counts it, and checks again, with values of
// every kind: it can be right in its first launch and wrong later, or right only for
// whole numbers. A wrong kernel gets no time.
func (ep *Episode) measure(k Kernel, launch func()) Row {
	ep.traceNext()
	row := Row{Kernel: k, Err: ep.check(k.Leaves, byIndex, launch)}
	again := measureDevice(&row, ep, launch)
	blameBarrier(&row)
	ep.blameShape(&row)
	if !again {
		return row
	}
	if err := ep.check(k.Leaves, anyFloat, launch); err != nil {
		row.Times = nil
		if later := ep.check(k.Leaves, byIndex, launch); later != nil {
			row.Err = fmt.Errorf("right at first, wrong after %d more launches: %w", 1+launches, later)
		} else {
			row.Err = fmt.Errorf("right for %s, wrong for other values: %w", indexText(ep.N), err)
		}
	}
	return row
}

// check poisons the output, launches once, and compares the result. It uploads
// the input anew, so that no kernel can spoil it for the next.
func (ep *Episode) check(l Leaves, f fill, launch func()) error {
	bytes, input := ep.bytes(), ep.input(f)
	cu.MemcpyHtoD(ep.In, unsafe.Pointer(&input.in[0]), bytes)
	cu.MemsetD8(ep.Out, byte(Poison&0xFF), bytes)
	launch()
	cu.CtxSynchronize()
	cu.MemcpyDtoH(unsafe.Pointer(&ep.got[0]), ep.Out, bytes)
	want := input.transposed
	if l == Copied {
		want = input.in
	}
	return output{ep.got, want, ep.N, f, l}.check()
}

// newEpisode is a run of the program's kernels at size n with the PTX in file.
func (p *Program) newEpisode(n int, only string, file ptxFile) *Episode {
	ep := &Episode{N: n, report: &Report{Run: record.Run{Name: p.Name, N: n}}, source: p.Source, only: only, got: make([]float32, n*n)}
	if !strings.Contains(file.text, "vprintf") { // what a kernel prints comes at any time
		ep.status = p.status
	}
	ep.use(file)
	return ep
}

// bytes is the size of one matrix.
func (ep *Episode) bytes() int64 { return 4 * int64(ep.N) * int64(ep.N) }

// Run runs an episode once at size n with the given PTX, as [Main] does, and
// returns what it found out. The error is a wrong output, or what stopped the
// run.
func Run(name string, n int, ptx string, body func(*Episode)) (*Report, error) {
	p := &Program{Name: name, Body: body}
	report, _, err := p.runEpisode(options{n: n}, []ptxFile{{"transpose.ptx", ptx, noSource}})
	if err == nil {
		err = report.Err()
	}
	return report, err
}

// runEpisode runs the episode once on the device and returns what it found, and
// which of files it ran: the first that the driver loads. The error is what
// stopped the run; what was measured until then is in the report. A wrong output
// does not stop it: the kernel's row has the error.
func (p *Program) runEpisode(o options, files []ptxFile) (*Report, ptxFile, error) {
	// The driver's context belongs to an OS thread, and a goroutine moves
	// between threads unless it is locked to one (CUDA Driver API, "Context
	// Management").
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	ep := p.newEpisode(o.n, o.kernel, files[0])
	ep.traced = o.trace != ""
	err := catch(func() {
		cu.Init(0)
		device := cu.DeviceGet(0)
		context := cu.CtxCreate(cu.CTX_SCHED_AUTO, device)
		// After a fault every call fails with it, this one too: the first
		// answer is the one to report.
		defer func() { _ = catch(context.Destroy) }()
		ep.report.describe(device)
		ep.fallBack(files)
		ep.In, ep.Out = alloc(ep.bytes()), alloc(ep.bytes())
		ep.measureMemcpy()
		p.Body(ep)
		if ep.only != "" && ep.kernel.Name != ep.only {
			panic(fmt.Errorf("-k %s: the episode launches no such kernel\ngive -k one of %s", ep.only, strings.Join(ep.file.entries(), ", ")))
		}
		if small := secondSize(ep.N); small != ep.N && ep.report.Err() == nil {
			ep.checkSmall(p, small)
		}
	})
	if err != nil {
		ep.report.stopped = ep.kernel
		_, ep.report.stoppedBlock = lastLaunch()
	}
	return ep.report, ep.file, ep.explain(err)
}

// checkSmall runs the program's kernels at a small size, for the check with values
// of every kind, and adds to the report what is wrong there.
func (ep *Episode) checkSmall(p *Program, n int) {
	small := p.newEpisode(n, ep.only, ep.file)
	small.In, small.Out = alloc(small.bytes()), alloc(small.bytes())
	err := small.explain(catch(func() { p.Body(small) }))
	for i, row := range small.report.Rows {
		if row.Err != nil && i < len(ep.report.Rows) {
			ep.report.Rows[i].Err = fmt.Errorf("right at n = %d, but at n = %d %w", ep.N, n, row.Err)
		}
	}
	if err != nil {
		ep.kernel = small.kernel
		panic(fmt.Errorf("%s: right at n = %d, but at n = %d %w", small.kernel.Name, ep.N, n, err))
	}
}

// use makes file the PTX of this run.
func (ep *Episode) use(file ptxFile) {
	ep.file, ep.PTX, ep.report.PTX = file, file.text, file.String()
}

// fallBack takes the second of files if the driver refuses the first: the
// toolkit may be newer than the driver, or the card older than what it compiles
// for.
func (ep *Episode) fallBack(files []ptxFile) {
	if len(files) < 2 {
		return
	}
	err := catch(func() { cu.ModuleLoadData(files[0].text) })
	switch err {
	case resultUnsupportedPTX, resultInvalidPTX, resultNoBinary:
		ep.use(files[1])
		ep.report.Notes = append(ep.report.Notes, fmt.Sprintf("the driver refused %s (%d); the committed PTX ran instead", files[0], int(err.(Result))))
	}
}

// alloc allocates device memory; the error of a full device says how full.
func alloc(bytes int64) (p cu.DevicePtr) {
	err := catch(func() { p = cu.MemAlloc(bytes) })
	if err == resultOutOfMemory {
		free, total := cu.MemGetInfo()
		err = outOfMemory(bytes, free, total)
	}
	if err != nil {
		panic(err)
	}
	return p
}

// catch calls f and returns the panic that ended it as an error. It is the one
// place that knows how cu reports failure: by panicking with a cu.Result.
func catch(f func()) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case cu.Result:
			err = deviceError(Result(v))
		case runtime.Error:
			err = fmt.Errorf("%s%w", panicPlace(), v)
		case error:
			err = v
		default:
			err = fmt.Errorf("%v", v)
		}
	}()
	f()
	return nil
}

// panicPlace is the file and line of the code that made the Go runtime panic,
// such as "main.go:42: ": the first frame that is not the runtime's. It is called
// while the panic is being recovered.
func panicPlace() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); f.Function != "" && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf("%s:%d: ", filepath.Base(f.File), f.Line)
		}
	}
	return ""
}

// explain adds to a driver's answer what the run knows: the kernel at work, the
// PTX, its version.
func (ep *Episode) explain(err error) error {
	switch err {
	case nil:
		return nil
	case resultUnsupportedPTX:
		return newerDriverNeeded(ep.file.version(), ep.report.Card.Driver)
	case resultInvalidPTX, resultNoBinary:
		return fmt.Errorf("%s: %w", ep.file, err)
	case resultOutOfMemory:
		if ep.Out == 0 { // alloc says it better
			return noRoomForContext(2 * ep.bytes())
		}
	}
	if none := (notFound{}); errors.As(err, &none) {
		if none.name == "" {
			none.name = ep.file.missing(ep.source)
		}
		return noSuchKernel(none.name, ep.file)
	}
	if f, ok := err.(*ptx.Fault); ok {
		if s := ep.writtenFor(); s != "" {
			return shapedFault{f, s}
		}
		return ep.withHint(f)
	}
	var syntax *ptx.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("%s: %w\nthe file is damaged, or no PTX", ep.file.path, err)
	}
	if ep.kernel.Name != "" && !strings.HasPrefix(err.Error(), ep.kernel.Name+": ") {
		return fmt.Errorf("%s: %w", ep.kernel.Name, err)
	}
	return err
}
