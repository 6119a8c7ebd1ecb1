package ptx

import (
	"fmt"
	"testing"
)

// words returns what each of n threads has left in %r20.
func words(t *testing.T, body string, n int) []uint32 {
	t.Helper()
	_, out, err := run{body: addresses + "mov.u32 %r20, -1;\n" + body + "\nst.global.u32 [%d2], %r20;", block: n}.launch(t)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	got := make([]uint32, n)
	for i := range got {
		got[i] = word(out, i)
	}
	return got
}

// TestWarpTogether has what lanes do together, for whole warps, for the lanes of
// a branch, and for a warp of 20 threads.
func TestWarpTogether(t *testing.T) {
	const odd, third = 0xaaaaaaaa, 0x49249249 // lanes with lane%3 == 0
	yes := func(m uint32) string { return fmt.Sprintf("selp.u32 %%r20, 1, 0, %%p%d;", m) }
	lane := func(l int) uint32 { return 1 << l }
	const setup = `and.b32 %r5, %r0, 1;
setp.eq.u32 %p1, %r5, 1;
rem.u32 %r6, %r0, 3;
setp.eq.u32 %p2, %r6, 0;
mov.u32 %r7, 0xaaaaaaaa;
mov.pred %p5, 1;
`
	const untouched = 0xffffffff
	inOdd := func(v func(l int) uint32) func(l int) uint32 {
		return func(l int) uint32 {
			if l%2 == 0 {
				return untouched
			}
			return v(l)
		}
	}
	all := func(v uint32) func(int) uint32 { return func(int) uint32 { return v } }
	for _, tt := range []struct {
		body string
		want func(lane int) uint32
	}{
		{"vote.sync.ballot.b32 %r20, %p2, -1;", all(third)},
		{"vote.sync.ballot.b32 %r20, !%p2, -1;", all(^uint32(third))},
		{"@%p1 vote.sync.ballot.b32 %r20, %p2, 0xaaaaaaaa;", inOdd(all(third & odd))},
		{"vote.ballot.b32 %r20, %p2;", all(third)},
		{"@%p1 vote.ballot.b32 %r20, %p2;", inOdd(all(third & odd))},
		{"vote.sync.any.pred %p3, %p2, -1;" + yes(3), all(1)},
		{"vote.sync.all.pred %p3, %p2, -1;" + yes(3), all(0)},
		{"vote.sync.uni.pred %p3, %p2, -1;" + yes(3), all(0)},
		{"vote.sync.uni.pred %p3, !%p5, -1;" + yes(3), all(1)},
		{"vote.sync.all.pred %p3, %p5, -1;" + yes(3), all(1)},
		{"vote.sync.any.pred %p3, !%p5, -1;" + yes(3), all(0)},
		{"@!%p1 bra M;\nvote.sync.all.pred %p3, %p1, 0xaaaaaaaa;\n" + yes(3) + "\nM:", inOdd(all(1))},
		{"vote.all.pred %p3, %p1;" + yes(3), all(0)},
		{"@!%p1 bra M;\nactivemask.b32 %r20;\nM:", inOdd(all(odd))},
		{"activemask.b32 %r20;", all(0xffffffff)},
		{"match.any.sync.b32 %r20, %r6, -1;", func(l int) uint32 { return third << (l % 3) & 0xffffffff }},
		{"cvt.u64.u32 %d20, %r6;\nshl.b64 %d20, %d20, 40;\nmatch.any.sync.b64 %r20, %d20, -1;", func(l int) uint32 { return third << (l % 3) }},
		{"@%p1 match.any.sync.b32 %r20, %r6, %r7;", inOdd(func(l int) uint32 { return odd & (third<<(l%3) | third>>(3-l%3)) })},
		{"match.all.sync.b32 %r20|%p3, %r6, -1;\n@!%p3 add.u32 %r20, %r20, 100;", all(100)},
		{"@%p1 match.all.sync.b32 %r20|%p3, %r5, %r7;", inOdd(all(odd))},
		{"@%p1 match.all.sync.b32 %r20|%p3, %r5, %r7;\n@%p1 selp.u32 %r20, 1, 0, %p3;", inOdd(all(1))},
		{"redux.sync.add.u32 %r20, %r0, -1;", all(31 * 16)},
		{"@%p1 redux.sync.add.s32 %r20, %r0, 0xaaaaaaaa;", inOdd(all(16 * 16))},
		{"sub.u32 %r8, %r0, 5;\nredux.sync.min.s32 %r20, %r8, -1;", all(0xfffffffb)},
		{"sub.u32 %r8, %r0, 5;\nredux.sync.min.u32 %r20, %r8, -1;", all(0)},
		{"sub.u32 %r8, %r0, 5;\nredux.sync.max.s32 %r20, %r8, -1;", all(26)},
		{"sub.u32 %r8, %r0, 5;\nredux.sync.max.u32 %r20, %r8, -1;", all(0xffffffff)},
		{"redux.sync.and.b32 %r20, %r0, -1;", all(0)},
		{"@%p1 redux.sync.and.b32 %r20, %r0, 0xaaaaaaaa;", inOdd(all(1))},
		{"redux.sync.or.b32 %r20, %r0, -1;", all(31)},
		{"redux.sync.xor.b32 %r20, %r6, -1;", all(uint32(10&1*1 ^ 11&1*1 ^ 10&1*2))},
		{"elect.sync %r20|%p3, -1;\n@%p3 mov.u32 %r20, 77;", func(l int) uint32 { return map[bool]uint32{true: 77}[l == 0] }},
		{"@%p1 elect.sync _|%p3, 0xaaaaaaaa;\n@%p1 selp.u32 %r20, 1, 0, %p3;", inOdd(func(l int) uint32 { return lane(l) >> 1 & 1 })},
		// Tiles of 16: one mask for each half.
		{"shl.b32 %r8, 0xffff, 16;\nsetp.lt.u32 %p3, %r0, 16;\n@%p3 mov.u32 %r8, 0xffff;\nvote.sync.ballot.b32 %r20, %p2, %r8;",
			func(l int) uint32 { return third & (0xffff << (l &^ 15)) }},
		{"shl.b32 %r8, 0xffff, 16;\nsetp.lt.u32 %p3, %r0, 16;\n@%p3 mov.u32 %r8, 0xffff;\nshfl.sync.bfly.b32 %r20, %r0, 9, 0x101f, %r8;",
			func(l int) uint32 { return uint32(l ^ 9) }},
		// Lanes that have exited are not waited for.
		{"setp.lt.u32 %p3, %r0, 4;\n@%p3 st.global.u32 [%d2], 5;\n@%p3 exit;\nvote.sync.ballot.b32 %r20, 1, -1;", func(l int) uint32 {
			if l < 4 {
				return 5
			}
			return 0xfffffff0
		}},
		{"shfl.bfly.b32 %r20|%p3, %r0, 1, 31;", func(l int) uint32 { return uint32(l ^ 1) }},
	} {
		for i, got := range words(t, setup+tt.body, 32) {
			if want := tt.want(i); got != want {
				t.Errorf("%s: lane %d has %#x, want %#x", tt.body, i, got, want)
				break
			}
		}
	}
	for i, got := range words(t, "vote.sync.ballot.b32 %r20, 1, -1;", 52) {
		if want := map[bool]uint32{true: 0xffffffff, false: 0xfffff}[i < 32]; got != want {
			t.Errorf("52 threads: thread %d has %#x, want %#x", i, got, want)
		}
	}
}

