package ptx

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTrace follows one warp of one block, in a kernel that works in place and
// so runs twice: each access is told once, in program order.
func TestTrace(t *testing.T) {
	body := addresses + `mad.wide.u32 %d2, %r1, 256, %d2;
ld.global.f32 %f1, [%d2];
st.shared.f32 [%r4+64], %f1;
setp.lt.u32 %p1, %r0, 40;
@%p1 st.global.f32 [%d2], %f1;`
	m := NewMemory()
	buf := alloc(t, m, 3*256)
	var got []Sample
	_, err := parse(t, kernel(body)).Entry("k").Launch(m, Config{
		Grid: Dim3{3, 1, 1}, Block: Dim3{64, 1, 1}, Args: []uint64{buf, buf, 0},
		Trace: func(s Sample) {
			if s.Warp == 1 {
				got = append(got, s)
			}
		}, TraceBlocks: []Dim3{{2, 0, 0}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 {
		t.Fatalf("%d samples, want 3", len(got))
	}
	for i, want := range []Sample{
		{Space: Global, Bytes: 4, Active: 1<<32 - 1, Sectors: 4, Lines: 1, Wavefronts: 1},
		{Space: Shared, Store: true, Bytes: 4, Active: 1<<32 - 1, Wavefronts: 1},
		{Space: Global, Store: true, Bytes: 4, Active: 1<<8 - 1, Sectors: 1, Lines: 1, Wavefronts: 1},
	} {
		want.Block, want.Warp = Dim3{2, 0, 0}, 1
		for lane := range uint64(32) {
			want.Addr[lane] = buf + 2*256 + 128 + 4*lane
			if want.Space == Shared {
				want.Addr[lane] = 64 + 128 + 4*lane
			}
		}
		want.Site = got[i].Site
		if d := cmp.Diff(want, got[i]); d != "" {
			t.Errorf("sample %d: %s", i, d)
		}
		if line := lineOf(t, body, []string{"ld.global", "st.shared", "@%p1"}[i]); got[i].PTXLine != line {
			t.Errorf("sample %d: line %d, want %d", i, got[i].PTXLine, line)
		}
	}
}

// TestTraceOfAll holds that the requests of all blocks are those that are counted,
// whoever ran them, and in the order that Config promises.
func TestTraceOfAll(t *testing.T) {
	body := addresses + `mad.wide.u32 %d2, %r1, 256, %d2;
ld.global.f32 %f1, [%d2];
st.shared.f32 [%r4], %f1;
bar.sync 0;
ld.shared.f32 %f1, [%r4];
st.global.f32 [%d2], %f1;`
	m := NewMemory()
	buf := alloc(t, m, 64*256)
	var all []Dim3
	for x := range 64 {
		all = append(all, Dim3{63 - x, 0, 0})
	}
	var got []Sample
	counts, err := parse(t, kernel(body)).Entry("k").Launch(m, Config{
		Grid: Dim3{64, 1, 1}, Block: Dim3{64, 1, 1}, Args: []uint64{buf, buf, 0}, Workers: 4,
		Trace: func(s Sample) { got = append(got, s) }, TraceBlocks: all,
	})
	if err != nil {
		t.Fatal(err)
	}
	sums := map[Site]Access{}
	for i, s := range got {
		if i > 0 && (s.Block.X < got[i-1].Block.X || s.Block == got[i-1].Block && s.Warp < got[i-1].Warp ||
			s.Block == got[i-1].Block && s.Warp == got[i-1].Warp && s.PTXLine < got[i-1].PTXLine) {
			t.Fatalf("sample %d: block %v, warp %d, line %d after %v, %d, %d", i,
				s.Block, s.Warp, s.PTXLine, got[i-1].Block, got[i-1].Warp, got[i-1].PTXLine)
		}
		a := sums[s.Site]
		a.Add(Access{Requests: 1, Sectors: s.Sectors, Lines: s.Lines, Wavefronts: s.Wavefronts})
		sums[s.Site] = a
	}
	for _, want := range counts.Accesses {
		want = Access{Requests: want.Requests, Sectors: want.Sectors, Lines: want.Lines, Wavefronts: want.Wavefronts, Site: want.Site}
		a := sums[want.Site]
		a.Site = want.Site
		if d := cmp.Diff(want, a); d != "" {
			t.Error(d)
		}
	}
}
