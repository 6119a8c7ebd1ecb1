// Package diff compares texts line by line.
package diff

import (
	"fmt"
	"strings"
)

// Lines returns the lines of both texts by a longest common subsequence: one of a
// alone begins with -, one of b alone with +, a common one with a space.
func Lines(a, b string) []string {
	return LinesBy(a, b, func(line string) string { return line })
}

// LinesBy is Lines where two lines are common if their keys are; it returns those as b
// has them.
func LinesBy(a, b string, key func(line string) string) []string {
	x, y := split(a), split(b)
	keysX, keysY := keys(x, key), keys(y, key)
	common := make([][]int, len(x)+1) // common[i][j]: length of that of x[i:] and y[j:]
	for i := range common {
		common[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if keysX[i] == keysY[j] {
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
		case i < len(x) && j < len(y) && keysX[i] == keysY[j]:
			lines = append(lines, " "+y[j])
			i, j = i+1, j+1
		case j == len(y) || i < len(x) && common[i+1][j] >= common[i][j+1]:
			lines = append(lines, "-"+x[i])
			i++
		default:
			lines = append(lines, "+"+y[j])
			j++
		}
	}
	return lines
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func keys(lines []string, key func(string) string) []string {
	var list []string
	for _, line := range lines {
		list = append(list, key(line))
	}
	return list
}

// near reports for each line whether it is at most context lines from a change.
func near(lines []string, context int) []bool {
	keep := make([]bool, len(lines))
	for i, line := range lines {
		if line[0] == ' ' {
			continue
		}
		for k := max(0, i-context); k <= min(len(lines)-1, i+context); k++ {
			keep[k] = true
		}
	}
	return keep
}

// Near returns the changed lines and those at most context lines away from one.
func Near(a, b string, context int) string {
	var text strings.Builder
	lines := Lines(a, b)
	for i, keep := range near(lines, context) {
		if keep {
			text.WriteString(lines[i] + "\n")
		}
	}
	return text.String()
}

// Unified returns the unified diff of two files, with three lines of context; it is
// empty where they are the same.
func Unified(nameA, nameB, a, b string) string {
	if a == b {
		return ""
	}
	var text strings.Builder
	fmt.Fprintf(&text, "--- %s\n+++ %s\n", nameA, nameB)
	lines := Lines(a, b)
	keep := near(lines, 3)
	atA, atB := 1, 1 // line numbers of the next line
	for i := 0; i < len(lines); {
		if !keep[i] {
			i, atA, atB = i+1, atA+1, atB+1
			continue
		}
		end, lenA, lenB := i, 0, 0
		for ; end < len(lines) && keep[end]; end++ {
			if lines[end][0] != '+' {
				lenA++
			}
			if lines[end][0] != '-' {
				lenB++
			}
		}
		fmt.Fprintf(&text, "@@ -%s +%s @@\n", span(atA, lenA), span(atB, lenB))
		for _, line := range lines[i:end] {
			text.WriteString(line + "\n")
		}
		i, atA, atB = end, atA+lenA, atB+lenB
	}
	return text.String()
}

// span is a range of lines as a hunk's head has it.
func span(at, length int) string {
	switch length {
	case 0:
		return fmt.Sprintf("%d,0", at-1)
	case 1:
		return fmt.Sprint(at)
	}
	return fmt.Sprintf("%d,%d", at, length)
}
