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

// program builds an episode for the emulator and runs it, once for every set of
// flags. edit is "" or a folder of edited files, which the build takes instead of
// the episode's own.
func (c *commands) program(ep, edit string, flags ...string) (*result, error) {
	key := strings.Join(append([]string{ep, edit}, flags...), " ")
	if r := c.memory[key]; r != nil {
		return r, nil
	}
	path, err := c.build(ep, edit)
	if err != nil {
		return nil, err
	}
	record := fmt.Sprintf("%s-%d.txt", path, len(c.memory))
	r, err := execute(exec.Command(path, append(slices.Clone(flags), "-record", record)...))
	if err != nil {
		return nil, err
	}
	r.record = record
	c.memory[key] = r
	return r, nil
}

// rightProgram is program for an episode as it is, which must be right.
func (c *commands) rightProgram(ep string, flags ...string) (*result, error) {
	r, err := c.program(ep, "", flags...)
	if err == nil && r.status != 0 {
		err = fmt.Errorf("%s", r.stderr)
	}
	return r, err
}

// build returns the path of the program.
func (c *commands) build(ep, edit string) (string, error) {
	folder, err := c.episode(ep)
	if err != nil {
		return "", err
	}
	path := filepath.Join(c.folder, ep)
	args := []string{"build", "-ldflags=-s -w"} // no debug information: faster to link
	if edit != "" {
		path += "-" + filepath.Base(edit)
		overlay, err := c.overlay(path+".json", filepath.Join(c.root, folder), edit)
		if err != nil {
			return "", err
		}
		args = append(args, overlay)
	}
	if _, err := os.Stat(path); err == nil {
		return path, nil // built before
	}
	cmd := exec.Command("go", append(args, "-o", path, "transpose/"+folder)...)
	cmd.Dir = c.root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK="+filepath.Join(c.root, "common", "emulator", "go.work"))
	r, err := execute(cmd)
	if err == nil && r.status != 0 {
		err = fmt.Errorf("go build: %s", r.stderr)
	}
	return path, err
}

// overlay writes the file that makes go build see the edited files in the
// episode's folder, and returns the flag that names it.
func (c *commands) overlay(path, folder, edit string) (flag string, err error) {
	files, err := filepath.Glob(filepath.Join(edit, "*"))
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for _, file := range files {
		replace[filepath.Join(folder, filepath.Base(file))] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	return "-overlay=" + path, os.WriteFile(path, text, 0o644)
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
