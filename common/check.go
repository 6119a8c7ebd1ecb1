package common

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"

	"github.com/google/go-cmp/cmp"

	"transpose/common/parallel"
	"transpose/common/trace"
)

// Poison is what every output element holds before a launch: 0xFF in each byte,
// a NaN that no element of the input is.
const Poison uint32 = 0xFFFFFFFF

// Mismatch describes an output that is not what it must be.
type Mismatch struct {
	Wrong, Elements int               // how many elements differ, of how many
	First           []string          // the first few, decoded
	Likely          string            // the mistake that explains all of them, or ""
	Window          string            // go-cmp's diff of a few elements around the first wrong one
	Where           trace.WrongOutput // all of it, as a trace has it
}

// Error says how many elements are wrong, which, and the likely mistake.
func (m *Mismatch) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "wrong: %s of %s elements", thousands(int64(m.Wrong)), thousands(int64(m.Elements)))
	for _, line := range m.First {
		fmt.Fprintf(&b, "\n  %s", line)
	}
	if m.Wrong > len(m.First) {
		b.WriteString("\n  …")
	}
	if m.Likely != "" {
		fmt.Fprintf(&b, "\nlikely: %s", m.Likely)
	}
	if m.Window != "" {
		fmt.Fprintf(&b, "\naround the first (- want, + got):\n%s", m.Window)
	}
	return b.String()
}

// errNeverReads is for a kernel whose output is right although it never reads the
// input: the input holds each element's index, and so can be made up.
var errNeverReads = errors.New("wrong: the output is right, but the kernel never reads in, so it would be the same for any input\n" +
	"likely: it writes the index of an element where the element itself belongs")

// An output is what a kernel left, with what it should have left and how the
// input was made.
type output struct {
	got, want []float32
	n         int
	fill      fill
	leaves    Leaves
}

// Check compares every element of got, an n × n output, with what a kernel that
// leaves l must leave when its input is [FillIndex], on bits: a NaN, an infinity or
// −0 in place of 0 is wrong. want is the CPU's answer; for [Untouched] it may be
// nil. Where given, both have n*n elements. The result is nil or a *Mismatch.
func Check(got, want []float32, n int, l Leaves) error {
	return output{got, want, n, byIndex, l}.check()
}

func (o output) check() error {
	if o.leaves == Untouched {
		return o.checkUntouched()
	}
	wrong := o.count()
	if wrong == 0 {
		return nil
	}
	m := &Mismatch{Wrong: wrong, Elements: len(o.got), Likely: o.likely()}
	first := -1
	for i := 0; i < len(o.got) && len(m.First) < 3; i++ {
		if !o.wrong(i) {
			continue
		}
		if first < 0 {
			first = i
		}
		m.First = append(m.First, fmt.Sprintf("%s %s; want %s", o.place("out", i), o.decode(o.got[i]), o.source(i)))
	}
	m.Window = o.window(first)
	m.Where = o.where(m)
	return m
}

func (o output) checkUntouched() error {
	m := &Mismatch{Elements: len(o.got), Wrong: o.count()}
	if m.Wrong == 0 {
		return nil
	}
	for i := 0; i < len(o.got) && len(m.First) < 3; i++ {
		if o.wrong(i) {
			m.First = append(m.First, fmt.Sprintf("%s %s; want never written", o.place("out", i), o.decode(o.got[i])))
		}
	}
	m.Where = o.where(m)
	return m
}

// count returns how many elements are not what they must be.
func (o output) count() int {
	var wrong atomic.Int64
	parallel.Halves(len(o.got), func(from, to int) {
		count := 0
		if o.leaves == Untouched {
			for _, g := range o.got[from:to] {
				if math.Float32bits(g) != Poison {
					count++
				}
			}
		} else {
			want := o.want[from:to]
			for i, g := range o.got[from:to] {
				if math.Float32bits(g) != math.Float32bits(want[i]) {
					count++
				}
			}
		}
		wrong.Add(int64(count))
	})
	return int(wrong.Load())
}

// wrong reports whether element i is not what it must be.
func (o output) wrong(i int) bool {
	if o.leaves == Untouched {
		return !o.missing(i)
	}
	return math.Float32bits(o.got[i]) != math.Float32bits(o.want[i])
}

// missing reports whether element i was never written.
func (o output) missing(i int) bool { return math.Float32bits(o.got[i]) == Poison }

// source names the element of in that belongs in element i of out, and its value
// where that is not its index.
func (o output) source(i int) string {
	v := o.want[i]
	from, _ := o.fill.index(v, o.n)
	if o.fill == byIndex {
		return o.place("in", from)
	}
	return fmt.Sprintf("%s, which is %s", o.place("in", from), valueText(v))
}

