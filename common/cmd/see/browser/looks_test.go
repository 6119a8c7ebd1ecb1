package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestChoose opens the page, chooses accesses, moves the sliders and takes each size.
func TestChoose(t *testing.T) {
	b := newTab(t)
	b.open("ep03")
	b.verdict("exact")
	b.run(chromedp.Click(chip("transpose_read_strided", "load")))
	b.says("#picture h2", "transpose_read_strided: load")
	b.says("#picture .count", "2,048 requests, each 32 sectors (best 4), 32 wavefronts (best 1); 12.5% of the bytes used")
	if n := b.count("#picture svg .wanted"); n != 64 {
		t.Errorf("%d words are drawn, want 32 in the matrix and 32 in banks", n)
	}
	if n := b.count("#picture svg .sector"); n != 32 {
		t.Errorf("%d sectors are drawn, want 32", n)
	}
	b.run(chromedp.Click(chip("transpose_shared", "shared load")))
	b.says("#picture", "32 wavefronts: passes, one after the other")
	for _, slider := range []struct{ id, before, after string }{
		{"block", "block (0, 0) of 8 × 8", "block (1, 0) of 8 × 8"},
		{"warp", "warp 0 of the block", "warp 1 of the block"},
		{"request", "request 1 of 4", "request 2 of 4"},
	} {
		id := "#slide-" + slider.id
		b.says(".sliders", slider.before)
		b.run(chromedp.Focus(id), chromedp.KeyEvent(kb.ArrowRight))
		b.says(".sliders", slider.after)
		if focus := "#" + b.focus(); focus != id {
			t.Errorf("after a key in %s the focus is at %s", id, focus)
		}
	}
	for _, n := range []int{33, 1001, 4096, 256} {
		b.run(chromedp.Click(fmt.Sprintf("#size-%d", n)))
		b.until(fmt.Sprintf(`document.querySelector(".overview")?.innerHTML.includes("%d × %[1]d")`, n))
		b.verdict("exact")
		if pressed := b.text("#sizes [aria-pressed=true]"); pressed != fmt.Sprintf("n = %d", n) {
			t.Errorf("the size that is marked is %q, want %d", pressed, n)
		}
	}
}

