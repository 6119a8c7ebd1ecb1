package common

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"regexp"
	"strings"
)

// A ptxFile is the PTX that a run hands to the device, and what it says of
// itself.
type ptxFile struct {
	path string // as the report names it
	text string
}

// hashLine is the comment that ties a compiled PTX to the transpose.cu it was
// made from.
var hashLine = regexp.MustCompile(`(?m)^// transpose\.cu SHA-256: ([0-9a-f]{64})\s*$`)

// sourceHash returns the SHA-256 of the .cu that the PTX says it was made from,
// or "".
func (p ptxFile) sourceHash() string { return firstGroup(hashLine, p.text) }

// madeFrom reports whether the PTX says that it was made from source.
func (p ptxFile) madeFrom(source string) bool {
	sum := sha256.Sum256([]byte(source))
	return p.sourceHash() == hex.EncodeToString(sum[:])
}

// sourceText returns the text of the .cu that the PTX was made from, to quote its
// lines: source, the program's own, if the PTX says so, else the .cu of the same
// name beside the PTX, else nothing.
func (p ptxFile) sourceText(source string) string {
	if p.madeFrom(source) {
		return source
	}
	text, err := os.ReadFile(strings.TrimSuffix(p.path, ".ptx") + ".cu")
	if err != nil || p.sourceHash() != "" && !p.madeFrom(string(text)) {
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
