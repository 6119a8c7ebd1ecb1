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
		Trace: func(s Sample) { got = append(got, s) }, TraceBlock: Dim3{2, 0, 0}, TraceWarp: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 {
		t.Fatalf("%d samples, want 3", len(got))
	}
	for i, want := range []Sample{
		{Space: Global, Bytes: 4, Active: 1<<32 - 1},
		{Space: Shared, Store: true, Bytes: 4, Active: 1<<32 - 1},
		{Space: Global, Store: true, Bytes: 4, Active: 1<<8 - 1},
	} {
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
