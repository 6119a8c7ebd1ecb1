// Package compile makes PTX of CUDA C with the compiler that this machine has:
// nvcc where there is one, so that a reader runs what the toolkit makes, else
// clang, which needs no CUDA toolkit.
//
// nvcc knows names and headers that clang does not; the folder include offers
// those that a kernel uses, in this project's own words. The host part of a
// program (main, its timer, its error checks) has no part in the PTX. What of it
// does not compile with these headers is taken out, see host.go.
package compile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"transpose/common/machine"
)

// A Source is the text of a .cu.
type Source struct {
	Name   string // of the file, as its user names it; line numbers in PTX have the last part
	Text   string
	Dir    string  // the folder, by its absolute path, where #include "…" looks, or ""
	Before *Source // compiled ahead of it into the same PTX, where its macros do not reach; or nil
}

// Read returns the source in a file.
func Read(file string) (Source, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return Source{}, err
	}
	abs, err := filepath.Abs(file)
	return Source{Name: file, Text: string(text), Dir: filepath.Dir(abs)}, err
}

// An Error is a source that does not compile.
type Error struct {
	Name     string // of the file
	Compiler string
	Output   string // the first few lines that the compiler said, at places in the reader's files
}

// Error is what the compiler said, and which one it was.
func (e *Error) Error() string {
	return fmt.Sprintf("%s does not compile, says %s:\n%s", e.Name, e.Compiler, e.Output)
}

// ErrNoCompiler is for a source that had to be compiled where nothing can.
var ErrNoCompiler = errors.New("no compiler for it is here")

// A Compiler compiles on one machine.
type Compiler struct {
	Machine *machine.Machine
	Cache   string            // a folder that keeps what was compiled; "" for none
	Warn    func(text string) // is told what a compiler warns of, and why one was passed over
	Doing   func(text string) // is told what takes a while; nil where nobody waits
}

// doing tells that a compiler starts.
func (c *Compiler) doing(src Source, with string) {
	if c.Doing != nil {
		c.Doing(fmt.Sprintf("compiling %s with %s", src.Name, with))
	}
}

// Here is the compiler of the machine that the program runs on. It keeps what it
// compiles in the user's cache folder, if there is one.
func Here(warn func(text string)) *Compiler {
	c := &Compiler{Machine: machine.Here(), Warn: warn}
	if dir, err := os.UserCacheDir(); err == nil {
		c.Cache = filepath.Join(dir, "transpose-ptx")
	}
	return c
}

// Best returns the PTX of src that a reader should run: what nvcc makes where it is
// here and works; else committed, where that was made from src; else what clang
// makes. committed is "" where there is none that src could have been made into.
func (c *Compiler) Best(src Source, committed string) (text string, err error) {
	trouble := ""
	if nvcc := c.Machine.NVCC(); nvcc != "" {
		text, err := c.nvcc(nvcc, src)
		var own *nvccTrouble
		if !errors.As(err, &own) {
			return text, err
		}
		trouble = own.Error()
	}
	if MadeFrom(committed, src.Text) {
		if trouble != "" {
			c.Warn(trouble + "; the committed transpose.ptx runs instead")
		}
		return committed, nil
	}
	why := src.Name + " was edited"
	if committed == "" {
		why = src.Name + " has to be compiled"
	}
	text, cached := c.cachedByClang(src)
	var clang *machine.Clang
	if !cached {
		clang = c.Machine.Clang(0)
	}
	switch {
	case !cached && clang == nil && trouble != "":
		return "", fmt.Errorf("%s; %s, and %w", trouble, why, ErrNoCompiler)
	case !cached && clang == nil:
		return "", fmt.Errorf("%s, and %w", why, ErrNoCompiler)
	case trouble != "":
		c.Warn(trouble + "; clang compiles instead")
	}
	if cached {
		return text, nil
	}
	text, err = c.Clang(clang, src)
	if err == nil {
		c.keep(c.key(src, clang.Path, headersSum()), text)
	}
	return text, err
}

// With returns what one compiler makes of a source: nvcc, or a clang, by its name or
// path.
func (c *Compiler) With(command string, src Source) (string, error) {
	path := c.Machine.LookPath(command)
	switch {
	case path == "":
		return "", fmt.Errorf("no %s is here", command)
	case strings.Contains(filepath.Base(path), "nvcc"):
		return c.nvcc(path, src)
	}
	ptx, warnings, err := PTX(path, src)
	if warnings != "" {
		c.Warn(warnings)
	}
	return Header(src, command) + string(ptx), err
}

// Clang returns what a clang makes of a source, behind a header of ours.
func (c *Compiler) Clang(clang *machine.Clang, src Source) (string, error) {
	c.doing(src, "clang "+clang.Version)
	ptx, warnings, err := PTX(clang.Path, src)
	if refused := (*Error)(nil); errors.As(err, &refused) {
		refused.Compiler = "clang " + clang.Version
	}
	if err != nil {
		return "", err
	}
	if warnings != "" {
		c.Warn(warnings)
	}
	return Header(src, "clang "+clang.Version) + string(ptx), nil
}

// cachedByClang returns what a clang of this machine made of the source before. To
// find out what a clang is takes two runs of it, so those that are here are not
// asked.
func (c *Compiler) cachedByClang(src Source) (text string, ok bool) {
	sum := headersSum()
	for _, path := range c.Machine.ClangPaths() {
		if text, ok := c.cached(c.key(src, path, sum)); ok {
			return text, true
		}
	}
	return "", false
}