// decode says which element of in an output value is.
func (o output) decode(v float32) string {
	switch i, ok := o.fill.index(v, o.n); {
	case ok && o.fill == byIndex:
		return "holds " + o.place("in", i)
	case ok:
		return fmt.Sprintf("holds %s, which is %s", o.place("in", i), valueText(v))
	case math.Float32bits(v) == Poison:
		return "never written"
	default:
		return fmt.Sprintf("holds %s, not an element of in", valueText(v))
	}
}

// valueText is a value as people write it and as it is.
func valueText(v float32) string { return fmt.Sprintf("%v (bits %08x)", v, math.Float32bits(v)) }

// place names element i of a matrix.
func (o output) place(matrix string, i int) string {
	return fmt.Sprintf("%s[%d][%d]", matrix, i/o.n, i%o.n)
}

// A windowRow is a piece of a row of a matrix. go-cmp compares it as a whole,
// and what String returns is printed.
type windowRow struct {
	output
	start int // index of the first cell
	cells []float32
}

func (r windowRow) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "out[%d][%d…]", r.start/r.n, r.start%r.n)
	for _, v := range r.cells {
		if i, ok := r.fill.index(v, r.n); ok {
			fmt.Fprintf(&b, "  %s", r.place("in", i))
		} else if math.Float32bits(v) == Poison {
			b.WriteString("  never written")
		} else {
			fmt.Fprintf(&b, "  %v", v)
		}
	}
	return b.String()
}

// A windowReport is what go-cmp calls for each pair of rows. It writes a row in
// which want and got differ twice, with a − as wanted and with a + as found.
type windowReport struct {
	cmp.Path
	text strings.Builder
}

func (r *windowReport) PushStep(s cmp.PathStep) { r.Path = append(r.Path, s) }
func (r *windowReport) PopStep()                { r.Path = r.Path[:len(r.Path)-1] }

func (r *windowReport) Report(result cmp.Result) {
	want, got := r.Last().Values()
	if result.Equal() {
		fmt.Fprintf(&r.text, "  %v\n", want)
		return
	}
	if want.IsValid() {
		fmt.Fprintf(&r.text, "- %v\n", want)
	}
	if got.IsValid() {
		fmt.Fprintf(&r.text, "+ %v\n", got)
	}
}

// window shows the elements around index first, wanted and found.
func (o output) window(first int) string {
	const rows, cols = 3, 4
	y0, x0 := max(0, min(first/o.n-1, o.n-rows)), max(0, min(first%o.n-1, o.n-cols))
	cut := func(m []float32) (w []windowRow) {
		for y := y0; y < min(y0+rows, o.n); y++ {
			w = append(w, windowRow{o, y*o.n + x0, m[y*o.n+x0 : y*o.n+min(x0+cols, o.n)]})
		}
		return w
	}
	var report windowReport
	cmp.Equal(cut(o.want), cut(o.got), cmp.Reporter(&report),
		cmp.Comparer(func(a, b windowRow) bool { return a.String() == b.String() }))
	return strings.TrimSuffix(report.text.String(), "\n")
}

// mostCells is how many cells a side of the map of wrong elements has at most.
const mostCells = 256

// where is the map of all wrong elements.
func (o output) where(m *Mismatch) trace.WrongOutput {
	w := trace.WrongOutput{N: o.n, Count: m.Wrong, Likely: m.Likely, First: m.First, Cell: (o.n + mostCells - 1) / mostCells}
	cells := (o.n + w.Cell - 1) / w.Cell
	for row := range cells {
		for col := 0; col < cells; col++ {
			wrong, never := o.cell(row, col, w.Cell)
			last := len(w.Runs) - 1
			switch {
			case !wrong:
			case last >= 0 && w.Runs[last].Row == row && w.Runs[last].Col+w.Runs[last].Length == col && w.Runs[last].Never == never:
				w.Runs[last].Length++
			default:
				w.Runs = append(w.Runs, trace.Run{Row: row, Col: col, Length: 1, Never: never})
			}
		}
	}
	return w
}

// cell reports whether an element of a square of the output is wrong, and whether
// those that are were never written.
func (o output) cell(row, col, size int) (wrong, never bool) {
	never = true
	for y := row * size; y < min(row*size+size, o.n); y++ {
		for i := y*o.n + col*size; i < y*o.n+min(col*size+size, o.n); i++ {
			if o.wrong(i) {
				wrong, never = true, never && o.missing(i)
			}
		}
	}
	return wrong, wrong && never
}
