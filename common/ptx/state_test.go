package ptx

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBlockStates compares the states of a granule with the definition of a
// race, for every sequence of five accesses by three blocks.
func TestBlockStates(t *testing.T) {
	const n = 5
	for code := range 248832 { // 12 to the 5th: block and kind of each access
		var state uint32
		var block [n]int
		var store, update, cas [n]bool
		for i, c := 0, code; i < n; i, c = i+1, c/12 {
			block[i], store[i], update[i], cas[i] = c%12/4, c%4 > 0, c%4 >= 2, c%4 == 3
			races, compares, others := false, cas[i], update[i] && !cas[i]
			for j := range i {
				compares, others = compares || cas[j], others || update[j] && !cas[j]
				races = races || block[j] != block[i] && (store[j] || store[i]) && !(update[j] && update[i]) &&
					!(cas[i] && !store[j] || cas[j] && !store[i])
			}
			b := uint32(block[i]) << stateBits
			ok := false
			if update[i] {
				ok = trackUpdate(&state, b, cas[i])
			} else if store[i] {
				ok = trackStore(&state, b)
			} else {
				ok = trackLoad(&state, b)
			}
			// Behind a compare-and-swap, reads may be forgotten, and behind another
			// atomic, that it was one.
			if ok && races && !compares || !ok && !races && !(compares && others) {
				t.Fatalf("blocks %v, stores %v, atomics %v: access %d allowed: %t", block[:i+1], store[:i+1], update[:i+1], i, ok)
			}
			if races {
				break
			}
		}
	}
}

// TestNothingLeft holds that a block finds nothing that an earlier one left in
// registers, predicates, local or shared memory: a run repeats itself.
func TestNothingLeft(t *testing.T) {
	_, out, err := run{grid: 8, block: 64, work: 1, body: addresses + `.local .align 4 .b8 a[8];
mad.wide.u32 %d2, %r1, 256, %d2;
ld.local.u32 %r10, [a+4];
selp.u32 %r11, 1, 0, %p3;
add.u32 %r12, %r10, %r11;
add.u32 %r12, %r12, %r9;
st.global.u32 [%d2], %r12;
mov.u32 %r9, 5;
st.local.u32 [a+4], %r9;
setp.eq.u32 %p3, %r9, 5;
bar.sync 0;`}.launch(t)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 * 64 {
		if got := word(out, i); got != 0 {
			t.Fatalf("thread %d found %d", i, got)
		}
	}
}

// TestCostsAreKeptApart runs one instruction again and again from places that
// cost differently.
func TestCostsAreKeptApart(t *testing.T) {
	c, _, err := run{body: addresses + `mov.u32 %r5, 0;
L: ld.global.f32 %f1, [%d3];
add.u64 %d3, %d3, 4;
add.u32 %r5, %r5, 1;
setp.lt.u32 %p1, %r5, 9;
@%p1 bra L;`}.launch(t)
	if err != nil {
		t.Fatal(err)
	}
	if a := c.Accesses[0]; a.Requests != 9 || a.Sectors != 4+7*5+4 || a.BytesTouched != 9*128 {
		t.Errorf("%d requests, %d sectors, %d bytes; want 9, 43, 1152", a.Requests, a.Sectors, a.BytesTouched)
	}
	// Misaligned only the second time.
	_, _, err = run{body: addresses + `mov.u32 %r5, 0;
add.u64 %d3, %d3, %d4;
L: ld.global.f64 %e1, [%d3];
add.u64 %d3, %d3, 4;
add.u32 %r5, %r5, 1;
setp.lt.u32 %p1, %r5, 9;
@%p1 bra L;`}.launch(t)
	if f := asFault(t, err); f.Kind != Misaligned {
		t.Errorf("got %v, want misaligned", f)
	}
}

// TestGuardedCompare holds that a guarded setp leaves the other lanes' bits.
func TestGuardedCompare(t *testing.T) {
	_, out, err := run{body: addresses + `setp.lt.u32 %p1, %r0, 10;
setp.lt.u32 %p2, %r0, 32;
@%p1 setp.lt.u32 %p2, %r0, 5;
selp.u32 %r5, 1, 0, %p2;
st.global.u32 [%d2], %r5;`}.launch(t)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 32 {
		want := uint32(1)
		if i >= 5 && i < 10 {
			want = 0
		}
		if got := word(out, i); got != want {
			t.Errorf("lane %d: %d, want %d", i, got, want)
		}
	}
}

