package ptx

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLikeGPU runs the kernels of testdata/gpu and compares what they write, bit by bit,
// with what an H200 wrote, by run.cu. Only the double functions leave out their lowest bits:
// rcp and rsqrt.approx.ftz.f64, which they start from, are tables in the hardware and exact here.
//
// The last row of calls is a ballot of a whole warp behind recursion, of which ptxas left out
// the wait, so that the H200 counts the lanes that came back together. What the mask says
// is right here, and there in meet.
func TestLikeGPU(t *testing.T) {
	files, err := filepath.Glob("testdata/gpu/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".ptx")
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(strings.TrimSuffix(file, ".ptx") + ".words")
			if err != nil {
				t.Fatalf("not measured: %v", err)
			}
			got, lines := wordsOf(t, file, name), strings.Split(strings.TrimSpace(string(want)), "\n")
			if len(got) != len(lines) {
				t.Errorf("%d lines, want %d", len(got), len(lines))
			}
			if name == "calls" {
				lines = lines[:11*256/8]
			}
			for i, line := range lines {
				if i >= len(got) || got[i] != strings.TrimSpace(line) {
					t.Errorf("from word %d on:\n%s", 8*i, cmp.Diff(line, strings.Join(got[min(i, len(got)):min(i+1, len(got))], "")))
					break
				}
			}
		})
	}
}
