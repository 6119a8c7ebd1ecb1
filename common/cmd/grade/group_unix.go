//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// alone has a command start in a process group of its own, with all that it starts.
func alone(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// end kills the command and all that it started.
func end(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
