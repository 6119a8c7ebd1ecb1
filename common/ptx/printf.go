package ptx

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxPrinted is how many bytes of output a launch may have, as much as a driver's
// buffer holds (CUDA C++ Programming Guide, "Formatted Output", "Limitations").
const maxPrinted = 1 << 20

// printed is what the blocks of a worker have printed. They come in order, so what is
// beyond maxPrinted here would be left out in the end too.
type printed struct {
	texts []blockText
	bytes int
	cut   bool
}

type blockText struct {
	block int64
	text  []byte
}

func (p *printed) add(block int64, text []byte) {
	if p.cut = p.cut || p.bytes+len(text) > maxPrinted; p.cut {
		return
	}
	p.bytes += len(text)
	if n := len(p.texts); n > 0 && p.texts[n-1].block == block {
		p.texts[n-1].text = append(p.texts[n-1].text, text...)
		return
	}
	p.texts = append(p.texts, blockText{block, text})
}

// print writes what the blocks printed, in their order. It returns a note if that
// was too much.
func (l *launch) print() (notes []string, err error) {
	if l.c.Output == nil {
		return nil, nil
	}
	var texts []blockText
	cut := false
	for _, k := range l.last {
		if k != nil {
			texts, cut = append(texts, k.printed.texts...), cut || k.printed.cut
		}
	}
	slices.SortStableFunc(texts, func(a, b blockText) int { return int(a.block - b.block) })
	var out []byte
	for _, t := range texts {
		out = append(out, t.text...)
	}
	if cut || len(out) > maxPrinted {
		out = out[:min(len(out), maxPrinted)]
		notes = []string{fmt.Sprintf("printf: what came after the first %d bytes was left out", maxPrinted)}
	}
	if len(out) > 0 {
		if _, err = l.c.Output.Write(out); err != nil {
			err = fmt.Errorf("%s: printf: %w", l.p.entry.Name, err)
		}
	}
	return notes, err
}

// cString returns the string at a generic address.
func (k *worker) cString(w *warp, lane int, addr uint64) (string, bool) {
	text, _, ok := bytes.Cut(k.bytesAt(w, lane, addr), []byte{0})
	return string(text), ok
}

// format does what printf does: it returns the text and the number of arguments.
// These lie at args, each aligned to its size.
func (k *worker) format(w *warp, lane int, format, args uint64) (text []byte, n int, ok bool) {
	f, ok := k.cString(w, lane, format)
	if !ok {
		return nil, 0, false
	}
	list := argList{b: k.bytesAt(w, lane, args)}
	for {
		plain, rest, more := strings.Cut(f, "%")
		text = append(text, plain...)
		if !more {
			return text, list.n, !list.short
		}
		spec, size := parseSpec(rest, &list)
		if size == 0 { // not one that is known
			text, f = append(text, '%'), rest
			continue
		}
		f = rest[size:]
		if spec.verb == 's' {
			s, isString := k.cString(w, lane, list.next(8))
			if !isString {
				return nil, 0, false
			}
			text = append(text, spec.pad(spec.cut(s))...)
			continue
		}
		text = append(text, spec.print(&list)...)
	}
}

// An argList takes arguments from memory.
type argList struct {
	b     []byte
	at, n int
	short bool
}

func (l *argList) next(size int) uint64 {
	l.at = roundUp(l.at, size)
	if l.at+size > len(l.b) {
		l.short = true
		return 0
	}
	v := get(l.b[l.at:][:size], false)
	l.at += size
	l.n++
	return v
}

// A spec is one conversion of a format: %-8.3lld.
type spec struct {
	flags       string
	width, prec int // prec is -1 for none
	long        int // bytes of an integer: 1, 2, 4 or 8
	verb        byte
}

// parseSpec reads what follows a %, and returns its length, or 0 if it is no
// conversion that printf has.
func parseSpec(s string, list *argList) (spec, int) {
	x := spec{prec: -1, long: 4}
	i := 0
	for i < len(s) && strings.IndexByte("-+ #0", s[i]) >= 0 {
		i++
	}
	x.flags = s[:i]
	number := func() int {
		if i < len(s) && s[i] == '*' {
			i++
			return int(int32(list.next(4)))
		}
		from := i
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		n, _ := strconv.Atoi(s[from:i])
		return n
	}
	if x.width = number(); x.width < 0 {
		x.flags, x.width = x.flags+"-", -x.width
	}
	if i < len(s) && s[i] == '.' {
		i++
		x.prec = max(number(), -1)
	}
	for _, l := range []struct {
		text string
		size int
	}{{"hh", 1}, {"h", 2}, {"ll", 8}, {"l", 8}, {"z", 8}, {"j", 8}, {"t", 8}} {
		if strings.HasPrefix(s[i:], l.text) {
			i, x.long = i+len(l.text), l.size
			break
		}
	}
	x.width, x.prec = min(x.width, 4096), min(x.prec, 4096)
	if i == len(s) || strings.IndexByte("%cdiouxXpeEfFgGaAs", s[i]) < 0 {
		return x, 0
	}
	x.verb = s[i]
	return x, i + 1
}

