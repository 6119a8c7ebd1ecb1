package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

const closing = "<!-- /docs -->"

var opening = regexp.MustCompile(`<!-- docs: (.+?) -->`)

// An output is what a command says: words, or a block in a code fence of a
// language.
type output struct{ text, language string }

// errLeft is for a command whose output is to be left as it stands.
var errLeft = errors.New("left as it stands")

// rewrite returns text with the output of each command between its marks, and a
// line for every command whose output was another one.
func rewrite(path, text string, run func(command string) ([]output, error)) (now string, stale []string, err error) {
	var b strings.Builder
	rest, line := text, 1
	// copyTo moves the first n bytes of rest over as they are.
	copyTo := func(n int) {
		line += strings.Count(rest[:n], "\n")
		b.WriteString(rest[:n])
		rest = rest[n:]
	}
	for {
		m := opening.FindStringSubmatchIndex(rest)
		if m == nil {
			break
		}
		command := rest[m[2]:m[3]]
		copyTo(m[1])
		block := strings.HasPrefix(rest, "\n")
		// CommonMark, "HTML blocks": a comment at the start of a line ends a paragraph.
		if before := b.String()[:b.Len()-(m[1]-m[0])]; !block && (before == "" || strings.HasSuffix(before, "\n")) {
			return "", nil, fmt.Errorf("%s:%d: docs: %s: a mark within a line cannot begin it", path, line, command)
		}
		end := strings.Index(rest, closing)
		if next := opening.FindStringIndex(rest); end < 0 || next != nil && next[0] < end {
			return "", nil, fmt.Errorf("%s:%d: docs: %s: no %s after it", path, line, command, closing)
		}
		outputs, err := run(command)
		want := ""
		switch {
		case errors.Is(err, errLeft):
			want, err = rest[:end], nil
		case err == nil:
			want, err = render(outputs, block)
		}
		if err != nil {
			return "", nil, fmt.Errorf("%s:%d: docs: %s: %w", path, line, command, err)
		}
		if rest[:end] != want {
			stale = append(stale, fmt.Sprintf("%s:%d: stale: %s", path, line, command))
		}
		b.WriteString(want)
		line += strings.Count(rest[:end], "\n")
		rest = rest[end:]
	}
	b.WriteString(rest)
	return b.String(), stale, nil
}

// render is what stands between the marks: code fences, or words.
func render(outputs []output, block bool) (string, error) {
	if !block {
		if len(outputs) != 1 || strings.Contains(outputs[0].text, "\n") {
			return "", fmt.Errorf("more than one line of output: put the marks on lines of their own")
		}
		return outputs[0].text, nil
	}
	s := "\n"
	for i, o := range outputs {
		if i > 0 {
			s += "\n"
		}
		s += "```" + o.language + "\n" + strings.Trim(o.text, "\n") + "\n```\n"
	}
	return s, nil
}
