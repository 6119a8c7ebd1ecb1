//go:build !cuda

package common

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/mumax/3/cuda/cu"

	"transpose/common/compile"
	"transpose/common/internal/columns"
	"transpose/common/internal/terminal"
	"transpose/common/machine"
)

// copyKernel is PTX of a copy, one block a row, with the given lines in front.
// HASH stands for the hash of the source, STORE for the store.
const copyKernel = `// transpose.cu SHA-256: HASH
// Compiler: hand
.version 4.2
.target sm_50
.address_size 64
.visible .entry copy(.param .u64 out, .param .u64 in, .param .u32 n)
{
	.reg .b32 %r<5>;
	.reg .b64 %rd<6>;
	.reg .f32 %f<2>;
	ld.param.u64 %rd1, [out];
	ld.param.u64 %rd2, [in];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.s32 %r4, %r1, %r2, %r3;
	mul.wide.s32 %rd3, %r4, 4;
	add.s64 %rd4, %rd1, %rd3;
	add.s64 %rd5, %rd2, %rd3;
	ld.global.f32 %f1, [%rd5];
	STORE
	ret;
}
`

const testSource = "a transpose.cu"

// testProgram is an episode's program on a machine that has no compiler.
func testProgram(name, source, committed string, body func(*Episode)) *Program {
	none := &machine.Machine{
		Root:      "/none",
		LookupEnv: func(string) (string, bool) { return "", false },
		Run:       func(name string, _ ...string) (string, error) { return "", fmt.Errorf("no %s", name) },
	}
	return &Program{Name: name, Source: source, Committed: committed, Body: body, Compiler: &compile.Compiler{Machine: none}}
}

func testPTX(store string) string {
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(testSource)))
	return strings.NewReplacer("HASH", hash, "STORE", store).Replace(copyKernel)
}

// launchCopy is an episode's run function that launches the kernel of copyKernel
// with args arguments and threads threads a block.
func launchCopy(name string, args, threads int) func(*Episode) {
	return func(ep *Episode) {
		module := cu.ModuleLoadData(ep.PTX)
		k := Kernel{Name: name, Leaves: Copied, Grid: cu.Dim3{X: ep.N, Y: 1, Z: 1}}
		function := module.GetFunction(k.Name)
		out, in, n := uint64(ep.Out), uint64(ep.In), uint64(ep.N)
		pointers := []unsafe.Pointer{unsafe.Pointer(&out), unsafe.Pointer(&in), unsafe.Pointer(&n)}
		if threads == 0 {
			threads = ep.N
		}
		ep.Measure(k, func() {
			cu.LaunchKernel(function, k.Grid.X, k.Grid.Y, k.Grid.Z, threads, 1, 1, 0, 0, pointers[:args])
		})
	}
}

