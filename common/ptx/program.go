package ptx

import "slices"

// An opcode says which part of a warp executes an instruction.
type opcode uint8

const (
	opALU     opcode = iota // rows to a row
	opSelp                  // rows and a predicate to a row
	opSetp                  // two rows to one or two predicates
	opPred                  // predicates to a predicate
	opBra                   // to target
	opExit                  // ret of the kernel
	opMem                   // load or store
	opAtom                  // atomic of rows b and c, at row a
	opWarp                  // what a warp does as one, waiting for nobody
	opTrap                  // stops the kernel
	opBar                   // bar.sync 0
	opBarrier               // any other barrier: number in row a, threads in row b
	opSync                  // what the lanes of a mask do together
	opCall                  // to the subroutine at target
	opReturn                // from it
)

// An instr is one decoded instruction. Registers, constants and special
// registers are all rows of one register file; predicates are masks. What its operands
// are depends on the opcode; a row that is not named is row 0, a constant (rowsOf in
// liveness.go has the same for the program):
//
//	          d          a            b          c           e       p, q          target
//	opALU     result     source       source     source      source
//	opSelp    result     if p         if not p                       p
//	opSetp               source       source     predicate           results
//	opPred               predicate    predicate                      result
//	opBra                                                                          to, or exit
//	opMem     (mem has its rows)
//	opAtom    old value  address      source     source
//	opWarp    result     source       source     source      source
//	opTrap               source       source     source      source
//	opBarrier result     number       threads
//	opSync    result     source       source     source      mask
//	opCall    frame                                                                subroutine
//	opReturn  frame
type instr struct {
	op            opcode
	bits          uint8 // opALU: what it does to them
	guardNot      bool
	indexed       bool  // opBra: one of those that a brx.idx became
	guard         int32 // predicate, -1 for none
	d, a, b, c, e int32 // rows
	next          int32 // instruction behind this one and the hoisted ones after it
	place         int32 // in the order in which a warp's paths run
	affine        affineFn
	fn            rowFn // the same for sources that are not all affine
	mem           *memOp

	p, q      int32 // predicates; q is -1 for none
	target    int32 // opBra: index of the next instruction, -1 for exit
	block     int32
	cmp       func(a, b *row) uint32
	cmpAffine func(a, b *affine) (uint32, bool)
	logic     func(a, b uint32) uint32 // opPred; opSetp: result with predicate c
	warp      warpFn                   // opWarp, opTrap, opSync
	barrier   *barrierOp
	call      *callOp
	site      int32
}

// A memOp is what a load or store does.
type memOp struct {
	space    space
	store    bool
	signed   bool // loads extend the sign
	elem     int  // bytes of one element
	n        int  // elements a lane: 1, 2 or 4
	bytes    int  // elem × n
	regs     [4]int32
	masks    [4]uint64 // of the registers' widths
	base     int32     // row of addresses
	off      uint64
	narrow   bool   // 32-bit addresses
	index    int    // of the counter
	rewrites bool   // of a load: its value only goes back to memory
	needs    []need // of a load: its value is used in lanes that fulfil one; nil: in all
	atomic   *atomicOp
	into     *memOp // cp.async: the store of what is loaded, which has the same index
}

// A fixedRow is a row that is the same for all lanes and set before the run.
type fixedRow struct {
	val    uint64    // constant
	v      *variable // if not nil, its address in global or const memory is added
	param  int       // if ≥ 0, this many bytes into the parameters…
	size   int       // …this many bytes…
	signed bool      // …extended so
	mask   uint64
}

