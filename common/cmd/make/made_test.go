package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"transpose/common/machine"
)

// A made is a tree on a made-up machine: its / is a folder, its PATH has the
// programs that a test puts there, and its go builds programs which print how they
// were built and called.
type made struct {
	*tree
	t    *testing.T
	top  string // the folder of it all
	bin  string // the only folder on PATH
	sys  string // stands for /
	said bytes.Buffer
}

// fakeGo builds programs that write $RECORD where -record says, and exit with what $TIMED_epNN or $COUNTED_epNN says, or
// for another program $STATUS_NAME. $UNBUILT is a package that it does not build.
const fakeGo = `#!/bin/sh
built="GOWORK=${GOWORK#"$PWD/"} CGO_ENABLED=$CGO_ENABLED GOOS=$GOOS GOARCH=$GOARCH GO111MODULE=$GO111MODULE GOFLAGS=$GOFLAGS"
case $1 in
env) echo gcc ;;
list) printf '%s\n' transpose/common transpose/ep01-correct ;;
test) echo "$* | $built"; exit ${STATUS_test-0} ;;
build)
	if [ "$4" = "${UNBUILT-}" ]; then echo "$4: main.go:1:1: syntax error" >&2; exit 1; fi
	name=${3##*/} status=STATUS
	case $name-$CGO_ENABLED in ep[0-9][0-9]-0) status=COUNTED ;; ep[0-9][0-9]-1) status=TIMED ;; esac
	{
		echo '#!/bin/sh'
		[ $name != series ] || echo 'if [ "$1" = -record ]; then printf "card: X\nUnit GB/s\n" >"$2/x.bench"; echo "$2/x.bench"; exit; fi'
		echo 'printf "%s" "$0"; for arg; do printf " <%s>" "$arg"; done; echo'
		echo "echo 'built with $built'"
		echo 'for arg; do [ "$last" != -record ] || record=$arg; last=$arg; done'
		echo '[ -z "$record" ] || [ -z "$RECORD" ] || printf "%s" "$RECORD" >"$record"'
		echo "exit \${${status}_$name-0}"
	} >"$3"
	/bin/chmod ${MODE-755} "$3" ;;
esac
`

// kernel stands for a transpose.cu.
const kernel = "kernel\n"

// hashLine is what a PTX made from a transpose.cu begins with.
func hashLine(cu string) string {
	return fmt.Sprintf("// transpose.cu SHA-256: %x\n", sha256.Sum256([]byte(cu)))
}

func newMade(t *testing.T) *made {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a made-up machine has the paths and scripts of Unix")
	}
	top := t.TempDir()
	m := &made{t: t, top: top, bin: filepath.Join(top, "commands"), sys: filepath.Join(top, "system")}
	root := filepath.Join(top, "a reader's [tree]")
	m.tree = &tree{root: root, dir: root, build: buildFolder(root, ""), stdin: &bytes.Buffer{}}
	m.tree.machine = &machine.Machine{OS: "linux", Root: m.sys, LookupEnv: m.lookupEnv, Run: m.runTool}
	m.set("PATH="+m.bin, "HOME="+m.sys, "TMPDIR="+top)
	m.tool("go", fakeGo)
	for _, folder := range []string{"ep01-correct", "ep02-coalescing", "ep03-shared"} {
		m.write(folder+"/transpose.cu", kernel)
		m.write(folder+"/transpose.ptx", hashLine(kernel)+"// Compiler: clang 19\n")
	}
	return m
}

// set sets variables; one set twice has the later value.
func (m *made) set(settings ...string) { m.environ = append(m.environ, settings...) }

func (m *made) lookupEnv(name string) (value string, set bool) {
	for _, setting := range m.environ {
		if n, v, _ := strings.Cut(setting, "="); n == name {
			value, set = v, true
		}
	}
	return value, set
}

func (m *made) runTool(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = m.environ
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (m *made) write(name, text string) { m.file(m.path(name), text, 0o644) }

// tool puts a command on PATH, system an empty file under the machine's /.
func (m *made) tool(name, script string) { m.file(filepath.Join(m.bin, name), script, 0o755) }
func (m *made) system(name string)       { m.file(filepath.Join(m.sys, name), "", 0o644) }

func (m *made) file(path, text string, mode os.FileMode) {
	m.t.Helper()
	writeFile(m.t, path, text, mode)
}

// writeFile writes a file, and the folders above it. No test beside this one starts a
// program while it is open: that program would have it open too for a moment, and
// what another has open for writing cannot be started.
func writeFile(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// remove takes a command off PATH, unlink a file of the system.
func (m *made) remove(tool string) { m.delete(filepath.Join(m.bin, tool)) }
func (m *made) unlink(name string) { m.delete(filepath.Join(m.sys, name)) }

func (m *made) delete(path string) {
	m.t.Helper()
	if err := os.Remove(path); err != nil {
		m.t.Fatal(err)
	}
}

// gpu gives the machine all that timing needs.
func (m *made) gpu() {
	m.system("dev/nvidia0")
	m.system("usr/lib64/libcuda.so.1")
	m.system("usr/local/cuda/include/cuda.h")
	m.tool("gcc", "#!/bin/sh\n")
}

// read returns the text of a file of the tree, "" if there is none.
func (m *made) read(name string) string {
	m.t.Helper()
	text, err := os.ReadFile(m.path(name))
	if err != nil && !os.IsNotExist(err) {
		m.t.Fatal(err)
	}
	return string(text)
}

// do makes one target and returns what it prints, with a message of its own, and the
// exit status. Paths are shown from the tree.
func (m *made) do(args ...string) (output string, status int) {
	m.t.Helper()
	m.said.Reset()
	m.stdout, m.stderr = &m.said, &m.said
	err := m.make(args)
	if err != nil && err.Error() != "" {
		fmt.Fprintln(&m.said, err)
	}
	return strings.ReplaceAll(m.said.String(), m.root+"/", ""), statusOf(err)
}

// makes makes a target, and fails the test unless the status is the one wanted and
// the output has each of the texts, in this order.
func (m *made) makes(args string, status int, texts ...string) (output string) {
	m.t.Helper()
	output, got := m.do(strings.Fields(args)...)
	if got != status {
		m.t.Errorf("make %s: exit status %d, want %d; output\n%s", args, got, status, output)
	}
	want(m.t, output, texts...)
	return output
}

// want fails the test unless output has each of the texts, in this order.
func want(t *testing.T, output string, texts ...string) {
	t.Helper()
	rest := output
	for _, text := range texts {
		_, after, found := strings.Cut(rest, text)
		if !found {
			t.Errorf("no %q, or not in this place, in the output\n%s", text, output)
			return
		}
		rest = after
	}
}

// wantNot fails the test if output has one of the texts.
func wantNot(t *testing.T, output string, texts ...string) {
	t.Helper()
	if i := slices.IndexFunc(texts, func(text string) bool { return strings.Contains(output, text) }); i >= 0 {
		t.Errorf("%q in the output\n%s", texts[i], output)
	}
}
