package ptx

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCopyAsync has what arrives when: with a wait before each use, and sizes and
// predicates that leave zeros.
func TestCopyAsync(t *testing.T) {
	const in = "cp.async.ca.shared.global [%r4], [%d3], 4;\n"
	const show = "ld.shared.u32 %r20, [%r4];\nst.global.u32 [%d2], %r20;"
	const show16 = "shl.b32 %r7, %r0, 2;\nadd.u32 %r7, %r7, tile;\nld.shared.u32 %r20, [%r7];\nst.global.u32 [%d2], %r20;"
	own := func(i int) uint32 { return uint32(i) }
	for _, tt := range []struct {
		name, body string
		want       func(i int) uint32
	}{
		{"wait_all", in + "cp.async.wait_all;\n" + show, own},
		{"a group", in + "cp.async.commit_group;\ncp.async.wait_group 0;\n" + show, own},
		{"neighbour's", in + "cp.async.wait_all;\nbar.sync 0;\nxor.b32 %r4, %r4, 4;\n" + show, func(i int) uint32 { return uint32(i ^ 1) }},
		{"older group", in + "cp.async.commit_group;\ncp.async.ca.shared.global [%r4+512], [%d3+128], 4;\ncp.async.commit_group;\ncp.async.wait_group 1;\n" + show, own},
		{"newer group", in + "cp.async.commit_group;\ncp.async.ca.shared.global [%r4+512], [%d3+128], 4;\ncp.async.commit_group;\ncp.async.wait_group 0;\nld.shared.u32 %r20, [%r4+512];\nst.global.u32 [%d2], %r20;", func(i int) uint32 { return uint32(i + 32) }},
		{"some lanes", "setp.lt.u32 %p1, %r0, 10;\nst.shared.u32 [%r4], 77;\n@%p1 " + in + "cp.async.wait_all;\n" + show, func(i int) uint32 {
			if i < 10 {
				return uint32(i)
			}
			return 77
		}},
		{"nothing to read", "setp.lt.u32 %p1, %r0, 10;\nselp.u32 %r6, 4, 0, %p1;\n@!%p1 mov.u64 %d3, 0;\ncp.async.ca.shared.global [%r4], [%d3], 4, %r6;\ncp.async.wait_all;\n" + show, func(i int) uint32 {
			if i < 10 {
				return uint32(i)
			}
			return 0
		}},
		{"ignored", "setp.lt.u32 %p1, %r0, 10;\ncp.async.ca.shared.global [%r4], [%d3], 4, %p1;\ncp.async.wait_all;\n" + show, func(i int) uint32 {
			if i < 10 {
				return 0
			}
			return uint32(i)
		}},
		{"16 bytes", "setp.lt.u32 %p1, %r0, 8;\nmad.lo.u32 %r5, %r0, 16, 0;\ncvt.u64.u32 %d4, %r5;\nadd.u64 %d4, %d1, %d4;\nadd.u32 %r5, %r5, tile;\n@%p1 cp.async.cg.shared.global.L2::128B [%r5], [%d4], 16;\ncp.async.wait_all;\nbar.sync 0;\n" + show16, own},
		{"12 of 16 bytes", "setp.lt.u32 %p1, %r0, 8;\nmad.lo.u32 %r5, %r0, 16, 0;\ncvt.u64.u32 %d4, %r5;\nadd.u64 %d4, %d1, %d4;\nadd.u32 %r5, %r5, tile;\n@%p1 cp.async.cg.shared.global [%r5], [%d4], 16, 12;\ncp.async.wait_all;\nbar.sync 0;\n" + show16, func(i int) uint32 {
			if i%4 == 3 {
				return 0
			}
			return uint32(i)
		}},
	} {
		_, out, err := run{body: addresses + tt.body}.launch(t)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		for i := range 32 {
			if got, want := word(out, i), tt.want(i); got != want {
				t.Errorf("%s: thread %d has %d, want %d", tt.name, i, got, want)
				break
			}
		}
	}
}

