package machine

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// OldestClang is the first major version of clang that compiles the kernels.
const OldestClang = 14

// newestClang is the last major version that is looked for under its own name.
const newestClang = 30

// A Clang is a clang that makes PTX.
type Clang struct {
	Path    string
	Version string // such as 19.1.7
	Major   int
}

// Clang returns the first clang on this machine that can make PTX, or, where major
// is not 0, the first of that major version; nil if there is none.
func (m *Machine) Clang(major int) *Clang {
	for _, path := range m.ClangPaths() {
		if c := m.tryClang(path); c != nil && (major == 0 || c.Major == major) {
			return c
		}
	}
	return nil
}

// ClangPaths returns the programs that may be a clang: the commands clang and that
// of the version which makes the committed PTX, the rest on PATH, newest first, then
// where LLVM is put.
func (m *Machine) ClangPaths() (paths []string) {
	for _, name := range m.clangs() {
		if path := m.LookPath(name); path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

func (m *Machine) clangs() []string {
	names := []string{"clang", "clang-19"}
	for v := newestClang; v >= OldestClang; v-- {
		names = append(names, fmt.Sprintf("clang-%d", v))
	}
	for _, pattern := range []string{"/usr/lib/llvm-*/bin/clang", "/usr/lib64/llvm*/bin/clang", "/opt/homebrew/opt/llvm*/bin/clang", "/usr/local/opt/llvm*/bin/clang"} {
		names = append(names, m.glob(pattern)...)
	}
	if m.OS == "windows" {
		names = append(names, `C:\Program Files\LLVM\bin\clang.exe`)
	}
	return names
}

var clangVersion = regexp.MustCompile(`(?m)^(.*)clang version (([0-9]+)[0-9.]*)`)

// tryClang asks a clang for its version and targets. Apple's cannot make PTX, and
// its version numbers are of another kind.
func (m *Machine) tryClang(path string) *Clang {
	text, err := m.Run(path, "--version")
	v := clangVersion.FindStringSubmatch(text)
	if err != nil || v == nil || strings.Contains(v[1], "Apple") {
		return nil
	}
	major, err := strconv.Atoi(v[3])
	if err != nil || major < OldestClang {
		return nil
	}
	targets, err := m.Run(path, "--print-targets")
	if err != nil || !strings.Contains(targets, "nvptx64") {
		return nil
	}
	return &Clang{Path: path, Version: v[2], Major: major}
}
