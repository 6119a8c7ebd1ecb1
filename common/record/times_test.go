package record

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		name  string
		times Times
		want  float64
	}{
		{"one", Times{3}, 3},
		{"odd", Times{9, 1, 5}, 5},
		{"even, the mean of the two middle ones", Times{4, 1, 3, 2}, 2.5},
		{"two", Times{1, 2}, 1.5},
	} {
		before := append(Times(nil), test.times...)
		if got := test.times.Median(); got != test.want {
			t.Errorf("%s: Median(%v) = %v, want %v", test.name, test.times, got, test.want)
		}
		if diff := cmp.Diff(before, test.times); diff != "" {
			t.Errorf("%s: Median reordered its input:\n%s", test.name, diff)
		}
	}
	if got := (Times{}).Median(); !math.IsNaN(got) {
		t.Errorf("Median of nothing = %v, want NaN", got)
	}
}

func TestValidate(t *testing.T) {
	for _, test := range []struct {
		name  string
		times Times
		ok    bool
	}{
		{"good", Times{0.1, 0.2}, true},
		{"none", nil, false},
		{"zero", Times{0.1, 0}, false},
		{"negative", Times{-0.1}, false},
		{"NaN", Times{0.1, math.NaN()}, false},
		{"infinite", Times{math.Inf(1)}, false},
	} {
		if err := test.times.Validate(); (err == nil) != test.ok {
			t.Errorf("%s: Validate = %v", test.name, err)
		}
	}
}

func TestBandwidthIsDecimal(t *testing.T) {
	if got := Bandwidth(1e9, 1); got != 1000 {
		t.Errorf("10^9 bytes in 1 ms = %v GB/s, want 1000", got)
	}
	if got := BytesMoved(4096); got != 134217728 {
		t.Errorf("BytesMoved(4096) = %d, want 134217728", got)
	}
	// The H200: 3,201,000 kHz on a bus of 6016 bits.
	if got := math.Round(PeakBandwidth(3201000, 6016)); got != 4814 {
		t.Errorf("PeakBandwidth = %v, want 4814", got)
	}
	if got := PeakBandwidth(0, 6016); got != 0 {
		t.Errorf("PeakBandwidth without a clock = %v, want 0", got)
	}
}

func TestOverlap(t *testing.T) {
	for _, test := range []struct {
		t, u Times
		want bool
	}{
		{Times{1, 2}, Times{3, 4}, false},
		{Times{3, 4}, Times{1, 2}, false},
		{Times{1, 3}, Times{2, 4}, true},
		{Times{1, 4}, Times{2, 3}, true},
		{Times{1, 2}, Times{2, 3}, true},
	} {
		if got := test.t.Overlap(test.u); got != test.want {
			t.Errorf("%v overlaps %v = %v, want %v", test.t, test.u, got, test.want)
		}
	}
}
