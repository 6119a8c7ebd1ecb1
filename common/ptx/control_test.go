package ptx

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestControl runs testdata/control by two compilers at several levels of optimisation:
// the verdict and the requests are those that the source names, and the output does
// not depend on who compiled it.
func TestControl(t *testing.T) {
	source, err := os.ReadFile("testdata/control/control.cu")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/control/*.ptx")
	if err != nil || len(files) != 5 {
		t.Fatal(files, err)
	}
	wants := regexp.MustCompile(`void (\w+)\(.*// want: (\w+)`).FindAllStringSubmatch(string(source), -1)
	if len(wants) < 20 {
		t.Fatalf("%d kernels with a verdict", len(wants))
	}
	outputs := map[string][]byte{}
	for _, file := range files {
		m := parseFile(t, file)
		for _, want := range wants {
			t.Run(path.Base(file)+"/"+want[1], func(t *testing.T) {
				c, out, err := control(t, m.Entry(want[1]))
				if got := verdictOf(c, err); got != want[2] {
					t.Fatalf("%s, want %s: %v", got, want[2], err)
				}
				if err != nil {
					return
				}
				checkRequests(t, c, strings.Split(string(source), "\n"))
				if first, ok := outputs[want[1]]; !ok {
					outputs[want[1]] = out
				} else if d := cmp.Diff(first, out); d != "" {
					t.Error(d)
				}
			})
		}
	}
}

// control launches a kernel of testdata/control.
func control(t *testing.T, e *Entry) (*Counts, []byte, error) {
	mem := NewMemory()
	out, in := alloc(t, mem, 4096), alloc(t, mem, 4096)
	for i, b := 0, view(t, mem, in, 4096); i < 1024; i++ {
		setWord(b, i, uint32(bits32(float32(i%45))))
	}
	c, err := e.Launch(mem, Config{Grid: Dim3{1, 1, 1}, Block: Dim3{64, 1, 1}, Args: []uint64{out, in, 3}})
	return c, view(t, mem, out, 4096), err
}

// verdictOf names a verdict as testdata does.
func verdictOf(c *Counts, err error) string {
	f, ok := err.(*Fault)
	switch {
	case ok:
		return map[FaultKind]string{DivergentBarrier: "DivergentBarrier", SharedRace: "SharedRace", SharedUnwritten: "SharedUnwritten", GlobalRace: "GlobalRace"}[f.Kind]
	case err != nil:
		return "error"
	case len(c.Notes) > 0:
		return "note"
	}
	return "right"
}

// checkRequests holds the stores of a line to its "want: 6 requests".
func checkRequests(t *testing.T, c *Counts, lines []string) {
	for _, a := range c.ByLine() {
		if a.Line == 0 || a.Space == Shared || !a.Store {
			continue
		}
		if _, after, ok := strings.Cut(lines[a.Line-1], "// want: "); ok {
			number, _, _ := strings.Cut(after, " ")
			if want, err := strconv.ParseInt(number, 10, 64); err == nil && a.Requests != want {
				t.Errorf("line %d: %d requests, want %d", a.Line, a.Requests, want)
			}
		}
	}
}
