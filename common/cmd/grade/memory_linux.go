package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// memory returns the bytes that a process group has in memory (proc(5), /proc/pid/stat:
// field 5 is the group, field 24 the resident pages).
func memory(group int) (bytesUsed int64) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// The second field is the program's name, in parentheses, with any character.
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		if len(fields) < 22 || string(fields[2]) != fmt.Sprint(group) {
			continue
		}
		pages, _ := strconv.ParseInt(string(fields[21]), 10, 64)
		bytesUsed += pages * int64(os.Getpagesize())
	}
	return bytesUsed
}
