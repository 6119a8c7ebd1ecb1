package ptx

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// randomBlocks returns random control flow, in order.
func randomBlocks(random *rand.Rand) *program {
	p := &program{blocks: make([]block, 1+random.Intn(20))}
	for b := range p.blocks {
		for range random.Intn(3) {
			p.blocks[b].next = append(p.blocks[b].next, int32(random.Intn(len(p.blocks))))
		}
	}
	p.order()
	return p
}

// TestDominators holds random control flow to the definition: a block dominates those
// that cannot be reached without it.
func TestDominators(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	for range 2000 {
		p := randomBlocks(random)
		n := len(p.blocks)
		all := reachable(0, n, p.next)
		tree := p.dominatorTree()
		for a := range int32(n) {
			without := reachable(0, n, func(b int32) []int32 {
				if b == a {
					return nil
				}
				return p.next(b)
			})
			for b := range int32(n) {
				want := all.has(a) && all.has(b) && (a == b || a == 0 || !without.has(b))
				if got := all.has(a) && all.has(b) && tree.dominates(a, b); got != want || tree.reached(b) != all.has(b) {
					t.Fatalf("block %d dominates %d: %t, want %t, in %v", a, b, got, want, p.blocks)
				}
			}
		}
	}
}

// TestFirstCommon holds random control flow to the definition: of the blocks that both
// sides of a branch outside of loops reach, the first in order.
func TestFirstCommon(t *testing.T) {
	random := rand.New(rand.NewSource(3))
	branches := 0
	for range 2000 {
		p := randomBlocks(random)
		inner, n := p.nest().inner, len(p.blocks)
		for _, b := range p.sequence {
			next := p.blocks[b].next
			if len(next) != 2 || inner[b] >= 0 || len(p.loops) > 0 {
				continue
			}
			branches++
			x, y := reachable(next[0], n, p.next), reachable(next[1], n, p.next)
			want := int32(-1)
			for _, c := range p.sequence {
				if x.has(c) && y.has(c) {
					want = c
					break
				}
			}
			if got := p.firstCommon(b, p.previous(), newBitset(n)); got != want {
				t.Fatalf("of the sides of block %d: %d, want %d, in %v", b, got, want, p.blocks)
			}
		}
	}
	if branches < 100 {
		t.Errorf("only %d branches", branches)
	}
}

// BenchmarkLongKernels compiles and runs kernels of many blocks: each must take time in
// proportion to its length, so ns/statement stays what it is.
func BenchmarkLongKernels(b *testing.B) {
	repeat := func(format string, n int) string {
		var s strings.Builder
		for i := range n {
			s.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)))
		}
		return s.String()
	}
	for name, body := range map[string]func(n int) string{
		"values": func(n int) string {
			return fmt.Sprintf(".reg .b32 %%x<%d>;\n", n) + repeat("@%p1 bra L#;\nmov.u32 %x#, 1;\nL#: add.u32 %r5, %r5, %x#;\n", n)
		},
		"returns": func(n int) string {
			return repeat("@%p1 bra L#;\nadd.u32 %r5, %r5, 1;\n", n) + "ret;\n" + repeat("L#: st.global.u32 [%d0], %r5;\nret;\n", n)
		},
		"one end": func(n int) string {
			return repeat("@%p1 bra L;\nadd.u32 %r5, %r5, 1;\n", n) + "st.global.u32 [%d0], 1;\nL: st.global.u32 [%d0+4], 1;"
		},
		"barriers": func(n int) string { return repeat("@%p1 bra L#;\nadd.u32 %r5, %r5, 1;\nL#: bar.sync 0;\n", n) },
		"loops": func(n int) string {
			return repeat("L#: add.u32 %r5, %r5, 1;\nbar.sync 0;\nsetp.lt.u32 %p2, %r5, #;\n@%p2 bra L#;\n", n)
		},
	} {
		for _, n := range []int{1000, 10000, 100000} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for range b.N {
					if _, _, err := (run{body: "setp.eq.u32 %p1, %r0, 5;\n" + body(n)}).launch(b); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/statement")
			})
		}
	}
}
