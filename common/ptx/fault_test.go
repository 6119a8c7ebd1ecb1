package ptx

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Pieces of the kernels below. %r3 = 4·tid; %d2 = out + 4·tid; %d3 = in + 4·tid;
// %r4 = tile + 4·tid.
const addresses = `shl.b32 %r3, %r0, 2;
cvt.u64.u32 %d4, %r3;
add.u64 %d2, %d0, %d4;
add.u64 %d3, %d1, %d4;
mov.u32 %r4, tile;
add.u32 %r4, %r4, %r3;
`

// second puts an array of 64 bytes behind tile; %r5 = second + 4·tid.
const second = ".shared .align 4 .b8 second[64];\nmov.u32 %r5, second;\nadd.u32 %r5, %r5, %r3;\n"

// TestFaults has each accusation beside a twin that is right and stays silent.
// The accused line is the first one that contains at.
func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name  string
		run   run
		at    string
		other string // line of the other side
		want  Fault
		right run
	}{
		{"past the end", run{body: addresses + "ld.global.f32 %f1, [%d3+4000];"}, "ld.global", "",
			Fault{Kind: OutOfBounds, Thread: Dim3{24, 0, 0}, Bytes: 4, Distance: 0},
			run{body: addresses + "ld.global.f32 %f1, [%d3+3968];"}},
		{"before the start", run{body: addresses + "st.global.f32 [%d2+-8], %f1;"}, "st.global", "",
			Fault{Kind: OutOfBounds, Store: true, Bytes: 4, Distance: -8},
			run{body: addresses + "st.global.f32 [%d2+0], %f1;"}},
		{"32-bit overflow", run{body: addresses + "mul.lo.s32 %r5, %r0, 1073741824;\nmul.wide.s32 %d5, %r5, 4;\nadd.s64 %d5, %d0, %d5;\nst.global.f32 [%d5], %f1;"},
			"st.global", "", Fault{Kind: OutOfBounds, Thread: Dim3{1, 0, 0}, Store: true, Bytes: 4, Distance: 4<<30 - 4096},
			run{body: addresses + "st.global.f32 [%d2], %f1;"}},
		{"null pointer", run{body: "mov.u64 %d5, 0;\nld.f32 %f1, [%d5];"}, "ld.f32", "",
			Fault{Kind: OutOfBounds, Bytes: 4}, run{body: "ld.f32 %f1, [%d0];"}},
		{"guard missing", run{body: addresses + "st.global.f32 [%d2+96], %f1;", block: 1024, n: 1000}, "st.global", "",
			Fault{Kind: OutOfBounds, Thread: Dim3{1000, 0, 0}, Store: true, Bytes: 4},
			run{body: addresses + "setp.ge.u32 %p1, %r0, %r2;\n@%p1 bra done;\nst.global.f32 [%d2+96], %f1;\ndone:", block: 1024, n: 1000}},
		{"misaligned vector", run{body: addresses + "ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%d3];"}, "ld.global", "",
			Fault{Kind: Misaligned, Thread: Dim3{1, 0, 0}, Bytes: 16},
			run{body: addresses + "ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%d1+16];"}},
		{"misaligned shared", run{body: addresses + "st.shared.f64 [%r4+0], %e1;"}, "st.shared", "",
			Fault{Kind: Misaligned, Thread: Dim3{1, 0, 0}, Space: Shared, Store: true, Bytes: 8},
			run{body: addresses + "add.u32 %r4, %r4, %r3;\nst.shared.f64 [%r4+0], %e1;"}},
		{"shared array overrun", run{body: addresses + "st.shared.f32 [%r4+4000], %f1;"}, "st.shared", "",
			Fault{Kind: SharedOutOfBounds, Thread: Dim3{24, 0, 0}, Space: Shared, Store: true, Bytes: 4, Distance: 0},
			run{body: addresses + "st.shared.f32 [%r4+3968], %f1;"}},
		{"shared array underrun", run{body: addresses + "st.shared.f32 [%r4+-4], %f1;"}, "st.shared", "",
			Fault{Kind: SharedOutOfBounds, Space: Shared, Store: true, Bytes: 4, Distance: -4},
			run{body: addresses + "st.shared.f32 [%r4+4], %f1;"}},
		{"shared array overrun into the next", run{body: addresses + second + "st.shared.f32 [%r4+4000], %f1;"}, "st.shared", "",
			Fault{Kind: SharedOutOfBounds, Thread: Dim3{24, 0, 0}, Space: Shared, Store: true, Bytes: 4},
			run{body: addresses + second + "st.shared.f32 [%r4+3968], %f1;\nsetp.lt.u32 %p1, %r0, 16;\n@%p1 st.shared.f32 [%r5], %f1;"}},
		{"shared array underrun into the one before", run{body: addresses + second + "st.shared.f32 [%r4], %f1;\nst.shared.f32 [%r5+-8], %f1;"}, "st.shared.f32 [%r5", "",
			Fault{Kind: SharedOutOfBounds, Space: Shared, Store: true, Bytes: 4, Distance: -8},
			run{body: addresses + second + "st.shared.f32 [%r4], %f1;\nsetp.lt.u32 %p1, %r0, 16;\n@%p1 st.shared.f32 [%r5], %f1;"}},
		{"generic address before shared memory", run{body: addresses + "cvta.shared.u64 %d5, 0;\nadd.u64 %d5, %d5, %d4;\nst.f32 [%d5+-4], %f1;\nst.shared.f32 [%r4], %f1;"}, "st.f32", "",
			Fault{Kind: SharedOutOfBounds, Space: Shared, Store: true, Bytes: 4, Distance: -4},
			run{body: addresses + "cvta.shared.u64 %d5, 0;\nadd.u64 %d5, %d5, %d4;\nst.f32 [%d5+4], %f1;\nst.shared.f32 [%r4+2048], %f1;"}},
		{"unwritten", run{body: addresses + "ld.shared.f32 %f1, [%r4];"}, "ld.shared", "",
			Fault{Kind: SharedUnwritten, Space: Shared, Bytes: 4},
			run{body: addresses + "st.shared.f32 [%r4], %f1;\nld.shared.f32 %f1, [%r4];"}},
		{"half of a vector unwritten", run{body: addresses + "st.shared.f32 [%r4+4], %f1;\nbar.sync 0;\nsetp.eq.u32 %p1, %r0, 0;\n@%p1 ld.shared.v2.f32 {%f1, %f2}, [tile+128];"},
			"@%p1", "", Fault{Kind: SharedUnwritten, Space: Shared, Bytes: 8},
			run{body: addresses + "st.shared.f32 [%r4], %f1;\nbar.sync 0;\nsetp.eq.u32 %p1, %r0, 0;\n@%p1 ld.shared.v2.f32 {%f1, %f2}, [tile+120];"}},
		{"written too late, by another thread", run{body: addresses + "setp.lt.u32 %p1, %r0, 32;\n@%p1 ld.shared.f32 %f1, [%r4];\n@!%p1 st.shared.f32 [%r4+-128], %f2;\nst.shared.f32 [%r4+1024], %f1;", block: 64},
			"@!%p1", "@%p1", Fault{Kind: SharedRace, Thread: Dim3{32, 0, 0}, Space: Shared, Store: true, Bytes: 4, Other: &Party{}},
			run{body: addresses + "setp.lt.u32 %p1, %r0, 32;\n@!%p1 st.shared.f32 [%r4+-128], %f1;\nbar.sync 0;\n@%p1 ld.shared.f32 %f1, [%r4];", block: 64}},
		{"barrier missing", run{body: addresses + "st.shared.f32 [%r4], %f1;\nxor.b32 %r5, %r4, 4;\nld.shared.f32 %f1, [%r5];"},
			"ld.shared", "st.shared", Fault{Kind: SharedRace, Space: Shared, Bytes: 4, Other: &Party{Thread: Dim3{1, 0, 0}, Store: true}},
			run{body: addresses + "st.shared.f32 [%r4], %f1;\nbar.sync 0;\nxor.b32 %r5, %r4, 4;\nld.shared.f32 %f1, [%r5];"}},
		{"write after read", run{body: addresses + "setp.lt.u32 %p1, %r0, 32;\n@%p1 st.shared.f32 [%r4], %f1;\nbar.sync 0;\n@%p1 ld.shared.f32 %f1, [%r4];\n@!%p1 st.shared.f32 [%r4+-128], %f2;\nst.shared.f32 [%r4+1024], %f1;", block: 64},
			"@!%p1", "@%p1 ld", Fault{Kind: SharedRace, Thread: Dim3{32, 0, 0}, Space: Shared, Store: true, Bytes: 4, Other: &Party{}},
			run{body: addresses + "setp.lt.u32 %p1, %r0, 32;\n@%p1 st.shared.f32 [%r4], %f1;\nbar.sync 0;\n@%p1 ld.shared.f32 %f1, [%r4];\nbar.sync 0;\n@!%p1 st.shared.f32 [%r4+-128], %f1;", block: 64}},
		{"own read does not hide another's", run{body: addresses + `st.shared.f32 [%r4], %f1;
bar.sync 0;
ld.shared.f32 %f1, [tile];
setp.ne.u32 %p1, %r0, 0;
@%p1 bra done;
st.shared.f32 [tile+0], %f1;
done:`}, "st.shared.f32 [tile+0]", "ld.shared",
			Fault{Kind: SharedRace, Space: Shared, Store: true, Bytes: 4, Other: &Party{Thread: Dim3{1, 0, 0}}},
			run{body: addresses + "st.shared.f32 [%r4], %f1;\nbar.sync 0;\nld.shared.f32 %f1, [tile];"}},
		{"two lanes store one word", run{body: "st.shared.u32 [tile], %r0;"}, "st.shared", "st.shared",
			Fault{Kind: SharedRace, Thread: Dim3{1, 0, 0}, Space: Shared, Store: true, Bytes: 4, Other: &Party{Store: true}},
			run{body: "setp.eq.u32 %p1, %r0, 0;\n@%p1 st.shared.u32 [tile], %r0;"}},
		{"two threads, two bytes of a word", run{body: "mov.u32 %r5, tile;\nand.b32 %r6, %r0, 30;\nadd.u32 %r5, %r5, %r6;\ncvt.u16.u32 %h1, %r0;\nst.shared.u8 [%r5], %h1;"}, "st.shared", "st.shared",
			Fault{Kind: SharedRace, Thread: Dim3{1, 0, 0}, Space: Shared, Store: true, Bytes: 1, Other: &Party{Store: true}},
			run{body: "mov.u32 %r5, tile;\nadd.u32 %r5, %r5, %r0;\nst.shared.u8 [%r5], %h1;"}},
		{"warp barrier missing", run{body: addresses + "bar.warp.sync -1;\nst.shared.f32 [%r4], %f1;\nxor.b32 %r5, %r4, 4;\nld.shared.f32 %f1, [%r5];"},
			"ld.shared", "st.shared", Fault{Kind: SharedRace, Space: Shared, Bytes: 4, Other: &Party{Thread: Dim3{1, 0, 0}, Store: true}},
			run{body: addresses + "st.shared.f32 [%r4], %f1;\nbar.warp.sync -1;\nxor.b32 %r5, %r4, 4;\nld.shared.f32 %f1, [%r5];\nbar.warp.sync -1;\nst.shared.f32 [%r4+0], %f1;"}},
		{"warp barrier does not order warps", run{body: addresses + "setp.lt.u32 %p1, %r0, 32;\n@%p1 st.shared.f32 [%r4], %f1;\n@%p1 bra done;\nbar.warp.sync -1;\nbar.warp.sync -1;\nld.shared.f32 %f1, [%r4+-128];\ndone:", block: 64},
			"ld.shared", "@%p1 st", Fault{Kind: SharedRace, Thread: Dim3{32, 0, 0}, Space: Shared, Bytes: 4, Other: &Party{Store: true}},
			run{body: addresses + "st.shared.f32 [%r4], %f1;\nbar.sync 0;\nbar.warp.sync -1;\nxor.b32 %r5, %r4, 128;\nld.shared.f32 %f1, [%r5];", block: 64}},
		{"write after read in a kernel with warp barriers", run{body: addresses + "setp.lt.u32 %p1, %r0, 32;\nst.shared.f32 [%r4], %f1;\nbar.warp.sync -1;\nbar.sync 0;\nld.shared.f32 %f2, [tile];\nbar.sync 0;\n@%p1 ld.shared.f32 %f1, [%r4];\n@!%p1 st.shared.f32 [%r4+-128], %f2;", block: 64},
			"@!%p1", "@%p1 ld", Fault{Kind: SharedRace, Thread: Dim3{32, 0, 0}, Space: Shared, Store: true, Bytes: 4, Other: &Party{}},
			run{body: addresses + "setp.lt.u32 %p1, %r0, 32;\nst.shared.f32 [%r4], %f1;\nbar.warp.sync -1;\nbar.sync 0;\nld.shared.f32 %f2, [tile];\nbar.sync 0;\n@%p1 ld.shared.f32 %f1, [%r4];\nbar.sync 0;\n@!%p1 st.shared.f32 [%r4+-128], %f2;", block: 64}},
		{"warp barrier of other lanes", run{body: addresses + "and.b32 %r5, %r0, 1;\nsetp.eq.u32 %p1, %r5, 1;\nst.shared.f32 [%r4], %f1;\n@%p1 bar.warp.sync 0xaaaaaaaa;\n@%p1 ld.shared.f32 %f1, [%r4+-4];"},
			"@%p1 ld", "st.shared", Fault{Kind: SharedRace, Thread: Dim3{1, 0, 0}, Space: Shared, Bytes: 4, Other: &Party{Store: true}},
			run{body: addresses + "and.b32 %r5, %r0, 1;\nsetp.eq.u32 %p1, %r5, 1;\nst.shared.f32 [%r4], %f1;\nbar.warp.sync -1;\n@%p1 ld.shared.f32 %f1, [%r4+-4];"}},
		{"race between blocks, writes", run{body: addresses + "st.global.u32 [%d2], %r1;", grid: 2}, "st.global", "st.global",
			Fault{Kind: GlobalRace, Block: Dim3{1, 0, 0}, Store: true, Bytes: 4, Other: &Party{Store: true}},
			run{body: addresses + "mad.wide.u32 %d2, %r1, 128, %d2;\nst.global.f32 [%d2], %f1;", grid: 2}},
		{"race between blocks, read after write", run{body: addresses + "mad.wide.u32 %d2, %r1, 128, %d2;\nst.global.f32 [%d2+128], %f1;\nld.global.f32 %f1, [%d2];", grid: 3}, "ld.global", "st.global",
			Fault{Kind: GlobalRace, Block: Dim3{1, 0, 0}, Bytes: 4, Other: &Party{Store: true}},
			run{body: addresses + "mad.wide.u32 %d2, %r1, 128, %d2;\nst.global.f32 [%d2+128], %f1;\nld.global.f32 %f1, [%d2+128];", grid: 3}},
		{"race between blocks, write after read", run{body: addresses + "setp.eq.u32 %p1, %r0, 1;\n@%p1 ld.global.f32 %f1, [%d0+4];\nmad.wide.u32 %d2, %r1, 128, %d2;\nst.global.f32 [%d2], %f1;", grid: 4}, "@%p1 ld", "st.global",
			Fault{Kind: GlobalRace, Block: Dim3{1, 0, 0}, Thread: Dim3{1, 0, 0}, Bytes: 4, Other: &Party{Thread: Dim3{1, 0, 0}, Store: true}},
			run{body: addresses + "ld.global.f32 %f1, [%d1+4];\nmad.wide.u32 %d2, %r1, 128, %d2;\nst.global.f32 [%d2], %f1;", grid: 4}},
		{"race between blocks, byte and word", run{body: "cvt.u64.u32 %d4, %r1;\nadd.u64 %d4, %d0, %d4;\nsetp.ne.u32 %p1, %r0, 0;\n@%p1 bra done;\nst.global.u8 [%d4], %h1;\nld.global.u32 %r5, [%d0];\ndone:", grid: 4}, "st.global", "ld.global",
			Fault{Kind: GlobalRace, Block: Dim3{1, 0, 0}, Store: true, Bytes: 1, Other: &Party{}},
			run{body: "cvt.u64.u32 %d4, %r1;\nadd.u64 %d4, %d0, %d4;\nsetp.ne.u32 %p1, %r0, 0;\n@%p1 bra done;\nst.global.u8 [%d4], %h1;\nld.global.u8 %h2, [%d4];\ndone:", grid: 4}},
		{"race between blocks, higher writes what lower read", run{body: addresses + "setp.eq.u32 %p1, %r0, 3;\n@%p1 ld.global.f32 %f1, [%d0+140];\nmad.wide.u32 %d2, %r1, 128, %d2;\nst.global.f32 [%d2+128], %f1;\nsub.u64 %d2, %d2, %d0;", grid: 2}, "@%p1 ld", "st.global",
			Fault{Kind: GlobalRace, Block: Dim3{1, 0, 0}, Thread: Dim3{3, 0, 0}, Bytes: 4, Other: &Party{Thread: Dim3{3, 0, 0}, Store: true}},
			run{body: addresses + "mad.wide.u32 %d2, %r1, 128, %d2;\nld.global.f32 %f1, [%d2];\nst.global.f32 [%d2], %f1;", grid: 2}},
		{"race between blocks, higher writes what lower blocks read", run{body: addresses + "ld.global.f32 %f1, [%d0+12];\nsetp.ne.u32 %p1, %r1, 2;\n@%p1 bra done;\nst.global.f32 [%d2], %f1;\ndone:", grid: 3}, "st.global", "ld.global",
			Fault{Kind: GlobalRace, Block: Dim3{2, 0, 0}, Thread: Dim3{3, 0, 0}, Store: true, Bytes: 4, Other: &Party{}},
			run{body: addresses + "ld.global.f32 %f1, [%d0+12];\nsetp.ne.u32 %p1, %r1, 2;\n@%p1 bra done;\nst.global.f32 [%d2+128], %f1;\ndone:", grid: 3}},
		{"barrier for half a warp", run{body: addresses + "setp.gt.u32 %p1, %r0, 15;\n@%p1 bra L;\nbar.sync 0;\nL: st.shared.u32 [%r4], %r0;"}, "bar.sync", "st.shared",
			Fault{Kind: DivergentBarrier, Other: &Party{Thread: Dim3{16, 0, 0}}},
			run{body: "setp.gt.u32 %p1, %r0, 15;\nbar.sync 0;\n@%p1 bra L;\nst.global.u32 [%d0+4], 1;\nL: st.global.u32 [%d0], 1;"}},
		{"barriers on both sides", run{body: "setp.gt.u32 %p1, %r0, 15;\n@%p1 bra L;\nbar.sync 0;\nbra M;\nL: barrier.sync 0;\nM: st.global.u32 [%d0], 1;"}, "bar.sync", "L: bar",
			Fault{Kind: DivergentBarrier, Other: &Party{Thread: Dim3{16, 0, 0}}}, run{body: "setp.gt.u32 %p1, %r2, 15;\n@%p1 bra L;\nbar.sync 0;\nbra M;\nL: barrier.sync 0;\nM: st.global.u32 [%d0], 1;"}},
		{"warps at two barriers", run{body: "setp.gt.u32 %p1, %r0, 31;\n@%p1 bra L;\nbar.sync 0;\nbra M;\nL: barrier.sync 0;\nM: st.global.u32 [%d0], 1;", block: 64}, "bar.sync", "barrier.sync",
			Fault{Kind: DivergentBarrier, Other: &Party{Thread: Dim3{32, 0, 0}}},
			run{body: "setp.gt.u32 %p1, %r0, 31;\n@%p1 bra L;\nmov.u32 %r5, 0;\nL: barrier.sync 0;\nst.global.u32 [%d0], 1;", block: 64}},
		{"guarded barrier", run{body: "setp.gt.u32 %p1, %r0, 15;\n@%p1 bar.sync 0;"}, "@%p1", "@%p1",
			Fault{Kind: DivergentBarrier, Thread: Dim3{16, 0, 0}, Other: &Party{}},
			run{body: "setp.ge.u32 %p1, %r0, 0;\n@%p1 bar.sync 0;"}},
		{"endless", run{body: "L: bra L;"}, "L: bra", "", Fault{Kind: Endless}, run{body: "mov.u32 %r5, 0;\nL: add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 1000;\n@%p1 bra L;"}},
		{"endless for some lanes", run{body: "setp.gt.u32 %p1, %r0, 4;\nL: @%p1 bra L;", budget: 100}, "L: @", "",
			Fault{Kind: Endless, Thread: Dim3{5, 0, 0}}, run{body: "setp.gt.u32 %p1, %r0, 31;\nL: @%p1 bra L;", budget: 100}},
		{"endless by what does not change", run{body: "mov.u32 %r5, 3;\nL: add.u32 %r6, %r5, %r2;\nsetp.lt.u32 %p1, %r6, 10;\n@!%p1 bra END;\nst.global.u32 [%d0], 1;\nbra L;\nEND:", budget: 100}, "bra L", "",
			Fault{Kind: Endless}, run{body: "mov.u32 %r5, 3;\nL: add.u32 %r6, %r5, %r2;\nsetp.lt.u32 %p1, %r6, 10;\n@!%p1 bra END;\nst.global.u32 [%d0], 1;\nbra L;\nEND:", n: 7, budget: 100}},
		{"too long", run{body: "mov.u32 %r5, 0;\nL: add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 1000;\n@%p1 bra L;", budget: 100}, "setp.lt", "",
			Fault{Kind: TooLong}, run{body: "mov.u32 %r5, 0;\nL: add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 1000;\n@%p1 bra L;"}},
		{"local array overrun", run{body: ".local .align 4 .b8 a[16];\nmov.u64 %d5, a;\nst.local.u32 [%d5+16], %r0;"}, "st.local", "",
			Fault{Kind: OutOfBounds, Store: true, Bytes: 4, Distance: 0},
			run{body: ".local .align 4 .b8 a[16];\nmov.u64 %d5, a;\nst.local.u32 [%d5+12], %r0;"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, _, err := tt.right.launch(t); err != nil {
				t.Errorf("the right one: %v", err)
			}
			_, _, err := tt.run.launch(t)
			f := asFault(t, err)
			t.Log(f)
			if line := lineOf(t, tt.run.body, tt.at); f.PTXLine != line || !strings.Contains(f.PTXText, strings.TrimPrefix(tt.at, "L: ")) {
				t.Errorf("at line %d (%s), want %d", f.PTXLine, f.PTXText, line)
			}
			if (f.Other != nil) != (tt.other != "") {
				t.Fatalf("other side is %v", f.Other)
			}
			got := *f
			got.Kernel, got.Site, got.Addr, got.title, got.detail = "", Site{}, 0, "", ""
			if f.Other != nil {
				if line := lineOf(t, tt.run.body, tt.other); f.Other.PTXLine != line {
					t.Errorf("other side at line %d (%s), want %d", f.Other.PTXLine, f.Other.PTXText, line)
				}
				got.Other = &Party{Block: f.Other.Block, Thread: f.Other.Thread, Store: f.Other.Store}
			}
			if d := cmp.Diff(tt.want, got, cmp.AllowUnexported(Fault{})); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestFaultRepeats holds that the accusation does not depend on the workers
// and that none of them is left running.
func TestFaultRepeats(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, body := range []string{
		// Blocks 3 and later write where block 0 reads.
		addresses + "mad.wide.u32 %d2, %r1, 16, %d2;\nld.global.f32 %f1, [%d0+128];\nst.global.f32 [%d2], %f1;",
		// Every block from 9 on is out of bounds.
		addresses + "mad.wide.u32 %d2, %r1, 400, %d2;\nld.global.f32 %f1, [%d2];",
		// Blocks that do not end.
		"setp.gt.u32 %p1, %r1, 5;\nL: @%p1 bra L;",
	} {
		var want string
		for i := range 6 {
			_, _, err := run{body: body, grid: 64, budget: 1000, work: []int{1, 2, 7}[i%3]}.launch(t)
			got := asFault(t, err).Error()
			if i == 0 {
				want = got
				t.Log(got)
			}
			if got != want {
				t.Errorf("run %d: %s, want %s", i, got, want)
			}
		}
	}
	for i := 0; runtime.NumGoroutine() > before; i++ {
		if i == 100 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
}

// TestDefaultBudget lets one block, even one warp, walk over the elements of a
// 4096 × 4096 matrix.
func TestDefaultBudget(t *testing.T) {
	for _, threads := range []int{256, 32} {
		_, out, err := run{block: threads, n: 4096 * 4096, body: addresses + `mov.u32 %r5, %r0;
mov.u32 %r6, 0;
mov.u32 %r7, %ntid.x;
L: setp.ge.u32 %p1, %r5, %r2;
@%p1 bra OUT;
add.u32 %r6, %r6, 1;
add.u32 %r5, %r5, %r7;
bra L;
OUT: st.global.u32 [%d2], %r6;`}.launch(t)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := word(out, 0), uint32(4096*4096/threads); got != want {
			t.Errorf("%d threads: %d steps, want %d", threads, got, want)
		}
	}
}

// BenchmarkEndless is how long it takes to find that kernels do not end.
func BenchmarkEndless(b *testing.B) {
	for name, body := range map[string]string{
		"empty loop":  "L: bra L;",
		"memory loop": addresses + "L: ld.global.f32 %f1, [%d3];\nst.global.f32 [%d2], %f1;\nbra L;",
	} {
		for _, grid := range []int{1, 64} {
			b.Run(fmt.Sprintf("%s/%d blocks", name, grid), func(b *testing.B) {
				for range b.N {
					if _, _, err := (run{body: body, grid: grid}).launch(b); asFault(b, err).Kind == 0 {
						b.Fatal("no kind")
					}
				}
			})
		}
	}
}

func TestEarlyReturn(t *testing.T) {
	c, out, err := run{body: addresses + `setp.ge.u32 %p1, %r0, %r2;
@%p1 bra done;
st.shared.u32 [%r4], %r0;
bar.sync 0;
ld.shared.u32 %r5, [%r4];
st.global.u32 [%d2], %r5;
done:`, block: 64, n: 40}.launch(t)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "exited") {
		t.Errorf("notes %q, want one about threads that had exited", c.Notes)
	}
	for i := range 64 {
		if want := uint32(i * (1 - i/40)); word(out, i) != want {
			t.Errorf("out[%d] = %d, want %d", i, word(out, i), want)
		}
	}
}

// TestBudget holds that the whole budget is a warp's, however many blocks there are.
func TestBudget(t *testing.T) {
	rounds := "mov.u32 %r5, 0;\nL: add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 600;\n@%p1 bra L;"
	for _, tt := range []struct {
		budget int64
		ends   bool
	}{{4000, true}, {1500, false}} {
		_, _, err := run{body: rounds, grid: 4, budget: tt.budget}.launch(t)
		if (err == nil) != tt.ends {
			t.Errorf("600 rounds, budget %d: %v", tt.budget, err)
		}
	}
}

// TestTwoBarriers has two warps at two barriers, which may be of one line: of two
// rounds of an unrolled loop, or of two calls.
func TestTwoBarriers(t *testing.T) {
	behind := "@%%p1 bra L;\n.loc 1 7 3\nbar.sync 0;\nL:\n.loc 1 %d 3\nbar.sync 0;"
	beside := "@%%p1 bra L;\n.loc 1 7 3\nbar.sync 0;\nbra M;\nL:\n.loc 1 %d 3\nbar.sync 0;\nM:"
	for _, tt := range []struct {
		name, body string
		line       int
		says       string
	}{
		{"in another round or call", behind, 7, "in another round of a loop, or another call, at a.cu:7"},
		{"another line", behind, 8, "it is at a.cu:8"},
		{"line unknown", behind, 0, "it is at a.cu, line unknown"},
		{"in the other branch", beside, 7, "in another round of a loop, or another call, at a.cu:7"},
	} {
		_, _, err := run{block: 64, body: "setp.gt.u32 %p1, %r0, 31;\n" + fmt.Sprintf(tt.body, tt.line), after: `.file 1 "a.cu"`}.launch(t)
		if f := asFault(t, err); f.Kind != DivergentBarrier || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.says)
		}
	}
}

// TestLanesThatFollow has lanes of a warp at a barrier, or on their way around it, that
// others of the warp do not come to.
func TestLanesThatFollow(t *testing.T) {
	odd := addresses + "and.b32 %r6, %r0, 1;\nsetp.eq.u32 %p1, %r6, 1;\nmov.u32 %r5, 0;\n"
	for _, tt := range []struct {
		name, body string
		others     int // thread that does not come
	}{
		{"a barrier in a branch", odd + "@%p1 bra M;\nbar.sync 0;\nM: st.global.u32 [%d2], 1;", 1},
		{"with work on the other side", odd + "@%p1 bra X;\nbar.sync 0;\nbra M;\nX: st.global.u32 [%d2+128], 2;\nM: st.global.u32 [%d2], 1;", 1},
		{"before a value changes", odd + "@%p1 bra M;\nbar.sync 0;\nM: add.u32 %r5, %r5, 1;\nst.global.u32 [%d2], %r5;", 1},
		{"each a round without the barrier", odd + `add.u32 %r6, %r6, 1;
L: add.u32 %r5, %r5, 1;
setp.gt.u32 %p3, %r5, 3;
@%p3 bra END;
setp.eq.u32 %p2, %r5, %r6;
@%p2 bra L;
bar.sync 0;
bra L;
END: st.global.u32 [%d2], 1;`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := run{body: tt.body}.launch(t)
			if f := asFault(t, err); f.Kind != DivergentBarrier || f.Other.Thread.X != tt.others {
				t.Error(err)
			}
		})
	}
}

