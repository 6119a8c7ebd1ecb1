package compile

import (
	"slices"
	"strings"
)

// A Kernel is one kernel of a .cu of the series.
type Kernel struct {
	Name string
	Text string // from extern "C" to the closing brace
	Line int    // where that begins
}

// Kernels cuts the kernels out of a .cu that is written as the series writes them:
// each begins a line with extern "C" and ends with a brace that begins one.
func Kernels(source string) []Kernel {
	const start = `extern "C" __global__ void `
	var kernels []Kernel
	parts := strings.Split(source, start)
	line := 1 + strings.Count(parts[0], "\n")
	for _, part := range parts[1:] {
		body, _, _ := strings.Cut(part, "\n}\n")
		name, _, _ := strings.Cut(body, "(")
		kernels = append(kernels, Kernel{name, start + body + "\n}\n", line})
		line += strings.Count(part, "\n")
	}
	return kernels
}

// Defines reports whether a source declares a function of that name; what stands in a
// comment or in a text is none.
func Defines(source, name string) bool {
	list := tokens(source)
	return slices.ContainsFunc(list, func(t part) bool {
		return source[t.start:t.end] == name && strings.HasPrefix(strings.TrimSpace(source[t.end:]), "(")
	})
}
