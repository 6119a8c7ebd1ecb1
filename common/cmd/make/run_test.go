package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A shell is what comes before the Go program: the real Makefile and run.sh, with a
// PATH that has little more than a go that tells how it was called, and that builds
// a program which does the same.
type shell struct {
	t    *testing.T
	top  string // the folder of it all
	tree string
	env  []string
}

const toldGo = `#!/bin/sh
case $1 in
env) printf '%s\n' "${VERSION-go1.22.4}" linux amd64 ;;
build)
	{
		echo '#!/bin/sh'
		echo 'printf "in %s:" "$PWD"; for arg; do printf " <%s>" "$arg"; done; echo'
		echo "echo 'built with GOWORK=${GOWORK#"$PWD/"} CGO_ENABLED=$CGO_ENABLED GOOS=$GOOS GOARCH=$GOARCH GO111MODULE=$GO111MODULE GOFLAGS=$GOFLAGS GOPATH=${GOPATH-}'"
	} >"$3"
	/bin/chmod ${MODE-755} "$3" ;;
esac
`

func newShell(t *testing.T) *shell {
	t.Helper()
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("no make here")
	}
	// make test sets it, so that a kept result is not one of another Makefile. It
	// counts only when asked for in a test, not in TestMain.
	_ = os.Getenv("TREE_SHA256")
	top := t.TempDir()
	s := &shell{t: t, top: top, tree: filepath.Join(top, "a reader's  tree")}
	for _, name := range []string{"sh", "mkdir", "sed"} {
		if err := os.MkdirAll(filepath.Join(top, "commands"), 0o755); err != nil {
			t.Fatal(err)
		}
		path, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(path, filepath.Join(top, "commands", name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s.write("commands/go", toldGo)
	for _, name := range []string{"Makefile", "common/cmd/make/run.sh"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		s.write(filepath.Join(filepath.Base(s.tree), name), string(text))
	}
	return s
}

// write writes a file, which may be started, below the folder of it all.
func (s *shell) write(name, text string) {
	s.t.Helper()
	writeFile(s.t, filepath.Join(s.top, name), text, 0o755)
}

// run runs a command in a folder. TOP in an argument stands for the folder of it
// all, and so it does in what is returned.
func (s *shell) run(dir, name string, args ...string) (output string, status int) {
	s.t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		s.t.Skip(err)
	}
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "TOP", s.top)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + filepath.Join(s.top, "commands"), "PWD=" + dir, "HOME=" + s.top}, s.env...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		s.t.Fatal(err)
	}
	return strings.ReplaceAll(string(out), s.top, "TOP"), cmd.ProcessState.ExitCode()
}

const inTree = "in TOP/a reader's  tree:"

// Whatever a target is called, the Go command has it, with its flags, in the tree.
func TestTargets(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"make", "bmake"} { // BSD make, as Debian calls it
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			s := newShell(t)
			s.write("a reader's  tree/test", "a file of a target's name")
			s.write("other.mk", "x = 1\n")
			elsewhere := t.TempDir()
			tests := []struct {
				name, dir string
				env       string
				args      []string
				want      string
			}{
				{"none", s.tree, "", nil, " <help>\n"},
				{"help", s.tree, "", []string{"help"}, " <help>\n"},
				{"an episode", s.tree, "", []string{"ep02"}, " <ep02>\n"},
				{"no target", s.tree, "", []string{"nonsense"}, " <nonsense>\n"},
				{"the name of a file", s.tree, "", []string{"test"}, " <test>\n"},
				{"flags", s.tree, "", []string{"ep02", "ARGS=-n 1000"}, " <ep02> <-n> <1000>\n"},
				{"flags in the environment", s.tree, "ARGS=-n 1000", []string{"ep02"}, " <ep02> <-n> <1000>\n"},
				{"quotes in flags", s.tree, "", []string{"ep02", `ARGS=-ptx "my file.ptx"`}, " <ep02> <-ptx> <my file.ptx>\n"},
				{"another folder, -C", elsewhere, "", []string{"-C", s.tree, "ep02"}, " <ep02>\n"},
				{"another folder, -f", elsewhere, "", []string{"-f", s.tree + "/Makefile", "ep02"}, " <ep02>\n"},
				{"a folder above, -f", s.top, "", []string{"-f", "a reader's  tree/Makefile", "ep02"}, " <ep02>\n"},
				{"a second -f", s.tree, "", []string{"-f", "Makefile", "-f", "TOP/other.mk", "ep02"}, " <ep02>\n"},
				{"a first -f", elsewhere, "", []string{"-f", "TOP/other.mk", "-f", s.tree + "/Makefile", "ep02"}, " <ep02>\n"},
				{"MAKEFILES", s.tree, "MAKEFILES=" + s.top + "/other.mk", []string{"ep02"}, " <ep02>\n"},
				{"CDPATH", s.tree, "CDPATH=" + s.top + ":" + elsewhere, []string{"clean"}, " <clean>\n"},
			}
			for _, tt := range tests {
				s.env = []string{tt.env}
				output, status := s.run(tt.dir, program, tt.args...)
				if status != 0 {
					t.Errorf("%s: exit status %d", tt.name, status)
				}
				want(t, output, inTree+tt.want)
			}
			s.env = nil
			output, status := s.run(s.tree, program, "-j4", "ep01", "ep02")
			if status != 0 {
				t.Errorf("exit status %d", status)
			}
			want(t, output, inTree+" <ep01>\n", inTree+" <ep02>\n")
		})
	}
}

