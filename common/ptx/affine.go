package ptx

import "encoding/binary"

// An affine row is evenly spaced in each half of a warp, as thread indices are in blocks
// of 16 columns, or 32: lane i holds base + i%16 × step + i/16 × half.
// Most of what a kernel computes before it touches memory is affine, and one
// sum then does for 32 lanes.
type affine struct{ base, step, half uint64 }

func (a *affine) at(lane int) uint64 {
	return a.base + uint64(lane%16)*a.step + uint64(lane/16)*a.half
}

// evenly returns the row whose lanes all have the same distance.
func evenly(base, step uint64) affine { return affine{base, step, 16 * step} }

// uniform reports whether all lanes are the same.
func (a *affine) uniform() bool { return a.step|a.half == 0 }

// ends returns the first and the last lane of each half: all others lie between.
func (a *affine) ends() (first, last, first2, last2 uint64) {
	return a.base, a.base + 15*a.step, a.base + a.half, a.base + a.half + 15*a.step
}

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

// set makes all lanes of the register the same.
func (r *register) set(v uint64) {
	r.affine, r.form = affine{base: v}, isAffine
}

// row returns the lanes, to be read.
func (r *register) row() *row {
	if r.form&isRow != 0 {
		return &r.lanes
	}
	form := r.form
	d := r.overwrite(isRow)
	if form&isWords == 0 {
		r.affine.fill(&d.lanes)
	} else {
		for i := range d.lanes {
			d.lanes[i] = uint64(binary.LittleEndian.Uint32(d.words[4*i:]))
		}
	}
	r.form = form | isRow
	return &d.lanes
}

// fill sets the lanes of a row.
func (a *affine) fill(d *row) {
	first, second := a.base, a.base+a.half
	for i := range 16 {
		d[i], d[16+i] = first, second
		first, second = first+a.step, second+a.step
	}
}

// change returns the lanes, some of which are to be written.
func (r *register) change() *row {
	r.row()
	return &r.overwrite(isRow).lanes
}

// asWords returns the low words of the lanes, to be read.
func (r *register) asWords() *[4 * 32]byte {
	if r.form&isWords == 0 {
		for i, v := range r.row() {
			binary.LittleEndian.PutUint32(r.words[4*i:], uint32(v))
		}
	}
	return &r.words
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
		if a.step|b.step|c.step|e.step|a.half|b.half|c.half|e.half != 0 {
			return false
		}
		*d = affine{base: f(a.base, b.base, c.base, e.base)}
		return true
	}
}

// set32 sets an affine row of 32-bit values, of which the low words of x matter, unless
// lanes overflow.
func (a *affine) set32(x affine) bool {
	x = affine{uint64(uint32(x.base)), uint64(int64(int32(x.step))), uint64(int64(int32(x.half)))}
	_, last, first2, last2 := x.ends()
	if (last|first2|last2)>>32 != 0 {
		return false
	}
	*a = x
	return true
}

// signed returns the values as signed 32-bit ones, if those are affine.
func (a *affine) signed() (affine, bool) {
	first, last, first2, last2 := a.ends()
	sameSign := int32(first^last) >= 0 && int32(first^first2) >= 0 && int32(first^last2) >= 0
	return affine{uint64(int64(int32(a.base))), a.step, a.half}, (first|last|first2|last2)>>32 == 0 && sameSign
}

func (a *affine) plus(b *affine) affine {
	return affine{a.base + b.base, a.step + b.step, a.half + b.half}
}

func (a *affine) minus(b *affine) affine {
	return affine{a.base - b.base, a.step - b.step, a.half - b.half}
}

// times returns the product, if it is affine.
func (a *affine) times(b *affine) (affine, bool) {
	if b.uniform() {
		return affine{a.base * b.base, a.step * b.base, a.half * b.base}, true
	}
	return affine{a.base * b.base, a.base * b.step, a.base * b.half}, a.uniform()
}

func (a *affine) shifted(by uint32) affine { return affine{a.base << by, a.step << by, a.half << by} }

// affineFns says for the loops in fast what they make of affine rows. In the others only
// uniform sources do without the loop.
var affineFns = map[string]affineFn{
	"mov":   func(d, a, _, _, _ *affine) bool { *d = *a; return true },
	"add64": func(d, a, b, _, _ *affine) bool { *d = a.plus(b); return true },
	"add32": func(d, a, b, _, _ *affine) bool { return d.set32(a.plus(b)) },
	"sub32": func(d, a, b, _, _ *affine) bool { return d.set32(a.minus(b)) },
	"mul.lo32": func(d, a, b, _, _ *affine) bool {
		p, ok := a.times(b)
		return ok && d.set32(p)
	},
	"mad.lo32": func(d, a, b, c, _ *affine) bool {
		p, ok := a.times(b)
		return ok && d.set32(p.plus(c))
	},
	"mul.wide.s32": func(d, a, b, _, _ *affine) bool {
		x, okA := a.signed()
		y, okB := b.signed()
		p, ok := x.times(&y)
		if ok = ok && okA && okB; ok {
			*d = p
		}
		return ok
	},
	"mul.wide.u32": func(d, a, b, _, _ *affine) bool {
		p, ok := a.times(b)
		if ok {
			*d = p
		}
		return ok
	},
	"shl32": func(d, a, b, _, _ *affine) bool {
		return b.uniform() && d.set32(a.shifted(uint32(b.base)))
	},
	"shl64": func(d, a, b, _, _ *affine) bool {
		if !b.uniform() {
			return false
		}
		*d = a.shifted(uint32(b.base))
		return true
	},
	"cvt.s64.s32": func(d, a, _, _, _ *affine) bool {
		x, ok := a.signed()
		if ok {
			*d = x
		}
		return ok
	},
	"cvt.u32.u64": func(d, a, _, _, _ *affine) bool { return d.set32(*a) },
	"max.s32": func(d, a, b, _, _ *affine) bool {
		least, most, ok := a.compare(b)
		switch {
		case !ok:
			return false
		case least >= 0:
			*d = *a
		case most <= 0:
			*d = *b
		default:
			return false
		}
		return true
	},
}

// compare returns by how much the lanes of a row of signed 32-bit values are greater than
// those of another, at least and at most.
func (a *affine) compare(b *affine) (least, most int64, ok bool) {
	x, okA := a.signed()
	y, okB := b.signed()
	x = x.minus(&y)
	first, last, first2, last2 := x.ends()
	return min(int64(first), int64(last), int64(first2), int64(last2)), max(int64(first), int64(last), int64(first2), int64(last2)), okA && okB
}

// compareAffine is compareRows for affine rows; it reports false if it would have to look
// at each lane.
func compareAffine(t typ, test func(a, b uint64) bool) func(a, b *affine) (uint32, bool) {
	return func(a, b *affine) (uint32, bool) {
		if a.step|b.step|a.half|b.half != 0 && !a.keepsSide(b, t) {
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
	least, most, ok := a.compare(b)
	return t.bits == 32 && t.kind != 'f' && ok && (least > 0 || most < 0 || least == 0 && most == 0)
}
