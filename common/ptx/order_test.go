package ptx

import (
	"math/rand"
	"testing"
)

// TestOrder holds random control flow to the definition of a weak topological
// order: an edge leads to a later block, or to the head of a loop around it, and
// of two loops one lies inside the other or they have no block in common.
func TestOrder(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 2000 {
		p := randomBlocks(random)
		reached := make([]bool, len(p.blocks))
		taken := map[int32]bool{}
		var walk func(b int32)
		walk = func(b int32) {
			reached[b] = true
			if taken[p.blocks[b].place] {
				t.Fatalf("two blocks at place %d of %v", p.blocks[b].place, p.blocks)
			}
			taken[p.blocks[b].place] = true
			for _, s := range p.blocks[b].next {
				if !reached[s] {
					walk(s)
				}
				from, to := p.blocks[b].place, p.blocks[s].place
				ok := to > from
				for _, l := range p.loops {
					ok = ok || l.head == s && to <= from && from < l.end
				}
				if !ok {
					t.Fatalf("edge from place %d to %d of %v, loops %v", from, to, p.blocks, p.loops)
				}
			}
		}
		walk(0)
		for _, x := range p.loops {
			for _, y := range p.loops {
				if a, b := p.blocks[x.head].place, p.blocks[y.head].place; a < b && b < x.end && x.end < y.end {
					t.Fatalf("loops cross: %v", p.loops)
				}
			}
		}
	}
}
