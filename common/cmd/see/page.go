package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// page is the page as it is served: HTML, CSS and script, and nothing from elsewhere.
//
//go:embed page
var page embed.FS

// writePage runs the program once and writes the page with what it found to one file.
// The verdict does not matter: it stands in the page.
func writePage(ctx context.Context, p *program, n int, path string) error {
	text, err := p.trace(ctx, n)
	now := status{Sequence: 1, N: n, Sizes: []int{n}}
	if err != nil {
		return err
	}
	now.Trace = text
	html, err := selfContained(now)
	if err != nil {
		return err
	}
	return replace(path, html)
}

// selfContained is the page with its style, its script and its data inside.
func selfContained(now status) ([]byte, error) {
	file := func(name string) string {
		text, err := page.ReadFile("page/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		return string(text)
	}
	data, err := json.Marshal(now)
	if err != nil {
		return nil, err
	}
	var safe bytes.Buffer
	json.HTMLEscape(&safe, data) // no </script> of a kernel's source ends the element
	html := strings.NewReplacer(
		`<link rel="stylesheet" href="style.css">`, "<style>\n"+file("style.css")+"</style>",
		`<script src="picture.js"></script>`, "<script>\n"+file("picture.js")+"</script>",
		`<script src="page.js"></script>`, "<script>\n"+file("page.js")+"</script>",
		`<script type="application/json" id="data"></script>`, `<script type="application/json" id="data">`+safe.String()+"</script>",
	).Replace(file("index.html"))
	return []byte(html), nil
}

// replace writes a file whole or not at all.
func replace(path string, text []byte) error {
	help := func(err error) error {
		return fmt.Errorf("%w\ngive -o a file in a folder that exists and can be written", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".see*")
	if err != nil {
		return help(err)
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
		return help(err)
	}
	return nil
}
