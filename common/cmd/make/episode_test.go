package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	counts = "built with GOWORK=go.work CGO_ENABLED=0"
	times  = "built with GOWORK=common/cuda/go.work CGO_ENABLED=1"
)

// What epNN, count-epNN and time-epNN do on machines that have more and more of
// what timing needs.
func TestChoice(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		machine func(m *made)
		missing string // as the report and make time-ep02 name it
		advice  string // what make time-ep02 says to do
	}{
		{"nothing", func(*made) {}, "no CUDA device", "nvidia-smi"},
		{"not Linux", func(m *made) { m.gpu(); m.machine.OS = "darwin" }, "no CUDA device", "nvidia-smi"},
		{"GPU hidden", func(m *made) { m.gpu(); m.set("CUDA_VISIBLE_DEVICES=") }, "no CUDA device", "CUDA_VISIBLE_DEVICES"},
		{"GPU", func(m *made) { m.system("dev/nvidia0") }, "a GPU but no libcuda.so.1", "driver"},
		{"GPU and driver", func(m *made) { m.gpu(); m.unlink("usr/local/cuda/include/cuda.h") }, "a GPU but no cuda.h", "CUDA_HOME"},
		{"no C compiler", func(m *made) { m.gpu(); m.remove("gcc") }, "a GPU but no C compiler", "install gcc"},
		{"all", func(m *made) { m.gpu() }, "", ""},
		{"all, another C compiler", func(m *made) { m.gpu(); m.remove("gcc"); m.tool("clang", "#!/bin/sh\n") }, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMade(t)
			tt.machine(m)
			if tt.missing == "" {
				m.makes("ep02 -n 33", 0,
					"build/ep02 <-record> <build/record/ep02.txt> <-n> <33> <-ptx-out> <build/ep02.ptx>\n"+times,
					"build/count/ep02 <-why> <> <-ptx> <build/ep02.ptx> <-record> <build/record/ep02-count.txt> <-n> <33>\n"+counts)
				wantNot(t, m.makes("time-ep02 -n 33", 0, "build/ep02 <-n> <33> <-ptx-out> <build/ep02.ptx>\n"+times), counts)
			} else {
				wantNot(t, m.makes("ep02 -n 33", 0, "build/ep02 <-why> <"+tt.missing+" here> <-n> <33>\n"+counts), times)
				wantNot(t, m.makes("time-ep02 -n 33", 2, "nothing can be timed: "+tt.missing+" here\n", tt.advice), "built")
			}
			wantNot(t, m.makes("count-ep02 -n 33", 0, "build/count/ep02 <-why> <make count-ep02> <-n> <33>\n"+counts), times)
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
		want          int
	}{
		{"both exact", "0", "0", true, 0},
		{"wrong result", "1", "0", true, 1},
		{"wrong result, accused", "1", "1", true, 1},
		{"wrong result, unsupported", "1", "2", true, 1},
		{"only accused", "0", "1", true, 1},
		{"only unsupported", "0", "2", true, 2},
		{"only too long", "0", "3", true, 3},
		{"machine", "2", "0", false, 2},
		{"too long", "3", "0", false, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMade(t)
			m.gpu()
			m.set("TIMED_ep02="+tt.timed, "COUNTED_ep02="+tt.counts)
			output := m.makes("ep02", tt.want, "build/ep02 ")
			if got := strings.Contains(output, "build/count/ep02"); got != tt.counted {
				t.Errorf("counted: %v, want %v; output\n%s", got, tt.counted, output)
			}
		})
	}
}

// What the counts explain of the times stands under both, where both were recorded.
func TestBounds(t *testing.T) {
	t.Parallel()
	both, err := os.ReadFile("../../record/testdata/ep03.bench")
	if err != nil {
		t.Fatal(err)
	}
	m := newMade(t)
	m.gpu()
	m.set("RECORD=" + string(both))
	m.makes("ep03", 0, "\nbounds: ", "copy_tile ")
	wantNot(t, m.makes("ep03 -record mine.txt", 0), "bounds: ")
	wantNot(t, m.makes("count-ep03", 0), "bounds: ")
	m.set("COUNTED_ep03=1")
	wantNot(t, m.makes("ep03", 1), "bounds: ")
}

