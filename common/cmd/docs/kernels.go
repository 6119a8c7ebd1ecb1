package main

import "strings"

// A kernel is one kernel of a .cu: its text from extern "C" to the closing brace.
type kernel struct{ name, text string }

// kernelsOf cuts the kernels out of a .cu, in order.
func kernelsOf(source string) []kernel {
	const start = `extern "C" __global__ void `
	var kernels []kernel
	for _, part := range strings.Split(source, start)[1:] {
		body, _, _ := strings.Cut(part, "\n}\n")
		name, _, _ := strings.Cut(body, "(")
		kernels = append(kernels, kernel{name, start + body + "\n}\n"})
	}
	return kernels
}

// diff compares two texts line by line, by a longest common subsequence. Lines
// of one text alone begin with - or +, as in a unified diff; of the common ones
// it keeps those that are at most context lines from a change.
func diff(a, b string, context int) string {
	x, y := strings.Split(strings.TrimSuffix(a, "\n"), "\n"), strings.Split(strings.TrimSuffix(b, "\n"), "\n")
	common := make([][]int, len(x)+1) // common[i][j]: length of that of x[i:] and y[j:]
	for i := range common {
		common[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var lines []string
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			lines = append(lines, " "+x[i])
			i, j = i+1, j+1
		case j == len(y) || i < len(x) && common[i+1][j] >= common[i][j+1]:
			lines = append(lines, "-"+x[i])
			i++
		default:
			lines = append(lines, "+"+y[j])
			j++
		}
	}
	return near(lines, context)
}

// near keeps the changed lines and those at most context lines away from one.
func near(lines []string, context int) string {
	var b strings.Builder
	for i := range lines {
		for k := max(0, i-context); k <= min(len(lines)-1, i+context); k++ {
			if lines[k][0] != ' ' {
				b.WriteString(lines[i] + "\n")
				break
			}
		}
	}
	return b.String()
}
