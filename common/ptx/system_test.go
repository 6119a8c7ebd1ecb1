package ptx

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// systemKernel is a kernel with the text that the functions of the driver need.
func systemKernel(body string, texts ...string) string {
	head := header + `.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
`
	for i, s := range texts {
		head += fmt.Sprintf(".global .align 1 .b8 $str%d[%d] = {", i, len(s)+1)
		for _, b := range []byte(s) {
			head += fmt.Sprintf("%d, ", b)
		}
		head += "0};\n"
	}
	return head + strings.TrimPrefix(kernel(".local .align 8 .b8 depot[128];\n"+body), header)
}

// call prints text number i with the arguments in depot.
func callPrintf(i int) string {
	return fmt.Sprintf(`{
.reg .b64 %%a;
.param .b64 param0;
mov.u64 %%a, $str%d;
cvta.global.u64 %%a, %%a;
st.param.b64 [param0+0], %%a;
.param .b64 param1;
mov.u64 %%a, depot;
cvta.local.u64 %%a, %%a;
st.param.b64 [param1+0], %%a;
.param .b32 retval0;
call.uni (retval0), vprintf, (param0, param1);
ld.param.b32 %%r31, [retval0+0];
}
`, i)
}

func launchSystem(t *testing.T, src string, grid, block, workers int, out *bytes.Buffer) (*Counts, []byte, error) {
	t.Helper()
	m := NewMemory()
	b := alloc(t, m, 4096)
	c, err := parse(t, src).Entry("k").Launch(m, Config{Grid: Dim3{grid, 1, 1}, Block: Dim3{block, 1, 1}, Args: []uint64{b, b, 0}, Workers: workers, Output: out})
	return c, view(t, m, b, 4096), err
}

// TestPrintfFormats compares each conversion with what C prints.
func TestPrintfFormats(t *testing.T) {
	const i32, i64, f, s, c = "u32", "u64", "f64", "s", "u32"
	type arg struct {
		kind string
		v    uint64
	}
	for _, tt := range []struct {
		format string
		args   []arg
		want   string
	}{
		{"plain\n", nil, "plain\n"},
		{"%d|%i|%5d|%-5d|%05d|%+d|% d", []arg{{i32, 1<<32 - 7}, {i32, 7}, {i32, 7}, {i32, 7}, {i32, 1<<32 - 7}, {i32, 7}, {i32, 7}}, "-7|7|    7|7    |-0007|+7| 7"},
		{"%u %x %X %#x %o %#o", []arg{{i32, 1<<32 - 1}, {i32, 255}, {i32, 255}, {i32, 255}, {i32, 8}, {i32, 8}}, "4294967295 ff FF 0xff 10 010"},
		{"%.3d|%8.3d|%08.3d|%.0d", []arg{{i32, 7}, {i32, 7}, {i32, 7}, {i32, 0}}, "007|     007|     007|"},
		{"%ld %lld %llu %lx %zu", []arg{{i64, ^uint64(6)}, {i64, 1 << 40}, {i64, ^uint64(0)}, {i64, 1 << 40}, {i64, 5}}, "-7 1099511627776 18446744073709551615 10000000000 5"},
		{"%d %lld %d", []arg{{i32, 1}, {i64, 2}, {i32, 3}}, "1 2 3"}, // aligned
		{"%hd %hhu", []arg{{i32, 0x1ffff}, {i32, 0x1ff}}, "-1 255"},
		{"%f %.2f %8.3f|%-8.1f|%08.1f %+.1f", []arg{{f, f64bits(1.5)}, {f, f64bits(2.0 / 3)}, {f, f64bits(-1)}, {f, f64bits(2)}, {f, f64bits(-2)}, {f, f64bits(2)}},
			"1.500000 0.67   -1.000|2.0     |-00002.0 +2.0"},
		{"%e %.1E %g %g %g %G %.3g", []arg{{f, f64bits(12345.678)}, {f, f64bits(1e-10)}, {f, f64bits(1e6)}, {f, f64bits(100000)}, {f, f64bits(0.0001)}, {f, f64bits(1e-5)}, {f, f64bits(1234)}},
			"1.234568e+04 1.0E-10 1e+06 100000 0.0001 1E-05 1.23e+03"},
		{"%f %F %5.1f %05f", []arg{{f, 0x7ff << 52}, {f, 0xfff << 52}, {f, 0x7ff8 << 48}, {f, 0x7ff << 52}}, "inf -INF   nan   inf"},
		{"%a %#.0f %#g", []arg{{f, f64bits(3)}, {f, f64bits(3)}, {f, f64bits(3)}}, "0x1.8p+1 3. 3.00000"},
		{"[%s] [%5s] [%-5s] [%.2s]", []arg{{s, 1}, {s, 1}, {s, 1}, {s, 1}}, "[abc] [  abc] [abc  ] [ab]"},
		{"%c%c|%3c|%%|%5%", []arg{{c, 'x'}, {c, 'y'}, {c, 'z'}}, "xy|  z|%|%"},
		{"%p %p", []arg{{i64, 0x1000}, {i64, 0}}, "0x1000 (nil)"},
		{"%*d|%-*d|%.*f", []arg{{i32, 4}, {i32, 7}, {i32, 4}, {i32, 7}, {i32, 1}, {f, f64bits(2.25)}}, "   7|7   |2.2"},
		{"%k %", nil, "%k %"}, // unknown: as it stands
		{"100%\n", nil, "100%\n"},
	} {
		body, at := "", 0
		for _, a := range tt.args {
			size := 8
			switch a.kind {
			case "u32":
				size = 4
			}
			at = roundUp(at, size)
			switch a.kind {
			case s:
				body += "mov.u64 %d5, $str1;\ncvta.global.u64 %d5, %d5;\n"
				body += fmt.Sprintf("st.local.u64 [depot+%d], %%d5;\n", at)
			case f:
				body += fmt.Sprintf("mov.b64 %%d5, %d;\nst.local.b64 [depot+%d], %%d5;\n", a.v, at)
			default:
				body += fmt.Sprintf("st.local.%s [depot+%d], %d;\n", a.kind, at, a.v)
			}
			at += size
		}
		var out bytes.Buffer
		_, mem, err := launchSystem(t, systemKernel(body+callPrintf(0)+"st.global.u32 [%d0], %r31;", tt.format, "abc"), 1, 1, 1, &out)
		if err != nil {
			t.Fatal(err)
		}
		if out.String() != tt.want || int(word(mem, 0)) != len(tt.args) {
			t.Errorf("%q prints %q and returns %d; want %q, %d", tt.format, out.String(), word(mem, 0), tt.want, len(tt.args))
		}
	}
}

