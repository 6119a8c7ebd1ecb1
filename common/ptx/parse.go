package ptx

import (
	"math"
	"strings"
)

// A typ is a PTX fundamental type.
type typ struct {
	kind byte // u, s, b, f, or p for predicates; 0 for no type
	bits int
}

var types = map[string]typ{
	".u8": {'u', 8}, ".u16": {'u', 16}, ".u32": {'u', 32}, ".u64": {'u', 64},
	".s8": {'s', 8}, ".s16": {'s', 16}, ".s32": {'s', 32}, ".s64": {'s', 64},
	".b8": {'b', 8}, ".b16": {'b', 16}, ".b32": {'b', 32}, ".b64": {'b', 64},
	".f32": {'f', 32}, ".f64": {'f', 64}, ".pred": {'p', 1},
	// Known to the parser so that a text that has them still parses.
	".f16": {'h', 16}, ".f16x2": {'h', 32}, ".bf16": {'h', 16}, ".bf16x2": {'h', 32},
	".b128": {'q', 128}, ".texref": {'t', 64}, ".surfref": {'t', 64}, ".samplerref": {'t', 64},
}

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
	also int // opdReg: the q of p|q, or -1
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
	name   string
	line   int
	entry  bool
	rets   []*variable
	params []*variable
	regs   []typ
	body   []stmt
	labels map[string]int // index in body
	ended  bool           // has a body
	file   int            // of the first .loc
}

// A loc is one .loc directive.
type loc struct {
	file, line int
	inFile     int // inlined_at, 0 for none
	inLine     int
}

type parser struct {
	lex    lexer
	tok    token
	err    error
	m      *Module
	scopes []*scope
	fn     *function
	loc    int
}

// A scope holds the names of one pair of braces.
type scope struct {
	regs   map[string]int
	series map[string]regSeries // %r<12>
	vars   map[string]*variable
}

type regSeries struct {
	n int
	t typ
}

func newScope() *scope {
	return &scope{map[string]int{}, map[string]regSeries{}, map[string]*variable{}}
}

// Parse reads a PTX text. Its error is a *SyntaxError. Instructions that this
// package does not run are found at Launch, not here.
func Parse(src string) (*Module, error) {
	p := &parser{lex: lexer{src: src, line: 1}, loc: -1}
	p.m = &Module{files: map[int]string{}, funcs: map[string]*function{}}
	p.scopes = []*scope{newScope()}
	p.advance()
	for p.err == nil && p.tok.kind != tokEOF {
		p.topLevel()
	}
	if p.err == nil && p.m.Version == "" {
		p.err = &SyntaxError{1, "", "no .version directive: this is not PTX"}
	}
	if p.err != nil {
		return nil, p.err
	}
	p.m.finish()
	return p.m, nil
}

func (p *parser) advance() {
	if p.err != nil {
		p.tok = token{line: p.tok.line}
		return
	}
	var err error
	if p.tok, err = p.lex.next(); err != nil {
		p.err = err
		p.tok = token{line: p.tok.line}
	}
}

func (p *parser) fail(reason string) {
	if p.err == nil {
		text := p.tok.text
		if p.tok.kind == tokEOF {
			text, reason = "end of text", reason+" (is the text cut off?)"
		}
		p.err = &SyntaxError{p.tok.line, text, reason}
		p.tok = token{line: p.tok.line}
	}
}

func (p *parser) is(text string) bool {
	return p.tok.text == text && p.tok.kind != tokString && p.tok.kind != tokEOF
}

// accept passes over text if it is next.
func (p *parser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.fail("expected " + text)
	}
}

func (p *parser) ident() string {
	s := p.tok.text
	if p.tok.kind != tokIdent {
		p.fail("expected a name")
	}
	p.advance()
	return s
}

// integer reads a constant with an optional sign.
func (p *parser) integer() int64 {
	neg := p.accept("-")
	if p.tok.kind != tokInt {
		p.fail("expected an integer")
	}
	v := int64(p.tok.value)
	p.advance()
	if neg {
		return -v
	}
	return v
}

// count reads a small constant that is not negative: a size, a line.
func (p *parser) count() int {
	v := p.integer()
	if v < 0 || v > math.MaxInt32 {
		p.fail("number out of range")
		return 0
	}
	return int(v)
}

func (p *parser) until(text string) {
	for p.err == nil && !p.is(text) {
		if p.tok.kind == tokEOF {
			p.fail("expected " + text)
		}
		p.advance()
	}
	p.advance()
}

