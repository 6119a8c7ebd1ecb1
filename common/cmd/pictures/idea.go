package main

import (
	"fmt"
	"slices"
	"strings"

	"transpose/common/trace"
)

// An area is what the warps of a block touch of a buffer.
type area struct {
	asks           map[int64][]ask // by the word, each warp once
	sectors        map[int64]map[int]bool
	rows, columns  map[int64]bool // of the matrix, or of the banks
	firstX, firstY int64          // its upper left corner
	wide           int64          // words a row: n, or 32 for banks
	tile           bool           // it is of shared memory
}

// An ask is the first lane of a warp that asks for a word.
type ask struct{ warp, lane int }

// areaOf is what a block touches of in or out.
func areaOf(k trace.Kernel, block int, buffer string, n int64) *area {
	return touched(k, block, buffer, n, func(trace.Access) bool { return true })
}

// tileOf is what a block touches of shared memory, in rows of its 32 banks.
func tileOf(k trace.Kernel, block int, which func(trace.Access) bool) *area {
	a := touched(k, block, "shared", 32, which)
	a.tile = true
	return a
}

func loads(a trace.Access) bool  { return !a.Store }
func stores(a trace.Access) bool { return a.Store || a.Atomic }

// touched is what a block touches of a buffer by some of its accesses, in rows of n words.
func touched(k trace.Kernel, block int, buffer string, n int64, which func(trace.Access) bool) *area {
	a := &area{map[int64][]ask{}, map[int64]map[int]bool{}, map[int64]bool{}, map[int64]bool{}, 1 << 40, 1 << 40, n, false}
	for _, r := range k.Requests {
		if r.Block != block || r.Buffer != buffer || r.Access < 0 || !which(k.Accesses[r.Access]) {
			continue
		}
		for _, w := range words(lanes(r), int64(k.Accesses[r.Access].Bytes)) {
			e := w.index
			if e < 0 || buffer != "shared" && e >= n*n {
				continue
			}
			if !slices.ContainsFunc(a.asks[e], func(x ask) bool { return x.warp == r.Warp }) {
				a.asks[e] = append(a.asks[e], ask{r.Warp, w.parts[0].lane})
			}
			if a.sectors[e/8] == nil {
				a.sectors[e/8] = map[int]bool{}
			}
			a.sectors[e/8][r.Warp] = true
			a.rows[e/n], a.columns[e%n] = true, true
			a.firstX, a.firstY = min(a.firstX, e%n), min(a.firstY, e/n)
		}
	}
	return a
}

// size is rows × columns where the area has every element of them.
func (a *area) size() string {
	return fmt.Sprintf("%d rows × %d columns", len(a.rows), len(a.columns))
}

// holes is how many words between its first and its last one nobody asks for.
func (a *area) holes() int64 {
	all := map[int64]bool{}
	for e := range a.asks {
		all[e] = true
	}
	if len(all) == 0 {
		return 0
	}
	list := sorted(all)
	return list[len(list)-1] - list[0] + 1 - int64(len(list))
}

// shared says how many warps ask for each sector.
func (a *area) shared() string {
	least, most := 1<<30, 0
	for _, warps := range a.sectors {
		least, most = min(least, len(warps)), max(most, len(warps))
	}
	s := fmt.Sprintf("%d sectors, each for %d warps", len(a.sectors), most)
	switch {
	case least != most:
		return fmt.Sprintf("%d sectors, each for %d to %d warps", len(a.sectors), least, most)
	case most == 1:
		return fmt.Sprintf("%d sectors, each for one warp", len(a.sectors))
	}
	return s
}

// A picture of an idea has two halves of this width, one from left on and one from second.
const left, second, half = 16.0, 212.0, 180.0

