package parallel

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHalves(t *testing.T) {
	for n := range 6 {
		got, want := make([]int, n), make([]int, n)
		for i := range want {
			want[i] = i + 1
		}
		Halves(n, func(from, to int) {
			for i := from; i < to; i++ {
				got[i] += i + 1
			}
		})
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("n = %d: %s", n, d)
		}
	}
}
