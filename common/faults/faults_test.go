//go:build !cuda

package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unsafe"

	"github.com/mumax/3/cuda/cu"

	"transpose/common"
	"transpose/common/compile"
	"transpose/common/internal/columns"
	"transpose/common/machine"
)

// A kernelFault is a mistake in a kernel or in its launch, with the fixture that
// makes it. It is a part of FAULTS.md.
type kernelFault struct {
	group        string // heading on the page, from here on
	fault        string // what is wrong, for the page
	file, kernel string // fixture in ptx/testdata, without .cu
	submission   string // or in testdata/submissions
	n            int
	launch       launch
	leaves       common.Leaves
	args         func(right []uint64) []uint64 // what is passed instead of out, in and n
	inPlace      bool                          // out is in, too
	goroutine    bool                          // launched from one that is not the main one

	status int
	says   []string // in the output, whatever compiler made the PTX
	shows  string   // where the status is 0: what the line to look at has, besides the kernel's name
	do     string   // for the page

	right       string // file/kernel that does the same without the mistake
	rightLaunch launch // its launch, if another
}

// A launch gives the grid and block for a matrix of n × n.
type launch func(n int) (grid, block cu.Dim3)

// blocksOf launches blocks of x × y threads that do width × height elements each.
func blocksOf(x, y, width, height int) launch {
	return func(n int) (grid, block cu.Dim3) {
		return cu.Dim3{X: (n + width - 1) / width, Y: (n + height - 1) / height, Z: 1}, cu.Dim3{X: x, Y: y, Z: 1}
	}
}

var (
	elements = blocksOf(32, 8, 32, 8)     // one element a thread
	tiles    = blocksOf(32, 8, 32, 32)    // four rows a thread
	quads    = blocksOf(32, 8, 128, 8)    // four columns a thread
	strips   = blocksOf(32, 8, 32, 64)    // eight rows a warp
	oneRow   = blocksOf(32, 8, 32, 1<<20) // of blocks
)

// linear launches one thread an element, in blocks of 256.
func linear(n int) (grid, block cu.Dim3) {
	return cu.Dim3{X: (n*n + 255) / 256, Y: 1, Z: 1}, cu.Dim3{X: 256, Y: 1, Z: 1}
}

// body is the run function of an episode whose only kernel is f's.
func (f kernelFault) body(ep *common.Episode) {
	module := cu.ModuleLoadData(ep.PTX)
	grid, block := f.launch(ep.N)
	function := module.GetFunction(f.kernel)
	args := []uint64{uint64(ep.Out), uint64(ep.In), uint64(ep.N)}
	if f.inPlace {
		args[1] = args[0]
	}
	if f.args != nil {
		args = f.args(args)
	}
	pointers := make([]unsafe.Pointer, len(args))
	for i := range args {
		pointers[i] = unsafe.Pointer(&args[i])
	}
	ep.Measure(common.Kernel{Name: f.kernel, Leaves: f.leaves, Grid: grid}, func() {
		if f.inPlace {
			cu.MemcpyDtoD(ep.Out, ep.In, 4*int64(ep.N)*int64(ep.N))
		}
		cu.LaunchKernel(function, grid.X, grid.Y, grid.Z, block.X, block.Y, block.Z, 0, 0, pointers)
	})
}

// program is an episode's program on a machine that has no compiler.
func program(source, committed string, body func(*common.Episode)) *common.Program {
	none := &machine.Machine{
		Root:      "/none",
		LookupEnv: func(string) (string, bool) { return "", false },
		Run:       func(name string, _ ...string) (string, error) { return "", fmt.Errorf("no %s", name) },
	}
	return &common.Program{Name: "faults", Source: source, Committed: committed, Body: body, Compiler: &compile.Compiler{Machine: none}}
}

// bodyOnGoroutine is body on an OS thread that is not the one of the context.
func (f kernelFault) bodyOnGoroutine(ep *common.Episode) {
	failure := make(chan any)
	go func() {
		defer func() { failure <- recover() }()
		f.body(ep)
	}()
	if v := <-failure; v != nil {
		panic(v)
	}
}

// A run is the exit status of a program, and what it printed on standard output and
// standard error, in lines as long as they are meant.
type run struct {
	status          int
	output, message string
}

// ran keeps the runs: the page shows what another test judges.
var ran = map[string]run{}

// run runs f as a whole program. dir is the folder with the PTX.
func (f kernelFault) run(t *testing.T, dir string) (status int, output, message string) {
	t.Helper()
	key := fmt.Sprintf("%s/%s/%s/%s/%d", dir, f.fault, f.source(), f.kernel, f.n)
	r, ok := ran[key]
	if !ok {
		r.status, r.output, r.message = f.runOnce(t, dir)
		ran[key] = r
	}
	return r.status, r.output, r.message
}

