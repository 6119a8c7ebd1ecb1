package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"transpose/common/machine"
)

// A tree is a checkout of the repository, and how to work in it.
type tree struct {
	root           string   // its folder
	dir            string   // where the reader is: programs run there
	build          string   // the folder for what is built
	records        string   // the folder for the records of a series, or ""
	environ        []string // variables, as of os.Environ
	machine        *machine.Machine
	stdin          io.Reader
	stdout, stderr io.Writer
}

// here is the tree that the current folder is in.
func here() (*tree, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	root := dir
	for !isTree(root) {
		if filepath.Dir(root) == root {
			return nil, failed(2, "%s is in no checkout of the series\ngo to one first", dir)
		}
		root = filepath.Dir(root)
	}
	return &tree{
		root: root, dir: dir, build: buildFolder(root, os.Getenv("BUILD")), environ: os.Environ(), machine: machine.Here(),
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
	}, nil
}

func isTree(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "common", "cmd", "make", "main.go"))
	return err == nil
}

// buildFolder is the folder that was chosen to build in, or the usual one.
func buildFolder(root, chosen string) string {
	switch {
	case chosen == "":
		return filepath.Join(root, "build")
	case filepath.IsAbs(chosen):
		return filepath.Clean(chosen)
	}
	return filepath.Join(root, chosen)
}

// folders lists the episodes' folders, in order.
func (t *tree) folders() (names []string) {
	paths, _ := glob(t.root, "ep[0-9][0-9]-*") // fails on a malformed pattern only
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			names = append(names, filepath.Base(path))
		}
	}
	return names
}

// numbers lists the episodes as ep01, ep02, ….
func (t *tree) numbers() (list []string) {
	for _, folder := range t.folders() {
		list = append(list, number(folder))
	}
	return list
}

// number is ep02 for ep02-coalescing.
func number(folder string) string {
	n, _, _ := strings.Cut(folder, "-")
	return n
}

// folder is ep02-coalescing for ep02, or "".
func (t *tree) folder(ep string) string {
	for _, folder := range t.folders() {
		if number(folder) == ep {
			return folder
		}
	}
	return ""
}

// glob returns the paths in a folder that match a pattern; the folder's own name may
// have any character.
func glob(folder, pattern string) ([]string, error) {
	paths, err := fs.Glob(os.DirFS(folder), pattern)
	for i, path := range paths {
		paths[i] = filepath.Join(folder, path)
	}
	return paths, err
}

func (t *tree) path(names ...string) string {
	return filepath.Join(append([]string{t.root}, names...)...)
}

// built is a path in the build folder, program one of a program there.
func (t *tree) built(names ...string) string {
	return filepath.Join(append([]string{t.build}, names...)...)
}

func (t *tree) program(names ...string) string {
	path := t.built(names...)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	return path
}

// makeFolder makes a folder of the build folder.
func (t *tree) makeFolder(names ...string) error {
	if err := os.MkdirAll(t.built(names...), 0o755); err != nil {
		return t.cannotWrite()
	}
	return nil
}

func (t *tree) cannotWrite() error {
	return failed(2, "cannot write to the folder %s\ngive make another one: BUILD=/some/folder", t.short(t.build))
}

// short is a path as a reader in the tree would type it.
func (t *tree) short(path string) string {
	if rel, err := filepath.Rel(t.root, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// getenv returns the value of a variable, or "".
func (t *tree) getenv(name string) string {
	value, _ := t.machine.LookupEnv(name)
	return value
}
