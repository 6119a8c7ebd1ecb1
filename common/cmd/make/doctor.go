package main

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"transpose/common/compile"
	"transpose/common/machine"
)

// doctor says what of all that make can use is here and where, or what to
// install. The last line is what make epNN will do.
func (t *tree) doctor(string, []string) error {
	for _, variable := range t.machine.MissingFolders() {
		t.row(variable, "names %s, which does not exist: not used", t.getenv(variable))
	}
	t.row("Go", "%s, %s", runtime.Version(), t.machine.LookPath("go"))
	m := t.timing()
	trouble := t.gpuRows(m.Missing == machine.NoGPU)
	libcuda, rpath := t.machine.Libcuda()
	t.row("libcuda.so.1", "%s", or(libcuda, "missing: comes with the driver; only timing needs it"))
	if rpath != "" {
		t.row("", "the loader does not look there: make links the program to that folder")
	}
	t.headerRow()
	if cc := t.machine.CC(m.CC); cc != "" {
		t.row("C compiler", "%s, %s", cc, t.machine.LookPath(strings.Fields(cc)[0]))
	} else {
		t.row("C compiler", "missing: install gcc; only timing needs it")
	}
	t.nvccRows()
	t.clangRow("clang", 0, "install clang, 14 or newer (Xcode has one that cannot); compiles an edited kernel without CUDA")
	t.clangRow("clang 19", 19, "install clang-19; only make ptx needs it")
	fmt.Fprintln(t.stdout)
	t.promise(m, trouble)
	return nil
}

// promise says what make epNN will do.
func (t *tree) promise(m machine.Timing, trouble bool) {
	switch {
	case m.Missing == machine.NoGPU:
		fmt.Fprintf(t.stdout, "make epNN will count with the emulator and time nothing: %s here\n", m.Missing)
	case m.Missing != "":
		fmt.Fprintf(t.stdout, "make epNN will count with the emulator and time nothing: %s here\n%s\n", m.Missing, m.Advice)
	case trouble:
		fmt.Fprintln(t.stdout, "make epNN will try to time on the GPU, and by what nvidia-smi says it cannot; make count-epNN counts with the emulator")
	default:
		fmt.Fprintln(t.stdout, "make epNN will time on the GPU, then count with the emulator: driver, cuda.h and C compiler are here")
	}
}

func (t *tree) row(name, format string, args ...any) {
	fmt.Fprintf(t.stdout, "%-14s %s\n", name, fmt.Sprintf(format, args...))
}

func or(text, instead string) string {
	if text == "" {
		return instead
	}
	return text
}

// gpuRows says what nvidia-smi says of the GPUs. There is trouble where it is here
// and lists none: versions of its library and the driver that differ, say.
func (t *tree) gpuRows(none bool) (trouble bool) {
	smi := t.machine.LookPath("nvidia-smi")
	gpus, said := "", ""
	if smi != "" {
		var err error
		if said, err = t.machine.Run(smi, "--query-gpu=name,driver_version", "--format=csv,noheader"); err == nil && strings.Contains(said, ", ") {
			gpus, said = said, ""
		}
	}
	switch {
	case t.machine.Hidden():
		t.row("GPU", "hidden by CUDA_VISIBLE_DEVICES=%s", t.getenv("CUDA_VISIBLE_DEVICES"))
	case none:
		t.row("GPU", "no NVIDIA GPU with a driver (looked for /dev/nvidia0 and with nvidia-smi, on Linux)")
	case gpus == "":
		t.row("GPU", "found; nvidia-smi does not tell which")
	default:
		for i, line := range strings.Split(strings.TrimSpace(gpus), "\n") {
			name, driver, _ := strings.Cut(line, ", ")
			t.row([]string{"GPU", ""}[min(i, 1)], "%s, driver %s", name, driver)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(said), "\n") {
		if line != "" {
			t.row("", "nvidia-smi says: %s", line)
		}
	}
	return smi != "" && gpus == ""
}

var cudaVersion = regexp.MustCompile(`(?m)^#define CUDA_VERSION\s+([0-9]+)`)

// headerRow says which cuda.h is taken, and which ones are not.
func (t *tree) headerRow() {
	headers := t.machine.CUDAFiles("include/cuda.h")
	if len(headers) == 0 {
		t.row("cuda.h", "missing: comes with the CUDA toolkit, or pip install nvidia-cuda-runtime; only timing needs it")
		return
	}
	version := "of unknown version"
	if text, err := os.ReadFile(headers[0]); err == nil {
		if v := cudaVersion.FindSubmatch(text); v != nil {
			n, _ := strconv.Atoi(string(v[1])) // digits
			version = fmt.Sprintf("%d.%d", n/1000, n%1000/10)
		}
	}
	t.row("cuda.h", "CUDA %s, %s", version, headers[0])
	t.others(headers[1:])
}

func (t *tree) others(files []string) {
	for _, file := range files {
		t.row("", "also here, not used: %s", file)
	}
}

// nvccRows says which nvcc is taken. It works with some versions of gcc and of the C
// library only, so it is tried.
func (t *tree) nvccRows() {
	nvcc := t.machine.NVCC()
	if nvcc == "" {
		t.row("nvcc", "missing: comes with the CUDA toolkit; without it clang compiles an edited kernel")
		return
	}
	c := &compile.Compiler{Machine: t.machine, Warn: func(text string) { t.row("", "%s", strings.TrimSpace(text)) }}
	t.row("nvcc", "%s, %s", c.NVCCVersion(nvcc), nvcc)
	for _, file := range t.machine.CUDAFiles("bin/nvcc") {
		if file != nvcc {
			t.others([]string{file})
		}
	}
	trial := compile.Source{Name: "transpose.cu", Text: "extern \"C\" __global__ void empty() {}\n"}
	if _, err := c.Best(trial, compile.HashLine(trial.Text)); err != nil {
		t.row("", "%v", err)
	}
}

func (t *tree) clangRow(name string, major int, missing string) {
	if clang := t.machine.Clang(major); clang != nil {
		t.row(name, "%s, %s", clang.Version, clang.Path)
		return
	}
	t.row(name, "missing: %s", missing)
}

// env prints, for the shell, the settings with which go build and go run in an
// episode's folder make the program that make would.
func (t *tree) env(string, []string) error {
	settings := t.countSettings()
	if m := t.timing(); m.Missing == "" {
		var err error
		if settings, err = t.timeSettings(m); err != nil {
			return err
		}
	}
	for _, setting := range settings {
		name, value, _ := strings.Cut(setting, "=")
		fmt.Fprintf(t.stdout, "export %s='%s'\n", name, strings.ReplaceAll(value, "'", `'\''`))
	}
	return nil
}
