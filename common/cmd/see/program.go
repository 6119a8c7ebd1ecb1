package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"transpose/common/cmd/internal/episode"
)

// A program is an episode's program, built to count, in a folder of its own.
type program struct {
	root, folder string
	temp         string // the folder of what is built and traced
	cu           string // the file that is judged
	kernel       string // the only one to run, or ""

	built snapshot // of the Go files that were built
}

func newProgram(o options) (*program, error) {
	root, folder, err := episode.Find(o.episode)
	if err != nil {
		return nil, err
	}
	p := &program{root: root, folder: folder, kernel: o.kernel, cu: filepath.Join(root, folder, "transpose.cu")}
	if o.cu != "" {
		if p.cu, err = filepath.Abs(o.cu); err != nil {
			return nil, err
		}
		if info, err := os.Stat(p.cu); err != nil || info.IsDir() {
			return nil, fmt.Errorf("%s cannot be read\ngive -cu a file of CUDA C", o.cu)
		}
	}
	if p.temp, err = os.MkdirTemp("", "see"); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *program) remove() { os.RemoveAll(p.temp) }

func (p *program) dir() string { return filepath.Join(p.root, p.folder) }

// trace builds the program, if its Go files have changed, runs it and returns the trace
// that it wrote: JSON, as package trace documents it. The error says in plain lines what
// kept it from writing one.
func (p *program) trace(ctx context.Context, n int) ([]byte, error) {
	if err := p.build(ctx); err != nil {
		return nil, err
	}
	out := filepath.Join(p.temp, "trace.json")
	os.Remove(out)
	// The file is judged as it is now, so that a save does not take a build.
	args := []string{"-n", fmt.Sprint(n), "-cu", filepath.Base(p.cu), "-trace", out}
	if p.kernel != "" {
		args = append(args, "-k", p.kernel)
	}
	said, err := p.command(ctx, filepath.Dir(p.cu), p.binary(), args...)
	text, readErr := os.ReadFile(out)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case readErr == nil && len(text) > 0:
		return text, nil // whatever the verdict is: the trace has it
	case err == nil:
		err = readErr
	}
	if said != "" {
		return nil, errors.New(said)
	}
	return nil, fmt.Errorf("%s wrote no trace: %w", p.folder, err)
}

func (p *program) binary() string { return episode.Program(p.temp, p.folder) }

// build builds the program with the emulator, unless it was built of the same files.
func (p *program) build(ctx context.Context) error {
	now := take(p.dir(), "*.go", "go.mod", "transpose.ptx")
	if p.built != nil && now.equal(p.built) {
		return nil
	}
	p.built = nil
	if err := episode.Build(ctx, p.root, p.folder, p.binary()); err != nil {
		return err
	}
	p.built = now
	return nil
}

// command runs a program in a folder and returns what it wrote to standard error. It is
// killed when ctx is done.
func (p *program) command(ctx context.Context, dir, name string, args ...string) (said string, err error) {
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = episode.Settings(p.root)
	cmd.Stderr = &stderr
	cmd.WaitDelay = time.Second // a compiler that it started may hold the pipe open
	err = cmd.Run()
	return strings.TrimSpace(stderr.String()), err
}

// A snapshot is the time and the size of each file, by its path.
type snapshot map[string][2]int64

// take looks at the files of a folder that match one of some patterns.
func take(folder string, patterns ...string) snapshot {
	s := snapshot{}
	for _, pattern := range patterns {
		entries, _ := os.ReadDir(folder) // a folder that is gone has no files
		for _, e := range entries {
			if ok, _ := filepath.Match(pattern, e.Name()); !ok || e.IsDir() {
				continue
			}
			path := filepath.Join(folder, e.Name())
			if info, err := os.Stat(path); err == nil {
				s[path] = [2]int64{info.ModTime().UnixNano(), info.Size()}
			}
		}
	}
	return s
}

func (s snapshot) equal(other snapshot) bool {
	if len(s) != len(other) {
		return false
	}
	for path, x := range s {
		if y, ok := other[path]; !ok || x != y {
			return false
		}
	}
	return true
}

// sources are the patterns of files that are watched: what a program is made of, and
// what a kernel may include.
var sources = []string{"*.go", "go.mod", "*.cu", "*.cuh", "*.h", "*.hpp", "*.inl", "*.ptx"}

// watched is a snapshot of all that the next run depends on.
func (p *program) watched() snapshot {
	s := take(p.dir(), sources...)
	if dir := filepath.Dir(p.cu); dir != p.dir() {
		for path, x := range take(dir, append(slices.Clone(sources), filepath.Base(p.cu))...) {
			s[path] = x
		}
	}
	return s
}
