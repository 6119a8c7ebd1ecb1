package ptx

import (
	"fmt"
	"slices"
	"strings"
)

// Windows of the generic address space, in the slot of address 0 that no
// allocation uses. Address 0 of a space lies in the middle of its window, so
// that an index that is wrong either way stays in it.
const (
	windowSize   = 1 << 36
	sharedWindow = 1*windowSize + windowSize/2
	localWindow  = 2*windowSize + windowSize/2
	paramWindow  = 3*windowSize + windowSize/2
)

const (
	maxCode  = 1 << 20   // bounds the expansion of calls
	maxLocal = 512 << 10 // a thread (Programming Guide, "Technical Specifications")
)

// A lowerer turns statements into a program.
type lowerer struct {
	p     *program
	m     *Module
	stack []*frame
	st    *stmt
	sub   *subroutine // that is being lowered, nil for the entry
}

// A frame is one function being expanded: the entry or a call.
type frame struct {
	f      *function
	call   *stmt             // of f, nil for the entry
	regs   []int32           // rows or predicates by register number
	vars   map[*variable]int // offset in the thread's local memory
	starts []int32           // code index by statement
	fixups []fixup
	exits  []int32 // ret: branches to the end
}

type fixup struct {
	code  int32
	label string
	st    *stmt
}

func (l *lowerer) top() *frame { return l.stack[len(l.stack)-1] }

func (l *lowerer) unsupported(format string, args ...any) error {
	return &Unsupported{Kernel: l.p.entry.Name, Site: l.site(), Reason: fmt.Sprintf(format, args...)}
}

// function expands f with its parameters and results bound to places in local
// memory; those of an entry are bound to nothing.
func (l *lowerer) function(f *function, params, rets []int) error {
	fr := &frame{f: f, call: l.st, vars: map[*variable]int{}}
	for _, t := range f.regs {
		if t.kind == 'p' {
			fr.regs = append(fr.regs, int32(l.p.npreds))
			l.p.npreds++
		} else {
			fr.regs = append(fr.regs, l.p.newRow())
		}
	}
	for i, off := range params {
		fr.vars[f.params[i]] = off
	}
	for i, off := range rets {
		fr.vars[f.rets[i]] = off
	}
	l.stack = append(l.stack, fr)
	for i := range f.body {
		l.st = &f.body[i]
		fr.starts = append(fr.starts, int32(len(l.p.code)))
		if err := l.statement(); err != nil {
			return err
		}
		if len(l.p.code) > maxCode {
			return l.unsupported("the kernel is too large")
		}
		if *l.frameSize() > maxLocal {
			return l.unsupported("more than %d bytes of local memory a thread", maxLocal)
		}
	}
	end := int32(len(l.p.code))
	fr.starts = append(fr.starts, end)
	for _, x := range fr.exits {
		l.p.code[x].target = end
	}
	for _, fix := range fr.fixups {
		at, ok := f.labels[fix.label]
		if !ok {
			l.st = fix.st
			return l.unsupported("no label %s in this function", fix.label)
		}
		l.p.code[fix.code].target = fr.starts[at]
	}
	l.stack = l.stack[:len(l.stack)-1]
	return nil
}

// emit appends an instruction with the guard and site of the statement.
func (l *lowerer) emit(in instr) {
	in.guard = -1
	if l.st.pred >= 0 {
		in.guard, in.guardNot = l.top().regs[l.st.pred], l.st.predNot
	}
	if in.op != opSetp {
		in.q = -1
	}
	in.site = int32(len(l.p.sites))
	l.p.sites = append(l.p.sites, l.site())
	l.p.code = append(l.p.code, in)
}

// site describes the statement. What a header's function does is the doing of the line
// that calls it.
func (l *lowerer) site() Site {
	s := l.m.site(l.top().f, l.st)
	for i := len(l.stack) - 1; i > 0 && s.File != "" && !isSource(s.File); i-- {
		if at := l.m.site(l.stack[i-1].f, l.stack[i].call); at.File != "" {
			s.File, s.Line = at.File, at.Line
		}
	}
	return s
}

// place returns where a variable of local or param space lies in local memory.
func (l *lowerer) place(v *variable) int {
	fr := l.top()
	off, ok := fr.vars[v]
	if !ok {
		size := l.frameSize()
		off = roundUp(*size, max(v.align, 4))
		fr.vars[v] = off
		*size = off + v.size
	}
	return off
}

