//go:build !cuda

package faults

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"transpose/common"
	"transpose/common/internal/columns"
	"transpose/common/record"
)

// An otherFault is one that is not in the kernel: a part of FAULTS.md.
type otherFault struct {
	group  string // heading on the page, from here on
	fault  string
	words  string                    // of the message, for the part's heading
	see    func(t *testing.T) string // provokes it
	status int
	do     string
}

var otherFaults = []otherFault{
	{"Machine and build", "No GPU, or no driver", "no CUDA device here", held("../cmd/make/episode_test.go", "no CUDA device here: counted, not timed", "no CUDA device"), 0,
		"Nothing, if you have none: the counts are the other half of the series. In a container, start it with its GPUs (`--gpus all`)."},
	{"", "A container without the driver's compute library", "no libcuda.so.1 here", held("../cmd/make/doctor_test.go", "a GPU but no libcuda.so.1 here", "time nothing: a GPU but no libcuda.so.1 here"), 0,
		"Start it with NVIDIA_DRIVER_CAPABILITIES=compute,utility. `make doctor` says so."},
	{"", "A driver and a library of two versions, or no device that answers", "Driver/library version mismatch", held("../cmd/make/doctor_test.go", "nvidia-smi says: Failed to initialize NVML: Driver/library version mismatch", "nvidia-smi says: Failed to initialize NVML: Driver/library version mismatch"), 0,
		"Restart, after the driver was updated. Seen in `make doctor`; `make count-ep02` counts all the same."},
	{"", "A GPU, but not all that timing needs", "no cuda.h here", held("../cmd/make/episode_test.go", "a GPU but no cuda.h here: counted, not timed", "a GPU but no cuda.h"), 0,
		"Install what is named, or set CUDA_HOME; `make doctor` says where it looked. The same for libcuda.so.1 and for a C compiler."},
	{"", "`make time-ep02` where nothing can be timed", "nothing can be timed", held("../cmd/make/episode_test.go", "nothing can be timed: a GPU but no C compiler here", "nothing can be timed: ", "a GPU but no C compiler"), 2,
		"The next line of the message says what to install."},
	{"", "CUDA_HOME leads nowhere", "which does not exist: not used", held("../cmd/make/doctor_test.go", "CUDA_HOME      names /none, which does not exist: not used", "CUDA_HOME      names /none, which does not exist"), 0,
		"Correct it, or unset it. Seen in `make doctor`."},
	{"", "Two toolkits", "also here, not used", held("../cmd/make/doctor_test.go", "also here, not used: /opt/cuda/include/cuda.h", "also here, not used: "), 0,
		"Set CUDA_HOME to the one you want. The order: CUDA_HOME, CUDA_PATH, nvcc on PATH, /usr/local/cuda, /opt/cuda, /usr, conda, pip. Seen in `make doctor`."},
	{"", "libcuda.so.1 in a folder of its own: WSL, some containers", "the loader does not look there", held("../cmd/make/doctor_test.go", "the loader does not look there: make links the program to that folder", "loader does not look there"), 0,
		"Nothing: make finds /usr/lib/wsl/lib and /usr/local/nvidia/lib64. Seen in `make doctor`."},
	{"", "gcc is too new for nvcc", "unsupported GNU version", held("../compile/best_test.go", "nvcc does not work here (…unsupported GNU version! gcc versions later than 12 are not supported!); the committed transpose.ptx runs instead", "unsupported GNU version! gcc versions later than 12 are not supported!", "; the committed transpose.ptx runs instead"), 0,
		"Nothing, for an unedited kernel. For an edited one install clang, or the gcc that the message asks for."},
	{"", "nvcc no longer knows compute_75, or not yet", "by nvcc 13.0.88, sm_90", held("../compile/best_test.go", "PTX: transpose.cu by nvcc 13.0.88, sm_90", "made by nvcc for compute_90"), 0,
		"Nothing: make takes the oldest that this nvcc has. If the card is older than that, the committed PTX runs instead."},
	{"", "A kernel was edited, and no compiler is here", "transpose.cu was edited, and no compiler for it is here", runs("-n 33", edited, "copy"), 2,
		"Install clang 14 or newer (not Xcode's), or the CUDA toolkit; or `git checkout ep02-coalescing/transpose.cu`."},
	{"", "PTX cut off", "the file is damaged, or no PTX", runsFile("cut.ptx", ""), 2,
		"Compile it again. A driver answers 218."},
	{"", "A file that is no PTX", "unexpected at top level", runsFile("notes.txt", "hello\n"), 2,
		"Give -ptx what `nvcc -ptx` or clang -S wrote. A driver answers 200."},
	{"", "PTX of another episode", "has no kernel named transpose_shared", runs("-n 33 -ptx ../../ep01-correct/transpose.ptx", whole, "transpose_shared"), 2,
		"Give -ptx this episode's, or leave it out."},
	{"", "PTX newer than the driver", "cannot read PTX .version 99.0", seenOnGPU("../driver_errors.go", "the driver knows CUDA 13.0 and cannot read PTX .version 99.0 (CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222)", "cannot read PTX .version"), 2,
		"Update the driver, or compile with an older toolkit. With the unedited kernel this is a note, and the committed PTX, which every driver reads, runs instead."},
	{"", "PTX for a newer card, or by a toolkit newer than the driver, of a kernel that was not edited", "the driver refused ep01.ptx", seenOnGPU("../episode.go", "note: the driver refused ep01.ptx by clang 19, sm_120, .version 8.7 (218); the committed PTX ran instead", "the driver refused %s (%d); the committed PTX ran instead"), 0,
		"Nothing: the committed PTX is within 3 % of nvcc's."},
	{"", "CUDA_VISIBLE_DEVICES hides the GPU", "the driver found no GPU", seenOnGPU("../driver_errors.go", "the driver found no GPU (CUDA_ERROR_NO_DEVICE, 100)", "the driver found no GPU"), 2,
		"Unset it, or set it to 0, the number of the first GPU."},
	{"", "The GPU's memory is full", "the GPU has too little free memory", seenOnGPU("../driver_errors.go", "the GPU has too little free memory (CUDA_ERROR_OUT_OF_MEMORY, 2): asked for 67,108,864 bytes, 12,124,160 of 150,109,880,320 are free", "asked for %s bytes, %s of %s are free"), 2,
		"`nvidia-smi` lists who has it."},
	{"", "No Go, or an old one", "Go is too old here", held("../cmd/make/run_test.go", "Go is too old here: go1.20.14", "Go is too old here: ", "go1.20.14"), 2,
		"Install Go 1.22.4 or newer. With 1.21 or an earlier 1.22, GOTOOLCHAIN=auto fetches one."},
	{"", "A go that does not start: GOROOT is gone, a version manager has none to start, memory is limited", "go does not start", held("../cmd/make/run_test.go", "go does not start; it says:\ngo: cannot find GOROOT directory: /none", "does not start; it says:", "go: cannot find GOROOT directory: /none"), 2,
		"Mend what go itself says, until `go version` works in this folder."},
	{"", "`sudo make`, with sudo's PATH", "no go command here", held("../cmd/make/run_test.go", "no go command here\nsudo has a PATH of its own; to keep yours: sudo env \"PATH=$PATH\" make ncu-ep01", "sudo has a PATH of its own; to keep yours: sudo env "), 2,
		"What the message says."},
	{"", "A folder that cannot be written to", "cannot write to the folder build", held("../cmd/make/run_test.go", "cannot write to the folder build\ngive make another one: BUILD=/some/folder", `cannot write to the folder build\ngive make another one: BUILD=/some/folder`), 2,
		"`make ep02 BUILD=$HOME/build`."},
	{"", "A folder mounted noexec", "may not be started", held("../cmd/make/episode_test.go", "build/ep02 may not be started: its folder may be mounted noexec\ngive make another one: BUILD=/some/folder", "may not be started: its folder may be mounted noexec"), 2,
		"The same; for `make test` and `go run`, set TMPDIR to another folder."},
	{"", "GOFLAGS, GOWORK, CGO_ENABLED, GOOS or GOARCH set in the shell", "", held("../cmd/make/run_test.go", "(nothing: make sets what it needs)", "GOFLAGS=-race -json -mod=mod", "GOWORK=off", "GOOS=windows", "GOARCH=arm64", "CGO_ENABLED=1"), 0,
		"Nothing; flags for the tests go in ARGS: `make test ARGS=-race`. Under plain `go run .` the variables count: unset them there."},
	{"", "A path with spaces, `make -C`, -j4", "", held("../cmd/make/tree_test.go", "(nothing: all of them work)", "a path with spaces"), 0,
		"Nothing. With -j the episodes still run one after the other: two at once would spoil each other's times."},
	{"", "One episode of `make series` fails", "", held("../cmd/make/episode_test.go", "(the message of that episode)", "COUNTED_ep02=1", `m.makes("series", 1`), 1,
		"The series stops there. Mend that episode; `make ep02` runs it alone."},
	{"", "A go.mod that disagrees with the others", "another module v0.7.0", held("../cmd/make/tree_test.go", "ep02-coalescing requires github.com/google/go-cmp v0.6.0, another module v0.7.0", "%s requires %s %s, another module %s"), 2,
		"Make the lines agree, those of `go` and of `require`. Seen in `make test`."},
	{"", "A size of nothing", "a matrix has at least one row", runs("-n 0", whole, "copy"), 2, "Any size from 1 to 8192, on a GPU to 16384; 4096 is the one of the series."},
	{"", "A size too large", "to count that takes 16 times as long", runs("-n 16384", whole, "copy"), 2, "The same."},
	{"", "A size that is no number", "parse error", runs("-n x", whole, "copy"), 2, "The same."},

	{"Measurement", "A time of zero", "took 0 ms by the event clock", invalid(0.1, 0), 2,
		"The event clock has not ticked, or an event was never reached. No bandwidth is printed, rather than Inf GB/s."},
	{"", "A negative time", "took -0.1 ms by the event clock", invalid(-0.1), 2, "The two events have changed places."},
	{"", "A time that is no number", "took NaN ms by the event clock", invalid(math.NaN()), 2, "Look at how it was computed."},
	{"", "A kernel that hangs on a GPU", "", held("interrupt_test.go", "(nothing comes)", "SIGINT"), -1,
		"Ctrl-C ends the program at once. Then `make count-ep02` names the loop. On a card with a display the driver ends it by itself: 702."},
	{"", "Another program on the same GPU", "min and max lie over 10% of the median apart", notes(func(r *record.Run) { r.Rows[5].Times = record.Times{0.080, 0.0795, 0.120} }), 0,
		"Look at min … max. Stop the other program (`nvidia-smi` lists it) and run again. Launches of a few µs always spread."},
	{"", "Two kernels that differ by less than the launches do", "cannot tell from transpose_read_strided", gains(func(r *record.Run) { r.Rows[5].Times = record.Times{0.080, 0.0795, 0.0831} }), 0,
		"Do not report a gain: there is none that twenty launches can show."},
	{"", "A matrix that fits in L2", "these times say little about DRAM", notes(func(r *record.Run) { r.N = 1000 }), 0,
		"Measure at n = 4096. On a card with more than 64 MiB of L2 even that says little about DRAM."},
	{"", "Faster than the card can be", "is over the card's peak", notes(func(r *record.Run) { r.Rows[5].Times = record.Times{0.020, 0.020, 0.020} }), 0,
		"Some of the bytes never came from DRAM; first look whether the check column says exact."},
}

