package compile

import (
	"fmt"
	"math/rand"
	"strings"
)

// A writer writes random kernels of testdata/random.h.
type writer struct {
	*rand.Rand
	text  strings.Builder
	loops int  // loops around the statement
	depth int  // blocks around it
	tile  bool // it may read shared memory
}

func (w *writer) linef(format string, args ...any) {
	w.text.WriteString(strings.Repeat("  ", 1+w.depth))
	fmt.Fprintf(&w.text, format+"\n", args...)
}

func (w *writer) oneOf(texts ...string) string { return texts[w.Intn(len(texts))] }

// variables has how many of each type a thread has.
var variables = map[byte]int{'u': 4, 'i': 3, 'w': 2, 'f': 3, 'd': 2}

const types = "uuuuiiiwwfffd"

func (w *writer) variable(kind byte) string {
	return fmt.Sprintf("s.%c[%d]", kind, w.Intn(variables[kind]))
}

// fill replaces each letter of a type behind a $ by an expression of it, and $n by a
// small number.
func (w *writer) fill(pattern string, depth int) string {
	var out strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch {
		case pattern[i] != '$':
			out.WriteByte(pattern[i])
			continue
		case pattern[i+1] == 'n':
			fmt.Fprint(&out, w.Intn(32))
		case pattern[i+1] == 'c':
			out.WriteString(w.condition(depth))
		default:
			out.WriteString(w.expression(pattern[i+1], depth))
		}
		i++
	}
	return out.String()
}

var leaves = map[byte][]string{
	'u': {"in[$u & 63]", "table[$u & 15]", "s.a[$u & 7]", "(u32)s.t", "$nu", "0xffffu", "0x80000000u"},
	'i': {"s.t", "$n", "- $n", "0x7fffffff"},
	'w': {"$null", "0x8000000000000000ull"},
	'f': {"0.5f", "-3.0f", "1e-40f", "$n.25f"},
	'd': {"0.125", "-1e300", "$n.75"},
}

var operations = map[byte][]string{
	'u': {
		"($u + $u)", "($u - $u)", "($u * $u)", "($u & $u)", "($u | $u)", "($u ^ $u)", "(~$u)", "($u << ($u & 31))", "($u >> ($u & 31))",
		"($u / ($u | 1))", "($u % ($u | 1))", "($c ? $u : $u)", "(u32)$i", "(u32)$w", "(u32)($w >> 32)", "(u32)__popc($u)", "(u32)__clz((int)$u)",
		"__brev($u)", "(u32)__ffs((int)$u)", "__byte_perm($u, $u, $u & 0x7777)", "__umulhi($u, $u)", "__funnelshift_l($u, $u, $u)",
		"(u32)(unsigned char)$u", "(u32)(unsigned short)$u", "bits($f)", "__usad($u, $u, $u)", "small($u, $u, $u)", "($u >> $n & 0x3ff)",
		"(u32)__clzll((i64)$w)", "(u32)$c", "($u << 7 | $u >> 25)", "($u == $u ? $u : 0u)",
	},
	'i': {
		"iadd($i, $i)", "isub($i, $i)", "imul($i, $i)", "($i / (($i & 255) + 1))", "($i % (($i & 255) + 1))", "($i >> ($u & 31))", "(~$i)",
		"(int)(signed char)$u", "(int)(short)$i", "(int)$u", "($c ? $i : $i)", "((int)($u << $n) >> $n)", "__mulhi($i, $i)", "whole($f)", "whole($d)",
		"dot($u, $u, $i)", "($i < $i ? $i : $i)", "(int)$w", "($i & $i)", "($i ^ $i)", "imul((short)$i, (short)$i)",
	},
	'w': {
		"($w + $w)", "($w - $w)", "($w * $w)", "($w & $w)", "($w | $w)", "($w ^ $w)", "($w << ($u & 63))", "($w >> ($u & 63))", "(u64)((i64)$w >> ($u & 63))",
		"($w / ($w | 1))", "($w % ($w | 1))", "((u64)$u * $u)", "(u64)(i64)$i", "(u64)$u", "__umul64hi($w, $w)", "carried($w, $w, $w)", "borrowed($w, $w, $w)",
		"bits($d)", "large($d)", "($c ? $w : $w)", "((u64)$u << 32 | $u)", "($w + (u64)((i64)$i * $i))",
	},
	'f': {
		"fadd($f, $f)", "fsub($f, $f)", "fmul($f, $f)", "fdiv($f, $f)", "ffma($f, $f, $f)", "froot(fabsf($f))", "(float)$i", "(float)$u", "(float)$w", "(float)$d",
		"(- $f)", "fabsf($f)", "floorf($f)", "truncf($f)", "rintf($f)", "ceilf($f)", "single($u)", "($f < $f ? $f : $f)", "($c ? $f : $f)",
	},
	'd': {
		"dadd($d, $d)", "dsub($d, $d)", "dmul($d, $d)", "ddiv($d, $d)", "dfma($d, $d, $d)", "droot(fabs($d))", "(double)$f", "(double)$i", "(double)$w", "(double)(i64)$w",
		"(- $d)", "fabs($d)", "floor($d)", "trunc($d)", "($d > $d ? $d : $d)",
	},
}

