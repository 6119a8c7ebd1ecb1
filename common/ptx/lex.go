package ptx

import (
	"regexp"
	"strconv"
	"strings"
)

type tokenKind byte

const (
	tokEOF    tokenKind = iota
	tokIdent            // name, %reg, $label
	tokDot              // .word, with the dot and with :: parts
	tokInt              // value
	tokFloat            // 0f…, 0d… or decimal: bits in value, width in bits
	tokString           // without quotes
	tokPunct
)

type token struct {
	kind  tokenKind
	text  string
	value uint64
	bits  int // tokFloat: 32 or 64
	line  int
	pos   int // offset of the first byte
}

// A lexer cuts a PTX text into tokens (PTX ISA, "Lexical Elements").
type lexer struct {
	src  string
	pos  int
	line int
}

func isIdentStart(c byte) bool {
	return c == '_' || c == '$' || c == '%' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isIdent(c byte) bool { return isIdentStart(c) && c != '%' || isDigit(c) }

// skip passes over blanks and comments.
func (l *lexer) skip() error {
	for l.pos < len(l.src) {
		rest := l.src[l.pos:]
		switch {
		case rest[0] == '\n':
			l.line++
			l.pos++
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == 0:
			l.pos++ // a NUL ends the text in memory of some tools
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			l.pos += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				return &SyntaxError{l.line, "/*", "comment does not end"}
			}
			l.line += strings.Count(rest[:n+4], "\n")
			l.pos += n + 4
		default:
			return nil
		}
	}
	return nil
}

func (l *lexer) next() (token, error) {
	if err := l.skip(); err != nil {
		return token{}, err
	}
	t := token{line: l.line, pos: l.pos}
	if l.pos == len(l.src) {
		return t, nil
	}
	c := l.src[l.pos]
	end := l.pos + 1
	var err error
	switch {
	case isIdentStart(c):
		t.kind = tokIdent
		for end < len(l.src) && isIdent(l.src[end]) {
			end++
		}
	case c == '.':
		t.kind = tokDot
		for end < len(l.src) && (isIdent(l.src[end]) || strings.HasPrefix(l.src[end:], "::")) {
			if l.src[end] == ':' {
				end++
			}
			end++
		}
	case isDigit(c):
		for end < len(l.src) && (isIdent(l.src[end]) || l.src[end] == '.' && isDigit(l.src[end-1])) {
			end++
		}
		err = t.number(l.src[l.pos:end])
	case c == '"':
		t.kind = tokString
		text := quoted.FindString(l.src[l.pos:])
		if text == "" {
			return t, &SyntaxError{l.line, "\"", "string does not end"}
		}
		end = l.pos + len(text)
	default:
		t.kind = tokPunct
	}
	t.text = l.src[l.pos:end]
	if t.kind == tokString {
		t.text = escaped.ReplaceAllStringFunc(t.text[1:len(t.text)-1], unescape)
	}
	l.pos = end
	return t, err
}

// quoted is a string on one line. In the name of a file, compilers write what is no ASCII
// as bytes in octal, \303\244 for ä, and a quote or backslash behind one.
var (
	quoted  = regexp.MustCompile(`^"(?:[^"\\\n]|\\[^\n])*"`)
	escaped = regexp.MustCompile(`\\(?:[0-3][0-7][0-7]|["\\])`)
)

func unescape(s string) string {
	if b, err := strconv.ParseUint(s[1:], 8, 8); err == nil {
		return string([]byte{byte(b)})
	}
	return s[1:]
}

// number reads an integer or floating constant (PTX ISA, "Constants").
func (t *token) number(s string) error {
	bad := &SyntaxError{t.line, s, "not a number"}
	lower := strings.ToLower(s)
	var err error
	switch {
	case strings.HasPrefix(lower, "0f") || strings.HasPrefix(lower, "0d"):
		digits := 8
		if lower[1] == 'd' {
			digits = 16
		}
		if len(s) != 2+digits {
			return bad
		}
		t.kind, t.bits = tokFloat, digits*4
		t.value, err = strconv.ParseUint(s[2:], 16, 64)
	case strings.Contains(s, "."):
		var f float64
		f, err = strconv.ParseFloat(s, 64)
		t.kind, t.bits, t.value = tokFloat, 64, f64bits(f)
	default:
		t.kind = tokInt
		t.value, err = strconv.ParseUint(strings.TrimSuffix(lower, "u"), 0, 64)
	}
	if err != nil {
		return bad
	}
	return nil
}
