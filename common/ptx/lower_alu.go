package ptx

import (
	"slices"
	"strings"
)

// An aluForm is an arithmetic instruction taken apart.
type aluForm struct {
	op    string // with the part that changes its meaning: mul.lo, shf.l.wrap
	types []typ
	cmp   string // of setp, set
	logic string // and, or, xor of setp
	round string
	floatMods
	approx bool
	finite bool // .satfinite
	carry  bool // .cc
	to     bool // cvta.to
	space  space
	rest   []string // what none of these is
}

var roundingNames = []string{".rn", ".rz", ".rm", ".rp", ".rni", ".rzi", ".rmi", ".rpi"}

// What changes the meaning of an instruction besides types and roundings.
var meanings = []string{".lo", ".hi", ".wide", ".l", ".r", ".wrap", ".clamp", ".shiftamt", ".NaN", ".xorsign", ".abs",
	".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16", ".finite", ".infinite", ".number", ".notanumber", ".normal", ".subnormal"}

var comparisons = []string{".eq", ".ne", ".lt", ".le", ".gt", ".ge", ".lo", ".ls", ".hi", ".hs",
	".equ", ".neu", ".ltu", ".leu", ".gtu", ".geu", ".num", ".nan"}

func takeApart(st *stmt) aluForm {
	f := aluForm{op: st.op}
	compares := st.op == "setp" || st.op == "set"
	for _, mod := range st.mods {
		t, isType := types[mod]
		switch {
		case isType:
			f.types = append(f.types, t)
		case slices.Contains(roundingNames, mod):
			f.round = mod[1:]
		case mod == ".full", mod == ".uni": // changes nothing, or its error is documented
		case mod == ".approx":
			f.approx = true
		case mod == ".ftz":
			f.flush = true
		case mod == ".sat":
			f.sat = true
		case mod == ".relu":
			f.relu = true
		case mod == ".satfinite":
			f.finite = true
		case mod == ".cc":
			f.carry = true
		case compares && slices.Contains(comparisons, mod):
			f.cmp = mod[1:]
		case compares && (mod == ".and" || mod == ".or" || mod == ".xor"):
			f.logic = mod[1:]
		case st.op == "cvta" && mod == ".to":
			f.to = true
		case st.op == "cvta" && spaces[mod] != 0:
			f.space = spaces[mod]
		case slices.Contains(meanings, mod):
			f.op += mod
		default:
			f.rest = append(f.rest, mod)
		}
	}
	f.floatMods.round = roundings[f.round]
	return f
}

// sourceTypes returns the types that the sources are read as.
func (f *aluForm) sourceTypes(n int) []typ {
	t := f.types[len(f.types)-1]
	ts := []typ{t, t, t, t}[:n]
	u32 := typ{'u', 32}
	switch op, _, _ := strings.Cut(f.op, "."); op {
	case "shl", "shr":
		ts[1] = u32
	case "slct":
		ts[0], ts[1] = f.types[0], f.types[0]
	case "bfe":
		ts[1], ts[2] = u32, u32
	case "bfi":
		ts[2], ts[3] = u32, u32
	case "mul", "mad":
		if n == 3 && strings.HasSuffix(f.op, "wide") {
			ts[2] = typ{t.kind, 2 * t.bits}
		}
	}
	return ts
}

// Number of sources of each instruction that becomes a rowFn.
var arity = map[string]int{
	"mov": 1, "cvt": 1, "cvta": 1, "neg": 1, "not": 1, "cnot": 1, "abs": 1, "popc": 1, "clz": 1, "brev": 1,
	"bfind": 1, "rcp": 1, "sqrt": 1, "rsqrt": 1, "sin": 1, "cos": 1, "ex2": 1, "lg2": 1, "tanh": 1,
	"add": 2, "sub": 2, "mul": 2, "mul24": 2, "div": 2, "rem": 2, "min": 2, "max": 2, "and": 2, "or": 2,
	"xor": 2, "shl": 2, "shr": 2, "copysign": 2, "set": 2, "bmsk": 2, "szext": 2,
	"mad": 3, "dp2a": 3, "dp4a": 3, "fns": 3, "mad24": 3, "fma": 3, "sad": 3, "bfe": 3, "shf": 3, "prmt": 3, "slct": 3,
	"bfi": 4, "lop3": 4,
}