// A program that was not built leaves no old one to answer for another kernel, and
// go's status is not that of a wrong result.
func TestDoesNotBuild(t *testing.T) {
	t.Parallel()
	for _, gpu := range []bool{false, true} {
		m := newMade(t)
		if gpu {
			m.gpu()
		}
		m.write("build/ep02", "left by another kernel")
		m.set("UNBUILT=transpose/ep02-coalescing")
		wantNot(t, m.makes("ep02", 2, "syntax error"), "<")
		if left := m.read("build/ep02"); left != "" {
			t.Errorf("left to answer for another kernel: %q", left)
		}
	}
}

// The PTX of an earlier run is not counted in the place of one that did not come.
func TestOldPTX(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.gpu()
	m.write("build/ep02.ptx", "left by another kernel")
	m.makes("ep02", 0, times, counts)
	if left := m.read("build/ep02.ptx"); left != "" {
		t.Errorf("left to be counted: %q", left)
	}
}

// A program that is killed is named, and is not wrong. One that Ctrl-C ends is not.
func TestKilled(t *testing.T) {
	t.Parallel()
	for signal, want := range map[int]string{9: "ep02 was ended: signal: killed\n", 2: ""} {
		m := newMade(t)
		m.tool("go", strings.Replace(fakeGo, `printf "%s" "$0"`, fmt.Sprintf(`kill -%d $$; printf "%%s" "$0"`, signal), 1))
		if output := m.makes("ep02", 128+signal); output != want {
			t.Errorf("signal %d: output %q, want %q", signal, output, want)
		}
	}
}

// A build folder that nothing may be started from, or that cannot be written to.
func TestBuildFolder(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.set("MODE=644") // as if it were mounted noexec
	m.makes("ep02", 2, "build/ep02 may not be started: its folder may be mounted noexec\ngive make another one: BUILD=/some/folder\n")

	m = newMade(t)
	m.gpu()
	m.write("build", "a file where the folder should be, as root may write anywhere")
	for _, target := range []string{"ep01", "count-ep01", "time-ep01", "series", "ncu-ep01", "chart", "pictures", "see-ep01"} {
		if target == "ncu-ep01" {
			m.tool("ncu", "#!/bin/sh\n")
		}
		m.makes(target, 2, "cannot write to the folder build\ngive make another one: BUILD=/some/folder\n")
	}

	for chosen, want := range map[string]string{"": "/tree/build", "here": "/tree/here", "/of/my own/": "/of/my own"} {
		if got := buildFolder("/tree", chosen); got != want {
			t.Errorf("BUILD=%s: %s, want %s", chosen, got, want)
		}
	}
}

// make clean removes what make built, and nothing else: the folder may be the home
// of someone with a lib of his own.
func TestClean(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.gpu()
	m.build = m.path("home")
	own := []string{"home/lib/mine.so", "home/count/votes.txt", "home/ep02.txt", "home/record/letter.txt"}
	for _, name := range own {
		m.write(name, "mine")
	}
	m.tool("ncu", "#!/bin/sh\n")
	m.write("home/make", "put there by run.sh")
	m.write("results/chart/main.go", "")
	m.makes("series", 0)
	m.makes("ncu-ep01", 0)
	m.makes("chart", 0)
	m.makes("clean", 0)
	for _, name := range own[:3] {
		if m.read(name) == "" {
			t.Errorf("%s is gone", name)
		}
	}
	var left []string
	err := filepath.WalkDir(m.build, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			left = append(left, m.short(path))
		}
		return err
	})
	if want := "home/count/votes.txt home/ep02.txt home/lib/mine.so"; err != nil || strings.Join(left, " ") != want {
		t.Errorf("left %v, %v; want %s", left, err, want)
	}

	m = newMade(t)
	m.makes("ep01", 0)
	m.makes("clean", 0)
	if _, err := os.Stat(m.build); err == nil {
		t.Error("an empty build folder is left")
	}
	m.makes("clean", 0)
}