// frameSize is what the frame has so far.
func (l *lowerer) frameSize() *int {
	if l.sub != nil {
		return &l.sub.size
	}
	return &l.p.localBytes
}

func (l *lowerer) statement() error {
	st := l.st
	switch st.op {
	case "bra":
		if len(st.args) != 1 || st.args[0].kind != opdSym {
			return l.unsupported("")
		}
		l.top().fixups = append(l.top().fixups, fixup{int32(len(l.p.code)), st.args[0].name, st})
		l.emit(instr{op: opBra})
		return nil
	case "brx":
		return l.branchByIndex()
	case "ret", "exit":
		if st.op == "exit" || len(l.stack) == 1 && l.sub == nil {
			l.emit(instr{op: opExit})
			return nil
		}
		if len(l.stack) == 1 {
			l.emit(instr{op: opReturn, d: l.p.frame})
			return nil
		}
		l.top().exits = append(l.top().exits, int32(len(l.p.code)))
		l.emit(instr{op: opBra})
		return nil
	case "call":
		return l.call()
	case "ld", "ldu", "st":
		return l.memory()
	case "bar", "barrier":
		return l.barrier()
	case "membar", "fence":
		return l.fence()
	case "prefetch", "prefetchu", "discard", "applypriority", // hints
		"nanosleep", "pmevent", "griddepcontrol": // no time passes, and one kernel runs
		return nil
	case "createpolicy":
		return l.createPolicy()
	case "isspacep":
		return l.isSpace()
	case "cp":
		return l.copyAsync()
	case "shfl":
		return l.shuffle()
	case "trap", "brkpt":
		l.emit(instr{op: opTrap, d: -1, warp: trap})
		return nil
	case "atom", "red":
		return l.atomic()
	case "vote":
		return l.vote()
	case "match":
		return l.match()
	case "redux":
		return l.redux()
	case "elect":
		return l.elect()
	case "activemask":
		return l.activeMask()
	}
	return l.alu()
}

// branchByIndex makes a chain of branches of a brx.idx. An index beyond the
// last target is undefined and goes there.
func (l *lowerer) branchByIndex() error {
	st := l.st
	if len(st.args) != 2 || st.args[1].kind != opdSym || st.pred >= 0 || len(st.mods) == 0 || st.mods[0] != ".idx" {
		return l.unsupported("")
	}
	u32 := typ{'u', 32}
	index, err := l.source(st.args[0], u32)
	if err != nil {
		return err
	}
	targets := l.top().f.targets[st.args[1].name]
	if len(targets) == 0 {
		return l.unsupported("no .branchtargets %s", st.args[1].name)
	}
	equal := int32(l.p.npreds)
	l.p.npreds++
	for i, label := range targets {
		last := i == len(targets)-1
		if !last {
			l.emit(instr{op: opSetp, a: index, b: l.p.constRow(uint64(i)), p: equal, q: -1, logic: logic["mov"],
				cmp: compareRows("eq", u32, compare("eq", u32)), cmpAffine: compareAffine(u32, compare("eq", u32))})
		}
		l.top().fixups = append(l.top().fixups, fixup{int32(len(l.p.code)), label, st})
		l.emit(instr{op: opBra, indexed: true})
		if !last {
			l.p.code[len(l.p.code)-1].guard = equal
		}
	}
	return nil
}

func (l *lowerer) call() error {
	st := l.st
	g := l.m.callee(st)
	if g != nil && !g.ended && system[g.name] != nil {
		return system[g.name](l)
	}
	if g == nil || !g.ended {
		return l.unsupported("call of a function that this text does not define")
	}
	if st.pred >= 0 {
		return l.unsupported("guarded call")
	}
	rets, params, err := l.arguments(len(g.rets), len(g.params))
	if err != nil {
		return err
	}
	if l.m.callsItself(g) {
		l.callSubroutine(g, params, rets)
		return nil
	}
	return l.function(g, params, rets)
}

// arguments returns where the results and parameters of a call lie in local memory.
func (l *lowerer) arguments(rets, params int) ([]int, []int, error) {
	var lists [2][]int // before and after the name
	after := 0
	for _, a := range l.st.args {
		if a.kind == opdSym {
			after = 1
			continue
		}
		for _, o := range a.list {
			if o.kind != opdVar || o.v.space != spParam || o.v.entry {
				return nil, nil, l.unsupported("argument that is no .param")
			}
			lists[after] = append(lists[after], l.place(o.v))
		}
	}
	if len(lists[0]) != rets || len(lists[1]) != params {
		return nil, nil, l.unsupported("arguments do not fit the function")
	}
	return lists[0], lists[1], nil
}