func (p *parser) topLevel() {
	switch p.tok.text {
	case ".version":
		p.advance()
		if p.tok.kind != tokFloat && p.tok.kind != tokInt {
			p.fail("expected a version")
		}
		p.m.Version = p.tok.text
		p.advance()
	case ".target":
		p.advance()
		p.m.Target = p.ident()
		for p.accept(",") {
			p.ident()
		}
	case ".address_size":
		p.advance()
		if p.integer() != 64 {
			p.fail("only 64-bit addresses are supported")
		}
	case ".file":
		p.file()
	case ".section":
		p.section()
	case ".loc":
		p.locDirective()
	case ".pragma":
		p.until(";")
	case ".visible", ".extern", ".weak", ".common", ".entry", ".func", ".global", ".const", ".shared", ".local":
		p.declaration()
	case ".alias":
		p.until(";")
	case ";":
		p.advance()
	default:
		p.fail("unexpected at top level")
	}
}

func (p *parser) file() {
	p.advance()
	n := p.count()
	if p.tok.kind != tokString {
		p.fail("expected a file name")
	}
	p.m.files[n] = p.tok.text
	p.advance()
	for p.accept(",") { // time stamp and size
		p.count()
	}
}

// section passes over a block of debug data.
func (p *parser) section() {
	p.advance()
	for p.err == nil && !p.is("{") {
		if p.tok.kind == tokEOF {
			p.fail("expected {")
		}
		p.advance()
	}
	p.until("}")
}

func (p *parser) locDirective() {
	p.advance()
	l := loc{file: p.count(), line: p.count()}
	p.count() // column
	for p.accept(",") {
		switch p.ident() {
		case "function_name":
			p.ident()
			if p.accept("+") {
				p.count()
			}
		case "inlined_at":
			l.inFile, l.inLine = p.count(), p.count()
			p.count()
		default:
			p.fail("unknown attribute of .loc")
		}
	}
	p.m.locs = append(p.m.locs, l)
	p.loc = len(p.m.locs) - 1
	if p.fn != nil && p.fn.file == 0 {
		p.fn.file = l.file
	}
}

func (p *parser) declaration() {
	extern := false
	for p.err == nil {
		switch p.tok.text {
		case ".extern", ".common":
			extern = extern || p.is(".extern")
			p.advance()
		case ".visible", ".weak":
			p.advance()
		case ".entry", ".func":
			p.function()
			return
		default:
			p.variables(extern)
			return
		}
	}
}

func (p *parser) variables(extern bool) {
	for _, v := range p.varDecl(extern) {
		p.scopes[len(p.scopes)-1].vars[v.name] = v
		if len(p.scopes) == 1 {
			p.m.vars = append(p.m.vars, v)
		}
	}
	p.expect(";")
}

// varDecl reads .space {.align n} {.v4} .type name[n] {= …}, without the ;.
func (p *parser) varDecl(extern bool) []*variable {
	v := variable{extern: extern, align: 1}
	vec := 1
	sized := false
	for p.err == nil && p.tok.kind == tokDot {
		word := p.tok.text
		p.advance()
		switch t, isType := types[word]; {
		case isType:
			v.typ, sized = word, true
			v.size = max(t.bits/8, 1)
		case word == ".align":
			v.align = p.count()
		case word == ".v2", word == ".v4":
			vec = int(word[2] - '0')
		case word == ".ptr":
		case spaces[word] != 0:
			if v.typ == "" { // after the type it belongs to .ptr
				v.space = spaces[word]
			}
		default: // .attribute(.managed) and the like
			if p.accept("(") {
				p.until(")")
			}
		}
	}
	if !sized {
		p.fail("expected a type")
	}
	v.size *= vec
	v.align = max(v.align, min(v.size, 16))
	if v.align > 1<<16 || v.align&(v.align-1) != 0 {
		p.fail("alignment is not a power of two")
	}
	var out []*variable
	for p.err == nil {
		w := v
		w.name = p.ident()
		p.arrayAndInit(&w)
		out = append(out, &w)
		if p.is(",") && p.fnHead() || !p.accept(",") {
			break
		}
	}
	return out
}

// fnHead reports whether a parameter list is being read, where a comma ends
// the declaration.
func (p *parser) fnHead() bool { return p.fn != nil && !p.fn.ended }

func (p *parser) arrayAndInit(v *variable) {
	elem := v.size
	for p.accept("[") {
		n := 0
		if !p.is("]") {
			n = p.count()
		}
		if n > 0 && v.size > math.MaxInt32/n {
			p.fail("array too large")
			return
		}
		v.size *= n
		p.expect("]")
	}
	if !p.accept("=") {
		return
	}
	p.initializer(v, elem, 0)
	if len(v.init) > v.size {
		p.fail("more values than the array has elements")
	}
}

