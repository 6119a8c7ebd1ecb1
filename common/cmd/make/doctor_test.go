package main

import (
	"runtime"
	"strings"
	"testing"
)

const fakeNVCC = `#!/bin/sh
case $1 in
--version) echo 'Cuda compilation tools, release 13.0, V13.0.88'; exit ;;
esac
echo made >out.ptx
`

// nvccWithNewGCC is what nvcc says of a gcc that is too new for it.
var nvccWithNewGCC = strings.Replace(fakeNVCC, "echo made", `echo '/usr/local/cuda/include/crt/host_config.h:132:2: error: #error -- unsupported GNU version! gcc versions later than 12 are not supported!' >&2
exit 1
echo made`, 1)

func fakeClang(version string) string {
	return `#!/bin/sh
case $1 in
--version) echo "` + version + `"; exit ;;
--print-targets) echo '    nvptx64 - NVIDIA PTX 64-bit'; exit ;;
esac
while [ "$1" != -o ]; do shift; done
echo "made by clang" >"$2"
`
}

// The last line of make doctor is what make epNN will do.
func TestDoctor(t *testing.T) {
	t.Parallel()
	smi := func(m *made, script string) { m.tool("nvidia-smi", "#!/bin/sh\n"+script+"\n") }
	const promises = "make epNN will time on the GPU, then count with the emulator"
	tests := []struct {
		name    string
		machine func(m *made)
		texts   []string
		not     string
	}{
		{"nothing", func(*made) {}, []string{
			"Go             " + runtime.Version() + ", ", "/commands/go\n", "GPU            no NVIDIA GPU", "libcuda.so.1   missing", "cuda.h         missing", "C compiler     missing",
			"nvcc           missing", "clang          missing", "clang 19       missing", "\nmake epNN will count with the emulator and time nothing: no CUDA device here\n",
		}, promises},
		{"all", func(m *made) {
			m.gpu()
			m.file(m.sys+"/usr/local/cuda/include/cuda.h", "#define CUDA_VERSION 12090\n", 0o644)
			smi(m, "printf 'NVIDIA H200, 580.159\nNVIDIA T4, 580.159\n'")
			m.tool("clang-19", fakeClang("Debian clang version 19.1.7 (3)"))
			m.file(m.sys+"/usr/local/cuda/bin/nvcc", fakeNVCC, 0o755)
		}, []string{
			"GPU            NVIDIA H200, driver 580.159\n               NVIDIA T4, driver 580.159\n", "/usr/lib64/libcuda.so.1\n",
			"the loader does not look there: make links the program to that folder\n", "CUDA 12.9, ", "/usr/local/cuda/include/cuda.h\n",
			"C compiler     gcc, ", "/commands/gcc\n", "nvcc           13.0.88, ", "/usr/local/cuda/bin/nvcc\nclang          19.1.7, ", "clang 19       19.1.7, ",
			"\n" + promises + ": driver, cuda.h and C compiler are here\n",
		}, "not used"},
		{"two toolkits", func(m *made) {
			m.gpu()
			m.system("opt/cuda/include/cuda.h")
			m.file(m.sys+"/opt/cuda/bin/nvcc", fakeNVCC, 0o755)
			m.file(m.sys+"/usr/local/cuda/bin/nvcc", fakeNVCC, 0o755)
		}, []string{"/usr/local/cuda/include/cuda.h\n", "also here, not used: ", "/opt/cuda/include/cuda.h\n", "/usr/local/cuda/bin/nvcc\n", "also here, not used: ", "/opt/cuda/bin/nvcc\n"}, ""},
		{"GPU without header", func(m *made) { m.gpu(); m.unlink("usr/local/cuda/include/cuda.h") }, []string{
			"GPU            found; nvidia-smi does not tell which\n", "cuda.h         missing", "time nothing: a GPU but no cuda.h here\ninstall the CUDA toolkit",
		}, promises},
		{"container without the driver's library", func(m *made) {
			m.gpu()
			m.unlink("usr/lib64/libcuda.so.1")
			m.set("NVIDIA_VISIBLE_DEVICES=all")
		}, []string{"libcuda.so.1   missing", "time nothing: a GPU but no libcuda.so.1 here\n", "NVIDIA_DRIVER_CAPABILITIES=compute,utility\n"}, promises},
		{"driver and its library differ", func(m *made) {
			m.gpu()
			smi(m, "echo 'Failed to initialize NVML: Driver/library version mismatch'; echo 'NVML library version: 535.113'; exit 18")
		}, []string{"GPU            found", "nvidia-smi says: Failed to initialize NVML: Driver/library version mismatch\n", "nvidia-smi says: NVML library version: 535.113\n",
			"\nmake epNN will try to time on the GPU, and by what nvidia-smi says it cannot; make count-epNN counts with the emulator\n"}, promises},
		{"no devices", func(m *made) { m.gpu(); smi(m, "echo 'No devices were found'") }, []string{
			"nvidia-smi says: No devices were found\n", "\nmake epNN will try to time on the GPU, and by what nvidia-smi says it cannot; ",
		}, promises},
		{"driver not loaded", func(m *made) {
			smi(m, "echo 'NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver.'; exit 9")
		}, []string{
			"no NVIDIA GPU", "nvidia-smi says: NVIDIA-SMI has failed", "time nothing: no CUDA device here\n",
		}, promises},
		{"GPU hidden", func(m *made) {
			m.gpu()
			smi(m, "echo 'NVIDIA H200, 580.159'")
			m.set("CUDA_VISIBLE_DEVICES=NoDevFiles")
		}, []string{"GPU            hidden by CUDA_VISIBLE_DEVICES=NoDevFiles\n", "time nothing: no CUDA device here\n"}, promises},
		{"CUDA_HOME names nothing", func(m *made) { m.set("CUDA_HOME=/none") }, []string{"CUDA_HOME      names /none, which does not exist: not used\n"}, promises},
		{"nvcc that does not work", func(m *made) { m.tool("nvcc", nvccWithNewGCC) }, []string{
			"nvcc           13.0.88, ", "does not work here", "unsupported GNU version", "the committed transpose.ptx runs instead\n",
		}, promises},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMade(t)
			tt.machine(m)
			output := m.makes("doctor", 0, tt.texts...)
			if tt.not != "" {
				wantNot(t, output, tt.not)
			}
		})
	}
}