// make see-ep02 runs where the reader is, whose paths its flags have.
func TestSee(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.dir = m.path("ep02-coalescing")
	m.write("ep02-coalescing/mine.cu", kernel)
	m.makes("see-ep02 -cu mine.cu -n 33", 0, "tools/see <-cu> <mine.cu> <-n> <33> <ep02>\n")
	m.makes("see-ep9", 2, "there is no episode ep9")
	m.makes("see", 2, "there is no target see\n")
}

// make grade-ep02 DIR=class takes the folder from the environment, where make puts what it
// is given.
func TestGradeTarget(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.makes("grade-ep02", 2, "no folder of submissions is given\ngive one: make grade-ep02 DIR=submissions\n")
	m.set("DIR=my class")
	m.dir = m.path("ep02-coalescing")
	m.makes("grade-ep02 -sizes 33", 0, "tools/grade <-sizes> <33> <ep02> <my class>\n")
}

// The series stops at the first episode that fails, and closes with its table.
func TestSeries(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.write("build/record/old.txt", "from a longer series")
	m.makes("series -n 33", 0,
		"build/ep01 <-why> <no CUDA device here> <-record> <build/record/ep01-count.txt> <-n> <33>\n", "build/ep02", "build/ep03", "build/tools/series")
	if m.read("build/record/old.txt") != "" {
		t.Error("a record of another run is still there")
	}
	m.set("COUNTED_ep02=1")
	wantNot(t, m.makes("series", 1, "build/ep01", "build/ep02"), "build/ep03", "series")

	m = newMade(t)
	m.gpu()
	m.makes("series", 0, "build/ep01 <-record> <build/record/ep01.txt> <-ptx-out>",
		"build/count/ep01 <-why> <> <-ptx> <build/ep01.ptx> <-record> <build/record/ep01-count.txt>\n", "build/ep03")

	// The table is made of all records, in order.
	m = newMade(t)
	m.tool("go", strings.Replace(fakeGo, `echo "echo 'built`, `[ $status != COUNTED ] || echo 'echo counted >"$4"'; echo "echo 'built`, 1))
	m.makes("series", 0, "build/tools/series <build/record/ep01-count.txt> <build/record/ep02-count.txt> <build/record/ep03-count.txt>\n")
}

// An episode is its folder: a new one needs no line here.
func TestNewEpisode(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.makes("ep17", 2, "there is no episode ep17\nthere are ep01, ep02, ep03\n")
	m.write("ep17-new/transpose.cu", "new\n")
	m.write("ep17-new/transpose.ptx", "")
	m.write("ep18-notes.txt", "no folder")
	m.makes("ep17", 0, "build/ep17 ")
	m.makes("series", 0, "build/ep03 ", "build/ep17 ")
	m.makes("", 0, "make ep01 … ep17 ")
	m.write("ep03-shared/main.go", "")
	m.write("ep03-shared/main_test.go", "")
	m.write("ep17-new/main.go", "")
	m.write("ep17-new/main_test.go", "")
	m.makes("diff-ep17 -all", 0, "--- ep03-shared/transpose.cu\n+++ ep17-new/transpose.cu\n")
	m.makes("record", 2, "nothing to record: no CUDA device here")
}

// Programs run where the reader is, so that a file of his is found; go runs in the
// tree.
func TestFolders(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.tool("go", strings.Replace(fakeGo, `printf "%s" "$0"`, `printf "in %s: " "$PWD"; printf "%s" "$0"`, 1))
	m.dir = m.path("ep02-coalescing")
	m.makes("ep02 -cu mine.cu", 0, "in ep02-coalescing: build/ep02 ", "<-cu> <mine.cu>\n"+counts)
	m.makes("docs", 0, "in "+m.root+": build/tools/docs\n"+counts)
}
