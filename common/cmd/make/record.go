package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"transpose/common/compile"
)

// record runs the series on the GPU and writes to results, under the card's name,
// what it measured (.bench), what it printed (.txt), the same at an odd n (-n4095.txt)
// and, where Nsight Compute is here and may read the counters, what that counted at
// both (-ncu.txt). Nothing is written unless all episodes were timed, counted and exact.
func (t *tree) record(string, []string) error {
	if m := t.timing(); m.Missing != "" {
		return failed(2, "nothing to record: %s here\n%s", m.Missing, m.Advice)
	}
	if err := t.unedited(); err != nil {
		return err
	}
	fmt.Fprintln(t.stdout, "running the series")
	var records []string
	log, err := t.quiet(func(t *tree) error {
		for _, n := range recordedSizes {
			of, err := t.runSeries(filepath.Join("record", n), []string{"-n", n})
			if err != nil {
				return err
			}
			records = append(records, of...)
		}
		return t.tool("series", records...)
	})
	if err != nil {
		return err
	}
	odd, err := t.quiet(func(t *tree) error {
		_, err := t.runSeries(filepath.Join("record", oddSize), []string{"-n", oddSize})
		return err
	})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(t.path("results"), 0o755); err != nil {
		return err
	}
	bench, err := t.answer(func(t *tree) error { return t.tool("series", append([]string{"-record", "results"}, records...)...) })
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(bench, ".bench")
	origin, err := t.origin(bench)
	if err != nil {
		return err
	}
	if err := t.writeResult(name+".txt", origin, log); err != nil {
		return err
	}
	if err := t.writeResult(name+"-n"+oddSize+".txt", origin, odd); err != nil {
		return err
	}
	fmt.Fprintf(t.stdout, "written: %s, %s.txt, %[2]s-n%s.txt\n", bench, name, oddSize)
	return t.recordNCU(name, origin, odd)
}

// recordedSizes are those of a record. The larger ones show what a gain is worth where
// less of the matrices is in L2.
var recordedSizes = []string{"4096", "8192", "16384"}

// oddSize is recorded apart: no two words of a column are in one bank, and few rows
// begin with a sector.
const oddSize = "4095"

// writeResult writes what was printed, under where it comes from.
func (t *tree) writeResult(path, origin, log string) error {
	return os.WriteFile(t.path(path), []byte(origin+withoutDownloads(log)), 0o644)
}

// unedited holds that every kernel is the one that its committed PTX was made of.
func (t *tree) unedited() error {
	for _, folder := range t.folders() {
		source, err := os.ReadFile(t.path(folder, "transpose.cu"))
		if err != nil {
			return err
		}
		ptx, err := os.ReadFile(t.path(folder, "transpose.ptx"))
		if err != nil {
			return err
		}
		if !compile.MadeFrom(string(ptx), string(source)) {
			return failed(2, "nothing to record: %s/transpose.cu was edited\nget the old kernel back with git checkout %s/transpose.cu", folder, folder)
		}
	}
	return nil
}

// origin says where the numbers come from: the settings of the record, and the
// driver's own version.
func (t *tree) origin(bench string) (string, error) {
	text, err := os.ReadFile(t.path(bench))
	if err != nil {
		return "", err
	}
	settings, _, _ := strings.Cut(string(text), "\nUnit ")
	settings += "\n"
	if version, err := t.machine.Run(t.machine.LookPath("nvidia-smi"), "--query-gpu=driver_version", "--format=csv,noheader"); err == nil {
		version, _, _ = strings.Cut(version, "\n")
		settings += "driver version: " + version + "\n"
	}
	return settings + "\n", nil
}

