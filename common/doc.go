// Package common is what the episodes share: everything that a reader of
// an episode need not see to follow its one idea.
//
// # A run
//
// An episode's main calls [Main] with its name, its transpose.cu, the committed
// transpose.ptx and a function that loads the module and hands its kernels to
// [Episode.Measure]. For every kernel, Measure
//
//   - fills the output with 0xFF bytes, launches once, and compares every
//     element, bit by bit, with the CPU's answer ([FillIndex], [Transpose],
//     [Check]);
//   - takes the median of twenty launches between CUDA events, or, where the
//     emulator stands in for the GPU, the emulator's counts;
//   - fills, launches and compares once more, with values of every kind ([FillAny]).
//     On the emulator, kernels at more than n = 1024 get this check at n = 256, or
//     at n too where a variable outlives a launch.
//
// Main then prints the report and exits: 0 when every output was exact, 1 when
// one was wrong or a kernel faulted, 2 when the machine or the command line is
// at fault, 3 when a kernel is too long: it has used up the instructions that the
// emulator gives a kernel, and may be right or not.
//
// # Shapes and units
//
// Matrices are n × n float32, stored row by row: the element in row y, column x
// is at index y*n + x. Times are milliseconds. Effective bandwidth is bytes
// read plus bytes written over time, in decimal GB/s, 10^9 bytes a second (CUDA
// C++ Best Practices Guide, "Effective Bandwidth Calculation"). Package record
// computes with them, prints the tables and keeps the records.
//
// # One program, two devices
//
// The package calls github.com/mumax/3/cuda/cu and does not know which one it
// meets: the bindings of the NVIDIA driver, or the emulator of common/emulator,
// chosen by the Go workspace. Only what measures a launch and prints the result
// differs: time_cuda.go, which the tag cuda selects, and count_emulator.go with
// report_counts.go.
package common