// TestNobodyWaits has lanes that go on to their exit while others wait for
// those that have not exited: what is left for them concerns nobody.
func TestNobodyWaits(t *testing.T) {
	for _, tt := range []struct{ name, wait string }{
		{"barrier", "bar.sync 0;"}, {"warp barrier", "bar.warp.sync -1;"}, {"shuffle", "shfl.sync.idx.b32 %r6, %r0, 1, 31, -1;"},
	} {
		body := addresses + "mov.u32 %r5, 5;\nsetp.ge.u32 %p1, %r0, %r2;\n@%p1 bra JOIN;\n" + tt.wait +
			"\nmov.u32 %r5, 7;\nJOIN: st.global.u32 [%d2], %r5;"
		_, out, err := run{body: body, block: 64, n: 40}.launch(t)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		for i := range 64 {
			if want := uint32(7 - i/40*2); word(out, i) != want {
				t.Errorf("%s: out[%d] = %d, want %d", tt.name, i, word(out, i), want)
			}
		}
		// A loop that comes back to the barrier concerns those who wait there.
		body = addresses + "mov.u32 %r5, 0;\nL: add.u32 %r5, %r5, 1;\nsetp.ge.u32 %p1, %r0, %r5;\n@%p1 bra JOIN;\n" + tt.wait +
			"\nJOIN: setp.lt.u32 %p1, %r5, 3;\n@%p1 bra L;"
		if _, _, err = (run{body: body}).launch(t); err == nil {
			t.Errorf("%s: lanes wait for others in turns of a loop that differ, and nothing is said", tt.name)
		}
	}
}

