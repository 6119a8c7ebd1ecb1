package main

import (
	"fmt"
	"os"

	"transpose/common/cmd/internal/diff"
)

// changedFiles are those in which an episode says what is new.
var changedFiles = []string{"transpose.cu", "main.go", "main_test.go"}

// diff shows what an episode changes against the one before: what a slide has room
// for, or with -all every line.
func (t *tree) diff(ep string, flags []string) error {
	all := len(flags) == 1 && (flags[0] == "-all" || flags[0] == "--all")
	if len(flags) > 0 && !all {
		return failed(2, "diff-%s takes the flag -all alone", ep)
	}
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
	texts := map[string][2]string{} // of each file, before and after
	for _, file := range changedFiles {
		var pair [2]string
		for i, folder := range []string{before, after} {
			text, err := os.ReadFile(t.path(folder, file))
			if err != nil {
				return err
			}
			pair[i] = string(text)
		}
		texts[file] = pair
	}
	text := slide(ep, after, texts)
	if all {
		text = ""
		for _, file := range changedFiles {
			text += diff.Unified(before+"/"+file, after+"/"+file, texts[file][0], texts[file][1])
		}
	}
	if t.inColour() {
		text = coloured(text)
	}
	_, err := fmt.Fprint(t.stdout, text)
	return err
}
