// Grade judges all kernels in a folder as an episode's program judges one, at several
// sizes, without a GPU.
//
//	go run ./common/cmd/grade ep03 submissions
//
// Every .cu in the folder and below it is a submission. It may hold the new kernel alone.
// Each is compiled, and run by the emulator at n = 33, 1001 and 4096, up to the first size
// at which it fails, with a limit on time and memory. No code of a submission runs on this
// machine: the compiler makes PTX of it, and the emulator interprets that.
//
// What came out is printed, a line a submission, and written to grades.jsonl and
// grades.csv: the verdict, and apart from it the counts. A run that was interrupted goes
// on where it stopped: what has been graded is in grades.jsonl, and is not run again as
// long as neither the submission nor the episode changes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// options are the flags and arguments.
type options struct {
	episode, folder string
	sizes           []int
	limits          limits
	jobs            int
	out             string // the folder of grades.jsonl and grades.csv
	pages           string // the folder of the pages, or ""
}

// limits are what one run of a submission may take.
type limits struct {
	time   time.Duration
	memory int64 // bytes, with those of a compiler that it starts
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case err == nil:
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "grade: interrupted: the same command goes on from here")
		os.Exit(130)
	default:
		fmt.Fprintf(os.Stderr, "grade: %v\n", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseFlags(args, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	found, err := submissions(o.folder, o.out, o.pages)
	if err != nil {
		return err
	}
	p, err := newProgram(ctx, o)
	if err != nil {
		return err
	}
	defer p.remove()
	return p.gradeAll(ctx, found, stdout, stderr)
}

func parseFlags(args []string, stdout io.Writer) (options, error) {
	o := options{}
	sizes, memory := "", ""
	f := flag.NewFlagSet("grade", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&sizes, "sizes", "33,1001,4096", "the `sizes` to run at, in this order")
	f.DurationVar(&o.limits.time, "time", 60*time.Second, "the `longest` that one run may take")
	f.StringVar(&memory, "memory", "2GiB", "the most `memory` that one run may take; watched on Linux alone")
	f.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "how `many` to run at a time")
	f.StringVar(&o.out, "o", ".", "the `folder` to write grades.jsonl and grades.csv to")
	f.StringVar(&o.pages, "pages", "", "write the page of each submission to this `folder`")
	err := f.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(stdout, "usage: grade [flags] ep03 folder")
		f.SetOutput(stdout)
		f.PrintDefaults()
		return o, err
	}
	if err != nil {
		return o, fmt.Errorf("%w\nrun it with -h to see the flags", err)
	}
	for _, s := range strings.Split(sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || n < 1 || n > 8192 {
			return o, fmt.Errorf("-sizes %s: %q is no size\ngive numbers from 1 to 8192, with commas between", sizes, s)
		}
		o.sizes = append(o.sizes, n)
	}
	if o.limits.memory, err = parseBytes(memory); err != nil {
		return o, err
	}
	switch {
	case f.NArg() != 2:
		return o, fmt.Errorf("give it an episode and a folder of submissions, such as: ep03 submissions")
	case o.jobs < 1:
		return o, fmt.Errorf("-jobs %d: at least one has to run", o.jobs)
	case o.limits.time <= 0:
		return o, fmt.Errorf("-time %v: give a time such as 60s", o.limits.time)
	}
	o.episode, o.folder = f.Arg(0), f.Arg(1)
	return o, nil
}

// parseBytes reads a size such as 512MiB or 2GiB.
func parseBytes(s string) (int64, error) {
	for unit, bytes := range map[string]int64{"MiB": 1 << 20, "GiB": 1 << 30} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			if n, err := strconv.ParseInt(number, 10, 32); err == nil && n > 0 {
				return n * bytes, nil
			}
		}
	}
	return 0, fmt.Errorf("-memory %s: give a size such as 512MiB or 2GiB", s)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
