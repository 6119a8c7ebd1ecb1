package ptx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzParse feeds the parser any text: it must neither panic nor hang, its
// error must be a *SyntaxError, and what it accepts must launch or say why not.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.ptx")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	fixtures, err := filepath.Glob("testdata/*.ptx")
	if err != nil {
		f.Fatal(err)
	}
	files = append(files, fixtures...)
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
		f.Add(string(src[:len(src)/2]))
	}
	for _, s := range []string{"", header, kernel(""), kernel(addresses + fillTile), kernel("add.u32 %r1, -%r2, -;"), kernel("bra L; L: {.reg .u32 a<3>; add.u32 a1, a2, -3;}"),
		header + ".visible .const .align 4 .b8 c[2] = {1, 2};\n.global .f32 g[2][2] = {{1.0, 0f3F800000}};\n",
		header + ".func (.param .b32 r) f(.param .b64 a) { st.param.b32 [r], 1; ret; }\n.entry e() { {.param .b32 x; .param .b64 y; call.uni (x), f, (y);} ret; }",
		".version 8.0 .target sm_50, debug .address_size 64 .section .debug_str { L: .b8 1,2 } .file 1 \"a.cu\", 3, 4 .pragma \"x\";"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		m, err := Parse(src)
		if err != nil {
			if s := (*SyntaxError)(nil); !errors.As(err, &s) || s.Line < 1 {
				t.Fatalf("error without a line: %v", err)
			}
			return
		}
		for _, e := range m.Entries {
			mem := NewMemory()
			addr := alloc(t, mem, 4096)
			args := make([]uint64, len(e.Params))
			for i, p := range e.Params {
				if p.Size == 8 {
					args[i] = addr
				}
			}
			c := Config{Grid: Dim3{2, 1, 1}, Block: Dim3{40, 1, 1}, Args: args, Budget: 1000}
			if _, err := e.Launch(mem, c); err != nil && err.Error() == "" {
				t.Fatal("empty error")
			}
		}
	})
}

// An operation is one instruction and what it does in Go, written without
// looking at alu.go.
type operation struct {
	text string // with %s for the destination and the sources
	n    int    // sources
	do   func(a, b, c uint32) uint32
}

var operations = []operation{
	{"add.s32 %s, %s, %s;", 2, func(a, b, _ uint32) uint32 { return a + b }},
	{"sub.u32 %s, %s, %s;", 2, func(a, b, _ uint32) uint32 { return a - b }},
	{"mul.lo.s32 %s, %s, %s;", 2, func(a, b, _ uint32) uint32 { return a * b }},
	{"mul.hi.u32 %s, %s, %s;", 2, func(a, b, _ uint32) uint32 { hi, _ := bits.Mul32(a, b); return hi }},
	{"mul.hi.s32 %s, %s, %s;", 2, func(a, b, _ uint32) uint32 { return uint32(int64(int32(a)) * int64(int32(b)) >> 32) }},
	{"mad.lo.u32 %s, %s, %s, %s;", 3, func(a, b, c uint32) uint32 { return a*b + c }},
	{"and.b32 %s, %s, %s;", 2, func(a, b, _ uint32) uint32 { return a & b }},
	{"or.b32 %s, %s, %s;", 2, func(a, b, _ uint32) uint32 { return a | b }},
	{"xor.b32 %s, %s, %s;", 2, func(a, b, _ uint32) uint32 { return a ^ b }},
	{"not.b32 %s, %s;", 1, func(a, _, _ uint32) uint32 { return ^a }},
	{"neg.s32 %s, %s;", 1, func(a, _, _ uint32) uint32 { return -a }},
	{"shl.b32 %s, %s, %s;", 2, func(a, b, _ uint32) uint32 { return a << b }},
	{"shr.u32 %s, %s, %s;", 2, func(a, b, _ uint32) uint32 { return a >> b }},
	{"shr.s32 %s, %s, %s;", 2, func(a, b, _ uint32) uint32 { return uint32(int32(a) >> b) }},
	{"min.s32 %s, %s, %s;", 2, func(a, b, _ uint32) uint32 { return uint32(min(int32(a), int32(b))) }},
	{"max.u32 %s, %s, %s;", 2, func(a, b, _ uint32) uint32 { return max(a, b) }},
	{"popc.b32 %s, %s;", 1, func(a, _, _ uint32) uint32 { return uint32(bits.OnesCount32(a)) }},
	{"clz.b32 %s, %s;", 1, func(a, _, _ uint32) uint32 { return uint32(bits.LeadingZeros32(a)) }},
	{"brev.b32 %s, %s;", 1, func(a, _, _ uint32) uint32 { return bits.Reverse32(a) }},
	{"shf.l.wrap.b32 %s, %s, %s, %s;", 3, func(a, b, c uint32) uint32 { return uint32((uint64(b)<<32 | uint64(a)) << (c & 31) >> 32) }},
	{"div.u32 %s, %s, %s;", 2, func(a, b, _ uint32) uint32 {
		if b == 0 {
			return ^uint32(0)
		}
		return a / b
	}},
	{"rem.s32 %s, %s, %s;", 2, func(a, b, _ uint32) uint32 {
		if b == 0 {
			return a
		}
		return uint32(int64(int32(a)) % int64(int32(b)))
	}},
	{"lop3.b32 %s, %s, %s, %s, 0xe8;", 3, func(a, b, c uint32) uint32 { return a&b | b&c | a&c }},
	{"bfe.u32 %s, %s, 3, 7;", 1, func(a, _, _ uint32) uint32 { return a >> 3 & 127 }},
}

// FuzzInteger runs random straight-line integer code, half of it under random
// predicates, against the same operations in Go.
func FuzzInteger(f *testing.F) {
	for seed := range int64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed int64) {
		rng := rand.New(rand.NewSource(seed))
		var code strings.Builder
		var regs [16][32]uint32 // %r4 to %r19 of each lane
		code.WriteString(addresses)
		for r := range regs {
			k := uint32(corner(rng))
			fmt.Fprintf(&code, "mad.lo.u32 %%r%d, %%r0, %d, %d;\n", r+4, k|1, k)
			for i := range 32 {
				regs[r][i] = uint32(i)*(k|1) + k
			}
		}
		for range 60 {
			op := operations[rng.Intn(len(operations))]
			d, src := rng.Intn(16), [3]int{rng.Intn(16), rng.Intn(16), rng.Intn(16)}
			names := []any{reg(d), reg(src[0]), reg(src[1]), reg(src[2])}[:1+op.n]
			guarded, bound := rng.Intn(2) == 0, uint32(rng.Intn(33))
			if guarded {
				fmt.Fprintf(&code, "setp.lt.u32 %%p1, %%r0, %d;\n@%%p1 ", bound)
			}
			fmt.Fprintf(&code, op.text+"\n", names...)
			for i := range 32 {
				if !guarded || uint32(i) < bound {
					regs[d][i] = op.do(regs[src[0]][i], regs[src[1]][i], regs[src[2]][i])
				}
			}
		}
		for r := range regs {
			fmt.Fprintf(&code, "st.global.u32 [%%d2+%d], %s;\n", 128*r, reg(r))
		}
		_, out, err := run{body: code.String()}.launch(t)
		if err != nil {
			t.Fatal(err)
		}
		for r := range regs {
			for i, want := range regs[r] {
				if got := binary.LittleEndian.Uint32(out[128*r+4*i:]); got != want {
					t.Fatalf("lane %d: %s is %#x, want %#x, after\n%s", i, reg(r), got, want, code.String())
				}
			}
		}
	})
}

func reg(i int) string { return fmt.Sprintf("%%r%d", i+4) }
