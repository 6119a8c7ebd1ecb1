package ptx

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// randomAffine returns a register that holds an affine row of 32 or 64 bits.
func randomAffine(rng *rand.Rand, narrow bool) *register {
	for {
		steps := []uint64{0, 0, 1, 4, ^uint64(0), uint64(rng.Intn(1 << 20)), 1 << rng.Intn(64), rng.Uint64()}
		step := func() uint64 { return steps[rng.Intn(len(steps))] }
		x := affine{corner(rng), step(), step()}
		if rng.Intn(2) == 0 {
			x = evenly(x.base, x.step)
		}
		r := &register{form: isAffine}
		if r.affine = x; !narrow || r.set32(x) {
			return r
		}
	}
}

// TestAffine compares what is said of affine rows with the loops over their lanes.
func TestAffine(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	var zero register
	zero.set(0)
	for name, f := range affineFns {
		narrow := strings.Contains(name, "32") && name != "cvt.u32.u64"
		known := 0
		for range 20000 {
			a, b, c := randomAffine(rng, narrow), randomAffine(rng, narrow), randomAffine(rng, narrow)
			var got register
			got.set(0)
			var want row
			if !f(&got.affine, &a.affine, &b.affine, &c.affine, &zero.affine) {
				continue
			}
			known++
			fast[name](&want, a.row(), b.row(), c.row(), zero.row())
			if want != *got.row() {
				t.Fatalf("%s of %v, %v, %v: %s", name, a.affine, b.affine, c.affine, cmp.Diff(want, *got.row()))
			}
		}
		if known < 100 {
			t.Errorf("%s: only %d affine results", name, known)
		}
	}
	for _, kind := range []typ{{'s', 32}, {'u', 32}, {'b', 32}, {'s', 64}, {'u', 64}} {
		for _, cond := range []string{"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"} {
			test := compare(cond, kind)
			if test == nil {
				continue
			}
			for range 20000 {
				a, b := randomAffine(rng, kind.bits == 32), randomAffine(rng, kind.bits == 32)
				got, ok := compareAffine(kind, test)(&a.affine, &b.affine)
				if want := compareRows(cond, kind, test)(a.row(), b.row()); ok && got != want {
					t.Fatalf("%s.%c%d of %v, %v: %#x, want %#x", cond, kind.kind, kind.bits, a.affine, b.affine, got, want)
				}
			}
		}
	}
}
