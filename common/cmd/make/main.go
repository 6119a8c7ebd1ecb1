// Make does what the targets of the Makefile name, on machines with and without
// make:
//
//	go run ./common/cmd/make ep02 -n 1001
//
// Without a target it lists them. Where there is a GPU it builds and runs an
// episode's program twice, with the driver bindings and with the emulator, else
// with the emulator alone. The exit status is that of the program which ended it;
// 2 for what went wrong before.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"strings"
)

// A target is what a reader can ask for. In its name NN stands for the number of
// an episode.
type target struct {
	name, does string
	run        func(t *tree, ep string, flags []string) error
	flags      bool // it takes some
}

var targets = []target{
	{"epNN", "run an episode: timed on a GPU where there is one, and counted", (*tree).auto, true},
	{"count-epNN", "count only; no GPU is needed", (*tree).count, true},
	{"time-epNN", "time only; says what is missing where it cannot", (*tree).time, true},
	{"see-epNN", "a page of an episode's kernels, with pictures, that follows the editor", (*tree).see, true},
	{"grade-epNN", "for a class: judge the kernels in a folder, DIR=submissions", (*tree).grade, true},
	{"series", "run all episodes, then one table of the series", (*tree).series, true},
	{"diff-epNN", "what an episode changes: its kernel, launch and test", (*tree).diff, true},
	{"ncu-epNN", "the counts beside Nsight Compute's; needs a GPU and ncu", (*tree).ncu, true},
	{"test", "run the tests; no GPU and no CUDA are needed", (*tree).test, true},
	{"doctor", "what this machine has, and what make epNN will do here", (*tree).doctor, false},
	{"env", `for go in a folder, with CUDA: eval "$(make -s env)"`, (*tree).env, false},
	{"ptx", "remake the committed PTX; needs clang 19", (*tree).remakePTX, false},
	{"check-ptx", "compare the committed PTX with a remake", (*tree).checkPTX, false},
	{"record", "on a GPU: run the series and keep what it measured in results/", (*tree).record, false},
	{"exercises", "on a GPU: time the edits and solutions once, for results/", (*tree).exercises, false},
	{"peers", "on a GPU, with PyTorch: what the libraries take, beside the last kernel", (*tree).peers, true},
	{"chart", "draw each record of results/", (*tree).chart, false},
	{"pictures", "draw what a warp of each kernel asks of memory", (*tree).pictures, false},
	{"docs", "rewrite the outputs and numbers that the documents quote", (*tree).docs, true},
	{"clean", "remove what was built", (*tree).clean, false},
}

func main() {
	// Ctrl-C is for the program that runs, which has it too; this one waits for it.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	t, err := here()
	if err == nil {
		err = t.make(os.Args[1:])
	}
	if err != nil && err.Error() != "" {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(statusOf(err))
}

var episodeNumber = regexp.MustCompile(`ep[0-9]+$`)

// make does one target. What follows its name are flags for the program it runs.
func (t *tree) make(args []string) error {
	if len(args) == 0 || args[0] == "help" {
		t.help()
		return nil
	}
	name, ep := args[0], episodeNumber.FindString(args[0])
	if ep != "" {
		name = strings.TrimSuffix(name, ep) + "epNN"
	}
	for _, g := range targets {
		if g.name != name {
			continue
		}
		if ep != "" && t.folder(ep) == "" {
			return failed(2, "there is no episode %s\nthere are %s", ep, strings.Join(t.numbers(), ", "))
		}
		if !g.flags && len(args) > 1 {
			return failed(2, "%s takes no flags, and was given %s", args[0], strings.Join(args[1:], " "))
		}
		return g.run(t, ep, args[1:])
	}
	return failed(2, "there is no target %s\nmake without a target lists them", args[0])
}

// help lists the targets, those of an episode with the number of the first.
func (t *tree) help() {
	for _, g := range targets {
		numbers := t.numbers()
		if g.name == "diff-epNN" && len(numbers) > 1 {
			numbers = numbers[1:] // there is none before the first
		}
		name, does := "make "+g.name, g.does
		if len(numbers) > 0 {
			first := numbers[0] + " …"
			if g.name == "epNN" {
				name += " … " + numbers[len(numbers)-1]
			} else if strings.HasSuffix(name, "epNN") {
				name += " …"
			}
			name, does = strings.Replace(name, "epNN", numbers[0], 1), strings.Replace(does, "epNN", first, 1)
		}
		fmt.Fprintf(t.stdout, "%-20s %s\n", name, does)
	}
	fmt.Fprint(t.stdout, "\nFlags for a program: make ep02 ARGS='-n 1001', or without make: go run ./common/cmd/make ep02 -n 1001\n")
}
