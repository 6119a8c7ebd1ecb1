// Package page is the page that shows a kernel and its memory: HTML, CSS and script, and
// nothing from elsewhere. Make see serves it; a course can have it in one file.
package page

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

//go:embed files
var files embed.FS

// File returns a file of the page: index.html, style.css, picture.js or page.js.
func File(name string) ([]byte, error) { return files.ReadFile("files/" + name) }

// Data is what the page shows, as its script reads it.
type Data struct {
	Sequence int             `json:"sequence"` // counts the runs that ended
	Working  bool            `json:"working"`  // a run is under way
	N        int             `json:"n"`        // size of the run that is under way, or was last
	Sizes    []int           `json:"sizes"`    // to choose from
	Error    string          `json:"error"`    // what kept the last run from leaving a trace, or ""
	Trace    json.RawMessage `json:"trace"`    // of the last run that left one, or null
}

// Write writes the page with one trace in it to a file, which needs nothing else. It is
// written whole or not at all.
func Write(path string, n int, trace []byte) error {
	html, err := selfContained(Data{Sequence: 1, N: n, Sizes: []int{n}, Trace: trace})
	if err != nil {
		return err
	}
	return replace(path, html)
}

// selfContained is the page with its style, its script and its data inside.
func selfContained(d Data) ([]byte, error) {
	data, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	var safe bytes.Buffer
	json.HTMLEscape(&safe, data) // no </script> of a kernel's source ends the element
	replaced := []string{`<script type="application/json" id="data"></script>`, `<script type="application/json" id="data">` + safe.String() + "</script>"}
	for element, as := range map[string][2]string{
		`<link rel="stylesheet" href="style.css">`: {"style", "style.css"},
		`<script src="picture.js"></script>`:       {"script", "picture.js"},
		`<script src="page.js"></script>`:          {"script", "page.js"},
	} {
		text, err := File(as[1])
		if err != nil {
			return nil, err
		}
		replaced = append(replaced, element, fmt.Sprintf("<%s>\n%s</%[1]s>", as[0], text))
	}
	html, err := File("index.html")
	return []byte(strings.NewReplacer(replaced...).Replace(string(html))), err
}

// replace writes a file whole or not at all.
func replace(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".page*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
