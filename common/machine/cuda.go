package machine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// NoGPU is what is missing where there is no GPU to time on.
const NoGPU = "no CUDA device"

// A Timing is what it takes to build and start a program that times: all of
// it is here, or Missing says what is not.
type Timing struct {
	Libcuda string // the driver's library
	RPath   string // its folder, where the loader does not look there by itself
	Include string // the folder of cuda.h
	CC      string // the C compiler
	Missing string // what is missing first, as a report says it
	Advice  string // what to do about that
}

// Timing looks for all that timing needs. cc is the C compiler that go would
// take, "" if that is not known.
func (m *Machine) Timing(cc string) Timing {
	if !m.HasGPU() {
		return Timing{Missing: NoGPU, Advice: "an NVIDIA GPU with its driver is needed, on Linux; nvidia-smi lists what the driver sees " +
			"(a container has to be started with its GPUs, and CUDA_VISIBLE_DEVICES must not hide them)"}
	}
	var t Timing
	t.Libcuda, t.RPath = m.Libcuda()
	if header := m.CUDAFile("include/cuda.h"); header != "" {
		t.Include = filepath.Dir(header)
	}
	t.CC = m.CC(cc)
	switch {
	case t.Libcuda == "":
		t.Missing, t.Advice = "a GPU but no libcuda.so.1", "it comes with NVIDIA's driver: install that, or put the folder that has it in LD_LIBRARY_PATH"
		if m.inContainer() {
			t.Advice = "this container has the GPU but not the driver's compute library: start it with NVIDIA_DRIVER_CAPABILITIES=compute,utility"
		}
	case t.Include == "":
		t.Missing, t.Advice = "a GPU but no cuda.h", "install the CUDA toolkit, or its headers alone with pip install nvidia-cuda-runtime, or set CUDA_HOME to the folder that has include/cuda.h"
	case t.CC == "":
		t.Missing, t.Advice = "a GPU but no C compiler", "install gcc, or set CC to the C compiler"
	}
	return t
}

// HasGPU reports whether the kernel knows an NVIDIA GPU and the user does not
// hide it. The device files can be missing until the driver is first used, so
// nvidia-smi is asked too.
func (m *Machine) HasGPU() bool {
	if m.OS != "linux" || m.Hidden() {
		return false
	}
	for _, sign := range []string{"/dev/nvidia[0-9]*", "/proc/driver/nvidia/gpus/*", "/dev/nvhost-gpu", "/usr/lib/wsl/lib/libcuda.so.1"} {
		if len(m.glob(sign)) > 0 {
			return true
		}
	}
	smi := m.LookPath("nvidia-smi")
	if smi == "" {
		return false
	}
	list, err := m.Run(smi, "-L")
	return err == nil && strings.Contains("\n"+list, "\nGPU")
}

// Hidden reports whether CUDA_VISIBLE_DEVICES shows no GPU to a program: it is
// empty, begins with an index that is none (CUDA C++ Programming Guide, "CUDA
// Environment Variables"), or is a batch system's word for none.
func (m *Machine) Hidden() bool {
	visible, set := m.LookupEnv("CUDA_VISIBLE_DEVICES")
	visible = strings.TrimSpace(visible)
	return set && (visible == "" || strings.HasPrefix(visible, "-1") || strings.EqualFold(visible, "NoDevFiles"))
}

func (m *Machine) inContainer() bool {
	_, set := m.LookupEnv("NVIDIA_VISIBLE_DEVICES")
	return set || exists(m.Root+"/.dockerenv") || exists(m.Root+"/run/.containerenv")
}

// Libcuda returns the path of the driver's library, and its folder if the loader
// does not look there by itself. A toolkit's stubs are no driver.
func (m *Machine) Libcuda() (path, rpath string) {
	const name = "libcuda.so.1"
	for _, dir := range filepath.SplitList(m.getenv("LD_LIBRARY_PATH")) {
		if filepath.IsAbs(dir) && filepath.Base(dir) != "stubs" && isFile(filepath.Join(dir, name)) {
			return filepath.Join(dir, name), ""
		}
	}
	if path := m.cachedLibrary(name); path != "" {
		return path, ""
	}
	for _, pattern := range []string{"/usr/lib/wsl/lib", "/usr/local/nvidia/lib64", "/usr/lib64", "/usr/lib/*-linux-gnu", "/usr/lib", "/run/opengl-driver/lib"} {
		for _, dir := range m.glob(pattern) {
			if isFile(filepath.Join(dir, name)) {
				return filepath.Join(dir, name), dir
			}
		}
	}
	return "", ""
}

// cachedLibrary returns the 64-bit library of that name in the loader's cache.
func (m *Machine) cachedLibrary(name string) string {
	for _, ldconfig := range []string{m.LookPath("ldconfig"), m.Root + "/sbin/ldconfig", m.Root + "/usr/sbin/ldconfig"} {
		if !m.isProgram(ldconfig) {
			continue
		}
		list, err := m.Run(ldconfig, "-p")
		if err != nil {
			continue
		}
		for _, line := range strings.Split(list, "\n") {
			entry, path, found := strings.Cut(strings.TrimSpace(line), " => ")
			if found && strings.HasPrefix(entry, name+" (") && strings.Contains(entry, "64") && isFile(path) {
				return path
			}
		}
	}
	return ""
}

