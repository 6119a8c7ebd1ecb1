package ptx

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// launched are the kernels of the series, and their tiles and blocks.
var launched = []struct {
	name       string
	cols, rows int // of a block's tile
	block      Dim3
}{
	{"copy", 32, 8, Dim3{32, 8, 1}},
	{"transpose_naive", 32, 8, Dim3{32, 8, 1}},
	{"transpose_read_strided", 32, 8, Dim3{32, 8, 1}},
	{"copy_tile", 32, 32, Dim3{32, 8, 1}},
	{"transpose_shared", 32, 32, Dim3{32, 8, 1}},
	{"transpose_padded", 32, 32, Dim3{32, 8, 1}},
	{"transpose_ordered", 32, 32, Dim3{32, 8, 1}},
	{"copy_wide", 64, 64, Dim3{16, 32, 1}},
	{"transpose_wide", 64, 64, Dim3{16, 32, 1}},
}

// BenchmarkLaunch runs each kernel of the series in full at n = 4096, counted and with
// all accusations on, as clang's PTX and as nvcc's, where EPISODE_PTX names a folder with
// epNN.ptx of the latter. Filling the matrices and checking the output is not timed.
func BenchmarkLaunch(b *testing.B) {
	for _, compiler := range []struct{ name, files string }{{"clang", "../../ep*/transpose.ptx"}, {"nvcc", os.Getenv("EPISODE_PTX") + "/ep*.ptx"}} {
		paths, err := filepath.Glob(compiler.files)
		if err != nil {
			b.Fatal(err)
		}
		entries := map[string]*Entry{}
		for _, path := range paths {
			for _, e := range parseFile(b, path).Entries {
				entries[e.Name] = e
			}
		}
		for _, k := range launched {
			e := entries[k.name]
			if e == nil {
				continue
			}
			b.Run(compiler.name+"/"+k.name, func(b *testing.B) {
				benchmarkLaunch(b, e, Dim3{4096 / k.cols, 4096 / k.rows, 1}, k.block)
			})
		}
	}
}

func benchmarkLaunch(b *testing.B, e *Entry, grid, block Dim3) {
	const n = 4096
	mem := NewMemory()
	out, in := alloc(b, mem, 4*n*n), alloc(b, mem, 4*n*n)
	for i, data := 0, view(b, mem, in, 4*n*n); i < n*n; i++ {
		setWord(data, i, uint32(i))
	}
	result := view(b, mem, out, 4*n*n)
	poison := bytes.Repeat([]byte{0xFF}, len(result))
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		b.StopTimer()
		copy(result, poison)
		b.StartTimer()
		if _, err := e.Launch(mem, Config{Grid: grid, Block: block, Args: []uint64{out, in, n}}); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	if wrong(result, n, e.Name[0] == 't') > 0 {
		b.Fatal("wrong result")
	}
}