// TestPrintfOrder holds that blocks print in their order, however many workers there
// are, that a kernel at fault prints too, and that there is an end of it.
func TestPrintfOrder(t *testing.T) {
	body := "setp.ne.u32 %p1, %r0, 33;\n@%p1 bra M;\nst.local.u32 [depot], %r1;\n" + callPrintf(0) + "M:\n"
	want := ""
	for b := range 100 {
		want += fmt.Sprintf("block %d\n", b)
	}
	for _, workers := range []int{1, 7} {
		var out bytes.Buffer
		if _, _, err := launchSystem(t, systemKernel(body, "block %d\n"), 100, 64, workers, &out); err != nil || out.String() != want {
			t.Errorf("%d workers: error %v, printed\n%s", workers, err, out.String())
		}
		out.Reset()
		_, _, err := launchSystem(t, systemKernel(body+"setp.eq.u32 %p1, %r1, 50;\n@%p1 trap;", "block %d\n"), 100, 64, workers, &out)
		if f := asFault(t, err); f.Kind != Trapped || f.Block.X != 50 || !strings.HasPrefix(want, out.String()) || !strings.HasSuffix(out.String(), "block 50\n") && !strings.HasSuffix(out.String(), "block 49\n") {
			t.Errorf("%d workers: %v, printed\n%s", workers, err, out.String())
		}
	}
	var out bytes.Buffer
	c, _, err := launchSystem(t, systemKernel(callPrintf(0), strings.Repeat("x", 1000)), 2, 1024, 0, &out)
	if err != nil || out.Len() > maxPrinted || out.Len() < maxPrinted-2000 || len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "left out") {
		t.Errorf("%d bytes, error %v, notes %v", out.Len(), err, c)
	}
	m := NewMemory()
	b := alloc(t, m, 8)
	_, err = parse(t, systemKernel(callPrintf(0), "x")).Entry("k").Launch(m, Config{Grid: Dim3{1, 1, 1}, Block: Dim3{1, 1, 1}, Args: []uint64{b, b, 0}, Output: brokenPipe{}})
	if !errors.Is(err, errBroken) {
		t.Errorf("a writer that fails: %v", err)
	}
	_, _, err = launchSystem(t, systemKernel("st.local.u64 [depot], 8;\n"+callPrintf(0), "%s"), 1, 1, 1, &out)
	if f := asFault(t, err); f.Kind != OutOfBounds || !strings.Contains(err.Error(), "char*") {
		t.Errorf("a string that is none: %v", err)
	}
}

