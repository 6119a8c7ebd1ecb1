package ptx

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAtomicValues has what each operation leaves and returns, on global memory,
// on shared memory and through a generic address.
func TestAtomicValues(t *testing.T) {
	const top = 1 << 31
	nan := float32(math.NaN())
	for _, tt := range []struct {
		op           string
		old, b, c    uint64
		want, shared uint64 // shared where it differs
	}{
		{op: "add.u32", old: 1<<32 - 1, b: 3, want: 2},
		{op: "add.s32", old: 5, b: 1<<32 - 7, want: 1<<32 - 2},
		{op: "add.u64", old: 1<<32 - 1, b: 3, want: 1<<32 + 2},
		{op: "min.u32", old: 5, b: 1<<32 - 7, want: 5},
		{op: "min.s32", old: 5, b: 1<<32 - 7, want: 1<<32 - 7},
		{op: "max.u32", old: 5, b: 1<<32 - 7, want: 1<<32 - 7},
		{op: "max.s32", old: 5, b: 1<<32 - 7, want: 5},
		{op: "min.s64", old: 5, b: ^uint64(6), want: ^uint64(6)},
		{op: "max.u64", old: 5, b: ^uint64(6), want: ^uint64(6)},
		{op: "max.s64", old: ^uint64(6), b: 1 << 40, want: 1 << 40},
		{op: "min.u64", old: ^uint64(6), b: 1 << 40, want: 1 << 40},
		{op: "and.b32", old: 12, b: 10, want: 8},
		{op: "or.b32", old: 12, b: 10, want: 14},
		{op: "xor.b32", old: 12, b: 10, want: 6},
		{op: "and.b64", old: 12 << 40, b: 10 << 40, want: 8 << 40},
		{op: "or.b64", old: 12 << 40, b: 10, want: 12<<40 | 10},
		{op: "xor.b64", old: 12 << 40, b: 10 << 40, want: 6 << 40},
		{op: "inc.u32", old: 4, b: 5, want: 5},
		{op: "inc.u32", old: 5, b: 5, want: 0},
		{op: "inc.u32", old: 6, b: 5, want: 0},
		{op: "dec.u32", old: 5, b: 5, want: 4},
		{op: "dec.u32", old: 0, b: 5, want: 5},
		{op: "dec.u32", old: 6, b: 5, want: 5},
		{op: "add.f32", old: fbits(1.5), b: fbits(0.25), want: fbits(1.75)},
		{op: "add.f32", old: fbits(1 << 24), b: fbits(1), want: fbits(1 << 24)},
		{op: "add.f32", old: fbits(nan), b: fbits(1), want: 0x7fffffff},
		{op: "add.f32", old: 1, b: 1<<31 | 2, want: 1 << 31 &^ top, shared: top | 1}, // subnormals
		{op: "add.f64", old: f64bits(1.5), b: f64bits(1e-17), want: f64bits(1.5)},
		{op: "add.f64", old: 1, b: 1, want: 2},
		{op: "add.noftz.f16", old: 0x3c00, b: 0x3800, want: 0x3e00},
		{op: "add.noftz.f16", old: 0x83ff, b: 0x8001, want: 0x8400},
		{op: "add.noftz.f16", old: 0x7bff, b: 0x7bff, want: 0x7c00},
		{op: "add.noftz.bf16", old: 0x4300, b: 0x3f80, want: 0x4301},
		{op: "add.noftz.f16x2", old: 0x3c00_0001, b: 0xbc00_0001, want: 0x0000_0002},
		{op: "add.noftz.bf16x2", old: 0x3f80_ff80, b: 0x3f80_7f80, want: 0x4000_7fff},
		{op: "exch.b32", old: 5, b: 7, want: 7},
		{op: "exch.b64", old: 5, b: 7 << 40, want: 7 << 40},
		{op: "cas.b32", old: 5, b: 5, c: 9, want: 9},
		{op: "cas.b32", old: 5, b: 6, c: 9, want: 5},
		{op: "cas.b64", old: 5 << 40, b: 5 << 40, c: 9, want: 9},
		{op: "cas.b16", old: 0xfff5, b: 0xfff5, c: 9, want: 9},
	} {
		if tt.shared == 0 {
			tt.shared = tt.want
		}
		for _, place := range []string{"atom.global", "atom.relaxed.gpu.global", "atom", "red.global", "atom.shared", "atom.acq_rel.cta.shared::cta", "red.shared", "shared through atom"} {
			inst, addr, want := place, "%d0", tt.want
			if strings.Contains(place, "shared") {
				addr, want = "%d6", tt.shared
				if inst = place; strings.HasPrefix(place, "shared") {
					inst, addr = "atom", "%d7"
				}
			}
			bits := strings.Replace(tt.op[len(tt.op)-2:], "x2", "32", 1)
			reg, dst, last := "%d", "%d9, ", ""
			switch bits {
			case "32":
				reg, dst = "%r", "%r19, "
			case "16":
				reg, dst = "%h", "%h7, "
			}
			if tt.op[:3] == "cas" {
				last = ", " + strings.Replace(reg, "%d", "%d1", 1) + "3"
			}
			if inst[:3] == "red" {
				if dst = ""; tt.op[:3] == "cas" || tt.op[:4] == "exch" {
					continue
				}
			}
			ty := "b" + bits
			code := fmt.Sprintf(`mov.u32 %%r9, tile;
cvt.u64.u32 %%d6, %%r9;
cvta.shared.u64 %%d7, %%d6;
mov.%[1]s %[2]s1, %[3]d;
mov.%[1]s %[2]s2, %[4]d;
mov.%[1]s %[2]s3, %[5]d;
st.shared.%[1]s [tile], %[2]s1;
st.global.%[1]s [%%d0], %[2]s1;
%[6]s.%[7]s %[8]s[%[9]s], %[2]s2%[10]s;
`, ty, strings.Replace(reg, "%d", "%d1", 1), tt.old, tt.b, tt.c, inst, tt.op, dst, addr, last)
			if strings.Contains(place, "shared") {
				code += fmt.Sprintf("ld.shared.%s %s2, [tile];\n", ty, strings.Replace(reg, "%d", "%d1", 1))
			} else {
				code += fmt.Sprintf("ld.global.%s %s2, [%%d0];\n", ty, strings.Replace(reg, "%d", "%d1", 1))
			}
			got := map[string]string{"32": "cvt.u64.u32 %d20, %r2;", "16": "cvt.u64.u16 %d20, %h2;", "64": "mov.u64 %d20, %d12;"}[bits]
			if v := value(t, code+got); v != want {
				t.Errorf("%s.%s of %#x by %#x, %#x leaves %#x, want %#x", place, tt.op, tt.old, tt.b, tt.c, v, want)
			}
			if dst == "" {
				continue
			}
			got = map[string]string{"32": "cvt.u64.u32 %d20, %r19;", "16": "cvt.u64.u16 %d20, %h7;", "64": "mov.u64 %d20, %d9;"}[bits]
			if v := value(t, code+got); v != tt.old {
				t.Errorf("%s.%s returns %#x, want %#x", place, tt.op, v, tt.old)
			}
		}
	}
}