// expression is a random one of a type.
func (w *writer) expression(kind byte, depth int) string {
	switch {
	case depth > 0 && w.Intn(8) > 0:
		return w.fill(w.oneOf(operations[kind]...), depth-1)
	case w.tile && kind == 'u' && w.Intn(3) == 0:
		return w.fill("tile[$u & 63]", 0)
	case w.Intn(4) == 0:
		return w.fill(w.oneOf(leaves[kind]...), 0)
	}
	return w.variable(kind)
}

func (w *writer) condition(depth int) string {
	if depth > 0 && w.Intn(4) == 0 {
		return w.fill(w.oneOf("($c && $c)", "($c || $c)", "!$c"), depth-1)
	}
	kind := types[w.Intn(len(types))]
	left, right := w.expression(kind, min(depth, 2)), w.expression(kind, min(depth, 1))
	if kind == 'w' && w.Intn(2) == 0 {
		left, right = "(i64)"+left, "(i64)"+right
	}
	if kind == 'u' && w.Intn(2) == 0 {
		return fmt.Sprintf("((%s & %d) != 0)", left, 1+w.Intn(7))
	}
	return fmt.Sprintf("(%s %s %s)", left, w.oneOf("<", "<=", ">", ">=", "==", "!="), right)
}

func (w *writer) block(n int) {
	w.depth++
	for range n {
		w.statement()
	}
	w.depth--
}

func (w *writer) loop(n int) {
	w.loops++
	w.block(n)
	w.loops--
}

// statement writes one. A loop ends after 7 rounds at most, and there are at most two
// around a statement.
func (w *writer) statement() {
	counter := fmt.Sprintf("k%d", w.depth)
	kind := w.Intn(20)
	if w.depth > 3 {
		kind = 0
	}
	switch {
	case kind < 9:
		t := types[w.Intn(len(types))]
		w.linef("%s = %s;", w.variable(t), w.expression(t, 3))
	case kind < 11:
		w.linef("s.a[%s & 7] %s %s;", w.expression('u', 1), w.oneOf("=", "+=", "^="), w.expression('u', 2))
	case kind < 13:
		w.linef("if (%s) {", w.condition(2))
		w.block(1 + w.Intn(3))
		w.linef("}")
	case kind < 15:
		w.linef("if (%s) {", w.condition(2))
		w.block(1 + w.Intn(3))
		w.linef("} else {")
		w.block(1 + w.Intn(3))
		w.linef("}")
	case kind == 15:
		w.linef("switch (%s & 3) {", w.expression('u', 1))
		for value := range 3 {
			w.linef("case %d:", value)
			w.block(1 + w.Intn(2))
			if w.Intn(3) > 0 {
				w.linef("  break;")
			}
		}
		w.linef("default:")
		w.block(1)
		w.linef("}")
	case kind == 16:
		w.linef("if (%s) return;", w.condition(1))
	case w.loops == 2:
		w.linef("%s += %s;", w.variable('u'), w.expression('u', 2))
	case kind == 17:
		w.linef("for (int %s = %s & 7; %[1]s > 0; %[1]s--) {", counter, w.expression('u', 1))
		w.loop(1 + w.Intn(3))
		w.linef("}")
	case kind == 18:
		w.linef("for (int %s = 0; %[1]s < 7; %[1]s++) {", counter)
		w.linef("  if (%s) %s;", w.condition(1), w.oneOf("break", "continue"))
		w.loop(1 + w.Intn(3))
		w.linef("  if (%s) %s;", w.condition(1), w.oneOf("break", "continue", "return"))
		w.linef("}")
	default:
		w.linef("for (int %s = 0; ; ) {", counter)
		w.loop(1 + w.Intn(3))
		w.linef("  if (++%s == 6 || %s) break;", counter, w.condition(1))
		w.linef("}")
	}
}

