// Series reads the records that the episodes' programs wrote with -record, and
// prints one table of the whole series. With -record it writes them to one file
// instead, FOLDER/CARD.bench, named after the GPU, and prints its path.
//
//	series record.txt …
//	series -record FOLDER record.txt …
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"transpose/common/record"
)

func main() {
	folder := flag.String("record", "", "write the records to one file in `FOLDER`, named after the card")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: series [-record FOLDER] record.txt …")
		flag.PrintDefaults()
	}
	flag.Parse()
	if err := series(os.Stdout, *folder, flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "series: %v\n", err)
		os.Exit(2)
	}
}

func series(w io.Writer, folder string, paths []string) error {
	if len(paths) == 0 {
		return fmt.Errorf("no record given\ngive it the files that the episodes wrote with -record")
	}
	rec, err := record.Read(paths...)
	if err != nil {
		return err
	}
	if folder == "" {
		rec.WriteSeries(w)
		return nil
	}
	card := rec.Setting("card")
	if card == "" {
		return fmt.Errorf("no GPU was timed in %s: nothing to record", strings.Join(paths, ", "))
	}
	path := filepath.Join(folder, record.FileName(card)+".bench")
	if err := rec.WriteFile(path); err != nil {
		return err
	}
	fmt.Fprintln(w, path)
	return nil
}
