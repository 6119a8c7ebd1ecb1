package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	root    = "../../.."
	example = "results/chart/testdata/example.bench" // invented numbers
)

// TestTree holds that no block in the repository's documents is stale and that
// their links lead somewhere. A short test leaves out the edits, each of which is a run at
// n = 4096.
func TestTree(t *testing.T) {
	// The result of this test depends on files that the go command does not look
	// at before it takes a result from its cache, so make test names their sum.
	_ = os.Getenv("TREE_SHA256")
	left := ""
	if testing.Short() {
		left = "break"
	}
	var said strings.Builder
	if status, err := docs(&said, root, true, "results/nvidia-h200.bench", left, nil); status != 0 {
		t.Errorf("%v\n%srun make docs", err, said.String())
	}
}

// TestEdits holds that every edit under testdata is quoted by a document, so that
// TestTree runs it, or make exercises has.
func TestEdits(t *testing.T) {
	_ = os.Getenv("TREE_SHA256")
	paths, err := markdownFiles(root)
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
	}
	edits, err := filepath.Glob("testdata/*")
	if err != nil || len(edits) == 0 {
		t.Fatalf("edits: %v, %v", edits, err)
	}
	for _, edit := range edits {
		episode, name, _ := strings.Cut(filepath.Base(edit), "-")
		quoted := regexp.MustCompile(fmt.Sprintf(`<!-- docs: ((break|answer|pieces) %s %s|timed %[1]s-%[2]s(/\d+)?) `, episode, name))
		if !quoted.MatchString(all) {
			t.Errorf("no document quotes %s", edit)
		}
	}
}

// repeat is a command that says its arguments.
func repeat(command string) ([]output, error) {
	name, said, _ := strings.Cut(command, " ")
	switch name {
	case "one":
		return []output{{said, "text"}}, nil
	case "two":
		return []output{{said + "\n", "diff"}, {"\nlines\nof it\n", "text"}}, nil
	}
	if name == "leave" {
		return nil, errLeft
	}
	return nil, fmt.Errorf("no such command")
}

