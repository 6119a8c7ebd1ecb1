package compile

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed include
var headers embed.FS

// PTX compiles a source with the given clang, 14 or newer. The same clang makes the
// same bytes on every machine. Warnings are the compiler's, or empty; an error in
// the source is an *Error.
func PTX(clang string, src Source) (ptx []byte, warnings string, err error) {
	work, err := os.MkdirTemp("", "compile")
	if err != nil {
		return nil, "", fmt.Errorf("no folder to compile in: %w", err)
	}
	defer os.RemoveAll(work)
	c := &compilation{clang: clang, work: work, file: src.Name, edited: map[string]string{}}
	if err := c.place(src); err != nil {
		return nil, "", err
	}
	if err := c.writeHeaders(); err != nil {
		return nil, "", err
	}
	if err := c.compile(); err != nil {
		return nil, "", err
	}
	ptx, err = os.ReadFile(c.out())
	return raise(fileName.ReplaceAll(ptx, []byte("$1./$2"))), c.warnings, err
}

// fileName matches the name that some versions of clang give a file below the folder of
// the compilation, without that: all are to make the same.
var fileName = regexp.MustCompile(`(?m)^(\s*\.file\s+\d+ ")([^"./][^"]*")`)

// A compilation is one source on its way to PTX, in one or more runs of clang.
type compilation struct {
	clang    string
	work     string            // a folder of its own
	file     string            // the source as its user names it
	abs      string            // and as clang does
	edited   map[string]string // sources as clang sees them, where something was taken out
	before   string            // a file that is compiled ahead of the source, or ""
	missing  []string          // lines about the headers that were taken out
	flags    []string          // those that the source turned out to need
	warnings string
}

func (c *compilation) include() string { return filepath.Join(c.work, "include") }
func (c *compilation) out() string     { return filepath.Join(c.work, "out.ptx") }
func (c *compilation) overlay() string { return filepath.Join(c.work, "overlay.json") }

// place makes the source a file that clang can read: in its own folder, so that it
// finds what lies beside it, or in the work folder.
func (c *compilation) place(src Source) error {
	if c.abs = filepath.Join(src.Dir, filepath.Base(src.Name)); src.Dir == "" {
		c.abs = filepath.Join(c.work, "source", c.abs)
		if err := writeFile(c.abs, src.Text); err != nil {
			return err
		}
	} else if text, err := os.ReadFile(c.abs); err != nil || string(text) != src.Text {
		c.edited[c.abs] = src.Text
	}
	if src.Before == nil {
		return nil
	}
	c.before = filepath.Join(c.folderBefore(), filepath.FromSlash(src.Before.Name))
	return writeFile(c.before, src.Before.Text)
}

func (c *compilation) folderBefore() string { return filepath.Join(c.work, "before") }

// writeFile writes a file and the folders above it.
func writeFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

// writeHeaders puts the embedded headers where clang can read them.
func (c *compilation) writeHeaders() error {
	return fs.WalkDir(headers, "include", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return nil
		}
		text, err := headers.ReadFile(path)
		if err != nil {
			return err
		}
		return writeFile(filepath.Join(c.work, filepath.FromSlash(path)), string(text))
	})
}

// args are clang's. The target is named and no toolkit is looked for, nor any
// header of the machine but clang's own; no path but the file's own name gets
// into the PTX. sm_50 and .version 4.2 load on any driver; raise says more. A loop
// that never ends stays, as with nvcc, and narrowing in braces is no error.
func (c *compilation) args() []string {
	folder := filepath.Dir(c.abs) + string(filepath.Separator)
	args := []string{
		"-x", "cuda", "--target=x86_64-unknown-linux-gnu", "--cuda-device-only", "--cuda-gpu-arch=sm_50",
		"--cuda-path=none", "-nocudainc", "-nocudalib", "-nostdlibinc", "-isystem", c.include(), "-include", "prelude.h",
		"-std=c++17", "-O3", "-S", "-fno-finite-loops", "-Wno-c++11-narrowing", "-Wno-unknown-warning-option",
		"-Wno-nontrivial-memcall", "-gline-directives-only", "-fdebug-compilation-dir=.",
		"-ffile-prefix-map=" + folder + "=", "-ffile-prefix-map=" + c.include() + string(filepath.Separator) + "=",
		"-fno-color-diagnostics", "-fshow-overloads=best", "-ferror-limit=0", c.abs, "-o", c.out(),
	}
	if len(c.edited) > 0 {
		args = append(args, "-ivfsoverlay", c.overlay())
	}
	if c.before != "" {
		args = append(args, "-include", c.before, "-ffile-prefix-map="+c.folderBefore()+string(filepath.Separator)+"=")
	}
	return append(args, c.flags...)
}