// With -j, two episodes still run one after the other: they would spoil each
// other's times.
func TestParallel(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip(err)
	}
	s.write("commands/go", strings.Replace(toldGo, `echo "echo 'built`, `echo "`+sleep+` 0.1; echo end of \$1"
		echo "echo 'built`, 1))
	output, _ := s.run(s.tree, "make", "-j4", "ep01", "ep02", "ep03")
	want(t, output, "<ep01>", "end of ep01", "<ep02>", "end of ep02", "<ep03>", "end of ep03")
}

// What the shell has set for go, in whichever variable, does not reach the build.
func TestCleanBuild(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	s.env = []string{"GOFLAGS=-race -json -mod=mod", "GOWORK=off", "CGO_ENABLED=1", "GOOS=windows", "GOARCH=arm64", "GO111MODULE=off", "GOPATH=go"}
	output, _ := s.run(s.tree, "make", "ep02")
	want(t, output, "built with GOWORK=go.work CGO_ENABLED=0 GOOS=linux GOARCH=amd64 GO111MODULE=on GOFLAGS=-buildvcs=false GOPATH=\n")
	s.env = []string{"GOPATH=/home/reader/go"}
	output, _ = s.run(s.tree, "make", "ep02")
	want(t, output, "GOPATH=/home/reader/go\n")
}

// Each way in which go can fail to be there is told as what it is.
func TestNoGo(t *testing.T) {
	t.Parallel()
	const tooOld = "Go is too old here: "
	tests := []struct {
		name, env, script string
		want              string // "" where go is good enough
	}{
		{"none", "", "", "no go command here\ninstall Go 1.22.4 or newer, https://go.dev/dl, and put its bin folder on PATH\n"},
		{"sudo's PATH", "SUDO_USER=reader", "", `sudo has a PATH of its own; to keep yours: sudo env "PATH=$PATH" make TARGET` + "\n"},
		{"GOROOT is gone", "", "#!/bin/sh\necho 'go: cannot find GOROOT directory: /none' >&2\nexit 2\n",
			"TOP/commands/go does not start; it says:\ngo: cannot find GOROOT directory: /none\nmend that first"},
		{"a version manager", "", "#!/bin/sh\necho 'No version is set for command go'\nexit 126\n", "it says:\nNo version is set for command go\nmend that first"},
		{"no memory", "", "#!/bin/sh\nfor i in 'fatal error: failed to reserve page summary memory' '' 'runtime stack:' 'runtime.throw'; do echo \"$i\"; done\nexit 2\n",
			"it says:\nfatal error: failed to reserve page summary memory\n\nruntime stack:\nmend that first"},
		{"another program", "", "#!/none/sh\n", "commands/go does not start; it says:\n"},
		{"cannot be fetched", "", "#!/bin/sh\necho 'go: downloading go1.22.4'; echo 'go: download go1.22.4: no such host'; exit 1\n", "go: download go1.22.4: no such host\n"},
		{"1.9", "VERSION=", toldGo, tooOld + "before go1.17\ninstall Go 1.22.4 or newer"},
		{"1.17", "VERSION=go1.17.13", toldGo, tooOld + "go1.17.13\n"},
		{"1.20", "VERSION=go1.20.14", toldGo, tooOld + "go1.20.14\ninstall Go 1.22.4 or newer, https://go.dev/dl\n"},
		{"1.21 that may not fetch another", "VERSION=go1.21.0", toldGo, tooOld + "go1.21.0, and GOTOOLCHAIN keeps it from fetching a newer one\ninstall Go 1.22.4 or newer"},
		{"1.22", "VERSION=go1.22", toldGo, tooOld + "go1.22,"},
		{"1.22.2", "VERSION=go1.22.2", toldGo, tooOld + "go1.22.2, and GOTOOLCHAIN"},
		{"1.22rc2", "VERSION=go1.22rc2", toldGo, tooOld + "go1.22rc2, and GOTOOLCHAIN"},
		{"1.22.3", "VERSION=go1.22.3", toldGo, tooOld + "go1.22.3, and GOTOOLCHAIN"},
		{"1.22.4", "VERSION=go1.22.4", toldGo, ""},
		{"1.22.10", "VERSION=go1.22.10", toldGo, ""},
		{"1.30", "VERSION=go1.30", toldGo, ""},
		{"development", "VERSION=devel go1.27-abcdef", toldGo, ""},
		{"fetched first", "", strings.Replace(toldGo, "env)", "env) echo 'go: downloading go1.22.4 (linux/amd64)' >&2;", 1), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newShell(t)
			if s.write("commands/go", tt.script); tt.script == "" {
				if err := os.Remove(filepath.Join(s.top, "commands/go")); err != nil {
					t.Fatal(err)
				}
			}
			s.env = []string{tt.env}
			for _, target := range []string{"ep01", "test", "doctor"} {
				output, status := s.run(s.tree, "make", target)
				if tt.want == "" {
					want(t, output, inTree+" <"+target+">\n")
					continue
				}
				want(t, output, strings.ReplaceAll(tt.want, "TARGET", target))
				wantNot(t, output, inTree)
				if status != 2 {
					t.Errorf("exit status %d, want 2; output\n%s", status, output)
				}
				if promises := strings.Contains(output, "make epNN will not run here\n"); promises != (target == "doctor") {
					t.Errorf("make %s says that make epNN will not run: %v; output\n%s", target, promises, output)
				}
				if !strings.Contains(tt.want, tooOld) {
					wantNot(t, output, tooOld)
				}
			}
		})
	}
}

