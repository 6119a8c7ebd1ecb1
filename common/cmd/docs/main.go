// Docs keeps what stands in the repository's Markdown files true. Where a file
// says
//
//	<!-- docs: run ep02 -->
//	…
//	<!-- /docs -->
//
// what stands between the two marks is replaced by the output of the command, as
// a block of its own when the first mark ends its line, else as a few words
// within the line. With -check nothing is written: a stale block is named by
// file, line and command, and the exit status is 1; make docs mends it. A link to
// a file or heading that is not there is named too.
//
//	docs [-check] [-record FILE] [FILE.md …]
//
// Run it in the repository's root. Without a file it takes every Markdown file
// of the tree. The commands:
//
//	run EP [-n N]              what the counting program of the episode prints
//	count EP [-n N] KERNEL …   of that, the counts of these kernels
//	diff EP                    the new kernel against the one it replaces
//	break EP EDIT [-n N]       a reader's edit, and the answer it gets (see edits.go)
//	answer EP EDIT [-n N]      of that, the answer alone
//	timed EDIT[/N] KERNEL      GB/s of a kernel in an edit that make exercises timed, or how
//	                           many of its elements were wrong
//	times EP                   the table of times that the record has, and the bounds
//	series                     GB/s of each episode's new kernel at the sizes of the record
//	peers                      what make peers timed beside the series' last kernel
//	pieces EP [EDIT]           what consecutive blocks touch of in and out (see pieces.go)
//	ncu EP [KERNEL …]          the table that was recorded with Nsight Compute
//	waits [-odd] [KERNEL …]    how busy that found the parts of the GPU in each kernel
//	odd EP KERNEL              µs of a kernel at the odd n of make record, which -odd of
//	                           waits is of too
//	value EP KERNEL UNIT [D]   one number, with D decimals: ms, us, GB/s or of-copy of the
//	                           record; sectors/load, wavefronts/op and other units that a
//	                           record has for counts, by the emulator
//	value EP KERNEL over [EP] KERNEL [D]   how many times as fast as the other kernel
//	setting KEY                a setting of the record: card, date, driver, …
//
// EP is ep01, ep02, …, for figures of the record also ep01/8192, …, where it has that
// size besides the first. KERNEL is a kernel's name, memcpy for the driver's copy, or
// empty/128x128 where the grid matters.
package main

import (
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	check := flag.Bool("check", false, "write nothing, name what is stale")
	record := flag.String("record", "results/nvidia-h200.bench", "the `file` that GPU figures come from")
	flag.Parse()
	status, err := docs(os.Stdout, ".", *check, *record, "", flag.Args())
	if err != nil {
		fmt.Fprintf(os.Stderr, "docs: %v\n", err)
	}
	os.Exit(status)
}

// docs rewrites or checks the files and returns the exit status: 1 if a block is
// stale or a link leads nowhere, 2 for an error. left is a command whose blocks are left
// as they stand, or "".
func docs(w io.Writer, root string, check bool, record, left string, paths []string) (status int, err error) {
	c, err := newCommands(root, record, left)
	if err != nil {
		return 2, err
	}
	defer c.close()
	if len(paths) == 0 {
		if paths, err = markdownFiles(root); err != nil {
			return 2, err
		}
	}
	for _, path := range paths {
		old, err := os.ReadFile(path)
		if err != nil {
			return 2, err
		}
		text, stale, err := rewrite(path, string(old), c.output)
		if err != nil {
			return 2, err
		}
		if len(stale) > 0 && !check {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				return 2, err
			}
			fmt.Fprintf(w, "%s: %d rewritten\n", path, len(stale))
			stale = nil
		}
		for _, fault := range append(stale, deadLinks(path, text)...) {
			fmt.Fprintln(w, fault)
			status = 1
		}
	}
	return status, nil
}

// markdownFiles lists the Markdown files below root, but for what is built or
// hidden.
func markdownFiles(root string) (paths []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || path == filepath.Join(root, "build")):
			return filepath.SkipDir
		case filepath.Ext(path) == ".md":
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
}