// compile runs clang until it takes the source, or until nothing is left that
// could be taken out of it.
func (c *compilation) compile() error {
	if err := c.dropUnknownHeaders(c.abs); err != nil {
		return err
	}
	// A round takes out all that it finds; the next is for what needed that.
	const rounds = 20
	for round := 0; ; round++ {
		output, err := c.run()
		if err == nil {
			c.warnings = c.shown(parse(output), "warning")
			return nil
		}
		if !errors.As(err, new(*exec.ExitError)) {
			return fmt.Errorf("%s does not run: %w", c.clang, err)
		}
		diagnostics := parse(output)
		if round < rounds && (c.mend(diagnostics) || c.needs(output)) {
			continue
		}
		text := c.shown(diagnostics, "error")
		if text == "" {
			text = c.short(strings.TrimSpace(output))
		}
		return &Error{c.file, "clang", strings.TrimSpace(text + strings.Join(c.missing, ""))}
	}
}

// run runs clang once.
func (c *compilation) run() (output string, err error) {
	if len(c.edited) > 0 {
		if err := c.writeOverlay(); err != nil {
			return "", err
		}
	}
	bytes, err := exec.Command(c.clang, c.args()...).CombinedOutput()
	return string(bytes), err
}

// writeOverlay tells clang to read the edited texts in the places of the files,
// so that every line keeps its number and every message its file.
func (c *compilation) writeOverlay() error {
	type root struct {
		Type     string `json:"type"`
		Name     string `json:"name"`
		Contents string `json:"external-contents"`
	}
	var roots []root
	for name, text := range c.edited {
		contents := filepath.Join(c.work, fmt.Sprintf("edited%d", len(roots)))
		if err := os.WriteFile(contents, []byte(text), 0o666); err != nil {
			return err
		}
		roots = append(roots, root{"file", name, contents})
	}
	overlay, err := json.Marshal(map[string]any{"version": 0, "use-external-names": false, "roots": roots})
	if err != nil {
		return err
	}
	return os.WriteFile(c.overlay(), overlay, 0o666)
}

// extras are flags that a source turns out to need by what clang says without them.
var extras = []struct {
	says  *regexp.Regexp
	flags []string
}{
	// __syncwarp and the shuffles are clang's own builtins, which know their PTX version.
	{regexp.MustCompile(`needs target feature .*ptx60`), []string{"-Xclang", "-target-feature", "-Xclang", "+ptx60"}},
	// A union with a float4 in it, copied; see prelude_types.h.
	{regexp.MustCompile(`implicitly[- ]deleted`), []string{"-DPRELUDE_PLAIN_VECTORS"}},
}

// needs adds the flags of extras that the output asks for, and reports whether it
// asked for any.
func (c *compilation) needs(output string) bool {
	added := false
	have := strings.Join(c.flags, " ")
	for _, e := range extras {
		if e.says.MatchString(output) && !strings.Contains(have, e.flags[len(e.flags)-1]) {
			c.flags = append(c.flags, e.flags...)
			added = true
		}
	}
	return added
}

// text is a source as clang sees it.
func (c *compilation) text(file string) (string, error) {
	if text, ok := c.edited[file]; ok {
		return text, nil
	}
	bytes, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("no kernel to compile: %w", err)
	}
	return string(bytes), nil
}
