package build_test

import (
	"strings"
	"testing"
)

const (
	counts = "GOWORK=go.work CGO_ENABLED=0"
	times  = "GOWORK=common/cuda/go.work CGO_ENABLED=1"
)

// What make epNN, make count-epNN and make time-epNN do on machines that have
// more and more of what timing needs.
func TestChoice(t *testing.T) {
	t.Parallel()
	nothing := func(*machine) {}
	tests := []struct {
		name    string
		machine func(m *machine)
		missing string // as the report and make time-ep02 name it
		advice  string // what make time-ep02 says to do
	}{
		{"nothing", nothing, "no CUDA device", "nvidia-smi"},
		{"driver without GPU", func(m *machine) { m.gpu(); m.unplug() }, "no CUDA device", "nvidia-smi"},
		{"not Linux", func(m *machine) { m.gpu(); m.tool("uname", "#!/bin/sh\necho Darwin\n") }, "no CUDA device", "nvidia-smi"},
		{"GPU hidden", func(m *machine) { m.gpu(); m.env = append(m.env, "CUDA_VISIBLE_DEVICES=") }, "no CUDA device", "CUDA_VISIBLE_DEVICES"},
		{"GPU hidden by -1", func(m *machine) { m.gpu(); m.env = append(m.env, "CUDA_VISIBLE_DEVICES=-1") }, "no CUDA device", "CUDA_VISIBLE_DEVICES"},
		{"second GPU chosen", func(m *machine) { m.gpu(); m.env = append(m.env, "CUDA_VISIBLE_DEVICES=1") }, "", ""},
		{"GPU", func(m *machine) { m.system("dev/nvidia0") }, "a GPU but no libcuda.so.1", "driver"},
		{"GPU that only nvidia-smi knows", func(m *machine) { m.tool("nvidia-smi", "#!/bin/sh\necho 'GPU 0: NVIDIA T4'\n") }, "a GPU but no libcuda.so.1", "driver"},
		{"GPU and driver", func(m *machine) { m.system("dev/nvidia0"); m.system("usr/lib64/libcuda.so.1") }, "a GPU but no cuda.h", "CUDA_HOME"},
		{"no C compiler", func(m *machine) { m.gpu(); m.remove("gcc") }, "a GPU but no C compiler", "install gcc"},
		{"all", func(m *machine) { m.gpu() }, "", ""},
		{"all, another C compiler", func(m *machine) { m.gpu(); m.remove("gcc"); m.tool("clang", "#!/bin/sh\n") }, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			tt.machine(m)

			output, status := m.make("ep02", "ARGS=-n 33")
			wantStatus(t, output, status, 0)
			if tt.missing == "" {
				want(t, output, "build/ep02 -n 33\n"+times, "build/count/ep02 -why  -n 33\n"+counts)
			} else {
				want(t, output, "build/ep02 -why "+tt.missing+" here -n 33\n"+counts)
				wantNot(t, output, times)
			}

			output, status = m.make("count-ep02", "ARGS=-n 33")
			wantStatus(t, output, status, 0)
			want(t, output, "build/count/ep02 -why make count-ep02 -n 33\n"+counts)
			wantNot(t, output, times)

			output, status = m.make("time-ep02", "ARGS=-n 33")
			if tt.missing == "" {
				wantStatus(t, output, status, 0)
				want(t, output, "build/ep02 -n 33\n"+times)
				wantNot(t, output, counts)
			} else {
				wantStatus(t, output, status, 2)
				want(t, output, "nothing can be timed: "+tt.missing+" here\n", tt.advice, "Error 2")
			}
		})
	}
}

