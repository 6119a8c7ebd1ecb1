package main

import (
	"fmt"
	"html"
	"strings"
)

// width is that of a phone in pixels, so that text is there as large as it says.
const width = 400

// The picture has no ground of its own and takes its colours from the page's scheme.
// Words that are asked for keep dark text on a colour of middle lightness in both.
const style = `<style>
:root { --text: #1d2b36; --dim: #51606d; --cell: #ccd5db; --edge: #1d2b36; --line: #7a8995; --back: #fff; --load: #7cc0f2; --store: #f5b56b; --mark: #0b62b8 }
@media (prefers-color-scheme: dark) { :root { --text: #e4ebf0; --dim: #a3b1bc; --cell: #3d4a55; --edge: #f4f7f9; --line: #8796a3; --back: #10171d; --load: #63b3ee; --store: #eba657; --mark: #7cc0f2 } }
svg { background: var(--back) }
text { font: 12px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: var(--dim) }
.title { font-size: 15px; font-weight: 600; fill: var(--text) }
.bold { font-size: 13px; font-weight: 600; fill: var(--text) }
.code { font-family: ui-monospace, Consolas, Menlo, "DejaVu Sans Mono", monospace; fill: var(--text) }
.lane { font-weight: 600; fill: var(--mark); paint-order: stroke; stroke: var(--back); stroke-width: 3px }
.in { fill: #10171d }
.right { text-anchor: end }
.mid { text-anchor: middle }
.cell { fill: none; stroke: var(--cell); stroke-width: .6 }
.unused { fill: url(#hatch); stroke: var(--cell); stroke-width: .6 }
.ink { fill: var(--dim) }
.load { fill: var(--load); stroke: var(--edge); stroke-width: .5 }
.store { fill: var(--store); stroke: var(--edge); stroke-width: .5 }
.part { stroke: var(--edge); stroke-width: .4 }
.narrow { shape-rendering: crispEdges }
.sector { fill: none; stroke: var(--edge); stroke-width: 1.4 }
.line { fill: none; stroke: var(--line); stroke-width: 1; stroke-dasharray: 3 2 }
.whole { fill: none; stroke: var(--line); stroke-width: 1 }
.here { fill: none; stroke: var(--mark); stroke-width: 2.5 }
</style>
<defs><pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="ink" width="1.2" height="4"/></pattern></defs>
`

// A picture is an SVG that grows downwards.
type picture struct {
	body strings.Builder
	y    float64 // where the next part begins
}

func (p *picture) text(x, y float64, class, s string) {
	fmt.Fprintf(&p.body, "<text x=\"%s\" y=\"%s\" class=\"%s\">%s</text>\n", short(x), short(y), class, html.EscapeString(s))
}

// line adds a line of text, and wraps it.
func (p *picture) line(class, s string) {
	const columns = 64 // of text of 12 pixels
	for s != "" {
		part := s
		if r := []rune(s); len(r) > columns {
			at := strings.LastIndex(string(r[:columns]), " ")
			if at <= 0 {
				at = len(string(r[:columns]))
			}
			part = s[:at]
		}
		p.y += 16
		p.text(4, p.y, class, part)
		s = strings.TrimLeft(s[len(part):], " ")
	}
}

func (p *picture) rect(x, y, w, h float64, class string) {
	fmt.Fprintf(&p.body, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" class=\"%s\"/>\n", short(x), short(y), short(w), short(h), class)
}

// fill is rect in a colour of its own, with an edge where it is not narrow.
func (p *picture) fill(x, y, w, h float64, colour string) {
	class := "part"
	if min(w, h) < 4 {
		class = "narrow"
	}
	fmt.Fprintf(&p.body, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" class=\"%s\" fill=\"%s\"/>\n", short(x), short(y), short(w), short(h), class, colour)
}

// grid draws empty cells, columns × rows of them.
func (p *picture) grid(x, y, cell, high float64, columns, rows int) {
	var path strings.Builder
	for i := 0; i <= columns; i++ {
		fmt.Fprintf(&path, "M%s %sv%s", short(x+float64(i)*cell), short(y), short(float64(rows)*high))
	}
	for i := 0; i <= rows; i++ {
		fmt.Fprintf(&path, "M%s %sh%s", short(x), short(y+float64(i)*high), short(float64(columns)*cell))
	}
	fmt.Fprintf(&p.body, "<path d=\"%s\" class=\"cell\"/>\n", path.String())
}

// short is a coordinate with at most two decimals.
func short(x float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", x), "0"), ".")
}

// grey is that of the i-th of n blocks, from light to dark.
func grey(i, n int) string { return fmt.Sprintf("hsl(205,10%%,%d%%)", 90-35*i/max(1, n-1)) }

// colour is that of the i-th of n warps, from blue to orange.
func colour(i, n int) string { return hue(205, i, n) }

// passColour is that of the i-th of n passes, from violet to green.
func passColour(i, n int) string { return hue(280, i, n) }

func hue(first, i, n int) string {
	return fmt.Sprintf("hsl(%d,75%%,75%%)", first-180*i/max(1, n-1))
}

// svg returns the whole file.
func (p *picture) svg(title, description string) string {
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %s\" role=\"img\" aria-labelledby=\"title desc\">\n", width, short(p.y+8)) +
		fmt.Sprintf("<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", html.EscapeString(title), html.EscapeString(description)) +
		style + p.body.String() + "</svg>\n"
}