var errBroken = errors.New("broken pipe")

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }

// TestStops has what stops a kernel, beside twins where it is not executed.
func TestStops(t *testing.T) {
	assert := `{
.reg .b64 %a;
.param .b64 p0;
.param .b64 p1;
.param .b32 p2;
.param .b64 p3;
.param .b64 p4;
mov.u64 %a, $str0;
cvta.global.u64 %a, %a;
st.param.b64 [p0], %a;
mov.u64 %a, $str1;
cvta.global.u64 %a, %a;
st.param.b64 [p1], %a;
st.param.b32 [p2], 42;
st.param.b64 [p3], %a;
st.param.b64 [p4], 1;
call.uni __assertfail, (p0, p1, p2, p3, p4);
}
`
	for _, tt := range []struct {
		name, code string
		want       FaultKind
		says       string
	}{
		{"trap", "trap;\n", Trapped, "(trap)"},
		{"brkpt", "brkpt;\n", Trapped, "(brkpt)"},
		{"assert", assert, AssertFailed, "thread (37, 0, 0): i < n does not hold\nat a.cu:42"},
	} {
		for _, never := range []bool{false, true} {
			limit := 37
			if never {
				limit = 64
			}
			// Lanes meet behind what stops: the barrier in the loop is no divergent one.
			src := systemKernel(fmt.Sprintf(`mov.u32 %%r5, 0;
L: setp.lt.u32 %%p1, %%r0, %d;
@%%p1 bra M;
%sM: bar.sync 0;
add.u32 %%r5, %%r5, 1;
setp.lt.u32 %%p2, %%r5, 3;
@%%p2 bra L;`, limit, tt.code), "i < n", "/home/me/a.cu")
			_, _, err := launchSystem(t, src, 1, 64, 1, new(bytes.Buffer))
			if never {
				if err != nil {
					t.Errorf("%s, not executed: %v", tt.name, err)
				}
				continue
			}
			if f := asFault(t, err); f.Kind != tt.want || f.Thread.X != 37 || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
	}
	_, _, err := run{body: "setp.eq.u32 %p1, %r0, 5;\n@%p1 trap;"}.launch(t)
	if f := asFault(t, err); f.Kind != Trapped || f.Thread.X != 5 {
		t.Errorf("guarded trap: %v", err)
	}
}

// TestTrapIsNoWayOut holds that lanes meet behind a branch with a trap in it, in a loop
// too, as if no lane could leave there.
func TestTrapIsNoWayOut(t *testing.T) {
	c, _, err := run{body: addresses + `mov.u32 %r5, 0;
and.b32 %r6, %r0, 1;
setp.eq.u32 %p1, %r6, 1;
L: @%p1 bra ODD;
st.global.u32 [%d2], 1;
bra M;
ODD: setp.gt.u32 %p2, %r0, 40;
@%p2 bra T;
st.global.u32 [%d2], 2;
M: st.global.u32 [%d2+128], 3;
add.u32 %r5, %r5, 1;
setp.lt.u32 %p3, %r5, 3;
@%p3 bra L;
st.global.u32 [%d2+256], 4;
bra END;
T: trap;
END:`}.launch(t)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range c.Accesses[:3] {
		if a.Requests != 3 {
			t.Errorf("store %d: %d requests, want 3", i+1, a.Requests)
		}
	}
}

// TestPrintedIsBounded holds that a worker does not keep what is left out in the end.
func TestPrintedIsBounded(t *testing.T) {
	var p printed
	for i := range int64(5000) {
		p.add(i, make([]byte, 1000))
	}
	if p.bytes > maxPrinted || len(p.texts) != p.bytes/1000 || !p.cut {
		t.Errorf("%d bytes of %d texts kept, cut %t", p.bytes, len(p.texts), p.cut)
	}
}
