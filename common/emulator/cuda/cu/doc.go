// Package cu stands in for github.com/mumax/3/cuda/cu where there is no NVIDIA
// GPU: the same names, types and panics, on top of the PTX emulator
// [transpose/common/ptx]. A program that uses the real package compiles against
// this one unchanged, without cgo, and runs its kernels in full.
//
// What the functions do follows NVIDIA's CUDA Driver API documentation; a
// function that fails panics with a [Result], as the real package does. Beyond
// that API, [LaunchCounts] returns what the last launch asked of memory,
// [LastLaunch] what grid and block it had, and [LastError] says in words, or as a
// [NoKernel], what a Result only numbers.
//
// # Where it differs from a driver
//
//   - LaunchKernel returns when the kernel has ended. Its fault still waits for
//     the next call that synchronises, and then stays, as on a GPU.
//   - There is one device, with no clock: it times nothing.
//   - Any PTX version and target loads; what the emulator cannot run is refused
//     at the launch with ERROR_NOT_SUPPORTED.
//   - A context is current on one OS thread, and a call from another one panics
//     with ERROR_INVALID_CONTEXT. Only Linux tells a pure Go program its thread;
//     elsewhere the check is left out.
//
// # What it does not offer
//
// A program that uses one of these does not compile against the emulator:
// peer access and copies between contexts (CtxEnablePeerAccess,
// CtxDisablePeerAccess, DeviceCanAccessPeer, MemcpyPeer, MemcpyPeerAsync and
// the methods EnablePeerAccess, DisablePeerAccess and CanAccessPeer), page-locked
// host memory (MemAllocHost, MemFreeHost, MemHostRegisterFlag and its
// constants), and the memory type of a pointer (MemoryType, its constants,
// PointerGetAttributeMemoryType and the method MemoryType).
package cu
