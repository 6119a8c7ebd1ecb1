package record

import (
	"fmt"
	"math"
	"slices"
)

// Times are the elapsed times of repeated launches of one kernel, in
// milliseconds, in the order in which they were taken.
type Times []float64

// Validate reports the first time that cannot be one: zero, negative, NaN or
// infinite. No bandwidth may be computed from such a time.
func (t Times) Validate() error {
	if len(t) == 0 {
		return fmt.Errorf("no launch was timed")
	}
	for i, ms := range t {
		if !(ms > 0) || math.IsInf(ms, 1) {
			return fmt.Errorf("launch %d of %d took %v ms by the event clock: no time, so no bandwidth", i+1, len(t), ms)
		}
	}
	return nil
}

// Median returns the middle time, or the mean of the two middle ones when their
// number is even. It leaves t in its order; of no times it is NaN.
func (t Times) Median() float64 {
	if len(t) == 0 {
		return math.NaN()
	}
	s := slices.Clone(t)
	slices.Sort(s)
	half := len(s) / 2
	if len(s)%2 == 1 {
		return s[half]
	}
	return (s[half-1] + s[half]) / 2
}

// Min returns the shortest time. t must not be empty.
func (t Times) Min() float64 { return slices.Min(t) }

// Max returns the longest time. t must not be empty.
func (t Times) Max() float64 { return slices.Max(t) }

// Spread is (max − min) / median: how far the launches disagree.
func (t Times) Spread() float64 { return (t.Max() - t.Min()) / t.Median() }

// Overlap reports whether the ranges min … max of t and u share a time. Where
// they do, twenty launches cannot tell which kernel is faster.
func (t Times) Overlap(u Times) bool { return t.Min() <= u.Max() && u.Min() <= t.Max() }

// BytesMoved is what one launch over an n × n float32 matrix must move: every
// element read once and written once.
func BytesMoved(n int) int64 { return 2 * 4 * int64(n) * int64(n) }

// Bandwidth returns the effective bandwidth of moving bytes in ms milliseconds,
// in decimal GB/s: 10^9 bytes in 1 ms are 1000 GB/s.
func Bandwidth(bytes int64, ms float64) float64 { return float64(bytes) / (ms / 1e3) / 1e9 }

// PeakBandwidth returns the theoretical peak of a card in GB/s from its memory
// clock in kHz and bus width in bits, at two transfers a clock (CUDA C++ Best
// Practices Guide, "Theoretical Bandwidth Calculation"). It is 0 where the
// driver gives neither.
func PeakBandwidth(clockKHz, busBits int) float64 {
	return float64(clockKHz) * 1e3 * float64(busBits) / 8 * 2 / 1e9
}
