package ptx

import (
	"math/rand"
	"strings"
	"testing"
)

// TestGlobalRaceInBlock has threads of one block that touch a place in global memory
// between two barriers, in one block and in several, and their twins that are right.
func TestGlobalRaceInBlock(t *testing.T) {
	own := addresses + "mad.wide.u32 %d2, %r1, 256, %d2;\nxor.b32 %r6, %r3, 252;\ncvt.u64.u32 %d5, %r6;\nadd.u64 %d5, %d0, %d5;\nmad.wide.u32 %d5, %r1, 256, %d5;\n"
	last := "setp.eq.u32 %p1, %r0, 63;\n"
	for _, tt := range []struct {
		name, wrong, right, at, other string
	}{
		{"read after write", "st.global.u32 [%d2], %r0;\nld.global.u32 %r5, [%d5];\nst.shared.u32 [%r4], %r5;",
			"st.global.u32 [%d2], %r0;\nbar.sync 0;\nld.global.u32 %r5, [%d5];\nst.shared.u32 [%r4], %r5;", "ld.global.u32", "st.global.u32"},
		{"write after read", "ld.global.u32 %r5, [%d5];\nst.global.u32 [%d2], %r5;",
			"ld.global.u32 %r5, [%d5];\nbar.sync 0;\nst.global.u32 [%d2], %r5;", "st.global.u32", "ld.global.u32"},
		{"two writes", "st.global.u32 [%d2], %r0;\nst.global.u32 [%d5], %r0;",
			"st.global.u32 [%d2], %r0;\nbar.sync 0;\nst.global.u32 [%d5], %r0;", "st.global.u32 [%d5]", "st.global.u32 [%d2]"},
		{"a byte of a word", last + "st.global.u32 [%d2], %r0;\n@%p1 ld.global.u8 %h1, [%d5];\n@%p1 st.shared.u8 [tile], %h1;",
			last + "st.global.u32 [%d2], %r0;\n@%p1 ld.global.u8 %h1, [%d2+3];\n@%p1 st.shared.u8 [tile], %h1;", "@%p1 ld", "st.global.u32"},
		{"in a kernel with warp barriers", "bar.warp.sync -1;\nst.global.u32 [%d2], %r0;\nld.global.u32 %r5, [%d5];\nst.shared.u32 [%r4], %r5;",
			"xor.b32 %r6, %r3, 60;\ncvt.u64.u32 %d5, %r6;\nadd.u64 %d5, %d0, %d5;\nmad.wide.u32 %d5, %r1, 256, %d5;\nst.global.u32 [%d2], %r0;\nbar.warp.sync -1;\nld.global.u32 %r5, [%d5];\nst.shared.u32 [%r4], %r5;", "ld.global.u32", "st.global.u32"},
		{"in rounds", "mov.u32 %r7, 0;\nL: st.global.u32 [%d2], %r0;\nbar.sync 0;\nld.global.u32 %r5, [%d5];\nadd.u32 %r7, %r7, 1;\nsetp.lt.u32 %p2, %r7, 3;\n@%p2 bra L;\nst.shared.u32 [%r4], %r5;",
			"mov.u32 %r7, 0;\nL: st.global.u32 [%d2], %r0;\nbar.sync 0;\nld.global.u32 %r5, [%d5];\nbar.sync 0;\nadd.u32 %r7, %r7, 1;\nsetp.lt.u32 %p2, %r7, 3;\n@%p2 bra L;\nst.shared.u32 [%r4], %r5;", "ld.global.u32", "st.global.u32"},
	} {
		for _, grid := range []int{1, 5} {
			for _, workers := range []int{1, 3} {
				if _, _, err := (run{body: own + tt.right, grid: grid, block: 64, work: workers}).launch(t); err != nil {
					t.Errorf("%s, the right one: %v", tt.name, err)
				}
				body := own + tt.wrong
				_, _, err := run{body: body, grid: grid, block: 64, work: workers}.launch(t)
				f := asFault(t, err)
				one, two := lineOf(t, body, tt.at), lineOf(t, body, tt.other)
				if f.Kind != GlobalRace || f.Block != (Dim3{}) || f.Other.Block != f.Block || f.Thread.X/32 == f.Other.Thread.X/32 ||
					(f.PTXLine != one || f.Other.PTXLine != two) && (f.PTXLine != two || f.Other.PTXLine != one) {
					t.Errorf("%s: %v", tt.name, err)
				}
			}
		}
	}
}

