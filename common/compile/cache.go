package compile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// localInclude matches an #include of a file beside the source, which the key of
// the cache does not see change.
var localInclude = regexp.MustCompile(`(?m)^\s*#\s*include\s*"`)

// key names what a compiler makes of a source: it changes with the source, the
// compiler's file and the headers. It is "" where nothing may be kept.
func (c *Compiler) key(src Source, compiler, headers string) string {
	if c.Cache == "" || localInclude.MatchString(src.Text) && src.Dir != "" {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %s", filepath.Base(src.Name), src.Text, headers, fileIdentity(compiler))
	if src.Before != nil {
		fmt.Fprintf(h, "%q %q", src.Before.Name, src.Before.Text)
	}
	return filepath.Join(c.Cache, hex.EncodeToString(h.Sum(nil))[:32]+".ptx")
}

// fileIdentity changes when another version of a program is installed.
func fileIdentity(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	if err != nil {
		return path
	}
	return fmt.Sprintf("%q %d %d", path, info.Size(), info.ModTime().UnixNano())
}

// headersSum is a hash of the embedded headers and of how clang is called.
func headersSum() string {
	h := sha256.New()
	_ = fs.WalkDir(headers, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, _ := headers.ReadFile(path) // embedded: always there
			fmt.Fprintf(h, "%q %q", path, text)
		}
		return err
	})
	fmt.Fprintf(h, "%q", (&compilation{}).args())
	return hex.EncodeToString(h.Sum(nil))
}

func (c *Compiler) cached(key string) (text string, ok bool) {
	if key == "" {
		return "", false
	}
	b, err := os.ReadFile(key)
	return string(b), err == nil
}

// maxAge is how long what was compiled is kept.
const maxAge = 30 * 24 * time.Hour

// keep puts what was compiled in the cache, in one step. A cache that cannot be
// written is no cache.
func (c *Compiler) keep(key, text string) {
	if key == "" || os.MkdirAll(c.Cache, 0o755) != nil {
		return
	}
	if old, err := filepath.Glob(filepath.Join(c.Cache, "*.ptx")); err == nil {
		for _, path := range old {
			if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > maxAge {
				os.Remove(path)
			}
		}
	}
	f, err := os.CreateTemp(c.Cache, "new-*")
	if err != nil {
		return
	}
	_, err = f.WriteString(text)
	if closing := f.Close(); err != nil || closing != nil || os.Rename(f.Name(), key) != nil {
		os.Remove(f.Name())
	}
}
