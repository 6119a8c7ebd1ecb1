//go:build !linux

package cu

// threadID takes all threads for one, where Go cannot tell them apart without
// cgo: a context is then current on each.
func threadID() int { return 0 }
