package build_test

import (
	"os"
	"strings"
	"testing"
)

// Plain make names every target.
func TestHelp(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	output, status := m.make()
	wantStatus(t, output, status, 0)
	for _, line := range strings.Split(m.read("Makefile"), "\n") {
		phony, ok := strings.CutPrefix(line, ".PHONY: ")
		if !ok {
			continue
		}
		for _, target := range strings.Fields(phony) {
			if target == "help" || strings.HasSuffix(target, "02") || strings.HasSuffix(target, "03") || strings.HasSuffix(target, "04") {
				continue // the first of the four stands for all
			}
			want(t, output, "make "+target+" ")
		}
	}
}

// The series stops at the first episode that fails, and closes with its table.
func TestSeries(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.write("build/record/old.txt", "from a longer series")
	output, status := m.make("series", "ARGS=-n 33")
	wantStatus(t, output, status, 0)
	want(t, output, "build/ep01 -why no CUDA device here -record build/record/ep01-count.txt -n 33\n", "build/ep02", "build/ep03", "build/ep04", "build/series ")
	if m.read("build/record/old.txt") != "" {
		t.Error("a record of another run is still there")
	}

	m.env = append(m.env, "STATUS_ep02=1")
	output, status = m.make("series")
	wantStatus(t, output, status, 2)
	want(t, output, "build/ep01", "build/ep02", "Error 1")
	wantNot(t, output, "build/ep03")
	wantNot(t, output, "build/series")

	m = newMachine(t)
	m.gpu()
	output, status = m.make("series")
	wantStatus(t, output, status, 0)
	want(t, output, "build/ep01 -record build/record/ep01.txt\n", "build/count/ep01 -why  -record build/record/ep01-count.txt\n")
}

// make test runs every module of the workspace and fails if one fails.
func TestTest(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	output, status := m.make("test")
	wantStatus(t, output, status, 0)
	want(t, output, "test transpose/common/... transpose/ep01-correct/... | "+counts)

	m.env = append(m.env, "STATUS_test=1")
	output, status = m.make("test")
	wantStatus(t, output, status, 2)
	want(t, output, "Error 1")
}

// What the shell around make has set for Go does not reach its programs, but
// flags that do no harm do.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		env   string
		flags string
	}{
		{"mod", "GOFLAGS=-mod=mod", ""},
		{"vendor", "GOFLAGS=-race=false -mod=vendor -modfile=x.mod", " -race=false"},
		{"other flags", "GOFLAGS=-trimpath -tags=*", " -trimpath -tags=*"},
		{"no workspace", "GOWORK=off", ""},
		{"another workspace", "GOWORK=/none/go.work", ""},
		{"cgo", "CGO_ENABLED=1", ""},
		{"system", "GOOS=windows", ""},
		{"processor", "GOARCH=arm64", ""},
		{"variables of the scripts", "missing=x", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.env = append(m.env, tt.env)
			m.write("-tags=x", "no pattern of a flag is a file's name")
			for _, target := range []string{"ep01", "count-ep01", "test"} {
				output, status := m.make(target)
				wantStatus(t, output, status, 0)
				want(t, output, counts+" GOOS=linux GOARCH=amd64 GOFLAGS=-mod=readonly -buildvcs=false"+tt.flags+"\n")
			}
		})
	}

	m := newMachine(t)
	m.gpu()
	m.env = append(m.env, "CGO_ENABLED=0", "GOWORK=off")
	output, status := m.make("time-ep01")
	wantStatus(t, output, status, 0)
	want(t, output, times)
}

func TestNoGo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		machine func(*machine)
		says    string
	}{
		{"none", func(m *machine) { m.remove("go") }, "no go command here\ninstall Go 1.22.4 or newer"},
		{"1.20", func(m *machine) { m.env = append(m.env, "FAKE_VERSION=go1.20.14") }, "Go is too old here: go1.20.14\ninstall Go 1.22.4 or newer"},
		{"1.9", func(m *machine) { m.env = append(m.env, "FAKE_VERSION=") }, "Go is too old here: before go1.17\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			tt.machine(m)
			for _, target := range []string{"ep01", "test", "series"} {
				output, status := m.make(target)
				wantStatus(t, output, status, 2)
				want(t, output, tt.says, "Error 2")
			}
		})
	}
	m := newMachine(t)
	m.env = append(m.env, "FAKE_VERSION=go1.21.0") // go itself fetches a newer one, or says what is wrong
	output, status := m.make("ep01")
	wantStatus(t, output, status, 0)
}

// make works from another folder, in either way of saying so.
func TestOtherFolder(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	for _, args := range [][]string{{"-C", m.tree, "ep01"}, {"-f", m.tree + "/Makefile", "ep01"}} {
		output, status := m.run(t.TempDir(), "make", args...)
		wantStatus(t, output, status, 0)
		want(t, output, "build/ep01 -why no CUDA device here\n"+counts)
	}
}

// A checkout that cannot be written to: make says so, and can build elsewhere.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.write("build", "a file where the folder should be, as root may write anywhere")
	for _, target := range []string{"ep01", "count-ep01", "series"} {
		output, status := m.make(target)
		wantStatus(t, output, status, 2)
		want(t, output, "cannot write to the folder build\ngive make another one: BUILD=/some/folder\n", "Error 2")
	}

	elsewhere := t.TempDir() + "/of my own"
	output, status := m.make("ep01", "BUILD="+elsewhere)
	wantStatus(t, output, status, 0)
	want(t, output, elsewhere+"/ep01 -why")
	m.file(elsewhere+"/mine.txt", "", 0o644)
	output, status = m.make("clean", "BUILD="+elsewhere)
	wantStatus(t, output, status, 0)
	names, err := os.ReadDir(elsewhere)
	if err != nil || len(names) != 1 || names[0].Name() != "mine.txt" {
		t.Errorf("after make clean the folder has %v, %v", names, err)
	}
}

// With -j, two episodes still run one after the other: they would spoil each
// other's times.
func TestParallel(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.real("sleep")
	m.tool("go", strings.Replace(fakeGo, `echo "echo '$built'"`, `echo "sleep 0.1; echo end of \${0##*/}"`, 1))
	output, status := m.make("-j4", "ep01", "ep02", "ep03", "ep04")
	wantStatus(t, output, status, 0)
	want(t, output, "build/ep01", "end of ep01", "build/ep02", "end of ep02", "build/ep03", "end of ep03", "build/ep04", "end of ep04")
}

// Quotes in ARGS are the shell's.
func TestArgs(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.tool("go", strings.Replace(fakeGo, `echo "echo '$built'"`, `echo 'printf "<%s>" "$@"'`, 1))
	output, status := m.make("ep01", `ARGS=-ptx "my file.ptx"`)
	wantStatus(t, output, status, 0)
	want(t, output, "<-ptx><my file.ptx>")
}
