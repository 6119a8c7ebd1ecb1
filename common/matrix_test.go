package common

import (
	"math"
	"testing"

	"transpose/common/record"
)

func TestFillIndexIsExactUpTo4096(t *testing.T) {
	in := FillIndex(SeriesN)
	for i, v := range in {
		if int(v) != i {
			t.Fatalf("in[%d] = %v", i, v)
		}
	}
	if next := float32(len(in) + 1); int(next) == len(in)+1 {
		t.Errorf("float32 has %d: SeriesN is smaller than it need be", len(in)+1)
	}
}

func TestTranspose(t *testing.T) {
	for _, n := range []int{1, 2, 31, 33, 100} {
		in := FillIndex(n)
		out := Transpose(in, n)
		for y := 0; y < n; y++ {
			for x := 0; x < n; x++ {
				if got, want := out[y*n+x], float32(x*n+y); got != want {
					t.Fatalf("n = %d: out[%d][%d] = %v, want %v", n, y, x, got, want)
				}
			}
		}
		if err := Check(Transpose(out, n), in, n, Copied); err != nil {
			t.Errorf("n = %d: transposed twice: %v", n, err)
		}
	}
}

// BenchmarkReferenceAndCheck is what one kernel costs on the host at n = 4096.
func BenchmarkReferenceAndCheck(b *testing.B) {
	in := FillIndex(SeriesN)
	got := Transpose(in, SeriesN)
	b.SetBytes(record.BytesMoved(SeriesN))
	for i := 0; i < b.N; i++ {
		if err := Check(got, Transpose(in, SeriesN), SeriesN, Transposed); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFailedCheck is a check that finds everything wrong and tries every
// mistake it knows.
func BenchmarkFailedCheck(b *testing.B) {
	in := FillIndex(SeriesN)
	want := Transpose(in, SeriesN)
	got := make([]float32, len(in))
	for i := range got {
		got[i] = float32(math.Inf(1))
	}
	for i := 0; i < b.N; i++ {
		if err := Check(got, want, SeriesN, Transposed); err == nil {
			b.Fatal("a matrix of infinities passed")
		}
	}
}