func (l *lowerer) alu() error {
	st := l.st
	f := takeApart(st)
	if len(f.types) == 0 || len(f.rest) > 0 {
		return l.unsupported("")
	}
	t := f.types[len(f.types)-1]
	switch {
	case st.op == "setp":
		return l.setp(f)
	case st.op == "testp":
		return l.testp(f)
	case st.op == "selp":
		return l.selp(f)
	case st.op == "cvt" && len(st.args) == 3:
		return l.convertPair(f)
	case f.carry || st.op == "addc" || st.op == "subc" || st.op == "madc":
		return l.extended(f)
	case t.kind == 'p':
		return l.predicates(f)
	case st.op == "mov" && len(st.args) == 2 && (st.args[0].kind == opdVec || st.args[1].kind == opdVec):
		return l.movVector(t)
	}
	n, ok := arity[st.op]
	for _, t := range f.types {
		ok = ok && strings.ContainsRune("usbfgFGUS", rune(t.kind))
	}
	if !ok || len(st.args) != n+1 {
		return l.unsupported("")
	}
	in, err := l.operands(&f, n)
	if err != nil {
		return err
	}
	if !l.compute(&f, &in) {
		return l.unsupported("")
	}
	l.emit(in)
	return nil
}

// operands fills in destination and sources.
func (l *lowerer) operands(f *aluForm, n int) (instr, error) {
	var in instr
	var err error
	if in.d, _, err = l.register(l.st.args[0]); err != nil {
		return in, err
	}
	ts := f.sourceTypes(n)
	for i, r := range []*int32{&in.a, &in.b, &in.c, &in.e}[:n] {
		if *r, err = l.source(l.st.args[i+1], ts[i]); err != nil {
			return in, err
		}
	}
	return in, nil
}

// compute finds what an instruction computes, and reports whether it is known.
func (l *lowerer) compute(f *aluForm, in *instr) bool {
	t := f.types[len(f.types)-1]
	name := l.fastName(f, t)
	in.fn, in.affine, in.bits = fast[name], affineFns[name], bitsOf[f.op]
	if f.op == "cvta" && f.space == spLocal && !f.to {
		in.bits = bitsLocal
	}
	if in.affine != nil {
		return true
	}
	lane := l.laneFn(f, t)
	if lane == nil {
		return false
	}
	if in.fn == nil {
		in.fn = rows(lane)
	}
	in.affine = uniform(lane)
	return true
}

// fastName returns the name of the hand-written loop, or "".
func (l *lowerer) fastName(f *aluForm, t typ) string {
	if _, packed := t.element(); packed || f.flush || f.sat || f.relu {
		return ""
	}
	switch f.op {
	case "mov", "and", "or", "xor":
		return f.op
	case "cvta":
		if t.bits == 64 && (f.space == spGlobal || f.space == spConst) {
			return "mov"
		}
	case "cvt":
		from, to := t, f.types[0]
		switch {
		case from == typ{'u', 32} && to.bits == 64 && to.kind != 'f' && l.fits(l.st.args[1], from):
			return "mov"
		case from.bits == 64 && from.kind != 'f' && to == typ{'u', 32}:
			return "cvt.u32.u64"
		}
		if from == (typ{'s', 32}) && to == (typ{'s', 64}) {
			return "cvt.s64.s32"
		}
	case "add":
		if t.kind == 'f' {
			if t.bits == 32 && (f.round == "" || f.round == "rn") {
				return "add.f32"
			}
			return ""
		}
		return [3]string{"", "add32", "add64"}[t.bits/32]
	case "sub", "mul.lo", "mad.lo", "shl":
		if t.kind != 'f' && t.bits == 32 {
			return f.op + "32"
		}
		if f.op == "shl" && t.bits == 64 {
			return "shl64"
		}
	case "mul.wide", "max":
		if t.bits == 32 && t.kind != 'f' {
			return f.op + "." + string(rune(t.kind)) + "32"
		}
	}
	return ""
}

// fits reports whether a source has no bits above those of its type. Registers of cvt may
// be wider (PTX ISA, "Operand Size Exceeding Instruction-Type Size").
func (l *lowerer) fits(o operand, t typ) bool {
	return o.kind != opdReg || l.top().f.regs[o.reg].bits <= t.bits
}

