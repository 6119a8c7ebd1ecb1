package common

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"transpose/common/ptx"
	"transpose/common/record"
)

// A Result is a CUresult, the number with which the driver answers a call (CUDA
// Driver API, "Data types used by CUDA driver", CUresult).
type Result int

// The results that the code below acts on.
const (
	resultInvalidValue   Result = 1
	resultOutOfMemory    Result = 2
	resultNoBinary       Result = 209
	resultInvalidPTX     Result = 218
	resultUnsupportedPTX Result = 222
	resultNotFound       Result = 500
)

// A resultText explains a Result to a reader: the driver's name without the
// prefix CUDA_ERROR_, what happened, and what to do.
type resultText struct{ name, meaning, action string }

// results holds every answer that a reader of the series can meet.
var results = map[Result]resultText{
	1:   {"INVALID_VALUE", "the driver refused an argument, most often a grid or block that is too large or zero", "a block has at most 1024 threads, a grid at most 65,535 blocks in y and z: look at grid and block in main.go"},
	2:   {"OUT_OF_MEMORY", "the GPU has too little free memory", "close other programs that use it (nvidia-smi lists them), or run with a smaller -n"},
	3:   {"NOT_INITIALIZED", "the driver was called before cu.Init", "call cu.Init(0) first"},
	4:   {"DEINITIALIZED", "the driver is shutting down", "run the program again"},
	34:  {"STUB_LIBRARY", "the program loaded the toolkit's stub of libcuda, not the driver", "take folders named stubs out of LD_LIBRARY_PATH"},
	35:  {"INSUFFICIENT_DRIVER", "the driver is older than the program needs", "update the NVIDIA driver"},
	36:  {"CALL_REQUIRES_NEWER_DRIVER", "the driver is older than the program needs", "update the NVIDIA driver"},
	46:  {"DEVICE_UNAVAILABLE", "the GPU is busy or set to a mode that lets no further program in", "look at nvidia-smi: another program may hold the GPU in exclusive mode"},
	100: {"NO_DEVICE", "the driver found no GPU", "check nvidia-smi and CUDA_VISIBLE_DEVICES; without a GPU, make counts instead of timing"},
	101: {"INVALID_DEVICE", "there is no GPU of that number", "check CUDA_VISIBLE_DEVICES against nvidia-smi -L"},
	200: {"INVALID_IMAGE", "what was loaded is neither PTX nor a cubin", "check the file given to -ptx"},
	201: {"INVALID_CONTEXT", "no context is current on this OS thread", "make every cu call from the goroutine that main runs on"},
	205: {"MAP_FAILED", "the driver could not map memory", "run the program again; if it stays, restart the machine"},
	209: {"NO_BINARY_FOR_GPU", "the module has no code for this GPU", "compile for this card or an older one; the committed transpose.ptx runs on all from Maxwell on"},
	214: {"ECC_UNCORRECTABLE", "the GPU's memory reported an error that it could not correct", "restart the machine; if it stays, the card is broken"},
	216: {"CONTEXT_ALREADY_IN_USE", "the context is in use by another thread", "make every cu call from the goroutine that main runs on"},
	218: {"INVALID_PTX", "the driver could not compile the PTX", "compile it again, for this card or an older one: it is damaged, made for a newer card, or has more than 48 KiB of shared memory"},
	220: {"NVLINK_UNCORRECTABLE", "the link between GPUs reported an error that it could not correct", "restart the machine"},
	221: {"JIT_COMPILER_NOT_FOUND", "the driver's PTX compiler, libnvidia-ptxjitcompiler, is missing", "reinstall the NVIDIA driver, all of it; in a container, mount the driver's compute libraries"},
	222: {"UNSUPPORTED_PTX_VERSION", "the PTX is in a newer version of the language than the driver knows", "update the NVIDIA driver, or compile with an older toolkit"},
	223: {"JIT_COMPILATION_DISABLED", "compiling PTX is switched off", "unset CUDA_DISABLE_PTX_JIT"},
	300: {"INVALID_SOURCE", "the module could not be read", "check the file given to -ptx"},
	301: {"FILE_NOT_FOUND", "the file to load does not exist", "check the file given to -ptx"},
	302: {"SHARED_OBJECT_SYMBOL_NOT_FOUND", "a library of the driver is from another version", "reinstall the NVIDIA driver"},
	303: {"SHARED_OBJECT_INIT_FAILED", "a library of the driver did not start", "reinstall the NVIDIA driver"},
	304: {"OPERATING_SYSTEM", "the operating system refused a call of the driver", "check the rights on /dev/nvidia*, and the limits of the container"},
	400: {"INVALID_HANDLE", "a module, kernel or context is not one, or is of another context", "look at what main.go passes to cu"},
	500: {"NOT_FOUND", "the module has no kernel of that name", `check the name, and that the kernel is declared extern "C"`},
	700: {"ILLEGAL_ADDRESS", "the kernel accessed memory outside its buffers", "check its guards and its index; make count-epNN names the line and the thread"},
	701: {"LAUNCH_OUT_OF_RESOURCES", "the launch needs more registers or shared memory than a block can have", "make the block smaller, or use less shared memory"},
	702: {"LAUNCH_TIMEOUT", "the kernel ran longer than the display's watchdog allows", "look for a loop that does not end"},
	710: {"ASSERT", "an assert in the kernel does not hold", "its text and line are printed above"},
	714: {"HARDWARE_STACK_ERROR", "the kernel's call stack is broken", "look for recursion, or a write past a local array"},
	715: {"ILLEGAL_INSTRUCTION", "the kernel reached an instruction that this GPU does not have", "compile for this card"},
	716: {"MISALIGNED_ADDRESS", "an access is not aligned to its size", "a float4 must lie at a multiple of 16 bytes, a float2 at 8; make count-epNN names the line"},
	717: {"INVALID_ADDRESS_SPACE", "an access has an address of the wrong memory", "look for a shared address used as a global one"},
	718: {"INVALID_PC", "the kernel jumped to no code", "look for a function pointer, or a write past a local array"},
	719: {"LAUNCH_FAILED", "the kernel failed", "look for a shared-memory index outside its array; make count-epNN names the line"},
	720: {"COOPERATIVE_LAUNCH_TOO_LARGE", "the grid is larger than the GPU can hold at once", "launch fewer blocks"},
	800: {"NOT_PERMITTED", "the driver does not permit the call", "check the rights on /dev/nvidia*"},
	801: {"NOT_SUPPORTED", "this GPU or driver does not support the call", "update the NVIDIA driver"},
	802: {"SYSTEM_NOT_READY", "the machine's GPU fabric is not running yet", "start nvidia-fabricmanager, or wait until it has started"},
	803: {"SYSTEM_DRIVER_MISMATCH", "libcuda and the kernel's driver module are of different versions", "restart the machine after a driver update"},
	804: {"COMPAT_NOT_SUPPORTED_ON_DEVICE", "this card does not run with a forward-compatibility libcuda", "take the cuda-compat folder out of LD_LIBRARY_PATH, or update the driver itself"},
	805: {"MPS_CONNECTION_FAILED", "the MPS server, through which programs share this GPU, does not answer", mpsAction},
	806: {"MPS_RPC_FAILURE", "the MPS server broke off the connection", mpsAction},
	807: {"MPS_SERVER_NOT_READY", "the MPS server is starting, or recovering from a fault", "run the program again in a moment"},
	808: {"MPS_MAX_CLIENTS_REACHED", "the MPS server has as many programs as it takes", "wait until another program has ended"},
	809: {"MPS_MAX_CONNECTIONS_REACHED", "the GPU has no connection left for another program", "wait until another program has ended"},
	810: {"MPS_CLIENT_TERMINATED", "the MPS server ended this program, as when another one's kernel has faulted", "run the program again"},
	999: {"UNKNOWN", "the driver failed without saying why", "restart the machine, or reload the driver; dmesg may say more"},
}

