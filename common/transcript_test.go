package common

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// driverCode matches how a message names the driver's answer.
var driverCode = regexp.MustCompile(`\(CUDA_ERROR_(\w+), (\d+)\)`)

// transcripts returns what was printed on a GPU machine.
func transcripts(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("faults/testdata/h200-errors.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTranscripts holds the error table and the exit statuses to what a real
// driver answered.
func TestTranscripts(t *testing.T) {
	status := regexp.MustCompile(`(?m)^rc=(\d+|interrupted)|^make: .* Error (\d+)$`)
	for _, part := range strings.Split(transcripts(t), "\n--- ")[1:] {
		name, body, _ := strings.Cut(part, ":")
		want := "0"
		switch m := driverCode.FindStringSubmatch(body); {
		case m != nil:
			n, err := strconv.Atoi(m[2])
			if err != nil {
				t.Fatal(err)
			}
			r := Result(n)
			if results[r].name != m[1] {
				t.Errorf("%s: the driver's answer %d is %s, the table has %s", name, n, m[1], results[r].name)
			}
			want = strconv.Itoa(ExitStatus(r))
		case name == "hung":
			want = "interrupted"
		case strings.Contains(body, "wrong: ") || strings.Contains(body, "out of bounds") || strings.Contains(body, "unwritten shared memory"):
			want = "1"
		}
		m := status.FindStringSubmatch(body)
		if m == nil {
			t.Fatalf("%s has no exit status", name)
		}
		if got := m[1] + m[2]; got != want { // one of them is empty
			t.Errorf("%s: exit status %s, want %s", name, got, want)
		}
	}
}