func (l *lowerer) laneFn(f *aluForm, t typ) laneFn {
	if e, packed := t.element(); packed && f.op != "cvt" {
		half := *f
		half.types = slices.Clone(f.types)
		for i := range half.types {
			half.types[i], _ = half.types[i].element()
		}
		return pair(l.laneFn(&half, e))
	}
	switch f.op {
	case "cvt":
		return l.cvt(f)
	case "cvta":
		return cvta(f)
	case "set":
		return set(f)
	case "slct":
		return slct(f)
	case "lop3":
		if table := l.st.args[4]; table.kind == opdImm && t.bits == 32 {
			return lop3(table.val)
		}
		return nil
	}
	if format, ok := formatOf(t); ok {
		return floatLane(f, format)
	}
	switch {
	case f.sat:
		return addSat(f, t)
	case f.op == "mul", f.op == "mad", f.op == "mul24", f.op == "mad24", f.op == "dp2a", f.round != "", f.flush:
		return nil
	case f.op == "dp4a", f.op == "dp2a.lo", f.op == "dp2a.hi":
		return dot(f.op, f.types)
	case f.relu && (t.kind != 's' || f.op != "min" && f.op != "max"):
		return nil
	}
	lane := integer(f.op, t.kind == 's', t.bits)
	if f.relu && lane != nil {
		return func(a, b, c, e uint64) uint64 { return uint64(max(sx(lane(a, b, c, e), t.bits), 0)) }
	}
	return lane
}

func floatLane(f *aluForm, format format) laneFn {
	switch _, known := roundings[f.round]; {
	case !known, f.finite, f.relu && (f.op != "fma" || format.fraction > halfFormat.fraction):
		return nil
	case f.op == "mad":
		return float("fma", format, f.floatMods)
	case f.op == "div" && f.approx && format == singleFormat:
		return f.around(format, divideApprox)
	}
	return float(f.op, format, f.floatMods)
}

// pair makes the lane function of two values of 16 bits from that of one.
func pair(half laneFn) laneFn {
	if half == nil {
		return nil
	}
	return func(a, b, c, e uint64) uint64 {
		const low = 0xffff
		return half(a&low, b&low, c&low, e&low)&low | half(a>>16, b>>16, c>>16, e>>16)&low<<16
	}
}

func addSat(f *aluForm, t typ) laneFn {
	if t != (typ{'s', 32}) || f.op != "add" && f.op != "sub" {
		return nil
	}
	sign := int64(1)
	if f.op == "sub" {
		sign = -1
	}
	return func(a, b, _, _ uint64) uint64 {
		v := sx(a, 32) + sign*sx(b, 32)
		return uint64(max(-1<<31, min(v, 1<<31-1))) & mask(32)
	}
}

// cvt extends a signed result to the width of the register.
func (l *lowerer) cvt(f *aluForm) laneFn {
	if len(f.types) != 2 {
		return nil
	}
	to, from := f.types[0], f.types[1]
	lane := conversion{to, from, f.round, f.floatMods, f.finite}.lane()
	_, width, err := l.register(l.st.args[0])
	if lane == nil || err != nil || width < to.bits {
		return nil
	}
	m := mask(width)
	return func(a, b, c, e uint64) uint64 { return lane(a, b, c, e) & m }
}

// convertPair is cvt of two numbers to a pair of 16-bit floats, the first in the upper half.
func (l *lowerer) convertPair(f aluForm) error {
	if len(f.types) != 2 {
		return l.unsupported("")
	}
	to, packed := f.types[0].element()
	half := conversion{to, f.types[1], f.round, f.floatMods, f.finite}.lane()
	if !packed || !to.isFloat() || f.types[1] != (typ{'f', 32}) || half == nil {
		return l.unsupported("")
	}
	in, err := l.operands(&f, 2)
	if err != nil {
		return err
	}
	both := func(a, b, _, _ uint64) uint64 { return half(a, 0, 0, 0)<<16 | half(b, 0, 0, 0) }
	l.emitLane(in, both)
	return nil
}

// cvta adds or takes away the start of the window of a space.
func cvta(f *aluForm) laneFn {
	if f.types[0].bits != 64 {
		return nil
	}
	var window uint64
	switch f.space {
	case spShared:
		window = sharedWindow
	case spLocal:
		window = localWindow
	case spParam:
		window = paramWindow
	case spGlobal, spConst:
	default:
		return nil
	}
	if f.to {
		window = -window
	}
	return func(a, _, _, _ uint64) uint64 { return a + window }
}

// set gives 1 in a float and all ones in an integer (PTX ISA, "set").
func set(f *aluForm) laneFn {
	if len(f.types) != 2 || f.logic != "" || f.types[0].bits > 32 {
		return nil
	}
	test := compareFtz(f, f.types[1])
	if test == nil {
		return nil
	}
	yes := mask(f.types[0].bits)
	if format, ok := formatOf(f.types[0]); ok {
		yes = format.round(1, toNearest)
	}
	return func(a, b, _, _ uint64) uint64 {
		if test(a, b) {
			return yes
		}
		return 0
	}
}

