package ptx

import "math/bits"

// countGlobal adds up what a request costs: sectors, distinct 32-byte pieces of
// memory; lines, distinct 128-byte ones, whose tags L1 looks up; wavefronts, passes
// through L1's data pipe, which is shared memory's too and has its 32 banks.
func (c *memCache) countGlobal(r *request) {
	c.requests++
	c.asked += int64(bits.OnesCount32(r.mask) * r.m.bytes)
	// Of addresses at given distances only the first one's place in its line matters.
	x := c.cost(r, r.at(0)&127)
	if !x.known {
		x.sectors, x.lines, x.touched = pieces(r)
		x.bestSectors = (x.touched + 31) / 32 // the same bytes side by side, aligned
		// Equal pairs of a wide load save nothing here, unlike in shared memory.
		x.wavefronts, x.best = wavefronts(r.row(), r.mask, r.m.bytes, true)
		x.known = true
	}
	c.sectors += x.sectors
	c.bestSectors += x.bestSectors
	c.lines += x.lines
	c.wavefronts += x.wavefronts
	c.best += x.best
	c.touched += x.touched
}

// cost returns what was found out about such a request, or an empty cost to
// fill in.
func (c *memCache) cost(r *request, low uint64) *cost {
	x := &c.costs[low>>2&31]
	if !x.fits(r, low) {
		x.set(r, low)
	}
	return x
}

// pieces returns the number of distinct sectors of a request, of distinct lines and
// of distinct bytes. An access of up to 16 bytes is aligned, so it lies in one sector.
func pieces(r *request) (sectors, lines, touched int64) {
	var id [32]uint64
	var used [32]uint32 // bytes of that sector
	n := 0
	bytes := uint32(mask(r.m.bytes))
	for rest := r.mask; rest != 0; rest &= rest - 1 {
		a := r.at(bits.TrailingZeros32(rest) & 31)
		// Neighbours mostly share a sector: look at the newest first.
		j, line := n-1, false
		for j >= 0 && id[j] != a>>5 {
			line = line || id[j]>>2 == a>>7
			j--
		}
		if j < 0 {
			j, n = n, n+1
			id[j] = a >> 5
			if !line {
				lines++
			}
		}
		used[j] |= bytes << (a & 31)
	}
	for _, u := range used[:n] {
		touched += int64(bits.OnesCount32(u))
	}
	return int64(n), lines, touched
}

// countShared adds up a request's wavefronts.
func (c *memCache) countShared(r *request) {
	c.requests++
	c.asked += int64(bits.OnesCount32(r.mask) * r.m.bytes)
	// Moving all addresses by whole words moves all banks alike.
	x := c.cost(r, r.at(0)&3)
	if !x.known {
		x.wavefronts, x.best = wavefronts(r.row(), r.mask, r.m.bytes, r.m.store)
		_, _, x.touched = pieces(r)
		x.known = true
	}
	c.wavefronts += x.wavefronts
	c.best += x.best
	c.touched += x.touched
}

// wavefronts returns how many passes over the 32 banks a request takes and how many
// it would take without conflicts. Measured: testdata/h200-counters.csv of shared
// memory, h200-l1.csv of global memory.
func wavefronts(addr *row, active uint32, bytes int, store bool) (n, best int64) {
	parts := max(1, bytes/4) // 8 bytes a lane go by half warps, 16 by quarters
	if parts > 1 && !store && (paired(addr, active, 1) || paired(addr, active, 2)) {
		parts /= 2
	}
	size := 32 / parts
	for first := 0; first < 32; first += size {
		if lanes := active & (uint32(mask(size)) << first); lanes != 0 {
			n += conflicts(addr, lanes, bytes)
			best++
		}
	}
	return n, best
}

// paired reports whether every active lane's partner, lane xor by, is inactive
// or has the same address.
func paired(addr *row, active uint32, by int) bool {
	for i := range addr {
		j := i ^ by
		if active>>i&1 == 1 && active>>j&1 == 1 && addr[i] != addr[j] {
			return false
		}
	}
	return true
}

// conflicts returns the largest number of distinct words in one bank.
func conflicts(addr *row, lanes uint32, bytes int) int64 {
	var words [32][32]uint64 // by bank
	var count [32]int
	most := 0
	for ; lanes != 0; lanes &= lanes - 1 {
		a := addr[bits.TrailingZeros32(lanes)&31]
		for w := a / 4; w <= (a+uint64(bytes)-1)/4; w++ {
			bank := w & 31
			seen := false
			for _, other := range words[bank][:count[bank]] {
				seen = seen || other == w
			}
			if !seen {
				words[bank][count[bank]] = w
				count[bank]++
				most = max(most, count[bank])
			}
		}
	}
	return int64(most)
}
