package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"transpose/common/cmd/internal/episode"
	"transpose/common/cmd/internal/page"
	"transpose/common/compile"
	"transpose/common/trace"
)

// A program is an episode's program, built to count, and how it is to be used.
type program struct {
	options
	dir    string // the episode's folder
	temp   string // of what is built and traced
	binary string
	kernel string // the new one, which is judged
	sum    string // of all that a grade follows from beside the submission
}

func newProgram(ctx context.Context, o options) (*program, error) {
	root, folder, err := episode.Find(o.episode)
	if err != nil {
		return nil, err
	}
	p := &program{options: o, dir: filepath.Join(root, folder)}
	source, err := os.ReadFile(filepath.Join(p.dir, "transpose.cu"))
	if err != nil {
		return nil, err
	}
	kernels := compile.Kernels(string(source))
	if len(kernels) == 0 {
		return nil, fmt.Errorf("%s/transpose.cu has no kernel to judge others by", folder)
	}
	p.kernel = kernels[len(kernels)-1].Name
	for _, dir := range []*string{&p.out, &p.pages} {
		if *dir != "" {
			if err := os.MkdirAll(*dir, 0o755); err != nil {
				return nil, fmt.Errorf("%w\ngive a folder that can be written", err)
			}
		}
	}
	if p.temp, err = os.MkdirTemp("", "grade"); err != nil {
		return nil, err
	}
	if err := p.build(ctx, root); err != nil {
		p.remove()
		return nil, err
	}
	return p, nil
}

func (p *program) remove() { os.RemoveAll(p.temp) }

func (p *program) build(ctx context.Context, root string) error {
	folder := filepath.Base(p.dir)
	p.binary = episode.Program(p.temp, folder)
	if err := episode.Build(ctx, root, folder, p.binary); err != nil {
		return fmt.Errorf("%s does not build:\n%w", folder, err)
	}
	text, err := os.ReadFile(p.binary)
	p.sum = fmt.Sprintf("%x %v %v %t", sha256.Sum256(text), p.sizes, p.limits, p.pages != "")
	return err
}

// grade judges one submission.
func (p *program) grade(ctx context.Context, s submission) (*grade, error) {
	began := time.Now()
	g := &grade{File: s.name}
	if reason := s.read(); reason != "" {
		g.Verdict, g.Message = trace.Format, reason
		return g, nil
	}
	g.Key = s.key(p.sum)
	for _, n := range p.sizes {
		t, err := p.trace(ctx, s, n, g)
		if err != nil {
			return nil, err
		}
		if t == nil { // it was ended; g says why
			break
		}
		g.count(t, p.kernel)
		if g.Verdict = t.Verdict; t.Verdict != trace.Exact {
			g.failed(t)
			break
		}
	}
	if p.pages != "" {
		if err := p.writePage(ctx, s, g); err != nil {
			return nil, err
		}
	}
	g.Seconds = float64(time.Since(began).Milliseconds()) / 1000
	return g, nil
}

// trace runs a submission at one size. If it had to be ended, or left no trace, g says
// why, and there is none.
func (p *program) trace(ctx context.Context, s submission, n int, g *grade) (*trace.Trace, error) {
	file, err := os.CreateTemp(p.temp, "trace")
	if err != nil {
		return nil, err
	}
	file.Close()
	defer os.Remove(file.Name())
	said, ended, err := p.run(ctx, s, n, file.Name())
	if err != nil {
		return nil, err
	}
	if ended != "" {
		g.N, g.Message = n, ended
		return nil, g.overLimit(ended)
	}
	t, err := trace.Read(file.Name())
	if err != nil { // the program itself failed
		g.Verdict, g.N, g.Message = trace.Format, n, "the program left no verdict: "+said
		return nil, nil
	}
	return t, nil
}

// overLimit is the verdict of a run that was ended: too much time may be no fault of the
// kernel, too much memory is one of the source.
func (g *grade) overLimit(ended string) error {
	g.Verdict = trace.Format
	if strings.Contains(ended, "time") {
		g.Verdict = trace.TooLong
	}
	return nil
}

// run runs the program on a submission, in its folder. ended says why it did not end by
// itself. The error is nil, or that of ctx.
func (p *program) run(ctx context.Context, s submission, n int, out string) (said, ended string, err error) {
	limited, cancel := context.WithTimeout(ctx, p.limits.time)
	defer cancel()
	var stderr limitedBuffer
	cmd := exec.Command(p.binary, "-n", fmt.Sprint(n), "-k", p.kernel, "-cu", filepath.Base(s.path), "-trace", out)
	cmd.Dir = filepath.Dir(s.path)
	cmd.Stdout, cmd.Stderr = io.Discard, &stderr
	cmd.Env = os.Environ()
	if p.jobs > 1 { // the others have the other cores
		cmd.Env = append(cmd.Env, "GOMAXPROCS=1")
	}
	cmd.WaitDelay = time.Second
	alone(cmd)
	if err := cmd.Start(); err != nil {
		return "", "", err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = cmd.Wait()
	}()
	for watch := time.NewTicker(200 * time.Millisecond); ; {
		select {
		case <-done:
			watch.Stop()
			return strings.TrimSpace(stderr.String()), ended, ctx.Err()
		case <-limited.Done():
			if ctx.Err() == nil {
				ended = fmt.Sprintf("it was ended: it took more than the time that is given to it, %v", p.limits.time)
			}
		case <-watch.C:
			if memory(cmd.Process.Pid) > p.limits.memory {
				ended = fmt.Sprintf("it was ended: it took more than the memory that is given to it, %d MiB", p.limits.memory>>20)
			}
		}
		if ended != "" || ctx.Err() != nil {
			watch.Stop()
			end(cmd)
			<-done
			return "", ended, ctx.Err()
		}
	}
}

// A limitedBuffer keeps the first of what is written to it.
type limitedBuffer struct{ bytes.Buffer }

func (b *limitedBuffer) Write(text []byte) (int, error) {
	if room := 1<<16 - b.Len(); room > 0 {
		b.Buffer.Write(text[:min(room, len(text))])
	}
	return len(text), nil
}

// pageN is the size that pages show: small enough for all blocks to be in it.
const pageN = 128

// writePage writes the page of a submission: at the size at which it fails, if that is a
// small one.
func (p *program) writePage(ctx context.Context, s submission, g *grade) error {
	n := pageN
	if g.N > 0 && g.N < 2000 {
		n = g.N
	}
	out := filepath.Join(p.temp, "page"+fmt.Sprintf("%x", sha256.Sum256([]byte(s.name))))
	defer os.Remove(out)
	if _, _, err := p.run(ctx, s, n, out); err != nil {
		return err
	}
	text, err := os.ReadFile(out)
	if err != nil || len(text) == 0 {
		return nil // g has the reason
	}
	g.Page = s.name + ".html"
	path := filepath.Join(p.pages, filepath.FromSlash(g.Page))
	if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
		err = page.Write(path, n, text)
	}
	if err != nil {
		return fmt.Errorf("%w\ngive -pages a folder that can be written", err)
	}
	return nil
}
