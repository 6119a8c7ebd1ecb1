// Package faults is the collection of what goes wrong, FAULTS.md, and the tests that
// make it: each mistake is made to happen, and the page shows what the run printed.
// Beside it stand whole kernels as people hand them in, with the verdict that each
// must get.
package faults
