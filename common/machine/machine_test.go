package machine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A made is a made-up machine: its / is a folder of the test's own, and its PATH
// has the programs that the test puts there.
type made struct {
	*Machine
	t    *testing.T
	root string
	env  map[string]string
	says map[string]string // by program and arguments, such as "ldconfig -p"; a failure begins with FAILS
}

func newMachine(t *testing.T) *made {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a made-up machine has the paths of Unix")
	}
	root := t.TempDir()
	m := &made{t: t, root: root, env: map[string]string{"PATH": root + "/bin", "HOME": root + "/home"}, says: map[string]string{}}
	m.Machine = &Machine{OS: "linux", Root: root, LookupEnv: func(name string) (string, bool) {
		value, set := m.env[name]
		return value, set
	}}
	m.Machine.Run = func(name string, args ...string) (string, error) {
		text, known := m.says[strings.Join(append([]string{filepath.Base(name)}, args...), " ")]
		if text, failed := strings.CutPrefix(text, "FAILS "); failed || !known {
			return text, errors.New("exit status 9")
		}
		return text, nil
	}
	return m
}

// set sets variables; $ stands for the machine's /.
func (m *made) set(settings ...string) {
	for _, setting := range settings {
		name, value, _ := strings.Cut(setting, "=")
		m.env[name] = strings.ReplaceAll(value, "$", m.root)
	}
}

// put makes files below the machine's /.
func (m *made) put(names ...string) {
	m.t.Helper()
	for _, name := range names {
		path := filepath.Join(m.root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			m.t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o755); err != nil {
			m.t.Fatal(err)
		}
	}
}

// link makes a symbolic link below the machine's /.
func (m *made) link(old, name string) {
	m.t.Helper()
	path := filepath.Join(m.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(m.root, old), path); err != nil {
		m.t.Fatal(err)
	}
}

// below is a path without the machine's root.
func (m *made) below(path string) string { return strings.ReplaceAll(path, m.root, "") }