// Of two programs, both are heard of after a wrong result: the emulator may
// name the fault. Where the machine is at fault, the first says it all.
func TestStatusOfTwoPrograms(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name          string
		timed, counts string
		counted       bool
		want          string
	}{
		{"wrong result", "1", "0", true, "Error 1"},
		{"wrong result, accused", "1", "1", true, "Error 1"},
		{"wrong result, unsupported", "1", "2", true, "Error 1"},
		{"only accused", "0", "1", true, "Error 1"},
		{"only unsupported", "0", "2", true, "Error 2"},
		{"only too long", "0", "3", true, "Error 3"},
		{"machine", "2", "0", false, "Error 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.gpu()
			// Both programs are called ep02: tell them apart by their place.
			m.tool("go", strings.Replace(fakeGo, "name=${0##*/}", "case $0 in *count*) STATUS_ep02="+tt.counts+" ;; *) STATUS_ep02="+tt.timed+" ;; esac; name=${0##*/}", 1))
			output, status := m.make("ep02")
			wantStatus(t, output, status, 2)
			want(t, output, tt.want)
			if tt.counted {
				want(t, output, "build/count/ep02")
			} else {
				wantNot(t, output, "build/count/ep02")
			}
		})
	}
}

// Every place where a toolkit's header may be, the first choice first. With all
// of them there, the first still there wins.
func TestToolkitPlaces(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.gpu()
	m.unlink("usr/local/cuda/include/cuda.h")
	root := m.root
	m.env = []string{"CUDA_HOME=" + root + "/my cuda", "CUDA_PATH=" + root + "/path", "CONDA_PREFIX=" + root + "/conda"}
	m.file(root+"/hpc/bin/nvcc", "#!/bin/sh\n", 0o755)
	m.link(root+"/hpc/bin/nvcc", m.bin+"/nvcc")
	m.tool("python3", "#!/bin/sh\necho '"+root+"/site'\n")

	places := []string{
		"my cuda/include", "path/include", "hpc/include", "usr/local/cuda/include", "opt/cuda/include", "usr/include",
		"conda/include", "conda/targets/x86_64-linux/include",
		"site/nvidia/cu13/include", "site/nvidia/cuda_runtime/include",
	}
	for _, place := range places {
		m.system(place + "/cuda.h")
	}
	for i, place := range places {
		output, status := m.make("-s", "env")
		wantStatus(t, output, status, 0)
		want(t, output, "CGO_CFLAGS=", `common/cuda/include" "-I`+root+"/"+place+`"`)

		output, status = m.make("doctor")
		wantStatus(t, output, status, 0)
		want(t, output, "cuda.h", root+"/"+place+"/cuda.h\n")
		if i+1 < len(places) {
			want(t, output, "also here, not used: "+root+"/"+places[i+1]+"/cuda.h\n")
		} else {
			wantNot(t, output, "not used")
		}
		m.unlink(place + "/cuda.h")
	}
	output, status := m.make("time-ep01")
	wantStatus(t, output, status, 2)
	want(t, output, "a GPU but no cuda.h")
}

// Where the driver's library may be. An rpath is only for folders that the
// loader does not know, and never a toolkit's stubs.
func TestDriverPlaces(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		place string
		setup func(m *machine)
		rpath bool
	}{
		{"LD_LIBRARY_PATH", "mine", func(m *machine) {
			m.system("cuda/lib64/stubs/libcuda.so.1")
			m.env = append(m.env, "LD_LIBRARY_PATH="+m.root+"/none:"+m.root+"/cuda/lib64/stubs:"+m.root+"/mine")
		}, false},
		{"loader's cache", "far/away", func(m *machine) {
			m.tool("ldconfig", "#!/bin/sh\n"+
				"echo '	libcuda.so.1 (libc6) => /usr/lib/i386-linux-gnu/libcuda.so.1'\n"+
				"echo '	libcuda.so.1 (libc6,x86-64) => "+m.root+"/far/away/libcuda.so.1'\n")
		}, false},
		{"WSL", "usr/lib/wsl/lib", nil, true},
		{"container", "usr/local/nvidia/lib64", nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.gpu()
			m.unlink("usr/lib64/libcuda.so.1")
			m.system(tt.place + "/libcuda.so.1")
			if tt.setup != nil {
				tt.setup(m)
			}
			output, status := m.make("-s", "env")
			wantStatus(t, output, status, 0)
			rpath := `"-Wl,-rpath,` + m.root + "/" + tt.place + `"`
			if tt.rpath {
				want(t, output, "CGO_LDFLAGS=", rpath)
			} else {
				want(t, output, "CGO_LDFLAGS=")
				wantNot(t, output, "rpath")
			}
			wantNot(t, output, "stubs")
			if got := m.readlink("build/lib/libcuda.so"); got != m.root+"/"+tt.place+"/libcuda.so.1" {
				t.Errorf("the linker is given %s", got)
			}
		})
	}
}

