package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"transpose/common/cmd/internal/diff"
	"transpose/common/compile"
	"transpose/common/internal/terminal"
)

// slideWidth is how many columns a line of a slide has.
const slideWidth = 80

// slide shows of an episode's changes what is new: its last kernel against that of the
// episode before, how it is launched, and what its test wants.
func slide(ep, folder string, texts map[string][2]string) string {
	var b strings.Builder
	part := func(title string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(&b, "%s\n%s\n\n", title, strings.Join(fit(lines), "\n"))
		}
	}
	source := texts["transpose.cu"]
	before, after := compile.Kernels(source[0]), compile.Kernels(source[1])
	if len(before) > 0 && len(after) > 0 {
		old, last := before[len(before)-1], after[len(after)-1]
		if lines, anew := kernelLines(old.Text, last.Text); anew {
			part(fmt.Sprintf("%s/transpose.cu: %s, written anew", folder, last.Name), lines)
		} else {
			part(fmt.Sprintf("%s/transpose.cu: %s for %s", folder, last.Name, old.Name), lines)
		}
	}
	main, test := texts["main.go"], texts["main_test.go"]
	part(folder+"/main.go: the launch", changes(from(main[0], "func run("), from(main[1], "func run(")))
	part(folder+"/main_test.go: for each request", added(changes(between(test[0], "perRequest", "\n}\n"), between(test[1], "perRequest", "\n}\n"))))
	fmt.Fprintf(&b, "%severy line: make diff-%s ARGS=-all\n", hidden(before, after), ep)
	return b.String()
}

// kernelLines are those that make the one kernel the other, each with its neighbours.
// What is for the most part new is shown alone and whole.
func kernelLines(before, after string) (lines []string, anew bool) {
	all := diff.LinesBy(before, after, statement)
	kept := 0
	for _, line := range all {
		if line[0] == ' ' {
			kept++
		}
	}
	if 2*kept < strings.Count(after, "\n") {
		return added(diff.Lines("", after)), true
	}
	gap := false
	for i, line := range all {
		if !slices.ContainsFunc(all[max(0, i-1):min(len(all), i+2)], func(near string) bool { return near[0] != ' ' }) {
			gap = true
			continue
		}
		if gap {
			lines = append(lines, " …")
		}
		gap = false
		lines = append(lines, line)
	}
	return lines, false
}

// statement is a line without the comment at its end and with no more spaces than
// one at a place.
func statement(line string) string {
	line, _, _ = strings.Cut(line, " // ")
	return strings.Join(strings.Fields(line), " ")
}

// changes are the lines that one of the texts alone has, wherever it has them.
func changes(before, after string) (lines []string) {
	others := map[byte]string{'-': "+", '+': "-"}
	all := diff.LinesBy(before, after, statement)
	signed := map[string]bool{}
	for _, line := range all {
		signed[line[:1]+statement(line[1:])] = true
	}
	for _, line := range all {
		if sign := line[0]; sign != ' ' && statement(line[1:]) != "" && !signed[others[sign]+statement(line[1:])] {
			lines = append(lines, line)
		}
	}
	return lines
}

// added are the lines with a +.
func added(lines []string) []string {
	return slices.DeleteFunc(lines, func(line string) bool { return line[0] != '+' })
}

// from is a text from a mark on, between up to another one too.
func from(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}

func between(text, mark, end string) string {
	rest, _, _ := strings.Cut(from(text, mark), end)
	return rest
}

// hidden names the kernels besides the last that differ.
func hidden(before, after []compile.Kernel) string {
	was := map[string]string{}
	for _, k := range before {
		was[k.Name] = k.Text
	}
	var text strings.Builder
	for i, k := range after {
		switch old, inherited := was[k.Name]; {
		case !inherited && i < len(after)-1:
			fmt.Fprintf(&text, "new too: %s; ", k.Name)
		case inherited && old != k.Text:
			fmt.Fprintf(&text, "changed: %s; ", k.Name)
		}
	}
	return text.String()
}

// fit makes lines no wider than a slide: without extern "C", which every kernel has,
// without a comment where there is no room for it, and folded.
func fit(lines []string) (narrow []string) {
	for _, line := range lines {
		sign, code := line[:1], strings.ReplaceAll(strings.TrimPrefix(line[1:], `extern "C" `), "\t", "  ")
		if utf8.RuneCountInString(code) >= slideWidth {
			code, _, _ = strings.Cut(code, " // ")
			code = strings.TrimRight(code, " ")
		}
		indent := code[:len(code)-len(strings.TrimLeft(code, " "))] + "    "
		for utf8.RuneCountInString(code) >= slideWidth {
			cut := foldAt(string([]rune(code)[:slideWidth-1]), len(indent))
			if cut < 0 {
				break // one long word
			}
			narrow = append(narrow, sign+code[:cut])
			code = indent + code[cut+1:]
		}
		narrow = append(narrow, sign+code)
	}
	return narrow
}

// foldAt is the space in code to fold it at: behind a comma or an equals sign if one is
// in the right half, else the last of that half; -1 if there is none.
func foldAt(code string, indent int) int {
	for _, mark := range []string{", ", "= ", " "} {
		if cut := strings.LastIndex(code, mark) + len(mark) - 1; cut > max(indent, len(code)/2) {
			return cut
		}
	}
	return -1
}

// inColour reports whether who reads has colours and wants them (no-color.org).
func (t *tree) inColour() bool {
	return terminal.Is(t.stdout) && t.getenv("NO_COLOR") == "" && t.getenv("TERM") != "dumb"
}

// coloured has what is gone in red, what is new in green, and what is neither code in
// bold.
func coloured(text string) string {
	var b strings.Builder
	for _, line := range strings.SplitAfter(text, "\n") {
		colour := ""
		switch {
		case line == "" || line == "\n" || line[0] == ' ':
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
			colour = "1"
		case line[0] == '-':
			colour = "31"
		case line[0] == '+':
			colour = "32"
		case line[0] == '@':
			colour = "36"
		default:
			colour = "1"
		}
		if bare, isLine := strings.CutSuffix(line, "\n"); colour != "" && isLine {
			line = "\x1b[" + colour + "m" + bare + "\x1b[m\n"
		}
		b.WriteString(line)
	}
	return b.String()
}
