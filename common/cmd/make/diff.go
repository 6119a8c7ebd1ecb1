package main

import (
	"fmt"
	"os"

	"transpose/common/cmd/internal/diff"
)

// diff shows what an episode changes: its kernels, its main and its test against
// those of the episode before.
func (t *tree) diff(ep string, _ []string) error {
	before := ""
	for _, folder := range t.folders() {
		if number(folder) == ep {
			break
		}
		before = folder
	}
	if before == "" {
		return failed(2, "%s is the first episode: there is none before it", ep)
	}
	after := t.folder(ep)
	for _, file := range []string{"transpose.cu", "main.go", "main_test.go"} {
		var texts [2]string
		for i, folder := range []string{before, after} {
			text, err := os.ReadFile(t.path(folder, file))
			if err != nil {
				return err
			}
			texts[i] = string(text)
		}
		fmt.Fprint(t.stdout, diff.Unified(before+"/"+file, after+"/"+file, texts[0], texts[1]))
	}
	return nil
}