// make env is for eval: a shell reads it back whatever the path has in it.
func TestEnv(t *testing.T) {
	t.Parallel()
	for _, gpu := range []bool{false, true} {
		m := newMachine(t)
		wanted := "0|" + m.tree + "/go.work|"
		if gpu {
			m.gpu()
			wanted = "1|" + m.tree + `/common/cuda/go.work|"-I` + m.tree + `/common/cuda/include" "-I` + m.root + `/usr/local/cuda/include" `
		}
		text, status := m.make("-s", "env")
		wantStatus(t, text, status, 0)
		m.tool("told", "#!/bin/sh\neval \"$1\"\necho \"$CGO_ENABLED|$GOWORK|$CGO_CFLAGS\"\n")
		output, status := m.run(m.tree, m.bin+"/told", text)
		wantStatus(t, output, status, 0)
		if output != wanted+"\n" {
			t.Errorf("gpu %v: eval of make env gives\n%swant\n%s", gpu, output, wanted)
		}
	}
}

// The last line of make doctor is what make epNN will do.
func TestDoctor(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		machine func(m *machine)
		status  int
		texts   []string
	}{
		{"nothing", func(*machine) {}, 0, []string{
			"Go             go1.22.4, ", "no NVIDIA GPU", "libcuda.so.1   missing", "cuda.h         missing", "C compiler     missing",
			"nvcc           missing", "clang          missing", "clang 19       missing", "will count with the emulator and time nothing: no CUDA device here\n",
		}},
		{"no Go", func(m *machine) { m.remove("go") }, 2, []string{"Go             missing: install Go 1.22.4", "will not run here: there is no Go\n"}},
		{"all", func(m *machine) {
			m.gpu()
			m.file(m.root+"/usr/local/cuda/include/cuda.h", "#define CUDA_VERSION 12090\n", 0o644)
			m.tool("nvidia-smi", "#!/bin/sh\necho 'NVIDIA H200, 580.159'\n")
			m.tool("clang-19", fakeClang("Debian clang version 19.1.7 (3)"))
			m.file(m.root+"/usr/local/cuda/bin/nvcc", fakeNvcc, 0o755)
		}, 0, []string{
			"NVIDIA H200, driver 580.159\n", "usr/lib64/libcuda.so.1\n", "loader does not look there", "CUDA 12.9, ", "/usr/local/cuda/include/cuda.h\n",
			"gcc, ", "nvcc           13.0.88, ", "/usr/local/cuda/bin/nvcc\n", "clang          19.1.7, ", "clang 19       19.1.7, ", "will time on the GPU, then count",
		}},
		{"GPU without header", func(m *machine) { m.gpu(); m.unlink("usr/local/cuda/include/cuda.h") }, 0, []string{
			"cuda.h         missing", "time nothing: a GPU but no cuda.h here\n",
		}},
		{"CUDA_HOME names nothing", func(m *machine) { m.env = append(m.env, "CUDA_HOME=/none") }, 0, []string{"CUDA_HOME      names /none, which does not exist"}},
		{"nvcc that does not work", func(m *machine) {
			m.tool("nvcc", nvccWithNewGCC)
		}, 0, []string{"nvcc           13.0.88, ", "does not work here", "unsupported GNU version", "the committed transpose.ptx runs instead"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			tt.machine(m)
			output, status := m.run(m.tree, "sh", "common/build/doctor.sh")
			wantStatus(t, output, status, tt.status)
			want(t, output, tt.texts...)
		})
	}
}
