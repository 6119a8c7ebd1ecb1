//go:build !cuda

package common

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"transpose/common/compile"
	"transpose/common/ptx"
	"transpose/common/record"
	"transpose/common/trace"
)

// writeTrace writes what a run found out to the file of -trace. cause is what ended
// it, or nil.
func (p *Program) writeTrace(o options, r *Report, file ptxFile, cause error) error {
	t := &trace.Trace{Episode: p.Name, N: o.n, Verdict: verdict(cause), Kernels: []trace.Kernel{}}
	if cause != nil {
		t.Message = fmt.Sprintf("%s: %v", p.Name, cause)
	}
	main := "transpose.cu"
	if o.cu != "" {
		main = filepath.Base(o.cu)
	}
	s := tracedSources{main: main, inherited: p.inheritedName()}
	if r != nil {
		t.PTX = r.PTX
		t.Kernels = r.traced(&s, file.cu, cause)
	}
	t.Diagnostics = s.diagnostics(cause)
	t.Sources = s.read(p, o, file.cu)
	text, err := json.Marshal(t)
	if err == nil {
		err = os.WriteFile(o.trace, text, 0o644)
	}
	if err != nil {
		return fmt.Errorf("%w\ngive -trace a file in a folder that exists and can be written", err)
	}
	return nil
}

// verdict is the word for what ended a run or a kernel.
func verdict(err error) trace.Verdict {
	fault := (*ptx.Fault)(nil)
	switch {
	case err == nil:
		return trace.Exact
	case ExitStatus(err) == statusTooLong:
		return trace.TooLong
	case errors.As(err, &fault):
		return trace.Fault
	case ExitStatus(err) == statusWrong:
		return trace.Wrong
	}
	return trace.Format
}

// traced is what a run found out of each kernel. cause is what ended it.
func (r *Report) traced(s *tracedSources, cu sources, cause error) []trace.Kernel {
	kernels := []trace.Kernel{}
	for _, row := range r.Rows {
		k := newTraced(row.Kernel, row.Err, s)
		if row.Counts != nil {
			k.Accesses = tracedAccesses(row.Counts, s, cu)
		}
		if row.Traced != nil {
			addRequests(&k, row.Traced, s)
		}
		kernels = append(kernels, k)
	}
	if r.stopped.Name == "" {
		return kernels
	}
	last := newTraced(r.stopped, cause, s)
	last.Block = r.stoppedBlock
	// A kernel that was right at the size of the run can be stopped at another.
	for i := range kernels {
		if k := &kernels[i]; k.Name == last.Name {
			k.Verdict, k.Message, k.Fault = last.Verdict, last.Message, last.Fault
			return kernels
		}
	}
	return append(kernels, last)
}

func newTraced(k Kernel, err error, s *tracedSources) trace.Kernel {
	t := trace.Kernel{Name: k.Name, Leaves: k.Leaves.String(), Grid: k.Grid, Block: k.Block, Verdict: verdict(err)}
	if err == nil {
		return t
	}
	t.Message = err.Error()
	if m := (*Mismatch)(nil); errors.As(err, &m) {
		t.Wrong = &m.Where
	}
	if f := (*ptx.Fault)(nil); errors.As(err, &f) {
		t.Fault = &trace.Accusation{Kind: f.Kind.String(), Side: trace.Side{
			Place: s.place(f.Site), Block: f.Block, Thread: f.Thread, Store: f.Store}}
		if o := f.Other; o != nil {
			t.Fault.Other = &trace.Side{Place: s.place(o.Site), Block: o.Block, Thread: o.Thread, Store: o.Store}
		}
	}
	return t
}

func tracedAccesses(c *ptx.Counts, s *tracedSources, cu sources) []trace.Access {
	accesses := []trace.Access{}
	for _, a := range c.Accesses {
		text := a.PTXText
		if a.File != "" && a.Line > 0 {
			text = Snippet(cu(a.File), a.Line, a.Store && !a.Atomic)
		}
		accesses = append(accesses, trace.Access{
			Place: s.place(a.Site), PTXLine: a.PTXLine, Text: text,
			Space: a.Space.String(), Store: a.Store, Atomic: a.Atomic, Bytes: a.Bytes,
			Requests: a.Requests, Sectors: a.Sectors, BestSectors: a.BestSectors, Lines: a.Lines,
			Wavefronts: a.Wavefronts, BestWavefronts: a.BestWavefronts, BytesAsked: a.BytesAsked, BytesTouched: a.BytesTouched,
		})
	}
	return accesses
}

// mostBlocks is the largest grid of which all blocks are traced.
const mostBlocks = 256

// tracedBlocks picks the blocks whose requests are recorded: all of a small grid; of a
// large one those that begin it, those that end it, where the matrix may, and one
// between, in each direction.
func tracedBlocks(grid ptx.Dim3) (blocks []ptx.Dim3) {
	some := func(n int) []int {
		if grid.X*grid.Y*grid.Z <= mostBlocks {
			all := make([]int, n)
			for i := range all {
				all[i] = i
			}
			return all
		}
		picked := []int{0, 1, n / 2, n - 2, n - 1}
		slices.Sort(picked)
		return slices.DeleteFunc(slices.Compact(picked), func(i int) bool { return i < 0 || i >= n })
	}
	for _, z := range some(grid.Z) {
		for _, y := range some(grid.Y) {
			for _, x := range some(grid.X) {
				blocks = append(blocks, ptx.Dim3{X: x, Y: y, Z: z})
			}
		}
	}
	return blocks
}

