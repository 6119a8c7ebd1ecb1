package main

import (
	"fmt"
	"os"
	"path/filepath"

	"transpose/common/machine"
	"transpose/common/record"
)

// auto times an episode where the machine can, and counts it.
func (t *tree) auto(ep string, flags []string) error {
	m := t.timing()
	if m.Missing != "" {
		return t.runCount(t.program(ep), ep, []string{"-why", m.Missing + " here"}, flags)
	}
	if t.records == "" {
		both := *t
		both.records = t.built("record")
		t = &both
	}
	times, counts := filepath.Join(t.records, ep+".txt"), filepath.Join(t.records, ep+"-count.txt")
	if err := t.makeFolder("record"); err != nil {
		return err
	}
	os.Remove(times)
	os.Remove(counts)
	ptx := t.built(ep + ".ptx")
	timed := t.runTime(m, ep, ptx, flags)
	// After a wrong result the emulator may name the fault; a machine at fault says
	// it all.
	if statusOf(timed) >= 2 {
		return timed
	}
	// The emulator counts the very PTX that the driver ran.
	counted := t.runCount(t.program("count", ep), ep, []string{"-why", "", "-ptx", ptx}, flags)
	switch {
	case timed != nil:
		return timed
	case counted != nil:
		return counted
	}
	return t.bounds(times, counts)
}

// bounds prints what the counts explain of the times. It prints nothing where a
// reader's own -record has taken the place of ours.
func (t *tree) bounds(paths ...string) error {
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			return nil
		}
	}
	rec, err := record.Read(paths...)
	if err != nil {
		return err
	}
	rec.Runs[0].WriteBounds(t.stdout)
	return nil
}

func (t *tree) count(ep string, flags []string) error {
	return t.runCount(t.program("count", ep), ep, []string{"-why", "make count-" + ep}, flags)
}

func (t *tree) time(ep string, flags []string) error {
	m := t.timing()
	if m.Missing != "" {
		return failed(2, "nothing can be timed: %s here\n%s", m.Missing, m.Advice)
	}
	return t.runTime(m, ep, t.built(ep+".ptx"), flags)
}

// runCount builds the program that counts and runs it, with flags of ours and then
// the reader's, which win.
func (t *tree) runCount(path, ep string, ours, flags []string) error {
	if err := t.makeFolder("count"); err != nil {
		return err
	}
	if err := t.goBuild(t.countSettings(), path, "transpose/"+t.folder(ep)); err != nil {
		return err
	}
	ours = append(ours, t.recordFlag(ep+"-count.txt")...)
	return t.run(path, append(ours, flags...)...)
}

// runTime builds the program that times and runs it. It leaves the PTX that the
// driver ran at ptx.
func (t *tree) runTime(m machine.Timing, ep, ptx string, flags []string) error {
	if err := t.buildTime(m, ep); err != nil {
		return err
	}
	os.Remove(ptx)
	flags = append(t.recordFlag(ep+".txt"), flags...)
	return t.run(t.program(ep), append(flags, "-ptx-out", ptx)...)
}

func (t *tree) buildTime(m machine.Timing, ep string) error {
	settings, err := t.timeSettings(m)
	if err != nil {
		return err
	}
	return t.goBuild(settings, t.program(ep), "transpose/"+t.folder(ep))
}

// recordFlag is the flag that has a program of a series write its record.
func (t *tree) recordFlag(file string) []string {
	if t.records == "" {
		return nil
	}
	return []string{"-record", filepath.Join(t.records, file)}
}

// series runs all episodes and closes with one table.
func (t *tree) series(_ string, flags []string) error {
	records, err := t.runSeries("record", flags)
	if err != nil {
		return err
	}
	return t.tool("series", records...)
}

// runSeries runs all episodes, stops at one that fails, and returns the paths of
// their records, in a folder of the build folder.
func (t *tree) runSeries(folder string, flags []string) (records []string, err error) {
	all := *t
	all.records = t.built(folder)
	if err := t.makeFolder(folder); err != nil {
		return nil, err
	}
	if err := removeAll(all.records, "*.txt"); err != nil {
		return nil, err
	}
	for _, ep := range t.numbers() {
		if err := all.auto(ep, flags); err != nil {
			return nil, err
		}
		fmt.Fprintln(t.stdout)
	}
	return glob(all.records, "*.txt")
}

// removeAll removes the files of a folder that match a pattern.
func removeAll(folder, pattern string) error {
	paths, err := glob(folder, pattern)
	for _, path := range paths {
		if err == nil {
			err = os.Remove(path)
		}
	}
	return err
}
