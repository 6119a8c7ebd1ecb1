package ptx

// A granuleTable knows who touched which granule of global memory, of those that the
// running block has touched: for entries of an interval a hash table, which forgets
// them when the interval ends, and for histories a map.
type granuleTable struct {
	keys      []uint64
	cells     []touched
	used      int
	interval  uint64
	histories map[uint64]*history
	block     uint64 // first interval of the block that histories are of
}

// touched returns the entry of a granule, which the caller sets.
func (t *granuleTable) touched(granule, interval uint64) *touched {
	if t.interval != interval {
		t.interval, t.used = interval, 0
	}
	if 2*t.used >= len(t.keys) {
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
	last := uint64(len(t.keys) - 1)
	for i := granule * 0x9E3779B97F4A7C15 >> 20 & last; ; i = (i + 1) & last {
		c := &t.cells[i]
		switch {
		case max(c.written, c.read)>>intervalBits != t.interval:
			t.keys[i], *c = granule, touched{}
			return c, true
		case t.keys[i] == granule:
			return c, false
		}
	}
}

func (t *granuleTable) grow() {
	keys, cells := t.keys, t.cells
	n := max(1<<12, 2*len(keys))
	t.keys, t.cells = make([]uint64, n), make([]touched, n)
	for i, c := range cells {
		if max(c.written, c.read)>>intervalBits == t.interval {
			to, _ := t.find(keys[i])
			*to = c
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
