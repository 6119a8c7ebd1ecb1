package compile

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"transpose/common/ptx"
)

var (
	batches = flag.Int("batches", 16, "the `number` of files of 20 random kernels that TestRandomKernels runs")
	seed    = flag.Int64("seed", 1, "the `seed` of the first of them")
)

const kernelsOfBatch = 20

// hostCompiler is the C++ compiler of the machine.
func hostCompiler(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"c++", "g++", "clang++"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no C++ compiler on PATH")
	return ""
}

// A batch is a file of random kernels, and what each leaves on the host.
type batch struct {
	file string
	want [][]byte
}

func newBatch(t *testing.T, host string, seed int64) *batch {
	t.Helper()
	dir := t.TempDir()
	b := &batch{file: filepath.Join(dir, fmt.Sprintf("random%d.cu", seed))}
	header, err := os.ReadFile("testdata/random.h")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{b.file: randomKernels(seed, kernelsOfBatch), filepath.Join(dir, "random.h"): string(header)} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "random")
	if out, err := exec.Command(host, "-x", "c++", "-std=c++17", "-O1", "-w", "-ffp-contract=off", b.file, "-o", program, "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", host, err, out)
	}
	out, err := exec.Command(program).Output()
	if err != nil {
		t.Fatalf("seed %d on the host: %v", seed, err)
	}
	for n := len(out) / kernelsOfBatch; len(out) > 0; out = out[n:] {
		b.want = append(b.want, out[:n])
	}
	return b
}

// differences runs the kernels of PTX and says which leave something else.
func (b *batch) differences(text string) (found []string) {
	module, err := ptx.Parse(text)
	if err != nil {
		return []string{err.Error()}
	}
	for i, want := range b.want {
		name := fmt.Sprintf("k%d", i)
		got, err := b.launch(module.Entry(name))
		if err != nil {
			found = append(found, name+": "+err.Error())
			continue
		}
		for j := 0; j < len(want); j += 4 {
			if !bytes.Equal(got[j:j+4], want[j:j+4]) {
				const words = 26 // of a thread
				found = append(found, fmt.Sprintf("%s: word %d of thread %d is %#x, want %#x", name, j/4%words, j/4/words,
					binary.LittleEndian.Uint32(got[j:]), binary.LittleEndian.Uint32(want[j:])))
				break
			}
		}
	}
	return found
}

func (b *batch) launch(e *ptx.Entry) ([]byte, error) {
	const threads, budget = 64, 300_000 // of instructions of a warp, for planted faults that make loops endless
	mem := ptx.NewMemory()
	size := int64(len(b.want[0]))
	out, err := mem.Alloc(size)
	if err != nil {
		return nil, err
	}
	in, err := mem.Alloc(4 * threads)
	if err != nil {
		return nil, err
	}
	words, err := mem.Bytes(in, 4*threads)
	if err != nil {
		return nil, err
	}
	for i := range uint32(threads) {
		binary.LittleEndian.PutUint32(words[4*i:], (i+1)*2654435761)
	}
	if _, err := e.Launch(mem, ptx.Config{Grid: ptx.Dim3{X: 1, Y: 1, Z: 1}, Block: ptx.Dim3{X: threads, Y: 1, Z: 1}, Args: []uint64{out, in}, Budget: budget}); err != nil {
		return nil, err
	}
	return mem.Bytes(out, size)
}

// TestRandomKernels runs random kernels as a host's program and as PTX, and compares what
// they leave bit by bit.
func TestRandomKernels(t *testing.T) {
	host, all := hostCompiler(t), clangs(t)
	if _, err := exec.LookPath("nvcc"); err == nil && !testing.Short() {
		all = append(all, "nvcc")
	}
	n := *batches
	if testing.Short() {
		n = 1
	}
	for i := range n {
		compiler := all[i%len(all)]
		t.Run(fmt.Sprintf("%s/%d", compiler, *seed+int64(i)), func(t *testing.T) {
			t.Parallel()
			b := newBatch(t, host, *seed+int64(i))
			src, err := Read(b.file)
			if err != nil {
				t.Fatal(err)
			}
			text, err := Here(func(string) {}).With(compiler, src)
			if err != nil {
				t.Fatal(err)
			}
			for _, difference := range b.differences(text) {
				t.Error(difference)
			}
			if t.Failed() {
				t.Logf("-batches 1 -seed %d makes the kernels again", *seed+int64(i))
			}
		})
	}
}

// TestRandomKernelsTell holds that the comparison tells when one instruction does what
// another one should.
func TestRandomKernelsTell(t *testing.T) {
	if testing.Short() {
		t.Skip("runs twenty kernels nine times")
	}
	b := newBatch(t, hostCompiler(t), 1)
	text, _, err := ptxOf(clangs(t)[0], b.file)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range [][2]string{
		{"shr.s32", "shr.u32"}, {"setp.lt.s32", "setp.lt.u32"}, {"add.s32", "sub.s32"}, {"shfl.sync.bfly", "shfl.sync.down"}, {"mul.hi.u32", "mul.hi.s32"},
		{"cvt.rzi.s32.f32", "cvt.rni.s32.f32"}, {"fma.rn.f32", "fma.rz.f32"}, {"atom.shared.add", "atom.shared.max"}, {"selp.b32", "slct.b32.s32"},
	} {
		planted := strings.ReplaceAll(string(text), fault[0], fault[1])
		if planted == string(text) {
			t.Errorf("no kernel has a %s", fault[0])
		} else if len(b.differences(planted)) == 0 {
			t.Errorf("%s for %s: nothing differs", fault[1], fault[0])
		}
	}
}
