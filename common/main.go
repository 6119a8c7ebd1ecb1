package common

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"transpose/common/compile"
	"transpose/common/internal/columns"
	"transpose/common/internal/terminal"
)

// Main is the whole of an episode's main function: it reads the command line,
// compiles the kernel if it was edited, runs the episode and exits with the status
// that the package documentation gives. source and committed are the texts of
// transpose.cu and transpose.ptx.
func Main(name, source, committed string, body func(*Episode)) {
	status := terminal.NewStatus(os.Stderr)
	warn := func(text string) {
		status.Clear()
		fmt.Fprintln(os.Stderr, strings.TrimSpace(text))
	}
	compiler := compile.Here(warn)
	compiler.Doing = func(text string) { status.Say("%s", text) }
	p := &Program{Name: name, Source: source, Committed: committed, Body: body, Compiler: compiler, status: status}
	os.Exit(p.Run(os.Args[1:], os.Stdout, os.Stderr))
}

// A Program is what an episode's main hands to [Main].
type Program struct {
	Name              string // such as ep02-coalescing
	Source, Committed string // the texts of transpose.cu and transpose.ptx
	Body              func(*Episode)
	Compiler          *compile.Compiler // for a kernel that was edited

	status *terminal.Status // what goes on; nil where nobody waits
}

// options are the flags of an episode's program.
type options struct {
	n      int
	cu     string // a file with the kernel to judge instead of transpose.cu
	kernel string // the only kernel to run, with the copy that is its ceiling
	ptx    string // a file to run instead of compiling
	ptxOut string // a file to write the PTX to that ran, or ""
	record string // a file to write the measurements to, or ""
	trace  string // a file to write the trace to, or ""; only a program that counts has one
	deviceOptions
}

// Run runs the program with the arguments of a command line and returns its exit
// status.
func (p *Program) Run(args []string, stdout, stderr io.Writer) int {
	fail := func(err error) int {
		text := fmt.Sprintf("%s: %v", p.Name, err)
		if !errors.As(err, new(*compile.Error)) { // which quotes code
			text = columns.Fold(text)
		}
		fmt.Fprintln(stderr, text)
		return ExitStatus(err)
	}
	o, err := parseFlags(args, p.Name, stderr)
	switch {
	case err == flag.ErrHelp:
		return 0
	case err == nil && o.n > largestN && o.timed():
		fmt.Fprintf(stdout, "\nnot counted: n = %d: %s\n", o.n, tooLarge(o.n))
		return 0
	case err == nil && o.n > largestN:
		err = fmt.Errorf("-n %d: %s\ngive a size from 1 to %d", o.n, tooLarge(o.n), largestN)
	}
	if err != nil {
		return fail(err)
	}
	report, file, err := p.judge(o, stdout)
	if o.trace != "" {
		if err := p.writeTrace(o, report, file, err); err != nil {
			return fail(err)
		}
	}
	if err != nil {
		return fail(err)
	}
	return 0
}

// judge runs the episode with the flags of a command line, and writes the report and
// the files that they ask for. The error is what stopped it, or a wrong output.
func (p *Program) judge(o options, stdout io.Writer) (*Report, ptxFile, error) {
	files, err := p.choosePTX(o)
	p.status.Clear()
	if err != nil {
		return nil, ptxFile{}, err
	}
	report, file, err := p.runEpisode(o, files)
	p.status.Clear()
	var text bytes.Buffer
	report.write(&text, file.cu, o)
	if _, err := stdout.Write(text.Bytes()); err != nil {
		return report, file, fmt.Errorf("the report could not be written: %w", err)
	}
	if o.ptxOut != "" {
		if err := os.WriteFile(o.ptxOut, []byte(file.text), 0o644); err != nil {
			return report, file, fmt.Errorf("%w\ngive -ptx-out a file in a folder that exists and can be written", err)
		}
	}
	if err == nil {
		err = report.Err()
	}
	if err == nil && o.record != "" {
		err = report.writeRecord(o.record, file)
	}
	return report, file, err
}

func parseFlags(args []string, name string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.IntVar(&o.n, "n", SeriesN, fmt.Sprintf("the matrices are `n` × n, from 1 to %d; "+otherSizes, largestN))
	f.StringVar(&o.cu, "cu", "", "judge the kernel in `file` instead of transpose.cu; kernels that it lacks are the episode's")
	f.StringVar(&o.kernel, "k", "", "run this `kernel` alone, with the copy that is its ceiling")
	f.StringVar(&o.ptx, "ptx", "", "run the PTX in `file` instead of compiling")
	f.StringVar(&o.ptxOut, "ptx-out", "", "write the PTX that ran to `file`")
	f.StringVar(&o.record, "record", "", "write the measurements to `file` in the Go benchmark format")
	f.StringVar(&o.trace, "trace", "", "write verdict, counts and the requests of warps to `file`, as JSON; the program that counts does")
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
		return o, fmt.Errorf("-n %d: a matrix has at least one row\ngive a size from 1 to %d", o.n, largestN)
	}
	return o, nil
}
