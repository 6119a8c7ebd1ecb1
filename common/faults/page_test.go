//go:build !cuda

package faults

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	gocmp "github.com/google/go-cmp/cmp"

	"transpose/common"
	"transpose/common/internal/columns"
)

var update = flag.Bool("update", false, "write FAULTS.md anew")

const pageTop = `# What goes wrong, what you see, what to do

Mistakes that people make again and again with a transpose, with Go and CUDA, and with a
clock. Each was made to happen, and the message is what the run printed, without the line of
PTX and without the list of wrong elements. Search this page for the words of your message:
they are in the headings. Lines of more than 60 columns are folded.

A program's exit status: 1, the kernel is to blame; 2, the machine or the command line is; 3, the
kernel is too long to tell. make exits with a status of its own, and names this one in its last line.

The emulator, ` + "`make count-ep03`" + `, accuses a kernel with thread and line. A GPU does so for none
of these: it stops with a number, or gives a wrong output, or a right one until the day it does not.
So when a GPU's answer says little, count.

This page is made by the tests that hold it, ` + "`go test -run TestFaultsPage -update`" + ` in this
folder; they fail when a message has changed and the page has not.
`

const driverGroup = "What the driver answers, by number"

// A part of the page is a fault.
type part struct {
	group   string // heading of this one and the next, or ""
	words   string // of the message, or else what is wrong: for the list at the top
	heading string
	see     string // what was printed, or ""
	text    string // what it means and what to do
}

// parts are all faults, in the order of the page.
func parts(t *testing.T) (list []part) {
	t.Helper()
	do := "" // of the fault before
	same := func(now string) string {
		if rest, found := strings.CutPrefix(now, "The same"); found {
			now = strings.TrimSuffix(do, ".") + rest
		}
		do = now
		return now
	}
	for _, f := range kernelFaults {
		see, status := f.shown(t)
		text := fmt.Sprintf("[%s](%s), n = %d, exit status %d.\n\n%s", f.kernel, f.source(), f.n, status, same(f.do))
		words := kernelWords(f.kernel, see)
		if status == 0 && !strings.HasPrefix(see, "note: ") { // a table's line
			words = ""
		}
		list = append(list, part{f.group, cmp.Or(words, f.fault), title(words, f.fault), see, text})
	}
	for _, f := range otherFaults {
		see := f.see(t)
		if !strings.Contains(strings.Join(strings.Fields(see), " "), f.words) {
			t.Errorf("%s: %q is not in the message: %s", f.fault, f.words, see)
		}
		text := same(f.do)
		if f.status >= 0 {
			text = fmt.Sprintf("Exit status %d.\n\n%s", f.status, text)
		}
		list = append(list, part{f.group, cmp.Or(f.words, f.fault), title(f.words, f.fault), see, text})
	}
	group, seen := driverGroup, seenAnswers(t)
	for _, r := range common.Results() {
		message, do, _ := strings.Cut(r.Error(), "\n")
		where := ""
		if seen[r] {
			where = ", seen on [an H200](testdata/h200-errors.txt)"
		}
		text := fmt.Sprintf("Exit status %d%s.\n\n%s.", common.ExitStatus(r), where, upperFirst(do))
		list = append(list, part{group, "", message, "", text})
		group = ""
	}
	return list
}

// page writes FAULTS.md.
func page(t *testing.T) string {
	t.Helper()
	list := parts(t)
	var index, body strings.Builder
	seen := map[string]bool{}   // anchors
	listed := map[string]bool{} // words of the group
	for _, p := range list {
		if p.group != "" {
			fmt.Fprintf(&index, "\n- [%s](#%s)", p.group, anchor(p.group))
			fmt.Fprintf(&body, "\n## %s\n", p.group)
			listed = map[string]bool{"": true}
		}
		a := anchor(p.heading)
		if seen[a] {
			t.Errorf("two headings have the anchor %s", a)
		}
		seen[a] = true
		if !listed[p.words] {
			fmt.Fprintf(&index, " · [%s](#%s)", p.words, a)
		}
		listed[p.words] = true
		fmt.Fprintf(&body, "\n### %s\n\n", p.heading)
		if p.see != "" {
			fmt.Fprintf(&body, "```text\n%s\n```\n\n", columns.Fold(p.see))
		}
		fmt.Fprintf(&body, "%s\n", p.text)
	}
	return pageTop + index.String() + "\n" + body.String()
}

