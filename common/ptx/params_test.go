package ptx

import (
	"encoding/binary"
	"strings"
	"testing"
)

const paramsText = header + `
.const .align 4 .b8 table[16] = {1, 0, 0, 0};
.visible .entry k(.param .u8 small, .param .align 8 .b8 pair[24], .param .u64 out)
{
.reg .b32 %r<8>;
.reg .b64 %d<8>;
ld.param.u64 %d1, [out];
ld.param.u64 %d2, [pair+16];
ld.param.u8 %r1, [small];
ld.const.u32 %r2, [table+4];
cvt.u64.u32 %d3, %r1;
add.u64 %d2, %d2, %d3;
cvt.u64.u32 %d3, %r2;
add.u64 %d2, %d2, %d3;
st.global.u64 [%d1], %d2;
ret;
}`

// TestParams gives a struct by value and sets a constant.
func TestParams(t *testing.T) {
	m := parse(t, paramsText)
	e, mem := m.Entry("k"), NewMemory()
	out := alloc(t, mem, 8)
	table, size, err := mem.Variable(m, "table")
	if err != nil || size != 16 {
		t.Fatal(size, err)
	}
	if first := word(view(t, mem, table, 16), 0); first != 1 {
		t.Errorf("the constant starts as %d, want 1", first)
	}
	setWord(view(t, mem, table, 16), 1, 1000)
	params := make([]byte, e.Params[2].Offset+8)
	params[e.Params[0].Offset] = 7
	binary.LittleEndian.PutUint64(params[e.Params[1].Offset+16:], 100)
	binary.LittleEndian.PutUint64(params[e.Params[2].Offset:], out)
	c := Config{Grid: Dim3{1, 1, 1}, Block: Dim3{1, 1, 1}, Params: params}
	if _, err := e.Launch(mem, c); err != nil {
		t.Fatal(err)
	}
	if got := word(view(t, mem, out, 8), 0); got != 1107 {
		t.Errorf("out = %d, want 1107", got)
	}

	if _, _, err := mem.Variable(m, "nothing"); err == nil || !strings.Contains(err.Error(), `"nothing"`) {
		t.Errorf("a variable that is not there: %v", err)
	}
	for _, tt := range []struct {
		args   []uint64
		params []byte
		want   string
	}{
		{[]uint64{1, 2, 3}, nil, "Config.Params"},
		{[]uint64{1, 2, 3}, params, "leave one nil"},
		{nil, params[1:], "have 40 bytes and it was given 39"},
	} {
		c.Args, c.Params = tt.args, tt.params
		_, err := e.Launch(mem, c)
		if f := asFault(t, err); f.Kind != BadArguments || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}
