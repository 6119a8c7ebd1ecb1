package ptx

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A Module is a parsed PTX text.
type Module struct {
	Version string   // the .version, such as "4.2"
	Target  string   // the .target, such as "sm_50"
	Entries []*Entry // kernels, in file order

	files map[int]string
	locs  []loc
	// Indices of locs, ascending, by file and line.
	locsOf map[[2]int][]int
	vars   []*variable // at module level
	funcs  map[string]*function
}

// Entry returns the kernel of that name, or nil if there is none.
func (m *Module) Entry(name string) *Entry {
	for _, e := range m.Entries {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// An Entry is a kernel.
type Entry struct {
	Name        string
	Params      []Param
	SharedBytes int // static shared memory that the kernel uses, in bytes

	module     *Module
	fn         *function
	paramBytes int
	once       sync.Once
	prog       *program
	err        error // *Unsupported
}

// A Param is one kernel parameter.
type Param struct {
	Name   string
	Type   string // PTX type without the dot, such as "u64"
	Size   int    // bytes, arrays (structs passed by value) included
	Align  int    // bytes
	Offset int    // in Config.Params
}

func (m *Module) addEntry(f *function) {
	e := &Entry{Name: f.name, module: m, fn: f}
	for _, v := range f.params {
		e.paramBytes = roundUp(e.paramBytes, v.align)
		e.Params = append(e.Params, Param{v.name, strings.TrimPrefix(v.typ, "."), v.size, v.align, e.paramBytes})
		e.paramBytes += v.size
	}
	m.Entries = append(m.Entries, e)
}

// finish computes what needs the whole text.
func (m *Module) finish() {
	m.locsOf = map[[2]int][]int{}
	for i, l := range m.locs {
		m.locsOf[[2]int{l.file, l.line}] = append(m.locsOf[[2]int{l.file, l.line}], i)
	}
	for _, e := range m.Entries {
		e.SharedBytes = layoutShared(m, e.fn).static
	}
}

// site describes a statement of f.
func (m *Module) site(f *function, st *stmt) Site {
	s := Site{PTXLine: st.line, PTXText: st.text}
	if st.loc < 0 {
		return s
	}
	l := m.locs[st.loc]
	// What a header's function does is the doing of the line that calls it,
	// if the compiler says which one that is.
	for at := st.loc; at >= 0 && l.inFile != 0 && !isSource(m.files[l.file]); {
		l, at = m.caller(at, l)
	}
	// clang gives code without a place of its own a file named after a folder.
	if name := path.Clean(m.files[l.file]); name != "." {
		s.File, s.Line = name, l.line
	}
	return s
}

// caller returns the place that l, the .loc at or one before it, was inlined at. If that
// was itself inlined, an earlier .loc says where: its index, or -1, comes second.
func (m *Module) caller(at int, l loc) (loc, int) {
	places := m.locsOf[[2]int{l.inFile, l.inLine}]
	i, _ := slices.BinarySearch(places, at)
	if i == 0 {
		return loc{file: l.inFile, line: l.inLine}, -1
	}
	return m.locs[places[i-1]], places[i-1]
}

func isSource(name string) bool { return strings.EqualFold(filepath.Ext(name), ".cu") }

// calls returns the functions that f calls, in order.
func (m *Module) calls(f *function) []*function {
	var out []*function
	for i := range f.body {
		if g := m.callee(&f.body[i]); g != nil {
			out = append(out, g)
		}
	}
	return out
}

// callee returns the function that a direct call names, or nil.
func (m *Module) callee(st *stmt) *function {
	if st.op != "call" {
		return nil
	}
	for _, a := range st.args {
		if a.kind == opdSym {
			return m.funcs[a.name]
		}
	}
	return nil
}

func roundUp(n, align int) int { return (n + align - 1) &^ (align - 1) }
