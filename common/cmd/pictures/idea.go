package main

import (
	"fmt"
	"slices"

	"transpose/common/trace"
)

// An area is what the warps of a block touch of a buffer.
type area struct {
	asks           map[int64][]ask // by the word, each warp once
	sectors        map[int64]map[int]bool
	rows, columns  map[int64]bool // of the matrix, or of the banks
	firstX, firstY int64          // its upper left corner
	columnsOf      int64          // of the matrix, or how many banks there are
}

// banks is how many words shared memory has side by side.
const banks = 32

// An ask is the first lane of a warp that asks for a word.
type ask struct{ warp, lane int }

// areaOf is what a block touches of in or out, or of shared memory: loads, stores or both.
// n is how many words a row has.
func areaOf(k trace.Kernel, block int, buffer string, n int64, which func(trace.Access) bool) *area {
	a := &area{map[int64][]ask{}, map[int64]map[int]bool{}, map[int64]bool{}, map[int64]bool{}, n, 1 << 40, n}
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

func any(trace.Access) bool      { return true }
func loads(a trace.Access) bool  { return !a.Store }
func stores(a trace.Access) bool { return a.Store || a.Atomic }

// size is rows × columns where the area has every element of them.
func (a *area) size() string {
	return fmt.Sprintf("%d rows × %d columns", len(a.rows), len(a.columns))
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
	p.line("", fmt.Sprintf("Blocks 0 … %d, in the order in which they start:", min(k.Grid.X, mostOrdered)-1))
	p.y += 42
	for i, buffer := range []string{"in", "out"} {
		x := left + float64(i)*(second-left)
		p.text(x, p.y-20, "bold", buffer)
		p.blocks(k, buffer, int64(n), block, x, p.y, half)
	}
	p.y += half + 6
	p.line("", fmt.Sprintf("The framed one is block %s. Its elements, a colour a warp:", dim(k.Blocks[block])))
	p.warpColours(k)
	in, out := areaOf(k, block, "in", int64(n), any), areaOf(k, block, "out", int64(n), any)
	stored, read := areaOf(k, block, "shared", banks, stores), areaOf(k, block, "shared", banks, loads)
	if len(stored.asks) == 0 && len(read.asks) == 0 {
		p.pair(k, panel{"in", in}, panel{"out", out})
	} else {
		p.pair(k, panel{"1. from in", in}, panel{"2. into the tile", stored})
		p.pair(k, panel{"3. out of the tile", read}, panel{"4. to out", out})
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
	return p.svg(k.Name+": where its blocks and warps read and write", fmt.Sprintf("Block %s of %d × %d. %s; %s.", dim(k.Blocks[block]), k.Grid.X, k.Grid.Y, said[0], said[1]))
}

// mostOrdered is how many blocks are shown in their order.
const mostOrdered = 8

// blocks draws a whole matrix with what the first blocks touch of it. A number that has
// no room in its block stands at the edge.
func (p *picture) blocks(k trace.Kernel, buffer string, n int64, framed int, x, y, size float64) {
	scale := size / float64(n)
	p.rect(x, y, size, size, "whole")
	count := min(k.Grid.X, mostOrdered)
	for b := range k.Blocks {
		number := k.Blocks[b].X + k.Grid.X*k.Blocks[b].Y
		if number >= count && b != framed {
			continue
		}
		a := areaOf(k, b, buffer, n, any)
		if len(a.rows) == 0 {
			continue
		}
		ax, ay, w, h := x+float64(a.firstX)*scale, y+float64(a.firstY)*scale, float64(len(a.columns))*scale, float64(len(a.rows))*scale
		if number < count {
			p.fill(ax, ay, w, h, colour(number, count))
			switch s := fmt.Sprint(number); {
			case h >= 13 && w >= 9:
				p.text(ax+w/2, ay+h/2+4, "mid in", s)
			case a.firstY == 0 && w >= 9:
				p.text(ax+w/2, ay-4, "mid", s)
			case a.firstX == 0 && h >= 13:
				p.text(ax-4, ay+h/2+4, "right", s)
			}
		}
		if b == framed {
			p.rect(ax, ay, w, h, "here")
		}
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
		if x.columnsOf == banks {
			p.text(px+188, top-6, "right", "32 banks")
		}
		bottom = max(bottom, p.warps(k, x.area, px, top, 188))
	}
	p.y = bottom
}

// warps draws the elements of a block, coloured by the warp that has them, with the
// sectors outlined, and returns where it ends. The tile is as wide as its banks.
func (p *picture) warps(k trace.Kernel, a *area, x, y, size float64) (bottom float64) {
	n := a.columnsOf
	columns, rows := sorted(a.columns), sorted(a.rows)
	wide := min(size/float64(max(len(columns), len(rows), 1)), 11)
	high := wide
	if n == banks {
		columns, wide = nil, size/banks
		for i := int64(0); i < banks; i++ {
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
	if high >= 4 && n != banks {
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
