package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A submission is a file to grade.
type submission struct {
	name string // its path below the folder, with slashes
	path string
	text string
}

// largestSource is how long a submission may be.
const largestSource = 1 << 20

// submissions finds the .cu files in a folder and below it, in the order of their names.
// A folder directly in it that has none, and a link, are listed too, so that nobody is
// missing from the grades; not so the folders skip, of what is written.
func submissions(folder string, skip ...string) (list []submission, err error) {
	root, err := filepath.EvalSymlinks(folder)
	if err == nil {
		root, err = filepath.Abs(root)
	}
	if err == nil {
		err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case path == root:
				return nil
			case d.IsDir() && (isHidden(d) || slices.ContainsFunc(skip, func(dir string) bool { return same(path, dir) })):
				return filepath.SkipDir
			case isHidden(d):
				return nil
			case !d.IsDir() && isSource(path),
				filepath.Dir(path) == root && d.IsDir() && !hasSource(path),
				filepath.Dir(path) == root && d.Type() == fs.ModeSymlink:
				name, err := filepath.Rel(root, path)
				list = append(list, submission{name: filepath.ToSlash(name), path: path})
				return err
			}
			return nil
		})
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w\ngive a folder that has the submissions", err)
	case !hasSource(root):
		return nil, fmt.Errorf("no .cu is in %s or below it\ngive a folder that has the submissions", folder)
	}
	return list, nil
}

// isHidden tells what no student meant to hand in: .git, and what macOS puts beside each
// file of a zip, __MACOSX/._transpose.cu.
func isHidden(d fs.DirEntry) bool {
	return strings.HasPrefix(d.Name(), ".") || d.Name() == "__MACOSX"
}

func isSource(path string) bool { return strings.EqualFold(filepath.Ext(path), ".cu") }

// hasSource tells if a .cu is in a folder or below it.
func hasSource(folder string) (has bool) {
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil: // the walk of all says so
			return nil
		case d.IsDir() && path != folder && isHidden(d):
			return filepath.SkipDir
		case !d.IsDir() && isSource(path) && !isHidden(d):
			has = true
			return filepath.SkipAll
		}
		return nil
	})
	return has
}

// same tells if two paths are of the same file or folder.
func same(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// read reads the file. What it says is a reason not to grade it, or "". No link is
// followed, so that nothing outside the folder is taken for a submission.
func (s *submission) read() (reason string) {
	info, err := os.Lstat(s.path)
	switch {
	case err != nil:
		return err.Error()
	case info.IsDir():
		return "no .cu file is in this folder"
	case !info.Mode().IsRegular(): // or a pipe
		return "it is a link, which is not followed: hand in the file"
	case info.Size() > largestSource:
		return fmt.Sprintf("the file has %d bytes: the most that is read is %d", info.Size(), largestSource)
	}
	text, err := os.ReadFile(s.path)
	if err != nil {
		return err.Error()
	}
	s.text = string(text)
	if m := outside.FindStringSubmatch(s.text); m != nil {
		return fmt.Sprintf("it includes %s, which is outside its folder", m[1])
	}
	return ""
}

// outside matches an include of a file that the compiler might quote, and that is none of
// the submission's.
var outside = regexp.MustCompile(`(?m)^[ \t]*(?:#|%:|\?\?=)[ \t]*(?:include|include_next|import|embed)[ \t]*["<]((?:/|[A-Za-z]:|~|[^">\n]*\.\.)[^">\n]*)[">]`)

// localInclude matches an include of a file beside the submission, which its own sum
// does not see change.
var localInclude = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*"`)

// key is the same as long as grading the submission anew would give the same.
func (s *submission) key(of string) string {
	if localInclude.MatchString(s.text) {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(of+"\x00"+s.text)))
}