func TestArguments(t *testing.T) {
	m := parse(t, kernel(""))
	for _, tt := range []struct {
		args []uint64
		want string
	}{
		{[]uint64{1, 2}, "3 parameters and was given 2 arguments"},
		{[]uint64{1, 2, 3, 4}, "3 parameters and was given 4 arguments"},
		{[]uint64{1, 2, 1 << 32}, "upper half"},
		{[]uint64{1, 2, ^uint64(0)}, "upper half"},
		{[]uint64{1 << 63, 2, 3}, ""},
	} {
		_, err := m.Entry("k").Launch(NewMemory(), Config{Grid: Dim3{1, 1, 1}, Block: Dim3{1, 1, 1}, Args: tt.args})
		if tt.want == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		if f := asFault(t, err); f.Kind != BadArguments || !strings.Contains(f.Error(), tt.want) {
			t.Errorf("%v: got %v, want %q", tt.args, err, tt.want)
		}
	}
}

func TestLaunchLimits(t *testing.T) {
	e := parse(t, kernel("")).Entry("k")
	for _, tt := range []struct {
		c    Config
		want string
	}{
		{Config{Grid: Dim3{1, 65536, 1}, Block: Dim3{1, 1, 1}}, "65535"},
		{Config{Grid: Dim3{1, 1, 65536}, Block: Dim3{1, 1, 1}}, "65535"},
		{Config{Grid: Dim3{1 << 31, 1, 1}, Block: Dim3{1, 1, 1}}, "2147483647"},
		{Config{Grid: Dim3{1, 1, 1}, Block: Dim3{64, 32, 1}}, "2048 threads: 1024 at most"},
		{Config{Grid: Dim3{1, 1, 1}, Block: Dim3{1, 1, 65}}, "64 at most"},
		{Config{Grid: Dim3{1, 1, 1}, Block: Dim3{1025, 1, 1}}, "1024"},
		{Config{Grid: Dim3{0, 1, 1}, Block: Dim3{1, 1, 1}}, "at least 1"},
		{Config{Grid: Dim3{1, 1, 1}, Block: Dim3{1, 1, 0}}, "at least 1"},
		{Config{Grid: Dim3{1, 1, 1}, Block: Dim3{1, 1, 1}, SharedBytes: 49153}, "49152"},
	} {
		tt.c.Args = []uint64{0, 0, 0}
		_, err := e.Launch(NewMemory(), tt.c)
		if f := (*Fault)(nil); err == nil || errors.As(err, &f) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: got %v, want an error with %q", tt.c, err, tt.want)
		}
	}
}

