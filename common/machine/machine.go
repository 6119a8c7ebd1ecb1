// Package machine finds what a machine has of what the series can use: an NVIDIA
// GPU with its driver, the parts of a CUDA toolkit, compilers. It looks at files
// and variables and starts a program only where nothing else tells.
package machine

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A Machine is a computer to look at.
type Machine struct {
	OS        string // as runtime.GOOS
	Root      string // the folder that stands for /, "" for / itself
	LookupEnv func(name string) (value string, set bool)
	// Run runs a command to its end and returns what it printed, on standard
	// output and error together.
	Run func(name string, args ...string) (output string, err error)
}

// Here is the machine that the program runs on. Where MACHINE_ROOT names a folder,
// that stands for its /, so that a GPU can be made up for a test.
func Here() *Machine {
	return &Machine{OS: runtime.GOOS, Root: os.Getenv("MACHINE_ROOT"), LookupEnv: os.LookupEnv, Run: run}
}

func run(name string, args ...string) (string, error) {
	out, err := exec.Command(name, args...).CombinedOutput()
	return string(out), err
}

func (m *Machine) getenv(name string) string {
	value, _ := m.LookupEnv(name)
	return value
}

// LookPath returns the path of a command on PATH, or "".
func (m *Machine) LookPath(name string) string {
	if name == "" {
		return ""
	}
	if strings.ContainsRune(name, filepath.Separator) {
		if m.isProgram(name) {
			return name
		}
		return ""
	}
	for _, dir := range filepath.SplitList(m.getenv("PATH")) {
		path := filepath.Join(dir, name)
		if m.OS == "windows" {
			path += ".exe"
		}
		if filepath.IsAbs(path) && m.isProgram(path) {
			return path
		}
	}
	return ""
}

func (m *Machine) isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (m.OS == "windows" || info.Mode()&0o111 != 0)
}

// glob returns the paths below the machine's / that match a pattern, the last in
// the alphabet first: of several versions of one thing the newest.
func (m *Machine) glob(pattern string) []string {
	paths, _ := filepath.Glob(m.Root + pattern) // fails on a malformed pattern only
	slices.Reverse(paths)
	return paths
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
