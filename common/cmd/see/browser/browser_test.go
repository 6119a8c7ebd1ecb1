// Package browser tests the page of see in a real browser, Chromium. It is a module of
// its own, so that nobody else needs what drives it.
//
//	cd common/cmd/see/browser && GOWORK=off go test .
//
// With SCREENSHOTS=folder it leaves there what the page looks like, and with
// KERNELS=folder it looks at the page of each .cu in that folder.
package browser

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var root = func() string {
	dir, err := filepath.Abs("../../../..")
	if err != nil {
		panic(err)
	}
	return dir
}()

// see is the path of the command, built once.
var see = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "see-browser")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "see")
	cmd := exec.Command("go", "build", "-o", path, "transpose/common/cmd/see")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(root, "go.work"), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return path, err
})

// open runs see with its arguments, in the root, until the test ends, and opens the
// address that it serves.
func (b *tab) open(args ...string) {
	t := b.T
	t.Helper()
	path, err := see()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = root
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.run(chromedp.Navigate("about:blank")) // which does not mind the server's end
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	_, address, found := strings.Cut(line, "open ")
	if err != nil || !found {
		t.Fatalf("see said %q: %v", line, err)
	}
	address, _, _ = strings.Cut(address, " ")
	b.run(chromedp.Navigate(address))
}

// A tab is one page in the browser. Every error that it logs fails the test.
type tab struct {
	*testing.T
	ctx context.Context
}

func newTab(t *testing.T) *tab {
	t.Helper()
	for _, name := range []string{"chromium", "google-chrome", "chrome", "chromium-browser"} {
		if path, err := exec.LookPath(name); err == nil {
			options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU)
			ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
			t.Cleanup(cancel)
			ctx, cancel = chromedp.NewContext(ctx)
			t.Cleanup(cancel)
			ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
			t.Cleanup(cancel)
			b := &tab{t, ctx}
			chromedp.ListenTarget(ctx, b.event)
			b.run(log.Enable(), runtime.Enable())
			return b
		}
	}
	t.Skip("no Chromium here")
	return nil
}

func (b *tab) event(e any) {
	switch e := e.(type) {
	case *runtime.EventExceptionThrown:
		b.Errorf("the page threw: %v", e.ExceptionDetails)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError {
			b.Errorf("the page logged an error: %s", e.Args[0].Value)
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			b.Errorf("the browser logged an error: %s %s", e.Entry.Text, e.Entry.URL)
		}
	}
}

func (b *tab) run(actions ...chromedp.Action) {
	b.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// value is what an expression of the page's script has for a value.
func value[T any](b *tab, expression string) (v T) {
	b.Helper()
	b.run(chromedp.Evaluate(expression, &v))
	return v
}

// until waits for an expression to be true.
func (b *tab) until(expression string) {
	b.Helper()
	if err := chromedp.Run(b.ctx, chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(20*time.Second), chromedp.WithPollingInterval(10*time.Millisecond))); err != nil {
		b.Fatalf("%s does not come true: %v\nverdict: %s", expression, err, value[string](b, `document.getElementById("verdict").innerText`))
	}
}

// verdict waits for a verdict, by its class, that is no older run's.
func (b *tab) verdict(class string) {
	b.Helper()
	b.until(fmt.Sprintf(`document.getElementById("verdict").className === %q`, class))
}

func (b *tab) text(selector string) string {
	b.Helper()
	return value[string](b, fmt.Sprintf(`document.querySelector(%q).innerText`, selector))
}

// says holds that an element has some text.
func (b *tab) says(selector, text string) {
	b.Helper()
	if got := b.text(selector); !strings.Contains(got, text) {
		b.Errorf("%s says %q, and not %q", selector, got, text)
	}
}

// chip is the button of an access.
func chip(kernel, kind string) string {
	return fmt.Sprintf(`button[aria-label^="%s, line"][aria-label*=", %s:"]`, kernel, kind)
}

// kernelFile is a copy of an episode's kernels that a test may edit.
func kernelFile(t *testing.T, folder string) (path, text string) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(root, folder, "transpose.cu"))
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "mine.cu")
	save(t, path, string(source))
	return path, string(source)
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
		t.Fatalf("the kernel has no %q", old)
	}
	return strings.ReplaceAll(text, old, new)
}