// TestAtomicOrder holds that lanes, warps and blocks take their turns in order,
// however many workers there are, and that guarded lanes take none.
func TestAtomicOrder(t *testing.T) {
	body := addresses + `and.b32 %r5, %r0, 1;
setp.eq.u32 %p1, %r5, 1;
mov.u32 %r6, 1000;
@%p1 atom.global.add.u32 %r6, [%d1], 1;
mad.lo.u32 %r7, %r1, 64, %r0;
mad.wide.u32 %d2, %r7, 4, %d0;
st.global.u32 [%d2], %r6;`
	for _, workers := range []int{1, 8} {
		_, out, err := run{body: body, grid: 16, block: 64, work: workers}.launch(t)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 16 * 64 {
			want := uint32(1000)
			if i%2 == 1 {
				want = uint32(i / 2)
			}
			if got := word(out, i); got != want {
				t.Fatalf("%d workers: thread %d got %d, want %d", workers, i, got, want)
			}
		}
		// A warp takes all its turns before the next one does.
		for _, place := range []string{"atom.global.add.u32 %r6, [%d0]", "atom.shared.add.u32 %r6, [tile]"} {
			zero := "atom.shared.exch.b32 _, [tile], 0;\nbar.sync 0;\n"
			if strings.Contains(place, "global") {
				zero = ""
			}
			_, out, err = run{body: addresses + zero + place + ", 1;\n" + place + ", 1;\nst.global.u32 [%d2+4], %r6;", block: 64, work: workers}.launch(t)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 64 {
				if got, want := word(out, i+1), uint32(64*(i/32)+32+i%32); got != want {
					t.Fatalf("%s, %d workers: thread %d got %d at last, want %d", place, workers, i, got, want)
				}
			}
		}
		// Where no order shows, blocks run at the same time.
		_, out, err = run{body: "atom.global.add.u32 %r6, [%d0], %r0;\nred.global.max.u32 [%d0+4], %r1;", grid: 512, block: 64, work: workers}.launch(t)
		if err != nil || word(out, 0) != 512*63*32 || word(out, 1) != 511 {
			t.Errorf("%d workers: sum %d, greatest %d, error %v", workers, word(out, 0), word(out, 1), err)
		}
	}
}

