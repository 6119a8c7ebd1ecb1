package record

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestResultsBelongTogether holds that what stands under results/ for a card belongs together:
// the chart is drawn from the record, and the transcript is of the same run.
func TestResultsBelongTogether(t *testing.T) {
	paths, err := filepath.Glob("../../results/*.bench")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no record under results: %v", err)
	}
	for _, path := range paths {
		card := strings.TrimSuffix(path, ".bench")
		hash := fmt.Sprintf("%x", sha256.Sum256([]byte(readTree(t, path))))
		if !strings.Contains(readTree(t, card+".svg"), "SHA-256 "+hash) {
			t.Errorf("%s.svg is not drawn from this record: run make chart", card)
		}
		rec, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		transcript := words(readTree(t, card+".txt"))
		want := []string{"card: " + rec.Setting("card") + "\n", "date: " + rec.Setting("date") + "\n"}
		for _, r := range rec.Runs {
			var table strings.Builder
			r.WriteTable(&table)
			want = append(want, table.String())
			var bounds strings.Builder
			r.WriteBounds(&bounds)
			want = append(want, bounds.String())
		}
		var series strings.Builder
		rec.WriteSeries(&series)
		for _, text := range append(want, series.String()) {
			if !strings.Contains(transcript, words(text)) {
				t.Errorf("%s.txt is not of the run that was recorded; it lacks\n%s", card, text)
			}
		}
	}
}

// words leaves out how a text is broken into lines, which is not what was measured.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// TestBoundsAreBelowTheTimes holds that no kernel of a record was faster than its
// counts allow on that card, and that every one has a bound.
func TestBoundsAreBelowTheTimes(t *testing.T) {
	paths, err := filepath.Glob("../../results/*.bench")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no record under results: %v", err)
	}
	for _, path := range paths {
		rec, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rec.Runs {
			for i := range r.Rows {
				row := &r.Rows[i]
				bounds := r.bounds(row)
				if row.Kernel.Leaves != Untouched && len(bounds) == 0 {
					t.Errorf("%s: %s %s has no bound", path, r.Name, row.Kernel.Name)
				}
				for _, b := range bounds {
					if ms := row.Times.Min(); row.Kernel.Leaves != Untouched && b.ms > ms {
						t.Errorf("%s: %s %s took %v ms, but for %s it needs %v", path, r.Name, row.Kernel.Name, ms, b.why, b.ms)
					}
				}
			}
		}
	}
}

// readTree reads a file of the tree. go test does not see a change outside its
// module; a test that asks for TREE_SHA256, which make sets, is run again.
func readTree(t *testing.T, path string) string {
	t.Helper()
	_ = os.Getenv("TREE_SHA256")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
