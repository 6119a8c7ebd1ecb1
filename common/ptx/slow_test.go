package ptx

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// slowEntry is an entry that executes every instruction for every lane, in one worker,
// block after block, and knows of each byte who touched it, from the first run on: what
// the package did before it was made fast.
func slowEntry(t *testing.T, src, name string) *Entry {
	t.Helper()
	e := parse(t, src).Entry(name)
	e.once.Do(func() {
		if e.prog, e.err = compile(e); e.err != nil {
			return
		}
		e.prog.slow, e.prog.hoisted = true, nil
		for i := range e.prog.code {
			in := &e.prog.code[i]
			in.next = int32(i) + 1
			if in.affine != nil {
				in.affine = func(d, a, b, c, e *affine) bool { return false }
			}
			if in.cmpAffine != nil {
				in.cmpAffine = func(a, b *affine) (uint32, bool) { return 0, false }
			}
		}
	})
	return e
}

// answered is all that a launch answers.
func answered(t *testing.T, e *Entry, grid, block Dim3, n int) string {
	t.Helper()
	mem := NewMemory()
	out, in := alloc(t, mem, 4*n*n), alloc(t, mem, 4*n*n)
	for i, data := 0, view(t, mem, in, 4*n*n); i < n*n; i++ {
		setWord(data, i, uint32(i)*2654435761)
	}
	var printed bytes.Buffer
	counts, err := e.Launch(mem, Config{Grid: grid, Block: block, Args: []uint64{out, in, uint64(n)}, Budget: 1 << 16, Output: &printed})
	if err != nil {
		return fmt.Sprintf("%v\n%s", err, &printed)
	}
	return fmt.Sprintf("%+v\n%x\n%s", *counts, view(t, mem, out, 4*n*n), &printed)
}

// sameAsSlow compares what a kernel answers to what it answers slowly.
func sameAsSlow(t *testing.T, what, src, name string, grid, block Dim3, n int) {
	t.Helper()
	fast, slow := parse(t, src).Entry(name), slowEntry(t, src, name)
	if len(fast.Params) != 3 {
		return
	}
	want, got := answered(t, slow, grid, block, n), answered(t, fast, grid, block, n)
	if got != want {
		t.Errorf("%s: %s, grid %v, block %v, n = %d (-slow +fast):\n%s", what, name, grid, block, n, cmp.Diff(want, got))
	}
}

// TestSlow holds that results, counts, faults and their texts are those of the slow way,
// on every kernel that is committed, right or wrong, in launches that fit it and that do
// not.
func TestSlow(t *testing.T) {
	var files []string
	patterns := []string{"testdata/*.ptx", "testdata/series/*.ptx", "../../ep*/transpose.ptx", "../testdata/submissions/clang/*.ptx"}
	if !testing.Short() {
		patterns = append(patterns, "../testdata/submissions/nvcc/*.ptx")
	}
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		files = append(files, found...)
	}
	launches := []struct {
		grid, block Dim3
		n           int
	}{
		{Dim3{3, 9, 1}, Dim3{32, 8, 1}, 65},
		{Dim3{2, 2, 1}, Dim3{32, 8, 1}, 64},
		{Dim3{3, 3, 1}, Dim3{16, 32, 1}, 36},
	}
	for i, file := range files {
		m := parseFile(t, file)
		for _, e := range m.Entries {
			for j, l := range launches {
				if testing.Short() && (i+j)%len(launches) != 0 {
					continue
				}
				sameAsSlow(t, file, readFile(t, file), e.Name, l.grid, l.block, l.n)
			}
		}
	}
}

