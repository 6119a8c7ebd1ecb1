package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tabTo presses Tab until an expression is true of what has the focus.
func (b *tab) tabTo(is string) {
	b.Helper()
	for range 80 {
		b.run(chromedp.KeyEvent(kb.Tab))
		if value[bool](b, "(e => Boolean("+is+"))(document.activeElement)") {
			return
		}
	}
	b.Fatalf("no Tab leads to where %s", is)
}

// focus is the id of what has the focus.
func (b *tab) focus() string {
	b.Helper()
	return value[string](b, `document.activeElement.id`)
}

// TestKeyboard does with the keyboard alone what a mouse can: another size, an access,
// its sliders, a guess.
func TestKeyboard(t *testing.T) {
	b := newTab(t)
	b.open("ep02")
	b.verdict("exact")
	b.tabTo(`e.id === "size-33"`)
	b.run(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector(".overview")?.innerHTML.includes("33 × 33")`)
	b.verdict("exact")
	if got := b.focus(); got != "size-33" {
		t.Errorf("after the size is chosen the focus is at %q", got)
	}
	b.tabTo(`e.getAttribute("aria-label")?.startsWith("transpose_naive, line") && e.innerText.startsWith("store")`)
	chosen := b.focus()
	b.run(chromedp.KeyEvent(kb.Enter))
	b.says("#picture h2", "transpose_naive: store")
	if got := b.focus(); got != chosen {
		t.Errorf("after an access is chosen the focus is at %q", got)
	}
	b.tabTo(`e.id === "slide-block"`)
	before := value[string](b, `document.querySelector("#picture figure").innerHTML`)
	b.run(chromedp.KeyEvent(kb.ArrowRight))
	if got := b.focus(); got != "slide-block" {
		t.Errorf("after a key in the slider the focus is at %q", got)
	}
	if value[string](b, `document.querySelector("#picture figure").innerHTML`) == before {
		t.Error("another block, and the same picture")
	}
	b.tabTo(`e.id === "predict"`)
	b.run(chromedp.KeyEvent(" "))
	b.tabTo(`e.getAttribute("aria-label")?.startsWith("transpose_read_strided, line") && e.innerText.startsWith("load")`)
	b.run(chromedp.KeyEvent(kb.Enter))
	b.tabTo(`e.id === "guess-sectors"`)
	b.run(chromedp.KeyEvent("7"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent("5"), chromedp.KeyEvent(kb.Enter))
	b.says("#picture .guess", "You guessed 7 sectors, 5 wavefronts; counted: ")
	if got := b.focus(); !strings.HasPrefix(got, "site-transpose_read_strided|") {
		t.Errorf("after a guess the focus is at %q", got)
	}
}

// TestPredict holds that no count can be seen or heard before it is guessed, and none
// again after a save.
func TestPredict(t *testing.T) {
	b := newTab(t)
	path, right := kernelFile(t, "ep03-shared")
	right += "// mine\n" // unedited it would have the name of the episode's own file, and keys with it
	save(t, path, right)
	b.open("-cu", path, "ep03")
	b.verdict("exact")
	// Text, and what a screen reader is told.
	const told = `[document.body.innerText, ...[...document.querySelectorAll("[aria-label], [aria-valuetext], title")].map(e => [e.getAttribute("aria-label"), e.getAttribute("aria-valuetext"), e.tagName === "title" ? e.textContent : ""].join(" "))].join("\n")`
	counted := func() int {
		t.Helper()
		return value[int](b, fmt.Sprintf(`[...%s.matchAll(/[0-9.]+ (sector|wavefront|pass|request)/g)].length`, told))
	}
	if counted() == 0 {
		t.Fatal("no count is told to begin with")
	}
	b.run(chromedp.Click("#predict"))
	hidden := func(when string) {
		t.Helper()
		for i := range b.count(".chip") {
			b.run(chromedp.Evaluate(fmt.Sprintf(`document.querySelectorAll(".chip")[%d].click()`, i), nil))
			if n := counted(); n > 0 || b.count(".drawing") > 0 || b.count(".waste") > 0 {
				t.Errorf("%s: with access %d chosen %d counts are told", when, i, n)
			}
		}
	}
	hidden("at first")
	b.looks(func(name string) { b.fits("predict " + name) })
	b.run(chromedp.Click(chip("transpose_shared", "shared load")),
		chromedp.SendKeys("#guess-wavefronts", "31"), chromedp.Click("#guess-show"))
	b.says("#picture .guess", "You guessed 31 wavefronts; counted: 32 wavefronts (best 1).")
	if n := b.count(`.chip[aria-label*="guess first"]`); n != b.count(".chip")-1 {
		t.Errorf("%d of %d counts are hidden after one guess", n, b.count(".chip"))
	}
	b.looks(func(name string) { b.fits("guessed " + name) })

	save(t, path, edited(t, right, "[32][32]", "[32][33]"))
	b.until(`document.getElementById("code").innerText.includes("[32][33]")`)
	b.verdict("exact")
	hidden("after a save")
	b.run(chromedp.Click("#predict"))
	if counted() == 0 {
		t.Error("no count is told when predict is off again")
	}
}

// TestReader holds that a screen reader has a name for all that can be used or seen.
func TestReader(t *testing.T) {
	b := newTab(t)
	b.openPage("ep03")
	b.run(chromedp.Click(chip("transpose_shared", "shared load")))
	// The library's own type refuses words that newer browsers have.
	type spoken struct {
		Value any `json:"value"`
	}
	var tree struct {
		Nodes []struct {
			Ignored bool   `json:"ignored"`
			Role    spoken `json:"role"`
			Name    spoken `json:"name"`
		} `json:"nodes"`
	}
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		return cdp.Execute(ctx, "Accessibility.getFullAXTree", nil, &tree)
	}))
	roles := []string{"button", "checkbox", "image", "img", "region", "slider", "spinbutton"}
	found := map[string]int{}
	for _, n := range tree.Nodes {
		role, _ := n.Role.Value.(string)
		if n.Ignored || !slices.Contains(roles, role) {
			continue
		}
		found[role]++
		if name, _ := n.Name.Value.(string); strings.TrimSpace(name) == "" {
			t.Errorf("%s %d has no name", role, found[role])
		}
	}
	for role, least := range map[string]int{"button": 8, "slider": 3, "checkbox": 1, "region": 3} {
		if found[role] < least {
			t.Errorf("%d of the role %s, want %d: all are %v", found[role], role, least, found)
		}
	}
	if found["image"]+found["img"] < 3 {
		t.Errorf("the pictures are no images to a screen reader: %v", found)
	}
	if live := value[string](b, `document.getElementById("verdict").getAttribute("aria-live")`); live != "polite" {
		t.Errorf("the verdict's aria-live is %q: a new one is not read out", live)
	}
}
