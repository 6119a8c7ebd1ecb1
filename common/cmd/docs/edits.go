package main

import (
	"fmt"
	"os"
	"path/filepath"

	"transpose/common/cmd/internal/diff"
)

// The edits are in testdata, in folders named after the episode and what a
// reader does to it: ep03-no-barrier holds the whole edited transpose.cu and the
// PTX that make ptx made of it, ep02-block-16x16 an edited main.go.

// breakIt shows what an edit changes and what it leads to: what the program says
// when it fails, else the counts of the kernels whose counts have changed.
func (c *commands) breakIt(args []string) ([]output, error) {
	ep, flags := args[0], args[2:]
	folder := filepath.Join(c.root, "common", "cmd", "docs", "testdata", ep+"-"+args[1])
	changes, err := c.changes(ep, folder)
	if err != nil {
		return nil, err
	}
	after, err := c.program(ep, folder, flags...)
	if err != nil {
		return nil, err
	}
	var answer string
	if after.status == 0 {
		before, err := c.rightProgram(ep, flags...)
		if err != nil {
			return nil, err
		}
		answer = changedCounts(before.counts(), after.counts())
	} else {
		answer = fmt.Sprintf("%sexit status %d\n", after.stderr, after.status)
	}
	return []output{{changes, "diff"}, {answer, "text"}}, nil
}

// changes lists the changed lines of the files in an edit's folder.
func (c *commands) changes(ep, folder string) (string, error) {
	episode, err := c.episode(ep)
	if err != nil {
		return "", err
	}
	text := ""
	for _, name := range []string{"transpose.cu", "main.go"} {
		edited, err := os.ReadFile(filepath.Join(folder, name))
		if os.IsNotExist(err) {
			continue
		} else if err != nil {
			return "", err
		}
		source, err := os.ReadFile(filepath.Join(c.root, episode, name))
		if err != nil {
			return "", err
		}
		text += diff.Near(string(source), string(edited), 0)
	}
	if text == "" {
		return "", fmt.Errorf("no such edit: nothing is changed in %s", folder)
	}
	return text, nil
}
