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
)

// Sizes are the sizes that every episode is run at: one element, around the
// width of a tile, partial tiles on both edges, and the size of the series.
var Sizes = []int{1, 31, 32, 33, 63, 100, 1000, common.MaxN}

// Episode runs an episode at all Sizes and fails t unless every output is exact
// and, at n = 4096, one request of each kernel asks for what want says. The
// counts are those of the emulator; on a GPU only the outputs are checked.
//
// compiled is the committed PTX. Where the environment variable EPISODE_PTX
// names a folder, the file epNN.ptx in it runs instead: another compiler's PTX
// must give the same.
func Episode(t *testing.T, name, compiled string, run func(*common.Episode), want []common.PerRequest) {
	if dir := os.Getenv("EPISODE_PTX"); dir != "" {
		number, _, _ := strings.Cut(name, "-")
		text, err := os.ReadFile(filepath.Join(dir, number+".ptx"))
		if err != nil {
			t.Fatal(err)
		}
		compiled = string(text)
	}
	for _, n := range Sizes {
		t.Run(fmt.Sprintf("n=%d", n), func(t *testing.T) {
			report, err := common.Run(name, n, compiled, run)
			if err != nil {
				t.Fatal(err)
			}
			if n != common.MaxN || report.Timed() {
				return
			}
			if diff := cmp.Diff(want, report.PerRequest()); diff != "" {
				t.Errorf("sectors and wavefronts per request (-want +got):\n%s", diff)
			}
		})
	}
}
