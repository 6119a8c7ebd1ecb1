package common

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestResultsBelongTogether holds that what stands under results/ for a card belongs together:
// the chart is drawn from the record, and the transcript is of the same run.
func TestResultsBelongTogether(t *testing.T) {
	paths, err := filepath.Glob("../results/*.bench")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no record under results: %v", err)
	}
	for _, path := range paths {
		card := "results/" + strings.TrimSuffix(filepath.Base(path), ".bench")
		hash := fmt.Sprintf("%x", sha256.Sum256([]byte(readTree(t, card+".bench"))))
		if !strings.Contains(readTree(t, card+".svg"), "SHA-256 "+hash) {
			t.Errorf("%s.svg is not drawn from this record: run make chart", card)
		}
		record, err := ReadRecords(path)
		if err != nil {
			t.Fatal(err)
		}
		transcript := readTree(t, card+".txt")
		want := []string{"card: " + record.Setting("card") + "\n", "date: " + record.Setting("date") + "\n"}
		for _, r := range record.Episodes {
			var table strings.Builder
			r.WriteTimes(&table)
			want = append(want, table.String())
		}
		var series strings.Builder
		record.WriteSeries(&series)
		for _, text := range append(want, series.String()) {
			if !strings.Contains(transcript, text) {
				t.Errorf("%s.txt is not of the run that was recorded; it lacks\n%s", card, text)
			}
		}
	}
}
