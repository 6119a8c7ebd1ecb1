package compile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"transpose/common/machine"
)

// fakeNVCC takes the arguments that nvcc gets, knows no kernel with the word wrong in
// it, and no architecture but those in the file archs beside it.
const fakeNVCC = `#!/bin/sh
archs=$(cat "$0.archs" 2>/dev/null || echo compute_75)
case $1 in
--version) echo 'Cuda compilation tools, release 13.0, V13.0.88'; exit ;;
--list-gpu-arch) printf '%s\n' $archs; exit ;;
esac
echo compiling >>"$0.log"
arch=${3#-arch=} out=$5
for cu; do :; done
case " $(echo $archs) " in
*" $arch "*) ;;
*) echo "nvcc fatal   : Unsupported gpu architecture '$arch'" >&2; exit 1 ;;
esac
if grep -q wrong "$cu"; then
	echo half >"$out"
	echo "$cu(2): error: identifier \"wrong\" is undefined" >&2
	exit 2
fi
if grep -q unused "$cu"; then echo "$cu(2): warning #177-D: variable was declared but never referenced" >&2; fi
echo "made by nvcc for $arch, of $PWD/$cu" >"$out"
`

// nvccWithNewGCC is what nvcc says of a gcc that is too new for it, nvccWithNewGlibc
// what it says of a C library: that ends with the name of the .cu, but at no place.
var (
	nvccWithNewGCC = strings.Replace(fakeNVCC, "if grep -q wrong", `if true; then
	echo 'In file included from /usr/local/cuda/include/cuda_runtime.h:83,' >&2
	echo '                 from <command-line>:' >&2
	echo '/usr/local/cuda/include/crt/host_config.h:132:2: error: #error -- unsupported GNU version! gcc versions later than 12 are not supported!' >&2
	exit 1
fi
if grep -q wrong`, 1)
	nvccWithNewGlibc = strings.Replace(fakeNVCC, "if grep -q wrong", `if true; then
	echo '/usr/include/bits/mathcalls.h(79): error: exception specification is incompatible' >&2
	echo "1 error detected in the compilation of \"$cu\"." >&2
	exit 2
fi
if grep -q wrong`, 1)
)

func fakeClang(version string) string {
	return `#!/bin/sh
case $1 in
--version) echo "` + version + `"; exit ;;
--print-targets) echo '    nvptx64 - NVIDIA PTX 64-bit'; exit ;;
esac
echo compiling >>"$0.log"
for arg in "$@"; do
	case $last in -o) out=$arg ;; esac
	case $arg in *.cu) cu=$arg ;; esac
	last=$arg
done
if grep -q wrong "$cu"; then echo half >"$out"; echo "$cu:2:1: error: use of undeclared identifier 'wrong'" >&2; exit 1; fi
echo "made by clang" >"$out"
`
}

// A bench is a machine that has the tools which a test puts on it.
type bench struct {
	t   *testing.T
	dir string
	Compiler
	warned strings.Builder
}

func newBench(t *testing.T) *bench {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the compilers made up here are shell scripts")
	}
	b := &bench{t: t, dir: t.TempDir()}
	b.Compiler = Compiler{
		Machine: &machine.Machine{
			OS:   "linux",
			Root: filepath.Join(b.dir, "root"),
			LookupEnv: func(name string) (string, bool) {
				return filepath.Join(b.dir, "bin"), name == "PATH"
			},
			Run: machine.Here().Run,
		},
		Cache: filepath.Join(b.dir, "cache"),
		Warn:  func(text string) { fmt.Fprintln(&b.warned, text) },
	}
	return b
}

func (b *bench) tool(name, script string) {
	b.t.Helper()
	path := filepath.Join(b.dir, "bin", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	// A program that another test starts now would have the file open too for a moment,
	// and what is open for writing cannot be started.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		b.t.Fatal(err)
	}
}

// compilations is how often the tool compiled.
func (b *bench) compilations(name string) int {
	text, _ := os.ReadFile(filepath.Join(b.dir, "bin", name+".log"))
	return strings.Count(string(text), "\n")
}

func cuSource(text string) Source { return Source{Name: "ep02-coalescing/transpose.cu", Text: text} }

// What takes a while is told before it starts, and not where the result is kept.
func TestDoing(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{"nvcc": fakeNVCC, "clang": fakeClang("clang version 17.0.6")} {
		b := newBench(t)
		b.tool(name, script)
		var told []string
		b.Doing = func(text string) { told = append(told, text) }
		for range 2 {
			if _, err := b.Best(cuSource("kernel\nint unused;\n"), ""); err != nil {
				t.Fatal(err)
			}
		}
		if len(told) != 1 || !strings.HasPrefix(told[0], "compiling ep02-coalescing/transpose.cu with "+name) {
			t.Errorf("%s: told %q", name, told)
		}
	}
}

