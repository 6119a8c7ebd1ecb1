package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"transpose/common/cmd/internal/diff"
	"transpose/common/compile"
)

// commands runs the commands of the marks.
type commands struct {
	root   string // of the repository
	record string // the file that GPU figures come from
	folder string // for the programs built
	memory map[string]*result
	left   string // the command whose outputs are left as they stand, or ""
}

func newCommands(root, record, left string) (*commands, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "docs")
	if err != nil {
		return nil, err
	}
	return &commands{root: root, record: record, folder: folder, memory: map[string]*result{}, left: left}, nil
}

func (c *commands) close() { os.RemoveAll(c.folder) }

// output runs one command.
func (c *commands) output(command string) ([]output, error) {
	name, args := strings.Fields(command)[0], strings.Fields(command)[1:]
	if name == c.left {
		return nil, errLeft
	}
	for _, k := range []struct {
		name     string
		min, max int // arguments
		language string
		run      func(args []string) (string, error)
	}{
		{"run", 1, 3, "text", c.run},
		{"count", 2, 9, "text", c.count},
		{"diff", 1, 1, "diff", c.diff},
		{"times", 1, 1, "text", c.times},
		{"value", 3, 6, "text", c.value},
		{"series", 0, 0, "text", c.series},
		{"setting", 1, 1, "text", c.setting},
		{"ncu", 1, 9, "text", c.ncu},
		{"waits", 0, 9, "text", c.waits},
		{"odd", 2, 2, "text", c.odd},
		{"peers", 0, 0, "text", c.peers},
		{"pieces", 1, 2, "text", c.pieces},
		{"timed", 2, 2, "text", c.timed},
		{"break", 2, 4, "", nil},
		{"answer", 2, 4, "", nil},
	} {
		switch {
		case k.name != name:
		case len(args) < k.min || len(args) > k.max:
			return nil, fmt.Errorf("%d arguments", len(args))
		case name == "break":
			return c.breakIt(args)
		case name == "answer":
			both, err := c.breakIt(args)
			if err != nil {
				return nil, err
			}
			return both[1:], nil
		default:
			text, err := k.run(args)
			return []output{{text, k.language}}, err
		}
	}
	return nil, fmt.Errorf("no such command")
}

// episode returns the folder of ep02, such as ep02-coalescing.
func (c *commands) episode(ep string) (string, error) {
	folders, err := filepath.Glob(filepath.Join(c.root, ep+"-*"))
	if err != nil || len(folders) != 1 {
		return "", fmt.Errorf("no episode %s", ep)
	}
	return filepath.Base(folders[0]), nil
}

func (c *commands) source(ep string) (string, error) {
	folder, err := c.episode(ep)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(c.root, folder, "transpose.cu"))
	if err == nil && len(compile.Kernels(string(text))) < 2 {
		err = fmt.Errorf("%s/transpose.cu has fewer than two kernels", folder)
	}
	return string(text), err
}

func (c *commands) run(args []string) (string, error) {
	r, err := c.rightProgram(args[0], args[1:]...)
	if err != nil {
		return "", err
	}
	return r.stdout, nil
}

// count prints what the program counts of the kernels named, behind a -n N.
func (c *commands) count(args []string) (string, error) {
	var flags []string
	ep, kernels := args[0], args[1:]
	if kernels[0] == "-n" && len(kernels) > 1 {
		flags, kernels = kernels[:2], kernels[2:]
	}
	r, err := c.rightProgram(ep, flags...)
	if err != nil {
		return "", err
	}
	return onlyKernels(r.counts(), kernels)
}

// ncu prints the table of one episode that was recorded with Nsight Compute, of
// all kernels or of those named.
func (c *commands) ncu(args []string) (string, error) {
	path := strings.TrimSuffix(c.record, ".bench") + "-ncu.txt"
	text, err := os.ReadFile(filepath.Join(c.root, path))
	if err != nil {
		return "", err
	}
	heading := args[0] + ", one launch"
	_, table, found := strings.Cut(string(text), heading)
	if !found {
		return "", fmt.Errorf("%s has no %s", path, args[0])
	}
	table, _, _ = strings.Cut(table, "\n\n")
	return onlyKernels(heading+table+"\n", args[1:])
}

// peers prints what was timed beside the series' last kernel.
func (c *commands) peers([]string) (string, error) {
	text, err := os.ReadFile(filepath.Join(c.root, strings.TrimSuffix(c.record, ".bench")+"-peers.txt"))
	return string(text), err
}

// timed prints the bandwidth of a kernel in an edit that make exercises timed, or how many
// elements were wrong there.
func (c *commands) timed(args []string) (string, error) {
	path := strings.TrimSuffix(c.record, ".bench") + "-exercises.txt"
	text, err := os.ReadFile(filepath.Join(c.root, path))
	if err != nil {
		return "", err
	}
	edit := args[0]
	if !strings.Contains(edit, "/") {
		edit += "/4096"
	}
	for _, line := range strings.Split(string(text), "\n") {
		switch f := strings.Fields(line); {
		case len(f) < 4 || f[0] != edit:
		case len(f) == 9 && f[1] == args[1]:
			return f[7] + " GB/s", nil
		case f[1] == args[1]+":" && f[2] == "wrong:":
			return strings.Join(f[3:], " "), nil
		}
	}
	return "", fmt.Errorf("%s has no time of %s in %s", path, args[1], edit)
}

// diff shows the new kernel of an episode against the one it replaces: the new
// one of the episode before, or in the first episode the kernel above it.
func (c *commands) diff(args []string) (string, error) {
	var number int
	if _, err := fmt.Sscanf(args[0], "ep%d", &number); err != nil {
		return "", err
	}
	source, err := c.source(args[0])
	if err != nil {
		return "", err
	}
	kernels := compile.Kernels(source)
	after, before := kernels[len(kernels)-1], kernels[len(kernels)-2]
	if number > 1 {
		source, err := c.source(fmt.Sprintf("ep%02d", number-1))
		if err != nil {
			return "", err
		}
		earlier := compile.Kernels(source)
		before = earlier[len(earlier)-1]
	}
	const whole = 1000
	return diff.Near(before.Text, after.Text, whole), nil
}

// times prints the table of an episode, and what its counts explain, under what says where and when it
// was measured.
func (c *commands) times(args []string) (string, error) {
	rec, err := c.recorded()
	if err != nil {
		return "", err
	}
	r, err := rec.Run(args[0])
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, driver %s, %s\nn = %d; PTX by %s\n",
		rec.Setting("card"), rec.Setting("driver"), rec.Setting("date"), r.N, rec.Setting("ptx"))
	r.WriteTable(&b)
	r.WriteBounds(&b)
	return b.String(), nil
}

// series prints what the record has of each episode's new kernel at all sizes.
func (c *commands) series([]string) (string, error) {
	rec, err := c.recorded()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	rec.WriteBandwidths(&b)
	return b.String(), nil
}

func (c *commands) setting(args []string) (string, error) {
	rec, err := c.recorded()
	if err != nil {
		return "", err
	}
	value := rec.Setting(args[0])
	if value == "" {
		err = fmt.Errorf("%s has no setting %s", c.record, args[0])
	}
	return value, err
}
