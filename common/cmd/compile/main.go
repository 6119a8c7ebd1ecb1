// Compile makes PTX of CUDA C with one compiler, as an episode's program does with the
// one it finds:
//
//	compile -with clang-16 -to FOLDER FILE.cu…
//
// FOLDER gets a file a kernel's file, of the same name, but for an episode's
// transpose.cu, whose PTX is named after the episode: ep02.ptx.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"transpose/common/compile"
	"transpose/common/machine"
)

func main() {
	with := flag.String("with", "clang", "the `compiler`: nvcc, or a clang, by its name or path")
	to := flag.String("to", ".", "the `folder` to write to")
	flag.Parse()
	for _, file := range flag.Args() {
		if err := run(*with, *to, file); err != nil {
			fmt.Fprintf(os.Stderr, "compile: %v\n", err)
			os.Exit(2)
		}
	}
}

func run(with, to, file string) error {
	src, err := compile.Read(file)
	if err != nil {
		return err
	}
	c := &compile.Compiler{Machine: machine.Here(), Warn: func(text string) { fmt.Fprintln(os.Stderr, strings.TrimSpace(text)) }}
	text, err := c.With(with, src)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, name(src)+".ptx"), []byte(text), 0o644)
}

// name is what the PTX of a source is called.
func name(src compile.Source) string {
	name := strings.TrimSuffix(filepath.Base(src.Name), ".cu")
	if name != "transpose" {
		return name
	}
	number, _, _ := strings.Cut(filepath.Base(src.Dir), "-")
	return number
}
