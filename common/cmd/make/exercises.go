package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"transpose/common/record"
)

// exercises times the edits and solutions of common/cmd/docs/testdata on the GPU, once at
// each size, and writes them to results, under the card's name. An edit that is not exact
// has no time; its line says what came of it.
func (t *tree) exercises(string, []string) error {
	m := t.timing()
	if m.Missing != "" {
		return failed(2, "nothing to time: %s here\n%s", m.Missing, m.Advice)
	}
	settings, err := t.timeSettings(m)
	if err != nil {
		return err
	}
	edits, err := glob(t.path("common", "cmd", "docs", "testdata"), "ep[0-9][0-9]-*")
	if err != nil {
		return err
	}
	if err := t.makeFolder("exercises"); err != nil {
		return err
	}
	table, name, origin := "", "", ""
	for _, edit := range edits {
		program, err := t.buildEdit(settings, edit)
		if err != nil {
			return err
		}
		for _, n := range exerciseSizes {
			line := filepath.Base(edit) + "/" + n
			rec, trouble, err := t.timeEdit(program, edit, n)
			if err != nil {
				return err
			}
			if rec == nil {
				table += fmt.Sprintf("%-28s  %s\n", line, trouble)
				continue
			}
			if name == "" {
				name = "results/" + record.FileName(rec.Setting("card")) + "-exercises.txt"
				origin = fmt.Sprintf("card: %s\ndate: %s\ndriver: CUDA %s\nptx: %s\nedit/n, kernel, median of 20 launches, min … max\n\n",
					rec.Setting("card"), rec.Setting("date"), rec.Setting("driver"), rec.Setting("ptx"))
			}
			table += timesOf(line, rec.Runs[0])
		}
	}
	if name == "" {
		return failed(1, "no edit was exact: nothing is written")
	}
	if err := os.WriteFile(t.path(filepath.FromSlash(name)), []byte(origin+table), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(t.stdout, "written: %s\n", name)
	return nil
}

// exerciseSizes are the series' own, and the least at which less of the matrices is in L2.
var exerciseSizes = []string{"4096", "8192"}

// timesOf has a line for each kernel of a run that moves the matrix.
func timesOf(edit string, run *record.Run) (lines string) {
	for _, row := range run.Rows {
		if row.Times == nil || row.Kernel.Leaves == record.Untouched || row.Kernel == record.Memcpy {
			continue
		}
		ms := row.Times.Median()
		lines += fmt.Sprintf("%-28s  %-22s  %.4f ms  %.4f … %.4f  %6.0f GB/s\n", edit, row.Kernel.Name, ms, row.Times.Min(), row.Times.Max(),
			record.Bandwidth(record.BytesMoved(run.N), ms))
	}
	return lines
}

// buildEdit builds an episode's program with an edit's main.go, if it has one.
func (t *tree) buildEdit(settings []string, edit string) (program string, err error) {
	name := filepath.Base(edit)
	folder := t.folder(name[:len("ep00")])
	program = t.program("exercises", name)
	args := []string{"build", "-o", program}
	if main := filepath.Join(edit, "main.go"); exists(main) {
		overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{t.path(folder, "main.go"): main}})
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(program+".json", overlay, 0o644); err != nil {
			return "", t.cannotWrite()
		}
		args = append(args, "-overlay", program+".json")
	}
	if err := t.goCommand(settings, append(args, "transpose/"+folder)...); err != nil {
		return "", failed(2, "%v", err)
	}
	return program, nil
}

// timeEdit runs an edit's program on its kernels. rec is nil where the output was not
// exact, and trouble says why.
func (t *tree) timeEdit(program, edit, n string) (rec *record.Record, trouble string, err error) {
	out := program + ".txt"
	flags := []string{"-n", n, "-record", out}
	if cu := filepath.Join(edit, "transpose.cu"); exists(cu) {
		flags = append(flags, "-cu", cu)
	}
	os.Remove(out)
	var said strings.Builder
	silent := *t
	silent.stdout, silent.stderr = &said, &said
	folder := t.folder(filepath.Base(edit)[:len("ep00")])
	if err := silent.command(t.path(folder), nil, program, flags...); err != nil {
		return nil, lastFailure(said.String()), nil
	}
	rec, err = record.Read(out)
	return rec, "", err
}

// lastFailure is the sentence with which a program says what is wrong: a line, and those
// that are set in below it where it was too long for one.
func lastFailure(said string) string {
	lines := strings.Split(said, "\n")
	for i, line := range lines {
		program, what, ok := strings.Cut(line, ": ")
		if !ok || !strings.HasPrefix(program, "ep") || strings.Contains(program, " ") {
			continue
		}
		for _, more := range lines[i+1:] {
			if !strings.HasPrefix(more, "    ") {
				break
			}
			what += " " + strings.TrimSpace(more)
		}
		return what
	}
	return "ended without a word"
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
