package ptx

import (
	"strings"
	"testing"
)

// TestBarrierReductions has barriers that count or combine what threads say.
func TestBarrierReductions(t *testing.T) {
	all := func(v uint32) func(int) uint32 { return func(int) uint32 { return v } }
	for _, tt := range []struct {
		body  string
		block int
		want  func(i int) uint32
	}{
		{"setp.lt.u32 %p1, %r0, 70;\nbar.red.popc.u32 %r20, 0, %p1;", 128, all(70)},
		{"setp.lt.u32 %p1, %r0, 70;\nbar.red.popc.u32 %r20, 0, !%p1;", 128, all(58)},
		{"setp.lt.u32 %p1, %r0, 70;\nbarrier.cta.red.popc.aligned.u32 %r20, 0, %p1;", 100, all(70)},
		{"setp.lt.u32 %p1, %r0, 70;\nbarrier.red.popc.u32 %r20, 3, 128, %p1;", 128, all(70)},
		{"setp.lt.u32 %p1, %r0, 70;\nbar.red.and.pred %p2, 0, %p1;\nselp.u32 %r20, 1, 0, %p2;", 128, all(0)},
		{"setp.lt.u32 %p1, %r0, 128;\nbar.red.and.pred %p2, 0, %p1;\nselp.u32 %r20, 1, 0, %p2;", 128, all(1)},
		{"setp.eq.u32 %p1, %r0, 70;\nbar.red.or.pred %p2, 0, %p1;\nselp.u32 %r20, 1, 0, %p2;", 128, all(1)},
		{"setp.eq.u32 %p1, %r0, 128;\nbar.red.or.pred %p2, 0, %p1;\nselp.u32 %r20, 1, 0, %p2;", 128, all(0)},
		{"setp.lt.u32 %p3, %r0, 40;\n@%p3 st.global.u32 [%d2], 9;\n@%p3 exit;\nbar.red.popc.u32 %r20, 0, 1;", 128, func(i int) uint32 {
			if i < 40 {
				return 9
			}
			return 88
		}},
		// Half of the block at a barrier of its own.
		{"setp.lt.u32 %p1, %r0, 64;\n@%p1 bra M;\nbar.red.popc.u32 %r20, 2, 64, 1;\nbra N;\nM: setp.lt.u32 %p2, %r0, 5;\nbar.red.popc.u32 %r20, 1, 64, %p2;\nN:", 128, func(i int) uint32 {
			if i < 64 {
				return 5
			}
			return 64
		}},
	} {
		for i, got := range words(t, tt.body, tt.block) {
			if want := tt.want(i); got != want {
				t.Errorf("%s: thread %d has %d, want %d", tt.body, i, got, want)
				break
			}
		}
	}
}

// handOver has warps 2 and 3 fill the tile and warps 0 and 1 read it.
const handOver = addresses + `setp.lt.u32 %p1, %r0, 64;
@%p1 bra READ;
st.shared.u32 [%r4], %r0;
FILLED
bra END;
READ:
WAIT
ld.shared.u32 %r20, [%r4+256];
st.global.u32 [%d2], %r20;
END:`

