//go:build !cuda

package common

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"transpose/common/internal/columns"
	"transpose/common/ptx"
	"transpose/common/record"
)

// TestWriteCounts holds how accesses are named, and what they cost.
func TestWriteCounts(t *testing.T) {
	source := "first\n  out[i] = in[i];\n  a_long_name_for_the_output[i * n + j] = a_long_name_for_the_input[j * n + i];\n"
	at := func(line int) ptx.Site { return ptx.Site{File: "./transpose.cu", Line: line} }
	r := &Report{}
	for _, k := range []struct {
		name     string
		accesses []ptx.Access
		notes    []string
	}{
		{"narrow", []ptx.Access{
			{Site: at(2), Bytes: 4, Requests: 2, Sectors: 8, BestSectors: 8, Wavefronts: 2, BestWavefronts: 2},
			{Site: at(2), Store: true, Bytes: 4, Requests: 524288, Sectors: 16777216, BestSectors: 2097152, Wavefronts: 524288, BestWavefronts: 524288},
			{Site: at(3), Space: ptx.Shared, Store: true, Bytes: 4, Requests: 2, Wavefronts: 64, BestWavefronts: 2},
			{Site: at(3), Space: ptx.Shared, Bytes: 4, Requests: 2, Wavefronts: 2, BestWavefronts: 2},
		}, []string{"of the launch"}},
		{"idle", nil, nil},
		{"wide", []ptx.Access{
			{Site: at(2), Bytes: 16, Requests: 2, Sectors: 32, BestSectors: 32, Wavefronts: 8, BestWavefronts: 8},
			{Site: at(2), Space: ptx.Shared, Store: true, Bytes: 8, Requests: 2, Wavefronts: 9, BestWavefronts: 4},
		}, nil},
		{"without lines", []ptx.Access{
			{Site: ptx.Site{File: "transpose.cu"}, Store: true, Atomic: true, Bytes: 4, Requests: 2, Sectors: 9, BestSectors: 8, Wavefronts: 2, BestWavefronts: 2},
			{Site: ptx.Site{PTXLine: 7, PTXText: "ld.global.f32 %f1, [%rd1]"}, Bytes: 4, Requests: 2, Sectors: 8, BestSectors: 8, Wavefronts: 2, BestWavefronts: 2},
		}, nil},
	} {
		r.add(Row{Kernel: Kernel{Name: k.name}, Counts: &ptx.Counts{Accesses: k.accesses, Notes: k.notes}})
	}
	want := `
counted on the PTX: sectors and wavefronts of one request
                  requests  sectors       wavefronts
narrow
  transpose.cu:2  … in[i]
    load                 2   4             1
  transpose.cu:2  out[i] = …
    store          524,288  32 (best 4)    1
  transpose.cu:3  a_long_name_for_the_output[i * n + j] = …
    shared store         2                32 (best 1)
  transpose.cu:3  … a_long_name_for_the_input[j * n + i]
    shared load          2                 1
  note: of the launch
wide
  transpose.cu:2  … in[i]
    load                 2  16 (best 16)   4 (best 4)
  transpose.cu:2  out[i] = …
    shared store         2                4.5 (best 2)
without lines
  line unknown (merged by the compiler)
    atomic               2  4.5 (best 4)   1
  PTX line 7  ld.global.f32 %f1, [%rd1]
    load                 2   4             1
`
	var b strings.Builder
	r.writeCounts(&b, func(string) string { return source })
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

// TestCountsAreNarrow holds that a line of counts fits a phone, also where the .cu has
// a long name, at a size where no count is whole.
func TestCountsAreNarrow(t *testing.T) {
	const n = 1 << 19
	a := ptx.Access{Site: ptx.Site{File: "transpose_of_a_student.cu", Line: 1}, Space: ptx.Shared, Store: true, Bytes: 4, Requests: n, Wavefronts: 31 * n / 10, BestWavefronts: n}
	b := ptx.Access{Site: a.Site, Bytes: 4, Requests: n, Sectors: 314 * n / 10, BestSectors: 39 * n / 10, Wavefronts: 314 * n / 10, BestWavefronts: n}
	r := &Report{Run: record.Run{Rows: []Row{{Kernel: Kernel{Name: "k"}, Counts: &ptx.Counts{Accesses: []ptx.Access{a, b}}}}}}
	var text strings.Builder
	r.writeCounts(&text, func(string) string { return strings.Repeat("tile[threadIdx.y + j]", 5) + " = 0;" })
	for _, line := range strings.Split(text.String(), "\n") {
		if w := utf8.RuneCountInString(line); w > columns.Width {
			t.Errorf("%d columns: %q", w, line)
		}
	}
}
