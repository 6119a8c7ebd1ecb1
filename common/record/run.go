// Package record keeps the numbers of a run: times and what follows from them,
// counts of memory traffic, the tables made of both, and the files in which they
// are recorded. It needs neither a GPU nor the emulator.
package record

import "transpose/common/ptx"

// A Run is what one run of an episode measured.
type Run struct {
	Name string // of the episode
	N    int    // the matrices are N × N
	Card Card   // zero where nothing was timed
	Rows []Row  // in the order of the run
}

// A Card is the GPU that a run was timed on, as far as the driver tells.
type Card struct {
	Name    string
	Driver  int     // CUDA version of the driver, 13000 for 13.0
	Toolkit string  // CUDA version of the cuda.h that the program was built with
	L2      int64   // bytes of L2 cache; 0 where unknown
	Peak    float64 // theoretical bandwidth in GB/s; 0 where unknown
	SMs     int     // streaming multiprocessors; 0 where unknown
	Clock   float64 // the fastest of an SM, in MHz; 0 where unknown
}

// A Row is what a run found out about one kernel.
type Row struct {
	Kernel Kernel
	Err    error       // nil when the output was exact; not recorded
	Times  Times       // of the launches, in the order taken; nil where it was not timed
	Counts *ptx.Counts // of one launch; nil where it was not counted
	Traced *Traced     // of one launch; nil where it was not traced; not recorded
}

// A Traced is what was recorded of the requests of a launch: how large that was, and where
// the two matrices lay.
type Traced struct {
	In, Out     uint64 // device addresses
	Grid, Block ptx.Dim3
	Requests    []ptx.Sample
}

// A Kernel is one kernel of an episode: its name in transpose.cu, what it must
// leave in the output, and its launch.
type Kernel struct {
	Name   string
	Leaves Leaves
	Grid   struct{ X, Y, Z int } // a cu.Dim3 fits; zero for the driver's own copy
	Block  struct{ X, Y, Z int } // zero where all kernels of the episode have the same
}

// SameLaunch reports whether two kernels are launched alike, so that the time of one
// can be set against the other's.
func (k Kernel) SameLaunch(other Kernel) bool {
	return k.Grid == other.Grid && k.Block == other.Block
}

// Memcpy is the row of the driver's own copy, which no grid is launched for.
var Memcpy = Kernel{Name: "driver memcpy", Leaves: Copied}

// Leaves says what a kernel must leave in its output.
type Leaves int

const (
	Transposed Leaves = iota // out[y][x] = in[x][y]
	Copied                   // out[y][x] = in[y][x]
	Untouched                // what was there before the launch
)

// leavesNames are the names in a record.
var leavesNames = [...]string{"transposed", "copied", "untouched"}

// String returns transposed, copied or untouched.
func (l Leaves) String() string { return leavesNames[l] }

// Timed reports whether a GPU ran the kernels, so that the rows have times.
func (r *Run) Timed() bool { return r.Card.Name != "" }

// New returns the episode's new kernel: the last row, if it transposes; else nil.
func (r *Run) New() *Row {
	if i := len(r.Rows) - 1; i >= 0 && r.Rows[i].Kernel.Leaves == Transposed {
		return &r.Rows[i]
	}
	return nil
}

// inherited returns the transpose that the new kernel is set against: the last
// one before it that was timed.
func (r *Run) inherited() *Row {
	for i := len(r.Rows) - 2; i >= 0 && r.New() != nil; i-- {
		if r.Rows[i].Kernel.Leaves == Transposed && r.Rows[i].Times != nil {
			return &r.Rows[i]
		}
	}
	return nil
}

// copyOf returns the times of the copy that is a kernel's ceiling: the one of the
// same launch. The driver's copy has no launch of its own; it is set against the
// episode's copy.
func (r *Run) copyOf(k Kernel) Times {
	for _, c := range r.Rows {
		if c.Kernel.Leaves == Copied && c.Kernel != Memcpy && (c.Kernel.SameLaunch(k) || k == Memcpy) {
			return c.Times
		}
	}
	return nil
}