// drawIdea returns the picture of a kernel's blocks: where the first ones lie in in and in
// out, which warp of one of them has which elements, of the tile too, and which lanes ask
// for a sector.
func drawIdea(k trace.Kernel, n, block int) string {
	p := &picture{y: 20}
	p.text(4, p.y, "title", k.Name)
	p.text(width-4, p.y, "right", fmt.Sprintf("%d × %d blocks, n = %d", k.Grid.X, k.Grid.Y, n))
	first, numbers := firstBlocks(k)
	p.line("", numbers+", in the order in which they start:")
	p.y += 42
	for i, buffer := range []string{"in", "out"} {
		x := left + float64(i)*(second-left)
		p.text(x, p.y-20, "bold", buffer)
		p.blocks(k, first, buffer, int64(n), block, x, p.y)
	}
	p.y += half + 6
	p.line("", fmt.Sprintf("Framed: block %s. Its elements, a colour a warp:", at(k.Blocks[block])))
	p.warpColours(k)
	in, out := areaOf(k, block, "in", int64(n)), areaOf(k, block, "out", int64(n))
	stored, read := tileOf(k, block, stores), tileOf(k, block, loads)
	if len(stored.asks) == 0 && len(read.asks) == 0 {
		p.pair(k, panel{"in", in}, panel{"out", out})
	} else {
		p.pair(k, panel{"1. from in", in}, panel{"2. into the tile", stored})
		p.pair(k, panel{"3. out of the tile", read}, panel{"4. to out", out})
		if stored.holes() > 0 {
			p.line("", "Words of the tile that stay empty are padding.")
		}
	}
	p.y += 8
	p.line("", "One of these sectors, 8 elements, and who asks for each:")
	p.y += 22
	p.sector(k, "in", in, 4)
	p.sector(k, "out", out, second-left+8)
	p.y += 42
	var said []string
	for _, x := range []panel{{"in", in}, {"out", out}} {
		said = append(said, fmt.Sprintf("%s: %s, %s", x.name, x.size(), x.shared()))
		p.line("", said[len(said)-1])
	}
	return p.svg(k.Name+": where its blocks and warps read and write", fmt.Sprintf("Block %s of %d × %d. %s; %s.", at(k.Blocks[block]), k.Grid.X, k.Grid.Y, said[0], said[1]))
}

// mostOrdered is how many blocks are shown in their order.
const mostOrdered = 8

// firstBlocks are the first of the grid that were traced, and what their numbers are.
func firstBlocks(k trace.Kernel) (first []int, numbers string) {
	var list []string
	for b, at := range k.Blocks {
		if at.Y == 0 && at.Z == 0 && len(first) < mostOrdered {
			first = append(first, b)
			list = append(list, fmt.Sprint(at.X))
		}
	}
	last := len(first) - 1
	switch {
	case last == 0:
		return first, "Block " + list[0]
	case last > 0 && k.Blocks[first[last]].X == last:
		return first, fmt.Sprintf("Blocks 0 … %d", last)
	}
	return first, "Blocks " + strings.Join(list, ", ")
}

// blocks draws a whole matrix with what the first blocks touch of it. A number that has
// no room in its block stands at the edge.
func (p *picture) blocks(k trace.Kernel, first []int, buffer string, n int64, framed int, x, y float64) {
	p.rect(x, y, half, half, "whole")
	place := func(b int) (a *area, ax, ay, w, h float64) {
		a = areaOf(k, b, buffer, n)
		scale := half / float64(n)
		return a, x + float64(a.firstX)*scale, y + float64(a.firstY)*scale, float64(len(a.columns)) * scale, float64(len(a.rows)) * scale
	}
	for i, b := range first {
		a, ax, ay, w, h := place(b)
		if len(a.rows) == 0 {
			continue
		}
		p.fill(ax, ay, w, h, grey(i, len(first)))
		switch s := fmt.Sprint(k.Blocks[b].X); {
		case h >= 13 && w >= 9:
			p.text(ax+w/2, ay+h/2+4, "mid in", s)
		case a.firstY == 0 && w >= 9:
			p.text(ax+w/2, ay-4, "mid", s)
		case a.firstX == 0 && h >= 13:
			p.text(ax-4, ay+h/2+4, "right", s)
		}
	}
	if a, ax, ay, w, h := place(framed); len(a.rows) > 0 {
		p.rect(ax, ay, w, h, "here")
	}
}

// warpsOf is how many warps a block has.
func warpsOf(k trace.Kernel) int { return (k.Block.X*k.Block.Y*k.Block.Z + 31) / 32 }

