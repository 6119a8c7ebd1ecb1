package record

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"transpose/common/ptx"
)

// A Record is the measurements of one or more episodes, as they stand in a file
// in the Go benchmark format (golang.org/design/14313-benchmark-format). Its
// settings say where they come from: date and ptx always; card, driver,
// toolkit, l2-bytes, peak, sms and clock where a GPU was timed.
//
// A launch that was timed is a line with ns/op and, where the kernel moves
// anything, GB/s. What the kernel asked of memory, which is the same for every
// launch, stands on each of its lines: requests per launch, the sectors, lines and
// wavefronts of one request, and of all together, and the least that they could
// be. A kernel that was only counted has one line.
type Record struct {
	Runs []*Run // one for each episode and size; Name is ep01, ep02, …

	settings []setting
}

type setting struct{ key, value string }

// Setting returns the value of a configuration line, or "".
func (rec *Record) Setting(key string) string {
	for _, s := range rec.settings {
		if s.key == key {
			return s.value
		}
	}
	return ""
}

// Sizes returns the sizes of the matrices, in the order of the record.
func (rec *Record) Sizes() (sizes []int) {
	for _, r := range rec.Runs {
		if !slices.Contains(sizes, r.N) {
			sizes = append(sizes, r.N)
		}
	}
	return sizes
}

// At returns the part of a record that has one size.
func (rec *Record) At(n int) *Record {
	part := &Record{settings: rec.settings}
	for _, r := range rec.Runs {
		if r.N == n {
			part.Runs = append(part.Runs, r)
		}
	}
	return part
}

// Run returns the run of an episode: ep02, the first of its sizes, or ep02/8192.
func (rec *Record) Run(episode string) (*Run, error) {
	name, n, sized := strings.Cut(episode, "/")
	for _, r := range rec.Runs {
		if r.Name == name && (!sized || n == fmt.Sprint(r.N)) {
			return r, nil
		}
	}
	return nil, fmt.Errorf("the record has no %s", episode)
}

// A unit is one count of an access and its name in a record.
type unit struct {
	name string
	of   func(*ptx.Access) *int64
}

func sectors(a *ptx.Access) *int64        { return &a.Sectors }
func bestSectors(a *ptx.Access) *int64    { return &a.BestSectors }
func cacheLines(a *ptx.Access) *int64     { return &a.Lines }
func wavefronts(a *ptx.Access) *int64     { return &a.Wavefronts }
func bestWavefronts(a *ptx.Access) *int64 { return &a.BestWavefronts }

// kinds are the kinds of request that are recorded, and what is of one of them.
var kinds = []struct {
	Kind
	requests   string
	perRequest []unit
}{
	{Kind{ptx.Global, false}, "loads/op", []unit{{"sectors/load", sectors}, {"best-sectors/load", bestSectors}, {"lines/load", cacheLines},
		{"wavefronts/load", wavefronts}, {"best-wavefronts/load", bestWavefronts}}},
	{Kind{ptx.Global, true}, "stores/op", []unit{{"sectors/store", sectors}, {"best-sectors/store", bestSectors}, {"lines/store", cacheLines},
		{"wavefronts/store", wavefronts}, {"best-wavefronts/store", bestWavefronts}}},
	{Kind{ptx.Shared, false}, "shared-loads/op", []unit{{"wavefronts/shared-load", wavefronts}, {"best-wavefronts/shared-load", bestWavefronts}}},
	{Kind{ptx.Shared, true}, "shared-stores/op", []unit{{"wavefronts/shared-store", wavefronts}, {"best-wavefronts/shared-store", bestWavefronts}}},
}

// totals are of all requests of a launch together. Both memories share the pipe
// that wavefronts go through, so those are of both.
var totals = []unit{{"sectors/op", sectors}, {"best-sectors/op", bestSectors}, {"lines/op", cacheLines},
	{"wavefronts/op", wavefronts}, {"best-wavefronts/op", bestWavefronts}}

// New returns the record of a run that has just ended. compiler says what made
// the PTX.
func New(run *Run, compiler string) *Record {
	rec := &Record{Runs: []*Run{run}, settings: []setting{
		{"date", time.Now().Format("2006-01-02")},
		{"ptx", compiler},
	}}
	if !run.Timed() {
		return rec
	}
	c := run.Card
	rec.settings = append(rec.settings, setting{"card", c.Name}, setting{"driver", CUDAVersion(c.Driver)}, setting{"toolkit", c.Toolkit})
	if c.L2 > 0 {
		rec.settings = append(rec.settings, setting{"l2-bytes", fmt.Sprint(c.L2)})
	}
	if c.Peak > 0 {
		rec.settings = append(rec.settings, setting{"peak", fmt.Sprintf("%.1f GB/s", c.Peak)})
	}
	if c.SMs > 0 && c.Clock > 0 {
		rec.settings = append(rec.settings, setting{"sms", fmt.Sprint(c.SMs)}, setting{"clock", fmt.Sprintf("%g MHz", c.Clock)})
	}
	return rec
}

// CUDAVersion writes a version of CUDA as people do: 13000 is 13.0.
func CUDAVersion(v int) string { return fmt.Sprintf("%d.%d", v/1000, v%1000/10) }