// wantPath fails the test unless a path is the one wanted, below the machine's /.
func (m *made) wantPath(what, got, want string) {
	m.t.Helper()
	if got = m.below(got); got != want {
		m.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func TestHasGPU(t *testing.T) {
	t.Parallel()
	device := func(m *made) { m.put("dev/nvidia0") }
	visible := func(value string) func(*made) {
		return func(m *made) { m.put("dev/nvidia0"); m.set("CUDA_VISIBLE_DEVICES=" + value) }
	}
	smi := func(says string) func(*made) {
		return func(m *made) { m.put("bin/nvidia-smi"); m.says["nvidia-smi -L"] = says }
	}
	tests := []struct {
		name string
		make func(*made)
		want bool
	}{
		{"nothing", func(*made) {}, false},
		{"device file", device, true},
		{"eighth device file alone", func(m *made) { m.put("dev/nvidia7") }, true},
		{"driver without a GPU", func(m *made) { m.put("dev/nvidiactl", "dev/nvidia-uvm", "usr/lib64/libcuda.so.1") }, false},
		{"known to the kernel", func(m *made) { m.put("proc/driver/nvidia/gpus/0000:01:00.0/information") }, true},
		{"Tegra", func(m *made) { m.put("dev/nvhost-gpu") }, true},
		{"WSL", func(m *made) { m.put("usr/lib/wsl/lib/libcuda.so.1") }, true},
		{"only nvidia-smi knows", smi("GPU 0: NVIDIA T4 (UUID: GPU-1)\n"), true},
		{"nvidia-smi warns first", smi("Warning: persistence mode\nGPU 0: NVIDIA T4\n"), true},
		{"nvidia-smi finds none", smi("No devices found.\n"), false},
		{"nvidia-smi fails", smi("FAILS GPU access blocked by the operating system\n"), false},
		{"macOS", func(m *made) { device(m); m.OS = "darwin" }, false},
		{"Windows", func(m *made) { device(m); m.OS = "windows" }, false},

		{"the second is chosen", visible("1"), true},
		{"chosen by name", visible("GPU-8932f937"), true},
		{"hidden by an empty variable", visible(""), false},
		{"hidden by a space", visible(" "), false},
		{"hidden by -1", visible("-1"), false},
		{"hidden by -1 before others", visible("-1,0"), false},
		{"hidden by a batch system", visible("NoDevFiles"), false},
		{"visible before -1", visible("0,-1"), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			tt.make(m)
			if got := m.HasGPU(); got != tt.want {
				t.Errorf("a GPU: %v, want %v", got, tt.want)
			}
		})
	}
}

// The first thing that timing lacks, on machines that have more and more of it.
func TestTiming(t *testing.T) {
	t.Parallel()
	steps := []struct {
		put, missing, advice string
	}{
		{"usr/lib64/libcuda.so.1", "no CUDA device", "nvidia-smi"},
		{"dev/nvidia0", "a GPU but no cuda.h", "CUDA_HOME"},
		{"usr/local/cuda/include/cuda.h", "a GPU but no C compiler", "install gcc"},
		{"bin/gcc", "", ""},
	}
	m := newMachine(t)
	for _, step := range steps {
		m.put(step.put)
		got := m.Timing("gcc")
		if got.Missing != step.missing || !strings.Contains(got.Advice, step.advice) {
			t.Errorf("with %s: %q, %q; want %q, %q", step.put, got.Missing, got.Advice, step.missing, step.advice)
		}
	}
	got := m.Timing("gcc")
	m.wantPath("driver", got.Libcuda, "/usr/lib64/libcuda.so.1")
	m.wantPath("rpath", got.RPath, "/usr/lib64")
	m.wantPath("headers", got.Include, "/usr/local/cuda/include")
	if got.CC != "gcc" {
		t.Errorf("C compiler: %q", got.CC)
	}
}

// Without the driver's library it is the container that has to be started
// otherwise, or the driver that has to be installed.
func TestNoDriver(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, advice string
		make         func(*made)
	}{
		{"machine", "comes with NVIDIA's driver", func(*made) {}},
		{"NVIDIA's container", "NVIDIA_DRIVER_CAPABILITIES=compute,utility", func(m *made) { m.set("NVIDIA_VISIBLE_DEVICES=all") }},
		{"Docker", "NVIDIA_DRIVER_CAPABILITIES=compute,utility", func(m *made) { m.put(".dockerenv") }},
		{"Podman", "NVIDIA_DRIVER_CAPABILITIES=compute,utility", func(m *made) { m.put("run/.containerenv") }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.put("dev/nvidia0")
			tt.make(m)
			got := m.Timing("")
			if got.Missing != "a GPU but no libcuda.so.1" || !strings.Contains(got.Advice, tt.advice) {
				t.Errorf("%q, %q; want the advice %q", got.Missing, got.Advice, tt.advice)
			}
		})
	}
}

