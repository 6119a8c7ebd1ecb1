package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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
// It follows no links, so that nothing outside the folder is taken for a submission.
func submissions(folder string) (list []submission, err error) {
	root, err := filepath.EvalSymlinks(folder)
	if err == nil {
		root, err = filepath.Abs(root)
	}
	if err == nil {
		err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && path != root && strings.HasPrefix(d.Name(), "."):
				return filepath.SkipDir
			case !d.Type().IsRegular() || !strings.EqualFold(filepath.Ext(path), ".cu"):
				return nil
			}
			name, err := filepath.Rel(root, path)
			if err == nil {
				list = append(list, submission{name: filepath.ToSlash(name), path: path})
			}
			return err
		})
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w\ngive a folder that has the submissions", err)
	case len(list) == 0:
		return nil, fmt.Errorf("no .cu is in %s or below it\ngive a folder that has the submissions", folder)
	}
	return list, nil
}

// read reads the file. What it says is a reason not to grade it, or "".
func (s *submission) read() (reason string) {
	info, err := os.Stat(s.path)
	if err == nil && info.Size() > largestSource {
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
