package ptx

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// TestLanguage runs testdata/language, with and without optimisation, by both
// compilers, against the same program in Go.
func TestLanguage(t *testing.T) {
	const n, a, b, low, wide, scale = 1000, -3, float32(2.5), int16(-7), int64(1) << 40, 1.25
	files, err := filepath.Glob("testdata/language/*.ptx")
	if err != nil || len(files) != 4 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		e := parseFile(t, file).Entry("language")
		mem := NewMemory()
		out, in := alloc(t, mem, 4*4*64), alloc(t, mem, 4*64)
		for i := range 64 {
			setWord(view(t, mem, in, 256), i, math.Float32bits(float32(i)*1.5))
		}
		pair := uint64(math.Float32bits(b))<<32 | uint64(uint32(math.MaxUint32+a+1)&math.MaxUint32)
		for launch := 1; launch <= 2; launch++ {
			_, err := e.Launch(mem, Config{Grid: Dim3{1, 1, 1}, Block: Dim3{64, 1, 1},
				Args: []uint64{out, in, n, pair, uint64(uint16(1<<16 + int(low))), uint64(wide), f64bits(scale)}})
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			got := view(t, mem, out, 4*4*64)
			for i := range 64 {
				sum, longest := languageSum(i, n)
				d := float64(sum)*scale + float64(wide)/float64(i+1) + float64(low)
				count := float32(0)
				if i == 0 {
					count = float32(launch)
				}
				for j, want := range []float32{sum, float32(d), float32(longest) + float32(a)*b, float32(int(d*0.001)) + count} {
					if v := math.Float32frombits(word(got, 4*i+j)); v != want {
						t.Errorf("%s: launch %d: out[%d][%d] = %v, want %v", file, launch, i, j, v, want)
					}
				}
			}
		}
	}
}

func languageSum(i, n int) (float32, int) {
	digit := func(i int) int {
		switch i & 7 {
		case 0:
			return n
		case 1:
			return n + []int{3, 1, 4, 1}[i&3]
		case 2:
			return i%3 + 1
		case 5:
			return -n
		case 6:
			return n / (i + 1)
		}
		return n % (i + 1)
	}
	var local [8]int
	for j := range local {
		local[j] = digit(i + j)
	}
	length := 0
	for k := i + 1; k != 1; {
		if length++; length > 1000 {
			break
		}
		if k%2 == 1 {
			k = 3*k + 1
		} else {
			k /= 2
		}
	}
	local[i&7] += length
	sum := float32(63-i) * 1.5 * 0.5
	for j := range local {
		sum += float32(local[(i+j)&7] * (j + 1))
	}
	return sum, length
}

// TestHostileText parses and launches texts that no compiler makes.
func TestHostileText(t *testing.T) {
	deep := kernel(strings.Repeat("{", maxDepth+1) + strings.Repeat("}", maxDepth+1))
	if _, err := Parse(deep); err == nil || !strings.Contains(err.Error(), "nested too deeply") {
		t.Errorf("deep braces: %v", err)
	}
	parse(t, kernel(strings.Repeat("{", maxDepth-1)+strings.Repeat("}", maxDepth-1)))
	circle := ".loc 1 1 0, function_name f, inlined_at 2 1 0\n.loc 3 1 0, function_name f, inlined_at 1 1 0\n" +
		".loc 2 1 0, function_name f, inlined_at 3 1 0\n"
	src := header + ".file 1 \"a.h\"\n.file 2 \"b.h\"\n.file 3 \"c.h\"\n.entry k() { .reg .b32 %r<4>;\n" + circle + circle + "mov.u32 %r1, 1; ret; }"
	if _, err := parse(t, src).Entry("k").Launch(NewMemory(), Config{Grid: Dim3{1, 1, 1}, Block: Dim3{1, 1, 1}}); err != nil {
		t.Error(err)
	}
}

// TestFileNames holds how compilers write the names of files that are no plain ASCII.
func TestFileNames(t *testing.T) {
	for text, want := range map[string]string{
		`"a.cu"`:                 "a.cu",
		`"\303\244 \303\266.cu"`: "ä ö.cu",
		`"ä.cu"`:                 "ä.cu",
		`"a \"b\".cu"`:           `a "b".cu`,
		`"C:\\new\\a.cu"`:        `C:\new\a.cu`,
		`"C:\new\a.cu"`:          `C:\new\a.cu`,
		`"\377\400.cu"`:          "\xff\\400.cu",
	} {
		if got := parse(t, header+".file 1 "+text+"\n").files[1]; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{`"a`, `"a\"`, "\"a\n\""} {
		if _, err := Parse(header + ".file 1 " + text + "\n"); err == nil || !strings.Contains(err.Error(), "string does not end") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestPanicIsAnError plants a bug into a compiled kernel.
func TestPanicIsAnError(t *testing.T) {
	for _, grid := range []int{1, 8} {
		e := parse(t, kernel("add.u32 %r3, %r1, %r2;")).Entry("k")
		c := Config{Grid: Dim3{grid, 1, 1}, Block: Dim3{32, 1, 1}, Args: []uint64{0, 0, 0}}
		if _, err := e.Launch(NewMemory(), c); err != nil {
			t.Fatal(err)
		}
		for i := range e.prog.code {
			e.prog.code[i].fn, e.prog.code[i].affine = nil, nil
		}
		if _, err := e.Launch(NewMemory(), c); err == nil || !strings.Contains(err.Error(), "the emulator failed") {
			t.Errorf("%d blocks: %v", grid, err)
		}
	}
}