// TestRaceOfTwoBlocks holds that a race between blocks is told before one in a block: a
// barrier mends the one, and not the other.
func TestRaceOfTwoBlocks(t *testing.T) {
	body := addresses + "ld.global.u32 %r5, [%d2+4];\nst.global.u32 [%d2], %r5;\nmad.wide.u32 %d2, %r1, 256, %d2;\nst.global.u32 [%d2], %r1;"
	for _, grid := range []int{1, 3} {
		_, _, err := run{body: body, block: 64, grid: grid}.launch(t)
		if f := asFault(t, err); f.Kind != GlobalRace || (f.Block == f.Other.Block) != (grid == 1) {
			t.Errorf("%d blocks: %v", grid, err)
		}
	}
}

// TestFencesOrder holds that threads of a block which hand on by fences are not accused,
// unless none can learn that another has passed its fence.
func TestFencesOrder(t *testing.T) {
	body := addresses + "xor.b32 %r6, %r3, 4;\ncvt.u64.u32 %d5, %r6;\nadd.u64 %d5, %d0, %d5;\nst.global.u32 [%d2], %r0;\nmembar.cta;\nld.global.u32 %r5, [%d5];\nst.shared.u32 [%r4], %r5;"
	if _, _, err := (run{body: body}).launch(t); asFault(t, err).Kind != GlobalRace {
		t.Error(err)
	}
	body = strings.Replace(body, "ld.global", "ld.volatile.global", 1)
	if _, _, err := (run{body: body}).launch(t); err != nil {
		t.Error(err)
	}
}

// TestSameValue has threads that store to one place: the same value is a note, and
// different ones are a race.
func TestSameValue(t *testing.T) {
	for _, tt := range []struct {
		name, body  string
		grid, block int
		want        FaultKind // 0: a note
	}{
		{"lanes, shared", "st.shared.u32 [tile], %r2;", 1, 32, 0},
		{"warps, shared", "st.shared.u32 [tile], %r2;\nbar.sync 0;\nld.shared.u32 %r5, [tile];", 3, 64, 0},
		{"lanes differ, shared", "st.shared.u32 [tile], %r0;", 1, 32, SharedRace},
		{"warps differ, shared", "shr.u32 %r5, %r0, 5;\nst.shared.u32 [tile], %r5;", 1, 64, SharedRace},
		{"a byte of a word differs, shared", "setp.eq.u32 %p1, %r0, 0;\nst.shared.u32 [tile], %r2;\n@%p1 st.shared.u8 [tile+1], 1;", 1, 64, SharedRace},
		{"a byte of a word, shared", "setp.eq.u32 %p1, %r0, 0;\nst.shared.u32 [tile], %r2;\n@%p1 st.shared.u8 [tile], 7;", 1, 64, 0},
		{"read without a barrier", addresses + "setp.eq.u32 %p1, %r0, 40;\n@!%p1 st.shared.u32 [tile], %r2;\n@%p1 ld.shared.u32 %r5, [tile];\n@%p1 st.global.u32 [%d2], %r5;", 1, 64, SharedRace},
		{"read by who stored it", addresses + "st.shared.u32 [tile], %r2;\nld.shared.u32 %r5, [tile];\nst.global.u32 [%d2], %r5;", 1, 64, 0},
		{"read by one of two", addresses + "setp.lt.u32 %p1, %r0, 2;\n@%p1 st.shared.u32 [tile], %r2;\nsetp.lt.u32 %p1, %r0, 3;\n@%p1 ld.shared.u32 %r5, [tile];\n@%p1 st.global.u32 [%d2], %r5;", 1, 64, SharedRace},
		{"stored again with another value", addresses + "st.shared.u32 [tile], %r2;\nld.shared.u32 %r5, [tile];\nst.global.u32 [%d2], %r5;\nsetp.eq.u32 %p1, %r0, 33;\n@%p1 st.shared.u32 [tile], %r0;", 1, 64, SharedRace},
		{"read, then stored", addresses + "ld.shared.u32 %r5, [tile];\nst.global.u32 [%d2], %r5;\nst.shared.u32 [tile], %r2;", 1, 64, SharedRace},
		{"read by who stored it, with warp barriers", addresses + "bar.warp.sync -1;\nst.shared.u32 [tile], %r2;\nld.shared.u32 %r5, [tile];\nst.global.u32 [%d2], %r5;", 1, 64, 0},
		{"read by who stored it, global", addresses + "st.global.u32 [%d0], %r2;\nld.global.u32 %r5, [%d0];\nst.shared.u32 [%r4], %r5;", 1, 64, 0},
		{"with warp barriers", "bar.warp.sync -1;\nst.shared.u32 [tile], %r2;", 1, 64, 0},
		{"with warp barriers, differ", "bar.warp.sync -1;\nshr.u32 %r5, %r0, 5;\nst.shared.u32 [tile], %r5;", 1, 64, SharedRace},
		{"lanes, global", "st.global.u32 [%d0], %r2;", 1, 32, 0},
		{"warps, global", "st.global.u32 [%d0], %r2;", 1, 64, 0},
		{"warps differ, global", "shr.u32 %r5, %r0, 5;\nst.global.u32 [%d0], %r5;", 1, 64, GlobalRace},
		{"blocks, global", addresses + "st.global.u32 [%d2], %r0;", 5, 64, 0},
		{"blocks differ, global", addresses + "st.global.u32 [%d2], %r1;", 5, 64, GlobalRace},
		{"vectors", addresses + "add.u64 %d2, %d2, %d4;\nst.global.v2.u32 [%d2], {%r0, %r2};", 5, 64, 0},
		{"what was there before", addresses + "setp.eq.u32 %p1, %r1, 4;\nst.global.u32 [%d2], 0;\n@%p1 st.global.u32 [%d2], 1;", 5, 64, GlobalRace},
	} {
		for _, workers := range []int{1, 3} {
			c, _, err := run{body: tt.body, grid: tt.grid, block: tt.block, n: 7, work: workers}.launch(t)
			switch {
			case tt.want != 0 && asFault(t, err).Kind != tt.want:
				t.Errorf("%s: %v", tt.name, err)
			case tt.want == 0 && (err != nil || len(c.Notes) == 0 || !strings.Contains(c.Notes[0], "same value")):
				t.Errorf("%s: %v, %+v", tt.name, err, c)
			}
		}
	}
}