func (x *spec) has(flag byte) bool { return strings.IndexByte(x.flags, flag) >= 0 }

// print formats the next argument as C does.
func (x *spec) print(list *argList) string {
	switch x.verb {
	case '%':
		return "%"
	case 'c':
		return x.pad(string([]byte{byte(list.next(4))}))
	case 'p':
		v := list.next(8)
		if v == 0 {
			return x.pad("(nil)")
		}
		return x.pad(fmt.Sprintf("%#x", v))
	case 'd', 'i', 'o', 'u', 'x', 'X':
		return x.integer(list.next(max(x.long, 4)))
	}
	return x.float(math.Float64frombits(list.next(8)))
}

// integer formats v, of x.long bytes.
func (x *spec) integer(v uint64) string {
	v &= mask(8 * x.long)
	sign, digits := "", ""
	switch x.verb {
	case 'd', 'i':
		n := sx(v, 8*x.long)
		digits = strings.TrimPrefix(strconv.FormatInt(n, 10), "-")
		switch {
		case n < 0:
			sign = "-"
		case x.has('+'):
			sign = "+"
		case x.has(' '):
			sign = " "
		}
	case 'o':
		if digits = strconv.FormatUint(v, 8); x.has('#') && v != 0 {
			digits = "0" + digits
		}
	case 'x', 'X':
		if digits = strconv.FormatUint(v, 16); x.has('#') && v != 0 {
			sign = "0x"
		}
	default:
		digits = strconv.FormatUint(v, 10)
	}
	if v == 0 && x.prec == 0 {
		digits = ""
	}
	zeros := x.prec - len(digits)
	if x.prec < 0 && x.has('0') && !x.has('-') {
		zeros = x.width - len(sign) - len(digits)
	}
	s := sign + strings.Repeat("0", max(zeros, 0)) + digits
	if x.verb == 'X' {
		s = strings.ToUpper(s)
	}
	return x.pad(s)
}

func (x *spec) float(v float64) string {
	prec := x.prec
	if prec < 0 {
		prec = 6
	}
	sign := ""
	switch {
	case math.Signbit(v):
		sign, v = "-", -v
	case x.has('+'):
		sign = "+"
	case x.has(' '):
		sign = " "
	}
	s, zero := "", x.has('0') && !x.has('-')
	switch lower := x.verb | 0x20; {
	case math.IsInf(v, 0):
		s, zero = "inf", false
	case math.IsNaN(v):
		s, zero = "nan", false
	case lower == 'a':
		s = strconv.FormatFloat(v, 'x', x.prec, 64)
		if head, exp, ok := strings.Cut(s, "p"); ok && len(exp) == 3 && exp[1] == '0' { // C writes p+1, not p+01
			s = head + "p" + exp[:1] + exp[2:]
		}
	case x.has('#'):
		s = fmt.Sprintf("%#.*"+string(rune(lower)), prec, v)
	case lower == 'g':
		s = strconv.FormatFloat(v, 'g', max(prec, 1), 64)
	default:
		s = strconv.FormatFloat(v, lower, prec, 64)
	}
	if zero {
		s = strings.Repeat("0", max(x.width-len(sign)-len(s), 0)) + s
	}
	if s = sign + s; x.verb < 'a' {
		s = strings.ToUpper(s)
	}
	return x.pad(s)
}

// cut keeps as much of a string as the precision says.
func (x *spec) cut(s string) string {
	if x.prec >= 0 && x.prec < len(s) {
		return s[:x.prec]
	}
	return s
}

// pad fills up to the width.
func (x *spec) pad(s string) string {
	blanks := strings.Repeat(" ", max(x.width-len(s), 0))
	if x.has('-') {
		return s + blanks
	}
	return blanks + s
}
