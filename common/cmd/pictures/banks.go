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
	const high = 11
	y, at := map[int64]float64{}, p.y+36
	for i, row := range sorted(rows) {
		if i > 0 && !rows[row-1] {
			at += gap / 2
		}
		y[row] = at
		at += high
	}
	p.text(left-6, p.y+14, "right", "byte")
	p.text(left, p.y+14, "bold", "32 banks")
	p.text(width-2, p.y+14, "right", "pass")
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
		p.fill(left+float64(s.bank)*cell+float64(i)*part, y[floor(s.word, 32)], part, high, colour(s.pass, count))
	}
	p.y = at + 2
	if count == 1 {
		p.line("bold", "1 pass serves them all")
	} else {
		p.line("bold", fmt.Sprintf("%d passes, one after the other: a colour is a pass", count))
	}
	return count
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