// WriteFile writes the record to a file, all of it or nothing.
func (rec *Record) WriteFile(path string) error {
	var b strings.Builder
	rec.write(&b)
	if err := os.WriteFile(path+".tmp", []byte(b.String()), 0o644); err != nil {
		os.Remove(path + ".tmp")
		return err
	}
	return os.Rename(path+".tmp", path)
}

func (rec *Record) write(w io.Writer) {
	for _, s := range rec.settings {
		fmt.Fprintf(w, "%s: %s\n", s.key, s.value)
	}
	fmt.Fprintf(w, "Unit GB/s better=higher\n")
	exact := func(units ...unit) {
		for _, u := range units {
			fmt.Fprintf(w, "Unit %s assume=exact\n", u.name)
		}
	}
	for _, k := range kinds {
		exact(unit{name: k.requests})
		exact(k.perRequest...)
	}
	exact(totals...)
	for _, r := range rec.Runs {
		for _, row := range r.Rows {
			r.writeLines(w, row)
		}
	}
}

// writeLines writes the lines of one kernel.
func (r *Run) writeLines(w io.Writer, row Row) {
	name := r.benchmarkName(row.Kernel)
	counts := countFields(row.Counts)
	for _, ms := range row.Times {
		fmt.Fprintf(w, "%s 1 %.0f ns/op", name, ms*1e6)
		if row.Kernel.Leaves != Untouched {
			fmt.Fprintf(w, " %.1f GB/s", Bandwidth(BytesMoved(r.N), ms))
		}
		fmt.Fprintln(w, counts)
	}
	if row.Times == nil && counts != "" {
		fmt.Fprintf(w, "%s 1%s\n", name, counts)
	}
}

// countFields writes what a launch asked of memory, with a blank before each
// field.
func countFields(c *ptx.Counts) string {
	s := ""
	for _, k := range kinds {
		a := k.Sum(c)
		if a.Requests == 0 {
			continue
		}
		s += fmt.Sprintf(" %d %s", a.Requests, k.requests)
		for _, u := range k.perRequest {
			s += fmt.Sprintf(" %g %s", perRequest(*u.of(&a), a.Requests), u.name)
		}
	}
	if all := Total(c); all.Requests > 0 {
		for _, u := range totals {
			s += fmt.Sprintf(" %d %s", *u.of(&all), u.name)
		}
	}
	return s
}

// benchmarkName is BenchmarkEp02/n=4096/kernel=copy/grid=128x512/leaves=copied for
// kernel copy of ep02-coalescing, with a block=16x32 where the episode has several.
func (r *Run) benchmarkName(k Kernel) string {
	number, _, _ := strings.Cut(r.Name, "-")
	name := fmt.Sprintf("Benchmark%s%s/n=%d/kernel=%s", strings.ToUpper(number[:1]), number[1:], r.N, strings.ReplaceAll(k.Name, " ", "_"))
	if k != Memcpy {
		name += fmt.Sprintf("/grid=%dx%d", k.Grid.X, k.Grid.Y)
	}
	if k.Block.X > 0 {
		name += fmt.Sprintf("/block=%dx%d", k.Block.X, k.Block.Y)
	}
	return name + "/leaves=" + k.Leaves.String()
}

// parseName takes such a name apart. n is 0 where it has none.
func parseName(s string) (episode string, n int, k Kernel, err error) {
	parts := strings.Split(strings.TrimPrefix(s, "Benchmark"), "/")
	given := map[string]string{}
	for _, part := range parts[1:] {
		key, value, _ := strings.Cut(part, "=")
		given[key] = value
	}
	k.Name = given["kernel"]
	leaves := slices.Index(leavesNames[:], given["leaves"])
	k.Leaves = Leaves(leaves)
	switch {
	case k.Name == "":
		return "", 0, k, fmt.Errorf("%s names no kernel=", s)
	case leaves < 0:
		return "", 0, k, fmt.Errorf("%s does not say leaves=%s", s, strings.Join(leavesNames[:], ", "))
	case k.Name == strings.ReplaceAll(Memcpy.Name, " ", "_"):
		k = Memcpy
	default:
		if err := k.parseLaunch(given["grid"], given["block"]); err != nil {
			return "", 0, k, fmt.Errorf("%s has %w", s, err)
		}
	}
	if size, ok := given["n"]; ok {
		if n, err = strconv.Atoi(size); err != nil || n < 1 {
			return "", 0, k, fmt.Errorf("%s has no size in n=", s)
		}
	}
	return strings.ToLower(parts[0]), n, k, nil
}

// parseLaunch reads a grid such as 64x64 and a block such as 16x32, or none.
func (k *Kernel) parseLaunch(grid, block string) error {
	if _, err := fmt.Sscanf(grid, "%dx%d", &k.Grid.X, &k.Grid.Y); err != nil {
		return fmt.Errorf("no grid=: %w", err)
	}
	k.Grid.Z = 1
	if block == "" {
		return nil
	}
	if _, err := fmt.Sscanf(block, "%dx%d", &k.Block.X, &k.Block.Y); err != nil {
		return fmt.Errorf("no size in block=: %w", err)
	}
	k.Block.Z = 1
	return nil
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// FileName is what the files of a card are called: nvidia-h200 for NVIDIA H200.
func FileName(card string) string {
	return strings.Trim(notInNames.ReplaceAllString(strings.ToLower(card), "-"), "-")
}
