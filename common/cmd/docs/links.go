package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
)

var (
	link  = regexp.MustCompile(`\]\(([^()\s]+)[^()]*\)|\b(?:src|href)="([^"]+)"`)
	fence = regexp.MustCompile("(?ms)^\\s*```.*?^\\s*```")
)

// deadLinks returns a line for each link of a Markdown text to a file that is
// not there, or to a heading that its file does not have. Other sites are not
// asked.
func deadLinks(path, text string) (dead []string) {
	// What stands in a code fence is no link; keep its lines for the count.
	text = fence.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
	for _, m := range link.FindAllStringSubmatchIndex(text, -1) {
		target := text[max(m[2], m[4]):max(m[3], m[5])]
		if strings.Contains(target, ":") { // http:, mailto:
			continue
		}
		if reason := resolve(path, text, target); reason != "" {
			dead = append(dead, fmt.Sprintf("%s:%d: dead link: %s: %s", path, 1+strings.Count(text[:m[0]], "\n"), target, reason))
		}
	}
	return dead
}

// resolve returns why a target of the document at path is not there, or "".
func resolve(path, text, target string) (reason string) {
	file, heading, _ := strings.Cut(target, "#")
	if file != "" {
		file = filepath.Join(filepath.Dir(path), filepath.FromSlash(file))
		if _, err := os.Stat(file); err != nil {
			return "no such file"
		}
		if heading == "" {
			return ""
		}
		other, err := os.ReadFile(file)
		if err != nil {
			return err.Error()
		}
		text = string(other)
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "#") && slug(line) == heading {
			return ""
		}
	}
	return "no such heading"
}

// slug is the anchor that GitHub gives to a heading.
func slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		default:
			return -1
		}
	}, strings.TrimSpace(strings.TrimLeft(heading, "#")))
}