// TestSlowRandom does so on random kernels, whose warps load and store at addresses that
// are evenly spaced, nearly so, or not, with guards and barriers between.
func TestSlowRandom(t *testing.T) {
	count := 1500
	if testing.Short() {
		count = 200
	}
	random := rand.New(rand.NewSource(1))
	for i := 0; i < count; i++ {
		src := randomKernel(random)
		n := 8 + random.Intn(40)
		block := []Dim3{{32, 8, 1}, {16, 4, 1}, {33, 2, 1}, {8, 8, 1}}[random.Intn(4)]
		sameAsSlow(t, src, src, "k", Dim3{1 + random.Intn(3), 1 + random.Intn(2), 1}, block, n)
		if t.Failed() {
			return
		}
	}
}

// randomKernel is a kernel of which most end without a fault.
func randomKernel(random *rand.Rand) string {
	var b strings.Builder
	r := func() string { return fmt.Sprintf("%%r%d", 4+random.Intn(6)) }
	b.WriteString("mov.u32 %r4, %tid.y;\nmov.u32 %r5, %ntid.x;\nmad.lo.u32 %r6, %r4, %r5, %r0;\nmov.u32 %r7, %ctaid.y;\nmov.u32 %r8, %ctaid.x;\nmov.u32 %r9, 7;\n" +
		"mul.lo.u32 %r10, %r2, %r2;\n")
	address := func(shared bool) string {
		// An index below n², or below 1024, and its address in %d5 or %r12.
		fmt.Fprintf(&b, "mad.lo.u32 %%r11, %s, %d, %s;\n", []string{"%r0", "%r6", r()}[random.Intn(3)], []int{1, 1, 2, 33, 0}[random.Intn(5)], []string{"%r6", r(), "%r9"}[random.Intn(3)])
		if shared {
			b.WriteString("and.b32 %r11, %r11, 1023;\nshl.b32 %r11, %r11, 2;\nmov.u32 %r12, tile;\nadd.u32 %r12, %r12, %r11;\n")
			return "[%r12]"
		}
		b.WriteString("rem.u32 %r11, %r11, %r10;\nmul.wide.u32 %d4, %r11, 4;\n")
		fmt.Fprintf(&b, "add.u64 %%d5, %%d%d, %%d4;\n", random.Intn(2))
		return "[%d5]"
	}
	for i := 4 + random.Intn(10); i > 0; i-- {
		guard := ""
		if random.Intn(3) == 0 {
			fmt.Fprintf(&b, "setp.lt.u32 %%p1, %s, %d;\n", r(), random.Intn(40))
			guard = []string{"@%p1 ", "@!%p1 "}[random.Intn(2)]
		}
		shared := random.Intn(2) == 0
		space := map[bool]string{true: "shared", false: "global"}[shared]
		switch random.Intn(9) {
		case 0, 1:
			at := address(shared)
			fmt.Fprintf(&b, "%sld.%s.u32 %%r%d, %s;\n", guard, space, 4+random.Intn(5), at)
		case 2, 3:
			at := address(shared)
			fmt.Fprintf(&b, "%sst.%s.u32 %s, %s;\n", guard, space, at, r())
		case 4:
			b.WriteString("bar.sync 0;\n")
		case 5:
			at := address(shared)
			fmt.Fprintf(&b, "%sred.%s.add.u32 %s, %s;\n", guard, space, at, r())
		case 7: // the order shows, if something comes twice to a place and a store follows
			at := address(shared)
			op := []string{"add.u32", "max.u32", "exch.b32", "inc.u32"}[random.Intn(4)]
			fmt.Fprintf(&b, "%satom.%s.%s %%r%d, %s, %s;\n", guard, space, op, 4+random.Intn(5), at, r())
		case 8:
			b.WriteString("bar.warp.sync -1;\n")
		case 6:
			fmt.Fprintf(&b, "%s%s.%s %%r%d, %s, %s;\n", guard, []string{"add", "sub", "mul.lo", "min", "xor"}[random.Intn(5)], "u32", 4+random.Intn(5), r(), r())
		}
	}
	return strings.ReplaceAll(kernel(b.String()), "xor.u32", "xor.b32")
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
