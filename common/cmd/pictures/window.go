package main

import (
	"fmt"
	"slices"

	"transpose/common/trace"
)

// A window is some rows and columns of a matrix, with what lies between left out.
type window struct {
	n             int64
	x, y          map[int64]float64 // where a column and a row are
	rows, columns []int64
	cell, high    float64
}

const (
	mostRows, mostColumns = 40, 136
	gap                   = 8 // in the place of what is left out
)

// newWindow makes a window of the elements that cells has, from x to the picture's edge
// and from y on. It returns nil where they are too many, or no elements.
func newWindow(n int64, rows, cells map[int64]bool, x, y float64) *window {
	w := &window{n: n, x: map[int64]float64{}, y: map[int64]float64{}, rows: sorted(rows)}
	columns := map[int64]bool{}
	for e := range cells {
		if rows[e/n] {
			columns[e%n] = true
		}
	}
	w.columns = sorted(columns)
	if len(w.rows) == 0 || len(w.rows) > mostRows || len(w.columns) > mostColumns {
		return nil
	}
	w.cell = (width - x - 4 - gap*float64(gaps(w.columns))) / float64(len(w.columns))
	w.cell = min(w.cell, 18)
	w.high = max(11, min(w.cell, 18))
	if len(w.rows) <= 2 {
		w.high = 18
	}
	for i, c := range w.columns {
		if i > 0 && c != w.columns[i-1]+1 {
			x += gap
		}
		w.x[c] = x
		x += w.cell
	}
	for i, r := range w.rows {
		if i > 0 && r != w.rows[i-1]+1 {
			y += gap
		}
		w.y[r] = y
		y += w.high
	}
	return w
}

func sorted(set map[int64]bool) (list []int64) {
	for x := range set {
		list = append(list, x)
	}
	slices.Sort(list)
	return list
}

// gaps is how often neighbours in a list do not follow each other.
func gaps(list []int64) (count int) {
	for i := 1; i < len(list); i++ {
		if list[i] != list[i-1]+1 {
			count++
		}
	}
	return count
}

// at is where an element is.
func (w *window) at(e int64) (x, y float64, ok bool) {
	x, ok = w.x[e%w.n]
	y, in := w.y[e/w.n]
	return x, y, ok && in
}

// move moves it down.
func (w *window) move(by float64) {
	for r := range w.y {
		w.y[r] += by
	}
}

func (w *window) bottom() float64 { return w.y[w.rows[len(w.rows)-1]] + w.high }

// A run is elements side by side in a row, those before to.
type run struct{ from, to int64 }

// runs are the runs of elements of a matrix with rows of n.
func runs(elements []int64, n int64) (list []run) {
	for _, e := range elements {
		if last := len(list) - 1; last >= 0 && list[last].to == e && e%n != 0 {
			list[last].to++
			continue
		}
		list = append(list, run{e, e + 1})
	}
	return list
}

// axes names the first and the last column of neighbours, and rows.
func (p *picture) axes(w *window, above float64) {
	first := 0
	for i := range w.columns {
		if i+1 < len(w.columns) && w.columns[i+1] == w.columns[i]+1 {
			continue
		}
		from, to := w.x[w.columns[first]], w.x[w.columns[i]]+w.cell
		switch name := fmt.Sprintf("%d … %d", w.columns[first], w.columns[i]); {
		case to-from > 90:
			p.text(from, above, "", fmt.Sprintf("column %d", w.columns[first]))
			p.text(to, above, "right", fmt.Sprint(w.columns[i]))
		case to > width-60:
			p.text(to, above, "right", name)
		default:
			p.text(from, above, "", name)
		}
		first = i + 1
	}
	last := -100.0
	for i, r := range w.rows {
		if len(w.rows) <= 4 || i%8 == 0 || i == len(w.rows)-1 && w.y[r]-last > 13 {
			p.text(36, w.y[r]+w.high/2+4, "right", fmt.Sprint(r))
			last = w.y[r]
		}
	}
}

// matrix draws a request in a window of its matrix: a cell is an element, hatched where
// it is moved and not asked for; around the eight of a sector and the 32 of a line there
// are outlines. It returns how many sectors it has drawn.
func (p *picture) matrix(r trace.Request, a trace.Access, n int64) (sectors int) {
	list := lanes(r)
	inside := r.Buffer == "in" || r.Buffer == "out"
	for _, l := range list {
		inside = inside && l.at >= 0 && l.at+int64(a.Bytes) <= 4*n*n
	}
	if !inside {
		return p.strips(r, a, list)
	}
	rows, touched, cells := map[int64]bool{}, map[int64]bool{}, map[int64]bool{}
	add := func(pieces []int64, size int64, set map[int64]bool) {
		for _, piece := range pieces {
			for e := piece * size; e < min(piece*size+size, n*n); e++ {
				set[e] = true
			}
		}
	}
	add(pieces(list, 32), 8, touched)
	add(pieces(list, 128), 32, cells)
	for e := range touched {
		rows[e/n] = true
	}
	w := newWindow(n, rows, cells, 40, p.y+34)
	if w == nil {
		return p.strips(r, a, list)
	}
	// Where the cells have no room for the lane's number it stands above a row or two,
	// and beside a column.
	small := !fits(w.cell, a)
	beside := small && len(w.rows) <= 2
	if beside {
		w.move(16)
	}
	p.text(4, p.y+14, "", fmt.Sprintf("%s[row][column]", r.Buffer))
	p.axes(w, p.y+30)
	if beside {
		_, y, _ := w.at(list[0].at / 4)
		p.text(36, y-4, "right lane", "lane")
	}
	asked := words(list, int64(a.Bytes))
	for _, run := range runs(sorted(cells), n) {
		if x, y, ok := w.at(run.from); ok {
			p.grid(x, y, w.cell, w.high, int(run.to-run.from), 1)
		}
	}
	unused := map[int64]bool{}
	for e := range touched {
		unused[e] = true
	}
	for _, x := range asked {
		delete(unused, x.index)
	}
	for _, run := range runs(sorted(unused), n) {
		if x, y, ok := w.at(run.from); ok {
			p.rect(x, y, float64(run.to-run.from)*w.cell, w.high, "unused")
		}
	}
	p.asked(asked, a, w.cell, w.high, func(e int64) (float64, float64) { x, y, _ := w.at(e); return x, y })
	for _, piece := range pieces(list, 128) {
		p.outline(w, piece*32, 32, "line")
	}
	for _, piece := range pieces(list, 32) {
		p.outline(w, piece*8, 8, "sector")
	}
	switch {
	case beside:
		p.above(w, list)
	case small:
		p.besideRows(w, list, touched)
	}
	p.y = w.bottom() + 4
	return len(pieces(list, 32))
}

