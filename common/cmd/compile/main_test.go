package main

import (
	"testing"

	"transpose/common/compile"
)

func TestName(t *testing.T) {
	for _, test := range []struct {
		src  compile.Source
		want string
	}{
		{compile.Source{Name: "../ep02-coalescing/transpose.cu", Dir: "/tree/ep02-coalescing"}, "ep02"},
		{compile.Source{Name: "race.cu", Dir: "/tree/common/ptx/testdata"}, "race"},
	} {
		if got := name(test.src); got != test.want {
			t.Errorf("%s: %s, want %s", test.src.Name, got, test.want)
		}
	}
}
