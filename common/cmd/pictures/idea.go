package main

import (
	"fmt"
	"slices"

	"transpose/common/trace"
)

// An area is what some warps touch of a matrix.
type area struct {
	warps          map[int64][]int // that touch an element, by the element
	sectors        map[int64]map[int]bool
	rows, columns  map[int64]bool
	firstX, firstY int64 // its upper left corner
}

// areaOf is what a block touches of in or out.
func areaOf(k trace.Kernel, block int, buffer string, n int64) *area {
	a := &area{map[int64][]int{}, map[int64]map[int]bool{}, map[int64]bool{}, map[int64]bool{}, n, n}
	for _, r := range k.Requests {
		if r.Block != block || r.Buffer != buffer {
			continue
		}
		for _, w := range words(lanes(r), int64(k.Accesses[r.Access].Bytes)) {
			e := w.index
			if e < 0 || e >= n*n {
				continue
			}
			if !slices.Contains(a.warps[e], r.Warp) {
				a.warps[e] = append(a.warps[e], r.Warp)
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

// drawIdea returns the picture of a kernel's blocks: where the first ones lie in in and in
// out, and which warp of one of them has which elements.
func drawIdea(k trace.Kernel, n, block int) string {
	p := &picture{y: 20}
	p.text(4, p.y, "title", k.Name)
	p.text(width-4, p.y, "right", fmt.Sprintf("%d × %d blocks, n = %d", k.Grid.X, k.Grid.Y, n))
	const size, second = 188, 206
	top := p.y + 28
	var said []string
	for i, buffer := range []string{"in", "out"} {
		x := 4 + float64(i)*second
		p.text(x, top-6, "bold", buffer)
		p.blocks(k, buffer, int64(n), block, x, top, size)
	}
	p.y = top + size
	p.line("", fmt.Sprintf("Coloured: blocks 0 … %d, in the order in which they start.", min(int(k.Grid.X), mostOrdered)-1))
	p.line("", fmt.Sprintf("Framed: block %s, whose elements stand below, a colour a warp:", dim(k.Blocks[block])))
	top = p.y + 26
	bottom := top
	for i, buffer := range []string{"in", "out"} {
		a := areaOf(k, block, buffer, int64(n))
		x := 4 + float64(i)*second
		p.text(x, top-6, "bold", buffer)
		p.text(x+size, top-6, "right", a.size())
		bottom = max(bottom, p.warps(k, a, int64(n), x, top, size))
		said = append(said, fmt.Sprintf("%s: %s, %s", buffer, a.size(), a.shared()))
	}
	p.y = bottom
	for _, s := range said {
		p.line("", s)
	}
	return p.svg(k.Name+": where its blocks and warps read and write", fmt.Sprintf("Block %s of %d × %d. %s; %s.", dim(k.Blocks[block]), k.Grid.X, k.Grid.Y, said[0], said[1]))
}

// mostOrdered is how many blocks are shown in their order.
const mostOrdered = 8

// blocks draws a whole matrix with what the first blocks touch of it.
func (p *picture) blocks(k trace.Kernel, buffer string, n int64, framed int, x, y, size float64) {
	scale := size / float64(n)
	p.rect(x, y, size, size, "whole")
	count := min(k.Grid.X, mostOrdered)
	for b := range k.Blocks {
		number := k.Blocks[b].X + k.Grid.X*k.Blocks[b].Y
		if number >= count && b != framed {
			continue
		}
		a := areaOf(k, b, buffer, n)
		if len(a.rows) == 0 {
			continue
		}
		ax, ay, w, h := x+float64(a.firstX)*scale, y+float64(a.firstY)*scale, float64(len(a.columns))*scale, float64(len(a.rows))*scale
		if number < count {
			p.fill(ax, ay, w, h, colour(number, count))
			if h >= 13 && w >= 9 {
				p.text(ax+w/2, ay+h/2+4, "mid in", fmt.Sprint(number))
			}
		}
		if b == framed {
			p.rect(ax, ay, w, h, "here")
		}
	}
}

// warps draws the elements of a block, coloured by the warp that has them, with the
// sectors outlined, and returns where it ends.
func (p *picture) warps(k trace.Kernel, a *area, n int64, x, y, size float64) (bottom float64) {
	all := sorted(a.columns)
	rows := sorted(a.rows)
	cell := min(size/float64(max(len(all), len(rows))), 11)
	px := func(e int64) float64 { return x + float64(slices.Index(all, e%n))*cell }
	py := func(e int64) float64 { return y + float64(slices.Index(rows, e/n))*cell }
	warps := (k.Block.X*k.Block.Y*k.Block.Z + 31) / 32
	byWarp := map[int]map[int64]bool{}
	for e, w := range a.warps {
		if byWarp[w[0]] == nil {
			byWarp[w[0]] = map[int64]bool{}
		}
		byWarp[w[0]][e] = true
	}
	for w := range warps {
		for _, run := range runs(sorted(byWarp[w]), n) {
			p.fill(px(run.from), py(run.from), cell*float64(run.to-run.from), cell, colour(w, warps))
		}
	}
	if cell >= 4 {
		sectors := map[int64]bool{}
		for s := range a.sectors {
			sectors[s] = true
		}
		for _, s := range sorted(sectors) {
			if e := 8 * s; a.columns[e%n] && a.rows[e/n] && a.columns[(e+7)%n] {
				p.rect(px(e), py(e), 8*cell, cell, "sector")
			}
		}
	}
	return y + float64(len(rows))*cell
}