// TestMaskFaults accuses masks that do not fit, beside twins that do.
func TestMaskFaults(t *testing.T) {
	for _, tt := range []struct {
		name, body, at string
		thread         int
		right          string
	}{
		{"in another branch", "setp.lt.u32 %p1, %r0, 4;\n@!%p1 bra M;\nshfl.sync.bfly.b32 %r5, %r0, 1, 31, -1;\nM: st.global.u32 [%d2], %r0;", "shfl", 0,
			"setp.lt.u32 %p1, %r0, 4;\n@!%p1 bra M;\nshfl.sync.bfly.b32 %r5, %r0, 1, 31, 15;\nM: st.global.u32 [%d2], %r0;"},
		{"held by a guard", "setp.gt.u32 %p1, %r0, 15;\n@%p1 vote.sync.ballot.b32 %r5, 1, -1;", "@%p1", 16,
			"setp.gt.u32 %p1, %r0, 15;\n@%p1 vote.sync.ballot.b32 %r5, 1, 0xffff0000;"},
		{"not in its own mask", "vote.sync.ballot.b32 %r5, 1, 0xffff;", "vote", 16, "vote.sync.ballot.b32 %r5, 1, 0xffffffff;"},
		{"a warp barrier", "bar.warp.sync 0xff;", "bar.warp", 8, "bar.warp.sync 0xffffffff;"},
		{"masks differ", "add.u32 %r5, %r0, 1;\nshl.b32 %r5, 1, %r5;\nsub.u32 %r5, %r5, 1;\nmov.u32 %r6, -1;\nsetp.eq.u32 %p1, %r0, 31;\n@%p1 mov.u32 %r5, -1;\nsetp.eq.u32 %p1, %r0, 0;\n@%p1 mov.u32 %r5, -1;\nredux.sync.or.b32 %r7, %r0, %r5;", "redux", 0,
			"setp.lt.u32 %p1, %r0, 8;\nselp.b32 %r5, 0xff, 0xffffff00, %p1;\nredux.sync.or.b32 %r7, %r0, %r5;"},
	} {
		_, _, err := run{body: addresses + tt.body}.launch(t)
		f := asFault(t, err)
		if f.Kind != MaskMismatch || f.Thread.X != tt.thread || f.PTXLine != lineOf(t, addresses+tt.body, tt.at) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if _, _, err := (run{body: addresses + tt.right}).launch(t); err != nil {
			t.Errorf("%s, right: %v", tt.name, err)
		}
	}
}

