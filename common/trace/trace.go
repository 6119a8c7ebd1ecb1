// Package trace has what a run of an episode that counts tells other programs: the
// verdict, what is wrong, the counts, and the requests of warps, address by address.
// The flag -trace of an episode's program writes it as JSON; this package documents
// it and reads it. A field whose value is 0, false or empty may be left out.
package trace

import (
	"encoding/json"
	"fmt"
	"os"

	"transpose/common/ptx"
)

// A Trace is one run of an episode's program.
type Trace struct {
	Episode string `json:"episode"` // its folder, such as ep03-shared
	N       int    `json:"n"`       // the matrices are n × n
	PTX     string `json:"ptx"`     // which PTX ran, and what made it

	// Verdict is what the program's exit status says, in a word, and Message what it
	// wrote to standard error: "" where all is exact.
	Verdict Verdict `json:"verdict"`
	Message string  `json:"message"`

	// Sources are the .cu files that lines are of; the judged one is the first.
	Sources []Source `json:"sources"`
	// Diagnostics are the messages of a compiler that refused a source.
	Diagnostics []Diagnostic `json:"diagnostics"`
	// Kernels were launched, in the order of main.go, up to one that faulted.
	Kernels []Kernel `json:"kernels"`
}

// A Verdict says how a run or a kernel ended.
type Verdict string

// The verdicts, from best to worst.
const (
	Exact   Verdict = "exact"    // every element; for empty, none was written
	TooLong Verdict = "too long" // to be counted; it may be right
	Wrong   Verdict = "wrong"    // elements of the output are
	Fault   Verdict = "fault"    // a race, an access out of bounds, a barrier that not all reach, …
	Format  Verdict = "format"   // it does not compile, or is not run for another reason
)

// A Source is a file that was compiled.
type Source struct {
	Name string `json:"name"` // as [Place] names it
	Text string `json:"text"`
}

// A Place is a line of a source.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"` // from 1; 0 where the compiler merged several
}

// A Diagnostic is a message of a compiler.
type Diagnostic struct {
	Place
	Column int    `json:"column"` // from 1; 0 where it is not known
	Kind   string `json:"kind"`   // error or warning
	Text   string `json:"text"`
}

// A Kernel is one launch, checked and counted.
type Kernel struct {
	Name   string   `json:"name"`
	Leaves string   `json:"leaves"` // what it must leave in out: transposed, copied, untouched
	Grid   ptx.Dim3 `json:"grid"`   // blocks
	Block  ptx.Dim3 `json:"block"`  // threads

	Verdict Verdict      `json:"verdict"`
	Message string       `json:"message"`
	Fault   *Accusation  `json:"fault,omitempty"` // where Verdict is fault or too long, if a thread is accused
	Wrong   *WrongOutput `json:"wrong,omitempty"` // where Verdict is wrong

	In  uint64 `json:"in"`  // device address of in; out is at Out
	Out uint64 `json:"out"` // both have 4n² bytes

	Accesses []Access   `json:"accesses"` // in PTX order, each with the sums of the launch
	Blocks   []ptx.Dim3 `json:"blocks"`   // of which the requests were recorded
	Requests []Request  `json:"requests"` // by block, then warp, then program order
}

// An Accusation is a *[ptx.Fault] in plain values.
type Accusation struct {
	Kind string `json:"kind"` // such as race in shared memory
	Side        // the thread that is accused
	// Other is the other side of a race, or one that a barrier waits for.
	Other *Side `json:"other,omitempty"`
}

// A Side is what one thread did where.
type Side struct {
	Place
	Block  ptx.Dim3 `json:"block"`
	Thread ptx.Dim3 `json:"thread"`
	Store  bool     `json:"store"`
}

// A WrongOutput says where an output is not what it must be.
type WrongOutput struct {
	N      int      `json:"n"`      // size at which it is wrong: not always that of the run
	Count  int      `json:"count"`  // wrong elements
	Likely string   `json:"likely"` // the mistake that would explain all of them
	First  []string `json:"first"`  // the first few, such as out[0][1] holds in[0][1]; want in[1][0]
	// Runs are the wrong elements: each row of out from left to right. Above n = 256
	// a cell stands for a square of Cell × Cell elements, and is wrong if one of them is.
	Cell int   `json:"cell"`
	Runs []Run `json:"runs"`
}

// A Run is some cells of a row side by side.
type Run struct {
	Row    int  `json:"row"`
	Col    int  `json:"col"`
	Length int  `json:"length"`
	Never  bool `json:"never,omitempty"` // never written; else written, and wrong
}

// An Access is one memory instruction, as [ptx.Access] has it.
type Access struct {
	Place
	PTXLine int    `json:"ptxLine"`
	Text    string `json:"text"`  // the part of the line that it is, as reports quote it
	Space   string `json:"space"` // global or shared
	Store   bool   `json:"store"`
	Atomic  bool   `json:"atomic"`
	Bytes   int    `json:"bytes"` // that each lane asks for: 1 to 16

	Requests       int64 `json:"requests"`
	Sectors        int64 `json:"sectors"`
	BestSectors    int64 `json:"bestSectors"`
	Lines          int64 `json:"lines"`
	Wavefronts     int64 `json:"wavefronts"`
	BestWavefronts int64 `json:"bestWavefronts"`
	BytesAsked     int64 `json:"bytesAsked"`
	BytesTouched   int64 `json:"bytesTouched"`
}

// A Request is what one warp asked for in one go.
type Request struct {
	Access int    `json:"access"` // index in Accesses
	Block  int    `json:"block"`  // index in Blocks
	Warp   int    `json:"warp"`   // of the block
	Active uint32 `json:"active"` // bit i is set if lane i takes part

	// Buffer is in, out or shared, and Addr bytes from its start. It is "" where
	// lanes went to different buffers, or elsewhere: Addr is device addresses then.
	// Base and Step stand for Addr[i] = Base + i × Step where all 32 lanes take part
	// and are evenly spaced; Addr is left out then.
	Buffer string  `json:"buffer,omitempty"`
	Base   int64   `json:"base,omitempty"`
	Step   int64   `json:"step,omitempty"`
	Addr   []int64 `json:"addr,omitempty"` // by lane; 0 for a lane that takes no part

	// The cost of this request alone; Sectors is 0 for shared memory.
	Sectors    int `json:"sectors,omitempty"`
	Lines      int `json:"lines,omitempty"`
	Wavefronts int `json:"wavefronts"`
}

// Lane returns where lane i goes, in bytes from the start of the buffer.
func (r *Request) Lane(i int) int64 {
	if r.Addr != nil {
		return r.Addr[i]
	}
	return r.Base + int64(i)*r.Step
}

// Read reads the file that -trace wrote.
func Read(path string) (*Trace, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t := &Trace{}
	if err := json.Unmarshal(text, t); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}
