package main

import (
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"transpose/common/ptx"
	"transpose/common/trace"
)

const root = "../../.."

// TestCommitted holds that the pictures in the tree are those that the kernels make, that
// each says in words, for those who cannot see it, what the series says of its kernel, and
// that it is well-formed XML.
func TestCommitted(t *testing.T) {
	// The go command does not look at files of other modules before it takes a
	// result from its cache, so make test names their sum.
	_ = os.Getenv("TREE_SHA256")
	made, err := pictures(root)
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(root, "ep*", "pictures", "*"))
	if err != nil || len(paths) < 12 {
		t.Fatalf("%d pictures, want one for each kernel that accesses memory, and one for each episode: %v", len(paths), err)
	}
	byName := map[string]string{} // a later episode may show a picture of a kernel that it inherits
	for path, svg := range made {
		byName[filepath.Base(path)] = svg
	}
	for _, path := range paths {
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if made[path] == "" && string(got) != byName[filepath.Base(path)] {
			t.Errorf("%s: no kernel makes it", path)
		}
	}
	for path, want := range made {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is not what its kernel makes: run make pictures", path)
		}
	}
	for path, want := range map[string]string{
		"ep01-correct/pictures/copy.svg":                      "load: 4 sectors, 100% used, 1 wavefront; store: 4 sectors, 100% used, 1 wavefront.",
		"ep01-correct/pictures/transpose_naive.svg":           "load: 4 sectors, 100% used, 1 wavefront; store: 32 sectors, 12.5% used, 32 wavefronts.",
		"ep01-correct/pictures/idea.svg":                      "Block x = 1, y = 2 of 8 × 32. in: 8 rows × 32 columns, 32 sectors, each for one warp; out: 32 rows × 8 columns, 32 sectors, each for 8 warps.",
		"ep02-coalescing/pictures/transpose_read_strided.svg": "load: 32 sectors, 12.5% used, 32 wavefronts; store: 4 sectors, 100% used, 1 wavefront.",
		"ep02-coalescing/pictures/idea.svg":                   "Block x = 1, y = 2 of 8 × 32. in: 32 rows × 8 columns, 32 sectors, each for 8 warps; out: 8 rows × 32 columns, 32 sectors, each for one warp.",
		"ep03-shared/pictures/copy_tile.svg":                  "load: 4 sectors, 100% used, 1 wavefront; shared store: 1 wavefront; shared load: 1 wavefront; store: 4 sectors, 100% used, 1 wavefront.",
		"ep03-shared/pictures/transpose_shared.svg":           "load: 4 sectors, 100% used, 1 wavefront; shared store: 1 wavefront; shared load: 32 wavefronts; store: 4 sectors, 100% used, 1 wavefront.",
		"ep04-padding/pictures/transpose_padded.svg":          "load: 4 sectors, 100% used, 1 wavefront; shared store: 1 wavefront; shared load: 1 wavefront; store: 4 sectors, 100% used, 1 wavefront.",
		"ep05-order/pictures/transpose_ordered.svg":           "load: 4 sectors, 100% used, 1 wavefront; shared store: 1 wavefront; shared load: 1 wavefront; store: 4 sectors, 100% used, 1 wavefront.",
		"ep06-wide/pictures/copy_wide.svg":                    "load: 16 sectors, 100% used, 4 wavefronts; shared store: 2 wavefronts; shared load: 2 wavefronts; store: 16 sectors, 100% used, 4 wavefronts.",
		"ep06-wide/pictures/transpose_wide.svg":               "load: 16 sectors, 100% used, 4 wavefronts; shared store: 2 wavefronts; shared load: 2 wavefronts; store: 16 sectors, 100% used, 4 wavefronts.",
	} {
		if diff := cmp.Diff(want, description(t, made[filepath.Join(root, filepath.FromSlash(path))])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

// TestPadding holds what the pictures say of a tile with padding and of one without.
func TestPadding(t *testing.T) {
	made, err := pictures(root)
	if err != nil {
		t.Fatal(err)
	}
	const bank, empty = "From one lane to the next ", "Words of the tile that stay empty are padding."
	for _, c := range []struct {
		path, says string
		want       bool
	}{
		{"ep03-shared/pictures/transpose_shared.svg", bank + "128 bytes: the same bank again.", true},
		{"ep04-padding/pictures/transpose_padded.svg", bank + "132 bytes: 1 bank further.", true},
		{"ep03-shared/pictures/copy_tile.svg", bank, false}, // neighbours
		{"ep03-shared/pictures/idea.svg", empty, false},
		{"ep04-padding/pictures/idea.svg", empty, true},
	} {
		if got := strings.Contains(made[filepath.Join(root, filepath.FromSlash(c.path))], c.says); got != c.want {
			t.Errorf("%s says %q: %v, want %v", c.path, c.says, got, c.want)
		}
	}
}

func description(t *testing.T, svg string) string {
	t.Helper()
	var parsed struct {
		Desc string `xml:"desc"`
	}
	if err := xml.Unmarshal([]byte(svg), &parsed); err != nil {
		t.Error(err)
	}
	return parsed.Desc
}

// request is a request of the lanes of a mask, each at the byte that at says.
func request(buffer string, active uint32, at func(lane int64) int64) trace.Request {
	r := trace.Request{Buffer: buffer, Active: active, Addr: make([]int64, 32)}
	for i := range r.Addr {
		if active>>i&1 == 1 {
			r.Addr[i] = at(int64(i))
		}
	}
	return r
}

const all = 1<<32 - 1

// TestPasses deals words out to passes.
func TestPasses(t *testing.T) {
	for _, c := range []struct {
		name   string
		space  string
		store  bool
		bytes  int
		active uint32
		at     func(lane int64) int64
		count  int
		words  int // that are served, those of two parts twice
	}{
		{"a row", "shared", false, 4, all, func(i int64) int64 { return 4 * i }, 1, 32},
		{"a column", "shared", false, 4, all, func(i int64) int64 { return 128 * i }, 32, 32},
		{"a padded column", "shared", false, 4, all, func(i int64) int64 { return 132*i + 12 }, 1, 32},
		{"a swizzled column", "shared", false, 4, all, func(i int64) int64 { return 128*i + 4*(i^5) }, 1, 32},
		{"every other word", "shared", false, 4, all, func(i int64) int64 { return 8 * i }, 2, 32},
		{"one word for all", "shared", false, 4, all, func(int64) int64 { return 20 }, 1, 1},
		{"half a column", "shared", false, 4, 0xFFFF, func(i int64) int64 { return 128 * i }, 16, 16},
		{"bytes", "shared", false, 1, all, func(i int64) int64 { return i }, 1, 8},
		{"float2", "shared", false, 8, all, func(i int64) int64 { return 8 * i }, 2, 64},
		{"float2 in pairs", "shared", false, 8, all, func(i int64) int64 { return 8 * (i / 2) }, 1, 32},
		{"float2 in pairs, stored", "shared", true, 8, all, func(i int64) int64 { return 8 * (i / 2) }, 2, 32},
		{"float2 in pairs of global memory", "global", false, 8, all, func(i int64) int64 { return 8 * (i / 2) }, 2, 32},
		{"float4", "shared", false, 16, all, func(i int64) int64 { return 16 * i }, 4, 128},
		{"below the buffer", "global", false, 4, all, func(i int64) int64 { return -4 * i }, 1, 32},
	} {
		list, count := passes(request("shared", c.active, c.at), trace.Access{Space: c.space, Store: c.store, Bytes: c.bytes})
		if count != c.count || len(list) != c.words {
			t.Errorf("%s: %d words in %d passes, want %d in %d", c.name, len(list), count, c.words, c.count)
		}
		used := map[[2]int]int64{}
		for _, s := range list {
			if other, ok := used[[2]int{s.pass, s.bank}]; ok || s.pass >= count || s.bank < 0 || s.bank > 31 {
				t.Errorf("%s: bank %d serves the words %d and %d in pass %d", c.name, s.bank, s.word, other, s.pass)
			}
			used[[2]int{s.pass, s.bank}] = s.word
		}
	}
}

// TestDrawn draws accesses of every kind: of any width, by some lanes, in rows that begin
// within a sector, and where no matrix is.
func TestDrawn(t *testing.T) {
	for _, c := range []struct {
		name    string
		n       int64
		buffer  string
		bytes   int
		active  uint32
		at      func(lane int64) int64
		sectors int
		has     string
	}{
		{"a row", 256, "in", 4, all, func(i int64) int64 { return 4 * i }, 4, `>31</text>`},
		{"a column", 256, "out", 4, all, func(i int64) int64 { return 1024 * i }, 32, "lane 24"},
		{"a column of an odd n", 1001, "in", 4, all, func(i int64) int64 { return 4004 * i }, 32, ">1000</text>"},
		{"of a small matrix", 3, "in", 4, 7, func(i int64) int64 { return 4 * i }, 1, "in[row]"},
		{"across the end of a row", 33, "in", 4, all, func(i int64) int64 { return 4*i + 64 }, 4, "in[row]"},
		{"bytes", 256, "in", 1, all, func(i int64) int64 { return i }, 1, "in[row]"},
		{"float2", 256, "in", 8, all, func(i int64) int64 { return 8 * i }, 8, "in[row]"},
		{"float4 in two rows", 256, "in", 16, all, func(i int64) int64 { return 16*(i%16) + 1024*(i/16) }, 16, ">15</text>"},
		{"one lane", 256, "in", 4, 1 << 9, func(int64) int64 { return 400 }, 1, "in[row]"},
		{"scattered", 4096, "in", 4, all, func(i int64) int64 { return 4 * (i*i*16411 + i*97) }, 32, "where each sector begins"},
		{"elsewhere", 256, "", 4, all, func(i int64) int64 { return 1<<40 + 4*i }, 4, "address: where each sector begins"},
		{"before the matrix", 256, "in", 4, all, func(i int64) int64 { return 4*i - 128 }, 4, "where each sector begins"},
		{"behind the matrix", 8, "in", 4, all, func(i int64) int64 { return 4*i + 192 }, 4, "where each sector begins"},
	} {
		p := &picture{}
		if got := p.matrix(request(c.buffer, c.active, c.at), trace.Access{Space: "global", Bytes: c.bytes}, c.n); got != c.sectors {
			t.Errorf("%s: %d sectors drawn, want %d", c.name, got, c.sectors)
		}
		svg := p.svg("a & b", "c")
		description(t, svg)
		if !strings.Contains(svg, c.has) {
			t.Errorf("%s: no %q in it", c.name, c.has)
		}
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s: a place that is no number", c.name)
		}
	}
}

// TestChecked holds that a picture which does not show what was counted is none.
func TestChecked(t *testing.T) {
	kernel := func(change func(*trace.Request)) trace.Kernel {
		r := request("in", all, func(i int64) int64 { return 1024 * i })
		r.Sectors, r.Wavefronts = 32, 32
		change(&r)
		return trace.Kernel{Name: "k", Grid: ptx.Dim3{X: 1, Y: 1, Z: 1}, Block: ptx.Dim3{X: 32, Y: 1, Z: 1}, Blocks: []ptx.Dim3{{}}, Requests: []trace.Request{r},
			Accesses: []trace.Access{{Space: "global", Bytes: 4, Requests: 1, Sectors: 32, Wavefronts: 32, BytesTouched: 128}}}
	}
	for want, change := range map[string]func(*trace.Request){
		"<nil>":                                  func(*trace.Request) {},
		"line 0: 32 sectors drawn, 31 counted":   func(r *trace.Request) { r.Sectors = 31 },
		"line 0: 32 passes drawn, 33 wavefronts": func(r *trace.Request) { r.Wavefronts = 33 },
	} {
		if _, err := draw(kernel(change), 256, 0, 0); !strings.HasPrefix(fmt.Sprint(err), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestWrapped holds that no line of text is wider than the picture.
func TestWrapped(t *testing.T) {
	p := &picture{}
	p.line("", strings.Repeat("words and ", 20))
	p.line("", strings.Repeat("x", 200))
	if rest := strings.ReplaceAll(p.body.String(), "\n", ""); strings.Count(rest, "<text") != 4+4 {
		t.Errorf("%d lines: %s", strings.Count(rest, "<text"), rest)
	}
}

// TestChosen holds which block and warp of a grid are drawn, and which blocks in their
// order: of a large grid a few are traced, and some ask for nothing.
func TestChosen(t *testing.T) {
	at := func(x, y int) ptx.Dim3 { return ptx.Dim3{X: x, Y: y, Z: 0} }
	for _, c := range []struct {
		name    string
		grid    ptx.Dim3
		blocks  []ptx.Dim3
		asks    []trace.Request // by block and warp
		block   int
		warp    int
		numbers string
	}{
		{"block (1, 2)", at(4, 4), []ptx.Dim3{at(0, 0), at(1, 0), at(2, 1), at(1, 2)}, []trace.Request{{Block: 0}, {Block: 2}, {Block: 3, Warp: 1}, {Block: 3, Warp: 3}}, 3, 3, "Blocks 0 … 1"},
		{"off the diagonal", at(32, 32), []ptx.Dim3{at(0, 0), at(16, 0), at(1, 1), at(16, 1)}, []trace.Request{{Block: 0}, {Block: 1}, {Block: 2}, {Block: 3, Warp: 5}}, 3, 5, "Blocks 0, 16"},
		{"one that asks", at(4, 4), []ptx.Dim3{at(0, 0), at(1, 2)}, []trace.Request{{Block: 0, Warp: 2}}, 0, 2, "Block 0"},
	} {
		k := trace.Kernel{Grid: c.grid, Blocks: c.blocks, Requests: c.asks}
		_, numbers := firstBlocks(k)
		if block := inside(k); block != c.block || busy(k, block) != c.warp || numbers != c.numbers {
			t.Errorf("%s: block %d, warp %d, %s; want %d, %d, %s", c.name, block, busy(k, block), numbers, c.block, c.warp, c.numbers)
		}
	}
}

// TestOfFile holds that a kernel which has no picture is named.
func TestOfFile(t *testing.T) {
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("no clang 19 here")
	}
	for cu, want := range map[string]string{
		"../../../ep03-shared/transpose.cu":                    "",
		"../docs/testdata/ep03-turned-in/transpose.cu":         "",
		"../docs/testdata/ep03-no-barrier/transpose.cu":        "transpose_shared is not drawn: race in shared memory",
		"../../testdata/submissions/w26_no_extern_c.cu":        "not all is drawn: ",
		"../../testdata/submissions/w10_unsigned_countdown.cu": "transpose_shared is not drawn: kernel does not end",
	} {
		files, missing, err := ofFile("ep03", cu, "out", drawnN)
		if err != nil || files[filepath.Join("out", "copy_tile.svg")] == "" {
			t.Errorf("%s: %d files, %v", cu, len(files), err)
		}
		if got := strings.Join(missing, "\n"); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q is missing, want %q", cu, got, want)
		}
	}
}
