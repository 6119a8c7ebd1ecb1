package ptx

// A granuleTable knows who touched which granule of global memory, of those that the
// running block has touched: for entries of an interval a hash table, which forgets
// them when the interval ends, and for histories a map.
type granuleTable struct {
	slots     []slot
	used      int
	interval  uint64
	histories map[uint64]*history
	block     uint64 // first interval of the block that histories are of
}

// A slot is an entry and whose it is: together, as they are looked at together.
type slot struct {
	granule uint64
	touched
}

// touched returns the entry of a granule, which the caller sets.
func (t *granuleTable) touched(granule, interval uint64) *touched {
	if t.interval != interval {
		t.interval, t.used = interval, 0
	}
	if 2*t.used >= len(t.slots) {
		t.grow()
	}
	c, free := t.find(granule)
	if free {
		t.used++
	}
	return c
}

// find returns the entry of a granule, or a free one for it: one of another interval.
func (t *granuleTable) find(granule uint64) (c *touched, free bool) {
	last := uint64(len(t.slots) - 1)
	// Sixteen neighbours stay together, in an order of their own, as they are mostly
	// looked up together; rows a power of two apart must not meet in one place.
	h := granule >> 4 * 0x9E3779B97F4A7C15
	for i := (h>>20<<4 | (granule^h>>50)&15) & last; ; i = (i + 17) & last {
		s := &t.slots[i]
		switch {
		case max(s.written, s.read)>>intervalBits != t.interval:
			*s = slot{granule: granule}
			return &s.touched, true
		case s.granule == granule:
			return &s.touched, false
		}
	}
}

func (t *granuleTable) grow() {
	old := t.slots
	t.slots = make([]slot, max(1<<12, 2*len(old)))
	for _, s := range old {
		if max(s.written, s.read)>>intervalBits == t.interval {
			to, _ := t.find(s.granule)
			*to = s.touched
		}
	}
}

// history returns that of a granule.
func (t *granuleTable) history(granule, block uint64) *history {
	if t.block != block || t.histories == nil {
		t.block, t.histories = block, map[uint64]*history{}
	}
	h := t.histories[granule]
	if h == nil {
		h = &history{}
		t.histories[granule] = h
	}
	return h
}