const mpsAction = "start it with nvidia-cuda-mps-control -d, or unset CUDA_MPS_PIPE_DIRECTORY to do without; on a cluster ask who runs it"

// Error names the result, says what it means and what to do about it.
func (r Result) Error() string {
	t, ok := results[r]
	if !ok {
		return fmt.Sprintf("the driver answered %d\nlook the number up under CUresult in the CUDA Driver API documentation", int(r))
	}
	return fmt.Sprintf("%s (CUDA_ERROR_%s, %d)\n%s", t.meaning, t.name, int(r), t.action)
}

// Results returns the driver's answers that have a text, by number.
func Results() []Result {
	var list []Result
	for r := range results {
		list = append(list, r)
	}
	slices.Sort(list)
	return list
}

// kernelFault reports whether the kernel itself is to blame for r, rather than
// the machine or the command line.
func (r Result) kernelFault() bool {
	switch r {
	case 700, 702, 710, 714, 715, 716, 717, 718, 719:
		return true
	}
	return false
}

// newerDriverNeeded is the text for a driver that answers 222 to PTX of the
// given version.
func newerDriverNeeded(version string, driver int) error {
	return fmt.Errorf("the driver knows CUDA %s and cannot read PTX .version %s (CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222)\n"+
		"update the NVIDIA driver, or compile with a toolkit that is no newer than it", record.CUDAVersion(driver), version)
}

