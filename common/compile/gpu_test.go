package compile

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"transpose/common/ptx"
)

// TestLikeGPU compiles kernels of common/ptx/testdata/gpu with clang, runs them and compares
// what they write with what an H200 wrote, which ran nvcc's PTX of them.
func TestLikeGPU(t *testing.T) {
	t.Parallel()
	names := []string{
		"async_copy", "atomics", "barrier_reductions", "bfloat", "calls", "conversions", "doubles", "half", "half_atomics",
		"half_functions", "integers", "meet", "memory", "named_barriers", "redux", "rounding", "votes",
	}
	compared := map[string]int{
		"atomics": 784,  // the rest is for compute 6.0
		"calls":   2816, // see TestLikeGPU of ptx
	}
	folder := filepath.Join("..", "ptx", "testdata", "gpu")
	for _, clang := range clangs(t) {
		t.Run(clang, func(t *testing.T) {
			t.Parallel()
			for _, name := range names {
				want, err := os.ReadFile(filepath.Join(folder, name+".words"))
				if err != nil {
					t.Fatal(err)
				}
				text, warnings, err := ptxOf(clang, filepath.Join(folder, name+".cu"))
				if err != nil || warnings != "" {
					t.Errorf("%s: %v\n%s", name, err, warnings)
					continue
				}
				module, err := ptx.Parse(string(text))
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				words := strings.Fields(string(want))
				if end, ok := compared[name]; ok {
					words = words[:end]
				}
				got, err := wordsOf(module.Entry(name), len(words))
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				for i, w := range words {
					if got[i] != w {
						t.Errorf("%s: word %d is %s, want %s", name, i, got[i], w)
						break
					}
				}
			}
		})
	}
}

// wordsOf runs an entry with one block of 256 and returns the first n words that it writes.
func wordsOf(entry *ptx.Entry, n int) ([]string, error) {
	mem := ptx.NewMemory()
	p, err := mem.Alloc(1 << 18)
	if err != nil {
		return nil, err
	}
	bytes, err := mem.Bytes(p, 1<<18)
	if err != nil {
		return nil, err
	}
	config := ptx.Config{Grid: ptx.Dim3{X: 1, Y: 1, Z: 1}, Block: ptx.Dim3{X: 256, Y: 1, Z: 1}, Args: []uint64{p}}
	if _, err := entry.Launch(mem, config); err != nil {
		return nil, err
	}
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("%08x", binary.LittleEndian.Uint32(bytes[4*i:]))
	}
	return words, nil
}
