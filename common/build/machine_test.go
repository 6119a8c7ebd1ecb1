package build_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A machine is a made-up computer with a copy of what make needs: PATH has only
// the tools that a test names, and the system's folders lie under root.
type machine struct {
	t    *testing.T
	tree string // the checkout; its path has a space and a quote
	bin  string // the only folder on PATH
	root string // stands for /
	env  []string
}

// systemTools are what make and its scripts may call on any machine.
var systemTools = []string{
	"sh", "awk", "cat", "cmp", "cp", "cut", "dirname", "env", "find", "grep", "head", "ln", "mkdir",
	"mktemp", "mv", "readlink", "rm", "rmdir", "sed", "sha256sum", "sort", "tr",
}

// fakeGo builds programs that print how they were built and called, and that
// exit with what STATUS_epNN says.
const fakeGo = `#!/bin/sh
built="GOWORK=${GOWORK#"$PWD/"} CGO_ENABLED=$CGO_ENABLED GOOS=$GOOS GOARCH=$GOARCH GOFLAGS=$GOFLAGS"
case $1 in
env)
	for name in "$@"; do
		case $name in
		GOVERSION) echo "${FAKE_VERSION-go1.22.4}" ;;
		GOHOSTOS) echo linux ;;
		GOHOSTARCH) echo amd64 ;;
		CC) echo gcc ;;
		GOFLAGS) echo "$GOFLAGS" ;;
		esac
	done ;;
list) printf '%s\n' transpose/common transpose/ep01-correct ;;
test) echo "$* | $built"; exit ${STATUS_test-0} ;;
build)
	{
		echo '#!/bin/sh'
		echo 'echo "${0#"$PWD/"} $*"'
		echo "echo '$built'"
		echo 'name=${0##*/}; eval "exit \${STATUS_$name-0}"'
	} >"$3"
	/bin/chmod +x "$3" ;;
esac
`

func newMachine(t *testing.T) *machine {
	t.Helper()
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("no make here")
	}
	// make test sets it, so that a kept result is not one of another Makefile. It
	// counts only when asked for in a test, not in TestMain.
	_ = os.Getenv("TREE_SHA256")
	dir := t.TempDir()
	m := &machine{t: t, tree: filepath.Join(dir, "a reader's tree"), bin: filepath.Join(dir, "commands"), root: filepath.Join(dir, "root")}
	for _, name := range systemTools {
		if path, err := exec.LookPath(name); err == nil {
			m.link(path, filepath.Join(m.bin, name))
		}
	}
	m.tool("go", fakeGo)
	m.tool("uname", "#!/bin/sh\necho Linux\n")
	m.tool("ldconfig", "#!/bin/sh\n")
	m.tool("nvidia-smi", "#!/bin/sh\nexit 9\n")

	m.copy("../../Makefile", "Makefile")
	scripts, err := filepath.Glob("*.sh")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("scripts: %v, %v", scripts, err)
	}
	for _, name := range scripts {
		m.copy(name, "common/build/"+name)
	}
	m.write("common/compile/include/prelude.h", "")
	for _, episode := range []string{"ep01-correct", "ep02-coalescing", "ep03-shared", "ep04-padding"} {
		m.write(episode+"/transpose.cu", kernel)
		m.write(episode+"/transpose.ptx", hashLine(kernel)+"// Compiler: clang 19\n")
	}
	return m
}

// kernel stands for a transpose.cu.
const kernel = "kernel\n"

// hashLine is what a PTX made from a transpose.cu begins with.
func hashLine(cu string) string {
	return fmt.Sprintf("// transpose.cu SHA-256: %x\n", sha256.Sum256([]byte(cu)))
}

func (m *machine) path(name string) string { return filepath.Join(m.tree, filepath.FromSlash(name)) }

func (m *machine) write(name, text string) { m.file(m.path(name), text, 0o644) }

// tool puts a command on PATH, system a file under the machine's /.
func (m *machine) tool(name, script string) { m.file(filepath.Join(m.bin, name), script, 0o755) }
func (m *machine) system(name string)       { m.file(filepath.Join(m.root, name), "", 0o644) }

func (m *machine) file(path, text string, mode os.FileMode) {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) link(old, name string) {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.Symlink(old, name); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) copy(from, name string) {
	m.t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		m.t.Fatal(err)
	}
	m.write(name, string(text))
}

// gpu gives the machine all that timing needs.
func (m *machine) gpu() {
	m.system("dev/nvidia0")
	m.system("usr/lib64/libcuda.so.1")
	m.system("usr/local/cuda/include/cuda.h")
	m.tool("gcc", "#!/bin/sh\n")
}

// make runs make in the tree and returns what it prints and its exit status.
func (m *machine) make(args ...string) (output string, status int) {
	m.t.Helper()
	return m.run(m.tree, "make", args...)
}

func (m *machine) run(dir, name string, args ...string) (output string, status int) {
	m.t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		m.t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + m.bin, "PWD=" + dir, "MACHINE_ROOT=" + m.root, "HOME=" + m.root}, m.env...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		m.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// want fails the test unless output holds each of the texts, in this order.
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

// wantNot fails the test if output holds the text.
func wantNot(t *testing.T, output, text string) {
	t.Helper()
	if strings.Contains(output, text) {
		t.Errorf("%q in the output\n%s", text, output)
	}
}

func wantStatus(t *testing.T, output string, got, want int) {
	t.Helper()
	if got != want {
		t.Errorf("exit status %d, want %d; output\n%s", got, want, output)
	}
}

// remove takes a command off PATH, unplug the GPU, unlink a file of the system.
func (m *machine) remove(tool string) { m.delete(filepath.Join(m.bin, tool)) }
func (m *machine) unplug()            { m.unlink("dev/nvidia0") }
func (m *machine) unlink(name string) { m.delete(filepath.Join(m.root, name)) }

func (m *machine) delete(path string) {
	m.t.Helper()
	if err := os.Remove(path); err != nil {
		m.t.Fatal(err)
	}
}

// real puts this machine's own command on PATH, or skips the test.
func (m *machine) real(name string) {
	m.t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		m.t.Skip(err)
	}
	m.link(path, filepath.Join(m.bin, name))
}

// read returns the text of a file of the tree, "" if there is none.
func (m *machine) read(name string) string { return m.text(m.path(name)) }
func (m *machine) readTool(name string) string {
	return m.text(filepath.Join(m.bin, name))
}

func (m *machine) text(path string) string {
	m.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		m.t.Fatal(err)
	}
	return string(text)
}

func (m *machine) readlink(name string) string {
	m.t.Helper()
	target, err := os.Readlink(m.path(name))
	if err != nil {
		m.t.Fatal(err)
	}
	return target
}
