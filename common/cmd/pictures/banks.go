package main

import (
	"fmt"
	"slices"

	"transpose/common/trace"
)

// banks draws the 32 banks, a row for each 128 bytes that a request touches, its words
// coloured by the pass that serves them; the passes stand at the side. It returns how many
// there are.
func (p *picture) banks(r trace.Request, a trace.Access) int {
	const left, right = 58, 40
	const cell = float64(width-left-right) / 32
	list, count := passes(r, a)
	rows := map[int64]bool{}
	for _, s := range list {
		rows[floor(s.word, 32)] = true
	}
	high, at := 11.0, p.y+36
	if len(rows) <= 8 {
		high = 13 // each has room for its byte
	}
	over := a.Bytes <= 4 && len(rows) <= 2 // where the lanes are named
	if over {
		p.text(left-6, at+10, "right lane", "lane")
		at += 16
	}
	y := map[int64]float64{}
	for i, row := range sorted(rows) {
		if i > 0 && !rows[row-1] {
			at += gap / 2
		}
		y[row] = at
		at += high
	}
	p.text(left-6, p.y+30, "right", "byte")
	p.text(left, p.y+14, "bold", "32 banks")
	p.text(width-2, p.y+30, "right", "pass")
	for bank := 0; bank < 32; bank += 8 {
		p.text(left+(float64(bank)+.5)*cell, p.y+30, "mid", fmt.Sprint(bank))
	}
	p.text(left+31.5*cell, p.y+30, "mid", "31")
	last := -100.0
	for _, row := range sorted(rows) {
		p.grid(left, y[row], cell, high, 32, 1)
		if y[row]-last < 13 {
			continue
		}
		last = y[row]
		p.text(left-6, y[row]+high/2+4.5, "right", fmt.Sprint(128*row))
		p.text(left+32*cell+5, y[row]+high/2+4.5, "", passesOf(list, row))
	}
	byWord := map[int64][]served{}
	for _, s := range list {
		byWord[s.word] = append(byWord[s.word], s)
	}
	for _, s := range list {
		// A word that two parts of a wide request ask for is served twice.
		same := byWord[s.word]
		i := slices.IndexFunc(same, func(x served) bool { return x.pass == s.pass })
		part := cell / float64(len(same))
		p.fill(left+float64(s.bank)*cell+float64(i)*part, y[floor(s.word, 32)], part, high, passColour(s.pass, count))
	}
	p.y = at + 2
	if over {
		p.lanesAbove(list, sorted(rows), left, cell, high, y)
	} else if a.Bytes <= 4 && 2*len(rows) >= len(list) {
		p.lanesInRows(list, left, cell, high, y)
	}
	p.passes(list, count)
	p.banksFurther(r)
	return count
}

// lanesAbove names some lanes above the first row of the banks, and below a second.
func (p *picture) lanesAbove(list []served, rows []int64, left, cell, high float64, y map[int64]float64) {
	second := false
	var named []served
	for _, s := range list {
		l, row := s.lanes[0], floor(s.word, 32)
		near := slices.ContainsFunc(named, func(o served) bool {
			return floor(o.word, 32) == row && max(o.bank-s.bank, s.bank-o.bank) < 2
		})
		if !some(l) || near {
			continue
		}
		named = append(named, s)
		at := y[row] - 4
		if row != rows[0] {
			at, second = y[row]+high+11, true
		}
		p.text(left+(float64(s.bank)+.5)*cell, at, "mid lane", fmt.Sprint(l))
	}
	if second {
		p.y += 12
	}
}

// lanesInRows names some lanes beside their words, where the row has no other near.
func (p *picture) lanesInRows(list []served, left, cell, high float64, y map[int64]float64) {
	count := map[int64]int{}
	for _, s := range list {
		count[floor(s.word, 32)]++
	}
	for _, s := range list {
		if row := floor(s.word, 32); some(s.lanes[0]) && count[row] == 1 {
			x := left + float64(s.bank)*cell
			p.laneBeside(s.lanes[0], x, x+cell, y[row]+high/2+4.5, left+32*cell)
		}
	}
}

// passes says how many there are, and of a few which lanes each serves.
func (p *picture) passes(list []served, count int) {
	const few = 4
	switch {
	case count == 1:
		p.line("bold", "1 wavefront: one pass serves them all")
		return
	case count > few:
		p.line("bold", fmt.Sprintf("%d wavefronts: passes, one after the other", count))
		p.line("", fmt.Sprintf("for %d bytes, and a pass can carry 128. A colour is a pass.", 4*len(list)))
		return
	}
	p.line("bold", fmt.Sprintf("%d wavefronts: passes, one after the other", count))
	p.line("", fmt.Sprintf("for %d bytes, and a pass can carry 128:", 4*len(list)))
	for i := 0; i < count; i++ {
		if i%2 == 0 {
			p.y += 17
		}
		x := 4 + float64(i%2)*196
		p.fill(x, p.y-10, 12, 12, passColour(i, count))
		p.text(x+18, p.y, "", fmt.Sprintf("pass %d: %s", i+1, lanesOf(list, i)))
	}
}

// banksFurther says how far a lane's bank is from the one of the lane before it, where
// all are as far: it is why a column of a tile needs padding.
func (p *picture) banksFurther(r trace.Request) {
	all := lanes(r)
	if len(all) < 2 {
		return
	}
	step := all[1].at - all[0].at
	for i := 1; i < len(all); i++ {
		if all[i].number != all[i-1].number+1 || all[i].at-all[i-1].at != step {
			return
		}
	}
	if step < 128 || step%4 != 0 {
		return // neighbours, or the same word
	}
	bank := "the same bank again"
	if by := step / 4 % 32; by != 0 {
		bank = plural(by, "bank") + " further"
	}
	p.line("", fmt.Sprintf("From one lane to the next %d bytes: %s.", step, bank))
}

// lanesOf says which lanes a pass serves: lanes 0 … 7 where they follow each other.
func lanesOf(list []served, pass int) string {
	var all []int
	for _, s := range list {
		if s.pass == pass {
			all = append(all, s.lanes...)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	first, last := all[0], all[len(all)-1]
	switch {
	case len(all) == 1:
		return fmt.Sprintf("lane %d", first)
	case last-first == len(all)-1:
		return fmt.Sprintf("lanes %d … %d", first, last)
	}
	return fmt.Sprintf("%d lanes", len(all))
}

// passesOf are the passes that serve a row, from 1.
func passesOf(list []served, row int64) string {
	var all []int
	for _, s := range list {
		if floor(s.word, 32) == row {
			all = append(all, s.pass+1)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) == 1 {
		return fmt.Sprint(all[0])
	}
	return fmt.Sprintf("%d–%d", all[0], all[len(all)-1])
}