// TestExitedHasArrived holds that a lane that exits before bar.warp.sync comes
// before what the others do after it.
func TestExitedHasArrived(t *testing.T) {
	body := addresses + `st.shared.u32 [%r4], %r0;
setp.eq.u32 %p1, %r0, 0;
@%p1 exit;
bar.warp.sync -1;
ld.shared.u32 %r5, [tile];
st.global.u32 [%d2], %r5;`
	if _, _, err := (run{body: body}).launch(t); err != nil {
		t.Error(err)
	}
}

// TestWritesAreSeen holds that what these instructions write is known to be written: a
// constant in the same register is set anew in each block.
func TestWritesAreSeen(t *testing.T) {
	for _, code := range []string{
		"atom.global.add.u32 %r20, [%d1], 1;", "vote.sync.ballot.b32 %r20, 1, -1;", "activemask.b32 %r20;",
		"bar.red.popc.u32 %r20, 0, 1;", "shfl.sync.bfly.b32 %r20, %r0, 1, 31, -1;", "elect.sync %r20|%p1, -1;",
	} {
		_, out, err := run{grid: 2, work: 1, body: addresses + "mov.u32 %r20, 77;\nmad.lo.u32 %r7, %r1, 32, %r0;\nmad.wide.u32 %d5, %r7, 4, %d0;\n" +
			"st.global.u32 [%d5], %r20;\n" + code + "\nst.global.u32 [%d5+1024], %r20;"}.launch(t)
		if err != nil || word(out, 0) != 77 || word(out, 32) != 77 || word(out, 300) == 77 {
			t.Errorf("%s: %d, %d, then %d, error %v; want 77, 77, and another", code, word(out, 0), word(out, 32), word(out, 300), err)
		}
	}
}
