package ptx

import "strings"

// A typ is a PTX fundamental type.
type typ struct {
	kind byte // u, s, b, f, g for bf16, p for predicates, capital for two of 16 bits; 0 for no type
	bits int
}

var types = map[string]typ{
	".u8": {'u', 8}, ".u16": {'u', 16}, ".u32": {'u', 32}, ".u64": {'u', 64},
	".s8": {'s', 8}, ".s16": {'s', 16}, ".s32": {'s', 32}, ".s64": {'s', 64},
	".b8": {'b', 8}, ".b16": {'b', 16}, ".b32": {'b', 32}, ".b64": {'b', 64},
	".f32": {'f', 32}, ".f64": {'f', 64}, ".pred": {'p', 1},
	".f16": {'f', 16}, ".bf16": {'g', 16},
	".f16x2": {'F', 32}, ".bf16x2": {'G', 32}, ".u16x2": {'U', 32}, ".s16x2": {'S', 32},
	// Known to the parser so that a text that has them still parses.
	".b128": {'q', 128}, ".texref": {'t', 64}, ".surfref": {'t', 64}, ".samplerref": {'t', 64},
}

// element returns the type of which a type packs two.
func (t typ) element() (typ, bool) {
	if strings.ContainsRune("FGUS", rune(t.kind)) {
		return typ{t.kind | 0x20, 16}, true
	}
	return t, false
}

func (t typ) isFloat() bool { return t.kind == 'f' || t.kind == 'g' }

// space is a PTX state space.
type space byte

const (
	spGeneric space = iota
	spGlobal
	spShared
	spConst
	spLocal
	spParam
)

var spaces = map[string]space{".global": spGlobal, ".shared": spShared, ".const": spConst, ".local": spLocal, ".param": spParam}

// A variable is a named piece of memory.
type variable struct {
	name   string
	space  space
	typ    string // with the dot
	size   int
	align  int
	extern bool
	init   []byte
	reloc  bool // initialised with an address: not supported
	entry  bool // parameter of an entry
}

type operandKind byte

const (
	opdNone operandKind = iota
	opdReg
	opdImm    // integer
	opdFloat  // bits
	opdVar    // address of a variable, plus off
	opdMem    // [base + off]: base is in list[0], or none
	opdVec    // {a, b}
	opdList   // (a, b): of a call
	opdSym    // label, function, or special register with its part
	opdUnused // _
)

// An operand is one operand of an instruction.
type operand struct {
	kind operandKind
	reg  int // opdReg
	also int // opdReg, opdUnused: the q of p|q, or -1
	neg  bool
	val  uint64 // opdImm, opdFloat
	bits int    // opdFloat
	off  int64
	v    *variable
	name string
	list []operand
}

// A stmt is one instruction as written.
type stmt struct {
	line    int
	text    string
	loc     int // index in parser.locs, -1 for none
	pred    int // guard register, -1 for none
	predNot bool
	op      string   // ld
	mods    []string // .global .f32
	args    []operand
}

// A function is the body of an .entry or .func.
type function struct {
	name    string
	line    int
	entry   bool
	rets    []*variable
	params  []*variable
	regs    []typ
	body    []stmt
	labels  map[string]int      // index in body
	targets map[string][]string // labels, by that of .branchtargets
	ended   bool                // has a body

	maxThreads int64 // of a block, by .maxntid; 0 for no limit
	reqBlock   Dim3  // by .reqntid; zero for none
}

// A loc is one .loc directive.
type loc struct {
	file, line int
	column     int
	inFile     int // inlined_at, 0 for none
	inLine     int
}