func TestRewrite(t *testing.T) {
	for _, c := range []struct{ name, text, want, stale string }{
		{"nothing", "no marks\n", "no marks\n", ""},
		{"words", "is <!-- docs: one 5 -->4<!-- /docs --> µs", "is <!-- docs: one 5 -->5<!-- /docs --> µs", "f.md:1: stale: one 5"},
		{"block", "\n<!-- docs: one a b -->\n<!-- /docs -->\n", "\n<!-- docs: one a b -->\n```text\na b\n```\n<!-- /docs -->\n", "f.md:2: stale: one a b"},
		{"two blocks", "<!-- docs: two x -->\n?<!-- /docs -->", "<!-- docs: two x -->\n```diff\nx\n```\n\n```text\nlines\nof it\n```\n<!-- /docs -->", "f.md:1: stale: two x"},
		{"left", "\n<!-- docs: leave -->\nit\n<!-- /docs -->\nis <!-- docs: one 5 -->4<!-- /docs -->", "\n<!-- docs: leave -->\nit\n<!-- /docs -->\nis <!-- docs: one 5 -->5<!-- /docs -->", "f.md:5: stale: one 5"},
		{"true already", "is <!-- docs: one 5 -->5<!-- /docs -->", "is <!-- docs: one 5 -->5<!-- /docs -->", ""},
		{"line of a later one", "<!-- docs: one 5 -->\n1\n2\n<!-- /docs -->\nis <!-- docs: one 6 --><!-- /docs -->",
			"<!-- docs: one 5 -->\n```text\n5\n```\n<!-- /docs -->\nis <!-- docs: one 6 -->6<!-- /docs -->", "f.md:1: stale: one 5\nf.md:5: stale: one 6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, stale, err := rewrite("f.md", c.text, repeat)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.stale, strings.Join(stale, "\n")); diff != "" {
				t.Errorf("stale (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRewriteRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown", "\nis <!-- docs: dance --><!-- /docs -->", "f.md:2: docs: dance: no such command"},
		{"open end", "<!-- docs: one 5 -->\n", "f.md:1: docs: one 5: no <!-- /docs --> after it"},
		{"one in another", "is <!-- docs: one 5 --> <!-- docs: one 6 --><!-- /docs -->", "f.md:1: docs: one 5: no <!-- /docs --> after it"},
		{"words that begin a line", "a\n<!-- docs: one 5 --><!-- /docs -->", "f.md:2: docs: one 5: a mark within a line cannot begin it"},
		{"words that begin the file", "<!-- docs: one 5 --><!-- /docs -->", "f.md:1: docs: one 5: a mark within a line cannot begin it"},
		{"block within a line", "a <!-- docs: two 5 --><!-- /docs -->", "put the marks on lines of their own"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, _, err := rewrite("f.md", c.text, repeat); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestDeadLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "b.md"), []byte("# Grüße, `make` & 4 × 4\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "a.md")
	for _, c := range []struct{ name, text, want string }{
		{"good", "# A b\n[x](b.md) [y](#a-b) [z](b.md#grüße-make--4--4) [w](https://x.y/z) <img src=\"b.md\">", ""},
		{"no file", "\n[x](c.md)", path + ":2: dead link: c.md: no such file"},
		{"no picture", `<img alt="" src="c.svg">`, path + ":1: dead link: c.svg: no such file"},
		{"titled", `![x](c.svg "of x")`, path + ":1: dead link: c.svg: no such file"},
		{"no heading here", "[x](#a)", path + ":1: dead link: #a: no such heading"},
		{"no heading there", "[x](b.md#a)", path + ":1: dead link: b.md#a: no such heading"},
		{"after code", "```\n[x](d.md)\n```\n[x](c.md)", path + ":4: dead link: c.md: no such file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, strings.Join(deadLinks(path, c.text), "\n")); diff != "" {
				t.Errorf("dead links (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCommands runs each command that is quick, on the tree as it is.
func TestCommands(t *testing.T) {
	c, err := newCommands(root, example, "")
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	for _, k := range []struct{ command, want string }{ // what the output contains
		{"run ep01 -n 64", "transpose_naive             exact"},
		{"diff ep01", "-  if (x < n && y < n) out[y * n + x] = in[y * n + x];\n+  if (x < n && y < n) out[x * n + y] = in[y * n + x];\n }\n"},
		{"diff ep04", "-  __shared__ float tile[32][32];\n"},
		{"times ep02", "Example Card (invented numbers), driver 13.0, 2000-01-01\nn = 4096; PTX by no compiler"},
		{"value ep02 transpose_naive GB/s", "515.4"},
		{"value ep02 transpose_naive GB/s 0", "515"},
		{"value ep02 memcpy ms", "0.0359"},
		{"value ep03 empty/128x128 us", "12.9"},
		{"value ep04 transpose_padded of-copy", "0.97"},
		{"value ep04 transpose_padded over transpose_shared", "2.21"},
		{"value ep04 transpose_padded over ep01 transpose_naive 1", "6.5"},
		{"value ep02 transpose_naive sectors/store", "32"},
		{"value ep03 transpose_shared wavefronts/op", "18,350,080"},
		{"ncu ep03 copy_tile", "ep03, one launch              counted    hardware  difference\ncopy_tile\n  load requests"},
		{"waits", `busy, % of the peak     L1 data pipe        L2      DRAM
copy_tile                      28.3%   > 85.0%     79.4%
transpose_shared             > 84.9%     39.5%     28.1%
`},
		{"waits transpose_shared", "DRAM\ntranspose_shared"},
		{"count ep02 -n 64 transpose_naive", "wavefronts\ntranspose_naive\n  transpose.cu:23"},
		{"pieces ep05", "\ntranspose_padded                     2  1,024     32  4,096\ntranspose_ordered                   32  4,096      2  1,024\n"},
		{"setting card", "Example Card (invented numbers)"},
		{"break ep01 no-guard -n 33", "global access out of bounds"},
		{"break ep04 pad-two -n 64", " 2 (best 1)"},
		{"answer ep04 pad-two -n 64", " 2 (best 1)"},
		{"timed ep01-short-grid transpose_naive", "671 GB/s"},
		{"timed ep01-short-grid/8192 transpose_naive", "672 GB/s"},
		{"timed ep03-no-barrier transpose_shared", "7 of 16,777,216 elements"},
		{"waits -odd", "DRAM\ntranspose_naive                30.0%   > 85.0%     11.0%\n"},
		{"odd ep02 transpose_naive", "264"},
		{"odd ep03 copy_tile", "40"},
		{"pieces ep05 diagonal", "4 KiB\ntranspose_ordered                   32  4,992     32  4,992\n"},
		{"series", "transpose_padded         3367 2.21×"},
	} {
		t.Run(k.command, func(t *testing.T) {
			outputs, err := c.output(k.command)
			if err != nil {
				t.Fatal(err)
			}
			if got := outputs[len(outputs)-1].text; !strings.Contains(got, k.want) {
				t.Errorf("output:\n%s\nwant\n%s", got, k.want)
			}
		})
	}
	for _, k := range []struct{ command, want string }{
		{"dance", "no such command"},
		{"run", "0 arguments"},
		{"run ep09", "no episode ep09"},
		{"value ep01 copy furlongs", "ep01 copy has no furlongs"},
		{"value ep01 nothing GB/s", "the record has no ep01 nothing"},
		{"break ep01 nothing", "no such edit"},
		{"times ep09", "has no ep09"},
		{"ncu ep09", "has no ep09"},
		{"ncu ep03 nothing", "no counts of nothing"},
		{"waits nothing", "no counts of nothing"},
		{"count ep02 nothing", "no counts of nothing"},
		{"peers", "example-peers.txt: no such file"},
		{"times ep02/8192", "the record has no ep02/8192"},
		{"setting color", "has no setting color"},
		{"answer ep01 nothing", "no such edit"},
		{"timed ep01-short-grid copy", "has no time of copy in ep01-short-grid"},
		{"timed ep03-no-barrier/8192 transpose_shared", "has no time of transpose_shared in ep03-no-barrier/8192"},
		{"odd ep03 transpose_naive", "example-n4095.txt has no time of transpose_naive in ep03"},
		{"waits -odd copy", "no counts of copy"},
	} {
		t.Run(k.command, func(t *testing.T) {
			if _, err := c.output(k.command); err == nil || !strings.Contains(err.Error(), k.want) {
				t.Errorf("error %v, want %q", err, k.want)
			}
		})
	}
}

// TestStrideTable holds the one table of the READMEs that no command makes: what a
// warp asks for when its lanes stand s floats apart.
func TestStrideTable(t *testing.T) {
	_ = os.Getenv("TREE_SHA256")
	text, err := os.ReadFile(filepath.Join(root, "ep02-coalescing", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(strings.NewReplacer(",", "", " ", "").Replace(line), "|")
		if len(cells) != 7 || !strings.Contains(cells[1], "float") {
			continue
		}
		rows++
		stride := 4096
		if !strings.HasPrefix(cells[1], "1row") {
			fmt.Sscanf(cells[1], "%d", &stride)
		}
		sectors := map[uint64]bool{}
		var inBank [32]int // no two lanes want the same word
		wavefronts := 0
		for lane := range uint64(32) {
			word := uint64(stride) * lane
			sectors[4*word/32] = true
			inBank[word%32]++
			wavefronts = max(wavefronts, inBank[word%32])
		}
		n := len(sectors)
		if want := fmt.Sprintf("%d|%d|%g%%|%d", n, 32*n, 100*128/float64(32*n), wavefronts); strings.Join(cells[2:6], "|") != want {
			t.Errorf("%s\nwant %s", line, want)
		}
	}
	if rows != 5 {
		t.Errorf("%d rows of strides, want 5", rows)
	}
}