// held is for what a test in another file provokes: it returns text, and holds
// that the words, parts of it, stand in that file.
func held(file, text string, words ...string) func(*testing.T) string {
	return func(t *testing.T) string {
		t.Helper()
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range words {
			if !strings.Contains(string(source), w) {
				t.Errorf("%s no longer provokes %q", file, w)
			}
		}
		return text
	}
}

// seenOnGPU is for what a GPU machine printed: it returns text, and holds that the
// transcripts have it and that the words of it still stand in the file that
// prints them.
func seenOnGPU(file, text string, words ...string) func(*testing.T) string {
	return func(t *testing.T) string {
		t.Helper()
		if !strings.Contains(columns.Unfold(0, transcripts(t)), text) {
			t.Errorf("the transcripts do not have %q", text)
		}
		return held(file, text, words...)(t)
	}
}

// Whether the kernel has changed since the committed PTX was made.
const whole, edited = false, true

// runs runs a whole program that launches the kernel of that name of episode 01, and
// returns what it prints on standard error.
func runs(args string, edited bool, kernel string) func(*testing.T) string {
	return func(t *testing.T) string {
		t.Helper()
		source, committed := readFile(t, "../../ep01-correct/transpose.cu"), readFile(t, "../../ep01-correct/transpose.ptx")
		if edited {
			source += "\n"
		}
		f := kernelFault{kernel: kernel, leaves: common.Copied, launch: elements}
		var stdout, stderr strings.Builder
		status := program(source, committed, f.body).Run(strings.Fields(args), &stdout, &stderr)
		if status != 2 {
			t.Errorf("%s: status %d, want 2\n%s%s", args, status, stdout.String(), stderr.String())
		}
		wantPlain(t, columns.Unfold(0, stderr.String()))
		message := strings.TrimPrefix(columns.Unfold(0, stderr.String()), "faults: ")
		return strings.ReplaceAll(strings.TrimSpace(message), "../../", "")
	}
}

