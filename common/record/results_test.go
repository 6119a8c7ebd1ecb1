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
		transcript := readTree(t, card+".txt")
		want := []string{"card: " + rec.Setting("card") + "\n", "date: " + rec.Setting("date") + "\n"}
		for _, r := range rec.Runs {
			var table strings.Builder
			r.WriteTable(&table)
			want = append(want, table.String())
		}
		var series strings.Builder
		rec.WriteSeries(&series)
		for _, text := range append(want, series.String()) {
			if !strings.Contains(transcript, text) {
				t.Errorf("%s.txt is not of the run that was recorded; it lacks\n%s", card, text)
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
