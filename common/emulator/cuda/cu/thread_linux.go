package cu

import "syscall"

// threadID names the calling OS thread.
func threadID() int { return syscall.Gettid() }
