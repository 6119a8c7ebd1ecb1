package build_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorder is a machine with a GPU whose program series writes a record.
func recorder(t *testing.T) *machine {
	m := newMachine(t)
	m.gpu()
	m.tool("go", strings.Replace(fakeGo, "	/bin/chmod +x", `	case $3 in */series) echo '#!/bin/sh
[ "$1" = -record ] || exit 0
printf "card: X\nUnit GB/s\n" >"$2/x.bench"
echo "$2/x.bench"' >"$3" ;; esac
	/bin/chmod +x`, 1))
	return m
}

// results lists what make record has left.
func (m *machine) results() string {
	names, err := filepath.Glob(m.path("results/*"))
	if err != nil {
		m.t.Fatal(err)
	}
	for i := range names {
		names[i] = filepath.Base(names[i])
	}
	return strings.Join(names, " ")
}

func (m *machine) wantResults(want string) {
	m.t.Helper()
	if got := m.results(); got != want {
		m.t.Errorf("results has %q, want %q", got, want)
	}
}

func TestRecord(t *testing.T) {
	t.Parallel()
	m := recorder(t)
	output, status := m.make("record")
	wantStatus(t, output, status, 0)
	want(t, output, "written: results/x.bench, results/x.txt", "not written: results/x-ncu.txt: no ncu here")
	m.wantResults("x.bench x.txt")
	want(t, m.read("results/x.txt"), "card: X\n\n", "build/ep01 -record build/record/ep01.txt", "build/count/ep04")

	m.tool("ncu", "#!/bin/sh\necho \"$*\" >>\"$BUILD/calls\"\nexit ${STATUS_ncu-0}\n")
	output, status = m.make("record")
	wantStatus(t, output, status, 0)
	m.wantResults("x-ncu.txt x.bench x.txt")
	want(t, m.read("results/x-ncu.txt"), "card: X\n\n", "build/ncu/compare build/ncu/ep01.csv build/ncu/ep01.txt", "build/ncu/ep04.csv")
	want(t, m.read("build/calls"), "--log-file build/ncu/ep01.csv build/ep01\n", "--log-file build/ncu/ep04.csv build/ep04\n")
}

// Nothing is written when a part fails.
func TestRecordFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, says, leaves string
		spoil              func(m *machine)
	}{
		{"no GPU", "nothing to record: no CUDA device here", "", (*machine).unplug},
		{"an edited kernel", "nothing to record: ep02-coalescing/transpose.cu was edited", "", func(m *machine) { m.write("ep02-coalescing/transpose.cu", "other\n") }},
		{"a wrong result", "build/ep03", "", func(m *machine) { m.env = append(m.env, "STATUS_ep03=1") }},
		{"no counters", "not written: results/x-ncu.txt: Nsight Compute did not count", "x.bench x.txt", func(m *machine) { m.tool("ncu", "#!/bin/sh\nexit 1\n") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := recorder(t)
			c.spoil(m)
			output, status := m.make("record")
			wantStatus(t, output, status, 2)
			want(t, output, c.says)
			m.wantResults(c.leaves)
		})
	}
}

func TestNcu(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	output, status := m.make("ncu-ep03")
	wantStatus(t, output, status, 2)
	want(t, output, "no hardware to count with: no CUDA device here")

	m.gpu()
	output, status = m.make("ncu-ep03")
	wantStatus(t, output, status, 2)
	want(t, output, "no ncu here\ninstall Nsight Compute")

	m.tool("ncu", "#!/bin/sh\necho no permission\nexit 9\n")
	output, status = m.make("ncu-ep03")
	wantStatus(t, output, status, 2)
	want(t, output, "no permission", "Error 9")
}

// make diff shows the files that an episode changes, and differences are no
// failure.
func TestDiff(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.real("diff")
	for _, folder := range []string{"ep02-coalescing", "ep03-shared"} {
		m.write(folder+"/main.go", "the same\n")
		m.write(folder+"/main_test.go", "test of "+folder+"\n")
		m.write(folder+"/README.md", folder)
	}
	m.write("ep03-shared/transpose.cu", "new kernel\n")
	output, status := m.make("-s", "diff-ep03")
	wantStatus(t, output, status, 0)
	const all = `--- ep02-coalescing/transpose.cu
+++ ep03-shared/transpose.cu
@@ -1 +1 @@
-kernel
+new kernel
--- ep02-coalescing/main_test.go
+++ ep03-shared/main_test.go
@@ -1 +1 @@
-test of ep02-coalescing
+test of ep03-shared
`
	if output != all {
		t.Errorf("output\n%s\nwant\n%s", output, all)
	}

	if err := os.Remove(m.path("ep03-shared/main.go")); err != nil {
		t.Fatal(err)
	}
	output, status = m.make("diff-ep03")
	wantStatus(t, output, status, 2)
	want(t, output, "ep03-shared/main.go")
}