func slct(f *aluForm) laneFn {
	if len(f.types) != 2 || f.types[1].bits != 32 || f.types[1].kind == 'b' {
		return nil
	}
	flush := f.flush
	if f.types[1].kind == 'f' {
		return func(a, b, c, _ uint64) uint64 {
			if flush {
				c = singleFormat.flush(c)
			}
			if f32(c) >= 0 {
				return a
			}
			return b
		}
	}
	return func(a, b, c, _ uint64) uint64 {
		if int32(c) >= 0 {
			return a
		}
		return b
	}
}

func compareFtz(f *aluForm, t typ) func(a, b uint64) bool {
	test := compare(f.cmp, t)
	format, ok := formatOf(t)
	if test == nil || !f.flush || !ok {
		return test
	}
	return func(a, b uint64) bool { return test(format.flush(a), format.flush(b)) }
}

var logic = map[string]func(a, b uint32) uint32{
	"and": func(a, b uint32) uint32 { return a & b },
	"or":  func(a, b uint32) uint32 { return a | b },
	"xor": func(a, b uint32) uint32 { return a ^ b },
	"mov": func(a, _ uint32) uint32 { return a },
	"not": func(a, _ uint32) uint32 { return ^a },
}

// setp compares, and combines with another predicate if there is one.
func (l *lowerer) setp(f aluForm) error {
	st := l.st
	want := 3
	in := instr{op: opSetp, q: -1, logic: logic["mov"]}
	if f.logic != "" {
		want, in.logic = 4, logic[f.logic]
	}
	t := f.types[0]
	if len(st.args) != want || len(f.types) != 1 || f.sat || f.round != "" {
		return l.unsupported("")
	}
	var err error
	if st.args[0].kind == opdUnused {
		in.p = l.newPredicate()
	} else if in.p, err = l.predicate(st.args[0]); err != nil || in.p <= predTrue {
		return l.unsupported("expected a predicate")
	}
	if also := st.args[0].also; also >= 0 {
		if in.q, err = l.predicate(operand{kind: opdReg, reg: also}); err != nil {
			return err
		}
	}
	for i, r := range []*int32{&in.a, &in.b} {
		if *r, err = l.source(st.args[i+1], t); err != nil {
			return err
		}
	}
	if want == 4 {
		if in.c, err = l.predicate(st.args[3]); err != nil {
			return err
		}
		if st.args[3].neg {
			combine := in.logic
			in.logic = func(a, b uint32) uint32 { return combine(a, ^b) }
		}
	}
	e, packed := t.element()
	test := compareFtz(&f, e)
	if test == nil {
		return l.unsupported("")
	}
	if packed {
		l.setpPair(in, test)
		return nil
	}
	l.emitTest(in, f.cmp, t, test)
	return nil
}

func (l *lowerer) emitTest(in instr, cmp string, t typ, test func(a, b uint64) bool) {
	in.cmp, in.cmpAffine = compareRows(cmp, t, test), compareAffine(t, test)
	l.emit(in)
}

// setpPair sets p by the lower halves and q by the upper ones.
func (l *lowerer) setpPair(in instr, test func(a, b uint64) bool) {
	t := typ{'b', 16}
	p, q := in.p, in.q
	in.p, in.q = l.newPredicate(), -1 // p may be among the sources
	l.emitTest(in, "", t, func(a, b uint64) bool { return test(a&0xffff, b&0xffff) })
	low := in.p
	if q >= 0 {
		in.p = q
		l.emitTest(in, "", t, func(a, b uint64) bool { return test(a>>16, b>>16) })
	}
	l.emit(instr{op: opPred, p: p, a: low, b: predFalse, logic: logic["mov"]})
}

func (l *lowerer) newPredicate() int32 {
	l.p.npreds++
	return int32(l.p.npreds - 1)
}

// testp asks what kind of number a float is (PTX ISA, "testp").
func (l *lowerer) testp(f aluForm) error {
	st := l.st
	format, ok := formatOf(f.types[0])
	test := property(strings.TrimPrefix(f.op, "testp."), format)
	if !ok || test == nil || len(st.args) != 2 {
		return l.unsupported("")
	}
	p, err := l.predicate(st.args[0])
	if err != nil || p <= predTrue {
		return l.unsupported("expected a predicate")
	}
	a, err := l.source(st.args[1], f.types[0])
	l.emitTest(instr{op: opSetp, a: a, p: p, q: -1, logic: logic["mov"]}, "", f.types[0], test)
	return err
}

