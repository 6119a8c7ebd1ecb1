package build_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// fakeNvcc takes the arguments that ptx.sh gives, knows no kernel with the word
// wrong in it, and no architecture but those of $ARCHS.
const fakeNvcc = `#!/bin/sh
case $1 in
--version) echo 'Cuda compilation tools, release 13.0, V13.0.88'; exit ;;
--list-gpu-arch) printf '%s\n' ${ARCHS-compute_75}; exit ;;
esac
[ "$1 $2" = "-ptx -lineinfo" ] || exit 99
case " ${ARCHS-compute_75} " in
*" ${3#-arch=} "*) ;;
*) echo "nvcc fatal   : Unsupported gpu architecture '${3#-arch=}'" >&2; exit 1 ;;
esac
if grep -q wrong "$4"; then
	echo half >"$6"
	echo "$4(2): error: identifier \"wrong\" is undefined" >&2
	exit 2
fi
if grep -q unused "$4"; then echo "$4(2): warning #177-D: variable was declared but never referenced" >&2; fi
echo "made by nvcc for $3" >"$6"
`

// nvccWithNewGCC is what nvcc says of a gcc that is too new for it.
var nvccWithNewGCC = strings.Replace(fakeNvcc, "if grep -q wrong", `if true; then
	echo 'In file included from /usr/local/cuda/include/cuda_runtime.h:83,' >&2
	echo '                 from <command-line>:' >&2
	echo '/usr/local/cuda/include/crt/host_config.h:132:2: error: #error -- unsupported GNU version! gcc versions later than 12 are not supported!' >&2
	exit 1
fi
if grep -q wrong`, 1)

// nvccWithNewGlibc ends with the .cu's name, but at no place in it.
var nvccWithNewGlibc = strings.Replace(fakeNvcc, "if grep -q wrong", `if true; then
	echo '/usr/include/bits/mathcalls.h(79): error: exception specification is incompatible' >&2
	echo "1 error detected in the compilation of \"$4\"." >&2
	exit 2
fi
if grep -q wrong`, 1)

func fakeClang(version string) string {
	return `#!/bin/sh
case $1 in
--version) echo "` + version + `"; exit ;;
--print-targets) echo '    nvptx64 - NVIDIA PTX 64-bit'; exit ;;
esac
for arg in "$@"; do
	case $arg in *.cu) cu=$arg ;; esac
	out=$arg
done
if grep -q wrong "$cu"; then echo half >"$out"; echo "$cu:2:1: error: use of undeclared identifier" >&2; exit 1; fi
echo "made by clang" >"$out"
`
}

// Which PTX a program finds beside it, for each compiler here and a kernel that
// was or was not edited.
func TestPTX(t *testing.T) {
	t.Parallel()
	const edited, wrong = "kernel\nint unused;\n", "kernel\nwrong\n"
	nvcc := func(script string) func(*machine) { return func(m *machine) { m.tool("nvcc", script) } }
	clang := func(name, version string) func(*machine) {
		return func(m *machine) { m.tool(name, fakeClang(version)) }
	}
	nothing := func(*machine) {}
	const byNvcc, byClang = "\n// Compiler: nvcc 13.0.88 (", "\n// Compiler: clang "
	tests := []struct {
		name     string
		machine  func(*machine)
		cu       string
		beside   string // a part of the PTX beside the program, or "" for none
		says     string
		makeSays string // "Error 1" and so on, or "" for success
	}{
		{"no compiler", nothing, kernel, "", "", ""},
		{"no compiler, edited", nothing, edited, "", "ep02-coalescing/transpose.cu was edited, and no compiler for it is here\ninstall clang, 14 or newer, or the CUDA toolkit, or get the old kernel back with git checkout ep02-coalescing/transpose.cu\n", "Error 2"},

		{"clang", clang("clang", "clang version 17.0.6"), kernel, "", "", ""},
		{"clang, edited", clang("clang", "clang version 17.0.6"), edited, byClang + "17.0.6\nmade by clang", "", ""},
		{"clang, wrong", clang("clang", "clang version 17.0.6"), wrong, "", "transpose.cu:2:1: error: use of undeclared identifier", "Error 2"},
		{"clang-14", clang("clang-14", "Ubuntu clang version 14.0.0-1ubuntu1"), edited, byClang + "14.0.0\n", "", ""},
		{"clang-22", clang("clang-22", "Debian clang version 22.1.8"), edited, byClang + "22.1.8\n", "", ""},
		{"clang too old", clang("clang", "clang version 13.0.1"), edited, "", "no compiler for it is here", "Error 2"},
		{"Apple's clang", clang("clang", "Apple clang version 17.0.0 (clang-1700)"), edited, "", "no compiler for it is here", "Error 2"},
		{"clang without PTX", func(m *machine) {
			m.tool("clang", strings.ReplaceAll(fakeClang("clang version 20.1.0"), "nvptx64", "x86-64"))
		}, edited, "", "no compiler for it is here", "Error 2"},

		{"nvcc", nvcc(fakeNvcc), kernel, "made by nvcc for -arch=compute_75", "", ""},
		{"nvcc, edited", nvcc(fakeNvcc), edited, byNvcc, "warning #177-D", ""},
		{"nvcc, wrong", nvcc(fakeNvcc), wrong, "", `transpose.cu(2): error: identifier "wrong" is undefined`, "Error 2"},
		{"nvcc before Turing", func(m *machine) {
			m.tool("nvcc", fakeNvcc)
			m.env = append(m.env, "ARCHS=compute_60 compute_35")
		}, kernel, "made by nvcc for -arch=compute_35", "", ""},
		{"nvcc after Turing", func(m *machine) {
			m.tool("nvcc", fakeNvcc)
			m.env = append(m.env, "ARCHS=compute_100 compute_90")
		}, kernel, "made by nvcc for -arch=compute_90", "", ""},
		{"gcc too new", nvcc(nvccWithNewGCC), kernel, "", "unsupported GNU version! gcc versions later than 12 are not supported!); the committed transpose.ptx runs instead\n", ""},
		{"C library too new", nvcc(nvccWithNewGlibc), kernel, "", "exception specification is incompatible); the committed", ""},
		{"gcc too new, edited", nvcc(nvccWithNewGCC), edited, "", "unsupported GNU version", "Error 2"},
		{"gcc too new, clang, edited", func(m *machine) {
			m.tool("nvcc", nvccWithNewGCC)
			m.tool("clang-19", fakeClang("clang version 19.1.7"))
		}, edited, byClang + "19.1.7\n", "clang-19 compiles instead\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			tt.machine(m)
			m.write("ep02-coalescing/transpose.cu", tt.cu)
			m.write("build/ep02", "left by another kernel")
			m.write("build/ep02.ptx", "left by another kernel")

			output, status := m.make("ep02")
			want(t, output, tt.says)
			beside := m.read("build/ep02.ptx")
			if tt.makeSays != "" {
				wantStatus(t, output, status, 2)
				want(t, output, tt.makeSays)
				wantNot(t, output, "build/ep02 -why")
				if program := m.read("build/ep02"); beside != "" || program != "" {
					t.Errorf("left to answer for another kernel: %q, %q", program, beside)
				}
				return
			}
			wantStatus(t, output, status, 0)
			if tt.beside == "" && beside != "" {
				t.Errorf("PTX left beside the program: %q", beside)
			}
			if tt.beside != "" && !strings.HasPrefix(beside, hashLine(tt.cu)) {
				t.Errorf("PTX without the hash of its transpose.cu: %q", beside)
			}
			want(t, beside, tt.beside)
			left, err := filepath.Glob(m.path("build/ep02.ptx.*"))
			if err != nil || len(left) > 0 {
				t.Errorf("left over: %v, %v", left, err)
			}
		})
	}
}

