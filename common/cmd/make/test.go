package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// test runs the tests of every module of the workspace, but for what takes longest:
// that is for ARGS=-short=false.
func (t *tree) test(_ string, flags []string) error {
	if err := t.startsFromTemp(); err != nil {
		return err
	}
	sum, err := t.sum()
	if err != nil {
		return err
	}
	list, err := t.answer(func(t *tree) error { return t.goCommand(t.countSettings(), "list", "-m") })
	if err != nil {
		return err
	}
	args := append([]string{"test", "-short", "-vet=off"}, flags...) // .ci/run has go vet look at all of it
	for _, module := range strings.Fields(list) {
		args = append(args, module+"/...")
	}
	// go test keeps a result until a file of the test's own module changes. A test
	// that reads farther, the Makefile or another module, asks for this variable.
	settings := append(t.countSettings(), "TREE_SHA256="+sum)
	if slices.ContainsFunc(flags, func(flag string) bool { return strings.TrimLeft(flag, "-") == "race" }) {
		settings = append(settings, "CGO_ENABLED=1") // the race detector is C
	}
	return t.goCommand(settings, args...)
}

// sum is a hash of the tree's files.
func (t *tree) sum() (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(t.root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (path == t.build || path == t.path("vendor") || path != t.root && strings.HasPrefix(d.Name(), ".") && d.Name() != ".ci"):
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(h, "%q %x\n", t.short(path), sha256.Sum256(text))
		return err
	})
	return fmt.Sprintf("%x", h.Sum(nil)), err
}

// leftovers are what make leaves in the build folder, and then the folders that are
// empty without it. The reader may have named a folder that holds other things.
var leftovers = []string{
	"ep[0-9][0-9]", "ep[0-9][0-9].exe", "ep[0-9][0-9].ptx", "make", "make.exe", "chart", "chart.exe",
	"count/ep[0-9][0-9]", "count/ep[0-9][0-9].exe", "lib/libcuda.so", "ncu/ep[0-9][0-9].csv", "ncu/ep[0-9][0-9].txt",
	"exercises/ep[0-9][0-9]-*", "record/ep[0-9][0-9]*.txt", "record/*/ep[0-9][0-9]*.txt", "tools/docs*", "tools/grade*", "tools/ncu*", "tools/peers*", "tools/pictures*", "tools/see*", "tools/series*",
}

// clean removes what make has built, and nothing else that the folder holds.
func (t *tree) clean(string, []string) error {
	for _, pattern := range leftovers {
		if err := removeAll(t.build, pattern); err != nil {
			return err
		}
	}
	folders := []string{"count", "exercises", "lib", "ncu"}
	for _, n := range recordedSizes {
		folders = append(folders, filepath.Join("record", n))
	}
	for _, folder := range append(folders, "record", "tools", "") {
		os.Remove(t.built(folder)) // fails where it holds something
	}
	return nil
}
