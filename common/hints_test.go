package common

import (
	"strings"
	"testing"

	"transpose/common/ptx"
)

// TestStrayed explains accesses outside a matrix of n = 33.
func TestStrayed(t *testing.T) {
	for _, test := range []struct {
		name          string
		block, thread ptx.Dim3
		text          string
		offset        int64
		want          string
	}{
		{"a guard missing on the load", ptx.Dim3{Y: 1}, ptx.Dim3{Y: 5}, "ld.global.f32", 4 * (37 * 33), ""},
		{"a guard missing on the store", ptx.Dim3{X: 1}, ptx.Dim3{X: 3, Y: 5}, "st.global.f32", 4 * ((32+5+8)*33 + 3), ""},
		{"double by its address", ptx.Dim3{}, ptx.Dim3{X: 2, Y: 7}, "ld.global.u64", 8 * (23*33 + 2), "elements of 8 bytes"},
		{"double by its name", ptx.Dim3{}, ptx.Dim3{X: 2, Y: 7}, "st.global.f64", 4400, "elements of 8 bytes"},
		{"a float2", ptx.Dim3{}, ptx.Dim3{X: 20, Y: 7}, "st.global.v2.f32", 4360, ""},
		{"a pitch", ptx.Dim3{}, ptx.Dim3{X: 4, Y: 3}, "ld.global.f32", 4 * (27*64 + 4), "the length of a row is taken to be 64, but rows of out and in are n = 33"},
		{"a constant for n, transposed", ptx.Dim3{}, ptx.Dim3{X: 1, Y: 0}, "st.global.f32", 4 * 4096, "the length of a row is taken to be 4096"},
		{"one more, transposed", ptx.Dim3{X: 1}, ptx.Dim3{Y: 6}, "ld.global.f32", 4 * (32*34 + 30), "the length of a row is taken to be 34"},
		{"a wide guard missing", ptx.Dim3{}, ptx.Dim3{X: 9, Y: 3}, "ld.global.v4.f32", 4 * (35*33 + 36), ""},
		{"a wide constant for n", ptx.Dim3{}, ptx.Dim3{X: 1, Y: 2}, "st.global.v4.f32", 4 * (2*1024 + 4), "the length of a row is taken to be 1024"},
		{"a wide constant, float by float", ptx.Dim3{X: 1}, ptx.Dim3{X: 1, Y: 2}, "ld.global.f32", 4 * ((64+34)*1024 + 33), "the length of a row is taken to be 1024"},
		{"nothing that fits", ptx.Dim3{}, ptx.Dim3{X: 9, Y: 4}, "ld.global.f32", 4999, ""},
	} {
		f := &ptx.Fault{Kind: ptx.OutOfBounds, Block: test.block, Thread: test.thread}
		f.PTXText = test.text
		var own ptx.Dim3
		if strings.Contains(test.name, "wide") {
			own = ptx.Dim3{X: 16, Y: 32, Z: 1}
		}
		got := strayed(f, own, test.offset, 33)
		if !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