func (l *lowerer) barrier() error {
	st := l.st
	if strings.Join(st.mods, "") == ".warp.sync" && len(st.args) == 1 {
		l.p.ordered = true
		return l.sync(instr{d: -1, warp: syncWarp}, st.args[0])
	}
	mods := slices.DeleteFunc(slices.Clone(st.mods), func(m string) bool { return m == ".cta" || m == ".aligned" })
	kind, args := strings.Join(mods, ""), st.args
	l.p.barriers = true
	if kind == ".sync" && len(args) == 1 && args[0].kind == opdImm && args[0].val == 0 {
		l.emit(instr{op: opBar})
		return nil
	}
	return l.namedBarrier(kind, args)
}

// register returns the row of a register operand and its width.
func (l *lowerer) register(o operand) (int32, int, error) {
	if o.kind != opdReg || o.neg {
		return 0, 0, l.unsupported("expected a register")
	}
	t := l.top().f.regs[o.reg]
	switch t.kind {
	case 'p', 'q', 't':
		return 0, 0, l.unsupported("register of an unsuitable type")
	}
	return l.top().regs[o.reg], t.bits, nil
}

func (l *lowerer) predicate(o operand) (int32, error) {
	if o.kind == opdImm {
		if o.val != 0 {
			return predTrue, nil
		}
		return predFalse, nil
	}
	if o.kind != opdReg || l.top().f.regs[o.reg].kind != 'p' {
		return 0, l.unsupported("expected a predicate")
	}
	return l.top().regs[o.reg], nil
}

// source returns the row of an operand that is read as type t.
func (l *lowerer) source(o operand, t typ) (int32, error) {
	switch o.kind {
	case opdReg:
		r, _, err := l.register(o)
		return r, err
	case opdImm:
		if e, _ := t.element(); e.isFloat() { // PTX wants 0f and 0d there
			return 0, l.unsupported("integer constant for a float")
		}
		return l.p.constRow(o.val & mask(t.bits)), nil
	case opdFloat:
		return l.p.constRow(floatConst(o, t)), nil
	case opdVar:
		return l.address(o.v, o.off)
	case opdSym:
		if clock, ok := clocks[o.name]; ok {
			return l.clock(clock), nil
		}
		if o.name == "WARP_SZ" {
			return l.p.constRow(32), nil
		}
		if r, ok := l.p.specialRow(o.name); ok {
			return r, nil
		}
		return 0, l.unsupported("unknown name %s", o.name)
	}
	return 0, l.unsupported("operand")
}

// floatConst returns the bits of a float constant as type t.
func floatConst(o operand, t typ) uint64 {
	if t.bits == 32 && o.bits == 64 {
		return bits32(float32(f64(o.val)))
	}
	if t.bits == 64 && o.bits == 32 {
		return bits64(float64(f32(o.val)))
	}
	return o.val & mask(t.bits)
}

// address returns a row with the address of a variable in its own space.
func (l *lowerer) address(v *variable, off int64) (int32, error) {
	switch v.space {
	case spShared:
		a := l.p.shared.arrays[l.p.shared.at[v]]
		return l.p.constRow(uint64(a.start) + uint64(off)), nil
	case spParam:
		if v.entry {
			return l.p.constRow(uint64(l.p.paramOff[v]) + uint64(off)), nil
		}
		fallthrough
	case spLocal:
		at := l.p.constRow(uint64(l.place(v)) + uint64(off))
		if l.sub == nil {
			return at, nil
		}
		r := l.p.newRow()
		l.emit(instr{op: opALU, d: r, a: l.p.frame, b: at, fn: fast["add64"], affine: affineFns["add64"]})
		return r, nil
	}
	if v.extern || v.reloc {
		return 0, l.unsupported("variable %s is defined elsewhere or holds an address", v.name)
	}
	return l.p.fixedRow(fixedRow{val: uint64(off), v: v, param: -1}), nil
}

// Other threads see what instructions with signalMods do, and see it in time.
var (
	memMods    = []string{".release", ".weak", ".cta", ".cluster", ".gpu", ".sys", ".ca", ".cg", ".cs", ".lu", ".wb", ".wt", ".nc", ".unified"}
	signalMods = []string{".volatile", ".relaxed", ".acquire", ".mmio", ".cv"}
)