// outOfMemory is the text for an allocation that did not fit.
func outOfMemory(asked, free, total int64) error {
	return fmt.Errorf("the GPU has too little free memory (CUDA_ERROR_OUT_OF_MEMORY, 2): asked for %s bytes, %s of %s are free\n"+
		"close other programs that use it (nvidia-smi lists them), or run with a smaller -n",
		thousands(asked), thousands(free), thousands(total))
}

// noRoomForContext is the text for a device too full for the driver's own part,
// before bytes were asked for.
func noRoomForContext(bytes int64) error {
	return fmt.Errorf("the GPU has too little free memory for the driver's own part, before the %s bytes of the matrices (CUDA_ERROR_OUT_OF_MEMORY, 2)\n"+
		"close other programs that use it (nvidia-smi lists them and what is free)", thousands(bytes))
}

// notFound is resultNotFound for a kernel, whose name the driver does not say.
type notFound struct{ name string }

func (e notFound) Error() string { return resultNotFound.Error() }

// noSuchKernel is the text for a kernel that the PTX lacks; name may be "".
func noSuchKernel(name string, file ptxFile) error {
	entries := file.entries()
	has, do := "no kernel at all", `check the name, that the PTX is this episode's, and that the kernel is declared extern "C"`
	if len(entries) > 0 {
		has = strings.Join(entries, ", ")
	}
	if name == "" {
		name = "that main.go asks for"
	} else {
		name = "named " + name
	}
	for _, e := range entries {
		if strings.HasPrefix(e, "_Z") {
			do = fmt.Sprintf(`a name like %s means that extern "C" is missing in the .cu`, e)
			break
		}
	}
	return fmt.Errorf("%s has no kernel %s (CUDA_ERROR_NOT_FOUND, 500); it has: %s\n%s", file.path, name, has, do)
}

// The exit statuses of an episode's program, besides 0.
const (
	statusWrong   = 1 // an output is wrong, or a kernel faulted
	statusMachine = 2 // the machine or the command line is at fault
	statusTooLong = 3 // a kernel is too long for the emulator to tell
)

// ExitStatus says who is to blame for an error.
func ExitStatus(err error) int {
	var r Result
	var m *Mismatch
	var f *ptx.Fault
	fault := errors.As(err, &f)
	switch {
	case fault && f.Kind == ptx.TooLong:
		return statusTooLong
	case fault, errors.As(err, &m), errors.Is(err, errNeverReads), errors.As(err, &r) && r.kernelFault():
		return statusWrong
	}
	return statusMachine
}