// looks shows the page on a phone and on a projector, each light and dark.
func (b *tab) looks(do func(name string)) {
	b.Helper()
	for _, width := range []int64{400, 1600} {
		for _, scheme := range []string{"light", "dark"} {
			b.run(chromedp.EmulateViewport(width, 900),
				emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
			// The event that makes the page draw anew comes with a frame, later.
			b.until(fmt.Sprintf(`window.innerWidth === %d && (!$("picture").children.length || view.drawn === $("picture").clientWidth)`, width))
			do(fmt.Sprintf("%d %s", width, scheme))
		}
	}
}

// fits holds that the page can be read: nothing makes it wider than the window, and no
// text is too small, or too much like what is behind it. It leaves a picture.
func (b *tab) fits(name string) {
	b.Helper()
	if wide := value[[]int](b, "[document.documentElement.scrollWidth, window.innerWidth]"); wide[0] > wide[1] {
		b.Errorf("%s: the page is %d pixels wide in a window of %d", name, wide[0], wide[1])
	}
	for _, fault := range value[[]string](b, unreadable) {
		b.Errorf("%s: %s", name, fault)
	}
	b.shot(name)
}

// Text has at least so many pixels, and so much contrast with what is behind it.
const leastPixels, leastContrast = 11.9, 4.5

// unreadable is a script: the texts that cannot be read well, and why. Contrast is what
// WCAG 2 calls so. What is behind the text in a drawing is another matter: a cell's colour.
var unreadable = fmt.Sprintf(`(() => {
	const leastPixels = %g, leastContrast = %g;
	const channels = c => { // of rgb(…), rgba(…) and color(srgb …), each from 0 to 1
		const x = c.match(/[\d.]+/g).map(Number);
		const scale = c.startsWith("color") ? 1 : 255;
		return [x[0] / scale, x[1] / scale, x[2] / scale, x[3] ?? 1];
	};
	const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
	const behind = e => {
		if (!e) return [1, 1, 1, 1];
		const c = channels(getComputedStyle(e).backgroundColor);
		return c[3] === 1 ? c : over(c, behind(e.parentElement));
	};
	const light = c => [.2126, .7152, .0722].reduce((sum, w, i) => sum + w * (c[i] <= .04045 ? c[i] / 12.92 : ((c[i] + .055) / 1.055) ** 2.4), 0);
	const faults = new Map(); // to an example
	const fault = (what, text) => { if (!faults.has(what)) faults.set(what, text.slice(0, 40)); };
	for (const e of document.querySelectorAll("body *")) {
		const text = [...e.childNodes].filter(n => n.nodeType === Node.TEXT_NODE).map(n => n.data).join("").trim();
		if (!text || !e.getClientRects().length || e.closest("script, noscript, title, [disabled]")) continue;
		const style = getComputedStyle(e), drawing = e.closest("svg");
		const scale = drawing ? drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width : 1;
		const size = parseFloat(style.fontSize) * scale;
		if (size < leastPixels) fault("text of " + size.toFixed(1) + " pixels", text);
		if (drawing) continue;
		const back = behind(e), l = [light(over(channels(style.color), back)), light(back)].sort((a, b) => a - b);
		const contrast = (l[1] + .05) / (l[0] + .05);
		if (contrast < leastContrast) fault("contrast of " + contrast.toFixed(2), text);
	}
	return [...faults].map(([what, text]) => what + ": " + text);
})()`, leastPixels, leastContrast)

// TestSchemes holds that the page is dark where that is wished for, and light else.
func TestSchemes(t *testing.T) {
	b := newTab(t)
	b.openPage("ep01")
	b.looks(func(name string) {
		back := value[string](b, `getComputedStyle(document.body).backgroundColor`)
		var red, green, blue int
		if _, err := fmt.Sscanf(back, "rgb(%d, %d, %d)", &red, &green, &blue); err != nil {
			t.Fatalf("%s: %v", back, err)
		}
		if dark := red+green+blue < 3*128; dark != strings.HasSuffix(name, "dark") {
			t.Errorf("%s: the page is %s", name, back)
		}
	})
}

// TestLooks looks at each access of each episode, on a phone and on a projector, light
// and dark.
func TestLooks(t *testing.T) {
	b := newTab(t)
	folders, err := filepath.Glob(filepath.Join(root, "ep[0-9][0-9]-*"))
	if err != nil || len(folders) < 4 {
		t.Fatalf("the episodes: %v, %v", folders, err)
	}
	for _, folder := range folders {
		b.openPage("-n", "1001", filepath.Base(folder))
		if b.count(".chip") == 0 {
			t.Errorf("%s: no access is shown", folder)
		}
		b.looks(func(name string) {
			b.eachAccess(func(i int) { b.fits(fmt.Sprintf("%s %s %d", filepath.Base(folder), name, i)) })
		})
	}
}

// eachAccess chooses one access after the other.
func (b *tab) eachAccess(do func(i int)) {
	b.Helper()
	for i := range b.count(".chip") {
		b.run(chromedp.Evaluate(fmt.Sprintf(`document.querySelectorAll(".chip")[%d].click()`, i), nil))
		do(i)
	}
}

// ends moves the sliders of the chosen access to their last block, warp and request.
func (b *tab) ends() {
	b.Helper()
	b.run(chromedp.Evaluate(`for (const id of ["block", "warp", "request"]) {
		const s = document.getElementById("slide-" + id);
		if (s) { s.value = s.max; s.dispatchEvent(new Event("input")); }
	}`, nil))
}

// A submission is a kernel for episode 03, and the verdict that it must get.
type submission struct{ path, verdict string }

// submissions are those of the repository, and with KERNELS=folder what is there, of
// which the verdict is not known.
func submissions(t *testing.T) (list []submission) {
	t.Helper()
	folder := filepath.Join(root, "common", "testdata", "submissions")
	for _, line := range strings.Split(strings.TrimSpace(read(t, filepath.Join(folder, "expected.tsv"))), "\n") {
		fields := strings.Split(line, "\t")
		list = append(list, submission{filepath.Join(folder, fields[0]+".cu"), fields[1]})
	}
	if folder := os.Getenv("KERNELS"); folder != "" {
		files, err := filepath.Glob(filepath.Join(folder, "*.cu"))
		if err != nil || len(files) == 0 {
			t.Fatalf("the kernels in %s: %v, %v", folder, files, err)
		}
		for _, file := range files {
			list = append(list, submission{file, ""})
		}
	}
	return list
}

// TestSubmissions saves what people hand in, one after the other. Each gives a page
// without an error, and its verdict, some at another size; all its accesses can be drawn.
func TestSubmissions(t *testing.T) {
	b := newTab(t)
	b.run(chromedp.EmulateViewport(400, 900))
	path, _ := kernelFile(t, "ep03-shared")
	b.open("-cu", path, "ep03")
	b.verdict("exact")
	for _, s := range submissions(t) {
		name := strings.TrimSuffix(filepath.Base(s.path), ".cu")
		verdict := b.judged(func() { save(t, path, read(t, s.path)) })
		for _, n := range []string{"1001", "33", "4096"} {
			if verdict == s.verdict || s.verdict == "" {
				break
			}
			verdict = b.judged(func() { b.run(chromedp.Click("#size-" + n)) })
		}
		if verdict != s.verdict && s.verdict != "" {
			t.Errorf("%s: the verdict is %s, want %s: %s", name, verdict, s.verdict, b.text("#verdict"))
		}
		b.eachAccess(func(int) { b.ends() })
		b.fits(name + " " + verdict)
		if b.drain() > 0 {
			t.Errorf("%s: see above", name)
		}
		if value[int](b, "view.data.n") != 256 {
			b.judged(func() { b.run(chromedp.Click("#size-256")) })
		}
	}
}

// judged is the verdict of the run that do leads to, in the words of a grader: a fault
// is wrong.
func (b *tab) judged(do func()) string {
	b.Helper()
	runs := value[int](b, "view.data.sequence")
	do()
	b.until(fmt.Sprintf("view.data.sequence > %d && !view.data.working", runs))
	verdict := value[string](b, "view.data.trace.verdict")
	if verdict == "fault" {
		return "wrong"
	}
	return verdict
}
