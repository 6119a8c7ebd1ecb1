// Package parallel spreads a loop over two cores. A matrix of 64 MiB moves as fast
// as memory lets it, and few machines have memory that more cores make faster.
package parallel

// Halves calls f for the first and the second half of 0 … n-1, both at the same
// time, and returns when both have. from may equal to.
func Halves(n int, f func(from, to int)) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(n/2, n)
	}()
	f(0, n/2)
	<-done
}
