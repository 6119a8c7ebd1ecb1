// Pictures draws what one warp of each kernel asks of memory, as the emulator
// sees it run: 32 lanes against the sectors of global memory, and against the
// banks of shared memory. A kernel is drawn in the folder of the episode where it
// is new.
//
//	pictures
//
// Run it in the repository's root: it writes epNN-*/pictures/KERNEL.svg.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"transpose/common/ptx"
)

func main() {
	files, err := pictures(".")
	for path, svg := range files {
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o755)
		}
		if err == nil {
			err = os.WriteFile(path, []byte(svg), 0o644)
		}
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "pictures: %v\n", err)
		os.Exit(1)
	}
}

// pictures returns the text of every picture by its path below root.
func pictures(root string) (map[string]string, error) {
	folders, err := filepath.Glob(filepath.Join(root, "ep[0-9][0-9]-*"))
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	seen := map[string]bool{}
	for _, folder := range folders {
		text, err := os.ReadFile(filepath.Join(folder, "transpose.ptx"))
		if err != nil {
			return nil, err
		}
		source, err := os.ReadFile(filepath.Join(folder, "transpose.cu"))
		if err != nil {
			return nil, err
		}
		module, err := ptx.Parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		for _, kernel := range module.Entries {
			if seen[kernel.Name] {
				continue
			}
			seen[kernel.Name] = true
			requests, err := trace(kernel)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", kernel.Name, err)
			}
			if len(requests) == 0 { // empty touches nothing
				continue
			}
			svg, err := draw(kernel.Name, string(source), requests)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", kernel.Name, err)
			}
			files[filepath.Join(folder, "pictures", kernel.Name+".svg")] = svg
		}
	}
	return files, nil
}

// n is the size of the matrices, so that a row is as long as in the series.
const n = 4096

// The warp that is drawn: one in the inside of the matrix.
const traceWarp = 3

var traceBlock = ptx.Dim3{X: 1, Y: 2}

// blocks are the blocks of the kernels that have others than most.
var blocks = map[string]ptx.Dim3{
	"copy_wide":      {X: 16, Y: 32, Z: 1},
	"transpose_wide": {X: 16, Y: 32, Z: 1},
}

// blockOf returns the block that a kernel is launched with.
func blockOf(kernel string) ptx.Dim3 {
	if b, ok := blocks[kernel]; ok {
		return b
	}
	return ptx.Dim3{X: 32, Y: 8, Z: 1} // a warp is one row of it
}

// tracedRows is the warp's threadIdx.y, or the first and the last of them.
func tracedRows(kernel string) string {
	rows := 32 / blockOf(kernel).X
	if rows == 1 {
		return fmt.Sprint(traceWarp)
	}
	return fmt.Sprintf("%d … %d", rows*traceWarp, rows*traceWarp+rows-1)
}

// A request is one access of the warp, and what the launch counted for all
// requests of that instruction.
type request struct {
	ptx.Sample
	counts ptx.Access
}

// trace runs a corner of the kernel's grid and returns the accesses of one warp
// well inside it, the first of each kind in the order in which they ran. Later
// rounds of a loop only repeat them some rows further on.
func trace(kernel *ptx.Entry) ([]request, error) {
	mem := ptx.NewMemory()
	out, err := mem.Alloc(4 * n * n)
	if err != nil {
		return nil, err
	}
	in, err := mem.Alloc(4 * n * n)
	if err != nil {
		return nil, err
	}
	type kind struct {
		space ptx.Space
		store bool
	}
	seen := map[kind]bool{}
	var requests []request
	counts, err := kernel.Launch(mem, ptx.Config{
		Grid:        ptx.Dim3{X: 2, Y: 3, Z: 1},
		Block:       blockOf(kernel.Name),
		Args:        []uint64{out, in, n},
		TraceBlocks: []ptx.Dim3{traceBlock},
		Trace: func(s ptx.Sample) {
			if k := (kind{s.Space, s.Store}); s.Warp == traceWarp && !seen[k] {
				seen[k] = true
				requests = append(requests, request{Sample: s})
			}
		},
	})
	if err != nil {
		return nil, err
	}
	for i := range requests {
		for _, a := range counts.Accesses {
			if a.PTXLine == requests[i].PTXLine && a.Space == requests[i].Space {
				requests[i].counts = a
			}
		}
	}
	return requests, nil
}
