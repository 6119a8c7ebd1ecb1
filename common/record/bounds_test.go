package record

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWriteBounds(t *testing.T) {
	last := func(r *Run) *Row { return &r.Rows[len(r.Rows)-1] }
	const heading = `
bounds: wavefronts ÷ 132 SMs ÷ 1980 MHz,
        bytes ÷ 4814 GB/s, the empty launch;
the largest of them, and its part of the time:
`
	for _, test := range []struct {
		name, want string
		change     func(*Run)
	}{
		{"a card", heading + `driver memcpy           0.0279 ms 80%: 134,217,728 bytes
copy_tile               0.0279 ms 70%: 134,217,728 bytes
transpose_read_strided  0.0662 ms 79%: 17,301,504 wavefronts
transpose_shared        0.0702 ms 88%: 18,350,080 wavefronts
`, func(*Run) {}},
		{"the launch is the bound", heading + `driver memcpy           0.0279 ms 80%: 134,217,728 bytes
copy_tile               0.0300 ms 75%: the empty launch
transpose_read_strided  0.0662 ms 79%: 17,301,504 wavefronts
transpose_shared        0.0702 ms 88%: 18,350,080 wavefronts
`, func(r *Run) { r.Rows[2].Times = Times{0.03} }},
		{"half is not explained", heading + `driver memcpy           0.0279 ms 80%: 134,217,728 bytes
copy_tile               0.0279 ms 70%: 134,217,728 bytes
transpose_read_strided  0.0662 ms 79%: 17,301,504 wavefronts
transpose_shared        0.0702 ms 49%: 18,350,080 wavefronts
transpose_shared: no bound explains half of its time
`, func(r *Run) { last(r).Times = Times{0.1420, 0.1425, 0.1430} }},
		{"L2 holds half of the bytes", `
bounds: wavefronts ÷ 132 SMs ÷ 1980 MHz,
        the empty launch;
the largest of them, and its part of the time:
copy_tile               0.0127 ms 32%: the empty launch
transpose_read_strided  0.0662 ms 79%: 17,301,504 wavefronts
transpose_shared        0.0702 ms 88%: 18,350,080 wavefronts
copy_tile: no bound explains half of its time
`, func(r *Run) { r.Card.L2 = BytesMoved(r.N) / 2 }},
		{"the driver knows nothing of the card", `
bounds: the empty launch;
the largest of them, and its part of the time:
copy_tile               0.0127 ms 32%: the empty launch
transpose_read_strided  0.0425 ms 51%: the empty launch
transpose_shared        0.0127 ms 16%: the empty launch
copy_tile: no bound explains half of its time
transpose_shared: no bound explains half of its time
`, func(r *Run) { r.Card.SMs, r.Card.Peak = 0, 0 }},
		{"not timed", "", func(r *Run) {
			for i := range r.Rows {
				r.Rows[i].Times = nil
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := h200(t)
			test.change(r)
			var b strings.Builder
			r.WriteBounds(&b)
			if diff := cmp.Diff(test.want, b.String()); diff != "" {
				t.Errorf("bounds (-want +got):\n%s", diff)
			}
		})
	}
}
