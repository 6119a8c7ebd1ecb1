package ptx

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCalls runs functions that call themselves and each other, as several compilers write them.
func TestCalls(t *testing.T) {
	files, err := filepath.Glob("testdata/calls/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	want, err := os.ReadFile("testdata/calls/calls.words")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			got := wordsOf(t, file, "calls")
			if d := cmp.Diff(strings.Split(strings.TrimSpace(string(want)), "\n"), got); d != "" {
				t.Errorf("(-want +got):\n%.600s", d)
			}
		})
	}
}

// recursive is a function that calls itself as often as its argument says.
const recursive = `
.visible .func (.param .b32 result) down(.param .b32 depth)
{
.reg .pred %p<2>;
.reg .b32 %r<4>;
ld.param.u32 %r1, [depth];
setp.eq.u32 %p1, %r1, 0;
mov.u32 %r2, 0;
@%p1 bra END;
sub.u32 %r3, %r1, 1;
{
.param .b32 a;
.param .b32 b;
st.param.b32 [a], %r3;
call.uni (b), down, (a);
ld.param.b32 %r2, [b];
}
add.u32 %r2, %r2, %r1;
END:
st.param.b32 [result], %r2;
ret;
}`

const callDown = `{
.param .b32 a;
.param .b32 b;
st.param.b32 [a], %r1;
call.uni (b), down, (a);
ld.param.b32 %r2, [b];
}
`

// TestRecursion has depths that differ between lanes, and one that is too deep. Behind a
// call lanes meet, whether they have come back from it early or late or were not in it.
func TestRecursion(t *testing.T) {
	for _, tt := range []struct{ name, before, after string }{
		{"all call", "and.b32 %r1, %r0, 7;", ""},
		{"some call", "and.b32 %r1, %r0, 7;\nmov.u32 %r2, 0;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra MEET;", "MEET:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body := tt.before + "\n" + callDown + tt.after + "\nmul.wide.u32 %d5, %r0, 4;\nadd.u64 %d5, %d5, %d0;\nst.global.u32 [%d5], %r2;"
			counts, out, err := run{body: body, after: recursive}.launch(t)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 32 {
				if d := uint32(i & 7); word(out, i) != d*(d+1)/2 {
					t.Errorf("thread %d: %d, want %d", i, word(out, i), d*(d+1)/2)
				}
			}
			if n := counts.Accesses[0].Requests; n != 1 {
				t.Errorf("the store behind the call makes %d requests, want 1", n)
			}
		})
	}
	_, _, err := run{body: "mov.u32 %r1, 100000;\n" + callDown, after: recursive}.launch(t)
	if f := asFault(t, err); f.Kind != OutOfBounds || !strings.Contains(f.Error(), "stack overflow") || !strings.Contains(f.PTXText, "down") {
		t.Errorf("100,000 calls deep: %v", err)
	}
}

// wordsOf returns what a kernel writes, in the form of testdata/gpu/run.cu.
func wordsOf(t *testing.T, file, name string) []string {
	t.Helper()
	const words, poison = 1 << 16, 0x55555555
	mem := NewMemory()
	out := alloc(t, mem, 4*words)
	b := view(t, mem, out, 4*words)
	for i := range words {
		setWord(b, i, poison)
	}
	if _, err := parseFile(t, file).Entry(name).Launch(mem, Config{Grid: Dim3{1, 1, 1}, Block: Dim3{256, 1, 1}, Args: []uint64{out}}); err != nil {
		t.Fatal(err)
	}
	n := words
	for n > 0 && word(b, n-1) == poison {
		n--
	}
	var lines []string
	for i := 0; i < n; i += 8 {
		line := fmt.Sprintf("%08x", word(b, i))
		for j := i + 1; j < min(i+8, n); j++ {
			line += fmt.Sprintf(" %08x", word(b, j))
		}
		lines = append(lines, line)
	}
	return lines
}
