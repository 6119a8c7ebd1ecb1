//go:build !cuda && unix

package faults

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"transpose/common"
)

// TestInterrupt holds that Ctrl-C, SIGINT, ends a program whose kernel hangs: it
// dies of the signal, long before the emulator has had enough of the kernel.
func TestInterrupt(t *testing.T) {
	if os.Getenv("HANG") != "" {
		f := kernelFault{file: "endless", kernel: "endless", n: 1000, launch: oneRow, leaves: common.Copied}
		os.Stdout.WriteString("launching\n")
		f.run(t, "../ptx/testdata")
		os.Exit(0)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-test.run=^TestInterrupt$")
	cmd.Env = append(os.Environ(), "HANG=1")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || line != "launching\n" {
		t.Fatalf("the program says %q, %v", line, err)
	}
	time.Sleep(200 * time.Millisecond) // until the kernel runs; too short is no failure
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) {
		t.Fatalf("the program ends with %v", err)
	}
	if s := exit.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGINT {
		t.Errorf("the program ends with %v, want a death of the interrupt", exit)
	}
}
