package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"transpose/common/ptx"
)

const (
	piecesN    = 4096 // the size of the series
	piecesRows = 8    // of the grid, whose blocks stand in their order
	kib        = 1 << 10
	mib        = 1 << 20
)

// pieces counts, for each kernel with 32 × 32 tiles, how many pieces of in and of
// out the first blocks of its grid touch together: pieces of 2 MiB, in which the
// driver hands out memory, and of 4 KiB. Of an edit it prints the kernels alone whose
// pieces are others.
func (c *commands) pieces(args []string) (string, error) {
	folder, err := c.episode(args[0])
	if err != nil {
		return "", err
	}
	heading, rows, err := piecesTable(filepath.Join(c.root, folder, "transpose.ptx"))
	if err != nil || len(args) == 1 {
		return heading + strings.Join(rows, ""), err
	}
	_, edited, err := piecesTable(filepath.Join(c.root, "common", "cmd", "docs", "testdata", args[0]+"-"+args[1], "transpose.ptx"))
	if err != nil {
		return "", err
	}
	edited = slices.DeleteFunc(edited, func(row string) bool { return slices.Contains(rows, row) })
	return heading + strings.Join(edited, ""), nil
}

// piecesTable has a row for each kernel of a file of PTX that moves something.
func piecesTable(path string) (heading string, rows []string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	module, err := ptx.Parse(string(text))
	if err != nil {
		return "", nil, err
	}
	heading = fmt.Sprintf("touched by %d blocks in a row", piecesRows*piecesN/32)
	line := func(name string, cells ...any) string {
		return fmt.Sprintf("%-*s  %5v  %5v  %5v  %5v\n", append([]any{len(heading), name}, cells...)...)
	}
	for _, entry := range module.Entries {
		t, err := touch(entry)
		if err != nil {
			return "", nil, fmt.Errorf("%s: %w", entry.Name, err)
		}
		if len(t.out) > 0 { // empty touches nothing
			rows = append(rows, line(entry.Name, pieces(t.in, 2*mib), thousands(int64(pieces(t.in, 4*kib))), pieces(t.out, 2*mib), thousands(int64(pieces(t.out, 4*kib)))))
		}
	}
	return line("", "in", "in", "out", "out") + line(heading, "2 MiB", "4 KiB", "2 MiB", "4 KiB"), rows, nil
}

// A touched is where a launch read in and wrote out: distances in bytes from the
// matrix's start.
type touched struct{ in, out []int }

// touch runs the first rows of a kernel's grid. Each element of in is its own index,
// so what arrives in out says where it was read.
func touch(entry *ptx.Entry) (t touched, err error) {
	const bytes, never = 4 * piecesN * piecesN, 0xFFFFFFFF
	mem := ptx.NewMemory()
	out, in, err := alloc2(mem, bytes)
	if err != nil {
		return t, err
	}
	source, err := mem.Bytes(in, bytes)
	if err != nil {
		return t, err
	}
	result, err := mem.Bytes(out, bytes)
	if err != nil {
		return t, err
	}
	for i := 0; i < bytes; i += 4 {
		binary.LittleEndian.PutUint32(source[i:], uint32(i))
		binary.LittleEndian.PutUint32(result[i:], never)
	}
	_, err = entry.Launch(mem, ptx.Config{
		Grid:  ptx.Dim3{X: piecesN / 32, Y: piecesRows, Z: 1},
		Block: ptx.Dim3{X: 32, Y: 8, Z: 1},
		Args:  []uint64{out, in, piecesN},
	})
	for i := 0; i < bytes; i += 4 {
		if from := binary.LittleEndian.Uint32(result[i:]); from != never {
			t.in, t.out = append(t.in, int(from)), append(t.out, i)
		}
	}
	return t, err
}

func alloc2(mem *ptx.Memory, bytes int64) (a, b uint64, err error) {
	if a, err = mem.Alloc(bytes); err == nil {
		b, err = mem.Alloc(bytes)
	}
	return a, b, err
}

// pieces returns how many different pieces of a size lie at the distances.
func pieces(distances []int, size int) int {
	seen := map[int]bool{}
	for _, d := range distances {
		seen[d/size] = true
	}
	return len(seen)
}
