package main

import (
	"strings"
	"testing"
)

// wantResults fails the test unless results has these files.
func (m *made) wantResults(want string) {
	m.t.Helper()
	paths, err := glob(m.path("results"), "*")
	for i := range paths {
		paths[i] = strings.TrimPrefix(m.short(paths[i]), "results/")
	}
	if got := strings.Join(paths, " "); err != nil || got != want {
		m.t.Errorf("results has %q, %v; want %q", got, err, want)
	}
}

func TestRecord(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.gpu()
	m.tool("go", strings.Replace(fakeGo, "build)", "build)\n	echo 'go: downloading github.com/x v1' >&2", 1))
	m.tool("nvidia-smi", "#!/bin/sh\nprintf '580.159\\n580.159\\n'\n")
	m.makes("record", 0, "running the series\n", "written: results/x.bench, results/x.txt, results/x-n4095.txt\n", "not written: results/x-ncu.txt: no ncu here\n")
	m.wantResults("x-n4095.txt x.bench x.txt")
	odd := m.read("results/x-n4095.txt")
	want(t, odd, "card: X\n", "ep01.txt> <-n> <4095>", "build/count/ep03")
	wantNot(t, odd, "4096", "downloading", "build/tools")
	text := strings.ReplaceAll(m.read("results/x.txt"), m.root+"/", "")
	want(t, text, "card: X\ndriver version: 580.159\n\nbuild/ep01 <-record> <build/record/4096/ep01.txt> <-n> <4096>", "build/count/ep03", "build/record/16384/ep03.txt> <-n> <16384>", "build/tools/series")
	wantNot(t, text, "Unit", "downloading")

	m.tool("ncu", "#!/bin/sh\necho \"$*\" >>calls\n")
	m.makes("record", 0, "written: results/x-ncu.txt\n")
	m.wantResults("x-n4095.txt x-ncu.txt x.bench x.txt")
	want(t, strings.ReplaceAll(m.read("results/x-n4095.txt"), m.root+"/", ""), "ep03.txt> <-n> <4095>", "\nbuild/tools/ncu <build/ncu/ep01.csv>", "build/tools/ncu <build/ncu/ep03.csv>")
	text = strings.ReplaceAll(m.read("results/x-ncu.txt"), m.root+"/", "")
	want(t, text, "card: X\n", "\nbuild/tools/ncu <build/ncu/ep01.csv> <build/ncu/ep01.txt>\n", "\n\nbuild/tools/ncu <build/ncu/ep02.csv>", "build/ncu/ep03.csv")
	want(t, strings.ReplaceAll(m.read("calls"), m.root+"/", ""), "--log-file build/ncu/ep01.csv build/ep01 -ptx-out build/ep01.ptx\n", "--log-file build/ncu/ep03.csv build/ep03 ", "build/ep01 -n 4095 -ptx-out build/ep01.ptx\n")
}

// Nothing is written when a part fails.
func TestRecordFails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, says, leaves string
		status             int
		spoil              func(m *made)
	}{
		{"no GPU", "nothing to record: no CUDA device here\nan NVIDIA GPU", "", 2, func(m *made) { m.unlink("dev/nvidia0") }},
		{"an edited kernel", "nothing to record: ep02-coalescing/transpose.cu was edited\nget the old kernel back with git checkout ep02-coalescing/transpose.cu\n", "", 2,
			func(m *made) { m.write("ep02-coalescing/transpose.cu", "other\n") }},
		{"a new kernel that was not committed", "nothing to record: ep04-new/transpose.cu was edited", "", 2, func(m *made) {
			m.write("ep04-new/transpose.cu", kernel)
			m.write("ep04-new/transpose.ptx", "")
		}},
		{"a wrong result", "build/ep03", "", 1, func(m *made) { m.set("TIMED_ep03=1") }},
		{"a wrong result at the odd n", "/4095/ep01.txt> <-n> <4095>", "", 1, func(m *made) {
			m.tool("go", strings.Replace(fakeGo, `"exit \${`, `'case "$*" in *" 4095"*) exit 1 ;; esac'; echo "exit \${`, 1))
		}},
		{"a fault that only the emulator sees", "build/count/ep03", "", 1, func(m *made) { m.set("COUNTED_ep03=1") }},
		{"no counters", "not written: results/x-ncu.txt: Nsight Compute did not count", "x-n4095.txt x.bench x.txt", 1, func(m *made) { m.tool("ncu", "#!/bin/sh\nexit 1\n") }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMade(t)
			m.gpu()
			tt.spoil(m)
			m.makes("record", tt.status, tt.says)
			m.wantResults(tt.leaves)
		})
	}
}

// The hardware counts the PTX that the emulator counts.
func TestNCU(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.makes("ncu-ep03", 2, "no hardware to count with: no CUDA device here\nan NVIDIA GPU")

	m.gpu()
	m.makes("ncu-ep03", 2, "no ncu here\ninstall Nsight Compute")

	m.tool("ncu", "#!/bin/sh\necho no permission\necho in the csv >\"$BUILD/ncu/ep03.csv\"\nexit 9\n")
	m.set("BUILD=" + m.build)
	wantNot(t, m.makes("ncu-ep03", 9, "no permission\nin the csv\n"), "counted")

	m.tool("ncu", "#!/bin/sh\necho \"$*\" >calls\n")
	output := m.makes("ncu-ep03", 0, "build/tools/ncu <build/ncu/ep03.csv> <build/ncu/ep03.txt>\n")
	wantNot(t, output, "build/count/ep03")
	want(t, m.read("calls"), "--clock-control none --cache-control none --csv --page raw --print-units base --kernel-id :::1 --metrics ")

	m.set("COUNTED_ep03=1")
	m.makes("ncu-ep03", 1, "build/count/ep03 <-ptx> <build/ep03.ptx> <-record> <build/ncu/ep03.txt>\n")
}

// The chart is a module of its own, outside the workspace.
func TestChart(t *testing.T) {
	t.Parallel()
	m := newMade(t)
	m.write("results/chart/main.go", "")
	m.makes("chart", 0, "build/chart <results>\nbuilt with GOWORK=off CGO_ENABLED=0")
}
