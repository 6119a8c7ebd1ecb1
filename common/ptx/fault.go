package ptx

import "fmt"

// FaultKind says what a kernel is accused of.
type FaultKind int

// The accusations.
const (
	// OutOfBounds: a global access that is not wholly inside one live
	// allocation. Fault.Distance says how far outside. Also an access outside
	// a thread's local memory, or a store to constant memory.
	OutOfBounds FaultKind = iota + 1
	// Misaligned: an address that is not a multiple of the access size (PTX
	// ISA, "Addresses as Operands").
	Misaligned
	// SharedOutOfBounds: a shared access that is not wholly inside one array.
	// All extern arrays are one, of the size that the launch gives.
	SharedOutOfBounds
	// SharedUnwritten: a read of an element of shared memory of which no thread
	// of the block wrote a byte before the end of the read's barrier interval.
	SharedUnwritten
	// SharedRace: two threads of a block, one byte, at least one write, and
	// no barrier between. bar.warp.sync (__syncwarp) orders its lanes.
	SharedRace
	// GlobalRace: the same in global memory; or one block writes a byte that
	// another block reads or writes in the same launch.
	GlobalRace
	// DivergentBarrier: a barrier that part of a warp reaches while the rest
	// has neither exited nor arrived, or two that warps wait at: in two places,
	// calls, or rounds of a loop.
	DivergentBarrier
	// Endless: a thread is in a loop that no way leads out of.
	Endless
	// BadArguments: Config.Args does not fit the entry's parameters, in
	// number, or because the upper half of a 4-byte parameter's slot is not zero.
	BadArguments
	// MaskMismatch: an instruction that the lanes of a mask do together (shfl.sync,
	// vote.sync, bar.warp.sync, ...) and a mask that names lanes that neither come
	// nor have exited, or not the lane itself, or that differs between its lanes.
	MaskMismatch
	// AssertFailed: the condition of an assert does not hold.
	AssertFailed
	// Trapped: trap or brkpt was executed (__trap, __brkpt).
	Trapped
	// TooLong: a warp has used up Config.Budget. Whether it would have ended
	// later, nobody knows: the kernel may be right.
	TooLong
)

// String returns a few words, such as "race in shared memory".
func (k FaultKind) String() string {
	switch k {
	case OutOfBounds:
		return "global access out of bounds"
	case Misaligned:
		return "misaligned access"
	case SharedOutOfBounds:
		return "shared access out of bounds"
	case SharedUnwritten:
		return "read of unwritten shared memory"
	case SharedRace:
		return "race in shared memory"
	case GlobalRace:
		return "race between blocks"
	case DivergentBarrier:
		return "divergent barrier"
	case Endless:
		return "kernel does not end"
	case TooLong:
		return "kernel is too long"
	case BadArguments:
		return "arguments do not fit"
	case MaskMismatch:
		return "mask does not fit the lanes"
	case AssertFailed:
		return "assertion failed"
	case Trapped:
		return "trap"
	}
	return fmt.Sprintf("FaultKind(%d)", int(k))
}

// A Fault accuses a kernel. Its text is one or two plain lines, which may be long: who
// prints them folds them, as the episodes' programs do.
type Fault struct {
	Kind          FaultKind
	Kernel        string
	Block, Thread Dim3 // who did it; zero for BadArguments
	Site               // where; empty for BadArguments

	Store    bool   // the access was a write
	Atomic   bool   // the access was an atomic, which is a write too
	Space    Space  // memory of the access
	Addr     uint64 // address as in Sample.Addr; 0 where no access is accused
	Bytes    int    // size of the access
	Distance int64  // OutOfBounds, SharedOutOfBounds: bytes past the end, or negative: before the start

	// Other is the other access of a race, or for DivergentBarrier where the
	// threads are that do not arrive; nil where there is none.
	Other *Party

	title  string // what Error says instead of the kind, if not empty
	detail string // what it says after that
	racing *watch // GlobalRace, until Other is complete
}

// inBlock reports whether the other side is of the same block.
func (f *Fault) inBlock() bool { return f.Other != nil && f.Other.Block == f.Block }

// A Party is the other side of a Fault.
type Party struct {
	Site
	Block, Thread Dim3
	Store, Atomic bool
}

// Error says what happened, where, and what to do about it.
func (f *Fault) Error() string {
	title := f.title
	if title == "" {
		title = f.Kind.String()
	}
	return f.Kernel + ": " + title + ": " + f.detail
}

// A SyntaxError is PTX text that can not be parsed.
type SyntaxError struct {
	Line   int    // from 1
	Text   string // the offending statement or token
	Reason string
}

// Error returns line, reason and text in one line.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("ptx line %d: %s: %q", e.Line, e.Reason, e.Text)
}

// Unsupported is valid PTX that this package does not run.
type Unsupported struct {
	Kernel string // the entry that contains it
	Site
	Reason string // may be empty
}

// Error says the word unsupported, with line and text.
func (u *Unsupported) Error() string {
	s := fmt.Sprintf("%s: unsupported: %s", u.Kernel, place(u.Site))
	if u.Reason != "" {
		s += ": " + u.Reason
	}
	return s + "\nthe emulator does not run this, a GPU may"
}