// readFile reads a file, also one of another module: see TREE_SHA256 in
// common/cmd/make.
func readFile(t *testing.T, path string) string {
	t.Helper()
	_ = os.Getenv("TREE_SHA256")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// runsFile is runs with -ptx and a file of that name, of the given text or, where that
// is "", of a half of episode 01's.
func runsFile(name, text string) func(*testing.T) string {
	return func(t *testing.T) string {
		t.Helper()
		if text == "" {
			text = readFile(t, "../../ep01-correct/transpose.ptx")
			text = text[:len(text)/2]
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(runs("-n 33 -ptx "+path, whole, "copy")(t), filepath.Dir(path)+"/", "")
	}
}

// invalid returns what is said of such times.
func invalid(times ...float64) func(*testing.T) string {
	return func(t *testing.T) string {
		t.Helper()
		err := record.Times(times).Validate()
		if err == nil {
			t.Fatalf("%v passes", times)
		}
		return err.Error()
	}
}

// notes returns the notes of a GPU's report, changed.
func notes(change func(*record.Run)) func(*testing.T) string {
	return changed(change, func(line string) bool { return strings.HasPrefix(line, "note: ") })
}

// gains returns what a GPU's report, changed, says of the new kernel's gain.
func gains(change func(*record.Run)) func(*testing.T) string {
	return changed(change, func(line string) bool { return strings.HasPrefix(line, "  cannot tell") })
}

func changed(change func(*record.Run), keep func(line string) bool) func(*testing.T) string {
	return func(t *testing.T) string {
		t.Helper()
		rec, err := record.Read("../record/testdata/ep03.bench")
		if err != nil {
			t.Fatal(err)
		}
		change(rec.Runs[0])
		var table strings.Builder
		rec.Runs[0].WriteTable(&table)
		var lines []string
		for _, line := range strings.Split(columns.Unfold(0, table.String()), "\n") {
			if keep(line) {
				lines = append(lines, strings.Join(strings.Fields(line), " "))
			}
		}
		if len(lines) != 1 {
			t.Fatalf("want one line of that kind, got %q", lines)
		}
		return lines[0]
	}
}
