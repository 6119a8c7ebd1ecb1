package main

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Every target is in the menu, and what is none is told so.
func TestMenu(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	output := m.makes("", 0)
	if help := m.makes("help", 0); help != output {
		t.Errorf("make help:\n%s\nmake:\n%s", help, output)
	}
	for _, line := range []string{
		"make ep01 … ep03     run an episode: timed on a GPU where there is one, and counted\n",
		"make count-ep01 …    count only; no GPU is needed\n",
		"make diff-ep02 …     what an episode changes: its kernel, launch and test\n",
		"make doctor          what this machine has, and what make ep01 … will do here\n",
	} {
		want(t, output, line)
	}
	for _, g := range targets {
		want(t, output, "make "+strings.TrimSuffix(g.name, "epNN"))
	}
	m.makes("ep02-coalescing", 2, "there is no target ep02-coalescing\nmake without a target lists them\n")
	m.makes("count-ep9", 2, "there is no episode ep9\nthere are ep01, ep02, ep03\n")
	m.makes("doctor -n 33", 2, "doctor takes no flags, and was given -n 33\n")
}

// A tree whose episodes are all gone still has a menu.
func TestNoEpisode(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.root = t.TempDir()
	m.makes("", 0, "make epNN ")
	m.makes("ep01", 2, "there is no episode ep01\n")
}

// What the shell has set for go does not reach it, in whichever variable.
func TestSettings(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.gpu()
	m.set("GOFLAGS=-race -json -mod=mod -tags=cuda", "GOWORK=off", "CGO_ENABLED=1", "GOOS=plan9", "GOARCH=mips", "GO111MODULE=off")
	system := " GOOS=" + runtime.GOOS + " GOARCH=" + runtime.GOARCH + " GO111MODULE=on GOFLAGS=-buildvcs=false"
	m.makes("time-ep01", 0, times+system+" -tags=cuda\n")
	for _, target := range []string{"count-ep01", "pictures", "docs"} {
		m.makes(target, 0, counts+system+"\n")
	}
	m.makes("test", 0, "test -short -vet=off transpose/common/... transpose/ep01-correct/... | GOWORK=go.work CGO_ENABLED=0"+system+"\n")
}

// make test hands flags on, and fails if a module does.
func TestTest(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.makes("test -json -count=1", 0, "test -short -vet=off -json -count=1 transpose/common/... ")
	m.makes("test -race", 0, "test -short -vet=off -race transpose/common/", "CGO_ENABLED=1")
	m.set("STATUS_test=1")
	m.makes("test", 1)
}

// Where nothing may be started from the temporary folder, go's own message would name
// a file that is gone. Many machines mount /dev/shm so.
func TestNoexec(t *testing.T) {
	t.Parallel()
	const shm = "/dev/shm"
	if starts(shm) {
		t.Skip("no folder here that is mounted noexec")
	}
	for _, name := range []string{"TMPDIR", "GOTMPDIR"} {
		m := newMade(t)
		m.set(name + "=" + shm)
		for _, target := range []string{"test", "docs"} {
			output := m.makes(target, 2, "nothing that is built in "+shm+" may be started: it may be mounted noexec\nset "+name+" to another folder\n")
			wantNot(t, output, counts)
		}
	}
}

// The hash that go test asks for changes with every file of the tree, but for what is
// built or hidden.
func TestSum(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	sum := func() string {
		t.Helper()
		s, err := m.sum()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	last := sum()
	for _, tt := range []struct {
		name    string
		changes bool
	}{
		{"README.md", true}, {"Makefile", true}, {".ci/run", true}, {"results/x.bench", true}, {"ep02-coalescing/pictures/copy.svg", true},
		{"build/ep02", false}, {".git/index", false}, {"vendor/modules.txt", false},
	} {
		m.write(tt.name, "text")
		now := sum()
		if (now != last) != tt.changes {
			t.Errorf("%s changes the sum: %v, want %v", tt.name, now != last, tt.changes)
		}
		last = now
	}
}

// make env is for eval: a shell reads it back whatever the path has in it.
func TestEnv(t *testing.T) {
	t.Parallel()
	for _, gpu := range []bool{false, true} {
		m := newMade(t)
		wanted := "0|" + m.root + "/go.work|"
		if gpu {
			m.gpu()
			m.set("CGO_CFLAGS=-O2")
			wanted = "1|" + m.root + `/common/cuda/go.work|"-I` + m.root + `/common/cuda/include" "-I` + m.sys + `/usr/local/cuda/include" -O2`
		}
		if _, status := m.do("env"); status != 0 {
			t.Fatalf("exit status %d", status)
		}
		m.tool("told", "#!/bin/sh\neval \"$1\"\necho \"$CGO_ENABLED|$GOWORK|$CGO_CFLAGS\"\n")
		output, err := m.runTool(filepath.Join(m.bin, "told"), m.said.String())
		if err != nil || output != wanted+"\n" {
			t.Errorf("gpu %v: eval of make env gives\n%swant\n%s", gpu, output, wanted)
		}
	}
}

// The linker is given the driver's library, and the loader its folder only where it
// does not look by itself.
func TestDriver(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.gpu()
	wantLink := func(path string) {
		t.Helper()
		if got, err := filepath.EvalSymlinks(m.path("build/lib/libcuda.so")); err != nil || got != filepath.Join(m.sys, path) {
			t.Errorf("the linker is given %s, %v; want %s", got, err, path)
		}
	}
	m.makes("env", 0, "CGO_LDFLAGS=", `/build/lib" "-Wl,-rpath,`+m.sys+`/usr/lib64"`)
	wantLink("usr/lib64/libcuda.so.1")
	m.system("mine/libcuda.so.1")
	m.set("LD_LIBRARY_PATH=" + m.sys + "/mine")
	wantNot(t, m.makes("env", 0, "CGO_LDFLAGS=", `/build/lib" '`), "rpath")
	wantLink("mine/libcuda.so.1")
}