// warpColours says which colour is which warp.
func (p *picture) warpColours(k trace.Kernel) {
	count := warpsOf(k)
	wide := min(22, (width-8-40)/float64(count))
	p.y += 20
	p.text(4, p.y, "", "warp")
	for w := 0; w < count; w++ {
		x := 40 + float64(w)*wide
		p.fill(x, p.y-12, wide, 16, colour(w, count))
		if every := (count + 15) / 16; w%every == 0 && (wide >= 18 || every > 1 || count <= 16) {
			p.text(x+wide/2, p.y, "mid in", fmt.Sprint(w))
		}
	}
	p.y += 8
}

// A panel is an area and what it is called.
type panel struct {
	name string
	*area
}

// pair draws two areas side by side.
func (p *picture) pair(k trace.Kernel, a, b panel) {
	p.y += 28
	top, bottom := p.y, p.y
	for i, x := range []panel{a, b} {
		px := 4 + float64(i)*(second-left+4)
		p.text(px, top-6, "bold", x.name)
		if x.tile {
			p.text(px+188, top-6, "right", "32 banks")
		}
		bottom = max(bottom, p.warps(k, x.area, px, top, 188))
	}
	p.y = bottom
}

// warps draws the elements of a block, coloured by the warp that has them, with the
// sectors outlined, and returns where it ends. The tile is as wide as its banks.
func (p *picture) warps(k trace.Kernel, a *area, x, y, size float64) (bottom float64) {
	n := a.wide
	columns, rows := sorted(a.columns), sorted(a.rows)
	wide := min(size/float64(max(len(columns), len(rows), 1)), 11)
	high := wide
	if a.tile {
		columns, wide = nil, size/32
		for i := int64(0); i < 32; i++ {
			columns = append(columns, i)
		}
	}
	px := func(e int64) float64 { return x + float64(slices.Index(columns, e%n))*wide }
	py := func(e int64) float64 { return y + float64(slices.Index(rows, e/n))*high }
	byWarp := map[int]map[int64]bool{}
	for e, w := range a.asks {
		if byWarp[w[0].warp] == nil {
			byWarp[w[0].warp] = map[int64]bool{}
		}
		byWarp[w[0].warp][e] = true
	}
	for w := 0; w < warpsOf(k); w++ {
		for _, run := range runs(sorted(byWarp[w]), n) {
			p.fill(px(run.from), py(run.from), wide*float64(run.to-run.from), high, colour(w, warpsOf(k)))
		}
	}
	if high >= 4 && !a.tile {
		sectors := map[int64]bool{}
		for s := range a.sectors {
			sectors[s] = true
		}
		for _, s := range sorted(sectors) {
			if e := 8 * s; a.columns[e%n] && a.rows[e/n] && a.columns[(e+7)%n] {
				p.rect(px(e), py(e), 8*wide, high, "sector")
			}
		}
	}
	return y + float64(len(rows))*high
}

// sector draws one that most warps ask for: of each of its elements the warp and the lane.
func (p *picture) sector(k trace.Kernel, name string, a *area, x float64) {
	best := int64(-1)
	for s, warps := range a.sectors {
		if m := len(a.sectors[best]); len(warps) > m || len(warps) == m && s < best {
			best = s
		}
	}
	if best < 0 {
		return
	}
	const cell, high, label = 19.0, 18.0, 36.0
	p.text(x, p.y-4, "bold", name)
	p.text(x, p.y+high/2+4, "", "warp")
	p.text(x, p.y+1.5*high+4, "lane", "lane")
	x += label
	for i := int64(0); i < 8; i++ {
		cx := x + float64(i)*cell
		asks := a.asks[8*best+i]
		if len(asks) == 0 {
			p.rect(cx, p.y, cell, 2*high, "unused")
			continue
		}
		p.fill(cx, p.y, cell, 2*high, colour(asks[0].warp, warpsOf(k)))
		p.text(cx+cell/2, p.y+high/2+4, "mid in", fmt.Sprint(asks[0].warp))
		p.text(cx+cell/2, p.y+1.5*high+4, "mid in", fmt.Sprint(asks[0].lane))
	}
	p.rect(x, p.y, 8*cell, 2*high, "sector")
}
