package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fakeMain is an episode's program that does what the submission's first line says, in
// the place of a compiler and an emulator.
const fakeMain = `package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

func main() {
	flags := map[string]string{}
	for i := 1; i+1 < len(os.Args); i += 2 {
		flags[os.Args[i]] = os.Args[i+1]
	}
	source, _ := os.ReadFile(flags["-cu"])
	line, _, _ := strings.Cut(string(source), "\n")
	log, _ := os.OpenFile(os.Getenv("RUNS"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	fmt.Fprintln(log, flags["-cu"], flags["-n"], flags["-k"])
	log.Close()
	verdict, message, fault := "exact", "", ""
	switch what, n, _ := strings.Cut(line, " "); {
	case n != "" && n != flags["-n"]:
	case what == "wrong":
		verdict, message = "wrong", "ep01-made: new: wrong: 3 of 9 elements\nlikely: a mistake"
	case what == "race":
		verdict, message = "fault", "ep01-made: new: race in shared memory: here,\nand there"
		fault = "\"fault\": {\"kind\": \"race in shared memory\", \"file\": \"a.cu\", \"line\": 7, \"block\": {\"X\": 1}, \"thread\": {\"Y\": 2}},"
	case what == "sleep":
		time.Sleep(time.Minute)
	case what == "memory":
		var all [][]byte
		for i := 0; i < 600; i++ {
			b := make([]byte, 1<<20)
			for j := range b {
				b[j] = byte(j)
			}
			all = append(all, b)
		}
		time.Sleep(time.Minute)
		fmt.Println(len(all))
	case what == "dies":
		fmt.Fprintln(os.Stderr, "it died")
		os.Exit(2)
	}
	os.WriteFile(flags["-trace"], []byte(fmt.Sprintf("{\"n\": %s, \"verdict\": %q, \"message\": %q, \"kernels\": [" +
		"{\"name\": \"new\", \"verdict\": %[2]q, %[4]s \"accesses\": [" +
		"{\"line\": 4, \"text\": \"in[x]\", \"space\": \"global\", \"bytes\": 4, \"requests\": 2, \"sectors\": 64, \"bestSectors\": 8, \"wavefronts\": 64, \"bestWavefronts\": 2}," +
		"{\"line\": 4, \"text\": \"in[x]\", \"space\": \"global\", \"bytes\": 4, \"requests\": 1, \"sectors\": 4, \"bestSectors\": 4, \"wavefronts\": 1, \"bestWavefronts\": 1}]}]}",
		flags["-n"], verdict, message, fault)), 0o644)
}
`

// A class is a made-up checkout with a folder of submissions.
type class struct {
	t    *testing.T
	root string
}

func newClass(t *testing.T) *class {
	t.Helper()
	c := &class{t, t.TempDir()}
	c.write("go.work", "go 1.22.4\nuse ./ep01-made\n")
	c.write("ep01-made/go.mod", "module made\ngo 1.22.4\n")
	c.write("ep01-made/main.go", fakeMain)
	c.write("ep01-made/transpose.cu", "extern \"C\" __global__ void old(int) {\n}\nextern \"C\" __global__ void new(int) {\n}\n")
	dir, err := os.Getwd()
	if err == nil {
		err = os.Chdir(c.root)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chdir(dir) })
	t.Setenv("RUNS", filepath.Join(c.root, "runs"))
	return c
}

func (c *class) write(name, text string) {
	c.t.Helper()
	path := filepath.Join(c.root, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *class) read(name string) string {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.root, name))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(text)
}

// grade runs the command and returns what it printed.
func (c *class) grade(args ...string) string {
	c.t.Helper()
	var out bytes.Buffer
	if err := run(context.Background(), append(args, "ep01", "submissions"), &out, &out); err != nil {
		c.t.Fatal(err)
	}
	return out.String()
}

// runs returns what the program was run for since the last call.
func (c *class) runs() (count int) {
	path := filepath.Join(c.root, "runs")
	text, _ := os.ReadFile(path)
	os.Remove(path)
	return strings.Count(string(text), "\n")
}