// TestRaceOfTwoWarps holds that a race of two warps is told before one of lanes, and that
// of the latter is said what orders them.
func TestRaceOfTwoWarps(t *testing.T) {
	across := addresses + "st.shared.u32 [%r4], %r0;\nxor.b32 %r5, %r4, MASK;\nld.shared.u32 %r6, [%r5];\nxor.b32 %r5, %r4, 128;\nld.shared.u32 %r7, [%r5];"
	_, _, err := run{body: strings.Replace(across, "MASK", "4", 1), block: 64}.launch(t)
	if f := asFault(t, err); f.Kind != SharedRace || f.Thread.X/32 == f.Other.Thread.X/32 {
		t.Error(err)
	}
	within := addresses + "st.shared.u32 [%r4], %r0;\nxor.b32 %r5, %r4, 4;\nld.shared.u32 %r6, [%r5];"
	_, _, err = run{body: within, block: 64}.launch(t)
	if f := asFault(t, err); f.Kind != SharedRace || f.Thread.X != 0 || f.Other.Thread.X != 1 || !strings.Contains(err.Error(), "lanes of a warp are not ordered either") {
		t.Error(err)
	}
	// What the lanes' race may have led to is not accused.
	_, _, err = run{body: within + "\nmul.wide.u32 %d5, %r6, 1048576;\nadd.u64 %d5, %d0, %d5;\nst.global.u32 [%d5], 1;", block: 64}.launch(t)
	if f := asFault(t, err); f.Kind != SharedRace {
		t.Error(err)
	}
}