// withoutDownloads drops what go says of modules that it fetches.
func withoutDownloads(log string) string {
	var b strings.Builder
	for _, line := range strings.SplitAfter(log, "\n") {
		if !strings.HasPrefix(line, "go: downloading") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// recordNCU writes what Nsight Compute counts of all episodes, at the usual n and,
// behind what was printed there, at the odd one.
func (t *tree) recordNCU(name, origin, odd string) error {
	path := name + "-ncu.txt"
	if t.machine.NCU() == "" {
		fmt.Fprintf(t.stdout, "not written: %s: no ncu here\n", path)
		return nil
	}
	tables, err := t.ncuTables()
	if err != nil {
		return failed(statusOf(err), "not written: %s: Nsight Compute did not count", path)
	}
	oddTables, err := t.ncuTables("-n", oddSize)
	if err != nil {
		return failed(statusOf(err), "not written: %s: Nsight Compute did not count at n = %s", path, oddSize)
	}
	if err := t.writeResult(path, origin, tables); err != nil {
		return err
	}
	if err := t.writeResult(name+"-n"+oddSize+".txt", origin, odd+oddTables); err != nil {
		return err
	}
	fmt.Fprintf(t.stdout, "written: %s\n", path)
	return nil
}

func (t *tree) ncuTables(flags ...string) (string, error) {
	var tables []string
	for _, ep := range t.numbers() {
		table, err := t.quiet(func(t *tree) error { return t.ncu(ep, flags) })
		if err != nil {
			return "", err
		}
		tables = append(tables, table)
	}
	return strings.Join(tables, "\n"), nil
}

// ncu runs an episode's kernels under Nsight Compute, one launch each, and prints
// what the hardware counted beside what the emulator counts.
func (t *tree) ncu(ep string, flags []string) error {
	m := t.timing()
	if m.Missing != "" {
		return failed(2, "no hardware to count with: %s here\n%s", m.Missing, m.Advice)
	}
	ncu := t.machine.NCU()
	if ncu == "" {
		return failed(2, "no ncu here\ninstall Nsight Compute (it comes with the CUDA toolkit) and put its folder on PATH")
	}
	if err := t.makeFolder("ncu"); err != nil {
		return err
	}
	if err := t.buildTime(m, ep); err != nil {
		return err
	}
	csv, record, ptx := t.built("ncu", ep+".csv"), t.built("ncu", ep+".txt"), t.built(ep+".ptx")
	if err := t.profile(ncu, csv, t.program(ep), append(flags[:len(flags):len(flags)], "-ptx-out", ptx)...); err != nil {
		return err
	}
	if _, err := t.quiet(func(t *tree) error {
		return t.runCount(t.program("count", ep), ep, []string{"-ptx", ptx, "-record", record}, flags)
	}); err != nil {
		return err
	}
	return t.tool("ncu", csv, record)
}

// profile runs a program under Nsight Compute, which writes what it counts to csv. A
// kernel is replayed for every group of counters, so its times mean nothing; clocks and
// caches are left as they are in a run, so that what it kept busy does.
func (t *tree) profile(ncu, csv, program string, args ...string) error {
	metrics, err := t.answer(func(t *tree) error { return t.tool("ncu", "-metrics") })
	if err != nil {
		return err
	}
	os.Remove(csv)
	_, err = t.quiet(func(t *tree) error {
		err := t.run(ncu, append([]string{"--clock-control", "none", "--cache-control", "none", "--csv", "--page", "raw", "--print-units", "base",
			"--kernel-id", ":::1", "--metrics", metrics, "--log-file", csv, program}, args...)...)
		if err != nil {
			text, _ := os.ReadFile(csv) // it may not have got as far
			_, _ = t.stderr.Write(text)
		}
		return err
	})
	return err
}

// chart draws results/CARD.svg from each results/CARD.bench. The first time it
// downloads what it draws with: the chart is a module of its own.
func (t *tree) chart(string, []string) error {
	if err := t.makeFolder(); err != nil {
		return err
	}
	out := t.program("chart")
	if err := t.command(t.path("results", "chart"), append(t.countSettings(), "GOWORK=off"), "go", "build", "-o", out, "."); err != nil {
		return failed(2, "%v", err)
	}
	return t.command(t.root, nil, out, "results")
}

// peers times what others make of a transpose beside the last kernel.
func (t *tree) peers(_ string, flags []string) error { return t.tool("peers", flags...) }

// see shows the page of an episode. The reader's paths are those of where the reader is.
func (t *tree) see(ep string, flags []string) error {
	return t.toolIn(t.dir, "see", append(flags[:len(flags):len(flags)], ep)...)
}

// grade judges the kernels in the folder that DIR names, which is the reader's, as the
// files that it writes are.
func (t *tree) grade(ep string, flags []string) error {
	dir := t.getenv("DIR")
	if dir == "" {
		return failed(2, "no folder of submissions is given\ngive one: make grade-%s DIR=submissions", ep)
	}
	return t.toolIn(t.dir, "grade", append(flags[:len(flags):len(flags)], ep, dir)...)
}

func (t *tree) pictures(string, []string) error { return t.tool("pictures") }

// docs rewrites what the documents quote.
func (t *tree) docs(_ string, flags []string) error {
	if err := t.startsFromTemp(); err != nil {
		return err
	}
	return t.tool("docs", flags...)
}
