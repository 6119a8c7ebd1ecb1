package browser

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// The swap of the tile's coordinates in transpose_shared.
const swap = "  x = blockIdx.y * 32 + threadIdx.x;  // column of out: tile (bx, by) goes to (by, bx)\n  y = blockIdx.x * 32 + threadIdx.y;"

// TestSave saves kernels that are right and wrong, and waits for their verdicts.
func TestSave(t *testing.T) {
	b := newTab(t)
	path, right := kernelFile(t, "ep03-shared")
	b.open("-cu", path, "ep03")
	b.verdict("exact")
	for _, step := range []struct{ name, old, new, class, selector, says string }{
		{"offsets not swapped", swap, "  x = blockIdx.x * 32 + threadIdx.x;\n  y = blockIdx.y * 32 + threadIdx.y;", "wrong", ".wrong-map", "57,344 of 65,536 wrong"},
		{"right again", swap, swap, "exact", "#verdict", "exact"},
		{"a race", "  __syncthreads();\n  x", "  x", "fault", "li.accused .note", "race in shared memory: thread ("},
		{"a comment", swap, "  // mine\n" + swap, "exact", "#verdict", "exact"},
		{"out of bounds", "out[(y + j) * n + x] = tile[threadIdx.x]", "out[(y + j) * n + x + n * n] = tile[threadIdx.x]", "fault", "li.accused .note", "out of bounds"},
		{"not C", swap, "  x = blockIdx.y * 32 + threadldx.x;", "format", "li.accused .note", "error: use of undeclared identifier 'threadldx'"},
		{"padding", "[32][32]", "[32][33]", "exact", "#picture", "1 wavefront: one pass serves them all"},
	} {
		began := time.Now()
		save(t, path, edited(t, right, step.old, step.new))
		b.until(fmt.Sprintf(`document.querySelector(%q)?.innerText.includes(%q)`, step.selector, step.says))
		b.verdict(step.class)
		t.Logf("%s: verdict %s after %d ms", step.name, step.class, time.Since(began).Milliseconds())
		if step.name == "a race" {
			b.race()
			b.until(`document.querySelector("#picture").innerText.includes("transpose_shared was stopped by its fault")`)
		} else if value[bool](b, `document.querySelector("#picture").innerText.includes("was stopped by") && ["exact", "wrong"].includes(view.data.trace.verdict)`) {
			t.Errorf("%s: the picture is said to be missing", step.name)
		}
		if accused := b.count("li.accused"); (accused > 0) != (step.class == "fault" || step.class == "format") {
			t.Errorf("%s: %d lines are accused", step.name, accused)
		}
		if step.class != "exact" {
			b.looks(func(name string) { b.fits(step.name + " " + name) })
		}
	}
}

// race holds that both lines of a race are marked, each with its thread.
func (b *tab) race() {
	b.Helper()
	said := value[[]string](b, `[...document.querySelectorAll("li.accused")].map(e => e.querySelector("code").innerText.trim() + " | " + e.querySelector(".note").innerText)`)
	if len(said) != 2 {
		b.Fatalf("%d lines are marked, want both of the race: %q", len(said), said)
	}
	for i, does := range []string{"writes here", "reads here"} {
		line, note, _ := strings.Cut(said[i], " | ")
		if !strings.Contains(line, "tile[") || !strings.Contains(note, "thread (") || !strings.Contains(note, " of block (0, 0)") || !strings.HasSuffix(note, does) {
			b.Errorf("side %d of the race: %q, want a line of the tile, and a thread that %s", i, said[i], does)
		}
	}
	_, first, _ := strings.Cut(said[0], "thread ")
	_, second, _ := strings.Cut(said[1], "thread ")
	if first[:strings.Index(first, ")")] == second[:strings.Index(second, ")")] {
		b.Errorf("a thread races with itself: %q", said)
	}
}

