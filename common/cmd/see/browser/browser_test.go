// Package browser tests the page of see in a real browser, Chromium. It is a module of
// its own, so that nobody else needs what drives it.
//
//	cd common/cmd/see/browser && GOWORK=off go test .
//
// Kernels are edited, so it takes a compiler of them, clang or nvcc, too.
//
// With SCREENSHOTS=folder it leaves there what the page looks like, and with
// KERNELS=folder it looks at the page of each .cu in that folder, too.
package browser

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	js "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// What all tests share: the root of the checkout, the command, and one browser.
var (
	root    string
	see     string
	browser context.Context // nil where there is no Chromium
)

func TestMain(m *testing.M) {
	status, err := withBrowser(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// withBrowser builds see and starts a browser, if there is one, for what run tests.
func withBrowser(run func() int) (status int, err error) {
	chromium := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			chromium = path
			break
		}
	}
	if chromium == "" {
		return run(), nil // each test says that it is skipped
	}
	if root, err = filepath.Abs("../../../.."); err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "see-browser")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	see = filepath.Join(dir, "see")
	if runtime.GOOS == "windows" {
		see += ".exe"
	}
	build := exec.Command("go", "build", "-o", see, "transpose/common/cmd/see")
	build.Dir = root
	build.Env = append(os.Environ(), "GOWORK="+filepath.Join(root, "go.work"), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w: %s", err, out)
	}
	// Root, as in a container, may not use Chromium's sandbox.
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.DisableGPU)
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	defer cancel()
	started, cancel := chromedp.NewContext(allocator)
	defer cancel()
	if err := chromedp.Run(started); err != nil {
		return 0, fmt.Errorf("%s does not start: %w", chromium, err)
	}
	browser = started
	return run(), nil
}

// A tab is one page in the browser. What goes wrong in it fails the test: an exception,
// an error that is logged, a request to anywhere but see.
type tab struct {
	*testing.T
	ctx  context.Context
	stop func() // ends the see that serves the page

	mu      sync.Mutex
	address string // of the see that serves the page, or of the file
	faults  []string
}

func newTab(t *testing.T) *tab {
	t.Helper()
	if browser == nil {
		t.Skip("no Chromium here: with it the page is tested")
	}
	ctx, cancel := chromedp.NewContext(browser)
	ctx, cancelTime := context.WithTimeout(ctx, 10*time.Minute)
	b := &tab{T: t, ctx: ctx, stop: func() {}}
	t.Cleanup(func() {
		b.drain()
		b.run(chromedp.Navigate("about:blank")) // which does not mind that see ends
		cancelTime()
		cancel()
		b.stop()
	})
	chromedp.ListenTarget(ctx, b.event)
	b.run(log.Enable(), js.Enable(), network.Enable(), chromedp.EmulateViewport(1600, 900))
	return b
}

// event notes what goes wrong.
func (b *tab) event(e any) {
	fault := ""
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := e.(type) {
	case *js.EventExceptionThrown:
		fault = fmt.Sprintf("the page threw: %v", e.ExceptionDetails)
	case *js.EventConsoleAPICalled:
		if e.Type == js.APITypeError && len(e.Args) > 0 {
			fault = fmt.Sprintf("the page logged an error: %s %s", e.Args[0].Value, e.Args[0].Description)
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			fault = fmt.Sprintf("the browser logged an error: %s %s", e.Entry.Text, e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		if to := e.Request.URL; to != "about:blank" && !strings.HasPrefix(to, "data:") && !strings.HasPrefix(to, b.address) {
			fault = fmt.Sprintf("the page asks for %s", to)
		}
	}
	if fault != "" {
		b.faults = append(b.faults, fault)
	}
}

// drain fails the test with what went wrong since the last time, and returns how much.
func (b *tab) drain() int {
	b.Helper()
	value[int](b, "1") // events of before have come by then
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.faults)
	for _, f := range b.faults {
		b.Error(f)
	}
	b.faults = nil
	return n
}

// forget forgets what went wrong, where that was meant to.
func (b *tab) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = nil
}

// visit goes to an address, which is all that the page may ask for.
func (b *tab) visit(address string) {
	b.Helper()
	b.mu.Lock()
	b.address = address
	b.mu.Unlock()
	b.run(chromedp.Navigate(address))
}

// open runs see in the root, until the test ends, and opens the page that it serves.
func (b *tab) open(args ...string) {
	b.Helper()
	b.openIn(root, args...)
}

