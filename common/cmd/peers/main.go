// Peers times what others make of a transpose beside the series' last kernel, on the
// same card in one run: PyTorch, torch.compile, Triton, cuBLAS, and the driver's copy
// as the mark. It needs Python with PyTorch, and writes results/CARD-peers.txt.
//
//	peers [-python PROGRAM] [N …]
//
// Run it in the repository's root. Without sizes it takes 4096, 8192 and 16384.
package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"transpose/common/record"
)

//go:embed peers.py
var script string

func main() {
	python := flag.String("python", "python3", "the Python that has PyTorch")
	flag.Parse()
	if err := peers(os.Stdout, ".", "results", *python, flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "peers: %v\n", err)
		os.Exit(2)
	}
}

// peers runs the script, prints what it says, and keeps it in a folder under the card's
// name.
func peers(w io.Writer, root, results, python string, sizes []string) error {
	if err := hasPyTorch(python); err != nil {
		return err
	}
	last, err := lastKernel(root)
	if err != nil {
		return err
	}
	// As a file, because Triton reads the source of its kernels.
	folder, err := os.MkdirTemp("", "peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "peers.py")
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		return err
	}
	cmd := exec.Command(python, append(append([]string{file}, last...), sizes...)...)
	cmd.Dir = root
	var text, said strings.Builder
	cmd.Stdout, cmd.Stderr = io.MultiWriter(w, &text), &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", python, err, lastLine(said.String()))
	}
	first, _, _ := strings.Cut(text.String(), "\n")
	card, ok := strings.CutPrefix(first, "card: ")
	if !ok {
		return fmt.Errorf("nothing was timed: %s printed %q first, and no card", python, first)
	}
	path := filepath.Join(results, record.FileName(card)+"-peers.txt")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nwritten: %s\n", path)
	return nil
}

// lastKernel returns what the script needs of the series' last kernel: the file of its
// PTX, its name, the side of its tile, and its block. The episode's program knows them
// and records them.
func lastKernel(root string) ([]string, error) {
	folders, err := filepath.Glob(filepath.Join(root, "ep[0-9][0-9]-*"))
	if err != nil || len(folders) == 0 {
		return nil, fmt.Errorf("no episode here\nrun it in the repository's root")
	}
	folder, err := filepath.Abs(folders[len(folders)-1])
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "transpose.ptx")
	temp, err := os.MkdirTemp("", "peers")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	path := filepath.Join(temp, "record.txt")
	const n = 1024
	cmd := exec.Command("go", "run", ".", "-n", fmt.Sprint(n), "-ptx", file, "-record", path)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK="+filepath.Join(filepath.Dir(folder), "go.work"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", filepath.Base(folder), err, strings.TrimSpace(string(out)))
	}
	rec, err := record.Read(path)
	if err != nil {
		return nil, err
	}
	row := rec.Runs[0].New()
	if row == nil {
		return nil, fmt.Errorf("%s: its last kernel transposes nothing", filepath.Base(folder))
	}
	k := row.Kernel
	if k.Block.X == 0 { // the series'
		k.Block.X, k.Block.Y = 32, 8
	}
	return []string{file, k.Name, fmt.Sprint(n / k.Grid.X), fmt.Sprint(k.Block.X), fmt.Sprint(k.Block.Y)}, nil
}

// hasPyTorch returns an error that says what is missing, and what to do.
func hasPyTorch(python string) error {
	const program = "import torch, sys; sys.exit(0 if torch.cuda.is_available() else 3)"
	out, err := exec.Command(python, "-c", program).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &exit):
		return fmt.Errorf("no %s here: the libraries are timed by Python with PyTorch\ninstall them, or name another Python with -python", python)
	case exit.ExitCode() == 3:
		return fmt.Errorf("PyTorch finds no GPU: nothing can be timed here\nsee make doctor")
	}
	return fmt.Errorf("%s has no PyTorch: %s\ninstall it, pip install torch, or name another Python with -python", python, lastLine(string(out)))
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