// TestMainStatus runs whole programs: the exit status, and what a reader is
// told, which is never a Go stack trace.
func TestMainStatus(t *testing.T) {
	good := testPTX("st.global.f32 [%rd4], %f1;")
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cut := good[:len(good)-30]
	for _, test := range []struct {
		name   string
		args   string
		ptx    string // the committed one; good if empty
		run    func(*Episode)
		status int
		want   []string
	}{
		{"exact", "-n 64", "", nil, 0, []string{"copy                        exact", "PTX line 20  ld.global.f32 %f1, [%rd5]\n    load        128   4        1"}},
		{"n = 0", "-n 0", "", nil, 2, []string{"-n 0: a matrix has at least one row\n", "1 to 8192"}},
		{"n < 0", "-n -5", "", nil, 2, []string{"-n -5"}},
		{"n = 8193", "-n 8193", "", nil, 2, []string{"-n 8193: to count that takes 4 times as long as n = 4096, and 2 GB of memory; on a GPU", "1 to 8192"}},
		{"n = 8193, timed just now", "-why= -n 8193", "", nil, 0, []string{"not counted: n = 8193: to count that takes 4 times"}},
		{"n = 10^9", "-n 1000000000", "", nil, 2, []string{"1 to 8192"}},
		{"n = x", "-n x", "", nil, 2, []string{`invalid value "x" for flag -n`, "-h"}},
		{"unknown flag", "-frob", "", nil, 2, []string{"-frob", "-h"}},
		{"an argument", "-n 64 extra", "", nil, 2, []string{`"extra"`}},
		{"no such PTX", "-n 64 -ptx " + filepath.Join(dir, "none.ptx"), "", nil, 2, []string{"none.ptx: no such file", "-ptx"}},
		{"no PTX but text", "-n 64 -ptx " + write("text.ptx", "hello\n"), "", nil, 2, []string{"text.ptx"}},
		{"empty PTX", "-n 64 -ptx " + write("empty.ptx", ""), "", nil, 2, []string{"empty.ptx"}},
		{"truncated PTX", "-n 64 -ptx " + write("cut.ptx", cut), "", nil, 2, []string{"cut.ptx", "line"}},
		{"PTX of another .cu is no matter with -ptx", "-n 64 -ptx " + write("other.ptx", strings.Replace(good, "a transpose", "b", 1)), "", nil, 0, []string{"exact"}},
		{"edited .cu", "-n 64", strings.Replace(good, "SHA-256: ", "SHA-256: 0", 1), nil, 2, []string{"transpose.cu was edited, and no compiler for it is here\n", "install clang, 14 or newer", "git checkout"}},
		{"no such kernel", "-n 64", "", launchCopy("copia", 3, 0), 2, []string{"transpose.ptx has no kernel named copia", "it has: copy", `extern "C"`}},
		{"never written", "-n 64", testPTX(""), nil, 1, []string{"WRONG", "nothing was written"}},
		{"never read", "-n 64", strings.Replace(testPTX("st.global.f32 [%rd4], %f1;"), "ld.global.f32 %f1, [%rd5]", "cvt.rn.f32.s32 %f1, %r4", 1), nil, 1, []string{"WRONG", "the kernel never reads in"}},
		{"never used what it read", "-n 64", testPTX("cvt.rn.f32.s32 %f1, %r4; st.global.f32 [%rd4], %f1;"), nil, 1, []string{"WRONG", "right for in[i] = i, wrong for other values: wrong: 4,096 of 4,096", "out[0][1] holds 1 (bits 3f800000), not an element of in; want in[0][1], which is -1 (bits bf800000)", "likely: the index of an element is stored, not the element"}},
		{"the sign lost", "-n 64", testPTX("abs.f32 %f1, %f1; st.global.f32 [%rd4], %f1;"), nil, 1, []string{"right for in[i] = i, wrong for other values: wrong: ", "likely: the sign is lost"}},
		{"arithmetic on the way", "-n 64", testPTX("mul.f32 %f1, %f1, 0f3F800000; st.global.f32 [%rd4], %f1;"), nil, 1, []string{"likely: NaNs come back as another NaN"}},
		{"counted though wrong", "-n 64", testPTX("st.global.f32 [%rd4], 0f3F000000;"), nil, 1, []string{"WRONG", "PTX line 21  st.global"}},
		{"out of bounds", "-n 64", testPTX("st.global.f32 [%rd4+40000], %f1;"), nil, 1, []string{"out of bounds"}},
		{"misaligned", "-n 64", testPTX("st.global.f32 [%rd4+2], %f1;"), nil, 1, []string{"misaligned"}},
		{"too few arguments", "-n 64", "", launchCopy("copy", 2, 0), 1, []string{"argument"}},
		{"too many threads", "-n 64", "", launchCopy("copy", 3, 1025), 2, []string{"1024"}},
		{"unsupported", "-n 64", testPTX("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd4, {%r1}];"), nil, 2, []string{"unsupported", "tex.1d.v4.f32.s32"}},
		{"a panic of main.go", "-n 64", "", func(*Episode) { var none []int; _ = none[len(os.Args)] }, 2, []string{"main_test.go:", "index out of range"}},
		{"a record that can not be written", "-n 64 -record " + filepath.Join(dir, "none", "r.txt"), "", nil, 2, []string{"-record"}},
		{"counts alone", "-n 64 -why=", "", nil, 0, []string{"counted on the PTX"}},
		{"no reason", "-n 64", "", nil, 0, []string{"\ncounted, not timed: make ep01 times it where there is a GPU\n"}},
		{"a reason", "-n 64 -why=because", "", nil, 0, []string{"because: counted, not timed"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.ptx == "" {
				test.ptx = good
			}
			if test.run == nil {
				test.run = launchCopy("copy", 3, 0)
			}
			var out, errs strings.Builder
			status := testProgram("ep01-test", testSource, test.ptx, test.run).Run(strings.Fields(test.args), &out, &errs)
			text := out.String() + columns.Unfold(0, errs.String())
			if status != test.status {
				t.Errorf("status %d, want %d", status, test.status)
			}
			for _, want := range test.want {
				if !strings.Contains(text, want) {
					t.Errorf("the output lacks %q", want)
				}
			}
			if strings.Contains(text, "goroutine ") || strings.Contains(text, "runtime/") {
				t.Error("the output has a stack trace")
			}
			if alone := test.name == "counts alone"; alone == strings.Contains(text, "n = 64:") && status == 0 && strings.Contains(test.args, "-n 64") {
				t.Errorf("the table of checks is there: %v", !alone)
			}
			if (status == 0) != (errs.String() == "") {
				t.Errorf("status %d, and on standard error %q", status, errs.String())
			}
			if t.Failed() {
				t.Logf("output:\n%s", text)
			}
		})
	}
}

