// Chart draws what each kernel of the series runs at on a card: a bar for the
// median bandwidth, a mark from the slowest to the fastest launch, and lines for
// the driver's own copy and the card's theoretical peak.
//
//	chart FOLDER
//
// It reads every FOLDER/CARD.bench and writes FOLDER/CARD.svg. It is a module of
// its own, so that nothing else of the series needs its dependencies.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: chart FOLDER")
		os.Exit(2)
	}
	if err := charts(os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "chart: %v\n", err)
		os.Exit(1)
	}
}

func charts(folder string) error {
	paths, err := filepath.Glob(filepath.Join(folder, "*.bench"))
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return fmt.Errorf("no record in %s", folder)
	}
	for _, path := range paths {
		svg, err := chart(path)
		if err != nil {
			return err
		}
		out := svgPath(path)
		if err := os.WriteFile(out, svg, 0o644); err != nil {
			return err
		}
		fmt.Printf("written: %s\n", out)
	}
	return nil
}

// chart returns the picture of the record at path.
func chart(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := readRecord(f, path)
	if err != nil {
		return nil, err
	}
	return r.draw()
}

func svgPath(bench string) string { return strings.TrimSuffix(bench, ".bench") + ".svg" }