// addRequests adds what was recorded to a kernel whose accesses are known.
func addRequests(k *trace.Kernel, r *record.Traced, s *tracedSources) {
	k.In, k.Out, k.Grid, k.Block = r.In, r.Out, r.Grid, r.Block
	for _, x := range r.Requests {
		if len(k.Blocks) == 0 || k.Blocks[len(k.Blocks)-1] != x.Block {
			k.Blocks = append(k.Blocks, x.Block)
		}
		q := trace.Request{
			Access: slices.IndexFunc(k.Accesses, func(a trace.Access) bool {
				return a.PTXLine == x.PTXLine && a.Space == x.Space.String() && a.Place == s.place(x.Site)
			}),
			Block: len(k.Blocks) - 1, Warp: x.Warp, Active: x.Active,
			Sectors: int(x.Sectors), Lines: int(x.Lines), Wavefronts: int(x.Wavefronts),
		}
		start := uint64(0)
		q.Buffer, start = bufferOf(&x, k)
		setAddresses(&q, &x, start)
		k.Requests = append(k.Requests, q)
	}
}

// bufferOf is the buffer that all lanes of a request went to, and where it starts.
func bufferOf(x *ptx.Sample, k *trace.Kernel) (name string, start uint64) {
	if x.Space == ptx.Shared {
		return "shared", 0
	}
	in := func(start uint64) bool {
		for i, addr := range x.Addr {
			if x.Active>>i&1 == 1 && distance(addr, start) > distance(addr, k.In^k.Out^start) {
				return false
			}
		}
		return true
	}
	switch {
	case in(k.In):
		return "in", k.In
	case in(k.Out):
		return "out", k.Out
	}
	return "", 0
}

func setAddresses(q *trace.Request, x *ptx.Sample, start uint64) {
	addr := make([]int64, 32)
	spaced := x.Active == 1<<32-1
	for i := range addr {
		if x.Active>>i&1 == 1 {
			addr[i] = int64(x.Addr[i] - start)
		}
		spaced = spaced && addr[i]-addr[0] == int64(i)*(addr[min(i, 1)]-addr[0])
	}
	if q.Addr = addr; spaced {
		q.Base, q.Step, q.Addr = addr[0], addr[1]-addr[0], nil
	}
}

// tracedSources names the files that lines are of, and remembers those of which some
// are.
type tracedSources struct {
	main, inherited string
	names           []string // as compilers named them
}

// place is the source line of an instruction.
func (s *tracedSources) place(site ptx.Site) trace.Place {
	if site.File == "" {
		return trace.Place{}
	}
	if !slices.Contains(s.names, site.File) {
		s.names = append(s.names, site.File)
	}
	return trace.Place{File: s.name(site.File), Line: site.Line}
}

// name is the name of a file in a trace.
func (s *tracedSources) name(file string) string {
	file = path.Clean(filepath.ToSlash(file))
	switch {
	case s.main != "transpose.cu" && strings.HasSuffix(file, s.inherited):
		return s.inherited
	case path.Base(file) == s.main, file == "transpose.cu": // the committed PTX of an unedited copy
		return s.main
	}
	return file
}

// read returns the files by their names, the judged one first.
func (s *tracedSources) read(p *Program, o options, cu sources) []trace.Source {
	text := p.Source
	if o.cu != "" {
		if read, err := os.ReadFile(o.cu); err == nil {
			text = string(read)
		}
	}
	list := []trace.Source{{Name: s.main, Text: text}}
	for _, file := range s.names {
		name := s.name(file)
		if cu == nil || slices.ContainsFunc(list, func(x trace.Source) bool { return x.Name == name }) {
			continue
		}
		if text := cu(file); text != "" {
			list = append(list, trace.Source{Name: name, Text: text})
		}
	}
	return list
}

// diagnosed matches a message as clang writes it, and as nvcc does.
var diagnosed = regexp.MustCompile(`(?m)^(.+?)(?::(\d+):(\d+)|\((\d+)\)): (?:fatal )?(error|warning)(?: #[^:]*)?: (.*)$`)

// diagnostics are the compiler's messages in an error.
func (s *tracedSources) diagnostics(err error) []trace.Diagnostic {
	list := []trace.Diagnostic{}
	if refused := (*compile.Error)(nil); !errors.As(err, &refused) {
		return list
	}
	for _, m := range diagnosed.FindAllStringSubmatch(err.Error(), -1) {
		line, _ := strconv.Atoi(m[2] + m[4])
		column, _ := strconv.Atoi(m[3])
		list = append(list, trace.Diagnostic{Place: trace.Place{File: s.name(m[1]), Line: line}, Column: column, Kind: m[5], Text: m[6]})
	}
	return list
}
