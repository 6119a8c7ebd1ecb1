package compile

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// mend takes out of the sources what the errors show to be of no concern to a
// kernel: headers that are not here, and host functions and variables that do not compile without
// them. It reports whether there was any.
func (c *compilation) mend(errors []diagnostic) bool {
	mended := false
	for _, d := range errors {
		if d.kind == "note" || d.kind == "warning" || !c.own(d.file) {
			continue
		}
		text, err := c.text(d.file)
		if err != nil {
			continue
		}
		at := offset(text, d.line, d.col)
		if strings.HasSuffix(d.message, "file not found") {
			c.dropHeader(d.file, text, d.line)
			mended = true
			continue
		}
		for _, p := range hostParts(text) {
			if p.start <= at && at < p.end {
				c.edited[d.file] = blank(text, p.start, p.end)
				mended = true
				break
			}
		}
	}
	return mended
}

// offset is where the column of the line is in the text.
func offset(text string, line, col int) int {
	at := 0
	for ; line > 1; line-- {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			return len(text)
		}
		at += next + 1
	}
	return at + col - 1
}

// blank puts spaces where the text was, so that all else stays on its line.
func blank(text string, start, end int) string {
	gone := []byte(text[start:end])
	for i, b := range gone {
		if b != '\n' {
			gone[i] = ' '
		}
	}
	return text[:start] + string(gone) + text[end:]
}

var includeLine = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"].*$`)

// clangHeaders are those of clang's own that work without a C library.
const clangHeaders = " float.h limits.h stdarg.h stdbool.h stddef.h stdint.h stdalign.h "

// dropUnknownHeaders takes the <…> headers that are not here out of a source at
// once: clang would stop at each of them.
func (c *compilation) dropUnknownHeaders(file string) error {
	text, err := c.text(file)
	if err != nil {
		return err
	}
	for _, m := range includeLine.FindAllStringSubmatchIndex(text, -1) {
		name := text[m[4]:m[5]]
		_, err := fs.Stat(headers, path.Join("include", name))
		if text[m[2]:m[3]] == "<" && err != nil && !strings.Contains(clangHeaders, " "+name+" ") {
			c.dropHeader(file, text, strings.Count(text[:m[4]], "\n")+1)
			text = c.edited[file]
		}
	}
	return nil
}

// dropHeader takes the #include on the line out.
func (c *compilation) dropHeader(file, text string, line int) {
	start := offset(text, line, 1)
	end := start + strings.IndexByte(text[start:]+"\n", '\n')
	m := includeLine.FindStringSubmatch(text[start:end])
	// The C++ library's own have neither a dot nor a slash: nvcc has no more of
	// them for a kernel than there is here.
	if m != nil && strings.ContainsAny(m[2], "./") {
		c.missing = append(c.missing, fmt.Sprintf("%s:%d: %s is not here, where the CUDA toolkit is not: compiled without it\n", c.short(file), line, m[2]))
	}
	c.edited[file] = blank(text, start, end)
}

// A part is a declaration or definition at the level of a file or a namespace.
type part struct{ start, end int }