// TestLaunchBounds holds a launch to what the kernel says about its blocks.
func TestLaunchBounds(t *testing.T) {
	for _, tt := range []struct {
		directive string
		block     Dim3
		want      string
	}{
		{".maxntid 128, 1, 1", Dim3{128, 1, 1}, ""},
		{".maxntid 128, 1, 1", Dim3{32, 4, 1}, ""},
		{".maxntid 128, 1, 1\n.minnctapersm 2", Dim3{32, 8, 1}, "(32, 8, 1) has 256 threads: the kernel's __launch_bounds__ (.maxntid) allow 128"},
		{".maxntid 32, 4", Dim3{129, 1, 1}, "128"},
		{".reqntid 32, 4", Dim3{32, 4, 1}, ""},
		{".reqntid 32, 4", Dim3{16, 8, 1}, "(32, 4, 1)"},
	} {
		e := parse(t, header+".entry k() "+tt.directive+" { ret; }").Entry("k")
		_, err := e.Launch(NewMemory(), Config{Grid: Dim3{1, 1, 1}, Block: tt.block})
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s, block %v: got %v, want %q", tt.directive, tt.block, err, tt.want)
		}
	}
}

func TestMemory(t *testing.T) {
	m := NewMemory()
	a, b := alloc(t, m, 100), alloc(t, m, 100)
	if far := int64(b - a); max(far, -far) < 1<<39 {
		t.Errorf("allocations are %d bytes apart", far)
	}
	// An index that is wrong by a round number of elements leads nowhere.
	for bits := 32; bits < 64; bits++ {
		for _, addr := range []uint64{a + 1<<bits, b - 1<<bits} {
			if _, err := m.Bytes(addr, 1); err == nil {
				t.Errorf("2 to the %d bytes away from an allocation lies another", bits)
			}
		}
	}
	for _, tt := range []struct {
		addr uint64
		n    int64
		ok   bool
	}{{a, 100, true}, {a + 100, 0, true}, {a, 101, false}, {a - 1, 1, false}, {a + 99, 1, true}, {0, 0, false}, {a, -1, false}} {
		got, err := m.Bytes(tt.addr, tt.n)
		if (err == nil) != tt.ok || tt.ok && int64(len(got)) != tt.n {
			t.Errorf("Bytes(a%+d, %d): %d bytes, error %v", int64(tt.addr-a), tt.n, len(got), err)
		}
	}
	if base, size := m.Range(a + 1<<35); base != a || size != 100 {
		t.Errorf("Range far behind a is %#x, %d", base, size)
	}
	if base, size := m.Range(0); base != 0 || size != 0 {
		t.Errorf("Range(0) is %#x, %d", base, size)
	}
	if err := m.Free(a + 4); err == nil {
		t.Error("freed the middle of an allocation")
	}
	if err := m.Free(a); err != nil {
		t.Error(err)
	}
	if err := m.Free(a); err == nil {
		t.Error("freed twice")
	}
	if c := alloc(t, m, 1); c == a {
		t.Error("an address was used twice")
	}
	for _, n := range []int64{0, -1, 1 << 40} {
		if _, err := m.Alloc(n); err == nil {
			t.Error(fmt.Sprint("allocated ", n, " bytes"))
		}
	}
}