// TestFaultsPage holds FAULTS.md to what the runs print.
func TestFaultsPage(t *testing.T) {
	want := page(t)
	if *update {
		if err := os.WriteFile("FAULTS.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("FAULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(strings.Split(want, "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("FAULTS.md is stale, go test -run TestFaultsPage -update mends it (-want +got):\n%s", diff)
	}
}

// title is the heading of a fault: the message's words, and what is wrong.
func title(words, fault string) string {
	if words == "" {
		return fault
	}
	if second := []rune(fault)[1]; second == ' ' || unicode.IsLower(second) {
		fault = strings.ToLower(fault[:1]) + fault[1:]
	}
	switch plain := strings.ReplaceAll(fault, ",", ""); {
	case plain == words:
		return words
	case strings.HasPrefix(fault, words):
		return fault
	}
	return words + ": " + fault
}

// kernelWords are what a search for a message about a kernel would have: the likely
// mistake, or else the accusation.
func kernelWords(kernel, message string) string {
	first, rest, _ := strings.Cut(message, "\n")
	words, wrong := "", strings.Contains(first, "wrong: ")
	switch likely, found := strings.CutPrefix(rest, "likely: "); {
	case found:
		words = likely
	case wrong && strings.Contains(rest, "not an element of in"):
		return "not an element of in"
	case strings.HasPrefix(first, "note: "):
		_, words, _ = strings.Cut(first, ": threads")
		words = "threads" + words
	default:
		words = ptxName.ReplaceAllString(strings.TrimPrefix(first, kernel+": "), "")
		if _, about, _ := strings.Cut(words, ") "); strings.HasPrefix(words, "block (") || strings.HasPrefix(words, "grid (") {
			words = about
		}
	}
	return strings.TrimSpace(endOfWords.Split(words, 2)[0])
}

// endOfWords matches where a message goes over to particulars, ptxName how one
// begins that is about a file.
var (
	endOfWords = regexp.MustCompile(`[:;,] |[?(]`)
	ptxName    = regexp.MustCompile(`^\S+\.ptx `)
)

// anchor is the name that GitHub gives to a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		default:
			return -1
		}
	}, heading)
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// transcripts returns what was printed on a GPU machine.
func transcripts(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/h200-errors.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// driverCode matches how a message names the driver's answer.
var driverCode = regexp.MustCompile(`\(CUDA_ERROR_\w+, (\d+)\)`)

// seenAnswers returns the driver's answers in the transcripts.
func seenAnswers(t *testing.T) map[common.Result]bool {
	t.Helper()
	seen := map[common.Result]bool{}
	for _, m := range driverCode.FindAllStringSubmatch(transcripts(t), -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		seen[common.Result(n)] = true
	}
	return seen
}

// ptxDetail is the part of an accusation that is another with each compiler.
var ptxDetail = regexp.MustCompile(`, ptx line \d+ \(.*?\)`)

// shown runs f and returns what its part shows of the output, and the exit status.
func (f kernelFault) shown(t *testing.T) (text string, status int) {
	t.Helper()
	status, output, message := f.run(t, "../ptx/testdata")
	if status == 0 {
		re := regexp.MustCompile(f.shows)
		above := ""
		for _, line := range strings.Split(output, "\n") {
			if strings.HasPrefix(line, "    ") { // counts, of the access that stands above
				line = above + line
			} else {
				above = line
			}
			line = strings.Join(strings.Fields(ptxDetail.ReplaceAllString(line, "")), " ")
			if re.MatchString(line) {
				return line, 0
			}
		}
		t.Errorf("%s: no line of the output matches %q:\n%s", f.kernel, f.shows, output)
	}
	return shortened(message), status
}

// shortened is a message without the PTX, and of a wrong output without all but
// the likely mistake, or else the first wrong element.
func shortened(message string) string {
	message, _, _ = strings.Cut(strings.TrimSpace(ptxDetail.ReplaceAllString(message, "")), "\naround the first")
	lines := strings.Split(message, "\n")
	if !strings.Contains(lines[0], "wrong: ") {
		return message
	}
	second := strings.TrimSpace(lines[1])
	if last := lines[len(lines)-1]; strings.HasPrefix(last, "likely: ") {
		second = last
	}
	return lines[0] + "\n" + second
}
