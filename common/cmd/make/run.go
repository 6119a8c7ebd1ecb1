package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"transpose/common/internal/terminal"
	"transpose/common/machine"
)

// A failure ends make with a status. Where a program has said what is wrong, the
// text is empty.
type failure struct {
	status int
	text   string
}

func (f *failure) Error() string { return f.text }

func failed(status int, format string, args ...any) error {
	return &failure{status, fmt.Sprintf(format, args...)}
}

// statusOf is 2 for an error that says no other.
func statusOf(err error) int {
	var f *failure
	switch {
	case err == nil:
		return 0
	case errors.As(err, &f):
		return f.status
	}
	return 2
}

// countSettings choose the emulator: pure Go, no C compiler.
func (t *tree) countSettings() []string {
	return t.settings("go.work", "0", "-buildvcs=false")
}

// settings are all that the go command must not take from the shell. GOFLAGS is
// never empty, or go would take what go env -w has set. There is no version stamp:
// git refuses to give one in a checkout that belongs to another user.
func (t *tree) settings(work, cgo, flags string) []string {
	return []string{"GOWORK=" + t.path(filepath.FromSlash(work)), "CGO_ENABLED=" + cgo, "GOFLAGS=" + flags,
		"GO111MODULE=on", "GOOS=" + runtime.GOOS, "GOARCH=" + runtime.GOARCH}
}

// timeSettings choose the NVIDIA driver. The linker gets the very library that the
// program will load, by a link under the name it looks for, as not every driver
// comes with one; a toolkit's stubs folder is never named. An rpath is needed only
// where the loader does not look by itself.
func (t *tree) timeSettings(m machine.Timing) ([]string, error) {
	if err := t.makeFolder("lib"); err != nil {
		return nil, err
	}
	link := t.built("lib", "libcuda.so")
	os.Remove(link)
	if err := os.Symlink(m.Libcuda, link); err != nil {
		return nil, t.cannotWrite()
	}
	cflags := fmt.Sprintf(`"-I%s" "-I%s" %s`, t.path("common", "cuda", "include"), m.Include, t.getenv("CGO_CFLAGS"))
	ldflags := fmt.Sprintf(`"-L%s"`, t.built("lib"))
	if m.RPath != "" {
		ldflags += fmt.Sprintf(` "-Wl,-rpath,%s"`, m.RPath)
	}
	return append(t.settings("common/cuda/go.work", "1", "-buildvcs=false -tags=cuda"),
		"CC="+m.CC, "CGO_CFLAGS="+cflags, "CGO_LDFLAGS="+ldflags+" "+t.getenv("CGO_LDFLAGS")), nil
}

// timing looks for all that timing needs. Only go knows which C compiler it would
// take.
func (t *tree) timing() machine.Timing {
	cc := ""
	if t.machine.HasGPU() {
		silent := *t
		silent.stderr = io.Discard
		cc, _ = silent.answer(func(t *tree) error { return t.goCommand(t.countSettings(), "env", "CC") })
	}
	return t.machine.Timing(cc)
}

// goBuild builds a package of the workspace that the settings choose. Where it does
// not build there is no old program either, which would answer for another kernel.
func (t *tree) goBuild(settings []string, out, pkg string) error {
	status := terminal.NewStatus(t.stderr)
	status.Say("building %s", t.short(out))
	waiting := *t
	if status != nil {
		waiting.stderr = status
	}
	err := waiting.goCommand(settings, "build", "-o", out, pkg)
	status.Clear()
	if err != nil {
		os.Remove(out)
		return failed(2, "%v", err) // go says 1, which of a program is a wrong result
	}
	return nil
}

// goCommand runs go in the tree.
func (t *tree) goCommand(settings []string, args ...string) error {
	return t.command(t.root, settings, "go", args...)
}

// run runs a program that was built, where the reader is.
func (t *tree) run(path string, args ...string) error {
	return t.command(t.dir, nil, path, args...)
}

// command runs a program to its end; it shares this one's input and output.
func (t *tree) command(dir string, settings []string, name string, args ...string) error {
	path := name
	if !filepath.IsAbs(name) {
		if path = t.machine.LookPath(name); path == "" {
			return failed(2, "no %s command here", name)
		}
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = append(append(t.environ[:len(t.environ):len(t.environ)], "PWD="+dir), settings...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = t.stdin, t.stdout, t.stderr
	return t.ended(path, cmd.Run())
}

// ended turns the end of a program into a failure. It has told of it itself, unless
// it could not be started or was killed.
func (t *tree) ended(path string, err error) error {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exit):
		if ended, ok := exit.Sys().(syscall.WaitStatus); ok && ended.Signaled() {
			text := fmt.Sprintf("%s was ended: %v", filepath.Base(path), exit)
			if ended.Signal() == syscall.SIGINT { // Ctrl-C needs no comment
				text = ""
			}
			return &failure{128 + int(ended.Signal()), text}
		}
		return failed(exit.ExitCode(), "")
	case errors.Is(err, fs.ErrPermission) && strings.HasPrefix(path, t.build):
		return failed(2, "%s may not be started: its folder may be mounted noexec\ngive make another one: BUILD=/some/folder", t.short(path))
	}
	return failed(2, "%s could not be started: %v", filepath.Base(path), err)
}

// tool builds a command of common/cmd and runs it in the tree's root.
func (t *tree) tool(name string, args ...string) error {
	return t.toolIn(t.root, name, args...)
}

func (t *tree) toolIn(dir, name string, args ...string) error {
	out := t.program("tools", name)
	if err := t.makeFolder("tools"); err != nil {
		return err
	}
	if err := t.goBuild(t.countSettings(), out, "transpose/common/cmd/"+name); err != nil {
		return err
	}
	return t.command(dir, t.countSettings(), out, args...)
}

// quiet returns what do prints; it is shown only where that fails.
func (t *tree) quiet(do func(*tree) error) (output string, err error) {
	var b bytes.Buffer
	silent := *t
	silent.stdout, silent.stderr = &b, &b
	if err := do(&silent); err != nil {
		_, _ = t.stderr.Write(b.Bytes())
		return "", err
	}
	return b.String(), nil
}

// answer is quiet for what do prints on standard output alone, a few words: go may
// say on the other that it downloads something.
func (t *tree) answer(do func(*tree) error) (words string, err error) {
	var b bytes.Buffer
	_, err = t.quiet(func(t *tree) error {
		asked := *t
		asked.stdout = &b
		return do(&asked)
	})
	return strings.TrimSpace(b.String()), err
}

// startsFromTemp holds that what go test and make docs build in temporary folders
// can be started there.
func (t *tree) startsFromTemp() error {
	for _, name := range []string{"GOTMPDIR", "TMPDIR"} {
		dir := t.getenv(name)
		if dir == "" && name == "TMPDIR" {
			dir = os.TempDir()
		}
		if dir != "" && runtime.GOOS != "windows" && !starts(dir) {
			return failed(2, "nothing that is built in %s may be started: it may be mounted noexec\nset %s to another folder", dir, name)
		}
	}
	return nil
}

// starts reports whether a program in dir can be started, as far as that can be
// tried.
func starts(dir string) bool {
	f, err := os.CreateTemp(dir, "starts*.sh")
	if err != nil {
		return true // the one who needs it says it better
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString("#!/bin/sh\n")
	if closing := f.Close(); err != nil || closing != nil || os.Chmod(f.Name(), 0o700) != nil {
		return true
	}
	return !errors.Is(exec.Command(f.Name()).Run(), fs.ErrPermission)
}
