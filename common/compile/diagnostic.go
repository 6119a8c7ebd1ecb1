package compile

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A diagnostic is one message of clang's with the lines that belong to it.
type diagnostic struct {
	file      string
	line, col int
	kind      string // error, fatal error, warning or note
	message   string
	text      string // all its lines
}

var diagnosticLine = regexp.MustCompile(`^(.*?):(\d+):(\d+): (fatal error|error|warning|note): (.*)$`)

// parse takes clang's output apart. Lines before the first message, and those
// that say through which headers a file came, are left out.
func parse(output string) []diagnostic {
	var all []diagnostic
	for _, line := range strings.SplitAfter(output, "\n") {
		m := diagnosticLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		switch {
		case m != nil:
			row, _ := strconv.Atoi(m[2])
			col, _ := strconv.Atoi(m[3])
			all = append(all, diagnostic{m[1], row, col, m[4], m[5], line})
		case strings.HasPrefix(line, "In file included from "), strings.Contains(line, " generated when compiling for "):
		case len(all) > 0:
			all[len(all)-1].text += line
		}
	}
	return all
}

// own reports whether a file is the reader's, not a header of include or of clang.
func (c *compilation) own(file string) bool {
	return filepath.IsAbs(file) && !strings.HasPrefix(file, c.include()) &&
		!strings.Contains(filepath.ToSlash(file), "/lib/clang/")
}

// shown is what a reader gets of the messages of a kind: the first few at places
// in the reader's own files, each with its notes there. A message at a place in
// another file is moved to the place of the reader's that led there.
func (c *compilation) shown(all []diagnostic, kind string) string {
	const most = 5
	var b strings.Builder
	count := 0
	moved := map[string]bool{} // places that have their message: the rest follows from it
	for i, d := range all {
		if !strings.HasSuffix(d.kind, kind) {
			continue
		}
		notes := all[i+1:]
		for j, n := range notes {
			if n.kind != "note" {
				notes = notes[:j]
				break
			}
		}
		if c.own(d.file) {
			for _, n := range notes {
				if c.own(n.file) {
					d.text += n.text
				}
			}
		} else {
			d = c.moved(d, notes)
			place := fmt.Sprint(d.file, d.line, d.col)
			if d.text == "" || moved[place] {
				continue
			}
			moved[place] = true
		}
		if count++; count <= most {
			b.WriteString(c.short(d.text))
		}
	}
	if count > most {
		fmt.Fprintf(&b, "and %d more %ss\n", count-most, kind)
	}
	return b.String()
}

// assertion is what clang puts before a static_assert's own words.
var assertion = regexp.MustCompile(`^static(_assert| assertion) failed( due to requirement '.*')?:? `)

// moved is the message at the place of the first of its notes in the reader's
// own files, or nothing.
func (c *compilation) moved(d diagnostic, notes []diagnostic) diagnostic {
	for _, n := range notes {
		if c.own(n.file) {
			_, excerpt, _ := strings.Cut(n.text, "\n")
			message := strings.Trim(assertion.ReplaceAllString(d.message, ""), `"`)
			n.text = fmt.Sprintf("%s:%d:%d: %s: %s\n%s", n.file, n.line, n.col, d.kind, message, excerpt)
			return n
		}
	}
	return diagnostic{}
}

// short gives the reader's files back the names that their user gave.
func (c *compilation) short(text string) string {
	text = strings.ReplaceAll(text, c.abs, c.file)
	text = strings.ReplaceAll(text, c.folderBefore()+string(filepath.Separator), "")
	folder := filepath.Dir(c.file)
	if folder == "." {
		return strings.ReplaceAll(text, filepath.Dir(c.abs)+string(filepath.Separator), "")
	}
	return strings.ReplaceAll(text, filepath.Dir(c.abs), folder)
}
