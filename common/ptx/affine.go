package ptx

import "encoding/binary"

// An affine row is evenly spaced: lane i holds base + i × step.
// Most of what a kernel computes before it touches memory is affine, and one
// sum then does for 32 lanes.
type affine struct{ base, step uint64 }

func (a *affine) at(lane int) uint64 { return a.base + uint64(lane)*a.step }

// A register of a warp holds its lanes in one or more forms.
type register struct {
	affine
	form uint8
	*storage
}

// The forms, and where they stand.
const (
	isAffine = 1 << iota // affine
	isRow                // storage.lanes
	isWords              // storage.words: 4 bytes a lane, as loaded
)

type storage struct {
	lanes row
	words [4 * 32]byte
}

// set makes the register affine.
func (r *register) set(base, step uint64) {
	r.base, r.step, r.form = base, step, isAffine
}

// row returns the lanes, to be read.
func (r *register) row() *row {
	if r.form&isRow != 0 {
		return &r.lanes
	}
	form := r.form
	d := r.overwrite(isRow)
	for i := range d.lanes {
		if form&isWords != 0 {
			d.lanes[i] = uint64(binary.LittleEndian.Uint32(d.words[4*i:]))
		} else {
			d.lanes[i] = r.at(i)
		}
	}
	r.form = form | isRow
	return &d.lanes
}

// change returns the lanes, some of which are to be written.
func (r *register) change() *row {
	r.row()
	return &r.overwrite(isRow).lanes
}

// overwrite returns the storage, of which one form is to be written.
func (r *register) overwrite(form uint8) *storage {
	if r.storage == nil {
		r.storage = new(storage)
	}
	r.form = form
	return r.storage
}

// compute makes the register what f makes of others.
func (r *register) compute(f rowFn, a, b, c, e *register) {
	spaced := a.form & b.form & c.form & e.form & isAffine
	x, y, z, u := a.row(), b.row(), c.row(), e.row()
	f(&r.overwrite(isRow).lanes, x, y, z, u)
	if spaced != 0 {
		r.findAffine()
	}
}

// findAffine sees whether the lanes are evenly spaced.
func (r *register) findAffine() {
	if l, ok := r.lanes.affine(); ok {
		r.affine, r.form = l, isAffine|isRow
	}
}

// An affineFn computes d where the sources are affine and the result is too, or
// reports false. d may be a source.
type affineFn func(d, a, b, c, e *affine) bool

// uniform makes an affineFn of a laneFn, for sources that are the same in all lanes.
func uniform(f laneFn) affineFn {
	return func(d, a, b, c, e *affine) bool {
		if a.step|b.step|c.step|e.step != 0 {
			return false
		}
		d.base, d.step = f(a.base, b.base, c.base, e.base), 0
		return true
	}
}

// set32 sets an affine row of 32-bit values, of which the low words of base and step
// matter, unless lanes overflow.
func (a *affine) set32(base, step uint64) bool {
	x := affine{uint64(uint32(base)), uint64(int64(int32(step)))}
	if x.at(31)>>32 != 0 {
		return false
	}
	a.base, a.step = x.base, x.step
	return true
}

// signed returns the values as signed 32-bit ones, if those are affine.
func (a *affine) signed() (affine, bool) {
	last := a.at(31)
	return affine{uint64(int64(int32(a.base))), a.step}, (a.base|last)>>32 == 0 && int32(a.base^last) >= 0
}

// times returns the product, if it is affine.
func (a *affine) times(b *affine) (affine, bool) {
	return affine{a.base * b.base, a.base*b.step + a.step*b.base}, a.step == 0 || b.step == 0
}

// affineFns says for the loops in fast what they make of affine rows. In the others only
// uniform sources do without the loop.
var affineFns = map[string]affineFn{
	"mov":   func(d, a, _, _, _ *affine) bool { d.base, d.step = a.base, a.step; return true },
	"add64": func(d, a, b, _, _ *affine) bool { d.base, d.step = a.base+b.base, a.step+b.step; return true },
	"add32": func(d, a, b, _, _ *affine) bool { return d.set32(a.base+b.base, a.step+b.step) },
	"sub32": func(d, a, b, _, _ *affine) bool { return d.set32(a.base-b.base, a.step-b.step) },
	"mul.lo32": func(d, a, b, _, _ *affine) bool {
		p, ok := a.times(b)
		return ok && d.set32(p.base, p.step)
	},
	"mad.lo32": func(d, a, b, c, _ *affine) bool {
		p, ok := a.times(b)
		return ok && d.set32(p.base+c.base, p.step+c.step)
	},
	"mul.wide.s32": func(d, a, b, _, _ *affine) bool {
		x, okA := a.signed()
		y, okB := b.signed()
		p, ok := x.times(&y)
		if ok = ok && okA && okB; ok {
			d.base, d.step = p.base, p.step
		}
		return ok
	},
	"mul.wide.u32": func(d, a, b, _, _ *affine) bool {
		p, ok := a.times(b)
		if ok {
			d.base, d.step = p.base, p.step
		}
		return ok
	},
	"shl32": func(d, a, b, _, _ *affine) bool {
		return b.step == 0 && d.set32(a.base<<uint32(b.base), a.step<<uint32(b.base))
	},
	"shl64": func(d, a, b, _, _ *affine) bool {
		if b.step != 0 {
			return false
		}
		d.base, d.step = a.base<<uint32(b.base), a.step<<uint32(b.base)
		return true
	},
	"cvt.s64.s32": func(d, a, _, _, _ *affine) bool {
		x, ok := a.signed()
		if ok {
			d.base, d.step = x.base, x.step
		}
		return ok
	},
	"cvt.u32.u64": func(d, a, _, _, _ *affine) bool { return d.set32(a.base, a.step) },
	"max.s32": func(d, a, b, _, _ *affine) bool {
		x, okA := a.signed()
		y, okB := b.signed()
		switch first, last := int64(x.base-y.base), int64(x.at(31)-y.at(31)); {
		case !okA || !okB:
			return false
		case first >= 0 && last >= 0:
			d.base, d.step = a.base, a.step
		case first <= 0 && last <= 0:
			d.base, d.step = b.base, b.step
		default:
			return false
		}
		return true
	},
}

// compareAffine is compareRows for affine rows; it reports false if it would have to look
// at each lane.
func compareAffine(t typ, test func(a, b uint64) bool) func(a, b *affine) (uint32, bool) {
	return func(a, b *affine) (uint32, bool) {
		if a.step|b.step != 0 && !a.keepsSide(b, t) {
			return 0, false
		}
		if test(a.base, b.base) {
			return ^uint32(0), true
		}
		return 0, true
	}
}

// keepsSide reports whether all lanes of a row of 32-bit integers are less than
// those of another, or all equal, or all greater.
func (a *affine) keepsSide(b *affine, t typ) bool {
	x, okX := a.signed()
	y, okY := b.signed()
	first, last := int64(x.base-y.base), int64(x.at(31)-y.at(31))
	return t.bits == 32 && t.kind != 'f' && okX && okY && first^last >= 0 && (first == 0) == (last == 0)
}