// compareRows makes a mask of the lanes that pass a test; the tests of signed
// words are written out because every guard has one.
func compareRows(cmp string, t typ, test func(a, b uint64) bool) func(a, b *row) uint32 {
	if t == (typ{'s', 32}) {
		switch cmp {
		case "ge", "lt":
			flip := uint32(0)
			if cmp == "ge" {
				flip = ^flip
			}
			return func(a, b *row) uint32 {
				m := uint32(0)
				for i := range a {
					// The sign of the difference in 64 bits says less.
					m |= uint32(uint64(int64(int32(a[i]))-int64(int32(b[i])))>>63) << i
				}
				return m ^ flip
			}
		case "gt", "le":
			other := compareRows(map[string]string{"gt": "lt", "le": "ge"}[cmp], t, nil)
			return func(a, b *row) uint32 { return other(b, a) }
		}
	}
	return func(a, b *row) uint32 {
		m := uint32(0)
		for i := range a {
			if test(a[i], b[i]) {
				m |= 1 << i
			}
		}
		return m
	}
}

func (l *lowerer) selp(f aluForm) error {
	st := l.st
	if len(st.args) != 4 || !strings.ContainsRune("usbf", rune(f.types[0].kind)) {
		return l.unsupported("")
	}
	in := instr{op: opSelp}
	var err error
	if in.d, _, err = l.register(st.args[0]); err != nil {
		return err
	}
	for i, r := range []*int32{&in.a, &in.b} {
		if *r, err = l.source(st.args[i+1], f.types[0]); err != nil {
			return err
		}
	}
	in.p, err = l.predicate(st.args[3])
	if st.args[3].neg {
		in.a, in.b = in.b, in.a
	}
	l.emit(in)
	return err
}

// predicates handles and.pred, or.pred, xor.pred, not.pred and mov.pred.
func (l *lowerer) predicates(f aluForm) error {
	st := l.st
	fn := logic[st.op]
	n := 2
	if st.op == "mov" || st.op == "not" {
		n = 1
	}
	if fn == nil || len(st.args) != n+1 {
		return l.unsupported("")
	}
	in := instr{op: opPred, logic: fn, b: predFalse}
	var err error
	if st.args[0].kind == opdUnused {
		in.p = l.newPredicate()
	} else if in.p, err = l.predicate(st.args[0]); err != nil || in.p <= predTrue {
		return l.unsupported("expected a predicate")
	}
	for i, r := range []*int32{&in.a, &in.b}[:n] {
		if *r, err = l.predicate(st.args[i+1]); err != nil || st.args[i+1].neg {
			return l.unsupported("")
		}
	}
	l.emit(in)
	return nil
}

// movVector packs {a, b} into a wider register or unpacks it.
func (l *lowerer) movVector(t typ) error {
	dst, src := l.st.args[0], l.st.args[1]
	vec := dst.list
	if dst.kind != opdVec {
		vec = src.list
	}
	if len(vec) != 2 && len(vec) != 4 || t.bits/len(vec) < 8 || dst.kind == opdVec && src.kind == opdVec {
		return l.unsupported("")
	}
	width := t.bits / len(vec)
	part := typ{'b', width}
	if dst.kind == opdVec {
		a, err := l.source(src, t)
		if err != nil {
			return err
		}
		for i, o := range vec {
			if o.kind == opdUnused {
				continue
			}
			d, _, err := l.register(o)
			if err != nil {
				return err
			}
			shift := i * width
			part := func(a, _, _, _ uint64) uint64 { return a >> shift & mask(width) }
			l.emitLane(instr{op: opALU, d: d, a: a}, part)
		}
		return nil
	}
	in := instr{op: opALU}
	var err error
	if in.d, _, err = l.register(dst); err != nil {
		return err
	}
	zero := l.p.constRow(0)
	in.a, in.b, in.c, in.e = zero, zero, zero, zero
	for i, r := range []*int32{&in.a, &in.b, &in.c, &in.e}[:len(vec)] {
		if *r, err = l.source(vec[i], part); err != nil {
			return err
		}
	}
	w := width
	whole := func(a, b, c, e uint64) uint64 { return a | b<<w | c<<(2*w) | e<<(3*w) }
	l.emitLane(in, whole)
	return nil
}