// TestSourceLines attributes what a header's inlined function does to the .cu
// line of the call, also through two calls; a function of the .cu keeps its own.
func TestSourceLines(t *testing.T) {
	const ld = "ld.global.f32 %f1, [%d1];\n"
	src := kernel(`.loc 1 10 3
`+ld+`.loc 2 70 3, function_name $x, inlined_at 1 11 3
`+ld+`.loc 3 90 3, function_name $y, inlined_at 2 70 3
`+ld+`.loc 1 5 3, function_name $z, inlined_at 1 12 3
`+ld+`.loc 1 0 3
`+ld+`.loc 2 70 3
`+ld) + ".file 1 \"./a.cu\"\n.file 2 \"p.h\"\n.file 3 \"q.h\"\n"
	m := NewMemory()
	in := alloc(t, m, 4)
	c, err := parse(t, src).Entry("k").Launch(m, Config{Grid: Dim3{1, 1, 1}, Block: Dim3{1, 1, 1}, Args: []uint64{in, in, 0}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range c.Accesses {
		got = append(got, fmt.Sprintf("%s:%d", a.File, a.Line))
	}
	if d := cmp.Diff([]string{"a.cu:10", "a.cu:11", "a.cu:11", "a.cu:5", "a.cu:0", "p.h:70"}, got); d != "" {
		t.Error(d)
	}
}

// TestBlockShapes holds that warps follow the linear thread index: a row of a
// 16-wide block is half a warp.
func TestBlockShapes(t *testing.T) {
	for _, tt := range []struct {
		block             Dim3
		requests, sectors int64
	}{
		{Dim3{32, 8, 1}, 8, 32}, {Dim3{16, 16, 1}, 8, 32}, {Dim3{8, 32, 1}, 8, 32}, {Dim3{33, 1, 1}, 2, 5},
		{Dim3{4, 2, 8}, 2, 16}, {Dim3{1, 1, 1}, 1, 1}, {Dim3{1024, 1, 1}, 32, 128},
	} {
		// Row y + Dy·z of the block lies 4096 bytes from the next.
		src := kernel(`mov.u32 %r3, %tid.y;
mov.u32 %r4, %tid.z;
mov.u32 %r5, %ntid.y;
mad.lo.u32 %r3, %r4, %r5, %r3;
shl.b32 %r3, %r3, 12;
mad.lo.u32 %r3, %r0, 4, %r3;
cvt.u64.u32 %d2, %r3;
add.u64 %d2, %d2, %d1;
ld.global.f32 %f1, [%d2];`)
		m := NewMemory()
		in := alloc(t, m, 1<<20)
		c, err := parse(t, src).Entry("k").Launch(m, Config{Grid: Dim3{1, 1, 1}, Block: tt.block, Args: []uint64{in, in, 0}})
		if err != nil {
			t.Fatal(err)
		}
		a := c.Accesses[0]
		if a.Requests != tt.requests || a.Sectors != tt.sectors || a.BytesAsked != 4*tt.block.count() {
			t.Errorf("block %v: %d requests, %d sectors, %d bytes; want %d, %d", tt.block, a.Requests, a.Sectors, a.BytesAsked, tt.requests, tt.sectors)
		}
	}
}

// TestReaders holds that a history has each thread's newest read, once, and
// does not grow with the lanes of a warp.
func TestReaders(t *testing.T) {
	var h history
	want := map[int]touch{}
	random := rand.New(rand.NewSource(1))
	for step := range 5000 {
		thread, clock := random.Intn(256), uint32(random.Intn(3))
		if step >= 4000 { // at the end each warp reads as one
			thread, clock = step%256, 9
		}
		x := touch{7<<intervalBits | uint64(clock)<<siteShift | uint64(thread), clock}
		h.reads = addReader(h.reads, x)
		want[thread] = x
		if step%50 != 0 {
			continue
		}
		got := map[int]touch{}
		for _, r := range h.reads {
			for lane := range 32 {
				if r.lanes>>lane&1 == 0 {
					continue
				}
				x := touch{r.by | uint64(lane), r.clock}
				if _, twice := got[int(x.by&threadMask)]; twice {
					t.Fatalf("step %d: thread %d stands twice", step, x.by&threadMask)
				}
				got[int(x.by&threadMask)] = x
			}
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(touch{})); d != "" {
			t.Fatalf("step %d: %s", step, d)
		}
	}
	if len(h.reads) > 4*8 {
		t.Errorf("%d entries for 8 warps", len(h.reads))
	}
}