// TestBest holds which compiler makes the PTX of a kernel that was or was not edited,
// for each that is here.
func TestBest(t *testing.T) {
	t.Parallel()
	const kernel, edited, wrong = "kernel\n", "kernel\nint unused;\n", "kernel\nwrong\n"
	committed := HashLine(kernel) + "// Compiler: clang 19\ncommitted\n"
	nvcc := func(script string) func(*bench) { return func(b *bench) { b.tool("nvcc", script) } }
	clang := func(name, version string) func(*bench) { return func(b *bench) { b.tool(name, fakeClang(version)) } }
	archs := func(list string) func(*bench) {
		return func(b *bench) { b.tool("nvcc", fakeNVCC); b.tool("nvcc.archs", list) }
	}
	nothing := func(*bench) {}
	const byNVCC, byClang = "\n// Compiler: nvcc 13.0.88 (", "\n// Compiler: clang "
	for _, test := range []struct {
		name    string
		machine func(*bench)
		cu      string
		want    string // a part of the PTX, or "" for an error
		says    string // a part of the warnings and the error
	}{
		{"no compiler", nothing, kernel, "\ncommitted\n", ""},
		{"no compiler, edited", nothing, edited, "", "ep02-coalescing/transpose.cu was edited, and no compiler for it is here"},

		{"clang", clang("clang", "clang version 17.0.6"), kernel, "\ncommitted\n", ""},
		{"clang, edited", clang("clang", "clang version 17.0.6"), edited, byClang + "17.0.6\nmade by clang", ""},
		{"clang, wrong", clang("clang", "clang version 17.0.6"), wrong, "", "transpose.cu does not compile, says clang 17.0.6:\nep02-coalescing/transpose.cu:2:1: error: use of undeclared identifier"},
		{"clang-14", clang("clang-14", "Ubuntu clang version 14.0.0-1ubuntu1"), edited, byClang + "14.0.0\n", ""},
		{"clang-22", clang("clang-22", "Debian clang version 22.1.8"), edited, byClang + "22.1.8\n", ""},
		{"clang too old", clang("clang", "clang version 13.0.1"), edited, "", "no compiler for it is here"},
		{"Apple's clang", clang("clang", "Apple clang version 17.0.0 (clang-1700)"), edited, "", "no compiler for it is here"},
		{"clang without PTX", func(b *bench) {
			b.tool("clang", strings.ReplaceAll(fakeClang("clang version 20.1.0"), "nvptx64", "x86-64"))
		}, edited, "", "no compiler for it is here"},

		{"nvcc", nvcc(fakeNVCC), kernel, "made by nvcc for compute_75, of transpose.cu\n", ""},
		{"nvcc, edited", nvcc(fakeNVCC), edited, byNVCC, "ep02-coalescing/transpose.cu(2): warning #177-D"},
		{"nvcc, wrong", nvcc(fakeNVCC), wrong, "", "transpose.cu does not compile, says nvcc 13.0.88:\nep02-coalescing/transpose.cu(2): error: identifier \"wrong\" is undefined"},
		{"nvcc before Turing", archs("compute_60 compute_35"), kernel, "made by nvcc for compute_35", ""},
		{"nvcc after Turing", archs("compute_100 compute_90"), kernel, "made by nvcc for compute_90", ""},
		{"gcc too new", nvcc(nvccWithNewGCC), kernel, "\ncommitted\n", "unsupported GNU version! gcc versions later than 12 are not supported!); the committed transpose.ptx runs instead\n"},
		{"C library too new", nvcc(nvccWithNewGlibc), kernel, "\ncommitted\n", "exception specification is incompatible); the committed"},
		{"gcc too new, edited", nvcc(nvccWithNewGCC), edited, "", "unsupported GNU version! gcc versions later than 12 are not supported!); ep02-coalescing/transpose.cu was edited, and no compiler for it is here"},
		{"gcc too new, clang, edited", func(b *bench) {
			b.tool("nvcc", nvccWithNewGCC)
			b.tool("clang-19", fakeClang("clang version 19.1.7"))
		}, edited, byClang + "19.1.7\n", "clang compiles instead\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			test.machine(b)
			got, err := b.Best(cuSource(test.cu), committed)
			says := b.warned.String()
			if err != nil {
				says += err.Error()
			}
			if (err != nil) != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("got %q, %v, want a part %q", got, err, test.want)
			}
			if err == nil && !MadeFrom(got, test.cu) {
				t.Errorf("PTX without the hash of its source: %q", got)
			}
			if !strings.Contains(says, test.says) || test.says == "" && says != "" {
				t.Errorf("said %q, want %q", says, test.says)
			}
		})
	}
}

