package ptx_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the table of testdata/README.md anew")

// alone are the verdicts of the kernels that tests of their own run.
var alone = map[string]string{
	"arguments":              "right; BadArguments with two arguments, with four, with rubbish above an int",
	"wrong_later":            "wrong",
	"fault_later":            "OutOfBounds",
	"shared_too_large":       "refused",
	"shared_too_large_right": "right",
	"bounds_too_low":         "refused",
	"bounds_right":           "right",
	"texture_fetch":          "refused",
	"prelude":                "right",
	"all_nan":                "wrong",
	"one_nan":                "wrong",
	"one_inf":                "wrong",
	"minus_zero":             "wrong",
	"adds_to_out":            "wrong",
	"transpose":              "right", // of mangled.cu
}

// The table of testdata/README.md has every kernel there, with the verdict that the
// tests hold it to. A kernel without a verdict is run by no test.
func TestFixturesPage(t *testing.T) {
	const path, start, end = "testdata/README.md", "| file | kernel | verdict | because |\n", "\nOther folders here"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	top, rest, found := strings.Cut(string(text), start)
	_, bottom, foundEnd := strings.Cut(rest, end)
	if !found || !foundEnd {
		t.Fatalf("%s has no table between %q and %q", path, start, end)
	}
	want := top + start + "|---|---|---|---|\n" + fixturesTable(t) + end + bottom
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(string(text), "\n")); diff != "" {
		t.Errorf("%s is stale, go test -run TestFixturesPage -update mends it (-want +got):\n%s", path, diff)
	}
}

func fixturesTable(t *testing.T) string {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.cu")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures found: %v", err)
	}
	var table strings.Builder
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file := strings.TrimSuffix(filepath.Base(path), ".cu")
		first := fmt.Sprintf("[%s](%[1]s.cu)", file)
		for _, k := range commented(string(source)) {
			fmt.Fprintf(&table, "| %s | `%s` | %s | %s |\n", first, k.name, verdictOf(t, file, k.name), k.because)
			first = ""
		}
	}
	return table.String()
}

// verdictOf says in words what a kernel is held to.
func verdictOf(t *testing.T, file, kernel string) string {
	t.Helper()
	v := wants(t, file, kernel)
	text := alone[kernel]
	if i := slices.IndexFunc(fixtures, func(f fixture) bool { return f.kernel == kernel }); i >= 0 {
		if text = "right"; fixtures[i].wrong {
			text = "wrong"
		}
		checkWrong(t, fixtures[i])
	}
	for name, kind := range faultNames {
		if kind == v.fault {
			text = name
		}
	}
	switch {
	case text == "":
		t.Errorf("%s.cu: no test runs %s", file, kernel)
	case v.notes != nil:
		text += ", note"
	case v.costs != nil:
		text += "; " + strings.Join(v.costs, ", ")
	}
	return text
}

// checkWrong holds that a fixture says wrong if and only if it holds neither the
// transpose nor, unlike a transpose that forgot to turn, a copy.
func checkWrong(t *testing.T, f fixture) {
	t.Helper()
	if f.holds == nil {
		return
	}
	s, isTranspose, isCopy := f.sizes[0], true, true
	for i := range s.rows * s.cols {
		isTranspose = isTranspose && f.holds(s, i) == transposed(s, i)
		isCopy = isCopy && f.holds(s, i) == copied(s, i)
	}
	if right := isTranspose || isCopy && f.kernel != "untransposed"; right == f.wrong {
		t.Errorf("%s: wrong is %v, but what it holds is right: %v", f.kernel, f.wrong, right)
	}
}

// A commentedKernel is one of a .cu file, with the first sentence of its comment.
type commentedKernel struct{ name, because string }

// commented finds the kernels of a source. The comment at the file's head is that of
// the first where it has no other.
func commented(source string) (kernels []commentedKernel) {
	var blocks []string // of comments
	open, above := false, false
	for _, line := range strings.Split(source, "\n") {
		text, isComment := strings.CutPrefix(line, "// ")
		m := kernelLine.FindStringSubmatch(line)
		switch {
		case isComment && open:
			blocks[len(blocks)-1] += " " + text
		case isComment:
			blocks = append(blocks, text)
		case m != nil && above:
			kernels = append(kernels, commentedKernel{m[1], firstSentence(blocks[len(blocks)-1])})
		case m != nil && kernels == nil:
			kernels = append(kernels, commentedKernel{m[1], firstSentence(blocks[0])})
		case m != nil:
			kernels = append(kernels, commentedKernel{m[1], ""})
		}
		open, above = isComment, isComment || above && line == ""
	}
	return kernels
}

// firstSentence is that of a comment, without a verdict of one word in front of it.
func firstSentence(comment string) string {
	sentence, _, _ := strings.Cut(strings.TrimSpace(comment)+" ", ". ")
	sentence = strings.TrimSuffix(strings.TrimSpace(sentence), ".")
	for _, verdict := range []string{"Wrong: ", "Right: "} {
		sentence = strings.TrimPrefix(sentence, verdict)
	}
	return strings.ReplaceAll(sentence, "__", `\_\_`)
}
