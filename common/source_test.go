//go:build !cuda

package common

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/mumax/3/cuda/cu"

	"transpose/common/compile"
	"transpose/common/internal/columns"
	"transpose/common/machine"
)

const threeKernels = `// An episode.

extern "C" __global__ void empty()
{
}

extern "C" __global__ void copy_tile(int n)
{
	n = 1;
}

// The new one.
extern "C" __global__ void transpose_shared(int n)
{
}
`

// writeIn writes a file into a folder and returns its path.
func writeIn(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestJudged holds which kernels are compiled ahead of a file of -cu: those of the
// episode that it lacks, but for the one that is judged.
func TestJudged(t *testing.T) {
	const empty = "\n\nextern \"C\" __global__ void empty()\n{\n}\n"
	const copyTile = "extern \"C\" __global__ void copy_tile(int n)\n{\n\tn = 1;\n}\n"
	const transpose = "extern \"C\" __global__ void transpose_shared(int n)\n{\n}\n"
	for _, test := range []struct {
		name, text, kernel string
		want               string
	}{
		{"the new kernel alone", transpose, "", empty + "\n" + copyTile},
		{"nothing of ours", "__global__ void mine() {}", "", empty + "\n" + copyTile},
		{"the whole file", threeKernels, "", ""},
		{"one is there", "extern \"C\" __global__ void\ncopy_tile (int n) {}\n" + transpose, "", empty},
		{"one is in a comment", "// like copy_tile(n)\n" + transpose, "", empty + "\n" + copyTile},
		{"another kernel is judged", "", "copy_tile", empty + strings.Repeat("\n", 7) + transpose},
	} {
		path := writeIn(t, t.TempDir(), "mine.cu", test.text)
		src, err := testProgram("ep03-shared", threeKernels, "", nil).judged(options{cu: path, kernel: test.kernel})
		if err != nil {
			t.Fatal(err)
		}
		var got compile.Source
		if src.Before != nil {
			got = *src.Before
		}
		want := compile.Source{}
		if test.want != "" {
			want = compile.Source{Name: "ep03-shared/transpose.cu", Text: test.want}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: compiled ahead (-want +got):\n%s", test.name, diff)
		}
		for i, line := range strings.Split(got.Text, "\n") {
			if original := strings.Split(threeKernels, "\n")[i]; line != "" && line != original {
				t.Errorf("%s: line %d is %q, in the episode %q", test.name, i+1, line, original)
			}
		}
		if src.Text != test.text || src.Name != path {
			t.Errorf("%s: the judged source is %q, named %s", test.name, src.Text, src.Name)
		}
	}
}

// TestQuoted holds from which file a line is quoted.
func TestQuoted(t *testing.T) {
	dir := t.TempDir()
	writeIn(t, dir, "helper.h", "of the header")
	p := testProgram("ep03-shared", threeKernels, "", nil)
	src, err := p.judged(options{cu: writeIn(t, dir, "transpose.cu", "of the file")})
	if err != nil {
		t.Fatal(err)
	}
	ptx := writeIn(t, dir, "given.ptx", "of any source")
	if files, err := p.choosePTX(options{cu: src.Name, ptx: ptx}); err != nil || files[0].text != "of any source" || files[0].cu("transpose.cu") != "of the file" {
		t.Errorf("-cu with -ptx: %v, %v", files, err)
	}
	for file, want := range map[string]string{
		"transpose.cu":             "of the file",
		"ep03-shared/transpose.cu": threeKernels,
		"helper.h":                 "of the header",
		"./transpose.cu":           "of the file", // clang 14
		"elsewhere.h":              "",
	} {
		if got := p.quoted(src)(file); got != want {
			t.Errorf("%s: quoted from %q, want %q", file, got, want)
		}
	}
}

// TestOwn holds that the folder of a program's transpose.cu is known where the
// program runs in it or above it, and not taken for that of another one.
func TestOwn(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Chdir(here); err != nil {
			t.Error(err)
		}
	})
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(root, "ep03-shared")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	writeIn(t, folder, "transpose.cu", threeKernels)
	for _, test := range []struct{ name, dir, source, want string }{
		{"in it", folder, threeKernels, folder},
		{"above it", root, threeKernels, folder},
		{"edited since", folder, threeKernels + "// more\n", ""},
		{"elsewhere", t.TempDir(), threeKernels, ""},
	} {
		if err := os.Chdir(test.dir); err != nil {
			t.Fatal(err)
		}
		src := testProgram("ep03-shared", test.source, "", nil).own()
		if src.Dir != test.want || src.Text != test.source {
			t.Errorf("%s: folder %q, want %q", test.name, src.Dir, test.want)
		}
	}
}

// withClang is a program on a machine whose clang makes the given PTX of every source
// that has no word wrong in it.
func withClang(t *testing.T, p *Program, ptx string) *Program {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the compiler made up here is a shell script")
	}
	dir := t.TempDir()
	made := writeIn(t, dir, "made.ptx", ptx)
	path := writeIn(t, dir, "clang", `#!/bin/sh
case $1 in
--version) echo clang version 19.1.7; exit ;;
--print-targets) echo nvptx64; exit ;;
esac
for arg in "$@"; do
	case $last in -o) out=$arg ;; esac
	case $arg in *.cu) cu=$arg ;; esac
	last=$arg
done
if grep -q wrong "$cu"; then echo "$cu:1:1: error: wrong" >&2; exit 1; fi
cp '`+made+`' "$out"
`)
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	p.Compiler = &compile.Compiler{
		Machine: &machine.Machine{
			OS: "linux", Root: dir,
			LookupEnv: func(name string) (string, bool) { return dir + ":/bin:/usr/bin", name == "PATH" },
			Run:       machine.Here().Run,
		},
		Warn: func(text string) { t.Errorf("warned: %s", text) },
	}
	return p
}

