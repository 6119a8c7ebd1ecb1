//go:build !cuda

package faults

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unsafe"

	"github.com/mumax/3/cuda/cu"

	"transpose/common"
	"transpose/common/compile"
	"transpose/common/internal/columns"
)

var nvccForSubmissions = flag.String("nvcc", "", "make the PTX of testdata/submissions anew, with clang 19 and this `nvcc`")

const submissionsFolder = "../testdata/submissions"

// A submission is a kernel that somebody hands in for episode 03, and the verdict
// that it must get.
type submission struct {
	name, verdict string
	message       *regexp.Regexp
}

// submissions reads the verdicts that are expected.
func submissions(t *testing.T) (list []submission) {
	t.Helper()
	text, err := os.ReadFile(submissionsFolder + "/expected.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			t.Fatalf("expected.tsv: %q has %d fields, want 3", line, len(fields))
		}
		list = append(list, submission{fields[0], fields[1], regexp.MustCompile(fields[2])})
	}
	return list
}

// TestSubmissions holds that each kernel gets its verdict and a message that names
// what is wrong, whichever compiler made its PTX.
func TestSubmissions(t *testing.T) {
	list := submissions(t)
	if *nvccForSubmissions != "" {
		compileSubmissions(t, *nvccForSubmissions, list)
	}
	for _, compiler := range []string{"clang", "nvcc"} {
		for _, s := range list {
			if testing.Short() && (s.verdict == "too long" || compiler == "nvcc") {
				continue // the one takes as long as all the others, the other as long as clang's
			}
			t.Run(compiler+"/"+s.name, func(t *testing.T) {
				verdict, output := s.judge(t, compiler)
				if verdict != s.verdict {
					t.Errorf("%s, want %s", verdict, s.verdict)
				}
				if !s.matches(output) {
					t.Errorf("the output lacks %q", s.message)
				}
				if t.Failed() {
					t.Logf("output:\n%s", output)
				}
			})
		}
	}
}

// matches reports whether output has the message that is expected, other than in the
// name of the file.
func (s submission) matches(output string) bool {
	output = columns.Unfold(0, columns.Unfold(2, output))
	return s.message.MatchString(strings.ReplaceAll(output, s.name, "submission"))
}

// judge runs a submission at the sizes of a grader, from the smallest on, until it
// is not exact. It returns the verdict and all that was printed. A short test leaves
// out the size that takes most of the time, where it has nothing to add.
func (s submission) judge(t *testing.T, compiler string) (verdict, output string) {
	t.Helper()
	path := filepath.Join(submissionsFolder, compiler, s.name)
	if message, err := os.ReadFile(path + ".error"); err == nil {
		return "format", string(message)
	}
	source, err := os.ReadFile(filepath.Join(submissionsFolder, s.name+".cu"))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, n := range []string{"33", "1001", "4096"} {
		if n == "4096" && testing.Short() && s.verdict == "exact" && s.matches(text.String()) {
			break
		}
		status := program(string(source), "", launchShared).Run([]string{"-n", n, "-ptx", path + ".ptx"}, &text, &text)
		switch status {
		case 1:
			return "wrong", text.String()
		case 3:
			return "too long", text.String()
		case 2:
			if strings.Contains(columns.Unfold(0, text.String()), "has no kernel named") {
				return "format", text.String()
			}
			return "none", text.String()
		}
	}
	return "exact", text.String()
}

// launchShared launches the new kernel of episode 03 as its main.go does.
func launchShared(ep *common.Episode) {
	module := cu.ModuleLoadData(ep.PTX)
	grid, block := tiles(ep.N)
	function := module.GetFunction("transpose_shared")
	out, in, n := uint64(ep.Out), uint64(ep.In), uint64(ep.N)
	args := []unsafe.Pointer{unsafe.Pointer(&out), unsafe.Pointer(&in), unsafe.Pointer(&n)}
	ep.Measure(common.Kernel{Name: "transpose_shared", Leaves: common.Transposed, Grid: grid}, func() {
		cu.LaunchKernel(function, grid.X, grid.Y, grid.Z, block.X, block.Y, block.Z, 0, 0, args)
	})
}

// fileFolder matches the folder in what PTX says of a source file.
var fileFolder = regexp.MustCompile(`(?m)^(\s*\.file\s+\d+ ")[^"]*/`)

// compileSubmissions makes the PTX of each submission, or keeps the message of the
// compiler.
func compileSubmissions(t *testing.T, nvcc string, list []submission) {
	t.Helper()
	for _, s := range list {
		cu := s.name + ".cu"
		for compiler, run := range map[string]func(out string) error{
			"clang": func(out string) error {
				src, err := compile.Read(filepath.Join(submissionsFolder, cu))
				if err != nil {
					return err
				}
				text, _, err := compile.PTX("clang-19", src)
				if err != nil {
					return err
				}
				return os.WriteFile(out, text, 0o644)
			},
			"nvcc": func(out string) error {
				if message, err := exec.Command(nvcc, "-ptx", "-lineinfo", "-arch=compute_75", filepath.Join(submissionsFolder, cu), "-o", out).CombinedOutput(); err != nil {
					return errors.New(string(message))
				}
				return nil
			},
		} {
			path := filepath.Join(submissionsFolder, compiler, s.name)
			os.Remove(path + ".ptx")
			os.Remove(path + ".error")
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := run(path + ".ptx"); err != nil {
				t.Logf("%s does not compile %s", compiler, cu)
				if err := os.WriteFile(path+".error", []byte(strings.TrimSuffix(err.Error(), "\n")+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			text, err := os.ReadFile(path + ".ptx")
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path+".ptx", fileFolder.ReplaceAll(text, []byte("$1")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
