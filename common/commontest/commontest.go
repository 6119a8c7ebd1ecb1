// Package commontest tests an episode.
package commontest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"transpose/common"
	"transpose/common/ptx"
)

// Sizes are the sizes that every episode is run at: one element, around the
// width of a tile, partial tiles on both edges, and the size of the series. 1000 is
// a multiple of 8: only at an odd size like 1001 does a float4 run over the end of a
// row, or one row of threads in eight find its row missing.
var Sizes = []int{1, 31, 32, 33, 63, 100, 1000, 1001, common.SeriesN}

// Episode runs an episode at all Sizes and fails t unless every output is exact
// and, at n = 4096, one request of each kernel asks for what want says. The
// counts are those of the emulator; on a GPU only the outputs are checked.
//
// compiled is the committed PTX. Where the environment variable EPISODE_PTX
// names a folder, the file epNN.ptx in it runs instead: another compiler's PTX
// must give the same, and ask the same of memory on each line of transpose.cu.
func Episode(t *testing.T, name, compiled string, run func(*common.Episode), want []common.PerRequest) {
	other, err := otherPTX(name)
	if err != nil {
		t.Fatal(err)
	}
	if other != "" {
		t.Run("by line", func(t *testing.T) {
			if diff := cmp.Diff(byLine(t, name, compiled, run), byLine(t, name, other, run)); diff != "" {
				t.Errorf("accesses by line of transpose.cu (-committed +other):\n%s", diff)
			}
		})
		compiled = other
	}
	for _, n := range Sizes {
		t.Run(fmt.Sprintf("n=%d", n), func(t *testing.T) {
			if err := check(name, n, compiled, run, want); err != nil {
				t.Error(err)
			}
		})
	}
}

// otherPTX returns another compiler's PTX for an episode, where EPISODE_PTX names
// a folder that has it, else "".
func otherPTX(name string) (string, error) {
	dir := os.Getenv("EPISODE_PTX")
	if dir == "" {
		return "", nil
	}
	number, _, _ := strings.Cut(name, "-")
	text, err := os.ReadFile(filepath.Join(dir, number+".ptx"))
	return string(text), err
}

// check runs an episode once and compares outputs, and at n = 4096 counts.
func check(name string, n int, compiled string, run func(*common.Episode), want []common.PerRequest) error {
	report, err := common.Run(name, n, compiled, run)
	if err != nil {
		return err
	}
	if n != common.SeriesN || report.Timed() {
		return nil
	}
	if diff := cmp.Diff(want, report.PerRequest()); diff != "" {
		return fmt.Errorf("sectors and wavefronts per request (-want +got):\n%s", diff)
	}
	return nil
}

// byLine runs an episode at n = 1001, where tiles are partial, and returns what
// each line of transpose.cu asks of memory, by kernel. What depends on the
// compiler is left out.
func byLine(t *testing.T, name, compiled string, run func(*common.Episode)) map[string][]ptx.Access {
	report, err := common.Run(name, 1001, compiled, run)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string][]ptx.Access{}
	for _, row := range report.Rows {
		if row.Counts == nil { // timed, not counted
			continue
		}
		for _, a := range row.Counts.ByLine() {
			a.PTXLine, a.PTXText, a.File = 0, "", filepath.Base(a.File)
			lines[row.Kernel.Name] = append(lines[row.Kernel.Name], a)
		}
	}
	return lines
}