// A folder to build in that cannot be written to, or that nothing may be started
// from: make says so, and can build elsewhere.
func TestBuildElsewhere(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	s.write("a reader's  tree/build", "a file where the folder should be, as root may write anywhere")
	output, status := s.run(s.tree, "make", "ep01")
	want(t, output, "cannot write to the folder build\ngive make another one: BUILD=/some/folder\n")
	if status != 2 {
		t.Errorf("exit status %d, want 2", status)
	}
	output, _ = s.run(s.tree, "make", "ep01", "BUILD=TOP/of my own")
	want(t, output, inTree+" <ep01>\n")
	s.env = []string{"BUILD=" + s.top + "/another"}
	output, _ = s.run(s.tree, "make", "ep01")
	want(t, output, inTree+" <ep01>\n")
	for _, name := range []string{"of my own", "another"} {
		if _, err := os.Stat(filepath.Join(s.top, name, "make")); err != nil {
			t.Error(err)
		}
	}
	s.env = append(s.env, "MODE=644") // as if it were mounted noexec
	output, status = s.run(s.tree, "make", "ep01")
	want(t, output, "TOP/another/make may not be started: its folder may be mounted noexec\ngive make another one: BUILD=/some/folder\n")
	if status != 2 {
		t.Errorf("exit status %d, want 2", status)
	}
}

// CDPATH leads cd to a folder of another tree, by a path that does not begin with a
// dot; make's does.
func TestCDPATH(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	s.write("other/common/cmd/make/run.sh", "")
	s.env = []string{"CDPATH=" + s.top + "/other"}
	output, _ := s.run(s.tree, "sh", "common/cmd/make/run.sh", "clean")
	if want := inTree + " <clean>\n"; !strings.HasPrefix(output, want) {
		t.Errorf("output\n%s\nwant it to begin with %s", output, want)
	}
}

// The exit status is that of the Go command, where nothing of make's stands between.
func TestStatus(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	s.write("commands/go", strings.Replace(toldGo, `echo "echo 'built`, `echo "exit 3"; echo "echo 'built`, 1))
	if output, status := s.run(s.top, "sh", s.tree+"/common/cmd/make/run.sh", "ep01"); status != 3 {
		t.Errorf("exit status %d, want 3; output\n%s", status, output)
	}
	s.write("commands/go", strings.Replace(toldGo, "build)", "build) echo 'main.go:1:1: syntax error' >&2; exit 1;", 1))
	output, status := s.run(s.tree, "sh", "common/cmd/make/run.sh", "ep01")
	if want(t, output, "syntax error"); status != 2 {
		t.Errorf("exit status %d, want 2; output\n%s", status, output)
	}
}