func (p *parser) initializer(v *variable, elem, depth int) {
	if depth > 8 {
		p.fail("initializer nested too deeply")
	}
	if p.accept("{") {
		for p.err == nil && !p.accept("}") {
			p.initializer(v, elem, depth+1)
			if !p.is("}") {
				p.expect(",")
			}
		}
		return
	}
	val := uint64(0)
	switch {
	case p.tok.kind == tokFloat:
		val = p.tok.value
		if p.tok.bits == 64 && elem == 4 {
			val = uint64(math.Float32bits(float32(math.Float64frombits(val))))
		}
		p.advance()
	case p.tok.kind == tokIdent: // address of a variable, mask(…) or generic(…)
		v.reloc = true
		p.advance()
		if p.accept("(") {
			p.until(")")
		}
		if p.accept("+") {
			p.count()
		}
	default:
		val = uint64(p.integer())
	}
	for i := 0; i < elem; i++ {
		v.init = append(v.init, byte(val>>(8*(i&7))))
	}
}

func (p *parser) function() {
	f := &function{line: p.tok.line, entry: p.is(".entry"), labels: map[string]int{}}
	p.advance()
	p.fn, p.loc = f, -1
	p.scopes = append(p.scopes, newScope())
	if !f.entry && p.is("(") {
		f.rets = p.paramList()
	}
	f.name = p.ident()
	if p.is("(") {
		f.params = p.paramList()
	}
	for p.err == nil && p.tok.kind == tokDot { // .maxntid 256, 1, 1 and the like
		p.advance()
		for p.tok.kind == tokInt || p.is(",") {
			p.advance()
		}
	}
	f.ended = true
	if p.accept(";") { // declaration only
		f.ended = false
	} else {
		p.body()
	}
	p.fn = nil
	p.scopes = p.scopes[:1]
	if old := p.m.funcs[f.name]; old == nil || !old.ended {
		p.m.funcs[f.name] = f
	} else if f.ended && p.err == nil {
		p.err = &SyntaxError{f.line, f.name, "defined twice"}
	}
	if f.entry && f.ended {
		p.m.addEntry(f)
	}
}

func (p *parser) paramList() []*variable {
	var out []*variable
	p.expect("(")
	for p.err == nil && !p.accept(")") {
		if p.accept(".reg") {
			p.fail("parameters in registers are not supported")
		}
		for _, v := range p.varDecl(false) {
			v.entry = p.fn.entry
			p.scopes[len(p.scopes)-1].vars[v.name] = v
			out = append(out, v)
		}
		if !p.is(")") {
			p.expect(",")
		}
	}
	return out
}

func (p *parser) body() {
	p.expect("{")
	depth := 1
	for p.err == nil && depth > 0 {
		switch {
		case p.accept("{"):
			depth++
			p.scopes = append(p.scopes, newScope())
		case p.accept("}"):
			depth--
			p.scopes = p.scopes[:len(p.scopes)-1]
		case p.tok.kind == tokDot:
			p.bodyDirective()
		case p.accept(";"):
		case p.tok.kind == tokIdent || p.is("@"):
			p.labelOrInstruction()
		default:
			p.fail("expected an instruction")
		}
	}
}

func (p *parser) bodyDirective() {
	switch p.tok.text {
	case ".reg":
		p.registers()
	case ".loc":
		p.locDirective()
	case ".file":
		p.file()
	case ".pragma":
		p.until(";")
	case ".section":
		p.section()
	case ".shared", ".local", ".param", ".global", ".const":
		p.variables(false)
	case ".extern":
		p.advance()
		p.variables(true)
	default: // .callprototype and .branchtargets belong to unsupported instructions
		p.until(";")
	}
}

