package main

import (
	"fmt"
	"slices"
	"strings"

	"transpose/common/ptx"
	"transpose/common/trace"
)

// A drawn is one access of a kernel, by the first request that a warp makes of it, and
// those that it makes of the same line later.
type drawn struct {
	trace.Access
	requests []trace.Request
}

// accesses lists what a warp of a block asks for, a source line and kind once: a loop
// that was unrolled has an instruction for each of its rounds.
func accesses(k trace.Kernel, block, warp int) (list []drawn) {
	for _, r := range k.Requests {
		if r.Block != block || r.Warp != warp || r.Access < 0 {
			continue
		}
		a := k.Accesses[r.Access]
		i := slices.IndexFunc(list, func(d drawn) bool {
			return d.Place == a.Place && d.Space == a.Space && d.Store == a.Store && d.Atomic == a.Atomic && d.Bytes == a.Bytes
		})
		if i < 0 {
			i = len(list)
			list = append(list, drawn{Access: a})
		} else if !slices.ContainsFunc(list[i].requests, func(q trace.Request) bool { return q.Access == r.Access }) {
			list[i].add(a)
		}
		list[i].requests = append(list[i].requests, r)
	}
	return list
}

// add adds the sums of another instruction.
func (d *drawn) add(a trace.Access) {
	d.Requests += a.Requests
	d.Sectors += a.Sectors
	d.Wavefronts += a.Wavefronts
	d.BytesTouched += a.BytesTouched
}

// draw returns the picture of a kernel: a part for each of its accesses.
func draw(k trace.Kernel, n int, block, warp int) (string, error) {
	p := &picture{y: 20}
	p.text(4, p.y, "title", k.Name)
	p.line("", fmt.Sprintf("block %s, warp %d, n = %d", at(k.Blocks[block]), warp, n))
	var parts []string
	for _, d := range accesses(k, block, warp) {
		parts = append(parts, kind(d.Access)+": "+cost(d.Access))
		p.y += 30
		p.text(4, p.y, "bold", kind(d.Access))
		p.text(110, p.y, "code", cut(d.Text, 40))
		p.line("", cost(d.Access))
		if r := d.requests[0]; int64(r.Wavefronts)*d.Requests != d.Wavefronts || int64(r.Sectors)*d.Requests != d.Sectors {
			p.line("", "on average; the one that is drawn: "+own(d.Access, r))
		}
		if err := p.request(d, n); err != nil {
			return "", fmt.Errorf("line %d: %w", d.Line, err)
		}
	}
	p.y += 10
	p.legend()
	return p.svg(k.Name+": what one warp asks of memory", strings.Join(parts, "; ")+"."), nil
}

// request draws the first request of an access: in global memory the matrix, and where the
// banks cannot give it in one pass, those too.
func (p *picture) request(d drawn, n int) error {
	r := d.requests[0]
	if d.Space == "global" {
		if sectors := p.matrix(r, d.Access, int64(n)); sectors != r.Sectors {
			return fmt.Errorf("%d sectors drawn, %d counted", sectors, r.Sectors)
		}
	}
	if d.Space == "shared" || r.Wavefronts > 1 {
		if d.Space == "global" {
			p.line("", "The same in the data pipe of L1, which has 32 banks:")
		}
		if count := p.banks(r, d.Access); count != r.Wavefronts {
			return fmt.Errorf("%d passes drawn, %d wavefronts counted", count, r.Wavefronts)
		}
	}
	if more := len(d.requests) - 1; more > 0 {
		p.line("", fmt.Sprintf("and %d more, %s", more, apart(d.requests, n)))
	}
	return nil
}

// apart says how far the requests of an access lie from each other, where they do so
// evenly.
func apart(requests []trace.Request, n int) string {
	step := requests[1].Lane(0) - requests[0].Lane(0)
	for i := 2; i < len(requests); i++ {
		if requests[i].Lane(0)-requests[i-1].Lane(0) != step {
			return "elsewhere"
		}
	}
	switch bytes := int64(4 * n); {
	case requests[0].Buffer != "shared" && step != 0 && step%bytes == 0 && requests[0].Buffer != "":
		return plural(step/bytes, "row") + " further on each time"
	default:
		return plural(step, "byte") + " further on each time"
	}
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// legend says what the marks are that the picture has.
func (p *picture) legend() {
	body := p.body.String()
	has := func(class string) bool { return strings.Contains(body, `class="`+class+`"`) }
	p.line("", "A cell is 4 bytes; full ones are asked for.")
	if has("unused") {
		p.line("", "Hatched cells are moved along, and nobody has asked for them.")
	}
	if has("line") {
		p.line("", "A frame is a sector, 32 bytes; a dashed one is a line, 128.")
	} else if has("sector") {
		p.line("", "A frame is a sector, 32 bytes.")
	}
}

// at says where in its grid a block is.
func at(d ptx.Dim3) string {
	s := fmt.Sprintf("x = %d, y = %d", d.X, d.Y)
	if d.Z > 0 {
		s += fmt.Sprintf(", z = %d", d.Z)
	}
	return s
}

// cut shortens a text to at most length characters.
func cut(s string, length int) string {
	if r := []rune(s); len(r) > length {
		return string(r[:length-1]) + "…"
	}
	return s
}