func (f kernelFault) runOnce(t *testing.T, dir string) (status int, output, message string) {
	t.Helper()
	source, err := os.ReadFile(f.source())
	if err != nil {
		t.Fatal(err)
	}
	body := f.body
	if f.goroutine {
		body = f.bodyOnGoroutine
	}
	args := []string{"-n", fmt.Sprint(f.n), "-ptx", f.compiled(dir)}
	var stdout, stderr strings.Builder
	status = program(string(source), "", body).Run(args, &stdout, &stderr)
	return status, columns.Unfold(2, stdout.String()), strings.TrimPrefix(columns.Unfold(0, stderr.String()), "faults: ")
}

// source is the path of f's .cu.
func (f kernelFault) source() string {
	if f.submission != "" {
		return submissionsFolder + "/" + f.submission + ".cu"
	}
	return "../ptx/testdata/" + f.file + ".cu"
}

// compiled is the path of f's PTX. Submissions have theirs by either compiler in the
// tree.
func (f kernelFault) compiled(dir string) string {
	if f.submission == "" {
		return filepath.Join(dir, f.file+".ptx")
	}
	compiler := "nvcc"
	if dir == "../ptx/testdata" {
		compiler = "clang"
	}
	return filepath.Join(submissionsFolder, compiler, f.submission+".ptx")
}

// twin is f without its mistake.
func (f kernelFault) twin() kernelFault {
	f.fault, f.submission = "right twin of "+f.fault, ""
	f.file, f.kernel, _ = strings.Cut(f.right, "/")
	f.args, f.goroutine = nil, false
	if f.rightLaunch != nil {
		f.launch = f.rightLaunch
	}
	return f
}

// ptxFolders are the places with PTX of the fixtures: what is committed, and what
// another compiler made of the same kernels, in the folder PTX_DIR.
func ptxFolders() []string {
	dirs := []string{"../ptx/testdata"}
	if d := os.Getenv("PTX_DIR"); d != "" {
		dirs = append(dirs, d)
	}
	return dirs
}

// TestKernelFaults runs every mistake as a reader would, and its right twin.
func TestKernelFaults(t *testing.T) {
	for _, dir := range ptxFolders() {
		for _, f := range kernelFaults {
			t.Run(fmt.Sprintf("%s/%s/%s/n=%d", filepath.Base(dir), f.kernel, f.fault, f.n), func(t *testing.T) {
				status, output, message := f.run(t, dir)
				if status != f.status {
					t.Errorf("status %d, want %d", status, f.status)
				}
				for _, want := range f.says {
					if !strings.Contains(output+message, want) {
						t.Errorf("the output lacks %q", want)
					}
				}
				if (status == 0) == (f.shows == "") {
					t.Errorf("status %d, but the page is to show %q", status, f.shows)
				}
				wantPlain(t, message)
				if t.Failed() {
					t.Logf("output:\n%s%s", output, message)
				}
				if f.right == "" {
					return
				}
				if status, output, message := f.twin().run(t, dir); status != 0 {
					t.Errorf("the right twin, %s: status %d\n%s%s", f.right, status, output, message)
				}
			})
		}
	}
}

// stackTrace matches what only a programmer of this package wants to read.
var stackTrace = regexp.MustCompile(`goroutine \d|\.go:\d|panic|runtime error`)

// wantPlain holds that a message is one or two lines, apart from the elements
// that a failed check lists, and has no stack trace.
func wantPlain(t *testing.T, message string) {
	t.Helper()
	if s := stackTrace.FindString(message); s != "" {
		t.Errorf("the message has %q", s)
	}
	if !strings.Contains(message, "wrong: ") && strings.Count(strings.TrimSpace(message), "\n") > 1 {
		t.Errorf("the message has more than two lines")
	}
}

// TestStaleBuffer runs a copy that writes a quarter of the rows before and after
// kernels that write them all: what those left must not pass for its own.
func TestStaleBuffer(t *testing.T) {
	const whole, part, transpose = "endless/endless_right", "copy_part_of_rows/copy_part_of_rows", "missing_barrier/missing_barrier_right"
	for _, dir := range ptxFolders() {
		for _, order := range [][]string{{part}, {whole, part}, {part, whole}, {whole, part, whole, part}, {transpose, part, transpose}} {
			report, err := common.Run("faults", 100, "", func(ep *common.Episode) {
				for _, name := range order {
					f := kernelFault{right: name, launch: tiles, leaves: common.Copied}.twin()
					if name == transpose {
						f.leaves = common.Transposed
					}
					if name == whole {
						f.launch = elements
					}
					text, err := os.ReadFile(filepath.Join(dir, f.file+".ptx"))
					if err != nil {
						t.Fatal(err)
					}
					ep.PTX = string(text)
					f.body(ep)
				}
			})
			if err == nil || !strings.HasPrefix(err.Error(), "copy_part_of_rows: wrong: 7,200 of 10,000 elements") {
				t.Errorf("%v: %v", order, err)
			}
			for i, row := range report.Rows {
				if wrong := order[i] == part; (row.Err != nil) != wrong {
					t.Errorf("%v, kernel %d: %v", order, i+1, row.Err)
				}
			}
		}
	}
}
