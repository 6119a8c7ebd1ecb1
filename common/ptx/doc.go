// Package ptx parses NVIDIA PTX and runs it, warp by warp, in plain Go. It
// counts what every memory instruction asks of memory and accuses the kernel
// of mistakes that a real GPU hides. Nothing is timed: a count is exact and
// the same on every machine, a time on a CPU would say nothing about a GPU.
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
//	for _, a := range counts.ByLine() {
//		fmt.Println(a.File, a.Line, a.Sectors/a.Requests)
//	}
//
// "PTX ISA", "Programming Guide" and "Best Practices Guide" below are NVIDIA's
// Parallel Thread Execution ISA, CUDA C++ Programming Guide and CUDA C++ Best
// Practices Guide; what follows them is a section.
//
// # Machine
//
// 32 consecutive threads of a block are a warp, by linear thread index
// x + y·Dx + z·Dx·Dy (Programming Guide, "Thread Hierarchy" and "SIMT
// Architecture"): a row of a block 16 wide is half a warp. A warp runs in
// lockstep. Where its lanes take different branches it runs one side after the
// other, and the lanes reconverge at the branch's post-dominator, or, where a side
// may return, at the first place that both sides reach; from a loop that they may
// also return from they leave one by one, and in one that ends the kernel they meet
// before each round. That is what an H200 does, measured on the kernels of
// testdata/shapes. The warps of a block take turns at barriers;
// blocks run in parallel and in any order. Lanes that have nothing left to do but
// return have exited: a barrier does not wait for them. So have lanes whose last
// store, above the barrier in the source, a compiler has put together with one
// below it.
//
// What lanes do together, named by a mask (shfl.sync, vote.sync, match.sync,
// redux.sync, elect.sync, bar.warp.sync), waits for the lanes of the mask that have
// not exited. Lanes with the same mask are one group; a warp may have several, as
// in tiles of 16. activemask, and vote and shfl without .sync, take the lanes that
// execute them: after a branch, those of its side.
//
// A barrier with a number or a count (bar.sync 1, 64; bar.arrive) is for the warps that
// come to it and orders those alone. What reaches none that its count fits is a
// divergent barrier too.
//
// The memory spaces are those of the PTX ISA, "State Spaces": global (an allocation
// of [Memory], or a variable of the module, which lives as long as the Memory),
// shared, constant, parameter, local, and generic addresses that mean one of them.
// Atomics on one place take place lane by lane, in the order of lanes, warps and
// blocks. A GPU promises no order, and a kernel whose output depends on it is right
// for some orders only; here it gives the same output every time. For that a kernel
// whose atomics on global memory show an order runs its blocks one after the other,
// each to its end: one that waits for a later block does not end. printf's output
// comes when the kernel has ended or was accused, block by block.
//
// A call is expanded where it stands, so that what lanes do in a function is told by who
// called it. Functions that call themselves, by whatever way, have a stack of 16 KiB a
// thread. Lanes that a call has parted meet behind it.
//
// # Counts
//
// One warp that executes one memory instruction makes one request. Sizes are
// bytes.
//
// A global request moves sectors: the distinct 32-byte pieces of memory that
// its active lanes touch (Best Practices Guide, "Coalesced Access to Global
// Memory"). 32 lanes that read neighbouring floats touch 4, at best; 32 lanes
// that read one column touch 32. It looks up lines, the distinct pieces of 128
// bytes: a store sends as many requests on to the L2 cache, and a load as many as
// the L1 cache lacks.
//
// Every request, global or shared, takes wavefronts: passes through the data pipe of
// L1 and shared memory, which are one memory in 32 banks, each a word of 4 bytes wide
// (Best Practices Guide, "Shared Memory and Memory Banks").
//
//   - Up to 4 bytes a lane: the largest number of distinct words that the
//     request needs from one bank.
//   - 8 bytes a lane go by half warps, 16 bytes by quarter warps. Each part is
//     counted like that, and the parts are added up.
//   - A wide load from shared memory takes half as many parts when, over the whole
//     warp, every active lane's partner is inactive or reads the same address. The
//     partner is lane xor 1, or for all of them lane xor 2. Stores and global memory
//     never do that.
//
// The last two rules are in no guide, and that the banks hold for global memory is in
// none either; they are measured. The file testdata/h200-counters.csv holds what the
// hardware counters of an H200 said to 480 accesses at even strides,
// testdata/h200-irregular.csv to 304 at irregular addresses, and tests hold that all
// agree. Of global memory, testdata/h200-l1.csv has lines, requests to L2 and passes of
// 51 strides, and testdata/h200-l1-irregular.csv those of 472 stores, atomics and
// asynchronous copies at irregular addresses. Sectors, lines and requests to L2 agree in
// all of them but atomics. The wavefronts are exact for loads that L1 has, and a lower
// bound for the rest: MODEL.md says how close.
//
// An atomic (atom, red) makes a request too and is counted by the same rules as a
// store. Where lanes meet in one word the hardware goes back to its line, once for each
// of them; that is not counted, so all counts of an atomic are a lower bound.
//
// cp.async counts as a load and as a shared store. The hardware takes at least the
// wavefronts of both.
//
// Parameter, constant and local accesses are executed and not counted.
//
// # Accusations
//
// Launch returns a [*Fault] for what [FaultKind] lists: accesses out of bounds,
// misaligned, of unwritten shared memory; races between threads of a block, in shared
// and in global memory, and in global memory between blocks; divergent barriers; masks
// that do not fit; asserts that do not hold, and traps; kernels that do not end;
// arguments that do not fit. All of them are exact to the byte.
//
// A barrier interval is the time between two barriers of a block: two threads may touch
// one byte in one interval only if both read it (PTX ISA, "Memory Consistency Model":
// conflicting accesses that nothing orders), or if both are atomics, or one compares
// and swaps (atom.cas) and the other reads: such a read is a guess that is compared
// before it is used. Stores of the same value to one place are a note in [Counts], also
// where their threads load it again. Lanes of a warp are threads like others; of
// several races in an interval one between two warps is told. In a kernel with a fence
// and with atomics or loads that are volatile or better, threads of a block may hand on
// global memory by them, and are not accused of races there. A block comes after those
// that passed a fence for the whole GPU (__threadfence) and then updated the place of
// its own atomic. What cp.async copies may be touched by nobody until its thread has
// waited for it.
//
// Shared memory is read unwritten if no byte of the element was written and the value is
// used: an element that is written in part is a struct with padding, and it is no use to
// copy it to shared or local memory, or to put it back where it was with some bits
// changed, as for a bit-field.
//
// If several threads are at fault, the one that a run of the blocks in index
// order meets first is reported, whatever the number of workers. No goroutine
// outlives the launch. What a faulting kernel leaves in memory is as undefined
// as on a GPU.
//
// # Errors
//
// [Parse] returns a [*SyntaxError]. [Entry.Launch] returns a *Fault, an
// [*Unsupported], or a plain error for a launch that the driver would refuse:
// a grid, block or amount of shared memory over the limits (Programming Guide,
// "Technical Specifications per Compute Capability").
//
// # What is not modelled
//
// Time (a clock counts the instructions of its warp, nanosleep takes none), caches,
// DRAM, the order in which warps run, and what ptxas changes between PTX and machine
// code. A load that the compiler moved up, to where more threads execute it than the
// source says, counts like the kernel's own. Threads whose value is thrown away then, by
// a selp, a guard or a branch on a predicate that the load's lanes know, are accused of
// no race by it, and of no read of what is unwritten. Subnormals, roundings and NaNs of
// half, bfloat16, single and double precision are modelled; the approximate functions
// (div.approx, sin.approx and the like) are computed exactly and rounded, so a GPU may
// differ in the last bits.
//
// What is not supported, because no kernel of the kind that this package is for
// needs it, and each would be a machine of its own:
//
//   - textures and surfaces, tensor instructions (wmma, mma, wgmma) and the formats that
//     only those compute with: tf32 and floats of 4, 6 and 8 bits;
//   - video instructions (vadd, vset4 and the like), which compilers no longer emit;
//   - min, max and sums of three numbers, and vectors of two f32, of later cards only;
//   - atomics on vectors and on 128 bits, and redux.sync on floats, which are of later
//     cards only;
//   - mbarriers and what is built on them: cp.async.mbarrier.arrive, bulk copies, st.async;
//   - clusters: barrier.cluster, the shared memory of other blocks, multimem;
//   - calls through a pointer, and calls with a guard;
//   - setmaxnreg, and isspacep.const, whose answer hangs on where a driver puts constants.
//
// Launching a kernel that contains one returns an *Unsupported with its line and
// text; the other kernels of the module still run.
//
// # Speed
//
// A launch that moves the 16.8 million elements of a matrix once takes a tenth to a
// sixth of a second on two cores, where a lane moves 4 bytes and a warp is a row of its
// tile, and about a third with two half rows of 16 bytes a lane. BenchmarkLaunch
// measures it. A kernel whose blocks store twice to
// one place, or whose threads update their own place in shared memory between two
// barriers, takes two to four times as long.
package ptx