func (b *tab) openIn(dir string, args ...string) {
	b.Helper()
	b.visit(b.serve(dir, args...))
}

// serve runs see in a folder until the test ends, or stop is called, and returns the
// address that it prints.
func (b *tab) serve(dir string, args ...string) string {
	b.Helper()
	cmd := exec.Command(see, args...)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.stop = sync.OnceFunc(func() {
		if cmd.Process.Signal(os.Interrupt) != nil {
			_ = cmd.Process.Kill() // there are no signals on Windows
		}
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	_, address, found := strings.Cut(line, "open ")
	if err != nil || !found {
		b.Fatalf("see said %q: %v", line, err)
	}
	address, _, _ = strings.Cut(address, " ")
	return address
}

// openPage has see write a page to a file, and opens it.
func (b *tab) openPage(args ...string) {
	b.Helper()
	file := filepath.Join(b.TempDir(), "page.html")
	cmd := exec.Command(see, append([]string{"-o", file}, args...)...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %v\n%s", args, err, out)
	}
	b.visit("file://" + filepath.ToSlash(file))
}

func (b *tab) run(actions ...chromedp.Action) {
	b.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil && !errors.Is(err, context.Canceled) {
		b.Fatal(err)
	}
}

// value is what an expression of the page's script has for a value.
func value[T any](b *tab, expression string) (v T) {
	b.Helper()
	if err := chromedp.Run(b.ctx, chromedp.Evaluate(expression, &v)); err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits for an expression to be true.
func (b *tab) until(expression string) {
	b.Helper()
	poll := chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(30*time.Second), chromedp.WithPollingInterval(10*time.Millisecond))
	if err := chromedp.Run(b.ctx, poll); err != nil {
		b.Fatalf("%s does not come true: %v\nverdict: %s", expression, err, b.text("#verdict"))
	}
}

// verdict waits for a verdict, by its class, that is no older run's.
func (b *tab) verdict(class string) {
	b.Helper()
	b.until(fmt.Sprintf(`document.getElementById("verdict").className === %q`, class))
}

func (b *tab) text(selector string) string {
	b.Helper()
	return value[string](b, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ""`, selector))
}

// says holds that an element has some text.
func (b *tab) says(selector, text string) {
	b.Helper()
	if got := b.text(selector); !strings.Contains(got, text) {
		b.Errorf("%s says %q, and not %q", selector, got, text)
	}
}

// count is how many elements a selector finds.
func (b *tab) count(selector string) int {
	b.Helper()
	return value[int](b, fmt.Sprintf(`document.querySelectorAll(%q).length`, selector))
}

// shot leaves a picture of the page, if that is asked for.
func (b *tab) shot(name string) {
	b.Helper()
	folder := os.Getenv("SCREENSHOTS")
	if folder == "" {
		return
	}
	var png []byte
	b.run(chromedp.FullScreenshot(&png, 100))
	if err := os.WriteFile(filepath.Join(folder, strings.NewReplacer(" ", "-", "/", "-").Replace(name)+".png"), png, 0o644); err != nil {
		b.Fatal(err)
	}
}

// chip is the button of an access.
func chip(kernel, kind string) string {
	return fmt.Sprintf(`button[aria-label^="%s, line"][aria-label*=", %s:"]`, kernel, kind)
}

// kernelFile is a copy of an episode's kernels that a test may edit.
func kernelFile(t *testing.T, folder string) (path, text string) {
	t.Helper()
	text = read(t, filepath.Join(root, folder, "transpose.cu"))
	path = filepath.Join(t.TempDir(), "mine.cu")
	save(t, path, text)
	return path, text
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func save(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// edited is a text with one piece of it replaced.
func edited(t *testing.T, text, old, new string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("the file has no %q", old)
	}
	return strings.ReplaceAll(text, old, new)
}

// checkout is the tree in a folder of its own, where the files of one episode can be
// edited. All else there leads to the tree that is tested.
func checkout(t *testing.T, episode string) string {
	t.Helper()
	dir := t.TempDir()
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		from, to := filepath.Join(root, e.Name()), filepath.Join(dir, e.Name())
		if e.Name() == episode {
			err = os.CopyFS(to, os.DirFS(from))
		} else if !strings.HasPrefix(e.Name(), ".git") {
			err = os.Symlink(from, to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