// TestCache holds that PTX is made again when the kernel, what is compiled with it, or
// the compiler is another, and only then.
func TestCache(t *testing.T) {
	t.Parallel()
	for _, compiler := range []struct{ name, script string }{{"nvcc", fakeNVCC}, {"clang", fakeClang("clang version 19.1.7")}} {
		t.Run(compiler.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.tool(compiler.name, compiler.script)
			made := 0
			step := func(what string, src Source, compiles bool) {
				t.Helper()
				if _, err := b.Best(src, ""); err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				now := b.compilations(compiler.name)
				if (now > made) != compiles {
					t.Errorf("%s: compiled: %v, want %v", what, now > made, compiles)
				}
				made = now
			}
			step("first", cuSource("kernel\n"), true)
			step("again", cuSource("kernel\n"), false)
			step("another kernel", cuSource("other\n"), true)
			if compiler.name == "clang" {
				b.tool("nvcc", nvccWithNewGCC)
				step("beside an nvcc that does not work", cuSource("kernel\n"), false)
				if said := b.warned.String(); !strings.HasSuffix(said, "not supported!); clang compiles instead\n") {
					t.Errorf("said %q", said)
				}
			}
			with := cuSource("other\n")
			with.Before = &Source{Name: "ep02-coalescing/transpose.cu", Text: "inherited\n"}
			step("with inherited kernels", with, true)
			step("again", with, false)
			included := Source{Name: "transpose.cu", Text: "#include \"tile.h\"\n", Dir: b.dir}
			step("an include that may change", included, true)
			step("an include that may change, again", included, true)
			b.tool(compiler.name, strings.Replace(compiler.script, "1", "1 ", 1))
			step("another compiler", cuSource("kernel\n"), true)

			left, err := filepath.Glob(filepath.Join(b.Cache, "*"))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range left {
				if filepath.Ext(path) != ".ptx" {
					t.Errorf("left over: %s", path)
				}
			}
			b.Cache = filepath.Join(b.dir, "bin", compiler.name, "no folder")
			step("a cache that cannot be written", cuSource("kernel\n"), true)
		})
	}
}

// TestBefore holds that what is compiled ahead of a source is, under its own name.
func TestBefore(t *testing.T) {
	t.Parallel()
	src := cuSource("the source\n")
	src.Before = &Source{Name: "ep02-coalescing/before.cu", Text: "inherited\n"}
	for name, script := range map[string]string{"nvcc": fakeNVCC, "clang": fakeClang("clang version 19.1.7")} {
		b := newBench(t)
		// What is included stands in the PTX, with the last two parts of its path.
		b.tool(name, strings.Replace(script, "echo compiling", `last=
for arg in "$@"; do
	case $last$arg in -include*before.cu) included=$arg ;; esac
	last=$arg
done
echo compiling`, 1)+`
cat "$included" >>"$out"
echo "$(basename "$(dirname "$included")")/$(basename "$included")" >>"$out"
`)
		got, err := b.Best(src, "")
		if err != nil || !strings.HasSuffix(got, "inherited\nep02-coalescing/before.cu\n") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// TestBroken holds that a compiler which does not compile leaves nothing to run.
func TestBroken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.tool("nvcc", fakeNVCC)
	for range 2 {
		_, err := b.Best(cuSource("kernel\nwrong\n"), "")
		if !errors.As(err, new(*Error)) {
			t.Errorf("got %v, want an error in the source", err)
		}
	}
	if n := b.compilations("nvcc"); n != 2 {
		t.Errorf("compiled %d times, want 2", n)
	}
}

// TestLongOutput holds that a reader is spared what follows from the first errors.
func TestLongOutput(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.tool("nvcc", strings.Replace(fakeNVCC, "	exit 2\n", "	seq 100\n	exit 2\n", 1))
	_, err := b.Best(cuSource("wrong\n"), "")
	if err == nil || strings.Count(err.Error(), "\n") != 1+maxLines || !strings.HasSuffix(err.Error(), "… and 81 lines more") {
		t.Errorf("got %v", err)
	}
}

func TestKernels(t *testing.T) {
	t.Parallel()
	const a, b = "extern \"C\" __global__ void a(int n)\n{\n\treturn;\n}\n", "extern \"C\" __global__ void b() {\n}\n"
	want := []Kernel{{"a", a, 3}, {"b", b, 9}}
	got := Kernels("// a comment\n\n" + a + "\n\n" + b + "\n// the end\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kernels (-want +got):\n%s", diff)
	}
}

func TestDefines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		source string
		want   bool
	}{
		{`extern "C" __global__ void copy(float* out) {}`, true},
		{"__global__ void __launch_bounds__(256)\ncopy (float* out) {}", true},
		{"// copy(out, in) is the ceiling\n", false},
		{"/* void copy(float*) */", false},
		{`const char* name = "copy(";`, false},
		{"__global__ void copy_tile(float* out) {}", false},
		{"int copy = 3;", false},
		{"copy<<<grid, block>>>(out, in, n);", false},
	} {
		if got := Defines(test.source, "copy"); got != test.want {
			t.Errorf("%s: %v, want %v", test.source, got, test.want)
		}
	}
}

func TestMadeFrom(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ptx          string
		made, hashed bool
	}{
		{HashLine("a"), true, true},
		{"//\n// \n" + strings.ReplaceAll(HashLine("a"), "\n", "\r\n"), true, true},
		{HashLine("b"), false, true},
		{strings.TrimPrefix(HashLine("a"), "// "), false, false},
		{"", false, false},
	} {
		if made, hashed := MadeFrom(test.ptx, "a"), Hashed(test.ptx); made != test.made || hashed != test.hashed {
			t.Errorf("%q: made from it: %v, hashed: %v", test.ptx, made, hashed)
		}
	}
}
