package common

// MaxN is the largest n: FillIndex needs n*n different values, and float32 has
// every integer up to 2^24 = 4096² but not the next one, 2^24 + 1.
const MaxN = 4096

// FillIndex returns the n × n input matrix in which every element holds its own
// index, in[i] = float32(i). All elements differ, so one that lands in the wrong
// place cannot pass for the right one. n must not exceed [MaxN].
func FillIndex(n int) []float32 {
	in := make([]float32, n*n)
	for i := range in {
		in[i] = float32(i)
	}
	return in
}

// Transpose is the CPU reference: it returns the transpose of the n × n matrix
// in. The loops follow the output in memory order.
func Transpose(in []float32, n int) []float32 {
	out := make([]float32, n*n)
	for y := 0; y < n; y++ {
		for x := 0; x < n; x++ {
			out[y*n+x] = in[x*n+y]
		}
	}
	return out
}