// function writes a function over a thread's state, and returns its name.
func (w *writer) function(name string, number *int, tile bool) string {
	name = fmt.Sprintf("%s_%d", name, *number)
	*number++
	w.tile = tile
	fmt.Fprintf(&w.text, "%s void %s(State& s, const u32* in, const u32* tile) {\n", w.oneOf("FN", "FN", "CALL"), name)
	for range 2 + w.Intn(4) {
		w.linef("{")
		w.block(1 + w.Intn(2))
		w.linef("}")
	}
	w.text.WriteString("}\n\n")
	return name
}

// parts returns what the threads of a block do together; the functions that they call
// are written.
func (w *writer) parts(name string, number *int, n int) string {
	var out strings.Builder
	for range n {
		switch w.Intn(7) {
		case 0, 1:
			fmt.Fprintf(&out, "  ALL(%s(s, in, tile))\n", w.function(name, number, false))
		case 2, 3: // each thread writes one word, and reads those of others
			fmt.Fprintf(&out, "  ALL(tile[(s.t * %d + %d) & 63] = %s)\n  BARRIER\n", 2*w.Intn(32)+1, w.Intn(64), w.variable('u'))
			fmt.Fprintf(&out, "  ALL(%s(s, in, tile))\n  BARRIER\n", w.function(name, number, true))
		case 4:
			fmt.Fprintf(&out, "  SHUFFLE(%s, %s, %d)\n", w.variable('u'), w.variable('u'), 1+w.Intn(31))
		case 5:
			w.tile = false
			fmt.Fprintf(&out, "  BALLOT(%s, %s)\n", w.variable('u'), w.condition(1))
		case 6:
			u, v := w.variable('u'), w.variable('u')
			fmt.Fprintf(&out, "  ALL(tile[s.t] = 0)\n  BARRIER\n  ALL(if (%s & 1) %s(&tile[%s & 63], %s))\n  BARRIER\n  ALL(%[1]s ^= tile[63 - s.t])\n  BARRIER\n",
				u, w.oneOf("ATOMIC_ADD", "ATOMIC_MAX"), v, w.variable('u'))
		}
	}
	return out.String()
}

// kernel writes a kernel.
func (w *writer) kernel(name string) {
	number := 0
	body := w.parts(name, &number, 1+w.Intn(3))
	if w.Intn(2) == 0 {
		rounds := w.oneOf("3", "(in[0] & 3)", "(in[1] & 1) + 1")
		body += "  for (u32 round = 0; round < " + rounds + "; round++) {\n" + w.parts(name, &number, 1+w.Intn(2)) + "  }\n"
	}
	body += w.parts(name, &number, w.Intn(2))
	if w.Intn(2) == 0 {
		w.tile = false
		body += "  EXIT(" + w.condition(2) + ")\n  ALL(" + w.function(name, &number, false) + "(s, in, tile))\n"
	}
	fmt.Fprintf(&w.text, "KERNEL(%s)\n%sEND_KERNEL\n\n", name, body)
}

// randomKernels returns n kernels k0, k1, … and a main that writes what each leaves.
func randomKernels(seed int64, n int) string {
	w := &writer{Rand: rand.New(rand.NewSource(seed))}
	w.text.WriteString("#include \"random.h\"\n\n")
	for i := range n {
		w.kernel(fmt.Sprintf("k%d", i))
	}
	w.text.WriteString("#if !defined(__CUDA__) && !defined(__CUDACC__)\nint main() {\n  static u32 in[threads], out[threads * words_of_thread];\n")
	w.text.WriteString("  for (int i = 0; i < threads; i++) in[i] = (i + 1) * 2654435761u;\n")
	for i := range n {
		fmt.Fprintf(&w.text, "  k%d(out, in), fwrite(out, 4, threads * words_of_thread, stdout);\n", i)
	}
	w.text.WriteString("}\n#endif\n")
	return w.text.String()
}
