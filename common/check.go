package common

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// Poison is what every output element holds before a launch: 0xFF in each byte,
// a NaN that no element of the input is.
const Poison uint32 = 0xFFFFFFFF

// Leaves says what a kernel must leave in its output.
type Leaves int

const (
	Transposed Leaves = iota // out[y][x] = in[x][y]
	Copied                   // out[y][x] = in[y][x]
	Untouched                // the poison
)

// String returns how a report calls an output that is as it must be.
func (l Leaves) String() string {
	if l == Untouched {
		return "untouched"
	}
	return "exact"
}

// Mismatch describes an output that is not what it must be.
type Mismatch struct {
	Wrong, Elements int      // how many elements differ, of how many
	First           []string // the first few, decoded
	Likely          string   // the mistake that explains all of them, or ""
	Window          string   // go-cmp's diff of a few elements around the first wrong one
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

// Check compares every element of got, an n × n output, with what a kernel that
// leaves l must leave, on bits: a NaN, an infinity or −0 in place of 0 is wrong.
// want is the CPU's answer; for [Untouched] it may be nil. Where given, both
// have n*n elements. The result is nil or a *Mismatch.
func Check(got, want []float32, n int, l Leaves) error {
	if l == Untouched {
		return checkUntouched(got, n)
	}
	wrong := 0
	for i, g := range got {
		if math.Float32bits(g) != math.Float32bits(want[i]) {
			wrong++
		}
	}
	if wrong == 0 {
		return nil
	}
	m := &Mismatch{Wrong: wrong, Elements: n * n, Likely: likely(got, want, n, l)}
	first := -1
	for i := 0; i < len(got) && len(m.First) < 3; i++ {
		if math.Float32bits(got[i]) == math.Float32bits(want[i]) {
			continue
		}
		if first < 0 {
			first = i
		}
		m.First = append(m.First, fmt.Sprintf("out[%d][%d] %s; want %s", i/n, i%n, decode(got[i], n), place(int(want[i]), n)))
	}
	if first >= 0 {
		m.Window = window(got, want, n, first)
	}
	return m
}

func checkUntouched(got []float32, n int) error {
	m := &Mismatch{Elements: n * n}
	for i, g := range got {
		if math.Float32bits(g) == Poison {
			continue
		}
		if m.Wrong++; len(m.First) < 3 {
			m.First = append(m.First, fmt.Sprintf("out[%d][%d] %s; want never written", i/n, i%n, decode(g, n)))
		}
	}
	if m.Wrong == 0 {
		return nil
	}
	return m
}

// decode says which element of in an output value is.
func decode(v float32, n int) string {
	switch i, ok := indexOf(v, n); {
	case ok:
		return "holds " + place(i, n)
	case math.Float32bits(v) == Poison:
		return "never written"
	default:
		return fmt.Sprintf("holds %v (bits %08x), not an element of in", v, math.Float32bits(v))
	}
}

// indexOf returns the index of the element of in that v is, if it is one.
func indexOf(v float32, n int) (int, bool) {
	if !(v >= 0 && v < float32(n)*float32(n)) {
		return 0, false
	}
	i := int(v)
	return i, math.Float32bits(float32(i)) == math.Float32bits(v)
}

func place(i, n int) string { return fmt.Sprintf("in[%d][%d]", i/n, i%n) }

// A windowRow is a piece of a row of a matrix. go-cmp compares it as a whole,
// and what String returns is printed.
type windowRow struct {
	y, x0 int // where it starts
	cells []float32
	n     int
}

func (r windowRow) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "out[%d][%d…]", r.y, r.x0)
	for _, v := range r.cells {
		if i, ok := indexOf(v, r.n); ok {
			fmt.Fprintf(&b, "  %s", place(i, r.n))
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

// window shows the elements around index first of want and got.
func window(got, want []float32, n, first int) string {
	const rows, cols = 3, 4
	y0, x0 := max(0, min(first/n-1, n-rows)), max(0, min(first%n-1, n-cols))
	cut := func(m []float32) (w []windowRow) {
		for y := y0; y < min(y0+rows, n); y++ {
			w = append(w, windowRow{y, x0, m[y*n+x0 : y*n+min(x0+cols, n)], n})
		}
		return w
	}
	var report windowReport
	cmp.Equal(cut(want), cut(got), cmp.Reporter(&report),
		cmp.Comparer(func(a, b windowRow) bool { return a.String() == b.String() }))
	return strings.TrimSuffix(report.text.String(), "\n")
}
