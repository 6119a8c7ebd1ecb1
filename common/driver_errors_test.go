package common

import (
	"fmt"
	"strings"
	"testing"

	"transpose/common/ptx"
)

// TestResults holds that every answer a reader can meet has a name, a meaning
// and an action, and that one it does not know is still explained.
func TestResults(t *testing.T) {
	for _, r := range []Result{1, 2, 34, 35, 46, 100, 101, 209, 218, 221, 222, 300, 301, 500, 700, 701, 702, 715, 716, 719, 801, 804, 999} {
		if _, ok := results[r]; !ok {
			t.Errorf("result %d is not in the table", r)
		}
	}
	for r, text := range results {
		if text.name == "" || text.meaning == "" || text.action == "" {
			t.Errorf("result %d: name %q, meaning %q, action %q", r, text.name, text.meaning, text.action)
		}
		lines := strings.Split(r.Error(), "\n")
		if len(lines) != 2 || !strings.Contains(lines[0], fmt.Sprintf("(CUDA_ERROR_%s, %d)", text.name, r)) {
			t.Errorf("result %d prints as\n%v", r, r)
		}
	}
	if text := Result(12345).Error(); !strings.Contains(text, "12345") {
		t.Errorf("unknown result prints as %q", text)
	}
}

func TestExitStatus(t *testing.T) {
	for _, test := range []struct {
		err  error
		want int
	}{
		{Result(700), 1}, {Result(702), 1}, {Result(710), 1}, {Result(715), 1}, {Result(716), 1}, {Result(719), 1},
		{Result(100), 2}, {Result(222), 2}, {Result(1), 2}, {Result(701), 2},
		{&Mismatch{Wrong: 1, Elements: 1}, 1},
		{&ptx.Fault{Kind: ptx.SharedRace}, 1},
		{&ptx.Fault{Kind: ptx.TooLong}, 3},
		{hintedFault{&ptx.Fault{Kind: ptx.OutOfBounds}, "a hint"}, 1},
		{&ptx.Unsupported{}, 2},
		{fmt.Errorf("no such file"), 2},
	} {
		if got := ExitStatus(fmt.Errorf("copy: %w", test.err)); got != test.want {
			t.Errorf("ExitStatus(%v) = %d, want %d", test.err, got, test.want)
		}
	}
}

func TestExplainedErrors(t *testing.T) {
	for _, test := range []struct {
		err  error
		want []string
	}{
		{newerDriverNeeded("9.0", 12040), []string{"CUDA 12.4", ".version 9.0", "222"}},
		{outOfMemory(67108864, 1048576, 2097152), []string{"asked for 67,108,864 bytes", "1,048,576 of 2,097,152 are free"}},
		{noSuchKernel("copy", ptxFile{text: ".entry _Z4copyPfPKfi() .entry empty()"}), []string{"no kernel named copy", "it has: _Z4copyPfPKfi, empty\n", `a name like _Z4copyPfPKfi means that extern "C" is missing`}},
		{noSuchKernel("copy", ptxFile{path: "x.ptx", text: ".entry copy_tile()"}), []string{"x.ptx has no kernel named copy", "it has: copy_tile\n", "this episode's"}},
		{noRoomForContext(134217728), []string{"134,217,728 bytes", "OUT_OF_MEMORY, 2", "nvidia-smi"}},
		{noSuchKernel("", ptxFile{}), []string{"has no kernel that main.go asks for", "no kernel at all"}},
	} {
		for _, want := range test.want {
			if !strings.Contains(test.err.Error(), want) {
				t.Errorf("%q lacks %q", test.err, want)
			}
		}
		if n := strings.Count(test.err.Error(), "\n"); n > 1 {
			t.Errorf("%q has more than two lines", test.err)
		}
	}
}