func (p *parser) registers() {
	p.advance()
	var t typ
	for p.tok.kind == tokDot {
		var ok bool
		if t, ok = types[p.tok.text]; !ok {
			p.fail("unknown register type")
		}
		p.advance()
	}
	s := p.scopes[len(p.scopes)-1]
	for p.err == nil {
		name := p.ident()
		if p.accept("<") {
			s.series[name] = regSeries{p.count(), t}
			p.expect(">")
		} else {
			s.regs[name] = p.newReg(t)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
}

func (p *parser) newReg(t typ) int {
	p.fn.regs = append(p.fn.regs, t)
	return len(p.fn.regs) - 1
}

// register finds a declared register by name.
func (p *parser) register(name string) (int, bool) {
	prefix := strings.TrimRight(name, "0123456789")
	number := name[len(prefix):]
	for i := len(p.scopes) - 1; i >= 0; i-- {
		s := p.scopes[i]
		if r, ok := s.regs[name]; ok {
			return r, true
		}
		if n, ok := smallNumber(number); ok {
			if ser, ok := s.series[prefix]; ok && n < ser.n {
				r := p.newReg(ser.t)
				s.regs[name] = r
				return r, true
			}
		}
	}
	return 0, false
}

// smallNumber reads decimal digits without a leading zero.
func smallNumber(s string) (int, bool) {
	if s == "" || len(s) > 9 || s[0] == '0' && s != "0" {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

func (p *parser) variable(name string) *variable {
	for i := len(p.scopes) - 1; i >= 0; i-- {
		if v := p.scopes[i].vars[name]; v != nil {
			return v
		}
	}
	return nil
}

func (p *parser) labelOrInstruction() {
	st := stmt{line: p.tok.line, loc: p.loc, pred: -1}
	start := p.tok.pos
	if p.accept("@") {
		st.predNot = p.accept("!")
		name := p.tok.text
		r, ok := p.register(p.ident())
		if p.err == nil && (!ok || p.fn.regs[r].kind != 'p') {
			p.err = &SyntaxError{st.line, name, "the guard is no declared predicate"}
		}
		st.pred = r
	}
	st.op = p.ident()
	if st.pred < 0 && p.accept(":") {
		if _, dup := p.fn.labels[st.op]; dup {
			p.err = &SyntaxError{st.line, st.op, "label stands twice"}
		}
		p.fn.labels[st.op] = len(p.fn.body)
		return
	}
	for p.tok.kind == tokDot {
		st.mods = append(st.mods, p.tok.text)
		p.advance()
	}
	for p.err == nil && !p.is(";") {
		st.args = append(st.args, p.operand(0))
		if !p.is(";") && !p.accept(",") {
			p.fail("expected , or ;")
		}
	}
	st.text = strings.Join(strings.Fields(p.lex.src[start:min(max(start, p.tok.pos), len(p.lex.src))]), " ")
	p.expect(";")
	p.fn.body = append(p.fn.body, st)
}

// operand reads one operand (PTX ISA, "Instruction Operands").
func (p *parser) operand(depth int) operand {
	if depth > 4 {
		p.fail("operand nested too deeply")
	}
	o := operand{also: -1}
	switch {
	case p.accept("{"):
		o.kind = opdVec
		o.list = p.operands("}", depth)
	case p.accept("("):
		o.kind = opdList
		o.list = p.operands(")", depth)
	case p.accept("["):
		o.kind = opdMem
		o.list = p.operands("]", depth)
		if len(o.list) == 1 {
			o.off, o.list[0].off = o.list[0].off, 0
		}
	case p.accept("!"):
		o = p.operand(depth + 1)
		o.neg = !o.neg
		return o
	case p.tok.kind == tokFloat, p.is("-") && depth < 4:
		neg := p.accept("-")
		if neg && p.tok.kind == tokInt {
			o.kind, o.val = opdImm, -p.tok.value
			p.advance()
			break
		}
		if p.tok.kind != tokFloat {
			p.fail("expected a number")
			return o
		}
		o.kind, o.val, o.bits = opdFloat, p.tok.value, p.tok.bits
		if neg {
			o.val ^= 1 << (p.tok.bits - 1)
		}
		p.advance()
	case p.tok.kind == tokInt:
		o.kind, o.val = opdImm, p.tok.value
		p.advance()
	default:
		p.named(&o)
	}
	if p.is("+") || p.is("-") {
		sign := int64(1)
		if p.is("-") {
			sign = -1
		}
		p.advance()
		o.off = sign * p.integer()
	}
	return o
}

// operands reads a list up to its closing bracket.
func (p *parser) operands(end string, depth int) []operand {
	var list []operand
	for p.err == nil && !p.accept(end) {
		list = append(list, p.operand(depth+1))
		if !p.is(end) {
			p.expect(",")
		}
	}
	return list
}

// named reads a register, variable, special register, label or function.
func (p *parser) named(o *operand) {
	name := p.ident()
	if name == "_" {
		o.kind = opdUnused
		return
	}
	if r, ok := p.register(name); ok {
		o.kind, o.reg = opdReg, r
		if p.accept("|") {
			if q, ok := p.register(p.tok.text); ok {
				o.also = q
			} else if !p.is("_") {
				p.fail("expected a predicate")
			}
			p.advance()
		}
		if p.tok.kind == tokDot { // component of a vector register
			p.fail("vector registers are not supported")
		}
		return
	}
	if v := p.variable(name); v != nil {
		o.kind, o.v = opdVar, v
		return
	}
	o.kind, o.name = opdSym, name
	for p.tok.kind == tokDot { // %tid.x, or a modifier like .reuse
		o.name += p.tok.text
		p.advance()
	}
	if p.accept("|") {
		p.ident()
	}
}