func TestLibcuda(t *testing.T) {
	t.Parallel()
	const lib = "/libcuda.so.1"
	at := func(folder string) func(*made) { return func(m *made) { m.put(folder + lib) } }
	tests := []struct {
		name        string
		make        func(*made)
		path, rpath string
	}{
		{"nowhere", func(*made) {}, "", ""},
		{"LD_LIBRARY_PATH", func(m *made) {
			m.put("mine"+lib, "usr/lib64"+lib)
			m.set("LD_LIBRARY_PATH=$/none:$/mine")
		}, "/mine" + lib, ""},
		{"stubs before it", func(m *made) {
			m.put("cuda/lib64/stubs"+lib, "mine"+lib)
			m.set("LD_LIBRARY_PATH=$/cuda/lib64/stubs/::relative:$/mine")
		}, "/mine" + lib, ""},
		{"stubs alone", func(m *made) {
			m.put("cuda/lib64/stubs" + lib)
			m.set("LD_LIBRARY_PATH=$/cuda/lib64/stubs")
		}, "", ""},
		{"loader's cache", func(m *made) {
			m.put("bin/ldconfig", "far/away"+lib, "usr/lib/i386-linux-gnu"+lib, "usr/lib64"+lib)
			m.says["ldconfig -p"] = strings.ReplaceAll("2 libs found in cache\n\tlibcuda.so.1 (libc6) => $/usr/lib/i386-linux-gnu/libcuda.so.1\n"+
				"\tlibcuda.so (libc6,x86-64) => $/dev/libcuda.so\n\tlibcuda.so.1 (libc6,x86-64) => $/far/away/libcuda.so.1\n", "$", m.root)
		}, "/far/away" + lib, ""},
		{"cache, ldconfig beside PATH", func(m *made) {
			m.put("sbin/ldconfig", "far/away"+lib)
			m.says["ldconfig -p"] = "\tlibcuda.so.1 (libc6,AArch64,64bit) => " + m.root + "/far/away/libcuda.so.1\n"
		}, "/far/away" + lib, ""},
		{"cache names a file that is gone", func(m *made) {
			m.put("bin/ldconfig", "usr/lib64"+lib)
			m.says["ldconfig -p"] = "\tlibcuda.so.1 (libc6,x86-64) => " + m.root + "/gone/libcuda.so.1\n"
		}, "/usr/lib64" + lib, "/usr/lib64"},
		{"no cache", func(m *made) { m.put("bin/ldconfig", "usr/lib64"+lib) }, "/usr/lib64" + lib, "/usr/lib64"},
		{"WSL before others", func(m *made) { m.put("usr/lib/wsl/lib"+lib, "usr/lib64"+lib) }, "/usr/lib/wsl/lib" + lib, "/usr/lib/wsl/lib"},
		{"container", at("usr/local/nvidia/lib64"), "/usr/local/nvidia/lib64" + lib, "/usr/local/nvidia/lib64"},
		{"Debian", at("usr/lib/x86_64-linux-gnu"), "/usr/lib/x86_64-linux-gnu" + lib, "/usr/lib/x86_64-linux-gnu"},
		{"Arch", at("usr/lib"), "/usr/lib" + lib, "/usr/lib"},
		{"NixOS", at("run/opengl-driver/lib"), "/run/opengl-driver/lib" + lib, "/run/opengl-driver/lib"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			tt.make(m)
			path, rpath := m.Libcuda()
			m.wantPath("driver", path, tt.path)
			m.wantPath("rpath", rpath, tt.rpath)
		})
	}
}

func TestCC(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, cc, first, put, want string
	}{
		{"none", "", "", "", ""},
		{"go's", "", "clang", "bin/gcc bin/clang", "clang"},
		{"go's is not here", "", "gcc", "bin/clang", "clang"},
		{"CC", "my-cc -m64", "gcc", "bin/gcc bin/my-cc", "my-cc -m64"},
		{"CC by its path", "$/opt/cc", "gcc", "bin/gcc opt/cc", "$/opt/cc"},
		{"CC is not here", "my-cc", "gcc", "bin/gcc", "gcc"},
		{"cc", "", "", "bin/cc", "cc"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.put(strings.Fields(tt.put)...)
			if tt.cc != "" {
				m.set("CC=" + tt.cc)
			}
			if got := strings.ReplaceAll(m.CC(tt.first), m.root, "$"); got != tt.want {
				t.Errorf("C compiler %q, want %q", got, tt.want)
			}
		})
	}
}

// Every place where a toolkit's header may be, the first choice first. With all of
// them there, the first still there wins.
func TestToolkits(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.set("CUDA_HOME=$/my cuda", "CUDA_PATH=$/path", "CONDA_PREFIX=$/conda", "PYTHONPATH=$/site", "VIRTUAL_ENV=$/venv")
	m.put("hpc/bin/nvcc", "pyenv/shims/python3", "pyenv/versions/3.12.1/bin/python3", "python/bin/python3")
	m.link("hpc/bin/nvcc", "bin/nvcc")
	m.set("PATH=$/bin:$/pyenv/shims:$/other")
	m.link("python/bin/python3", "other/python")
	places := []string{
		"my cuda", "path", "hpc", "usr/local/cuda", "opt/cuda", "usr", "conda", "conda/targets/x86_64-linux",
		"site/nvidia/cu13", "site/nvidia/cuda_runtime", "site/nvidia/cuda_nvcc",
		"venv/lib/python3.11/site-packages/nvidia/cu13",
		"conda/lib/python3.10/site-packages/nvidia/cuda_runtime",
		"home/.local/lib/python3.11/site-packages/nvidia/cuda_runtime",
		"pyenv/versions/3.12.1/lib/python3.12/site-packages/nvidia/cu13",
		"python/lib64/python3.9/site-packages/nvidia/cu12",
		"usr/local/lib/python3.11/dist-packages/nvidia/cuda_runtime",
		"usr/lib/python3/dist-packages/nvidia/cuda_runtime",
	}
	for _, place := range places {
		m.put(place + "/include/cuda.h")
	}
	for i, place := range places {
		m.wantPath("header", m.CUDAFile("include/cuda.h"), "/"+place+"/include/cuda.h")
		if files := m.CUDAFiles("include/cuda.h"); len(files) != len(places)-i {
			t.Errorf("%d headers from %s on, want %d: %v", len(files), place, len(places)-i, files)
		}
		if err := os.Remove(filepath.Join(m.root, place, "include/cuda.h")); err != nil {
			t.Fatal(err)
		}
	}
	m.wantPath("header", m.CUDAFile("include/cuda.h"), "")
	if got := strings.Join(m.MissingFolders(), " "); got != "" {
		t.Errorf("folders that are there are missing: %s", got)
	}
	m.set("CUDA_PATH=/none")
	if got := strings.Join(m.MissingFolders(), " "); got != "CUDA_PATH" {
		t.Errorf("missing folders: %s, want CUDA_PATH", got)
	}
}

