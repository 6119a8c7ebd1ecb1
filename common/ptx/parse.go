package ptx

import "math"

type parser struct {
	lex    lexer
	tok    token
	err    error
	m      *Module
	scopes []*scope
	fn     *function
	loc    int
	label  string // the newest
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
	l := loc{file: p.count(), line: p.count(), column: p.count()}
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