// TestFullDevice asks for more memory than the device has.
func TestFullDevice(t *testing.T) {
	_, err := Run("ep01-test", 64, testPTX("st.global.f32 [%rd4], %f1;"), func(*Episode) { alloc(1 << 40) })
	if err == nil || !strings.Contains(err.Error(), "asked for 1,099,511,627,776 bytes") {
		t.Errorf("Run = %v", err)
	}
	_, err = Run("ep01-test", 64, testPTX(""), func(*Episode) { panic(cu.Result(2)) })
	if err == nil || strings.Contains(err.Error(), "before the") {
		t.Errorf("with both matrices allocated: %v", err)
	}
}

// TestSourceText holds which .cu the lines of a report are quoted from.
func TestSourceText(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "student.cu"), []byte("a student's .cu"), 0o644); err != nil {
		t.Fatal(err)
	}
	own := testPTX("")
	for _, test := range []struct {
		name, path, text, want string
	}{
		{"the program's own", "transpose.ptx", own, testSource},
		{"a .cu beside the PTX", filepath.Join(dir, "student.ptx"), "no hash", "a student's .cu"},
		{"a .cu beside the PTX, edited since", filepath.Join(dir, "student.ptx"), "// transpose.cu SHA-256: " + strings.Repeat("0", 64) + "\n", ""},
		{"no .cu beside the PTX", filepath.Join(dir, "other.ptx"), "no hash", ""},
	} {
		path := test.path
		if test.text != "" {
			path = filepath.Join(dir, filepath.Base(test.path))
			if err := os.WriteFile(path, []byte(test.text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		files, err := testProgram("ep01-test", testSource, own, nil).choosePTX(options{ptx: path})
		if err != nil {
			t.Fatal(err)
		}
		if got := files[0].cu("transpose.cu"); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestRightAtFirst runs a kernel that counts its launches in a global variable
// and goes wrong in the third.
func TestRightAtFirst(t *testing.T) {
	text := strings.Replace(testPTX(`
	mov.u64 %rd3, launches;
	mul.wide.s32 %rd2, %r4, 4;
	add.s64 %rd3, %rd3, %rd2;
	ld.global.u32 %r1, [%rd3];
	add.s32 %r1, %r1, 1;
	st.global.u32 [%rd3], %r1;
	setp.gt.s32 %p1, %r1, 2;
	@%p1 mov.f32 %f1, 0f3F000000;
	st.global.f32 [%rd4], %f1;`), ".visible .entry", ".global .align 4 .b8 launches[16384];\n.visible .entry", 1)
	text = strings.Replace(text, ".reg .f32", ".reg .pred %p<2>;\n\t.reg .f32", 1)
	_, err := Run("ep01-test", 64, text, launchCopy("copy", 3, 0))
	if err == nil || !strings.Contains(err.Error(), "copy: right at first, wrong after 21 more launches") {
		t.Errorf("Run = %v", err)
	}
}

// TestCheckedSmall runs kernels at a size whose second check is made at n = 256.
func TestCheckedSmall(t *testing.T) {
	inBlocks := func(ep *Episode) {
		module := cu.ModuleLoadData(ep.PTX)
		k := Kernel{Name: "copy", Leaves: Copied, Grid: cu.Dim3{X: ep.N * ep.N / 256, Y: 1, Z: 1}}
		out, in, n := uint64(ep.Out), uint64(ep.In), uint64(ep.N)
		pointers := []unsafe.Pointer{unsafe.Pointer(&out), unsafe.Pointer(&in), unsafe.Pointer(&n)}
		ep.Measure(k, func() {
			cu.LaunchKernel(module.GetFunction(k.Name), k.Grid.X, 1, 1, 256, 1, 1, 0, 0, pointers)
		})
	}
	const beyond = "copy: right at n = 1040, but at n = 256 copy: global access out of bounds"
	for _, test := range []struct{ name, store, want string }{
		{"right", "st.global.f32 [%rd4], %f1;", ""},
		{"arithmetic on the way", "add.f32 %f1, %f1, 0f00000000; st.global.f32 [%rd4], %f1;",
			"copy: right at n = 1040, but at n = 256 right for in[i] = i, wrong for other values: wrong: "},
		{"n taken for granted", "ld.param.u32 %r4, [n]; sub.s32 %r4, 1040, %r4; mul.wide.s32 %rd3, %r4, 4096; add.s64 %rd4, %rd4, %rd3; st.global.f32 [%rd4], %f1;", beyond},
	} {
		report, err := Run("ep01-test", 1040, testPTX(test.store), inBlocks)
		if (err == nil) != (test.want == "") || err != nil && !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if len(report.Rows) != 1 || report.N != 1040 {
			t.Errorf("%s: %d rows, n = %d", test.name, len(report.Rows), report.N)
		}
	}
}

// TestCheckedSmallAlone holds that -k holds for the second size too.
func TestCheckedSmallAlone(t *testing.T) {
	text := testPTX("add.f32 %f1, %f1, 0f00000000; st.global.f32 [%rd4], %f1;")
	p := testProgram("ep01-test", testSource, text, func(ep *Episode) {
		copies := cu.ModuleLoadData(ep.PTX).GetFunction("copy")
		out, in, n := uint64(ep.Out), uint64(ep.In), uint64(ep.N)
		args := []unsafe.Pointer{unsafe.Pointer(&out), unsafe.Pointer(&in), unsafe.Pointer(&n)}
		for _, k := range []Kernel{{Name: "empty", Leaves: Untouched}, {Name: "copy", Leaves: Copied}} {
			ep.Measure(k, func() { cu.LaunchKernel(copies, ep.N*ep.N/256, 1, 1, 256, 1, 1, 0, 0, args) })
		}
	})
	report, _, err := p.runEpisode(options{n: 1040, kernel: "copy"}, []ptxFile{{"transpose.ptx", text, noSource}})
	if err != nil || len(report.Rows) != 1 || report.Rows[0].Err == nil {
		t.Fatalf("%+v, %v", report.Rows, err)
	}
	if got := report.Rows[0].Err.Error(); !strings.Contains(got, "at n = 256 right for in[i] = i") {
		t.Errorf("the copy: %v", got)
	}
}

// TestAnyOrder runs a kernel that writes nothing after one that writes all: what
// the first left must not pass for the second's.
func TestAnyOrder(t *testing.T) {
	both := testPTX("st.global.f32 [%rd4], %f1;") +
		strings.ReplaceAll(copyKernel[strings.Index(copyKernel, ".visible"):], "copy(", "idle(")
	both = strings.Replace(both, "STORE", "", 1)
	report, err := Run("ep01-test", 64, both, func(ep *Episode) {
		launchCopy("copy", 3, 0)(ep)
		launchCopy("idle", 3, 0)(ep)
		launchCopy("copy", 3, 0)(ep)
	})
	if err == nil || !strings.HasPrefix(err.Error(), "idle: wrong: 4,096 of 4,096 elements") {
		t.Errorf("Run = %v", err)
	}
	for i, wrong := range []bool{false, true, false} {
		if got := report.Rows[i].Err != nil; got != wrong {
			t.Errorf("row %d: %v", i, report.Rows[i].Err)
		}
	}
}

// Who waits at a terminal sees what goes on, and nothing of it is left. A kernel that
// prints would print into that line: there is none.
func TestStatus(t *testing.T) {
	const counting = "\r\x1b[Kcounting copy, n = 33 …\r\x1b[K"
	for _, test := range []struct{ name, ptx, want string }{
		{"silent kernel", "", counting},
		{"kernel that prints", "// vprintf\n", ""},
	} {
		p := testProgram("ep01-test", testSource, "", launchCopy("copy", 3, 0))
		var status, out, errs strings.Builder
		p.status = terminal.New(&status, 0)
		path := writeIn(t, t.TempDir(), "copy.ptx", test.ptx+testPTX("st.global.f32 [%rd4], %f1;"))
		if got := p.Run([]string{"-n", "33", "-ptx", path}, &out, &errs); got != 0 {
			t.Errorf("%s: status %d: %s", test.name, got, errs.String())
		}
		if diff := cmp.Diff(test.want, status.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
