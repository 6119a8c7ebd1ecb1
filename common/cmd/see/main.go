// See shows the kernels of an episode in a browser: their source with the counts
// beside each line, the memory that a warp's request touches, the elements that are
// wrong, the lines that race.
//
//	go run ./common/cmd/see ep03
//
// It serves a page on this machine alone, at 127.0.0.1, and prints its address. When a
// file in the episode's folder is saved, it runs the episode's program anew, as a reader
// would, with -trace, and the page shows what came out. With -o it writes the page to one
// file instead, which needs nothing else: for a course page, or a wall.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"

	"transpose/common/cmd/internal/page"
)

// options are the flags and the episode.
type options struct {
	episode string // such as ep03
	n       int    // the matrices are n × n
	port    int    // 0 for any that is free
	cu      string // the file to judge; "" for the episode's transpose.cu
	kernel  string // the only kernel to run, or ""
	out     string // the file to write the page to; "" to serve it
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "see: %v\n", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	o, err := parseFlags(args, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	p, err := newProgram(o)
	if err != nil {
		return err
	}
	defer p.remove()
	if o.out != "" {
		text, err := p.trace(ctx, o.n)
		if err != nil {
			return err
		}
		// The verdict does not matter: it stands in the page.
		if err := page.Write(o.out, o.n, text); err != nil {
			return fmt.Errorf("%w\ngive -o a file in a folder that exists and can be written", err)
		}
		return nil
	}
	return serve(ctx, p, o, stdout)
}

func parseFlags(args []string, stdout io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("see", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.IntVar(&o.n, "n", 256, "the matrices are `n` × n")
	f.IntVar(&o.port, "port", 0, "serve the page at this `port`; 0 takes any that is free")
	f.StringVar(&o.cu, "cu", "", "show the kernel in `file` instead of the episode's transpose.cu")
	f.StringVar(&o.kernel, "k", "", "run this `kernel` alone, with the copy that is its ceiling")
	f.StringVar(&o.out, "o", "", "write the page to `file` instead of serving it")
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(stdout, "usage: see [flags] ep03")
		f.SetOutput(stdout)
		f.PrintDefaults()
		return o, err
	case err != nil:
		return o, fmt.Errorf("%w\nrun it with -h to see the flags", err)
	case f.NArg() != 1:
		return o, fmt.Errorf("%d episodes given: one can be shown\ngive it behind the flags, such as ep03", f.NArg())
	case o.n < 1:
		return o, fmt.Errorf("-n %d: a matrix has at least one row", o.n)
	case o.port < 0 || o.port > 65535:
		return o, fmt.Errorf("-port %d: there is no such port\ngive one from 1 to 65535, or 0 for any", o.port)
	}
	o.episode = f.Arg(0)
	return o, nil
}

// serve shows the page until the program is interrupted.
func serve(ctx context.Context, p *program, o options, stdout io.Writer) error {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", o.port))
	if err != nil {
		return fmt.Errorf("%w\ngive -port another one, or none", err)
	}
	s := newServer(listener.Addr().(*net.TCPAddr).Port, o.n)
	fmt.Fprintf(stdout, "%s: open http://127.0.0.1:%d/ in a browser; Ctrl-C ends it\n", p.folder, s.port)
	go s.follow(ctx, p)
	web := &http.Server{Handler: s}
	go func() {
		<-ctx.Done()
		web.Close()
	}()
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
