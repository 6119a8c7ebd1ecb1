package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	cmd := exec.Command(path, append(slices.Clone(flags), "-record", record, "-ptx", "transpose.ptx")...)
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
	// Without debug information it links faster.
	args := []string{"build", "-ldflags=-s -w"}
	if main := filepath.Join(edit, "main.go"); edit != "" && exists(main) {
		path = filepath.Join(c.folder, filepath.Base(edit))
		overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(c.root, folder, "main.go"): main}})
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(path+".json", overlay, 0o644); err != nil {
			return "", err
		}
		args = append(args, "-overlay", path+".json")
	}
	if exists(path) {
		return path, nil // built before
	}
	cmd := exec.Command("go", append(args, "-o", path, "transpose/"+folder)...)
	cmd.Dir = c.root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK="+filepath.Join(c.root, "go.work"))
	r, err := execute(cmd)
	if err == nil && r.status != 0 {
		err = fmt.Errorf("go build: %s", r.stderr)
	}
	return path, err
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