// TestCopyAsyncFaults has uses that come too early, and places that are none.
func TestCopyAsyncFaults(t *testing.T) {
	const in = addresses + "cp.async.ca.shared.global [%r4], [%d3], 4;\n"
	const last = "setp.eq.u32 %p2, %r0, 63;\n"
	for _, tt := range []struct {
		name, body string
		want       FaultKind
		at, says   string
	}{
		{"no wait", in + "ld.shared.u32 %r5, [%r4];", SharedRace, "ld.shared", "wait_group"},
		{"no wait, other threads", in + "bar.sync 0;\nld.shared.u32 %r5, [tile];", SharedRace, "ld.shared", "wait_group"},
		{"newest group not waited for", in + "cp.async.commit_group;\ncp.async.wait_group 1;\nld.shared.u32 %r5, [%r4];", SharedRace, "ld.shared", "wait_group"},
		{"not committed", in + "cp.async.wait_group 0;\nld.shared.u32 %r5, [%r4];", SharedRace, "ld.shared", "wait_group"},
		{"overwritten", in + "st.shared.u32 [%r4], 1;", SharedRace, "st.shared", "wait_group"},
		{"copied to twice", in + "cp.async.ca.shared.global [%r4], [%d3+4], 4;", SharedRace, "cp.async", "wait_group"},
		{"no barrier", in + last + "cp.async.wait_all;\n@%p2 ld.shared.u32 %r5, [tile];", SharedRace, "@%p2", "barrier"},
		{"still read", addresses + last + "st.shared.u32 [%r4], 1;\nbar.sync 0;\nld.shared.u32 %r5, [%r4];\nxor.b32 %r4, %r4, 4;\ncp.async.ca.shared.global [%r4], [%d3], 4;", SharedRace, "cp.async", "barrier"},
		{"landed behind a barrier", in + last + "bar.sync 0;\ncp.async.wait_all;\n@%p2 ld.shared.u32 %r5, [tile];", SharedRace, "@%p2", "barrier"},
		{"past the end", addresses + "cp.async.ca.shared.global [%r4], [%d3+4096], 4;", OutOfBounds, "cp.async", ""},
		{"part past the end", addresses + "cp.async.cg.shared.global [tile], [%d1+4096], 16, 4;", OutOfBounds, "cp.async", ""},
		{"misaligned", addresses + "cp.async.cg.shared.global [tile], [%d1+4], 16;", Misaligned, "cp.async", ""},
		{"misaligned in shared memory", addresses + "cp.async.cg.shared.global [tile+4], [%d1], 16;", Misaligned, "cp.async", ""},
		{"past the array", addresses + "cp.async.ca.shared.global [%r4+4096], [%d3], 4;", SharedOutOfBounds, "cp.async", ""},
	} {
		_, _, err := run{body: tt.body, block: 64}.launch(t)
		if f := asFault(t, err); f.Kind != tt.want || !strings.HasPrefix(f.PTXText, tt.at) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// TestCopyAsyncCounts holds that a copy counts as a load and a shared store.
func TestCopyAsyncCounts(t *testing.T) {
	c, _, err := run{block: 64, grid: 2, body: addresses + "cp.async.ca.shared.global [%r4], [%d3], 4;\ncp.async.wait_all;"}.launch(t)
	if err != nil {
		t.Fatal(err)
	}
	var got []Access
	for _, a := range c.Accesses {
		a.Site = Site{}
		got = append(got, a)
	}
	want := []Access{
		{Bytes: 4, Requests: 4, Sectors: 16, BestSectors: 16, Lines: 4, Wavefronts: 4, BestWavefronts: 4, BytesAsked: 512, BytesTouched: 512},
		{Space: Shared, Store: true, Bytes: 4, Requests: 4, Wavefronts: 4, BestWavefronts: 4, BytesAsked: 512, BytesTouched: 512},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestHints has what asks for no result: caches, policies, time.
func TestHints(t *testing.T) {
	body := `prefetch.global.L2 [%d0];
prefetch.L1 [%d0];
prefetchu.L1 [%d0];
prefetch.global.L2::evict_last [%d0];
discard.global.L2 [%d0], 128;
applypriority.global.L2::evict_normal [%d0], 128;
nanosleep.u32 100;
griddepcontrol.wait;
griddepcontrol.launch_dependents;
pmevent 1;
membar.cta;
fence.acq_rel.gpu;
fence.sc.sys;
createpolicy.fractional.L2::evict_first.b64 %d9, 1.0;
`
	for _, ld := range []string{"ca", "cg", "cs", "lu", "cv", "nc", "L1::evict_last", "L1::no_allocate.L2::256B", "relaxed.gpu", "acquire.sys", "volatile", "nc.L1::no_allocate", "weak"} {
		mods := "global." + ld
		if !strings.Contains("ca cg cs lu cv nc L1", ld[:2]) {
			mods = ld + ".global"
		}
		body += "ld." + mods + ".u32 %r5, [%d3];\n"
	}
	body += "ld.global.L2::cache_hint.u32 %r5, [%d3], %d9;\nst.global.L2::cache_hint.u32 [%d2], %r5, %d9;\n"
	for _, st := range []string{"global.wb", "global.cg", "global.cs", "global.wt", "relaxed.gpu.global", "release.cta.global", "volatile.global", "global.L1::evict_first"} {
		body += "st." + st + ".u32 [%d2], %r5;\n"
	}
	_, out, err := run{body: addresses + body}.launch(t)
	if err != nil || word(out, 7) != 7 {
		t.Errorf("%d, error %v", word(out, 7), err)
	}
}

// TestClocks holds that each clock goes on, and that a loop that waits for one ends.
func TestClocks(t *testing.T) {
	for _, tt := range []struct{ reg, size string }{{"clock", "r%d 32"}, {"globaltimer_lo", "r%d 32"}, {"clock64", "d%d 64"}, {"globaltimer", "d%d 64"}} {
		kind, bits := tt.size[:1], tt.size[4:]
		a, b := "%"+kind+"21", "%"+kind+"22"
		body := addresses + "mad.wide.u32 %d0, %r1, 8, %d0;\nmov.u" + bits + " " + a + ", %" + tt.reg + ";\nL: mov.u" + bits + " " + b + ", %" + tt.reg + ";\n" +
			"sub.u" + bits + " " + b + ", " + b + ", " + a + ";\nsetp.lt.u" + bits + " %p1, " + b + ", 1000;\n@%p1 bra L;\n" +
			"st.global.u" + bits + " [%d0], " + b + ";"
		_, out, err := run{body: body, block: 1, grid: 4}.launch(t)
		if v := word(out, 0); err != nil || v < 1000 || v > 1010 {
			t.Errorf("%s: waited %d, error %v", tt.reg, v, err)
		}
	}
}

// TestIsSpace asks of each kind of address which space it lies in.
func TestIsSpace(t *testing.T) {
	const setup = addresses + `.local .align 4 .b8 mine[4];
mov.u32 %r9, tile;
cvt.u64.u32 %d10, %r9;
cvta.shared.u64 %d10, %d10;
mov.u64 %d11, mine;
cvta.local.u64 %d11, %d11;
mov.u64 %d12, %d0;
`
	for i, space := range []string{"shared", "local", "global"} {
		for j := range 3 {
			body := setup + "isspacep." + space + " %p1, %d1" + string(rune('0'+j)) + ";\nselp.u32 %r5, 1, 0, %p1;\nst.global.u32 [%d2], %r5;"
			_, out, err := run{body: body}.launch(t)
			if got := word(out, 3) == 1; err != nil || got != (i == j) {
				t.Errorf("isspacep.%s of address %d: %t, error %v", space, j, got, err)
			}
		}
	}
}

// TestNothingUnderWay holds that a block finds neither copies nor arrivals of an earlier one.
func TestNothingUnderWay(t *testing.T) {
	_, out, err := run{grid: 4, block: 64, work: 1, body: addresses + `setp.lt.u32 %p1, %r0, 32;
@%p1 bra M;
bar.arrive 1, 64;
M: cp.async.wait_group 0;
st.shared.u32 [%r4], 77;
ld.shared.u32 %r5, [%r4];
cp.async.wait_all;
ld.shared.u32 %r6, [%r4];
mad.lo.u32 %r7, %r1, 64, %r0;
mad.wide.u32 %d5, %r7, 4, %d0;
st.global.u32 [%d5], %r6;
cp.async.ca.shared.global [%r4], [%d3], 4;`}.launch(t)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 * 64 {
		if got := word(out, i); got != 77 {
			t.Fatalf("thread %d has %d, want 77", i, got)
		}
	}
}
