package ptx

import (
	"fmt"
	"io"
)

// Dim3 is the size of a grid or block, or an index in one.
type Dim3 struct{ X, Y, Z int }

// String returns (x, y, z), the way CUDA documents write it.
func (d Dim3) String() string { return fmt.Sprintf("(%d, %d, %d)", d.X, d.Y, d.Z) }

// count returns the number of elements of a box of this size.
func (d Dim3) count() int64 { return int64(d.X) * int64(d.Y) * int64(d.Z) }

// at returns the index of the i-th element of a box of this size, x fastest.
func (d Dim3) at(i int64) Dim3 {
	x, y := int64(d.X), int64(d.Y)
	return Dim3{int(i % x), int(i / x % y), int(i / (x * y))}
}

// A Site is one PTX instruction and the source line that it was made from.
type Site struct {
	PTXLine int    // line in the PTX text, from 1
	PTXText string // the instruction, blanks normalised, without the semicolon
	File    string // .cu file as the compiler named it; empty without .loc
	Line    int    // line in File; 0 if the compiler merged several lines
}

// Space is a memory whose accesses are counted.
type Space int

// The two counted memories.
const (
	Global Space = iota
	Shared
)

// String returns "global" or "shared".
func (s Space) String() string {
	if s == Shared {
		return "shared"
	}
	return "global"
}

// Config says how to launch an entry.
type Config struct {
	Grid, Block Dim3 // every component at least 1

	// SharedBytes is the size of extern __shared__ arrays. It comes on top
	// of the static arrays; both together may have 48 KiB.
	SharedBytes int

	// Args holds one 8-byte slot a parameter, the value in the low bytes.
	Args []uint64

	// Params, if not nil, holds the parameters instead of Args, each at its Offset:
	// structs and arrays, which a slot is too small for.
	Params []byte

	// Budget is how many instructions one warp may run before the kernel is
	// accused of not ending; 0 means DefaultBudget.
	Budget int64

	// Workers is how many goroutines run blocks; 0 means GOMAXPROCS. Output,
	// counts and faults do not depend on it. Blocks that race make the workers
	// race for the same bytes, which go test -race reports unless it is 1.
	Workers int

	// Output is where printf of the kernel goes, after it has run: block by block,
	// also when it was accused. 1 MiB is the most. nil drops it.
	Output io.Writer

	// Trace, if not nil, is called with the counted requests of the blocks in
	// TraceBlocks, of a block the first 4,096: block after block, warp after warp, of a
	// warp in program order. It is called after the kernel has run without a fault,
	// from the goroutine that called Launch.
	Trace       func(Sample)
	TraceBlocks []Dim3
}

// DefaultBudget is the number of instructions that a warp may run when
// Config.Budget is 0. It lets one warp walk the 16.8 million elements of a
// 4096 × 4096 matrix, 32 at a time, at 32 instructions each, and stops
// while (1) within about a second.
const DefaultBudget = 1 << 24

// A Sample is one request of a warp that is traced.
type Sample struct {
	Site
	Block  Dim3
	Warp   int // of the block
	Space  Space
	Store  bool       // it writes: true for an atomic too
	Atomic bool       // atom or red
	Bytes  int        // bytes that each active lane asks for: 1 to 16
	Active uint32     // bit i is set if lane i takes part
	Addr   [32]uint64 // global: device address; shared: offset in the block's shared memory

	// What this request costs, as Access has it for all: Sectors and Lines are 0 for
	// shared memory.
	Sectors, Lines, Wavefronts int64
}

// Counts is what a launch asked of memory.
type Counts struct {
	// Accesses has one element for each memory instruction that ran, in PTX
	// order. A generic instruction that went to both memories has two.
	Accesses []Access

	// ChangesVariables is set if the kernel stored to variables of its module and read
	// some: the next launch may find there what this one left, and do something else.
	ChangesVariables bool

	// Notes are facts worth knowing that are no fault, one line each, such as
	// threads that had exited when others waited at a barrier.
	Notes []string
}

// An Access is one memory instruction and what it asked for, summed over the
// launch. Divide by Requests for the usual numbers: 4 sectors a request, 32
// wavefronts a request.
type Access struct {
	Site
	Space  Space
	Store  bool // it writes: true for an atomic too
	Atomic bool // atom or red
	Bytes  int  // bytes that each lane asks for: 1 to 16

	// Requests are warp executions with at least one active lane. Nsight Compute:
	// l1tex__t_requests_pipe_lsu_mem_global_op_{ld,st}, and for shared memory
	// smsp__inst_executed_op_shared_{ld,st}.
	Requests int64
	// Sectors, of global memory, are distinct 32-byte pieces in each request:
	// l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st}. BestSectors is how many there
	// would be if the bytes of each request lay side by side, aligned.
	Sectors, BestSectors int64
	// Lines, of global memory, are distinct 128-byte pieces in each request:
	// l1tex__t_set_accesses. A store makes as many requests to L2,
	// lts__t_requests_srcunit_tex_op_write; a load that L1 does not have, as many to
	// read.
	Lines int64
	// Wavefronts are passes through the data pipe of L1 and shared memory, which are
	// one memory with 32 banks of 4 bytes: l1tex__data_pipe_lsu_wavefronts. For shared
	// memory, and for a load of global memory that L1 has, they are exact for a warp
	// alone; a load that L1 lacks, a store and an atomic take at least as many (MODEL.md
	// says how many more). BestWavefronts is how many there would be without a bank conflict.
	Wavefronts, BestWavefronts int64
	// BytesAsked is Bytes × active lanes, BytesTouched the distinct ones within each
	// request.
	BytesAsked, BytesTouched int64
}

// ByLine returns the accesses added up by source line: those that agree in
// File, Line, Space, Store, Atomic and Bytes become one, in order of first appearance.
// Its PTXLine and PTXText are those of the first one.
func (c *Counts) ByLine() []Access {
	type key struct {
		file          string
		line          int
		space         Space
		store, atomic bool
		bytes         int
	}
	var out []Access
	at := map[key]int{}
	for _, a := range c.Accesses {
		k := key{a.File, a.Line, a.Space, a.Store, a.Atomic, a.Bytes}
		i, ok := at[k]
		if !ok {
			at[k] = len(out)
			out = append(out, a)
			continue
		}
		out[i].Add(a)
	}
	return out
}

// Add adds the counts of b.
func (a *Access) Add(b Access) {
	a.Requests += b.Requests
	a.Sectors += b.Sectors
	a.BestSectors += b.BestSectors
	a.Lines += b.Lines
	a.Wavefronts += b.Wavefronts
	a.BestWavefronts += b.BestWavefronts
	a.BytesAsked += b.BytesAsked
	a.BytesTouched += b.BytesTouched
}