// TestNamedBarriers has what they order and what they do not, and what is wrong with them.
func TestNamedBarriers(t *testing.T) {
	const both = "setp.lt.u32 %p1, %r0, 64;\n@%p1 bra M;\nbar.sync 2, 64;\nbra N;\nM: bar.sync 1, 64;\nN:"
	for _, tt := range []struct {
		name, body string
		want       FaultKind // 0 for none
		says       string
	}{
		{"whole block", addresses + "st.shared.u32 [%r4], %r0;\nbar.sync 1;\nld.shared.u32 %r5, [tile];", 0, ""},
		{"whole block, counted", addresses + "st.shared.u32 [%r4], %r0;\nbar.sync 1, 128;\nld.shared.u32 %r5, [tile];", 0, ""},
		{"number in a register", addresses + "mov.u32 %r6, 15;\nmov.u32 %r7, 128;\nst.shared.u32 [%r4], %r0;\nbar.sync %r6, %r7;\nld.shared.u32 %r5, [tile];", 0, ""},
		{"arrive and sync", strings.NewReplacer("FILLED", "bar.arrive 1, 128;", "WAIT", "bar.sync 1, 128;").Replace(handOver), 0, ""},
		{"sync and sync", strings.NewReplacer("FILLED", "bar.sync 1, 128;", "WAIT", "bar.sync 1, 128;").Replace(handOver), 0, ""},
		{"too early", strings.NewReplacer("FILLED", "bar.sync 2, 64;", "WAIT", "bar.sync 1, 64;").Replace(handOver), SharedRace, ""},
		{"written behind arrive", strings.NewReplacer("FILLED", "bar.arrive 1, 128;\nst.shared.u32 [%r4], 1;", "WAIT", "bar.sync 1, 128;").Replace(handOver), SharedRace, ""},
		{"a race beside", both + "setp.eq.u32 %p1, %r0, 0;\n@%p1 st.shared.u32 [tile], 1;\nsetp.eq.u32 %p2, %r0, 64;\n@%p2 st.shared.u32 [tile], 2;", SharedRace, ""},
		{"a race behind", both + "setp.eq.u32 %p1, %r0, 0;\n@%p1 st.shared.u32 [tile], 1;\nsetp.eq.u32 %p2, %r0, 32;\n@%p2 st.shared.u32 [tile], 2;", SharedRace, ""},
		{"used again", strings.NewReplacer("FILLED", "bar.arrive 1, 128;\nbar.sync 2, 128;\nst.shared.u32 [%r4], 7;\nbar.arrive 1, 128;",
			"WAIT", "bar.sync 1, 128;\nld.shared.u32 %r20, [%r4+256];\nbar.arrive 2, 128;\nbar.sync 1, 128;").Replace(handOver), 0, ""},
		{"halves", addresses + "st.shared.u32 [%r4], %r0;\n" + both + "\nxor.b32 %r4, %r4, 128;\nld.shared.u32 %r5, [%r4];", 0, ""},
		{"halves, read across", addresses + "st.shared.u32 [%r4], %r0;\n" + both + "\nxor.b32 %r4, %r4, 256;\nld.shared.u32 %r5, [%r4];", SharedRace, ""},
		{"joined again", addresses + "st.shared.u32 [%r4], %r0;\n" + both + "\nbar.sync 0;\nxor.b32 %r4, %r4, 256;\nld.shared.u32 %r5, [%r4];", 0, ""},
		{"exited has come", addresses + "st.shared.u32 [%r4], %r0;\nsetp.lt.u32 %p1, %r0, 32;\n@%p1 exit;\nbar.sync 1;\nld.shared.u32 %r5, [tile];", 0, ""},
		{"too few", "setp.lt.u32 %p1, %r0, 64;\n@%p1 bra M;\nbar.sync 1, 96;\nM:", DivergentBarrier, "64 have come"},
		{"too many", "bar.sync 1, 96;", DivergentBarrier, "128 have come"},
		{"other numbers", "setp.lt.u32 %p1, %r0, 64;\nselp.u32 %r5, 1, 2, %p1;\nbar.sync %r5;", DivergentBarrier, ""},
		{"other counts", "setp.lt.u32 %p1, %r0, 64;\nselp.u32 %r5, 96, 128, %p1;\nbar.sync 1, %r5;", DivergentBarrier, "the same number"},
		{"no multiple of 32", "bar.sync 1, 40;", DivergentBarrier, "multiple of 32"},
		{"no such barrier", "bar.sync 16;", DivergentBarrier, "from 0 on"},
		{"two in a warp", "and.b32 %r5, %r0, 1;\nbar.sync %r5;", DivergentBarrier, "one barrier at a time"},
		{"half a warp", "setp.lt.u32 %p1, %r0, 16;\n@%p1 bra M;\nbar.sync 1, 128;\nM: bar.sync 0;", DivergentBarrier, ""},
		{"arrived for nobody", "setp.lt.u32 %p1, %r0, 64;\n@%p1 bra M;\nbar.arrive 1, 128;\nM:", 0, ""},
		{"arrived too often", "bar.arrive 1, 32;\nbar.sync 0;", DivergentBarrier, "as one of 64"},
	} {
		_, _, err := run{body: tt.body, block: 128}.launch(t)
		if tt.want == 0 {
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		if f := asFault(t, err); f.Kind != tt.want || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	_, out, err := run{body: strings.NewReplacer("FILLED", "bar.arrive 1, 128;", "WAIT", "bar.sync 1, 128;").Replace(handOver), block: 128}.launch(t)
	for i := range 64 {
		if got := word(out, i); err != nil || got != uint32(i+64) {
			t.Fatalf("thread %d reads %d, error %v", i, got, err)
		}
	}
}

// TestUnevenLoop holds that a race between threads that run a loop unevenly is not
// told to want a barrier, and one between two rounds is.
func TestUnevenLoop(t *testing.T) {
	// Warp 0 runs one round, warp 1 two; then each reads what warp 0 wrote, or its own.
	const uneven = addresses + `mov.u32 %r5, 0;
shr.u32 %r6, %r0, 5;
and.b32 %r7, %r3, 127;
mov.u32 %r8, tile;
add.u32 %r8, %r8, %r7;
L: setp.ne.u32 %p1, %r5, %r6;
@%p1 bra M;
st.shared.u32 [%r8], %r5;
M: bar.sync 0;
add.u32 %r5, %r5, 1;
setp.le.u32 %p2, %r5, %r6;
@%p2 bra L;
ld.shared.u32 %r9, [%r8];
st.global.u32 [%d2], %r9;`
	_, _, err := run{body: uneven, block: 64}.launch(t)
	if f := asFault(t, err); f.Kind != SharedRace || !strings.Contains(err.Error(), "run the loop as often") {
		t.Errorf("uneven: %v", err)
	}
	const even = addresses + `mov.u32 %r5, 0;
L: st.shared.u32 [%r4], %r5;
bar.sync 0;
xor.b32 %r6, %r4, 128;
ld.shared.u32 %r9, [%r6];
add.u32 %r5, %r5, 1;
setp.lt.u32 %p2, %r5, 3;
@%p2 bra L;`
	_, _, err = run{body: even, block: 64}.launch(t)
	if f := asFault(t, err); f.Kind != SharedRace || !strings.Contains(err.Error(), "__syncthreads() missing?") {
		t.Errorf("even: %v", err)
	}
}