func TestNVCC(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, os, put, want string
	}{
		{"none", "linux", "", ""},
		{"toolkit", "linux", "usr/local/cuda/bin/nvcc", "/usr/local/cuda/bin/nvcc"},
		{"wheel", "linux", "home/.local/lib/python3.11/site-packages/nvidia/cu13/bin/nvcc", "/home/.local/lib/python3.11/site-packages/nvidia/cu13/bin/nvcc"},
		{"on PATH", "linux", "bin/nvcc", "/bin/nvcc"},
		{"macOS", "darwin", "usr/local/cuda/bin/nvcc bin/nvcc", ""},
		{"Windows", "windows", "usr/local/cuda/bin/nvcc bin/nvcc.exe", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.OS = tt.os
			m.put(strings.Fields(tt.put)...)
			m.wantPath("nvcc", m.NVCC(), tt.want)
		})
	}
	m := newMachine(t)
	m.put("elsewhere/nvcc")
	m.set("PATH=$/elsewhere") // in no toolkit's bin
	m.wantPath("a wrapper", m.NVCC(), "/elsewhere/nvcc")
}

// Under sudo PATH has neither ncu nor nvcc.
func TestNCU(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.wantPath("none", m.NCU(), "")
	m.put("opt/nvidia/nsight-compute/2024.1.0/ncu", "opt/nvidia/nsight-compute/2025.3.1/ncu", "opt/nvidia/nsight-compute/2026.1.0/docs")
	m.wantPath("its own folder, the newest", m.NCU(), "/opt/nvidia/nsight-compute/2025.3.1/ncu")
	m.put("usr/local/cuda/bin/ncu")
	m.wantPath("the toolkit's", m.NCU(), "/usr/local/cuda/bin/ncu")
	m.put("bin/ncu")
	m.wantPath("on PATH", m.NCU(), "/bin/ncu")
}