// TestChoose opens the page, chooses accesses and moves the sliders.
func TestChoose(t *testing.T) {
	b := newTab(t)
	b.open("ep03")
	b.verdict("exact")
	b.run(chromedp.Click(chip("transpose_read_strided", "load")))
	b.says("#picture h2", "transpose_read_strided: load")
	b.says("#picture .count", "2,048 requests, each 32 sectors (best 4), 32 wavefronts (best 1); 12.5% of the bytes used")
	if n := value[int](b, `document.querySelectorAll("#picture svg .wanted").length`); n != 64 {
		t.Errorf("%d words are drawn, want 32 in the matrix and 32 in banks", n)
	}
	if n := value[int](b, `document.querySelectorAll("#picture svg .sector").length`); n != 32 {
		t.Errorf("%d sectors are drawn, want 32", n)
	}
	b.run(chromedp.Click(chip("transpose_shared", "shared load")))
	b.says("#picture", "32 passes, one after the other")
	for _, slider := range []struct{ id, before, after string }{
		{"block", "block (0, 0) of 8 × 8", "block (1, 0) of 8 × 8"},
		{"warp", "warp 0 of the block", "warp 1 of the block"},
		{"request", "request 1 of 4", "request 2 of 4"},
	} {
		id := "#slide-" + slider.id
		b.says(".sliders", slider.before)
		b.run(chromedp.Focus(id), chromedp.KeyEvent(kb.ArrowRight))
		b.says(".sliders", slider.after)
		if focus := value[string](b, `"#" + document.activeElement.id`); focus != id {
			t.Errorf("after a key in %s the focus is at %s", id, focus)
		}
	}
	b.run(chromedp.Click("#size-33"))
	b.until(`document.querySelector(".sliders")?.innerText.includes("of 2 × 2")`)
	b.verdict("exact")
}

// TestSave saves kernels that are right and wrong, and waits for their verdicts.
func TestSave(t *testing.T) {
	b := newTab(t)
	path, right := kernelFile(t, "ep03-shared")
	b.open("-cu", path, "ep03")
	b.verdict("exact")
	const swap = "  x = blockIdx.y * 32 + threadIdx.x;  // column of out: tile (bx, by) goes to (by, bx)\n  y = blockIdx.x * 32 + threadIdx.y;"
	for _, step := range []struct{ name, old, new, class, selector, says string }{
		{"offsets not swapped", swap, "  x = blockIdx.x * 32 + threadIdx.x;\n  y = blockIdx.y * 32 + threadIdx.y;", "wrong", ".wrong-map", "wrong"},
		{"right again", swap, swap, "exact", "#verdict", "exact"},
		{"a race", "  __syncthreads();\n  x", "  x", "fault", "li.accused .note", "race in shared memory: thread ("},
		{"a comment", swap, "  // mine\n" + swap, "exact", "#verdict", "exact"},
		{"not C", swap, "  x = blockIdx.y * 32 + threadldx.x;", "format", "li.accused .note", "error: use of undeclared identifier 'threadldx'"},
		{"padding", "[32][32]", "[32][33]", "exact", "#picture", "1 pass serves them all"},
	} {
		began := time.Now()
		save(t, path, edited(t, right, step.old, step.new))
		b.until(fmt.Sprintf(`document.querySelector(%q)?.innerText.includes(%q)`, step.selector, step.says))
		b.verdict(step.class)
		t.Logf("%s: verdict %s after %d ms", step.name, step.class, time.Since(began).Milliseconds())
		if step.name == "a race" {
			if n := value[int](b, `document.querySelectorAll("li.accused").length`); n != 2 {
				t.Errorf("%d lines are marked, want both of the race", n)
			}
		}
	}
}

// TestOldVerdict holds that a verdict stays, marked, until the next one is there.
func TestOldVerdict(t *testing.T) {
	b := newTab(t)
	path, right := kernelFile(t, "ep01-correct")
	b.open("-cu", path, "ep01")
	b.verdict("exact")
	b.run(chromedp.Evaluate(`window.seen = []; new MutationObserver(() => {
		const v = document.getElementById("verdict");
		seen.push(v.className + ": " + v.querySelector(".word").innerText);
	}).observe(document.getElementById("verdict"), {childList: true, attributes: true})`, nil))
	save(t, path, edited(t, right, "out[x * n + y] = in[y * n + x]", "out[y * n + x] = in[y * n + x]"))
	b.verdict("wrong")
	seen := value[[]string](b, "seen")
	if !strings.HasPrefix(strings.Join(seen, "\n"), "exact old: exact") {
		t.Errorf("what the page said after the save: %q", seen)
	}
}