var (
	token = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|` +
		`[A-Za-z_]\w*|\d[\w.']*|\s+|.`)
	directive = regexp.MustCompile(`(?m)^[ \t]*#(?:.*\\\r?\n)*.*$`)
	define    = regexp.MustCompile(`^[ \t]*#[ \t]*define[ \t]+(\w+)((?s:.*))$`)
	library   = regexp.MustCompile(`^(std|thrust|cub|chrono|cuda[A-Z]\w*|cu[A-Z]\w*|curand\w*|cublas\w*|FILE|vector|string)$`)
	aggregate = regexp.MustCompile(`^(class|struct|union|enum|typedef|using)$`)
)

// hostParts finds the parts of a source that are for the host alone: functions
// that are not marked for the device, and what else names something of a host's
// library. It is a rough reading, made only where clang found an error; whatever
// is marked for the device, also by a macro, is never among them.
func hostParts(text string) []part {
	device := map[string]bool{
		"__global__": true, "__device__": true, "__constant__": true, "__shared__": true, "__managed__": true,
		// Called from kernels without a mark.
		"constexpr": true,
	}
	for _, d := range directive.FindAllString(text, -1) {
		if m := define.FindStringSubmatch(d); m != nil {
			for _, word := range token.FindAllString(m[2], -1) {
				device[m[1]] = device[m[1]] || device[word]
			}
		}
	}
	plain := directive.ReplaceAllStringFunc(text, func(s string) string { return blank(s, 0, len(s)) })

	var host []part
	r := reader{text: plain, tokens: tokens(plain)}
	for r.next < len(r.tokens) {
		first := r.next
		function := r.part()
		words := r.tokens[first:r.next]
		marked, named := false, false
		for _, w := range words {
			marked = marked || device[plain[w.start:w.end]]
			named = named || library.MatchString(plain[w.start:w.end])
		}
		if !marked && (function || named) {
			host = append(host, part{words[0].start, words[len(words)-1].end})
		}
	}
	return host
}

// tokens are those of a text without its directives; comments and space are none.
func tokens(text string) []part {
	var all []part
	for _, m := range token.FindAllStringIndex(text, -1) {
		s := text[m[0]:m[1]]
		if strings.TrimSpace(s) != "" && !strings.HasPrefix(s, "//") && !strings.HasPrefix(s, "/*") {
			all = append(all, part{m[0], m[1]})
		}
	}
	return all
}

// A reader goes through the tokens, part by part.
type reader struct {
	text   string
	tokens []part
	next   int
}

func (r *reader) word(i int) string {
	if i >= len(r.tokens) {
		return ""
	}
	return r.text[r.tokens[i].start:r.tokens[i].end]
}

// part reads one part and reports whether it is a function with its body. The
// braces of a namespace or of extern "C" are parts of their own.
func (r *reader) part() (function bool) {
	first := r.next
	start := r.keyword()
	if w := r.word(first); w == "}" || w == ";" {
		r.next++
		return false
	}
	depth, parentheses, initialised := 0, false, false
	for ; r.next < len(r.tokens); r.next++ {
		switch r.word(r.next) {
		case "(", "[":
			parentheses = parentheses || depth == 0 && r.word(r.next) == "("
			depth++
		case ")", "]":
			depth--
		case "=":
			initialised = initialised || depth == 0
		case ";":
			if depth <= 0 {
				r.next++
				return false
			}
		case "{":
			if depth > 0 {
				if r.skipBraces(); r.next == len(r.tokens) {
					return false
				}
				break
			}
			if w := r.word(first); w == "namespace" || w == "inline" && r.word(first+1) == "namespace" ||
				w == "extern" && r.next == first+2 {
				r.next++
				return false
			}
			if r.skipBraces(); r.next == len(r.tokens) {
				return parentheses
			}
			if parentheses && !initialised && !aggregate.MatchString(start) {
				r.next++
				return true
			}
		case "}":
			return false // of the namespace around
		}
	}
	return false
}

// keyword is the word that a part begins with, behind template <…>.
func (r *reader) keyword() string {
	i := r.next
	if r.word(i) == "template" {
		depth := 0
		for i++; i < len(r.tokens); i++ {
			if r.word(i) == "<" {
				depth++
			} else if r.word(i) == ">" {
				depth--
			}
			if depth == 0 {
				i++
				break
			}
		}
	}
	for w := r.word(i); w == "static" || w == "const" || w == "extern"; w = r.word(i) {
		i++
	}
	return r.word(i)
}

// skipBraces goes from an opening brace to its closing one.
func (r *reader) skipBraces() {
	for depth := 0; r.next < len(r.tokens); r.next++ {
		switch r.word(r.next) {
		case "{":
			depth++
		case "}":
			if depth--; depth == 0 {
				return
			}
		}
	}
}
