package common

import "strings"

// Snippet cuts from a line of source the part that an access is: the left side
// of the assignment for a store, the right side for a load. Where the line has
// no assignment it is the whole line.
func Snippet(source string, line int, store bool) string {
	lines := strings.Split(source, "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	text, _, _ := strings.Cut(lines[line-1], "//")
	text = strings.TrimSpace(text)
	eq := assignment(text)
	switch {
	case eq < 0:
		return text
	case store:
		return strings.TrimSpace(dropCondition(text[:eq])) + " = …"
	default:
		return "… " + strings.TrimSuffix(strings.TrimSpace(text[eq+1:]), ";")
	}
}

// assignment returns the index of the = of the last plain assignment in s that
// is not inside parentheses, or -1.
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
			if depth == 0 && !comparison {
				at = i
			}
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
