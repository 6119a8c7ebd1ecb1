package diff

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNear(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		context    int
		want       string
	}{
		{"equal", "a\nb\n", "a\nb\n", 9, ""},
		{"changed", "a\nb\nc\n", "a\nB\nc\n", 0, "-b\n+B\n"},
		{"in context", "a\nb\nc\nd\n", "a\nb\nC\nd\n", 1, " b\n-c\n+C\n d\n"},
		{"whole", "a\nb\nc\nd\n", "a\nb\nC\nd\n", 9, " a\n b\n-c\n+C\n d\n"},
		{"removed", "a\nb\nc\n", "a\nc\n", 0, "-b\n"},
		{"added at the end", "a\n", "a\nb\n", 0, "+b\n"},
		{"from nothing", "", "a\n", 0, "+a\n"},
	} {
		if diff := cmp.Diff(c.want, Near(c.a, c.b, c.context)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Lines whose keys are the same are common, and shown as the later text has them.
func TestLinesBy(t *testing.T) {
	got := LinesBy("A\nb\nC\n", "a\nB\nD\n", strings.ToLower)
	if diff := cmp.Diff([]string{" a", " B", "-C", "+D"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestUnified holds what diff -u prints.
func TestUnified(t *testing.T) {
	lines := func(s string) string { return strings.Join(strings.Split(s, ""), "\n") + "\n" }
	for _, c := range []struct{ name, a, b, want string }{
		{"equal", "abc", "abc", ""},
		{"one change", "abcdefghi", "abcdEfghi", "@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n"},
		{"two hunks", "abcdefghijkl", "Abcdefghijk", "@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n d\n@@ -9,4 +9,3 @@\n i\n j\n k\n-l\n"},
		{"two changes near each other", "abcdefgh", "aBcdefGh", "@@ -1,8 +1,8 @@\n a\n-b\n+B\n c\n d\n e\n f\n-g\n+G\n h\n"},
		{"one line", "a", "b", "@@ -1 +1 @@\n-a\n+b\n"},
		{"added at the start", "bc", "abc", "@@ -1,2 +1,3 @@\n+a\n b\n c\n"},
	} {
		want := c.want
		if want != "" {
			want = "--- old\n+++ new\n" + want
		}
		if diff := cmp.Diff(want, Unified("old", "new", lines(c.a), lines(c.b))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