func TestClang(t *testing.T) {
	t.Parallel()
	const targets = "  Registered Targets:\n    nvptx64    - NVIDIA PTX 64-bit\n"
	tests := []struct {
		name  string
		here  []string // PATH: what it says of its version
		os    string
		major int
		want  string // path and version
	}{
		{"none", nil, "linux", 0, ""},
		{"clang", []string{"bin/clang: clang version 17.0.6"}, "linux", 0, "/bin/clang 17.0.6"},
		{"Ubuntu's", []string{"bin/clang-14: Ubuntu clang version 14.0.0-1ubuntu1"}, "linux", 0, "/bin/clang-14 14.0.0"},
		{"too old", []string{"bin/clang: clang version 13.0.1"}, "linux", 0, ""},
		{"too old, another is not", []string{"bin/clang: clang version 13.0.1", "bin/clang-16: clang version 16.0.6"}, "linux", 0, "/bin/clang-16 16.0.6"},
		{"the committed PTX's before newer ones", []string{"bin/clang-22: clang version 22.1.8", "bin/clang-19: Debian clang version 19.1.7 (3)"}, "linux", 0, "/bin/clang-19 19.1.7"},
		{"newest first", []string{"bin/clang-15: clang version 15.0.7", "bin/clang-18: clang version 18.1.8"}, "linux", 0, "/bin/clang-18 18.1.8"},
		{"LLVM's folder", []string{"usr/lib/llvm-17/bin/clang: clang version 17.0.6"}, "linux", 0, "/usr/lib/llvm-17/bin/clang 17.0.6"},
		{"Fedora's folder", []string{"usr/lib64/llvm17/bin/clang: clang version 17.0.6"}, "linux", 0, "/usr/lib64/llvm17/bin/clang 17.0.6"},
		{"Apple's", []string{"bin/clang: Apple clang version 17.0.0 (clang-1700)"}, "darwin", 0, ""},
		{"Apple's and Homebrew's", []string{"bin/clang: Apple clang version 17.0.0", "opt/homebrew/opt/llvm/bin/clang: Homebrew clang version 21.1.2"}, "darwin", 0, "/opt/homebrew/opt/llvm/bin/clang 21.1.2"},
		{"Homebrew's on Intel", []string{"usr/local/opt/llvm@19/bin/clang: Homebrew clang version 19.1.7"}, "darwin", 0, "/usr/local/opt/llvm@19/bin/clang 19.1.7"},
		{"Windows", []string{"bin/clang.exe: clang version 20.1.0"}, "windows", 0, "/bin/clang.exe 20.1.0"},
		{"without PTX", []string{"bin/clang: clang version 20.1.0 no nvptx64"}, "linux", 0, ""},
		{"does not start", []string{"bin/clang: FAILS clang version 20.1.0"}, "linux", 0, ""},
		{"no version", []string{"bin/clang: hello"}, "linux", 0, ""},
		{"19 wanted", []string{"bin/clang: clang version 20.1.0", "usr/lib/llvm-19/bin/clang: clang version 19.1.7"}, "linux", 19, "/usr/lib/llvm-19/bin/clang 19.1.7"},
		{"19 wanted, not here", []string{"bin/clang: clang version 20.1.0"}, "linux", 19, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.OS = tt.os
			versions, cannot := map[string]string{}, map[string]bool{}
			for _, here := range tt.here {
				name, version, _ := strings.Cut(here, ": ")
				version, cannot[m.root+"/"+name] = strings.CutSuffix(version, " no nvptx64")
				versions[m.root+"/"+name] = version
				m.put(name)
			}
			m.Machine.Run = func(path string, args ...string) (string, error) {
				switch args[0] {
				case "--version":
					if text, failed := strings.CutPrefix(versions[path], "FAILS "); failed {
						return text, errors.New("exit status 1")
					}
					return versions[path] + "\nTarget: x86_64\n", nil
				case "--print-targets":
					return strings.Replace(targets, "nvptx64", map[bool]string{false: "nvptx64", true: "x86-64"}[cannot[path]], 1), nil
				}
				return "", errors.New("called otherwise")
			}
			got := ""
			if clang := m.Clang(tt.major); clang != nil {
				got = m.below(clang.Path) + " " + clang.Version
				if major := fmt.Sprint(clang.Major); !strings.HasPrefix(clang.Version, major+".") {
					t.Errorf("major version %s of %s", major, clang.Version)
				}
			}
			if got != tt.want {
				t.Errorf("clang: %q, want %q", got, tt.want)
			}
		})
	}
}

// A folder, a file that may not be run and a relative entry of PATH are no command.
func TestLookPath(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.put("a/tool/file", "b/tool", "c/tool")
	if err := os.Chmod(filepath.Join(m.root, "b/tool"), 0o644); err != nil {
		t.Fatal(err)
	}
	m.set("PATH=.:$/none:$/a:$/b:$/c")
	m.wantPath("tool", m.LookPath("tool"), "/c/tool")
	m.wantPath("by its path", m.LookPath(m.root+"/c/tool"), "/c/tool")
	m.wantPath("by the path of none", m.LookPath(m.root+"/b/tool"), "")
	m.wantPath("another", m.LookPath("other"), "")
	m.wantPath("nothing", m.LookPath(""), "")
	m.OS = "windows"
	m.put("a/tool.exe")
	m.wantPath("on Windows", m.LookPath("tool"), "/a/tool.exe")
}
