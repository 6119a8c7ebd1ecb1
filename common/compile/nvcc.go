package compile

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// nvccTrouble is an error of nvcc's own, not of the source: it takes only some
// versions of gcc and of the C library.
type nvccTrouble struct{ nvcc, output string }

var nvccSays = regexp.MustCompile(`(?i)error|fatal|unsupported|not found`)

// Error quotes the first line that says what is wrong.
func (t *nvccTrouble) Error() string {
	lines := strings.Split(strings.TrimSpace(t.output), "\n")
	line := lines[0]
	for _, l := range lines {
		if nvccSays.MatchString(l) {
			line = l
			break
		}
	}
	return fmt.Sprintf("%s does not work here (%s)", t.nvcc, strings.TrimSpace(line))
}

// nvcc compiles with nvcc for Turing, the oldest architecture that today's toolkits
// know; where this one does not know it, for its own oldest.
func (c *Compiler) nvcc(nvcc string, src Source) (text string, err error) {
	// It takes flags from the environment too (NVCC documentation, "NVCC Environment
	// Variables").
	key := c.key(src, nvcc, os.Getenv("NVCC_PREPEND_FLAGS")+os.Getenv("NVCC_APPEND_FLAGS"))
	if text, ok := c.cached(key); ok {
		return text, nil
	}
	c.doing(src, "nvcc")
	j, err := newJob(src)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(j.dir)
	output, err := j.run(nvcc, "compute_75")
	if err != nil && strings.Contains(output, "architecture") {
		if oldest := c.oldestArch(nvcc); oldest != "" {
			output, err = j.run(nvcc, oldest)
		}
	}
	version := c.NVCCVersion(nvcc)
	switch {
	case err != nil && place(j.name(), output):
		return "", &Error{src.Name, "nvcc " + version, j.short(output)}
	case err != nil:
		return "", &nvccTrouble{nvcc, output}
	}
	if output != "" {
		c.Warn(j.short(output))
	}
	body, err := os.ReadFile(filepath.Join(j.dir, out))
	if err != nil {
		return "", err
	}
	text = Header(src, fmt.Sprintf("nvcc %s (%s)", version, nvcc)) + strings.ReplaceAll(string(body), j.dir+string(filepath.Separator), "")
	c.keep(key, text)
	return text, nil
}

// place matches an error at a line of the source: that one is the reader's.
func place(name, output string) bool {
	return regexp.MustCompile(`(^|[^\w.])` + regexp.QuoteMeta(name) + `[(:][0-9]`).MatchString(output)
}

// A job is one run of nvcc in a folder of its own, where the source lies under its
// name: so no other path gets into messages and line numbers.
type job struct {
	dir string
	src Source
}

func newJob(src Source) (*job, error) {
	dir, err := os.MkdirTemp("", "compile")
	if err != nil {
		return nil, fmt.Errorf("no folder to compile in: %w", err)
	}
	j := &job{dir, src}
	err = writeFile(filepath.Join(dir, j.name()), src.Text)
	if err == nil && src.Before != nil {
		err = writeFile(filepath.Join(dir, filepath.FromSlash(src.Before.Name)), src.Before.Text)
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return j, nil
}

func (j *job) name() string { return filepath.Base(j.src.Name) }

// out is the name, in the job's folder, of the PTX.
const out = "out.ptx"

func (j *job) run(nvcc, arch string) (output string, err error) {
	args := []string{"-ptx", "-lineinfo", "-arch=" + arch, "-o", out}
	if j.src.Dir != "" {
		args = append(args, "-I", j.src.Dir)
	}
	if j.src.Before != nil {
		args = append(args, "-include", filepath.FromSlash(j.src.Before.Name))
	}
	cmd := exec.Command(nvcc, append(args, j.name())...)
	cmd.Dir = j.dir
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	err = cmd.Run()
	return b.String(), err
}

// maxLines is how many lines of nvcc's output a reader is shown: the first error
// tells, and the others often follow from it.
const maxLines = 20

// short is nvcc's output, its first lines, with the file as its user names it.
func (j *job) short(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	if more := len(lines) - maxLines; more > 0 {
		lines = append(lines[:maxLines], fmt.Sprintf("… and %d lines more", more))
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), j.name()+"(", j.src.Name+"(")
}

var nvccVersion = regexp.MustCompile(`(?m)^Cuda compilation tools.* V([0-9.]+)`)

// NVCCVersion asks an nvcc for its version.
func (c *Compiler) NVCCVersion(nvcc string) string {
	text, _ := c.Machine.Run(nvcc, "--version")
	if v := nvccVersion.FindStringSubmatch(text); v != nil {
		return v[1]
	}
	return "of unknown version"
}

// oldestArch is the oldest architecture that an nvcc knows, such as compute_80.
func (c *Compiler) oldestArch(nvcc string) string {
	text, err := c.Machine.Run(nvcc, "--list-gpu-arch")
	if err != nil {
		return ""
	}
	number := func(arch string) int {
		n, _ := strconv.Atoi(strings.TrimPrefix(arch, "compute_"))
		return n
	}
	archs := strings.Fields(text)
	sort.Slice(archs, func(i, k int) bool { return number(archs[i]) < number(archs[k]) })
	for _, arch := range archs {
		if number(arch) > 0 {
			return arch
		}
	}
	return ""
}