// make ptx and make check-ptx need clang 19 and no other.
func TestCommittedPTX(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.tool("clang", fakeClang("clang version 20.1.0"))
	m.makes("ptx", 2, "made by clang 19, which is not here\ninstall it: apt-get install clang-19")

	m.tool("clang-19", fakeClang("clang version 19.1.7"))
	m.makes("check-ptx", 1, "ep01-correct/transpose.ptx is not what ", "/clang-19 19.1.7 makes of ep01-correct/transpose.cu\n", "ep03-shared")
	if m.read("ep03-shared/transpose.ptx") != hashLine(kernel)+"// Compiler: clang 19\n" {
		t.Error("a check has written")
	}

	m.write("common/ptx/testdata/race.cu", kernel)
	m.write("common/cmd/docs/testdata/edit/transpose.cu", kernel)
	m.makes("ptx", 0, "ep01-correct/transpose.ptx: made by clang 19.1.7\n", "ep03-shared", "common/cmd/docs/testdata/edit/transpose.ptx", "race.ptx")
	for name, want := range map[string]string{
		"ep03-shared/transpose.ptx":                   hashLine(kernel) + "// Compiler: clang 19\nmade by clang\n",
		"common/cmd/docs/testdata/edit/transpose.ptx": hashLine(kernel) + "// Compiler: clang 19\nmade by clang\n",
		"common/ptx/testdata/race.ptx":                "made by clang\n",
	} {
		if got := m.read(name); got != want {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
	if output := m.makes("check-ptx", 0); output != "" {
		t.Errorf("check of what was just made: %s", output)
	}
	if output := m.makes("ptx", 0); output != "" {
		t.Errorf("made again: %s", output)
	}
}
