package main

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"transpose/common"
	"transpose/common/ptx"
)

// draw returns the picture of a kernel: a part for each of its requests.
func draw(kernel, source string, requests []request) (string, error) {
	p := &picture{y: margin + 10}
	p.text(margin, p.y, "title code", kernel)
	p.text(width-margin, p.y, "right note", fmt.Sprintf("one warp: block (%d, %d), threadIdx.y = %s; n = %d", traceBlock.X, traceBlock.Y, tracedRows(kernel), n))
	p.y += 12
	var parts []string
	for _, r := range requests {
		if r.Active != 1<<32-1 || r.Bytes%4 != 0 || r.Bytes > 4 && r.Space == ptx.Shared {
			return "", fmt.Errorf("line %d: %d lanes access %d bytes each: only 32 lanes with whole words can be drawn, and one word each in shared memory", r.Line, bits.OnesCount32(r.Active), r.Bytes)
		}
		cost := costText(r)
		parts = append(parts, kind(r)+": "+cost)
		p.y += 14
		p.text(margin, p.y+13, "bold", kind(r))
		p.text(margin+100, p.y+13, "code", common.Snippet(source, r.Line, r.Store))
		p.text(width-margin, p.y+13, "right bold", cost)
		p.y += 22
		drawn, counted := 0, r.counts.Sectors
		if r.Space == ptx.Global {
			drawn = p.sectors(r)
		} else {
			drawn, counted = p.banks(r), r.counts.Wavefronts
		}
		if int64(drawn)*r.counts.Requests != counted {
			return "", fmt.Errorf("line %d: %d sectors or wavefronts drawn, %d counted in %d requests", r.Line, drawn, counted, r.counts.Requests)
		}
	}
	return p.svg(kernel+": what one warp asks of memory", strings.Join(parts, "; ")+"."), nil
}

// kind is load, store, shared load or shared store.
func kind(r request) string {
	s := "load"
	if r.Store {
		s = "store"
	}
	if r.Space == ptx.Shared {
		s = "shared " + s
	}
	return s
}

// costText is what the launch counted for one request of this instruction.
func costText(r request) string {
	c := r.counts
	if r.Space == ptx.Shared {
		if c.Wavefronts == c.Requests {
			return "1 wavefront"
		}
		return fmt.Sprintf("%d wavefronts", c.Wavefronts/c.Requests)
	}
	return fmt.Sprintf("%d sectors, %.4g%% used", c.Sectors/c.Requests, 100*float64(c.BytesTouched)/float64(32*c.Sectors))
}

// class is how a word that was asked for is filled.
func class(r request) string {
	if r.Store {
		return "store"
	}
	return "load"
}

// sectors draws the 32 lanes above the sectors that they touch, each a column of
// its 8 words, and returns how many sectors there are. So the area of all columns
// is what memory has to move, and what is filled of it is what was asked for.
func (p *picture) sectors(r request) int {
	var sectors []uint64
	for _, a := range r.Addr {
		sectors = append(sectors, a/32)
	}
	slices.Sort(sectors)
	sectors = slices.Compact(sectors)

	p.numbers("32 lanes")
	const fan = 30
	left := func(k int) int { return margin + (2*k+1)*32*cell/(2*len(sectors)) - cell/2 }
	for lane, a := range r.Addr {
		k, _ := slices.BinarySearch(sectors, a/32)
		p.wire(margin+lane*cell+cell/2, p.y, left(k)+cell/2, p.y+fan)
	}
	p.y += fan
	for k := range sectors {
		p.grid(left(k), p.y, 1, 8)
	}
	for lane, a := range r.Addr {
		k, _ := slices.BinarySearch(sectors, a/32)
		for b := 0; b < r.Bytes; b += 4 { // aligned, so all in one sector
			p.number(left(k), p.y+int(a%32+uint64(b))/4*row, class(r), "on-"+class(r), lane)
		}
	}
	for k := range sectors {
		p.rect(left(k), p.y, cell, 8*row, "frame")
	}
	p.y += 8*row + 4
	p.text(margin, p.y+13, "note", fmt.Sprintf("%d sectors of 8 words, %s; a number is the lane that asks for the word", len(sectors), apart(sectors)))
	p.y += 20
	return len(sectors)
}

// apart says how far the sectors lie from each other.
func apart(sectors []uint64) string {
	for k := 2; k < len(sectors); k++ {
		if sectors[k]-sectors[k-1] != sectors[1]-sectors[0] {
			return "scattered"
		}
	}
	switch {
	case len(sectors) == 1:
		return "one alone"
	case sectors[1]-sectors[0] == 1:
		return "side by side"
	default:
		return fmt.Sprintf("%g KiB apart", float64(32*(sectors[1]-sectors[0]))/1024)
	}
}

// banks draws the 32 banks and below them, row by row, the wavefronts: which lane
// each bank serves in it. Lanes that want the same word are served together. It
// returns the number of wavefronts.
func (p *picture) banks(r request) int {
	p.numbers("32 banks")
	p.y += 6
	waves := wavefronts(r.Addr)
	p.grid(margin, p.y, 32, len(waves))
	for i, wave := range waves {
		if len(waves) > 1 {
			p.text(margin-4, p.y+13, "right note", fmt.Sprint(i+1))
		}
		for bank, lane := range wave {
			if lane >= 0 {
				p.number(margin+bank*cell, p.y, class(r), "on-"+class(r), lane)
			}
		}
		p.y += row
	}
	p.y += 4
	p.text(margin, p.y+13, "note", "a row is a wavefront; a number is the lane that the bank serves in it")
	p.y += 20
	return len(waves)
}

// wavefronts deals the requested words out: one of each bank to each wavefront,
// in the order of the lanes. The result has, for each wavefront and bank, the
// first lane that wants the word, or -1.
func wavefronts(addr [32]uint64) [][32]int {
	var waves [][32]int
	var depth [32]int // wavefronts that use a bank
	dealt := map[uint64]bool{}
	for lane, a := range addr {
		word := a / 4
		if dealt[word] {
			continue
		}
		dealt[word] = true
		bank := word % 32
		if depth[bank] == len(waves) {
			var none [32]int
			for i := range none {
				none[i] = -1
			}
			waves = append(waves, none)
		}
		waves[depth[bank]][bank] = lane
		depth[bank]++
	}
	return waves
}