// TestWrongMap holds that the matrix is marked where it is wrong, and only there.
func TestWrongMap(t *testing.T) {
	b := newTab(t)
	path, right := kernelFile(t, "ep01-correct")
	// The left half is as it came, and the right half of the last row is not written.
	save(t, path, edited(t, right, "if (x < n && y < n) out[x * n + y] = in[y * n + x];",
		"if (x < n && y < n && (x != n - 1 || y < n / 2)) out[x * n + y] = y < n / 2 ? 1.5f : in[y * n + x];"))
	b.open("-cu", path, "-k", "transpose_naive", "ep01")
	b.verdict("wrong")
	for _, at := range []struct {
		x, y   float64 // in the matrix, from 0 to 1
		colour string
	}{
		{.02, .02, "moved"}, {.48, .98, "moved"}, {.52, .02, "right"}, {.98, .97, "right"}, {.75, .999, "never"}, {.25, .999, "moved"},
	} {
		// The legend's key has the colour that the matrix must have there.
		same := value[bool](b, fmt.Sprintf(`(() => {
			const c = document.querySelector(".wrong-map canvas"), d = c.getContext("2d").getImageData(%g * c.width, %g * c.height, 1, 1).data;
			const style = getComputedStyle(document.querySelector(".wrong-map .key.%s"));
			return (style.backgroundColor + style.backgroundImage).includes("rgb(" + [d[0], d[1], d[2]].join(", ") + ")");
		})()`, at.x, at.y, at.colour))
		if !same {
			t.Errorf("at (%g, %g) the matrix has not the colour of %s", at.x, at.y, at.colour)
		}
	}
	b.says(".wrong-map", "never written")
	b.says("#verdict pre", "out[0][0] holds")
	b.looks(func(name string) { b.fits("never written " + name) })
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
	if !strings.HasPrefix(strings.Join(seen, "\n"), "exact old: exact") || !strings.Contains(seen[0], "working") {
		t.Errorf("what the page said after the save: %q", seen)
	}
}

// TestProgram edits main.go and transpose.cu in an episode's folder, as a reader does.
func TestProgram(t *testing.T) {
	b := newTab(t)
	const episode = "ep02-coalescing"
	dir := checkout(t, episode)
	program, kernel := filepath.Join(dir, episode, "main.go"), filepath.Join(dir, episode, "transpose.cu")
	right, rightKernel := read(t, program), read(t, kernel)
	b.openIn(dir, "ep02")
	b.verdict("exact")
	step := func(name, path, text, class, selector, says string) {
		t.Helper()
		began := time.Now()
		save(t, path, text)
		b.until(fmt.Sprintf(`document.querySelector(%q)?.innerText.includes(%q)`, selector, says))
		b.verdict(class)
		t.Logf("%s: verdict %s after %d ms", name, class, time.Since(began).Milliseconds())
	}
	step("too few blocks", program, edited(t, right, "(ep.N + 31) / 32", "ep.N / 64"), "wrong", ".wrong-map", "never written")
	step("not Go", program, right+"}", "format", "#verdict pre", "main.go:")
	b.says("#verdict .word", "does not build")
	step("right again", program, right, "exact", "#verdict", "exact")
	step("the kernel", kernel, edited(t, rightKernel, "out[y * n + x] = in[x * n + y]", "out[y * n + x] = in[x * n]"), "wrong", ".wrong-map", "written, and wrong")
	step("and back", kernel, rightKernel, "exact", "#verdict", "exact")
}

// TestEnd ends the program behind the page, and starts it again.
func TestEnd(t *testing.T) {
	b := newTab(t)
	address := b.serve(root, "ep01")
	b.visit(address)
	b.verdict("exact")
	b.stop()
	b.until(`document.getElementById("verdict").innerText.includes("has ended")`)
	port := address[strings.LastIndex(address, ":")+1 : len(address)-1]
	b.serve(root, "-port", port, "ep01")
	b.verdict("exact")
	b.forget() // the browser has logged that nobody answered
}

// TestStranger holds that a kernel's file is shown as text, whatever it has in it: where
// the page is served, and in a page of one file.
func TestStranger(t *testing.T) {
	const evil = `// </code></script><script>window.ran = 1</script><img src=x onerror="window.ran = 1"><!--`
	b := newTab(t)
	path, right := kernelFile(t, "ep01-correct")
	for _, text := range []string{
		evil + "\n" + right,
		// The compiler quotes its line.
		edited(t, right, "in[y * n + x];", "in[y * n + x] + nothing; "+evil),
	} {
		save(t, path, text)
		for _, open := range []func(...string){b.open, b.openPage} {
			open("-cu", path, "ep01")
			b.until(`["exact", "format"].includes(document.getElementById("verdict").className)`)
			b.says("#code", evil)
			if value[bool](b, `"ran" in window || document.images.length > 0`) {
				t.Error("a script in the kernel's file has run")
			}
			b.drain()
			b.run(chromedp.Navigate("about:blank"))
			b.stop()
		}
	}
}
