package common

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// poisoned returns an n × n output that no kernel has written to.
func poisoned(n int) []float32 {
	out := make([]float32, n*n)
	for i := range out {
		out[i] = math.Float32frombits(Poison)
	}
	return out
}

// kernel applies f to every element of the input, as a thread for each would.
func kernel(n int, f func(x, y int, in, out []float32)) []float32 {
	in, out := FillIndex(n), poisoned(n)
	for y := 0; y < n; y++ {
		for x := 0; x < n; x++ {
			f(x, y, in, out)
		}
	}
	return out
}

func TestCheckPasses(t *testing.T) {
	for _, n := range []int{1, 31, 32, 33, 100} {
		in := FillIndex(n)
		want := Transpose(in, n)
		if err := Check(want, want, n, Transposed); err != nil {
			t.Errorf("n = %d: %v", n, err)
		}
		if err := Check(in, in, n, Copied); err != nil {
			t.Errorf("n = %d: %v", n, err)
		}
		if err := Check(poisoned(n), nil, n, Untouched); err != nil {
			t.Errorf("n = %d: %v", n, err)
		}
	}
}

// TestCheckIsOnBits plants one wrong value in a right output.
func TestCheckIsOnBits(t *testing.T) {
	const n = 33
	for _, test := range []struct {
		name string
		at   int
		bits uint32
		want string // in the message
	}{
		{"a NaN", 40, 0x7FC00000, "not an element of in"},
		{"the poison", 40, Poison, "never written"},
		{"an infinity", 40, 0x7F800000, "not an element of in"},
		{"−0 for 0", 0, 0x80000000, "bits 80000000"},
		{"one ulp off", 40, math.Float32bits(232) + 1, "not an element of in"},
		{"a neighbour", 40, math.Float32bits(233), "out[1][7] holds in[7][2]; want in[7][1]"},
	} {
		in := FillIndex(n)
		want := Transpose(in, n)
		got := append([]float32(nil), want...)
		got[test.at] = math.Float32frombits(test.bits)
		err := Check(got, want, n, Transposed)
		var m *Mismatch
		if !errors.As(err, &m) {
			t.Errorf("%s: Check = %v, want a Mismatch", test.name, err)
			continue
		}
		if m.Wrong != 1 || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %d wrong, message\n%v\nwant 1 and %q", test.name, m.Wrong, err, test.want)
		}
	}
}

func TestCheckUntouched(t *testing.T) {
	for _, i := range []int{0, 1088} {
		out := poisoned(33)
		out[i] = 0
		if err := Check(out, nil, 33, Untouched); err == nil {
			t.Errorf("element %d written, and no error", i)
		}
	}
	out := poisoned(33)
	out[34] = 7
	err := Check(out, nil, 33, Untouched)
	if err == nil || !strings.Contains(err.Error(), "wrong: 1 of 1,089 elements\n  out[1][1] holds in[0][7]; want never written") {
		t.Errorf("Check = %v", err)
	}
}

func TestCheckMessage(t *testing.T) {
	const n = 5
	in := FillIndex(n)
	err := Check(in, Transpose(in, n), n, Transposed)
	if err == nil {
		t.Fatal("an untransposed copy passed")
	}
	text := err.Error()
	for _, want := range []string{
		"wrong: 20 of 25 elements\n",
		"  out[0][1] holds in[0][1]; want in[1][0]\n",
		"  …\n",
		"likely: an untransposed copy",
		"\naround the first (- want, + got):\n- out[0][0…]  in[0][0]  in[1][0]  in[2][0]  in[3][0]\n+ out[0][0…]  in[0][0]  in[0][1]",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the message lacks %q:\n%s", want, text)
		}
	}
}

// TestCheckWindow holds the elements shown around the first wrong one.
func TestCheckWindow(t *testing.T) {
	const n = 5
	in := FillIndex(n)
	want := Transpose(in, n)
	got := append([]float32(nil), want...)
	got[2*n+3], got[3*n+3] = math.Float32frombits(Poison), 0.5
	err := Check(got, want, n, Transposed)
	var m *Mismatch
	if !errors.As(err, &m) {
		t.Fatalf("Check = %v, want a Mismatch", err)
	}
	wanted := `  out[1][1…]  in[1][1]  in[2][1]  in[3][1]  in[4][1]
- out[2][1…]  in[1][2]  in[2][2]  in[3][2]  in[4][2]
+ out[2][1…]  in[1][2]  in[2][2]  never written  in[4][2]
- out[3][1…]  in[1][3]  in[2][3]  in[3][3]  in[4][3]
+ out[3][1…]  in[1][3]  in[2][3]  0.5  in[4][3]`
	if diff := cmp.Diff(wanted, m.Window); diff != "" {
		t.Errorf("window (-want +got):\n%s", diff)
	}
}
