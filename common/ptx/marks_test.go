package ptx

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMarks holds that a request whose addresses are affine marks what it marks lane by
// lane, in global and in shared memory.
func TestMarks(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	const size = 1 << 14
	for range 5000 {
		bytes := 1 << random.Intn(5)
		shift := random.Intn(min(log2(bytes), 2) + 1)
		multiple := func(n int) uint64 { return uint64(bytes * (random.Intn(n) - n/3)) }
		x := affine{uint64(bytes * random.Intn(size/bytes)), multiple(9), multiple(200)}
		switch random.Intn(3) {
		case 0:
			x = evenly(x.base, x.step)
		case 1:
			x = affine{x.base, uint64(bytes), multiple(200)}
		}
		r := request{m: &memOp{bytes: bytes, store: random.Intn(2) == 0}, mask: ^uint32(0), spaced: true, affine: x, lanes: new(row)}
		if first, last, first2, last2 := x.ends(); max(first, last, first2, last2) > uint64(size-bytes) {
			continue
		}
		single := r
		single.spaced, single.lanes = false, new(row)
		x.fill(single.lanes)

		a := &allocation{data: make([]byte, size), shift: shift}
		var k [2]worker
		var answers [2][]bool
		for i, r := range []*request{&r, &single} {
			k[i] = worker{marks: make([][]marks, 1), shadow: shadow{shift: shift}, sharedMarks: make([]sharedMarks, size/64+1)}
			for range 2 { // the second time, what was marked is met again
				answers[i] = append(answers[i], k[i].mark(a, r), k[i].markShared(r))
			}
		}
		if d := cmp.Diff(answers[0], answers[1]); d != "" {
			t.Fatalf("%+v, %d bytes (-affine +lane by lane):\n%s", x, bytes, d)
		}
		if !slices.Equal(k[0].marks[0], k[1].marks[0]) {
			t.Fatalf("%+v, %d bytes: other marks in global memory than lane by lane", x, bytes)
		}
		if !slices.Equal(k[0].sharedMarks, k[1].sharedMarks) {
			t.Fatalf("%+v, %d bytes: other marks in shared memory than lane by lane", x, bytes)
		}
	}
}
