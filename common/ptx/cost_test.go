package ptx

import (
	"math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCosts holds that requests of shapes that come again cost what each costs alone.
func TestCosts(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for _, bytes := range []int{1, 2, 4, 8, 16} {
		m := &memOp{bytes: bytes}
		shapes := make([]row, 6)
		for i := range shapes {
			for lane := range shapes[i] {
				shapes[i][lane] = uint64(bytes * random.Intn(64<<i))
			}
		}
		for lane := range shapes[0] { // two rows of a tile
			shapes[0][lane] = uint64(bytes*(lane%16) + 4160*(lane/16))
		}
		var global, shared memCache
		var want, wantShared counter
		for i := 0; i < 3000; i++ {
			r := &request{m: m, lanes: new(row), mask: ^uint32(0)}
			if i%3 == 0 {
				r.affine, r.spaced = affine{uint64(bytes * random.Intn(64)), uint64(bytes * random.Intn(3)), uint64(bytes * random.Intn(40))}, true
			} else {
				if i%5 == 0 {
					r.mask = uint32(1)<<random.Intn(4) | 0xFF00
				}
				shape, start := shapes[random.Intn(len(shapes))], uint64(bytes*random.Intn(64))
				for lane := range shape {
					r.lanes[lane] = shape[lane] + start
				}
			}
			var alone memCache
			alone.countGlobal(r)
			add(&want, &alone.counter)
			alone = memCache{}
			alone.countShared(r)
			add(&wantShared, &alone.counter)
			global.countGlobal(r)
			shared.countShared(r)
		}
		for name, c := range map[string][2]counter{"global": {want, global.counter}, "shared": {wantShared, shared.counter}} {
			if diff := cmp.Diff(c[0], c[1], cmp.AllowUnexported(counter{})); diff != "" {
				t.Errorf("%s, %d bytes a lane: (-one by one +together)\n%s", name, bytes, diff)
			}
		}
	}
}

func add(sum, c *counter) {
	sum.requests += c.requests
	sum.sectors += c.sectors
	sum.bestSectors += c.bestSectors
	sum.lines += c.lines
	sum.wavefronts += c.wavefronts
	sum.best += c.best
	sum.asked += c.asked
	sum.touched += c.touched
}
