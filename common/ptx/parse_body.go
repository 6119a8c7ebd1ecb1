package ptx

import "strings"

func (p *parser) function() {
	f := &function{line: p.tok.line, entry: p.is(".entry"), labels: map[string]int{}, targets: map[string][]string{}}
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
	for p.err == nil && p.tok.kind == tokDot {
		p.tuning()
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

// tuning reads a directive between the head and the body of a function, such
// as .maxntid 256, 1, 1 (PTX ISA, "Performance-Tuning Directives").
func (p *parser) tuning() {
	name := p.tok.text
	p.advance()
	size := [3]int{1, 1, 1}
	for i := 0; p.tok.kind == tokInt; i++ {
		if n := p.count(); i < 3 {
			size[i] = n
		}
		if !p.accept(",") {
			break
		}
	}
	switch block := (Dim3{size[0], size[1], size[2]}); name {
	case ".maxntid":
		p.fn.maxThreads = block.count()
	case ".reqntid":
		p.fn.reqBlock = block
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

// maxDepth bounds how deeply braces may be nested.
const maxDepth = 64

func (p *parser) body() {
	p.expect("{")
	depth := 1
	for p.err == nil && depth > 0 {
		switch {
		case p.is("{"):
			if depth++; depth > maxDepth {
				p.fail("braces nested too deeply")
			}
			p.advance()
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
	case ".branchtargets":
		p.branchTargets()
	default: // .callprototype belongs to an unsupported instruction
		p.until(";")
	}
}

// branchTargets reads the labels that a brx.idx chooses from; the label before
// them is their name.
func (p *parser) branchTargets() {
	p.advance()
	list := []string{p.ident()}
	for p.accept(",") {
		list = append(list, p.ident())
	}
	p.expect(";")
	p.fn.targets[p.label] = list
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
		p.fn.labels[st.op], p.label = len(p.fn.body), st.op
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
		p.second(o)
		return
	}
	if r, ok := p.register(name); ok {
		o.kind, o.reg = opdReg, r
		p.second(o)
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

// second reads the q of p|q.
func (p *parser) second(o *operand) {
	if !p.accept("|") {
		return
	}
	if q, ok := p.register(p.tok.text); ok {
		o.also = q
	} else if !p.is("_") {
		p.fail("expected a predicate")
	}
	p.advance()
}
