package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"transpose/common/internal/terminal"
	"transpose/common/trace"
)

// gradeAll grades all submissions, several at a time, and writes what came out.
func (p *program) gradeAll(ctx context.Context, list []submission, stdout, stderr io.Writer) error {
	b, err := p.newBook(list)
	if err != nil {
		return err
	}
	defer b.log.Close()
	show := newProgress(stderr, len(list))
	work := make(chan submission)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for range min(p.jobs, len(list)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for s := range work {
				g, err := b.known(s, p), error(nil)
				if g == nil {
					g, err = p.grade(ctx, s)
				}
				if err == nil {
					err = b.add(g, func() { show.line(stdout, g.String()) })
				}
				if err != nil {
					cancel(err)
					return
				}
			}
		}()
	}
	for _, s := range list {
		select {
		case work <- s:
		case <-ctx.Done():
		}
	}
	close(work)
	wg.Wait()
	show.clear()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := b.write(p.out); err != nil {
		return err
	}
	fmt.Fprintln(stdout, b.summary())
	return nil
}

// A book has the grades, and appends each to grades.jsonl as it comes, so that an
// interrupted run can go on.
type book struct {
	mu     sync.Mutex
	grades []*grade
	before map[string]*grade // of an earlier run, by file
	log    *os.File
}

func (p *program) newBook(list []submission) (*book, error) {
	b := &book{before: map[string]*grade{}}
	path := filepath.Join(p.out, "grades.jsonl")
	text, _ := os.ReadFile(path) // there may be none
	for _, line := range bytes.Split(text, []byte("\n")) {
		g := &grade{}
		if json.Unmarshal(line, g) == nil && g.Key != "" { // the last line may have been cut off
			b.before[g.File] = g
		}
	}
	var err error
	b.log, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("%w\ngive -o a folder that can be written", err)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		_, err = b.log.WriteString("\n")
	}
	return b, err
}

// known returns the grade of an earlier run that a new one would only repeat, or nil.
func (b *book) known(s submission, p *program) *grade {
	g := b.before[s.name]
	if g == nil || s.read() != "" || g.Key != s.key(p.sum) {
		return nil
	}
	if g.Page != "" && !exists(filepath.Join(p.pages, filepath.FromSlash(g.Page))) {
		return nil
	}
	return g
}

// add adds a grade and calls told before the next one comes.
func (b *book) add(g *grade, told func()) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.grades = append(b.grades, g)
	told()
	if b.before[g.File] == g {
		return nil
	}
	return json.NewEncoder(b.log).Encode(g)
}

// write writes both files anew, in the order of the submissions.
func (b *book) write(folder string) error {
	slices.SortFunc(b.grades, func(x, y *grade) int { return strings.Compare(x.File, y.File) })
	var lines, table bytes.Buffer
	encoder := json.NewEncoder(&lines)
	for _, g := range b.grades {
		if err := encoder.Encode(g); err != nil {
			return err
		}
	}
	if err := writeCSV(&table, b.grades); err != nil {
		return err
	}
	b.log.Close()
	for name, text := range map[string][]byte{"grades.jsonl": lines.Bytes(), "grades.csv": table.Bytes()} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path+".new", text, 0o644); err != nil {
			return err
		}
		if err := os.Rename(path+".new", path); err != nil {
			return err
		}
	}
	return nil
}

// writeCSV writes a row a submission: the verdict first, and then what was counted.
func writeCSV(w io.Writer, grades []*grade) error {
	c := csv.NewWriter(w)
	rows := [][]string{{"file", "verdict", "n", "kernel", "line", "reason", "counted_n", "requests", "sectors", "best_sectors", "wavefronts", "best_wavefronts"}}
	number := func(n int64) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint(n)
	}
	for _, g := range grades {
		row := []string{cell(g.File), string(g.Verdict), number(int64(g.N)), cell(g.Kernel), number(int64(g.Line)), cell(g.why()), number(int64(g.CountedN))}
		t := g.Total
		if t == nil {
			t = &totals{}
		}
		rows = append(rows, append(row, number(t.Requests), number(t.Sectors), number(t.BestSectors), number(t.Wavefronts), number(t.BestWavefronts)))
	}
	return c.WriteAll(rows)
}

// cell is a text of a submission's that no spreadsheet takes for a formula.
func cell(s string) string {
	if s = printable(s); s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// printable is a text without what a terminal obeys.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// why is the reason in one line, without what the other columns have.
func (g *grade) why() string {
	if g.Verdict == trace.Exact {
		return ""
	}
	line, rest, _ := strings.Cut(g.Message, "\n")
	for rest != "" && (strings.HasSuffix(line, ";") || strings.HasSuffix(line, ",")) { // half of a race
		more, after, _ := strings.Cut(rest, "\n")
		line, rest = line+" "+more, after
	}
	if _, after, found := strings.Cut(line, ": "); found && g.Kernel != "" && strings.HasPrefix(line, "ep") {
		line = strings.TrimPrefix(after, g.Kernel+": ")
	}
	if g.Verdict == trace.Format { // what the compiler said first
		for _, l := range strings.Split(rest, "\n") {
			if strings.Contains(l, "error: ") {
				line = l
				break
			}
		}
	}
	if _, likely, found := strings.Cut(g.Message, "\nlikely: "); found {
		likely, _, _ = strings.Cut(likely, "\n")
		line += "; likely: " + likely
	}
	return printable(line)
}

// summary counts the verdicts.
func (b *book) summary() string {
	count := map[trace.Verdict]int{}
	for _, g := range b.grades {
		count[g.Verdict]++
	}
	var parts []string
	for _, v := range []trace.Verdict{trace.Exact, trace.Wrong, trace.Fault, trace.TooLong, trace.Format} {
		if count[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[v], v))
		}
	}
	return fmt.Sprintf("%d graded: %s; see grades.csv and grades.jsonl", len(b.grades), strings.Join(parts, ", "))
}

// A progress shows on a terminal how far the work is.
type progress struct {
	w           io.Writer // nil where it is no terminal
	done, total int
	began       time.Time
}

func newProgress(w io.Writer, total int) *progress {
	p := &progress{total: total, began: time.Now()}
	if terminal.Is(w) {
		p.w = w
	}
	return p
}

// line prints the line of a submission that is done.
func (p *progress) line(stdout io.Writer, text string) {
	p.clear()
	fmt.Fprintln(stdout, text)
	p.done++
	if p.w != nil {
		fmt.Fprintf(p.w, "%d of %d, %d s", p.done, p.total, int(time.Since(p.began).Seconds()))
	}
}

func (p *progress) clear() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\033[K")
	}
}