// A program is an entry decoded for running, its calls expanded.
type program struct {
	entry  *Entry
	code   []instr
	sites  []Site // of each instruction of code
	nrows  int
	npreds int

	fixed    map[fixedRow]int32
	vars     []*variable      // of global and const memory, in order of use
	special  map[string]int32 // %tid.x and the like
	carry    int32            // row of the condition code, 0 for none
	zeroRows []int32          // may be read before they are written
	slow     bool             // in tests: nothing is done at once that can be done one by one
	hoisted  []int32          // instructions whose result is the same in all blocks
	blocks   []block
	sequence []int32 // blocks, in the order in which a warp's paths run
	loops    []loop
	rounds   map[int32][]int32 // by barrier, rows that count the rounds of the loops around it

	mems        []*memOp
	localBytes  int // a thread
	subs        []*subroutine
	frame       int32 // if there are subroutines, row of where the frame starts in local memory
	paramOff    map[*variable]int
	shared      sharedLayout
	barriers    bool
	named       bool // barriers that not all threads of a block wait at
	ordered     bool // by more than block barriers: warp barriers, or atomics on shared memory
	copies      bool // cp.async
	fenced      bool // has a fence of any kind
	signals     bool // has loads or atomics by which a thread may learn that another one is behind a fence
	fences      bool // for the whole GPU
	inOrder     bool // the order of the blocks shows: atomics on global memory tell it
	globalShift int  // log2 of the smallest global access, at most 2
	sharedShift int
}

// Predicates 0 and 1 are constants.
const (
	predFalse = 0
	predTrue  = 1
)

// constRow returns the row of a constant.
func (p *program) constRow(val uint64) int32 { return p.fixedRow(fixedRow{val: val, param: -1}) }

func (p *program) fixedRow(f fixedRow) int32 {
	r, ok := p.fixed[f]
	if !ok {
		r = p.newRow()
		p.fixed[f] = r
		if f.v != nil && !slices.Contains(p.vars, f.v) {
			p.vars = append(p.vars, f.v)
		}
	}
	return r
}

func (p *program) newRow() int32 {
	p.nrows++
	return int32(p.nrows - 1)
}

// specialRow returns the row of a special register, which exists if a warp
// knows how to fill it.
func (p *program) specialRow(name string) (int32, bool) {
	if _, ok := specials[name]; !ok {
		return 0, false
	}
	r, ok := p.special[name]
	if !ok {
		r = p.newRow()
		p.special[name] = r
	}
	return r, true
}

// compile decodes an entry. The error is an *Unsupported.
func compile(e *Entry) (*program, error) {
	p := &program{
		entry: e, npreds: 2,
		fixed: map[fixedRow]int32{}, special: map[string]int32{}, paramOff: map[*variable]int{},
		shared:      layoutShared(e.module, e.fn),
		globalShift: 2, sharedShift: 2,
	}
	p.constRow(0) // row 0, read by instructions with fewer sources
	for i, v := range e.fn.params {
		p.paramOff[v] = e.Params[i].Offset
	}
	l := &lowerer{p: p, m: e.module}
	if err := l.function(e.fn, nil, nil); err != nil {
		return nil, err
	}
	p.end(e.fn, opExit)
	if err := l.subroutines(); err != nil {
		return nil, err
	}
	for _, m := range p.mems {
		shift := min(log2(m.elem), 2)
		p.globalShift = min(p.globalShift, shift)
		p.sharedShift = min(p.sharedShift, shift)
	}
	p.analyse()
	if p.countRounds() {
		p.analyse()
	}
	p.hoist()
	p.findNeeds()
	p.findRewrites()
	p.findSaved()
	p.inOrder = p.orderShows()
	return p, nil
}

// end makes falling off the end of a function a return.
func (p *program) end(f *function, op opcode) {
	s := Site{PTXLine: f.line}
	if n := len(p.sites); n > 0 {
		s = p.sites[n-1]
	}
	p.code = append(p.code, instr{op: op, d: p.frame, guard: -1, q: -1, site: int32(len(p.sites))})
	p.sites = append(p.sites, s)
}

func log2(n int) int {
	k := 0
	for 1<<k < n {
		k++
	}
	return k
}

// analyse finds the order in which a warp runs its paths and which registers
// may be read before they are written.
func (p *program) analyse() {
	for i := range p.code {
		if in := &p.code[i]; in.op == opBra && in.target >= 0 && p.leadsToExit(in.target) {
			in.target = -1
		}
	}
	p.findBlocks()
	p.order()
	p.findStops()
	p.findPrivate()
	p.findReconvergence()
	p.zeroRows = p.unsureRows()
}
