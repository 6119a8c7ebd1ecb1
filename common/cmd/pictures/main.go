// Pictures draws what kernels ask of memory, from the requests that the emulator traces:
// what one warp touches of the matrices, of the tile and of the 32 banks, and where blocks
// and warps read and write.
//
//	pictures
//	pictures [-n N] -cu FILE -o FOLDER ep03
//
// Without arguments, in the repository's root, it writes epNN-*/pictures/KERNEL.svg for
// each kernel in the folder of the episode where it is new, and idea.svg for the episode's
// own. With -cu it draws the kernels of a file, under that episode's main, to a folder. The
// exit status is 1 if a kernel was stopped and has no picture.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"transpose/common/cmd/internal/episode"
	"transpose/common/trace"
)

func main() {
	n := flag.Int("n", drawnN, "with -cu: the matrices are `n` × n")
	cu := flag.String("cu", "", "draw the kernels of `file`")
	out := flag.String("o", ".", "with -cu: the `folder` to write to")
	flag.Parse()
	files, missing, err := map[string]string(nil), []string(nil), error(nil)
	switch {
	case *cu == "" && flag.NArg() == 0:
		files, err = pictures(".")
	case *cu != "" && flag.NArg() == 1:
		files, missing, err = ofFile(flag.Arg(0), *cu, *out, *n)
	default:
		err = fmt.Errorf("-cu FILE and an episode belong together\ngive both, such as: -cu mine.cu ep03")
	}
	for path, svg := range files {
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o755)
		}
		if err == nil {
			err = os.WriteFile(path, []byte(svg), 0o644)
		}
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "pictures: %v\n", err)
		os.Exit(2)
	}
	for _, what := range missing {
		fmt.Fprintf(os.Stderr, "pictures: %s\n", what)
	}
	if len(missing) > 0 {
		os.Exit(1)
	}
}

// drawnN is the size of the matrices in the committed pictures. Rows lie in the same banks
// as at 4096, and a tile is large enough to be seen in its matrix.
const drawnN = 256

// drawnWarp is the warp that is drawn, of a block in the inside of the matrix.
const drawnWarp = 3

// pictures returns the text of every picture by its path below root.
func pictures(root string) (map[string]string, error) {
	folders, err := filepath.Glob(filepath.Join(root, "ep[0-9][0-9]-*"))
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	seen := map[string]bool{}
	for _, folder := range folders {
		t, err := traced(root, filepath.Base(folder), "-n", fmt.Sprint(drawnN))
		if err == nil {
			err = exact(t)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(folder), err)
		}
		for _, k := range t.Kernels {
			if len(k.Requests) == 0 { // empty asks for nothing
				continue
			}
			files[filepath.Join(folder, "pictures", "idea.svg")] = drawIdea(k, t.N, inside(k)) // the last one's stays
			if seen[k.Name] {
				continue
			}
			seen[k.Name] = true
			svg, err := draw(k, t.N, inside(k), busy(k, inside(k)))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", k.Name, err)
			}
			files[filepath.Join(folder, "pictures", k.Name+".svg")] = svg
		}
	}
	return files, nil
}

// ofFile returns the pictures of the kernels of a file, and what is missing of them.
func ofFile(name, cu, out string, n int) (files map[string]string, missing []string, err error) {
	root, folder, err := episode.Find(name)
	if err != nil {
		return nil, nil, err
	}
	cu, err = filepath.Abs(cu)
	if err != nil {
		return nil, nil, err
	}
	t, err := traced(root, folder, "-n", fmt.Sprint(n), "-cu", cu)
	if err != nil {
		return nil, nil, err
	}
	files = map[string]string{}
	for _, k := range t.Kernels {
		if len(k.Requests) == 0 {
			if k.Message != "" {
				missing = append(missing, fmt.Sprintf("%s is not drawn: %s", k.Name, strings.TrimSpace(strings.TrimPrefix(k.Message, k.Name+": "))))
			}
			continue
		}
		svg, err := draw(k, t.N, inside(k), busy(k, inside(k)))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", k.Name, err)
		}
		files[filepath.Join(out, k.Name+".svg")] = svg
		files[filepath.Join(out, k.Name+"-idea.svg")] = drawIdea(k, t.N, inside(k))
	}
	switch {
	case len(files) == 0:
		return nil, nil, fmt.Errorf("nothing was traced: %s", strings.TrimSpace(t.Message))
	case t.Verdict == trace.Format:
		missing = append(missing, "not all is drawn: "+strings.TrimSpace(t.Message))
	}
	return files, missing, nil
}

// exact returns what is wrong with a run, if something is.
func exact(t *trace.Trace) error {
	if t.Verdict != trace.Exact {
		return fmt.Errorf("%s: %s", t.Verdict, t.Message)
	}
	return nil
}

// inside is the index of a block that asks for something, in the inside of the grid and
// off its diagonal if there is one: block (1, 2) where it was traced.
func inside(k trace.Kernel) int {
	asks := map[int]bool{}
	for _, r := range k.Requests {
		asks[r.Block] = true
	}
	best, most := 0, -1
	for i, b := range k.Blocks {
		score := 0
		if b.X > 0 && b.Y > 0 && b.X < k.Grid.X-1 && b.Y < k.Grid.Y-1 {
			score += 2
		}
		if b.X != b.Y {
			score++
		}
		if b.X == 1 && b.Y == 2 {
			score++
		}
		if asks[i] && score > most {
			best, most = i, score
		}
	}
	return best
}

// busy is the warp to draw of a block: drawnWarp if that asks for something, or the first
// that does.
func busy(k trace.Kernel, block int) int {
	first := -1
	for _, r := range k.Requests {
		switch {
		case r.Block != block:
		case r.Warp == drawnWarp:
			return r.Warp
		case first < 0:
			first = r.Warp
		}
	}
	return max(first, 0)
}

// traced builds an episode's program for the emulator and runs it with -trace.
func traced(root, folder string, flags ...string) (*trace.Trace, error) {
	temp, err := os.MkdirTemp("", "pictures")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	root, err = filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	program, out := episode.Program(temp, folder), filepath.Join(temp, "trace.json")
	if err := episode.Build(context.Background(), root, folder, program); err != nil {
		return nil, err
	}
	cmd := exec.Command(program, append(flags, "-trace", out)...)
	cmd.Dir = filepath.Join(root, folder)
	said, failed := cmd.CombinedOutput()
	t, err := trace.Read(out)
	if err != nil {
		if failed != nil {
			err = fmt.Errorf("%w: %s", failed, bytes.TrimSpace(said))
		}
		return nil, err
	}
	return t, nil // whatever its verdict is
}