// CC returns a C compiler: first, the one that go would take, if it is here.
func (m *Machine) CC(first string) string {
	for _, cc := range []string{m.getenv("CC"), first, "gcc", "clang", "cc"} {
		if words := strings.Fields(cc); len(words) > 0 && m.LookPath(words[0]) != "" {
			return cc
		}
	}
	return ""
}

// CUDAFile returns the path of a file of a CUDA toolkit, such as bin/nvcc, in the
// first place that has it, or "".
func (m *Machine) CUDAFile(name string) string {
	if files := m.CUDAFiles(name); len(files) > 0 {
		return files[0]
	}
	return ""
}

// CUDAFiles returns the paths of the file in all places, the first choice first.
func (m *Machine) CUDAFiles(name string) []string {
	var files []string
	for _, root := range append(m.toolkits(), m.wheels()...) {
		if file := filepath.Join(root, filepath.FromSlash(name)); root != "" && isFile(file) && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files
}

// toolkits returns the folders that may be a toolkit.
func (m *Machine) toolkits() []string {
	roots := []string{m.getenv("CUDA_HOME"), m.getenv("CUDA_PATH")}
	if nvcc := m.LookPath("nvcc"); nvcc != "" {
		if target, err := filepath.EvalSymlinks(nvcc); err == nil {
			nvcc = target
		}
		roots = append(roots, filepath.Dir(filepath.Dir(nvcc)))
	}
	roots = append(roots, m.Root+"/usr/local/cuda", m.Root+"/opt/cuda", m.Root+"/usr")
	if conda := m.getenv("CONDA_PREFIX"); conda != "" {
		targets, _ := filepath.Glob(filepath.Join(conda, "targets", "*"))
		roots = append(append(roots, conda), targets...)
	}
	return roots
}

// wheels returns the folders where pip puts the parts of NVIDIA's wheels. Python
// itself, which would know, takes longer to start than all the rest.
func (m *Machine) wheels() []string {
	sites := filepath.SplitList(m.getenv("PYTHONPATH"))
	for _, home := range m.pythons() {
		for _, packages := range []string{"site-packages", "dist-packages"} {
			found, _ := filepath.Glob(filepath.Join(home, "lib*", "python3*", packages))
			sites = append(sites, found...)
		}
	}
	var roots []string
	for _, site := range sites {
		for _, part := range []string{"cu[0-9]*", "cuda_runtime", "cuda_nvcc"} {
			found, _ := filepath.Glob(filepath.Join(site, "nvidia", part))
			roots = append(roots, found...)
		}
	}
	return roots
}

// pythons returns the folders that a Python may be installed in.
func (m *Machine) pythons() (homes []string) {
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if home := m.getenv(name); home != "" {
			homes = append(homes, home)
		}
	}
	if home := m.getenv("HOME"); home != "" {
		homes = append(homes, filepath.Join(home, ".local"))
	}
	for _, name := range []string{"python3", "python"} {
		if python := m.LookPath(name); python != "" {
			home := filepath.Dir(filepath.Dir(python))
			versions, _ := filepath.Glob(filepath.Join(home, "versions", "*")) // pyenv's command is a script in its shims
			homes = append(append(homes, home), versions...)
			if target, err := filepath.EvalSymlinks(python); err == nil {
				homes = append(homes, filepath.Dir(filepath.Dir(target)))
			}
		}
	}
	return append(homes, m.Root+"/usr/local", m.Root+"/usr")
}

// NVCC returns the path of NVIDIA's compiler, or "". It runs on Linux and Windows;
// on Windows it takes Microsoft's compiler with it, which only a developer's
// prompt has on its PATH, so that clang is the one to ask there.
func (m *Machine) NVCC() string {
	if m.OS != "linux" {
		return ""
	}
	if nvcc := m.CUDAFile("bin/nvcc"); nvcc != "" {
		return nvcc
	}
	return m.LookPath("nvcc") // a wrapper, in no toolkit
}

// NCU returns the path of Nsight Compute's command, or "". Under sudo, PATH is
// another one, so the toolkit's folder is looked at too.
func (m *Machine) NCU() string {
	if ncu := m.LookPath("ncu"); ncu != "" {
		return ncu
	}
	if ncu := m.CUDAFile("bin/ncu"); ncu != "" {
		return ncu
	}
	for _, ncu := range m.glob("/opt/nvidia/nsight-compute/*/ncu") {
		if m.isProgram(ncu) {
			return ncu
		}
	}
	return ""
}

// MissingFolders returns the variables that name a toolkit which is not there.
func (m *Machine) MissingFolders() (variables []string) {
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if dir := m.getenv(name); dir != "" {
			if info, err := os.Stat(dir); err != nil || !info.IsDir() {
				variables = append(variables, name)
			}
		}
	}
	return variables
}