// TestKeyboard guesses a count with the keyboard alone.
func TestKeyboard(t *testing.T) {
	b := newTab(t)
	b.open("ep02")
	b.verdict("exact")
	tabTo := func(found string) {
		for range 60 {
			b.run(chromedp.KeyEvent(kb.Tab))
			if value[bool](b, found) {
				return
			}
		}
		t.Fatalf("no Tab leads to where %s", found)
	}
	tabTo(`document.activeElement.id === "predict"`)
	b.run(chromedp.KeyEvent(" "))
	if shown := b.text("#code"); strings.Contains(shown, "32 sectors") || !strings.Contains(shown, "guess first") {
		t.Errorf("in predict mode the source shows %q", shown)
	}
	tabTo(`document.activeElement.getAttribute("aria-label")?.startsWith("transpose_read_strided, line") && document.activeElement.innerText.startsWith("load")`)
	b.run(chromedp.KeyEvent(kb.Enter))
	tabTo(`document.activeElement.id === "guess-sectors"`)
	b.run(chromedp.KeyEvent("7"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent("5"), chromedp.KeyEvent(kb.Enter))
	b.says("#picture .guess", "You guessed 7 sectors, 5 wavefronts; counted: 32 sectors (best 4), 32 wavefronts (best 1).")
}

// sizes are a phone's and a projector's, each light and dark.
func (b *tab) looks(do func(name string)) {
	for _, width := range []int64{400, 1600} {
		for _, scheme := range []string{"light", "dark"} {
			b.run(chromedp.EmulateViewport(width, 900),
				emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
			do(fmt.Sprintf("%d-%s", width, scheme))
		}
	}
}

// fits holds that nothing makes the page wider than the window, and leaves a picture.
func (b *tab) fits(name string) {
	b.Helper()
	if wide := value[[]int](b, "[document.documentElement.scrollWidth, window.innerWidth]"); wide[0] > wide[1] {
		b.Errorf("%s: the page is %d pixels wide in a window of %d", name, wide[0], wide[1])
	}
	if folder := os.Getenv("SCREENSHOTS"); folder != "" {
		var png []byte
		b.run(chromedp.FullScreenshot(&png, 100))
		if err := os.WriteFile(filepath.Join(folder, strings.ReplaceAll(name, " ", "-")+".png"), png, 0o644); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLooks looks at each access of each episode, on a phone and on a projector, light
// and dark.
func TestLooks(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(root, "ep[0-9][0-9]-*"))
	if err != nil || len(folders) < 4 {
		t.Fatalf("the episodes: %v, %v", folders, err)
	}
	b := newTab(t)
	for _, folder := range folders {
		b.openPage("-n", "1001", filepath.Base(folder))
		chips := value[int](b, `document.querySelectorAll(".chip").length`)
		if chips == 0 {
			t.Errorf("%s: no access is shown", folder)
		}
		b.looks(func(name string) {
			for i := range chips {
				b.run(chromedp.Evaluate(fmt.Sprintf(`document.querySelectorAll(".chip")[%d].click()`, i), nil))
				b.fits(fmt.Sprintf("%s %s %d", filepath.Base(folder), name, i))
			}
		})
	}
}

// openPage has see write a page to a file, and opens it.
func (b *tab) openPage(args ...string) {
	b.Helper()
	path, err := see()
	if err != nil {
		b.Fatal(err)
	}
	file := filepath.Join(b.TempDir(), "page.html")
	cmd := exec.Command(path, append([]string{"-o", file}, args...)...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %v\n%s", args, err, out)
	}
	b.run(chromedp.Navigate("file://" + file))
}

// TestKernels looks at the page of each kernel of a folder: right, wrong, accused, or
// refused by the compiler, it has no error, and fits.
func TestKernels(t *testing.T) {
	folder := os.Getenv("KERNELS")
	if folder == "" {
		folder = filepath.Join(root, "common", "ptx", "testdata")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.cu"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the kernels in %s: %v, %v", folder, files, err)
	}
	b := newTab(t)
	b.run(chromedp.EmulateViewport(400, 900))
	for _, file := range files {
		b.openPage("-n", "100", "-cu", file, "ep03")
		verdict := value[string](b, `document.getElementById("verdict").className`)
		if verdict == "" {
			t.Errorf("%s: no verdict", file)
		}
		for i := range value[int](b, `document.querySelectorAll(".chip").length`) {
			b.run(chromedp.Evaluate(fmt.Sprintf(`document.querySelectorAll(".chip")[%d].click()`, i), nil))
		}
		b.fits(strings.TrimSuffix(filepath.Base(file), ".cu") + " " + verdict)
		if value[int](b, `document.querySelectorAll(".failed").length`) > 0 {
			t.Errorf("%s: %s", file, b.text(".failed"))
		}
	}
}
