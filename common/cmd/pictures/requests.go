package main

import (
	"fmt"
	"slices"

	"transpose/common/trace"
)

// A lane takes part in a request: it asks for some bytes from byte at of a buffer on.
type lane struct {
	number int
	at     int64
}

func lanes(r trace.Request) (list []lane) {
	for i := 0; i < 32; i++ {
		if r.Active>>i&1 == 1 {
			list = append(list, lane{i, r.Lane(i)})
		}
	}
	return list
}

// pieces are the distinct pieces of some size that lanes touch, in order. An access is
// aligned, so it lies in one of at least its size.
func pieces(list []lane, size int64) (all []int64) {
	for _, l := range list {
		all = append(all, floor(l.at, size))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// floor is a/b rounded down.
func floor(a, b int64) int64 {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// A word is one of 4 bytes that a request asks for.
type word struct {
	index int64 // from the start of the buffer
	parts []part
}

// A part of a word is what one lane asks for of it.
type part struct {
	lane        int
	from, bytes int64
}

// words lists the words that lanes ask for, in the order of the lanes.
func words(list []lane, bytes int64) (all []word) {
	at := map[int64]int{}
	for _, l := range list {
		for b := l.at; b < l.at+bytes; b = 4*floor(b, 4) + 4 {
			w := floor(b, 4)
			if _, ok := at[w]; !ok {
				at[w] = len(all)
				all = append(all, word{index: w})
			}
			x := &all[at[w]]
			x.parts = append(x.parts, part{l.number, b - 4*w, min(l.at+bytes, 4*w+4) - b})
		}
	}
	return all
}

// A served is a word that a bank gives in a pass.
type served struct {
	word  int64
	bank  int
	pass  int // from 0
	lanes []int
}

// passes deals the words of a request out, as the data pipe of L1 and shared memory does
// (package ptx, wavefronts): 8 bytes a lane go by half warps, 16 by quarters; half as many
// parts for a load from shared memory of which every lane's partner, lane xor 1 or for all
// lane xor 2, has the same address or takes no part. In each part a bank gives one word a
// pass.
func passes(r trace.Request, a trace.Access) (list []served, count int) {
	all := lanes(r)
	parts := max(1, a.Bytes/4)
	if parts > 1 && a.Space == "shared" && !a.Store && (paired(all, 1) || paired(all, 2)) {
		parts /= 2
	}
	for first := 0; first < 32; first += 32 / parts {
		var depth [32]int
		at := map[int64]int{}
		for _, l := range all {
			if l.number < first || l.number >= first+32/parts {
				continue
			}
			for w := floor(l.at, 4); w <= floor(l.at+int64(a.Bytes)-1, 4); w++ {
				if i, ok := at[w]; ok {
					list[i].lanes = append(list[i].lanes, l.number)
					continue
				}
				at[w] = len(list)
				bank := int(w - 32*floor(w, 32))
				list = append(list, served{w, bank, count + depth[bank], []int{l.number}})
				depth[bank]++
			}
		}
		count += slices.Max(depth[:])
	}
	return list, count
}

func paired(list []lane, by int) bool {
	at := map[int]int64{}
	for _, l := range list {
		at[l.number] = l.at
	}
	for _, l := range list {
		if other, ok := at[l.number^by]; ok && other != l.at {
			return false
		}
	}
	return true
}

// cost is what one request of an instruction takes, over the launch.
func cost(a trace.Access) string {
	each := func(sum int64, what string) string {
		s := fmt.Sprintf("%.3g %ss", float64(sum)/float64(a.Requests), what)
		if sum == a.Requests {
			s = "1 " + what
		}
		return s
	}
	if a.Space == "shared" {
		return each(a.Wavefronts, "wavefront")
	}
	return fmt.Sprintf("%s, %.4g%% used, %s", each(a.Sectors, "sector"), 100*float64(a.BytesTouched)/float64(32*a.Sectors), each(a.Wavefronts, "wavefront"))
}

// own is what one request takes.
func own(a trace.Access, r trace.Request) string {
	passes := plural(int64(r.Wavefronts), "wavefront")
	if a.Space == "shared" {
		return passes
	}
	return plural(int64(r.Sectors), "sector") + ", " + passes
}

// kind is load, store, shared load, …
func kind(a trace.Access) string {
	s := "load"
	switch {
	case a.Atomic:
		s = "atomic"
	case a.Store:
		s = "store"
	}
	if a.Space == "shared" {
		s = "shared " + s
	}
	return s
}
