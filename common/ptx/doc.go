// Package ptx parses NVIDIA PTX and runs it, warp by warp, in plain Go. It
// counts what every memory instruction asks of memory and accuses the kernel
// of the mistakes that a real GPU hides. Nothing is timed: a count is exact
// and the same on every machine, a time on a CPU would say nothing.
//
//	module, err := ptx.Parse(source)
//	kernel := module.Entry("transpose_naive")
//	mem := ptx.NewMemory()
//	out, err := mem.Alloc(4 * n * n)
//	in, err := mem.Alloc(4 * n * n)
//	counts, err := kernel.Launch(mem, ptx.Config{
//		Grid:  ptx.Dim3{X: n / 32, Y: n / 8, Z: 1},
//		Block: ptx.Dim3{X: 32, Y: 8, Z: 1},
//		Args:  []uint64{out, in, n},
//	})
//
// # Machine
//
// 32 consecutive threads of a block are a warp, by linear thread index
// x + y·Dx + z·Dx·Dy (CUDA C++ Programming Guide, "SIMT Architecture" and
// "Thread Hierarchy"). A warp runs in lockstep. Where its lanes take different
// branches it runs one side after the other, and the lanes meet again at the
// branch's immediate post-dominator. Warps of a block take turns at barriers
// only; blocks run in any order and in parallel.
//
// # Counts
//
// One warp executing one memory instruction is one request. A global request
// costs sectors: the distinct 32-byte pieces of memory that its active lanes
// touch (CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory").
// A shared request costs wavefronts: passes over the 32 banks of 4 bytes.
//
//   - Up to 4 bytes a lane: the largest number of distinct words that the
//     request needs from one bank (same guide, "Shared Memory and Memory Banks").
//   - 8 bytes a lane go by half warps, 16 bytes by quarter warps; each part is
//     counted like that and the parts are added up.
//   - A wide load takes half as many parts when, over the whole warp, every
//     active lane's partner is inactive or reads the same address. The partner
//     is lane xor 1, or for all of them lane xor 2. Stores never do.
//
// The last two rules are measured: testdata/h200-counters.csv holds what the
// hardware counters of an H200 said to 480 such accesses, and all 480 agree.
//
// Local, constant and parameter accesses are executed and not counted.
//
// # Accusations
//
// Launch returns a *Fault for a global access outside its allocation, a
// misaligned access, a shared access outside the block's shared memory, a
// read of shared bytes that nobody wrote, a race in shared memory between two
// threads, a race in global memory between two blocks, a barrier that only
// part of a warp reaches or that warps reach at different lines, a kernel that
// does not end, and arguments that do not fit the parameters. [FaultKind] says
// what exactly each one means. Several faults: the one that a run of the
// blocks in index order meets first is reported, whatever the number of
// workers. A launch that faults leaves memory as undefined as a GPU would.
//
// # What is not modelled
//
// Time, caches, DRAM, occupancy, and the scheduler of warps. Atomics, votes,
// named barriers, textures, half precision and tensor instructions are not
// supported: launching a kernel that contains one returns an *Unsupported with
// its line and text, and the other kernels of the module still run.
package ptx
