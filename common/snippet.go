package common

import (
	"regexp"
	"strings"
)

// maxSnippet is how many characters of a line a report has room for.
const maxSnippet = 44

// Snippet cuts from a line of source the part that an access is: the left side
// of the assignment for a store, the right side for a load. Where the line has
// no assignment, or more than one, it is the whole line. A long text is cut short.
func Snippet(source string, line int, store bool) string {
	lines := strings.Split(withoutComments(source), "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	text := strings.TrimSpace(lines[line-1])
	eq := assignment(text)
	switch {
	case eq < 0:
		return shorten(text, maxSnippet)
	case store:
		return shorten(strings.TrimSpace(dropCondition(text[:eq])), maxSnippet-len(" = ?")) + " = …"
	default:
		right, _, _ := strings.Cut(text[eq+1:], ";")
		return shorten("… "+strings.TrimSpace(right), maxSnippet)
	}
}

// tokens matches what can have a comment's beginning inside, and comments: a string
// or a character, whole, /* to */ or the end of the source, // to the end of a line.
var tokens = regexp.MustCompile(`(?s)"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|/\*.*?(?:\*/|\z)|//[^\n]*`)

// withoutComments puts a blank in place of each comment of C. All lines keep their
// numbers.
func withoutComments(source string) string {
	return tokens.ReplaceAllStringFunc(source, func(s string) string {
		if s[0] != '/' {
			return s
		}
		return " " + strings.Repeat("\n", strings.Count(s, "\n"))
	})
}

// shorten cuts s to at most length characters, the last of which then says so.
func shorten(s string, length int) string {
	if r := []rune(s); len(r) > length {
		return string(r[:length-1]) + "…"
	}
	return s
}

// assignment returns the index of the = of the one plain assignment in s that is
// not inside parentheses, or -1 if there is none or more than one.
func assignment(s string) int {
	depth, at := 0, -1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case '=':
			comparison := i+1 < len(s) && s[i+1] == '=' || i > 0 && strings.IndexByte("=<>!+-*/%&|^", s[i-1]) >= 0
			if depth != 0 || comparison {
				continue
			}
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// dropCondition removes an if (…) or for (…) in front of a statement.
func dropCondition(s string) string {
	for {
		s = strings.TrimLeft(s, " {")
		if !strings.HasPrefix(s, "if") && !strings.HasPrefix(s, "for") {
			return s
		}
		open, depth := strings.IndexByte(s, '('), 0
		for i := open; i >= 0 && i < len(s); i++ {
			if s[i] == '(' {
				depth++
			} else if s[i] == ')' {
				if depth--; depth == 0 {
					s, open = s[i+1:], -2
					break
				}
			}
		}
		if open != -2 {
			return s
		}
	}
}
