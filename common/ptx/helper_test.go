package ptx

import (
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"testing"
)

const header = ".version 4.2\n.target sm_50\n.address_size 64\n"

// kernel wraps a body into an entry k(out, in, n); its registers are declared.
func kernel(body string) string {
	return header + `.visible .entry k(.param .u64 k_0, .param .u64 k_1, .param .u32 k_2)
{
.reg .pred %p<8>;
.reg .b16 %h<8>;
.reg .b32 %r<32>;
.reg .b64 %d<32>;
.reg .f32 %f<8>;
.reg .f64 %e<8>;
.shared .align 16 .b8 tile[4096];
mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x;
ld.param.u64 %d0, [k_0];
ld.param.u64 %d1, [k_1];
ld.param.u32 %r2, [k_2];
` + body + "\nret;\n}\n"
}

func parse(t testing.TB, src string) *Module {
	t.Helper()
	m, err := Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func parseFile(t testing.TB, name string) *Module {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(src))
}

func alloc(t testing.TB, m *Memory, bytes int) uint64 {
	t.Helper()
	addr, err := m.Alloc(int64(bytes))
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

func view(t testing.TB, m *Memory, addr uint64, bytes int) []byte {
	t.Helper()
	b, err := m.Bytes(addr, int64(bytes))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func word(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }

func setWord(b []byte, i int, v uint32) { binary.LittleEndian.PutUint32(b[4*i:], v) }

// A run launches the body of k over two buffers of 4096 bytes.
type run struct {
	body   string
	grid   int // 0 means 1
	block  int // 0 means 32
	n      uint64
	budget int64
	work   int
	after  string // text behind the kernel
}

func (r run) launch(t testing.TB) (*Counts, []byte, error) {
	t.Helper()
	mem := NewMemory()
	out, in := alloc(t, mem, 4096), alloc(t, mem, 4096)
	for i, b := 0, view(t, mem, in, 4096); i < 1024; i++ {
		setWord(b, i, uint32(i))
	}
	c := Config{Grid: Dim3{max(r.grid, 1), 1, 1}, Block: Dim3{32, 1, 1}, Args: []uint64{out, in, r.n}, Budget: r.budget, Workers: r.work}
	if r.block != 0 {
		c.Block.X = r.block
	}
	counts, err := parse(t, kernel(r.body)+r.after).Entry("k").Launch(mem, c)
	return counts, view(t, mem, out, 4096), err
}

// lineOf returns the number of the first line of a kernel that has text.
func lineOf(t testing.TB, body, text string) int {
	t.Helper()
	before, _, ok := strings.Cut(kernel(body), text)
	if !ok {
		t.Fatalf("no %q in the kernel", text)
	}
	return 1 + strings.Count(before, "\n")
}

func asFault(t testing.TB, err error) *Fault {
	t.Helper()
	var f *Fault
	if !errors.As(err, &f) {
		t.Fatalf("got error %v, want a *Fault", err)
	}
	return f
}
