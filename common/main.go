package common

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Main is the whole of an episode's main function: it reads the command line,
// runs the episode and exits with the status that the package documentation
// gives. source and committed are the texts of transpose.cu and transpose.ptx.
func Main(name, source, committed string, body func(*Episode)) {
	os.Exit(mainStatus(os.Args[1:], os.Stdout, os.Stderr, name, source, committed, body))
}

// options are the flags of an episode's program.
type options struct {
	n      int
	ptx    string // a file to run instead of the episode's own PTX
	record string // a file to write the measurements to, or ""
	deviceOptions
}

func mainStatus(args []string, stdout, stderr io.Writer, name, source, committed string, body func(*Episode)) int {
	fail := func(err error) int {
		fmt.Fprintf(stderr, "%s: %v\n", name, err)
		return exitStatus(err)
	}
	o, err := parseFlags(args, name, stderr)
	if err == flag.ErrHelp {
		return 0
	}
	if err != nil {
		return fail(err)
	}
	files, err := choosePTX(o.ptx, source, committed)
	if err != nil {
		return fail(err)
	}
	report, file, err := run(name, o.n, files, body)
	var text bytes.Buffer
	report.write(&text, file.sourceText(source), o)
	if _, err := stdout.Write(text.Bytes()); err != nil {
		return fail(fmt.Errorf("the report could not be written: %w", err))
	}
	if err != nil {
		return fail(err)
	}
	if err := report.Err(); err != nil {
		return fail(err)
	}
	if o.record != "" {
		if err := report.writeRecord(o.record, file); err != nil {
			return fail(err)
		}
	}
	return 0
}

func parseFlags(args []string, name string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.IntVar(&o.n, "n", MaxN, "the matrices are `n` × n, from 1 to 4096; other sizes than 4096 are for checking the guards")
	f.StringVar(&o.ptx, "ptx", "", "run the PTX in `file` instead of the episode's own")
	f.StringVar(&o.record, "record", "", "write the measurements to `file` in the Go benchmark format")
	o.deviceOptions.define(f)
	err := f.Parse(args)
	if err == flag.ErrHelp {
		f.SetOutput(stderr)
		f.Usage()
		return o, err
	}
	switch {
	case err != nil:
		return o, fmt.Errorf("%w\nrun it with -h to see the flags", err)
	case f.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q\nrun it with -h to see the flags", f.Arg(0))
	case o.n < 1:
		return o, fmt.Errorf("-n %d: a matrix has at least one row\ngive a size from 1 to %d", o.n, MaxN)
	case o.n > MaxN:
		return o, fmt.Errorf("-n %d: float32 holds every integer only up to 2^24 = 4096², so a larger matrix would have equal elements and a misplaced one could pass\ngive a size from 1 to %d", o.n, MaxN)
	}
	return o, nil
}

// choosePTX returns the PTX to run: the file named by -ptx; else the one that
// make compiled and left beside the program; else the committed one. The last
// two must have been made from the transpose.cu that the program was built with.
// A second element is the PTX to run if the driver refuses the first.
func choosePTX(path, source, committed string) ([]ptxFile, error) {
	if path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("%w\ngive -ptx a file of PTX", err)
		}
		return []ptxFile{{path, string(text)}}, nil
	}
	file := ptxFile{"transpose.ptx", committed}
	if beside, ok := besideProgram(); ok {
		if !beside.madeFrom(source) {
			return nil, fmt.Errorf("%s was made from another transpose.cu than this program\nrun make for this episode again", beside.path)
		}
		if file.madeFrom(source) {
			return []ptxFile{beside, file}, nil
		}
		return []ptxFile{beside}, nil
	}
	if !file.madeFrom(source) {
		return nil, fmt.Errorf("transpose.cu has changed since transpose.ptx was made from it\nrun make for this episode, which compiles it, or get the old kernel back with git checkout transpose.cu")
	}
	return []ptxFile{file}, nil
}

// besideProgram returns the PTX that make left beside the running program, with
// .ptx after the program's name.
func besideProgram() (ptxFile, bool) {
	exe, err := os.Executable()
	if err != nil {
		return ptxFile{}, false
	}
	text, err := os.ReadFile(exe + ".ptx")
	return ptxFile{filepath.Base(exe) + ".ptx", string(text)}, err == nil
}