// TestGrade is of each verdict: the line that is printed, the object and the row.
func TestGrade(t *testing.T) {
	c := newClass(t)
	c.write("submissions/alice/transpose.cu", "exact")
	c.write("submissions/bob.cu", "wrong 1001")
	c.write("submissions/=carol().cu", "race 33")
	c.write("submissions/dave.cu", "dies")
	c.write("submissions/eve.cu", "exact\n#include \"../bob.cu\"\n")
	c.write("submissions/notes.txt", "exact")
	c.write("submissions/.git/x.cu", "exact")
	out := c.grade("-sizes", "33,1001")
	for _, line := range []string{
		"exact     alice/transpose.cu  17.6% of the sectors, 4.62% of the wavefronts needed\n",
		"wrong     bob.cu  n = 1001  wrong: 3 of 9 elements; likely: a mistake\n",
		"fault     =carol().cu  n = 33  race in shared memory: here, and there\n",
		"format    dave.cu  n = 33  the program left no verdict: it died\n",
		"format    eve.cu  it includes ../bob.cu, which is outside its folder\n",
		"5 graded: 1 exact, 1 wrong, 1 fault, 2 format; see grades.csv and grades.jsonl\n",
	} {
		if !strings.Contains(out, line) {
			t.Errorf("no %q in\n%s", line, out)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(c.read("grades.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"file", "verdict", "n", "kernel", "line", "reason", "counted_n", "requests", "sectors", "best_sectors", "wavefronts", "best_wavefronts"},
		{"'=carol().cu", "fault", "33", "new", "7", "race in shared memory: here, and there", "33", "3", "68", "12", "65", "3"},
		{"alice/transpose.cu", "exact", "", "", "", "", "1001", "3", "68", "12", "65", "3"},
		{"bob.cu", "wrong", "1001", "new", "", "wrong: 3 of 9 elements; likely: a mistake", "1001", "3", "68", "12", "65", "3"},
		{"dave.cu", "format", "33", "", "", "the program left no verdict: it died", "", "", "", "", "", ""},
		{"eve.cu", "format", "", "", "", "it includes ../bob.cu, which is outside its folder", "", "", "", "", "", ""},
	}
	if d := cmp.Diff(want, rows); d != "" {
		t.Error(d)
	}
	var carol grade
	if err := json.Unmarshal([]byte(strings.Split(c.read("grades.jsonl"), "\n")[0]), &carol); err != nil {
		t.Fatal(err)
	}
	if len(carol.Accesses) != 1 || carol.Accesses[0].Sectors != 68 || carol.Thread == nil || carol.Thread.Y != 2 || carol.Block.X != 1 || carol.Source != "a.cu" {
		t.Errorf("carol: %+v", carol)
	}
}

// TestGoesOn holds that what is graded is not graded again, until it or the episode
// changes, and that a line that was cut off is no harm.
func TestGoesOn(t *testing.T) {
	c := newClass(t)
	c.write("submissions/a.cu", "exact")
	c.write("submissions/b.cu", "exact")
	check := func(what string, runs int, args ...string) {
		t.Helper()
		if out := c.grade(args...); !strings.Contains(out, "2 graded: 2 exact") {
			t.Errorf("%s: %s", what, out)
		}
		if n := c.runs(); n != runs {
			t.Errorf("%s: the program was run %d times, want %d", what, n, runs)
		}
		if n := strings.Count(c.read("grades.jsonl"), "\n"); n != 2 {
			t.Errorf("%s: %d lines in grades.jsonl, want 2", what, n)
		}
	}
	check("at first", 4, "-sizes", "1,2")
	check("again", 0, "-sizes", "1,2")
	check("other sizes", 6, "-sizes", "1,2,3")
	c.write("submissions/a.cu", "exact\n")
	check("one is new", 3, "-sizes", "1,2,3")
	text := c.read("grades.jsonl")
	c.write("grades.jsonl", text[:len(text)-30])
	check("cut off", 3, "-sizes", "1,2,3")
	c.write("ep01-made/more.go", "package main\n\nvar more = \"a\"\n\nfunc init() { _ = more; println() }\n")
	check("another program", 6, "-sizes", "1,2,3")
	c.write("submissions/a.cu", "exact\n#include \"b.h\"")
	check("with an include", 3, "-sizes", "1,2,3")
	check("whose file may have changed", 3, "-sizes", "1,2,3")
}

// TestLimits ends what takes too long or too much.
func TestLimits(t *testing.T) {
	c := newClass(t)
	c.write("submissions/a.cu", "sleep")
	if out := c.grade("-time", "300ms"); !strings.Contains(out, "too long  a.cu  n = 33  it was ended: it took more than the time that is given to it, 300ms") {
		t.Errorf("time: %s", out)
	}
	if runtime.GOOS != "linux" {
		t.Skip("memory is watched on Linux alone")
	}
	c.write("submissions/a.cu", "memory")
	if out := c.grade("-memory", "256MiB"); !strings.Contains(out, "format    a.cu  n = 33  it was ended: it took more than the memory that is given to it, 256 MiB") {
		t.Errorf("memory: %s", out)
	}
}

// TestInterrupted holds that an interrupted run ends at once, and keeps what it has.
func TestInterrupted(t *testing.T) {
	c := newClass(t)
	c.write("submissions/a.cu", "exact")
	c.write("submissions/b.cu", "sleep")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	runs := filepath.Join(c.root, "runs")
	go func() {
		for ctx.Err() == nil {
			if text, err := os.ReadFile(runs); err == nil && strings.Contains(string(text), "b.cu") {
				cancel()
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	var out bytes.Buffer
	if err := run(ctx, []string{"-jobs", "1", "-sizes", "1", "ep01", "submissions"}, &out, &out); err != context.Canceled {
		t.Fatalf("%v: %s", err, &out)
	}
	if text := c.read("grades.jsonl"); strings.Count(text, "\n") != 1 || !strings.Contains(text, `"file":"a.cu"`) {
		t.Errorf("grades.jsonl has %s", text)
	}
	if exists("grades.csv") {
		t.Error("there is a grades.csv of half the class")
	}
}

// TestPages writes a page for each, also for one that fails.
func TestPages(t *testing.T) {
	c := newClass(t)
	c.write("submissions/a b/transpose.cu", "exact")
	c.write("submissions/b.cu", "race")
	c.grade("-sizes", "33", "-pages", "out/pages")
	for _, name := range []string{"a b/transpose.cu.html", "b.cu.html"} {
		if text := c.read("out/pages/" + name); !strings.Contains(text, "<!doctype html>") || !strings.Contains(text, `"kernels"`) {
			t.Errorf("%s: %.100s", name, text)
		}
	}
	if n := c.runs(); n != 4 {
		t.Errorf("%d runs, want 4", n)
	}
	c.grade("-sizes", "33", "-pages", "out/pages")
	if n := c.runs(); n != 0 {
		t.Errorf("%d runs though the pages are there", n)
	}
	for range 2 { // the folders of what is written are no student's
		if out := c.grade("-sizes", "33", "-o", "submissions/out", "-pages", "submissions/pages"); !strings.Contains(out, "2 graded") {
			t.Error(out)
		}
	}
}

func TestBadInput(t *testing.T) {
	c := newClass(t)
	c.write("submissions/a.cu", "exact")
	c.write("empty/readme.txt", "")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"ep01"}, "give it an episode and a folder of submissions"},
		{[]string{"ep07", "submissions"}, "there is no episode ep07\nthere are ep01"},
		{[]string{"ep01", "none"}, "give a folder that has the submissions"},
		{[]string{"ep01", "empty"}, "no .cu is in empty or below it\ngive a folder that has the submissions"},
		{[]string{"-sizes", "33,x", "ep01", "submissions"}, `-sizes 33,x: "x" is no size`},
		{[]string{"-memory", "2", "ep01", "submissions"}, "-memory 2: give a size such as 512MiB or 2GiB"},
		{[]string{"-jobs", "0", "ep01", "submissions"}, "-jobs 0: at least one has to run"},
		{[]string{"-time", "-1s", "ep01", "submissions"}, "-time -1s: give a time such as 60s"},
		{[]string{"-x"}, "flag provided but not defined: -x\nrun it with -h"},
		{[]string{"-o", "submissions/a.cu", "ep01", "submissions"}, "give a folder that can be written"},
	} {
		var out bytes.Buffer
		if err := run(context.Background(), tt.args, &out, &out); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v; want %q", tt.args, err, tt.want)
		}
	}
}

// TestNames grades files whose names are hard to handle.
func TestNames(t *testing.T) {
	c := newClass(t)
	for _, name := range []string{"a\nb.cu", "ü.CU", "-n.cu", "deep/er/still/x.cu", "folder.cu/x.cu"} {
		c.write("submissions/"+name, "exact")
	}
	if out := c.grade("-sizes", "1"); !strings.Contains(out, "5 graded: 5 exact") || !strings.Contains(out, "a?b.cu") {
		t.Error(out)
	}
}

// TestNobodyIsMissing has a row for a student whose folder has no kernel, and for links,
// of which none is followed.
func TestNobodyIsMissing(t *testing.T) {
	c := newClass(t)
	c.write("submissions/alice/transpose.cu", "exact")
	c.write("submissions/bob/report.pdf", "")
	c.write("submissions/carol/.git/x.cu", "exact")
	c.write("submissions/dave.cu/x.txt", "")
	c.write("submissions/__MACOSX/alice/._transpose.cu", "exact")
	c.write("submissions/alice/._transpose.cu", "exact")
	c.write("submissions/frank/._transpose.cu", "exact")
	c.write("secret/x.cu", "exact")
	want := "1 exact, 4 format"
	if os.Symlink("../../secret/x.cu", filepath.Join(c.root, "submissions/alice/link.cu")) == nil &&
		os.Symlink("../secret", filepath.Join(c.root, "submissions/eve")) == nil {
		want = "1 exact, 6 format"
	}
	out := c.grade("-sizes", "1")
	for _, line := range []string{
		"format    bob  no .cu file is in this folder\n",
		"format    carol  no .cu file is in this folder\n",
		"format    dave.cu  no .cu file is in this folder\n",
		"format    frank  no .cu file is in this folder\n",
		want,
	} {
		if !strings.Contains(out, line) {
			t.Errorf("no %q in\n%s", line, out)
		}
	}
	if n := strings.Count(out, "it is a link, which is not followed: hand in the file"); strings.Contains(want, "6") && n != 2 {
		t.Errorf("%d links are told, want 2:\n%s", n, out)
	}
	if n := c.runs(); n != 1 {
		t.Errorf("%d runs, want 1", n)
	}
}

func TestOutside(t *testing.T) {
	for text, want := range map[string]bool{
		`#include "/etc/passwd"`:      true,
		` # include <../../x.h>`:      true,
		`#include "a/../../b.h"`:      true,
		`%:include "/etc/passwd"`:     true,
		`#embed "/etc/passwd"`:        true,
		`#include "C:\secret.h"`:      true,
		`#include "mine.h"`:           false,
		`#include <cuda_runtime.h>`:   false,
		`#include <sys/types.h>`:      false,
		`// see "../notes"`:           false,
		`#include <cuda/barrier>`:     false,
		"int x;\n#include \"/etc/x\"": true,
	} {
		if got := outside.MatchString(text); got != want {
			t.Errorf("%s: outside is %t", text, got)
		}
	}
}

// TestRealSubmissions grades the kernels of testdata with the compiler that is here, and
// holds the verdicts that they must get.
func TestRealSubmissions(t *testing.T) {
	folder, err := filepath.Abs("../../testdata/submissions")
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		t.Skip("takes a minute")
	}
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("no clang 19 here")
	}
	expected, err := os.ReadFile(filepath.Join(folder, "expected.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	var said bytes.Buffer
	if err := run(context.Background(), []string{"-o", out, "ep03", folder}, &said, &said); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(out, "grades.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var g grade
		if err := json.Unmarshal([]byte(line), &g); err != nil {
			t.Fatal(err)
		}
		got[strings.TrimSuffix(g.File, ".cu")] = strings.Replace(string(g.Verdict), "fault", "wrong", 1)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(expected)), "\n") {
		fields := strings.Split(line, "\t")
		if got[fields[0]] != fields[1] {
			t.Errorf("%s: %q, want %s", fields[0], got[fields[0]], fields[1])
		}
	}
}