// outline frames count elements from e on, row by row: a piece can end in another row
// than it begins in.
func (p *picture) outline(w *window, e, count int64, class string) {
	for end := min(e+count, w.n*w.n); e < end; {
		stop := min(end, (e/w.n+1)*w.n)
		if x, y, ok := w.at(e); ok {
			p.rect(x, y, float64(stop-e)*w.cell, w.high, class)
		}
		e = stop
	}
}

// asked fills the words that are asked for, with the lane's number where there is room.
func (p *picture) asked(all []word, a trace.Access, cell, high float64, at func(word int64) (x, y float64)) {
	class := "load"
	if a.Store {
		class = "store"
	}
	numbered := map[int]bool{}
	type number struct {
		x, y float64
		lane int
	}
	var numbers []number
	for _, w := range all {
		x, y := at(w.index)
		for _, part := range w.parts {
			p.rect(x+cell*float64(part.from)/4, y, cell*float64(part.bytes)/4, high, class)
		}
		wide := cell * max(1, float64(a.Bytes)/4)
		if l := w.parts[0].lane; fits(cell, a) && !numbered[l] {
			numbered[l] = true
			numbers = append(numbers, number{x + wide/2, y + high/2 + 4, l})
		}
	}
	for _, n := range numbers {
		p.text(n.x, n.y, "mid in", fmt.Sprint(n.lane))
	}
}

// fits reports whether a lane's number has room in what it asks for.
func fits(cell float64, a trace.Access) bool { return cell*max(1, float64(a.Bytes)/4) >= 15 }

// some reports whether a lane is one of the few that are named.
func some(l int) bool { return l%8 == 0 || l == 31 }

// above says over some lanes' elements which lane it is.
func (p *picture) above(w *window, list []lane) {
	for _, l := range list {
		if x, y, _ := w.at(l.at / 4); some(l.number) {
			p.text(x+w.cell/2, y-4, "mid lane", fmt.Sprint(l.number))
		}
	}
}

// besideRows says beside the sectors of some lanes which lane it is.
func (p *picture) besideRows(w *window, list []lane, touched map[int64]bool) {
	for _, l := range list {
		if !some(l.number) {
			continue
		}
		from, to := l.at/4, l.at/4
		for to%w.n != w.n-1 && touched[to+1] {
			to++
		}
		for from%w.n != 0 && touched[from-1] {
			from--
		}
		left, y, _ := w.at(from)
		right, _, _ := w.at(to)
		p.laneBeside(l.number, left, right+w.cell, y+w.high/2+4, width)
	}
}

// laneBeside names a lane to the right of what lies from left to right, or to its left
// where that would go over the edge.
func (p *picture) laneBeside(lane int, left, right, y, edge float64) {
	const wide = 52
	if right+wide < edge {
		p.text(right+4, y, "lane", fmt.Sprintf("lane %d", lane))
	} else {
		p.text(left-4, y, "right lane", fmt.Sprintf("lane %d", lane))
	}
}

// strips draws the sectors of a request as pieces of memory, each with its place.
func (p *picture) strips(r trace.Request, a trace.Access, list []lane) (sectors int) {
	const left, cell, high = 116, 34, 16
	name := r.Buffer
	if name == "" {
		name = "address"
	}
	p.text(4, p.y+14, "", name+": where each sector begins, in bytes")
	place := map[int64]float64{}
	all, asked := pieces(list, 32), words(list, int64(a.Bytes))
	for i, s := range all {
		y := p.y + 22 + float64(i)*(high+3)
		place[s] = y
		p.text(left-6, y+high/2+4, "right", fmt.Sprint(32*s))
		for k := int64(0); k < 8; k++ {
			class := "unused"
			if slices.ContainsFunc(asked, func(x word) bool { return x.index == 8*s+k }) {
				class = "cell"
			}
			p.rect(left+float64(k)*cell, y, cell, high, class)
		}
	}
	p.asked(asked, a, cell, high, func(w int64) (float64, float64) {
		s := floor(w, 8)
		return left + float64(w-8*s)*cell, place[s]
	})
	for _, s := range all {
		p.rect(left, place[s], 8*cell, high, "sector")
	}
	p.y += 22 + float64(len(all))*(high+3) + 4
	return len(all)
}
