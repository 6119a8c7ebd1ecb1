package columns

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestFold(t *testing.T) {
	const x = "xxxxxxxxx "
	for _, c := range []struct{ name, text, want string }{
		{"narrow", strings.Repeat("é", 60), strings.Repeat("é", 60)},
		{"at the last space", strings.Repeat(x, 7) + "x", strings.Repeat(x, 5) + "xxxxxxxxx\n    xxxxxxxxx x"},
		{"at a pause", x + x + x + x + "xxxx, " + x + "xxxxx yyyyyyyyyy", x + x + x + x + "xxxx,\n    " + x + "xxxxx yyyyyyyyyy"},
		{"at no pause too early", "a, " + x + x + x + x + x + "yyyyyyy yyyyyy", "a, " + x + x + x + x + x + "yyyyyyy\n    yyyyyy"},
		{"one long word", strings.Repeat("x", 70), strings.Repeat("x", 70)},
		{"a list", "first\n  " + x + x + x + x + x + x + "x", "first\n  " + x + x + x + x + x + x + "x"},
		{"an accusation",
			"ep03-shared: transpose_shared: race in shared memory: block (0, 0, 0), thread (0, 1, 0) writes 4 bytes at offset 128 at transpose.cu:41, ptx line 324 (st.shared.f32 [%rd6], %f1);\nthread (1, 0, 0) reads it",
			`ep03-shared: transpose_shared: race in shared memory:
    block (0, 0, 0), thread (0, 1, 0) writes 4 bytes
    at offset 128 at transpose.cu:41,
    ptx line 324 (st.shared.f32 [%rd6], %f1);
thread (1, 0, 0) reads it`},
	} {
		got := Fold(c.text)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if diff := cmp.Diff(c.text, Unfold(0, got)); diff != "" {
			t.Errorf("%s, unfolded (-want +got):\n%s", c.name, diff)
		}
		for _, line := range strings.Split(got, "\n") {
			if utf8.RuneCountInString(line) > Width && strings.Contains(strings.TrimSpace(line), " ") && !strings.HasPrefix(line, "  x") {
				t.Errorf("%s: wider than %d columns: %s", c.name, Width, line)
			}
		}
	}
}

// What is indented is as narrow.
func TestIndent(t *testing.T) {
	text := strings.Repeat("xxxx ", 12) + "yyyyy"
	got := Indent(2, text)
	if diff := cmp.Diff("  "+strings.Repeat("xxxx ", 10)+"xxxx\n      xxxx yyyyy", got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("  "+text, Unfold(2, got)); diff != "" {
		t.Errorf("unfolded (-want +got):\n%s", diff)
	}
}
