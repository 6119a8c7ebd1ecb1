// Package columns keeps what programs print narrow enough for a code block on a phone.
package columns

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Width is how many columns there are.
const Width = 60

// indent begins what was folded off a line.
const indent = "    "

// Fold breaks the lines of a message that are too wide, where a sentence has a pause if
// it can. Lines that begin with a space, + or - are tables or lists, and stay.
func Fold(text string) string { return foldTo(Width, text) }

// Indent is Fold for a text that stands so many columns to the right.
func Indent(by int, text string) string {
	margin := strings.Repeat(" ", by)
	return margin + strings.ReplaceAll(foldTo(Width-by, text), "\n", "\n"+margin)
}

func foldTo(width int, text string) string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if line == "" || !strings.ContainsAny(line[:1], " +-") {
			line = fold(width, line)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Unfold undoes Fold, and Indent by so many columns.
func Unfold(by int, text string) string {
	folded := regexp.MustCompile(fmt.Sprintf(`\n {%d}(\S)`, by+len(indent)))
	return folded.ReplaceAllString(text, " $1")
}

func fold(width int, line string) string {
	var b strings.Builder
	for utf8.RuneCountInString(line) > width {
		cut := breakAt(width, line)
		if cut < 0 {
			break // one long word
		}
		b.WriteString(line[:cut] + "\n")
		line = indent + line[cut+1:]
	}
	return b.String() + line
}

// breakAt returns the space in a line to break it at: the last that has a pause in front
// of it or an "at" behind it, if that leaves no line of less than half the width; else the
// last of all. It returns -1 where there is none.
func breakAt(width int, line string) int {
	head := string([]rune(line)[:width+1])
	last, open := -1, 0
	pause := -1
	for i, r := range head {
		switch r {
		case '(':
			open++
		case ')':
			open--
		case ' ':
			if i < len(indent) || head[i-1] == '=' || strings.HasPrefix(line[i:], " =") { // of n = 4096
				continue
			}
			last = i
			// A comma within brackets, as of (0, 1, 0), is no pause.
			if open == 0 && (strings.ContainsAny(head[i-1:i], ",;:)") || strings.HasPrefix(line[i:], " at ")) {
				pause = i
			}
		}
	}
	if pause > len(head)/2 {
		return pause
	}
	return last
}
