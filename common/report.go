package common

import (
	"fmt"
	"io"
	"strings"

	"transpose/common/internal/columns"
	"transpose/common/ptx"
	"transpose/common/record"
)

// A Report is what one run of an episode found out.
type Report struct {
	record.Run
	Device string // the GPU, or the emulator, in a line
	PTX    string // which PTX ran, and what made it
	Notes  []string

	stopped      Kernel   // at work when an error stopped the run
	stoppedBlock ptx.Dim3 // of its launch
}

// What a run finds out is kept by package record.
type (
	Kernel     = record.Kernel
	Leaves     = record.Leaves
	Row        = record.Row
	PerRequest = record.PerRequest
)

// What a kernel must leave in its output.
const (
	Transposed = record.Transposed // out[y][x] = in[x][y]
	Copied     = record.Copied     // out[y][x] = in[y][x]
	Untouched  = record.Untouched  // the poison
)

func (r *Report) add(row Row) { r.Rows = append(r.Rows, row) }

// gpuLine describes a GPU; what the driver does not know is left out.
func (r *Report) gpuLine(major, minor int) string {
	parts := []string{r.Card.Name, fmt.Sprintf("compute %d.%d", major, minor), "driver " + record.CUDAVersion(r.Card.Driver)}
	if r.Card.L2 > 0 {
		parts = append(parts, fmt.Sprintf("L2 %.4g MiB", float64(r.Card.L2)/(1<<20)))
	}
	if r.Card.Peak > 0 {
		parts = append(parts, fmt.Sprintf("peak %.0f GB/s", r.Card.Peak))
	}
	return strings.Join(parts, ", ")
}

// Err returns the first wrong output as an error that names the kernel, or nil.
func (r *Report) Err() error {
	for _, row := range r.Rows {
		if row.Err != nil {
			return fmt.Errorf("%s: %w", row.Kernel.Name, row.Err)
		}
	}
	return nil
}

// writeHeader prints the device, the size and the PTX, and under the device a
// remark, if there is one.
func (r *Report) writeHeader(w io.Writer, remark string) {
	lines := []string{r.Name + "   " + r.Device}
	if remark != "" {
		lines = append(lines, remark)
	}
	lines = append(lines, fmt.Sprintf("n = %d: %s bytes moved per launch", r.N, thousands(record.BytesMoved(r.N))))
	if r.Timed() {
		lines = append(lines, fmt.Sprintf("median of %d launches after one warm-up", launches))
	}
	lines = append(lines, "PTX: "+r.PTX)
	fmt.Fprintln(w, columns.Fold(strings.Join(lines, "\n")))
}

// writeRecord writes the measurements to a file. A run that found a wrong output
// is not recorded.
func (r *Report) writeRecord(path string, file ptxFile) error {
	rec := record.New(&r.Run, strings.Join([]string{file.compiler(), file.target(), ".version " + file.version()}, ", "))
	if err := rec.WriteFile(path); err != nil {
		return fmt.Errorf("%w\ngive -record a file in a folder that exists and can be written", err)
	}
	return nil
}