func (l *lowerer) memory() error {
	st := l.st
	m := &memOp{store: st.op == "st", n: 1, index: len(l.p.mems)}
	var t typ
	for _, mod := range st.mods {
		mod, _, _ = strings.Cut(mod, "::")
		switch ty, isType := types[mod]; {
		case isType:
			t = ty
		case spaces[mod] != 0:
			m.space = spaces[mod]
		case mod == ".v2", mod == ".v4":
			m.n = int(mod[2] - '0')
		case slices.Contains(signalMods, mod):
			l.p.signals = l.p.signals || st.op == "ld"
		case mod == ".L1", mod == ".L2", mod == ".level", slices.Contains(memMods, mod):
		default:
			return l.unsupported("modifier %s", mod)
		}
	}
	if slices.Contains(st.mods, ".shared::cluster") || !strings.Contains("usbf", string(rune(t.kind))) || t.kind == 0 {
		return l.unsupported("")
	}
	m.elem = t.bits / 8
	m.bytes = m.elem * m.n
	m.signed = t.kind == 's'
	if len(st.args) < 2 || m.bytes > 16 {
		return l.unsupported("")
	}
	addr, data := st.args[1], st.args[0]
	if m.store {
		addr, data = data, addr
	}
	if err := l.data(m, data, t); err != nil {
		return err
	}
	return l.memAddress(instr{op: opMem, mem: m}, addr)
}

// data fills in the registers that are loaded or stored.
func (l *lowerer) data(m *memOp, data operand, t typ) error {
	parts := []operand{data}
	if data.kind == opdVec {
		parts = data.list
	}
	if len(parts) != m.n {
		return l.unsupported("")
	}
	for i, o := range parts {
		var err error
		bits := t.bits
		switch {
		case o.kind == opdUnused && !m.store:
			m.regs[i] = -1
		case m.store:
			m.regs[i], err = l.source(o, t)
		default:
			m.regs[i], bits, err = l.register(o)
		}
		if err != nil {
			return err
		}
		m.masks[i] = mask(bits)
	}
	return nil
}

// memAddress emits an access to the place that addr says.
func (l *lowerer) memAddress(in instr, addr operand) error {
	m := in.mem
	if addr.kind != opdMem || len(addr.list) != 1 {
		return l.unsupported("")
	}
	base := addr.list[0]
	m.off = uint64(addr.off)
	var err error
	switch base.kind {
	case opdReg:
		var bits int
		m.base, bits, err = l.register(base)
		m.narrow = bits == 32
	case opdImm:
		m.base = l.p.constRow(base.val)
	case opdVar:
		if m.space == spParam && base.v.entry && !m.store {
			return l.loadParam(m, base.v, addr.off)
		}
		if sp := base.v.space; l.sub != nil && (sp == spLocal || sp == spParam && !base.v.entry) {
			m.base, m.off = l.p.frame, m.off+uint64(l.place(base.v))
		} else {
			m.base, err = l.address(base.v, 0)
		}
		if sp := base.v.space; sp != m.space {
			if m.space != spGeneric && m.space != spParam {
				return l.unsupported("%s is not in that space", base.v.name)
			}
			m.space = sp
		}
		if m.space == spParam && !base.v.entry {
			m.space = spLocal // a call's parameters and results
		}
	default:
		return l.unsupported("")
	}
	if m.space == spParam && m.store || m.space == spConst && m.store {
		return l.unsupported("store to read-only memory")
	}
	if err == nil {
		l.p.mems = append(l.p.mems, m)
		in.a = m.base
		l.emit(in)
	}
	return err
}

// loadParam makes the load of a kernel parameter a move: the value is the same
// for the whole launch.
func (l *lowerer) loadParam(m *memOp, v *variable, off int64) error {
	if off < 0 || off > int64(v.size-m.bytes) {
		return l.unsupported("outside the parameter")
	}
	for i := 0; i < m.n; i++ {
		if m.regs[i] < 0 {
			continue
		}
		src := l.p.fixedRow(fixedRow{param: l.p.paramOff[v] + int(off) + i*m.elem, size: m.elem, signed: m.signed, mask: m.masks[i]})
		l.emit(instr{op: opALU, d: m.regs[i], a: src, fn: fast["mov"], affine: affineFns["mov"]})
	}
	return nil
}
