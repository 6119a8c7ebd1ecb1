package ptx

import (
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"os"
	"testing"
)

// TestShapes holds the requests of kernels whose lanes part and meet again to what
// an H200 counted, for what two compilers make of them.
func TestShapes(t *testing.T) {
	f, err := os.Open("testdata/shapes/shapes.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 29 {
		t.Fatalf("%d rows, want a heading and 28", len(rows))
	}
	modules := map[string]*Module{}
	for _, compiler := range []string{"clang", "nvcc"} {
		text, err := os.ReadFile("testdata/shapes/" + compiler + ".ptx")
		if err != nil {
			t.Fatal(err)
		}
		modules[compiler] = parse(t, string(text))
	}
	for _, r := range rows[1:] {
		mem := NewMemory()
		out, in := alloc(t, mem, 16384), alloc(t, mem, 16384)
		values, err := mem.Bytes(in, 16384)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4096 {
			binary.LittleEndian.PutUint32(values[4*i:], uint32(i%45))
		}
		c, err := modules[r[0]].Entry(r[1]).Launch(mem, Config{Grid: Dim3{1, 1, 1}, Block: Dim3{32, 1, 1}, Args: []uint64{out, in, 32}})
		if err != nil {
			t.Errorf("%s, %s: %v", r[0], r[1], err)
			continue
		}
		var requests, sectors int64
		for _, a := range c.Accesses {
			if a.Store {
				requests += a.Requests
				sectors += a.Sectors
			}
		}
		if got := fmt.Sprintf("%d %d", requests, sectors); got != r[2]+" "+r[3] {
			t.Errorf("%s, %s: %s store requests and sectors, the GPU counted %s %s", r[0], r[1], got, r[2], r[3])
		}
	}
}
