// Package episode finds an episode's folder and builds its program, for the tools that
// run it as a reader would.
package episode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Find returns the root of the checkout that the current folder is in, and the name of
// the folder there of an episode, such as ep03 or ep03-shared.
func Find(name string) (root, folder string, err error) {
	root, err = os.Getwd()
	if err != nil {
		return "", "", err
	}
	for !exists(filepath.Join(root, "go.work")) {
		if filepath.Dir(root) == root {
			return "", "", errors.New("this folder is in no checkout of the series\ngo to one first")
		}
		root = filepath.Dir(root)
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return "", "", err
	}
	var numbers []string
	for _, e := range entries {
		if ok, _ := filepath.Match("ep[0-9][0-9]-*", e.Name()); !ok || !e.IsDir() {
			continue
		}
		number, _, _ := strings.Cut(e.Name(), "-")
		if number == name || e.Name() == strings.TrimSuffix(name, "/") {
			return root, e.Name(), nil
		}
		numbers = append(numbers, number)
	}
	return "", "", fmt.Errorf("there is no episode %s\nthere are %s", name, strings.Join(numbers, ", "))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Program is the name of the program that Build makes in a folder.
func Program(dir, folder string) string {
	path := filepath.Join(dir, folder)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	return path
}

// Settings choose the emulator, whatever the shell has set for go. GOFLAGS is not empty,
// or go would take what go env -w has set; there is no version stamp, which git may refuse.
func Settings(root string) []string {
	return append(os.Environ(), "GOWORK="+filepath.Join(root, "go.work"), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false", "GO111MODULE=on", "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
}

// Build builds the program of an episode's folder, which counts, to out. The error is
// what go says.
func Build(ctx context.Context, root, folder, out string) error {
	// Without debug information it links faster.
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, ".")
	cmd.Dir = filepath.Join(root, folder)
	cmd.Env = Settings(root)
	said, err := cmd.CombinedOutput()
	if text := bytes.TrimSpace(said); err != nil && len(text) > 0 {
		return errors.New(string(text))
	}
	return err
}
