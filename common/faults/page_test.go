//go:build !cuda

package faults

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"transpose/common"
)

var update = flag.Bool("update", false, "write FAULTS.md anew")

const pageTop = `# What goes wrong, what you see, what to do

Mistakes that people make again and again with a transpose, with Go and CUDA, and with a
clock. Each was made to happen, and the message is what the run printed, without the line of
PTX and without the list of wrong elements. *(n)* at the end is the exit status of the program:
1, the kernel is to blame; 2, the machine or the command line is; 3, the kernel is too long to
tell. make exits with a status of its own, and names this one in its last line. Of the driver's numbers those marked *seen* are from
[an H200](testdata/h200-errors.txt).

The emulator, ` + "`make count-ep03`" + `, accuses a kernel with thread and line. A GPU does so for none
of these: it stops with a number, or gives a wrong output, or a right one until the day it does not.
So when a GPU's answer says little, count.

This page is made by the tests that hold it, ` + "`go test -run TestFaultsPage -update`" + ` in this
folder; they fail when a message has changed and the page has not.

| What is wrong | What you see | What to do |
|---|---|---|
`

// TestFaultsPage holds FAULTS.md to what the runs print.
func TestFaultsPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(pageTop)
	for _, f := range kernelFaults {
		heading(&b, f.group)
		what := fmt.Sprintf("%s: [%s](%s), n = %d", f.fault, f.kernel, f.source(), f.n)
		row(&b, what, f.shown(t), f.do)
	}
	for _, f := range otherFaults {
		heading(&b, f.group)
		see := code(f.see(t))
		if f.status >= 0 {
			see += fmt.Sprintf(" *(%d)*", f.status)
		}
		row(&b, f.fault, see, f.do)
	}
	heading(&b, "What the driver answers, by number")
	seen := seenAnswers(t)
	for _, r := range common.Results() {
		message, do, _ := strings.Cut(r.Error(), "\n")
		number := fmt.Sprint(int(r))
		if seen[r] {
			number += " *seen*"
		}
		row(&b, number, fmt.Sprintf("%s *(%d)*", code(message), common.ExitStatus(r)), do)
	}

	if *update {
		if err := os.WriteFile("FAULTS.md", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile("FAULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(b.String(), "\n"), strings.Split(string(page), "\n")); diff != "" {
		t.Errorf("FAULTS.md is stale, go test -run TestFaultsPage -update mends it (-want +got):\n%s", diff)
	}
}

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

func heading(b *strings.Builder, s string) {
	if s != "" {
		fmt.Fprintf(b, "| **%s** | | |\n", s)
	}
}

func row(b *strings.Builder, cells ...string) {
	fmt.Fprintf(b, "| %s |\n", strings.ReplaceAll(strings.Join(cells, "\x00"), "\x00", " | "))
}

// code sets the lines of s as code, in one cell.
func code(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "|", `\|`), "\n")
	return "`" + strings.Join(lines, "`<br>`") + "`"
}

// ptxDetail is the part of an accusation that is another with each compiler.
var ptxDetail = regexp.MustCompile(`, ptx line \d+ \(.*?\)`)

// shown runs f and returns what its row shows of the output.
func (f kernelFault) shown(t *testing.T) string {
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
				return code(line) + " *(0)*"
			}
		}
		t.Errorf("%s: no line of the output matches %q:\n%s", f.kernel, f.shows, output)
	}
	return fmt.Sprintf("%s *(%d)*", code(shortened(message)), status)
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
