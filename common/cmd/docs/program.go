package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A result is what a program answered.
type result struct {
	stdout, stderr string
	status         int
	record         string // the file of its measurements
}

// counts is the table of counts alone.
func (r *result) counts() string {
	const heading = "counted on the PTX"
	_, table, _ := strings.Cut(r.stdout, heading)
	return heading + table
}

// program builds an episode for the emulator and runs it on the committed PTX, once
// for every set of flags. edit is "" or a folder of edited files, which are taken
// instead of the episode's own.
func (c *commands) program(ep, edit string, flags ...string) (*result, error) {
	key := strings.Join(append([]string{ep, edit}, flags...), " ")
	if r := c.memory[key]; r != nil {
		return r, nil
	}
	folder, err := c.episode(ep)
	if err != nil {
		return nil, err
	}
	path, err := c.build(folder, edit)
	if err != nil {
		return nil, err
	}
	record := fmt.Sprintf("%s-%d.txt", path, len(c.memory))
	cmd := exec.Command(path, append(slices.Clone(flags), "-why", "no CUDA device here", "-record", record, "-ptx", "transpose.ptx")...)
	if cmd.Dir = filepath.Join(c.root, folder); edit != "" && exists(filepath.Join(edit, "transpose.ptx")) {
		cmd.Dir = edit
	}
	r, err := execute(cmd)
	if err != nil {
		return nil, err
	}
	r.record = record
	c.memory[key] = r
	return r, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// rightProgram is program for an episode as it is, which must be right.
func (c *commands) rightProgram(ep string, flags ...string) (*result, error) {
	r, err := c.program(ep, "", flags...)
	if err == nil && r.status != 0 {
		err = fmt.Errorf("%s", r.stderr)
	}
	return r, err
}

// build returns the path of the program. An edit of main.go makes another one.
func (c *commands) build(folder, edit string) (path string, err error) {
	path = filepath.Join(c.folder, folder)
	workspace := filepath.Join(c.root, "go.work")
	changed := edit != "" && exists(filepath.Join(edit, "main.go"))
	if changed {
		path = filepath.Join(c.folder, filepath.Base(edit))
	}
	if exists(path) {
		return path, nil // built before
	}
	if changed {
		if workspace, err = c.edited(path+"-edited", folder, edit); err != nil {
			return "", err
		}
	}
	// Without debug information it links faster.
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, "transpose/"+folder)
	cmd.Dir = filepath.Dir(workspace)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK="+workspace)
	r, err := execute(cmd)
	if err == nil && r.status != 0 {
		err = fmt.Errorf("go build: %s", r.stderr)
	}
	return path, err
}

// edited makes a copy of an episode's folder with the files of an edit in the
// place of the episode's own, and a workspace for it: the root's, with the
// copy instead of the episodes. It returns the path of the go.work. (The overlay
// of go build would do, but before Go 1.24 embedded files did not go through it.)
func (c *commands) edited(copied, folder, edit string) (workspace string, err error) {
	if err := os.Mkdir(copied, 0o755); err != nil {
		return "", err
	}
	for _, from := range []string{filepath.Join(c.root, folder), edit} {
		files, err := filepath.Glob(filepath.Join(from, "*.*"))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			if err := os.WriteFile(filepath.Join(copied, filepath.Base(file)), text, 0o644); err != nil {
				return "", err
			}
		}
	}
	common := filepath.Join(c.root, "common")
	emulator := filepath.Join(common, "emulator")
	goMod, err := os.ReadFile(filepath.Join(copied, "go.mod"))
	if err != nil {
		return "", err
	}
	goMod = []byte(strings.Replace(string(goMod), "=> ../common", "=> "+strconv.Quote(common), 1))
	if err := os.WriteFile(filepath.Join(copied, "go.mod"), goMod, 0o644); err != nil {
		return "", err
	}
	goWork, err := os.ReadFile(filepath.Join(c.root, "go.work"))
	if err != nil {
		return "", err
	}
	_, replaced, _ := strings.Cut(string(goWork), "\nreplace ")
	replaced, _, _ = strings.Cut(replaced, " =>")
	workspace = filepath.Join(copied, "go.work")
	return workspace, os.WriteFile(workspace, []byte(fmt.Sprintf("go 1.22.4\n\nuse (\n\t.\n\t%q\n\t%q\n)\n\nreplace %s => %q\n",
		common, emulator, replaced, emulator)), 0o644)
}

// execute runs a command to its end. A status that is not 0 is no error.
func execute(cmd *exec.Cmd) (*result, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	return &result{stdout: stdout.String(), stderr: stderr.String(), status: cmd.ProcessState.ExitCode()}, nil
}
