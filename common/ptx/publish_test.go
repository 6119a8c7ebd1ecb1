package ptx

import (
	"strings"
	"testing"
)

// lastBlock has each block leave a word; the last one, by a counter, adds them up.
const lastBlock = addresses + `setp.ne.u32 %p1, %r0, 0;
@%p1 exit;
mul.wide.u32 %d5, %r1, 4;
add.u64 %d5, %d1, %d5;
st.global.u32 [%d5], %r1;
FENCE
UPDATE
setp.ne.u32 %p2, %r5, 99;
@%p2 exit;
mov.u32 %r6, 0;
mov.u32 %r7, 0;
L: ld.global.u32 %r8, [%d1];
add.u32 %r7, %r7, %r8;
add.u64 %d1, %d1, 4;
add.u32 %r6, %r6, 1;
setp.lt.u32 %p3, %r6, 100;
@%p3 bra L;
st.global.u32 [%d0+4], %r7;`

// TestHandedOn holds that a fence and an atomic order blocks, and that neither alone does.
func TestHandedOn(t *testing.T) {
	const inc = "atom.global.inc.u32 %r5, [%d0], 1000;"
	for _, tt := range []struct {
		name, fence, update string
		right               bool
	}{
		{"fence and atomic", "membar.gl;", inc, true},
		{"fence.acq_rel", "fence.acq_rel.gpu;", inc, true},
		{"release", "", "atom.acq_rel.gpu.global.add.u32 %r5, [%d0], 1;", true},
		{"no fence", "", inc, false},
		{"fence for the block", "membar.cta;", inc, false},
		{"another counter each", "membar.gl;", "add.u64 %d6, %d5, 2048;\n" + inc[:len(inc)-len("[%d0], 1000;")] + "[%d6], 1000;\nmov.u32 %r5, %r1;", false},
		{"fence behind the atomic", "", inc + "\nmembar.gl;", false},
	} {
		body := strings.NewReplacer("FENCE", tt.fence, "UPDATE", tt.update).Replace(lastBlock)
		_, out, err := run{body: body, grid: 100}.launch(t)
		if tt.right {
			if err != nil || word(out, 1) != 99*50 {
				t.Errorf("%s: sum %d, error %v", tt.name, word(out, 1), err)
			}
			continue
		}
		if f := asFault(t, err); f.Kind != GlobalRace {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// TestBlocks compares the set with a plain one.
func TestBlocks(t *testing.T) {
	var s blocks
	plain := map[int64]bool{}
	for i := range int64(200) {
		b := i * 37 % 101
		s = s.with(span{b, b + 1})
		plain[b] = true
		for j := range int64(101) {
			if s.has(j) != plain[j] {
				t.Fatalf("after %d: has(%d) = %t", b, j, s.has(j))
			}
		}
	}
	if len(s) != 1 || !s.covers(span{0, 101}) || s.covers(span{0, 102}) || !s.covers(span{0, 0}) {
		t.Errorf("spans %v", s)
	}
}
