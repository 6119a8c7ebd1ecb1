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
// index, in[i] = float32(i). All elements differ, so one that lands in the wrong
// place cannot pass for the right one. n must not exceed [MaxN].
func FillIndex(n int) []float32 { return byIndex.matrix(n) }

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
		for i := from; i < to; i++ {
			in[i] = math.Float32frombits(f.bits(i))
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

// The other elements of FillAny, by kind: 2^21 values from here on each. No NaN is
// the one that arithmetic gives, 7fffffff, or that C calls NAN, 7fc00000.
var kinds = [8]uint32{
	0xCB000000, // negative and whole, from -8388608 on
	0xBFA00000, // negative fractions, from -1.25 on
	0x40400001, // positive fractions, from 3 on
	0x7FC00001, // NaNs
	0xFFC00001, // NaNs with a sign
	0x00000002, // subnormals
	0x80000001, // negative subnormals
	0x7E000000, // larger than any integer type holds, from 4e37 on
}

const (
	kindBits = 21
	allIndex = 1<<24 - 1 // the mask of an index of the largest matrix

	// Multiplied with an odd number, the indices come in another order, so that
	// each part of a matrix has elements of each kind. Its inverse turns back.
	scatter = 0x9E3779
	gather  = 0xB382C9
)

// bits returns the element of index i.
func (f fill) bits(i int) uint32 {
	switch {
	case f == byIndex:
		return math.Float32bits(float32(i))
	case i < len(special):
		return special[i]
	}
	j := uint32(i) * scatter & allIndex
	return kinds[j>>kindBits] + j&(1<<kindBits-1)
}

// index returns the index of the element of an n × n input that v is, if it is one.
func (f fill) index(v float32, n int) (int, bool) {
	bits := math.Float32bits(v)
	if f == byIndex {
		if !(v >= 0 && v < float32(n)*float32(n)) {
			return 0, false
		}
		return int(v), f.bits(int(v)) == bits
	}
	for k, first := range kinds {
		if rest := bits - first; rest < 1<<kindBits {
			i := int((uint32(k)<<kindBits + rest) * gather & allIndex)
			return i, i >= len(special) && i < n*n
		}
	}
	for i, s := range special[:min(len(special), n*n)] {
		if s == bits {
			return i, true
		}
	}
	return 0, false
}
