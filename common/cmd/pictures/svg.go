package main

import (
	"fmt"
	"html"
	"strings"
)

// Sizes, in units of which a picture is 720 wide. A cell holds two digits.
const (
	width  = 720
	margin = 24
	cell   = 21 // 32 of them and both margins are the width
	row    = 17 // height of a cell
)

// The colours are of the palette of Okabe and Ito, which those who see fewer
// colours can tell apart; each comes with the text that reads best on it. The
// white ground is the picture's own, so that it stands on any page.
const style = `<style>
text { font: 13px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #222 }
.title { font-size: 17px; font-weight: 600 }
.bold { font-weight: 600 }
.code { font-family: ui-monospace, Consolas, Menlo, "DejaVu Sans Mono", monospace }
.note { fill: #555 }
.right { text-anchor: end }
.mid { text-anchor: middle }
.ground { fill: #fff; stroke: #999 }
.lane { fill: #e4e4e4; stroke: #999 }
.grid { fill: none; stroke: #bbb }
.load { fill: #0072b2; stroke: #fff }
.store { fill: #e69f00; stroke: #fff }
.on-load { fill: #fff }
.on-store { fill: #000 }
.wire { stroke: #888; stroke-width: 1 }
.frame { fill: none; stroke: #555 }
</style>
`

// A picture is an SVG that grows downwards.
type picture struct {
	body strings.Builder
	y    int // where the next part begins
}

func (p *picture) text(x, y int, class, s string) {
	fmt.Fprintf(&p.body, "<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>\n", x, y, class, html.EscapeString(s))
}

func (p *picture) rect(x, y, w, h int, class string) {
	fmt.Fprintf(&p.body, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"%s\"/>\n", x, y, w, h, class)
}

func (p *picture) wire(x1, y1, x2, y2 int) {
	fmt.Fprintf(&p.body, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" class=\"wire\"/>\n", x1, y1, x2, y2)
}

// grid draws empty cells, columns × rows of them.
func (p *picture) grid(x, y, columns, rows int) {
	var path strings.Builder
	for i := 0; i <= columns; i++ {
		fmt.Fprintf(&path, "M%d %dv%d", x+i*cell, y, rows*row)
	}
	for i := 0; i <= rows; i++ {
		fmt.Fprintf(&path, "M%d %dh%d", x, y+i*row, columns*cell)
	}
	fmt.Fprintf(&p.body, "<path d=\"%s\" class=\"grid\"/>\n", path.String())
}

// number draws a cell with a number in it.
func (p *picture) number(x, y int, class, textClass string, v int) {
	p.rect(x, y, cell, row, class)
	p.text(x+cell/2, y+13, "mid "+textClass, fmt.Sprint(v))
}

// numbers draws the cells 0 … 31 side by side: lanes, or banks.
func (p *picture) numbers(label string) {
	p.text(margin, p.y+13, "note", label)
	p.y += 20
	for i := 0; i < 32; i++ {
		p.number(margin+i*cell, p.y, "lane", "", i)
	}
	p.y += row
}

// svg returns the whole file.
func (p *picture) svg(title, description string) string {
	height := p.y + margin/2
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"title desc\">\n", width, height) +
		fmt.Sprintf("<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", html.EscapeString(title), html.EscapeString(description)) +
		style +
		fmt.Sprintf("<rect x=\"1\" y=\"1\" width=\"%d\" height=\"%d\" rx=\"8\" class=\"ground\"/>\n", width-2, height-2) +
		p.body.String() + "</svg>\n"
}
