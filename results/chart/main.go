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
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"transpose/common/record"
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

// chart returns the picture of the record at path. Its last line says of which
// bytes, so that a chart left behind by a newer record is found without drawing.
func chart(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	rec, err := record.Read(path)
	if err != nil {
		return nil, err
	}
	if rec.Setting("card") == "" {
		return nil, fmt.Errorf("%s: no GPU was timed: nothing to draw", path)
	}
	svg, err := drawing(rec)
	return append(svg, fmt.Sprintf("\n<!-- drawn from a record with SHA-256 %x -->\n", sha256.Sum256(text))...), err
}

func svgPath(bench string) string { return strings.TrimSuffix(bench, ".bench") + ".svg" }
