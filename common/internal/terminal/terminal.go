// Package terminal says whether a person looks on.
package terminal

import (
	"io"
	"os"
)

// Is reports whether what is written to w appears on a terminal. It takes every other
// device of characters for one, such as /dev/null, where nothing is lost.
func Is(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
