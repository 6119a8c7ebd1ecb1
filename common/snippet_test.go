package common

import "testing"

func TestSnippet(t *testing.T) {
	for _, test := range []struct {
		line        string
		store, load string
	}{
		{"  if (x < n && y < n) out[x * n + y] = in[y * n + x];", "out[x * n + y] = …", "… in[y * n + x]"},
		{"    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];",
			"tile[threadIdx.y + j][threadIdx.x] = …", "… in[(y + j) * n + x]"},
		{"  out[i] = in[i];  // out = in", "out[i] = …", "… in[i]"},
		{"  if (a <= b) if (c != d) { out[i] = in[i]; }", "out[i] = …", "… in[i]"},
		{"  for (int j = 0; j < 32; j += 8) out[j] = f(in, j);", "out[j] = …", "… f(in, j)"},
		{"  out[i] += in[i];", "out[i] += in[i];", "out[i] += in[i];"},
		{"  store(out, in[i]);", "store(out, in[i]);", "store(out, in[i]);"},
		{"  float t = in[i]; out[i] = t;", "float t = in[i]; out[i] = t;", "float t = in[i]; out[i] = t;"},
		{"  out[a_very_long_name_of_a_row * n + a_very_long_name_of_a_column] = in[another_very_long_name_of_a_row * n + x];",
			"out[a_very_long_name_of_a_row * n + a_v… = …", "… in[another_very_long_name_of_a_row * n + …"},
		{"  out[i] = in[i];  /* out = in */", "out[i] = …", "… in[i]"},
		{"  out[i] /* = */ = /* the element */ in[i]; // /*", "out[i] = …", "… in[i]"},
		{"  /* out */ out[i] = in[i]; /* the rest", "out[i] = …", "… in[i]"},
		{`  printf("// %d /* = ", out[i] = in[i]);`, `printf("// %d /* = ", out[i] = in[i]);`, `printf("// %d /* = ", out[i] = in[i]);`},
		{`  c = '"'; // "`, "c = …", `… '"'`},
		{`  c = '\''; /* ' */`, "c = …", `… '\''`},
		{"  out[i] = in[i]; i++;", "out[i] = …", "… in[i]"},
		{"if", "if", "if"},
		{"  if out = 1", "if out = …", "… 1"},
	} {
		if got := Snippet("first\n"+test.line+"\nlast", 2, true); got != test.store {
			t.Errorf("store in %q: %q, want %q", test.line, got, test.store)
		}
		if got := Snippet("first\n"+test.line+"\nlast", 2, false); got != test.load {
			t.Errorf("load in %q: %q, want %q", test.line, got, test.load)
		}
	}
	if got := Snippet("one line", 7, false); got != "" {
		t.Errorf("a line that the source does not have: %q", got)
	}
	inside := "first /* a comment\n out[i] = 1;\n  of three lines */ out[i] = in[i];\n"
	for line, want := range []string{"", "first", "", "… in[i]", "", ""} {
		if got := Snippet(inside, line, false); got != want {
			t.Errorf("line %d of a source with a long comment: %q, want %q", line, got, want)
		}
	}
}