// TestCompiled runs programs whose kernel has to be compiled first.
func TestCompiled(t *testing.T) {
	good := copyKernel[strings.Index(copyKernel, ".version"):]
	good = strings.Replace(good, "STORE", "st.global.f32 [%rd4], %f1;", 1)
	dir := t.TempDir()
	mine := writeIn(t, dir, "mine.cu", "mine")
	wrong := writeIn(t, dir, "wrong.cu", "wrong")
	out := filepath.Join(dir, "out.ptx")
	edited := compile.HashLine("of another kernel")
	for _, test := range []struct {
		name, args, committed string
		status                int
		want                  []string
	}{
		{"edited", "-n 32", edited, 0, []string{"PTX: transpose.cu by clang 19.1.7, sm_50", "copy                        exact"}},
		{"not edited", "-n 32", testPTX("st.global.f32 [%rd4], %f1;"), 0, []string{"PTX: transpose.ptx by hand"}},
		{"-cu", "-n 32 -cu " + mine, testPTX(""), 0, []string{"PTX: " + mine + " by clang 19.1.7", "copy                        exact"}},
		{"-cu, wrong", "-n 32 -cu " + wrong, "", 2, []string{wrong + " does not compile, says clang 19.1.7:\n" + wrong + ":1:1: error: wrong"}},
		{"-cu, no compiler", "-n 32 -cu " + mine, "none", 2, []string{mine + " has to be compiled, and no compiler for it is here\ninstall clang, 14 or newer (not Xcode's), or the CUDA toolkit; or give PTX, with -ptx"}},
		{"-cu, no file", "-cu " + filepath.Join(dir, "none.cu"), "", 2, []string{"none.cu", "give -cu a file of CUDA C"}},
		{"-cu, a folder", "-cu " + dir, "", 2, []string{"is a directory", "give -cu a file of CUDA C"}},
		{"-ptx-out", "-n 32 -why= -cu " + mine + " -ptx-out " + out, "", 0, []string{"counted on the PTX"}},
		{"-ptx-out, no folder", "-n 32 -ptx-out " + filepath.Join(dir, "none", "x"), edited, 2, []string{"give -ptx-out a file"}},
		{"what -ptx-out wrote", "-n 32 -cu " + mine + " -ptx " + out, "", 0, []string{"PTX: " + out + " by clang 19.1.7", "exact"}},
		{"-ptx-out of a kernel that faults", "-n 32 -cu " + mine + " -ptx-out " + out, "wrong", 1, []string{"out of bounds"}},
		{"what that wrote", "-n 32 -ptx " + out, "", 1, []string{"out of bounds"}},
		{"-k of no kernel", "-n 32 -k copia", edited, 2, []string{"-k copia: the episode launches no such kernel\ngive -k one of copy\n"}},
	} {
		made := good
		if test.committed == "wrong" {
			made = strings.Replace(good, "[%rd4]", "[%rd4+40000]", 1)
			if err := os.Remove(out); err != nil {
				t.Fatal(err)
			}
		}
		p := withClang(t, testProgram("ep01-test", testSource, test.committed, launchCopy("copy", 3, 0)), made)
		if test.committed == "none" {
			p = testProgram("ep01-test", testSource, edited, nil)
		}
		var output strings.Builder
		status := p.Run(strings.Fields(test.args), &output, &output)
		if status != test.status {
			t.Errorf("%s: status %d, want %d", test.name, status, test.status)
		}
		for _, want := range test.want {
			if !strings.Contains(columns.Unfold(0, output.String()), want) {
				t.Errorf("%s: the output lacks %q:\n%s", test.name, want, output.String())
			}
		}
	}
}

// TestOneKernel holds that -k runs the kernel it names, and of the copies the one that
// has its launch.
func TestOneKernel(t *testing.T) {
	wide, narrow := cu.Dim3{X: 64, Y: 1, Z: 1}, cu.Dim3{X: 32, Y: 1, Z: 1}
	kernels := []Kernel{
		{Name: "empty", Leaves: Untouched, Grid: wide},
		{Name: "copy_wide", Leaves: Copied, Grid: wide},
		{Name: "copy", Leaves: Copied, Grid: narrow},
		{Name: "old", Leaves: Transposed, Grid: wide},
		{Name: "new", Leaves: Transposed, Grid: narrow},
	}
	for only, want := range map[string][]string{
		"":      {"empty", "copy_wide", "copy", "old", "new"},
		"new":   {"copy", "new"},
		"old":   {"copy_wide", "old"},
		"copy":  {"copy"},
		"empty": {"empty"},
		"none":  nil, // an error
	} {
		p := testProgram("ep01-test", testSource, testPTX("st.global.f32 [%rd4], %f1;"), func(ep *Episode) {
			copies := cu.ModuleLoadData(ep.PTX).GetFunction("copy")
			out, in, n := uint64(ep.Out), uint64(ep.In), uint64(ep.N)
			args := []unsafe.Pointer{unsafe.Pointer(&out), unsafe.Pointer(&in), unsafe.Pointer(&n)}
			for _, k := range kernels {
				ep.Measure(k, func() { cu.LaunchKernel(copies, ep.N, 1, 1, ep.N, 1, 1, 0, 0, args) })
			}
		})
		files, err := p.choosePTX(options{})
		if err != nil {
			t.Fatal(err)
		}
		report, _, err := p.runEpisode(options{n: 32, kernel: only}, files)
		if only == "none" {
			if err == nil || !strings.Contains(err.Error(), "give -k one of copy") {
				t.Errorf("-k none: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, row := range report.Rows {
			got = append(got, row.Kernel.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-k %q measures (-want +got):\n%s", only, diff)
		}
	}
}