// A PTX is made again when the kernel or the compiler is another, and only then.
func TestPTXMadeOnce(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.tool("nvcc", strings.Replace(fakeNvcc, "[ ", "echo compiling >&2; [ ", 1))
	const compiling = "compiling"
	step := func(what string, compiles bool) {
		t.Helper()
		output, status := m.make("count-ep02")
		wantStatus(t, output, status, 0)
		if got := strings.Contains(output, compiling); got != compiles {
			t.Errorf("%s: compiles: %v, want %v", what, got, compiles)
		}
	}
	step("first", true)
	step("again", false)
	m.write("ep02-coalescing/transpose.cu", "other\n")
	step("another kernel", true)
	step("again", false)
	m.tool("nvcc", strings.Replace(m.readTool("nvcc"), "V13.0.88", "V13.1.5", 1))
	step("another nvcc", true)
}

// The hash is the same with whichever tool a machine has.
func TestHashTools(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"sha256sum", "shasum", "openssl"} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.remove("sha256sum")
			m.real(tool)
			m.real("perl") // shasum is a Perl script
			output, status := m.make("ep02")
			wantStatus(t, output, status, 0)
			want(t, output, "build/ep02 -why")
		})
	}
}

// make ptx and make check-ptx need clang 19 and no other.
func TestCommittedPTX(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.tool("clang", fakeClang("clang version 20.1.0"))
	output, status := m.make("ptx")
	wantStatus(t, output, status, 2)
	want(t, output, "made by clang 19, which is not here\ninstall it: apt-get install clang-19")

	m.tool("clang-19", fakeClang("clang version 19.1.7"))
	output, status = m.make("check-ptx")
	wantStatus(t, output, status, 2)
	want(t, output, "ep01-correct/transpose.ptx is not what clang-19 19.1.7 makes of ep01-correct/transpose.cu\n", "ep04-padding", "Error 1")

	m.write("common/ptx/testdata/race.cu", kernel)
	output, status = m.make("ptx")
	wantStatus(t, output, status, 0)
	want(t, output, "ep01-correct/transpose.ptx: made by clang 19.1.7\n", "ep04-padding", "race.ptx")
	if got, want := m.read("ep03-shared/transpose.ptx"), hashLine(kernel)+"// Compiler: clang 19\nmade by clang\n"; got != want {
		t.Errorf("transpose.ptx holds %q, want %q", got, want)
	}
	if got, want := m.read("common/ptx/testdata/race.ptx"), "made by clang\n"; got != want {
		t.Errorf("race.ptx holds %q, want %q", got, want)
	}
	output, status = m.make("check-ptx")
	wantStatus(t, output, status, 0)
	wantNot(t, output, "is not what")
}