// TestAtomicRaces holds that atomics race with what is none, and not with each other.
func TestAtomicRaces(t *testing.T) {
	// tile is cleared, by one thread and a barrier.
	const one = "setp.eq.u32 %p1, %r0, 0;\n"
	const last = "setp.eq.u32 %p2, %r0, 63;\n"
	const zero = one + "@%p1 st.shared.u32 [tile], 0;\nbar.sync 0;\n"
	const first = "setp.eq.u32 %p1, %r1, 0;\nsetp.eq.u32 %p2, %r1, 7;\n"
	for _, tt := range []struct {
		name, body string
		grid       int
		want       FaultKind // 0 for none
		at         string
	}{
		{"a counter in shared memory", zero + "atom.shared.add.u32 %r5, [tile], 1;\nbar.sync 0;\nld.shared.u32 %r5, [tile];", 1, 0, ""},
		{"not initialised", "atom.shared.add.u32 %r5, [tile], 1;", 1, SharedUnwritten, "atom"},
		{"exchanged first", "atom.shared.exch.b32 _, [tile], 1;\nbar.sync 0;\nld.shared.u32 %r5, [tile];", 1, 0, ""},
		{"no barrier before", one + "@%p1 st.shared.u32 [tile], 0;\natom.shared.add.u32 %r5, [tile], 1;", 1, SharedRace, "atom"},
		{"no barrier behind", zero + last + "red.shared.add.u32 [tile], 1;\n@%p2 ld.shared.u32 %r5, [tile];", 1, SharedRace, "@%p2"},
		{"read before", zero + last + "@%p2 ld.shared.u32 %r5, [tile];\nred.shared.add.u32 [tile], 1;", 1, SharedRace, "@%p2 ld"},
		{"read by the first, updated by the last", zero + one + last + "@%p1 ld.shared.u32 %r5, [tile];\n@%p2 red.shared.add.u32 [tile], 1;", 1, SharedRace, "@%p2 red"},
		{"stored by the first, exchanged by the last", zero + one + last + "@%p1 st.shared.u32 [tile], 1;\n@%p2 atom.shared.exch.b32 _, [tile], 1;", 1, SharedRace, "@%p2 atom"},
		{"its own", zero + last + "@%p2 red.shared.add.u32 [tile], 1;\n@%p2 ld.shared.u32 %r5, [tile];", 1, 0, ""},
		{"stored behind", zero + last + "red.shared.add.u32 [tile], 1;\n@%p2 st.shared.u32 [tile], 1;", 1, SharedRace, "@%p2"},
		{"a counter in global memory", "red.global.add.u32 [%d0], 1;", 8, 0, ""},
		{"read by another block", first + "@%p1 red.global.add.u32 [%d0], 1;\n@%p2 ld.global.u32 %r5, [%d0];", 8, GlobalRace, "@%p2"},
		{"read by many blocks", "red.global.add.u32 [%d0], 1;\nld.global.u32 %r5, [%d0];", 8, GlobalRace, "red"},
		{"updated by all, read by the last", first + "red.global.add.u32 [%d0], 1;\n@%p2 ld.global.u32 %r5, [%d0];", 8, GlobalRace, "@%p2"},
		{"stored by another block", first + "@%p1 st.global.u32 [%d0], 1;\n@%p2 red.global.add.u32 [%d0], 1;", 8, GlobalRace, "@%p2"},
		{"a guess for compare and swap", addresses + "ld.global.u32 %r5, [%d0];\nadd.u32 %r6, %r5, 1;\natom.global.cas.b32 %r5, [%d0], %r5, %r6;", 8, 0, ""},
		{"in shared memory", zero + "ld.shared.u32 %r5, [tile];\nadd.u32 %r6, %r5, 1;\natom.shared.cas.b32 %r5, [tile], %r5, %r6;", 1, 0, ""},
		{"a store beside compare and swap", first + "@%p1 st.global.u32 [%d0], 1;\n@%p2 atom.global.cas.b32 %r5, [%d0], 0, 1;", 8, GlobalRace, "@%p2"},
		{"a store behind compare and swap", zero + last + "atom.shared.cas.b32 %r5, [tile], 0, 1;\n@%p2 st.shared.u32 [tile], 1;", 1, SharedRace, "@%p2"},
		{"past the end", "red.global.add.u32 [%d0+4096], 1;", 1, OutOfBounds, "red"},
		{"misaligned", "red.global.add.u32 [%d0+2], 1;", 1, Misaligned, "red"},
		{"on local memory", ".local .align 4 .b8 mine[4];\nmov.u64 %d5, mine;\ncvta.local.u64 %d5, %d5;\nred.add.u32 [%d5], 1;", 1, OutOfBounds, "red"},
	} {
		_, _, err := run{body: tt.body, grid: tt.grid, block: 64}.launch(t)
		if tt.want == 0 {
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		f := asFault(t, err)
		if f.Kind != tt.want || f.PTXLine != lineOf(t, tt.body, "\n"+tt.at)+1 && f.PTXLine != lineOf(t, tt.body, tt.at) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if f.Kind == GlobalRace && f.Other == nil || f.Atomic != (strings.Contains(f.PTXText, "red") || strings.Contains(f.PTXText, "atom")) && f.Kind != SharedUnwritten && f.Space == Global {
			t.Errorf("%s: atomic %t, other %v", tt.name, f.Atomic, f.Other)
		}
	}
}

// TestAtomicCounts holds that atomics count as requests, like stores.
func TestAtomicCounts(t *testing.T) {
	c, _, err := run{block: 64, body: addresses + `st.shared.u32 [%r4], 0;
shl.b32 %r5, %r3, 5;
cvt.u64.u32 %d5, %r5;
red.global.add.u32 [%d2], 1;
atom.global.add.u32 %r6, [%d0], 1;
atom.shared.add.u32 %r6, [%r4], 1;`}.launch(t)
	if err != nil {
		t.Fatal(err)
	}
	var got []Access
	for _, a := range c.Accesses[1:] {
		a.Site, a.BytesAsked, a.BestWavefronts = Site{}, 0, 0
		got = append(got, a)
	}
	want := []Access{
		{Store: true, Atomic: true, Bytes: 4, Requests: 2, Sectors: 8, BestSectors: 8, Lines: 2, Wavefronts: 2, BytesTouched: 256},
		{Store: true, Atomic: true, Bytes: 4, Requests: 2, Sectors: 2, BestSectors: 2, Lines: 2, Wavefronts: 2, BytesTouched: 8},
		{Space: Shared, Store: true, Atomic: true, Bytes: 4, Requests: 2, Wavefronts: 2, BytesTouched: 256},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestChangesVariables tells a kernel that stores to a variable of its module from
// one that only reads there.
func TestChangesVariables(t *testing.T) {
	for _, tt := range []struct {
		body string
		want bool
	}{
		{"ld.global.u32 %r5, [state];\nst.global.u32 [%d0], %r5;", false},
		{"red.global.add.u32 [state], 1;", false},
		{"atom.global.add.u32 %r5, [state], 1;", false},
		{"atom.global.add.u32 %r5, [state], 1;\nst.global.u32 [%d0], %r5;", true},
		{"st.global.u32 [state], 1;", false},
		{"ld.global.u32 %r5, [state];\nadd.u32 %r5, %r5, 1;\nst.global.u32 [state], %r5;", true},
	} {
		m := NewMemory()
		out := alloc(t, m, 4)
		src := header + ".global .u32 state;\n" + strings.TrimPrefix(kernel(tt.body), header)
		c, err := parse(t, src).Entry("k").Launch(m, Config{Grid: Dim3{1, 1, 1}, Block: Dim3{1, 1, 1}, Args: []uint64{out, out, 0}})
		if err != nil || c.ChangesVariables != tt.want {
			t.Errorf("%s: %t, error %v; want %t", tt.body, c != nil && c.ChangesVariables, err, tt.want)
		}
	}
}

// TestSpinLock holds that lanes that wait for a lock let the one that holds it go on,
// in a loop and in one around the whole.
func TestSpinLock(t *testing.T) {
	for _, tt := range []struct{ name, body string }{
		{"waits", `L: atom.global.cas.b32 %r5, [%d0], 0, 1;
setp.ne.u32 %p1, %r5, 0;
@%p1 bra L;
atom.global.or.b32 %r6, [%d0+4], 0;
add.u32 %r6, %r6, 1;
atom.global.exch.b32 %r7, [%d0+4], %r6;
atom.global.exch.b32 %r7, [%d0], 0;`},
		{"tries again", `L: atom.global.cas.b32 %r5, [%d0], 0, 1;
setp.ne.u32 %p1, %r5, 0;
@%p1 bra M;
atom.global.add.u32 %r6, [%d0+4], 1;
atom.global.exch.b32 %r7, [%d0], 0;
M: @%p1 bra L;`},
	} {
		_, out, err := run{body: tt.body, grid: 3, block: 64}.launch(t)
		if err != nil || word(out, 1) != 3*64 || word(out, 0) != 0 {
			t.Errorf("%s: counted %d, error %v", tt.name, word(out, 1), err)
		}
	}
}
