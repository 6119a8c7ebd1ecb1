package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const root = "../../.."

// fake writes a program that takes the place of Python and returns its path.
func fake(t *testing.T, text string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a script cannot be run as a program here")
	}
	path := filepath.Join(t.TempDir(), "python3")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPeers(t *testing.T) {
	for _, test := range []struct {
		name, python, want string
	}{
		{"no Python", filepath.Join(t.TempDir(), "python3"), "python3 here: the libraries are timed by Python with PyTorch\ninstall"},
		{"no PyTorch", fake(t, "echo \"ModuleNotFoundError: No module named 'torch'\" >&2; exit 1"), "has no PyTorch: ModuleNotFoundError: No module named 'torch'\ninstall it"},
		{"no GPU", fake(t, "exit 3"), "PyTorch finds no GPU: nothing can be timed here"},
		{"a failure", fake(t, "[ $1 = -c ] && exit 0; echo Traceback >&2; echo 'RuntimeError: the driver answered 218' >&2; exit 1"), "exit status 1\nRuntimeError: the driver answered 218"},
		{"no card", fake(t, "[ $1 = -c ] && exit 0; echo hello"), `printed "hello" first, and no card`},
	} {
		results := t.TempDir()
		var said strings.Builder
		if err := peers(&said, root, results, test.python, nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if files, _ := filepath.Glob(filepath.Join(results, "*")); len(files) > 0 {
			t.Errorf("%s: written: %s", test.name, files)
		}
	}
}

// TestWritten holds that what the script prints is kept under the card's name.
func TestWritten(t *testing.T) {
	python := fake(t, `[ $1 = -c ] && exit 0; echo "card: NVIDIA H200"; shift; echo "$@"`)
	results := t.TempDir()
	var said strings.Builder
	if err := peers(&said, root, results, python, []string{"64"}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(results, "nvidia-h200-peers.txt"))
	if want := regexp.MustCompile(`^card: NVIDIA H200\n\S+transpose\.ptx transpose_\w+ \d+ \d+ \d+ 64\n$`); err != nil || !want.Match(got) {
		t.Errorf("written %q, %v; want %s", got, err, want)
	}
	if !strings.Contains(said.String(), "written: ") {
		t.Errorf("it says %q", said.String())
	}
}

// TestScript holds that Python can read the script, where there is one.
func TestScript(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here")
	}
	cmd := exec.Command(python, "-c", "import sys; compile(sys.stdin.read(), 'peers.py', 'exec')")
	cmd.Stdin = strings.NewReader(script)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("peers.py: %v\n%s", err, out)
	}
}

// TestLastKernel holds that the last kernel and its launch are found.
func TestLastKernel(t *testing.T) {
	last, err := lastKernel(root)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Base(filepath.Dir(last[0])) == "ep06-wide" {
		if diff := cmp.Diff([]string{"transpose_wide", "64", "16", "32"}, last[1:]); diff != "" {
			t.Errorf("last kernel (-want +got):\n%s", diff)
		}
	}
	if _, err := lastKernel(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no episode here") {
		t.Errorf("in an empty folder: %v", err)
	}
}
