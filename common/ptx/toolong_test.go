package ptx

import "testing"

// TestTooLong holds what a kernel that uses up its budget is judged: too long, in the
// lowest block, unless it raced before; and that one which ends within it is counted as
// ever, though it needs more than the quarter that the first run has.
func TestTooLong(t *testing.T) {
	const loop = "mov.u32 %r5, 0;\nL: add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, %r2;\n@%p1 bra L;\n"
	const store = addresses + "st.global.u32 [%d2], %r0;\n"
	for _, c := range []struct {
		name, body string
		n          uint64
		want       FaultKind
		block      int
	}{
		{"short", store + loop, 100, 0, 0},
		{"more than a quarter", store + loop, 1000, 0, 0},
		{"too long", store + loop, 2000, TooLong, 0},
		{"too long in a later block", store + "setp.eq.u32 %p2, %r1, 3;\n@!%p2 exit;\n" + loop, 2000, TooLong, 3},
		{"a race before", "st.global.u32 [%d0], %r0;\n" + loop, 2000, GlobalRace, 0},
		{"a race in global memory, of loads", addresses + "ld.global.u32 %r6, [%d0+4];\nst.global.u32 [%d2], %r6;\n" + loop, 2000, GlobalRace, 0},
		{"a race with an atomic", "red.global.add.u32 [%d0], 1;\nsetp.eq.u32 %p2, %r1, 1;\n@%p2 st.global.u32 [%d0], 7;\nsetp.eq.u32 %p2, %r1, 2;\n@!%p2 exit;\n" + loop, 2000, GlobalRace, 1},
		{"a race in shared memory", "mov.u32 %r7, tile;\nst.shared.u32 [%r7], %r0;\n" + loop, 2000, SharedRace, 0},
		{"read before it was written", "mov.u32 %r7, tile;\nld.shared.u32 %r6, [%r7];\nbar.sync 0;\n" + loop, 2000, SharedUnwritten, 0},
	} {
		m := NewMemory()
		out := alloc(t, m, 4096)
		counts, err := parse(t, kernel(c.body)).Entry("k").Launch(m, Config{Grid: Dim3{8, 1, 1}, Block: Dim3{32, 1, 1},
			Args: []uint64{out, alloc(t, m, 4096), c.n}, Budget: 4000})
		if c.want == 0 {
			if err != nil || counts.Accesses[0].Requests != 8 {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: no fault", c.name)
		} else if f := asFault(t, err); f.Kind != c.want || f.Block.X != c.block {
			t.Errorf("%s: %v", c.name, f)
		}
	}
}
