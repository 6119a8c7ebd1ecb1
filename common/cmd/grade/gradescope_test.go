package main

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGradescope holds what Gradescope is told of the grades that this command writes.
func TestGradescope(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here")
	}
	const script = "../../class/gradescope/results.py"
	if _, err := os.Stat(script); err != nil { // and go test knows what this test depends on
		t.Fatal(err)
	}
	exact := `{"file":"a.cu","verdict":"exact","total":{"sectors":200,"best_sectors":100,"wavefronts":400,"best_wavefronts":100}}`
	for _, tt := range []struct {
		name, grades, log string
		score             float64
		says              string
	}{
		{"exact", exact, "", 75, "exact\nsectors: 200, 100 at best: 10.0 of 20\nwavefronts: 400, 100 at best: 5.0 of 20"},
		{"a folder beside it", exact + "\n" + `{"file":"docs","verdict":"format","message":"no .cu file is in this folder"}`, "", 75, "exact\n"},
		{"a race", `{"file":"a.CU","verdict":"fault","message":"race: here"}`, "", 0, "fault\nrace: here"},
		{"two", exact + "\n" + strings.Replace(exact, "a.cu", "b.cu", 1), "", 0, "2 kernels were handed in, and one is wanted: a.cu, b.cu"},
		{"none", "", "grade: no .cu is in it", 0, "nothing was graded:\ngrade: no .cu is in it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"grades.jsonl": tt.grades, "log": tt.log} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			out, err := exec.Command(python, script, dir).CombinedOutput()
			var got struct {
				Score  float64
				Output string
			}
			if err != nil || json.Unmarshal(out, &got) != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if math.Abs(got.Score-tt.score) > 0.05 || !strings.HasPrefix(got.Output, tt.says) {
				t.Errorf("%v points, %q; want %v, %q", got.Score, got.Output, tt.score, tt.says)
			}
		})
	}
}