// TestPadding has structs written field by field and copied whole.
func TestPadding(t *testing.T) {
	eight := addresses + "add.u32 %r4, %r4, %r3;\n"
	for _, tt := range []struct {
		name, body string
		want       FaultKind
	}{
		{"a byte and a word", eight + "st.shared.u8 [%r4], 1;\nst.shared.u32 [%r4+4], 2;\nbar.sync 0;\nld.shared.u64 %d5, [%r4];\nst.global.u64 [%d0], 1;", 0},
		{"two bytes of four", addresses + "st.shared.u8 [%r4+1], 1;\nst.shared.u8 [%r4+2], 1;\nld.shared.u32 %r5, [%r4];", 0},
		{"nothing written", addresses + "st.shared.u8 [%r4+1], 1;\nld.shared.u32 %r5, [%r4+1024];", SharedUnwritten},
		{"half of a vector", eight + "st.shared.u8 [%r4], 1;\nld.shared.v2.u32 {%r5, %r6}, [%r4];", SharedUnwritten},
		{"copied and no more", addresses + "ld.shared.u32 %r5, [%r4+1024];\nst.shared.u32 [%r4], %r5;", 0},
		{"copied and used", addresses + "ld.shared.u32 %r5, [%r4+1024];\nst.shared.u32 [%r4], %r5;\nst.global.u32 [%d2], %r5;", SharedUnwritten},
		{"masked and put elsewhere", addresses + "add.u32 %r8, %r4, 0;\nld.shared.u32 %r5, [%r8+1024];\nand.b32 %r6, %r5, 12;\nst.shared.u32 [%r8+2048], %r6;", SharedUnwritten},
		{"masked and put back", addresses + "add.u32 %r8, %r4, 0;\nld.shared.u32 %r5, [%r8+1024];\nand.b32 %r6, %r5, 12;\nst.shared.u32 [%r8+1024], %r6;", 0},
		{"with warp barriers", eight + "bar.warp.sync -1;\nst.shared.u8 [%r4], 1;\nst.shared.u32 [%r4+4], 2;\nld.shared.u64 %d5, [%r4];", 0},
		{"nothing written, with warp barriers", addresses + "bar.warp.sync -1;\nst.shared.u8 [%r4+1], 1;\nld.shared.u32 %r5, [%r4+1024];", SharedUnwritten},
	} {
		_, _, err := run{body: tt.body, grid: 2}.launch(t)
		if tt.want == 0 && err != nil || tt.want != 0 && asFault(t, err).Kind != tt.want {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// TestGranuleTable compares the table with a map, over intervals of different sizes.
func TestGranuleTable(t *testing.T) {
	var table granuleTable
	rng := rand.New(rand.NewSource(1))
	for interval := uint64(1); interval < 200; interval++ {
		want := map[uint64]uint64{}
		for range rng.Intn(20000) / int(interval) {
			granule := uint64(rng.Intn(10000)) * 32
			c := table.touched(granule, interval)
			if e, ok := want[granule]; ok && c.written != e || !ok && *c != (touched{}) {
				t.Fatalf("interval %d, granule %d: %+v, want %d", interval, granule, *c, want[granule])
			}
			want[granule] = interval<<intervalBits | granule
			c.written = want[granule]
		}
	}
}

// TestUnusedLoads has loads of what another thread writes, whose value some lanes do not use.
func TestUnusedLoads(t *testing.T) {
	write := addresses + "setp.eq.u32 %p0, %r0, 0;\n@%p0 st.shared.u32 [tile], 1;\n"
	for _, tt := range []struct {
		name, body string
		race       bool
	}{
		{"selected by its writer", "ld.shared.u32 %r5, [tile];\nselp.b32 %r6, %r5, 0, %p0;\nst.global.u32 [%d2], %r6;", false},
		{"selected by the others", "ld.shared.u32 %r5, [tile];\nselp.b32 %r6, 0, %r5, %p0;\nst.global.u32 [%d2], %r6;", true},
		{"stored by its writer", "ld.shared.u32 %r5, [tile];\n@%p0 st.global.u32 [%d2], %r5;", false},
		{"stored by the others", "ld.shared.u32 %r5, [tile];\n@!%p0 st.global.u32 [%d2], %r5;", true},
		{"around a branch of the others", "setp.ne.u32 %p1, %r0, 0;\nld.shared.u32 %r5, [tile];\n@%p1 bra END;\nst.global.u32 [%d2], %r5;\nmov.u32 %r6, 1;\nst.global.u32 [%d3], %r6;\nEND: st.global.u32 [%d2+256], 1;", false},
		{"around a branch of its writer", "ld.shared.u32 %r5, [tile];\n@%p0 bra END;\nst.global.u32 [%d2], %r5;\nmov.u32 %r6, 1;\nst.global.u32 [%d3], %r6;\nEND: st.global.u32 [%d2+256], 1;", true},
		{"selected and then added", "ld.shared.u32 %r5, [tile];\nselp.b32 %r6, %r5, 0, %p0;\nadd.u32 %r6, %r6, %r5;\nst.global.u32 [%d2], %r6;", true},
		{"a condition made behind", "ld.shared.u32 %r5, [tile];\nsetp.eq.u32 %p1, %r0, 0;\nselp.b32 %r6, %r5, 0, %p1;\nst.global.u32 [%d2], %r6;", false},
		{"of what changes before", "mov.u32 %r7, 5;\nld.shared.u32 %r5, [tile];\nmov.u32 %r7, 1;\nsetp.eq.u32 %p1, %r7, 1;\nselp.b32 %r6, %r5, 0, %p1;\nst.global.u32 [%d2], %r6;", true},
		{"a condition that changes", "mov.u32 %r7, 0;\nmov.u32 %r5, 0;\nL: setp.eq.u32 %p1, %r7, 1;\nselp.b32 %r6, %r5, 0, %p1;\nst.global.u32 [%d2], %r6;\nsetp.eq.u32 %p3, %r7, 0;\n@%p3 ld.shared.u32 %r5, [tile];\nadd.u32 %r7, %r7, 1;\nsetp.lt.u32 %p2, %r7, 2;\n@%p2 bra L;", true},
		{"unwritten and unused", "ld.shared.u32 %r5, [tile+512];\nsetp.eq.u32 %p1, %r0, 99;\nselp.b32 %r6, %r5, 0, %p1;\nst.global.u32 [%d2], %r6;", false},
	} {
		_, _, err := run{body: write + tt.body, block: 64}.launch(t)
		if !tt.race && err != nil || tt.race && asFault(t, err).Kind != SharedRace {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
