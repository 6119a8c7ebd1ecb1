package common

import (
	"os"
	"regexp"
	"slices"
	"strings"

	"transpose/common/compile"
)

// A ptxFile is the PTX that a run hands to the device, and what it says of
// itself.
type ptxFile struct {
	path string // as the report names it
	text string
	cu   sources
}

// sources returns the text of the .cu that a line of PTX names, to quote it, or ""
// where that is not known.
type sources func(file string) string

func noSource(string) string { return "" }

// besideText returns the text of the .cu of the same name beside the PTX, unless
// the PTX says that it was made from another.
func (p ptxFile) besideText() string {
	text, err := os.ReadFile(strings.TrimSuffix(p.path, ".ptx") + ".cu")
	if err != nil || compile.Hashed(p.text) && !compile.MadeFrom(p.text, string(text)) {
		return ""
	}
	return string(text)
}

var (
	versionLine = regexp.MustCompile(`(?m)^\s*\.version\s+([0-9.]+)`)
	targetLine  = regexp.MustCompile(`(?m)^\s*\.target\s+(\w+)`)
	entryLine   = regexp.MustCompile(`(?m)\.entry\s+([\w$]+)`)
	clangLine   = regexp.MustCompile(`(?m)^// Compiler: (.+?)\s*$`)
	nvccLine    = regexp.MustCompile(`(?m)^// Cuda compilation tools, release [0-9.]+, V([0-9.]+)`)
)

func (p ptxFile) version() string { return firstGroup(versionLine, p.text) }
func (p ptxFile) target() string  { return firstGroup(targetLine, p.text) }

// compiler names what made the PTX, as far as its comments tell.
func (p ptxFile) compiler() string {
	if v := firstGroup(nvccLine, p.text); v != "" {
		return "nvcc " + v
	}
	if v := firstGroup(clangLine, p.text); v != "" {
		return v
	}
	return "an unnamed compiler"
}

// entries returns the names of the kernels, in the order of the file.
func (p ptxFile) entries() []string {
	var names []string
	for _, m := range entryLine.FindAllStringSubmatch(p.text, -1) {
		names = append(names, m[1])
	}
	return names
}

// missing returns the first kernel of a transpose.cu that the PTX does not have, or
// "".
func (p ptxFile) missing(source string) string {
	has := p.entries()
	for _, k := range compile.Kernels(source) {
		if !slices.Contains(has, k.Name) {
			return k.Name
		}
	}
	return ""
}

// String describes the PTX in one line of a report. A file without a version is no
// PTX, and says nothing of itself.
func (p ptxFile) String() string {
	if p.version() == "" {
		return p.path
	}
	return strings.Join([]string{p.path + " by " + p.compiler(), p.target(), ".version " + p.version()}, ", ")
}

func firstGroup(re *regexp.Regexp, s string) string {
	if m := re.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}
