package main

import (
	"fmt"
	"slices"

	"transpose/common/ptx"
	"transpose/common/trace"
)

// A grade is what came out for one submission: a line of grades.jsonl.
type grade struct {
	File    string        `json:"file"` // below the folder of submissions
	Verdict trace.Verdict `json:"verdict"`

	// Where it is not exact: the size at which it failed, which kernel and why. Line and
	// threads are left out where none is accused.
	N       int       `json:"n,omitempty"`
	Kernel  string    `json:"kernel,omitempty"`
	Kind    string    `json:"kind,omitempty"` // such as race in shared memory
	Source  string    `json:"source,omitempty"`
	Line    int       `json:"line,omitempty"`
	Block   *ptx.Dim3 `json:"block,omitempty"`
	Thread  *ptx.Dim3 `json:"thread,omitempty"`
	Message string    `json:"message,omitempty"`

	// What the new kernel asks of memory, at the largest size at which it was counted,
	// right or wrong.
	CountedN int      `json:"counted_n,omitempty"`
	Accesses []access `json:"accesses,omitempty"`
	Total    *totals  `json:"total,omitempty"`

	Seconds float64 `json:"seconds"`
	Page    string  `json:"page,omitempty"` // the file of its page
	Key     string  `json:"key"`            // of what this follows from
}

// An access is what the source line of a kernel asks of memory in one way.
type access struct {
	Line   int    `json:"line"`
	Text   string `json:"text"`
	Space  string `json:"space"` // global or shared
	Store  bool   `json:"store"`
	Atomic bool   `json:"atomic,omitempty"`
	Bytes  int    `json:"bytes"` // a lane
	totals
}

// totals are sums over a launch.
type totals struct {
	Requests       int64 `json:"requests"`
	Sectors        int64 `json:"sectors"`
	BestSectors    int64 `json:"best_sectors"`
	Wavefronts     int64 `json:"wavefronts"`
	BestWavefronts int64 `json:"best_wavefronts"`
}

func (t *totals) add(o totals) {
	t.Requests += o.Requests
	t.Sectors += o.Sectors
	t.BestSectors += o.BestSectors
	t.Wavefronts += o.Wavefronts
	t.BestWavefronts += o.BestWavefronts
}

// failed fills in why a submission is not exact.
func (g *grade) failed(t *trace.Trace) {
	g.Verdict, g.N, g.Message = t.Verdict, t.N, t.Message
	for _, k := range t.Kernels {
		if k.Verdict == trace.Exact {
			continue
		}
		g.Kernel = k.Name
		if f := k.Fault; f != nil {
			g.Kind, g.Source, g.Line, g.Block, g.Thread = f.Kind, f.File, f.Line, &f.Block, &f.Thread
		}
		return
	}
	if len(t.Diagnostics) > 0 {
		d := t.Diagnostics[0]
		g.Source, g.Line = d.File, d.Line
	}
}

// count fills in what a kernel was counted for, if it was.
func (g *grade) count(t *trace.Trace, kernel string) {
	i := slices.IndexFunc(t.Kernels, func(k trace.Kernel) bool { return k.Name == kernel && len(k.Accesses) > 0 })
	if i < 0 {
		return
	}
	g.CountedN, g.Accesses, g.Total = t.N, nil, &totals{}
	for _, a := range t.Kernels[i].Accesses {
		sums := totals{a.Requests, a.Sectors, a.BestSectors, a.Wavefronts, a.BestWavefronts}
		g.Total.add(sums)
		same := slices.IndexFunc(g.Accesses, func(b access) bool {
			return b.Line == a.Line && b.Space == a.Space && b.Store == a.Store && b.Atomic == a.Atomic && b.Bytes == a.Bytes && b.Text == a.Text
		})
		if same < 0 {
			g.Accesses = append(g.Accesses, access{a.Line, a.Text, a.Space, a.Store, a.Atomic, a.Bytes, totals{}})
			same = len(g.Accesses) - 1
		}
		g.Accesses[same].add(sums)
	}
}

// String is the line that is printed.
func (g *grade) String() string {
	s := fmt.Sprintf("%-8s  %s", g.Verdict, printable(g.File))
	if g.Verdict == trace.Exact {
		if g.Total != nil {
			s += fmt.Sprintf("  %s of the sectors, %s of the wavefronts needed", part(g.Total.BestSectors, g.Total.Sectors), part(g.Total.BestWavefronts, g.Total.Wavefronts))
		}
		return s
	}
	if g.N > 0 {
		s += fmt.Sprintf("  n = %d", g.N)
	}
	return s + "  " + g.why()
}

// part is a in percent of b.
func part(a, b int64) string {
	if b == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3g%%", 100*float64(a)/float64(b))
}
