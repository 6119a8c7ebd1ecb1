package common

import (
	"math"

	"transpose/common/parallel"
)

// A fill is a way to make the input. All its elements differ and none is the
// poison, so that a value in the output says which element it is.
type fill int

const (
	byIndex  fill = iota // each element is its own index
	anyFloat             // values of every kind
)

// FillIndex returns the n × n input matrix in which every element holds its own
// index: in[i] = float32(i). float32 has not every integer beyond [SeriesN]²; in a
// larger matrix in[i] is the float32 whose bits are i. All elements differ, so one
// that lands in the wrong place cannot pass for the right one.
func FillIndex(n int) []float32 { return byIndex.matrix(n) }

// indexText says how the elements of FillIndex are made.
func indexText(n int) string {
	if n > SeriesN {
		return "in[i] with the bits of i"
	}
	return "in[i] = i"
}

// FillAny returns the n × n input matrix of the later checks. Its elements differ
// too, and are of every kind of float32: negative, fractional, very large, infinite,
// subnormal, −0 and quiet NaNs of either sign. What moves elements keeps them all;
// what computes with them on the way, or takes one of them for a mark, does not.
//
// A signalling NaN is none of them: a tile of doubles gives back every other value
// as it was, but a GPU quiets that one as it converts.
func FillAny(n int) []float32 { return anyFloat.matrix(n) }

func (f fill) matrix(n int) []float32 {
	in := make([]float32, n*n)
	parallel.Halves(len(in), func(from, to int) {
		if f == byIndex && n <= SeriesN { // what bits says, in a quarter of the time
			for i := from; i < to; i++ {
				in[i] = float32(i)
			}
			return
		}
		for i := from; i < to; i++ {
			in[i] = math.Float32frombits(f.bits(i, n))
		}
	})
	return in
}

// special are the first elements of FillAny: values of which there is only one,
// and those that kernels take for "outside the matrix".
var special = []uint32{
	0xFFE12345, // a NaN
	0xBF800000, // -1
	0x80000000, // -0
	0x3F000000, // 0.5
	0x00000000,
	0x7F800000, // +Inf
	0xFF800000, // -Inf
	0x00000001, // the smallest subnormal
	0x7F7FFFFF, // the largest number, FLT_MAX
	0xFF7FFFFF, // -FLT_MAX
	0xC479C000, // -999
	0xC61C3C00, // -9999
	0x4E6E6B28, // 1e9
	0xCE6E6B28, // -1e9
	0x7149F2CA, // 1e30
	0xF149F2CA, // -1e30
}

// kinds are how the other elements of FillAny are made, with a value of its own for
// each index of the largest matrix.
type kinds struct {
	bits   int // of an index: the largest matrix has 2^bits elements
	ranges [8]span

	// Multiplied with an odd number, the indices come in another order, so that
	// each part of a matrix has elements of each kind. Its inverse turns back.
	scatter, gather uint32
}

// A span is values of one kind: so many, from the first on.
type span struct{ first, length uint32 }

// No NaN of either is the one that arithmetic gives, 7fffffff, or that C calls NAN,
// 7fc00000. There are only so many subnormals and NaNs: a large matrix has more of
// the other kinds.
var (
	seriesKinds = kinds{24, [8]span{
		{0xCB000000, 1 << 21}, // negative and whole, from -8388608 on
		{0xBFA00000, 1 << 21}, // negative fractions, from -1.25 on
		{0x40400001, 1 << 21}, // positive fractions, from 3 on
		{0x7FC00001, 1 << 21}, // NaNs
		{0xFFC00001, 1 << 21}, // NaNs with a sign
		{0x00000002, 1 << 21}, // subnormals
		{0x80000001, 1 << 21}, // negative subnormals
		{0x7E000000, 1 << 21}, // larger than any integer type holds, from 4e37 on
	}, 0x9E3779, 0xB382C9}
	largeKinds = kinds{28, [8]span{
		{0x7FC00001, 1 << 21},  // NaNs
		{0xFFC00001, 1 << 21},  // NaNs with a sign
		{0x00000002, 1 << 22},  // subnormals
		{0x80000001, 1 << 22},  // negative subnormals
		{0xCF000000, 61 << 20}, // negative and whole, from -2^31 on
		{0xBB000000, 61 << 20}, // negative fractions, from -0.002 on
		{0x3B000000, 61 << 20}, // positive fractions, from 0.002 on
		{0x7B800000, 61 << 20}, // larger than any integer type holds, from 1e36 on
	}, 0x9E3779B, 0x3811693}
)

func kindsOf(n int) *kinds {
	if n > SeriesN {
		return &largeKinds
	}
	return &seriesKinds
}

// bits returns the element of index i of an n × n input.
func (f fill) bits(i, n int) uint32 {
	switch {
	case f == byIndex && n > SeriesN:
		return uint32(i)
	case f == byIndex:
		return math.Float32bits(float32(i))
	case i < len(special):
		return special[i]
	}
	k := kindsOf(n)
	j := uint32(i) * k.scatter & (1<<k.bits - 1)
	for _, r := range k.ranges {
		if j < r.length {
			return r.first + j
		}
		j -= r.length
	}
	panic("no kind left") // the ranges have 2^bits values
}

// index returns the index of the element of an n × n input that v is, if it is one.
func (f fill) index(v float32, n int) (int, bool) {
	bits := math.Float32bits(v)
	switch {
	case f == byIndex && n > SeriesN:
		return int(bits), int64(bits) < int64(n)*int64(n)
	case f == byIndex:
		if !(v >= 0 && v < float32(n)*float32(n)) {
			return 0, false
		}
		return int(v), f.bits(int(v), n) == bits
	}
	k, before := kindsOf(n), uint32(0)
	for _, r := range k.ranges {
		if rest := bits - r.first; rest < r.length {
			i := int((before + rest) * k.gather & (1<<k.bits - 1))
			return i, i >= len(special) && i < n*n
		}
		before += r.length
	}
	for i, s := range special[:min(len(special), n*n)] {
		if s == bits {
			return i, true
		}
	}
	return 0, false
}
