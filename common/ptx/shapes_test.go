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
	// testdata/shapes/measure.sh makes the rows of stride.cu.
	if len(rows) < 39 {
		t.Fatalf("%d rows, want a heading and at least 38", len(rows))
	}
	entry := func(compiler, kernel string) *Entry {
		for _, file := range []string{"testdata/shapes/" + compiler + ".ptx", "testdata/shapes/stride-" + compiler + ".ptx"} {
			if e := parseFile(t, file).Entry(kernel); e != nil {
				return e
			}
		}
		t.Fatalf("no kernel %s by %s", kernel, compiler)
		return nil
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
		c, err := entry(r[0], r[1]).Launch(mem, Config{Grid: Dim3{1, 1, 1}, Block: Dim3{32, 1, 1}, Args: []uint64{out, in, 32}})
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
