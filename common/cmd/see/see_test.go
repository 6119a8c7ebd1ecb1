package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"transpose/common/cmd/internal/page"
	"transpose/common/trace"
)

// ask sends a request to a server as a browser would that has the page open.
func ask(s *server, method, target string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	r.Host = "127.0.0.1:4000"
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// TestServed is what the server answers, and to whom.
func TestServed(t *testing.T) {
	ours := func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:4000") }
	for _, c := range []struct {
		name, method, target string
		change               func(*http.Request)
		status               int
		text                 string
	}{
		{"the page", "GET", "/", nil, 200, "<!doctype html>"},
		{"its style", "GET", "/style.css", nil, 200, "color-scheme"},
		{"its script", "GET", "/page.js", nil, 200, "'use strict'"},
		{"its data", "GET", "/data", nil, 200, `"working":true`},
		{"by the other name", "GET", "/", func(r *http.Request) { r.Host = "localhost:4000" }, 200, "<!doctype html>"},
		{"another file", "GET", "/see_test.go", nil, 404, ""},
		{"a file above", "GET", "/../main.go", nil, 404, ""},
		{"the folder", "GET", "/page/", nil, 404, ""},
		{"a name that leads here", "GET", "/data", func(r *http.Request) { r.Host = "elsewhere.example:4000" }, 403, "for this machine alone"},
		{"another port", "GET", "/data", func(r *http.Request) { r.Host = "127.0.0.1:80" }, 403, ""},
		{"a page from elsewhere", "POST", "/size?n=33", func(r *http.Request) { r.Header.Set("Origin", "http://elsewhere.example") }, 403, "only the page itself"},
		{"no origin", "POST", "/size?n=33", nil, 403, "only the page itself"},
		{"a size", "POST", "/size?n=33", ours, 204, ""},
		{"a size by GET", "GET", "/size?n=33", ours, 404, ""},
		{"no such size", "POST", "/size?n=100000", ours, 400, "no such size"},
		{"no size", "POST", "/size?n=x", ours, 400, "no such size"},
		{"a change of the page", "PUT", "/page.js", ours, 405, ""},
	} {
		s := newServer(4000, 256)
		w := ask(s, c.method, c.target, c.change)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.text) {
			t.Errorf("%s: status %d, want %d: %.100s", c.name, w.Code, c.status, w.Body)
		}
		if w.Code == 200 && (!strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'") || w.Header().Get("Cache-Control") != "no-store") {
			t.Errorf("%s: headers %v", c.name, w.Header())
		}
		if n := s.n; (c.name == "a size") != (n == 33) {
			t.Errorf("%s: the next run has n = %d", c.name, n)
		}
	}
}

// TestEvents holds that a page is told when something changes, and that a server ends
// with a page still listening.
func TestEvents(t *testing.T) {
	s := newServer(0, 256)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.events(w, r) }))
	defer web.Close()
	answer, err := http.Get(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	next := func() string {
		buf := make([]byte, 200)
		n, err := answer.Body.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		return string(buf[:n])
	}
	if got, want := next(), "data: {\"sequence\":0,\"working\":true,\"n\":256}\n\n"; got != want {
		t.Errorf("first %q, want %q", got, want)
	}
	s.update(func(now *page.Data) { now.Sequence, now.Working = 7, false })
	if got, want := next(), "data: {\"sequence\":7,\"working\":false,\"n\":256}\n\n"; got != want {
		t.Errorf("then %q, want %q", got, want)
	}
}

// tree is a made-up checkout with one episode, whose program writes a trace that has its
// transpose.cu for a message, and no compiler is needed.
func tree(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.work":                "go 1.22.4\nuse ./ep01-made\n",
		"ep01-made/go.mod":       "module made\ngo 1.22.4\n",
		"ep01-made/transpose.cu": "first",
		"ep01-made/main.go": `package main
import ("fmt"; "os"; "strings"; "time")
func main() {
	var cu, out, n string
	for i, a := range os.Args {
		switch a {
		case "-cu": cu = os.Args[i+1]
		case "-trace": out = os.Args[i+1]
		case "-n": n = os.Args[i+1]
		}
	}
	text, _ := os.ReadFile(cu)
	if strings.Contains(string(text), "slow") { time.Sleep(time.Minute) }
	if strings.Contains(string(text), "dies") { fmt.Fprintln(os.Stderr, "it died"); os.Exit(2) }
	os.WriteFile(out, []byte(fmt.Sprintf("{\"verdict\":\"exact\",\"message\":%q,\"n\":%s,\"kernels\":[]}", text, n)), 0o644)
}
`,
	} {
		write(t, filepath.Join(root, name), text)
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(root); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chdir(dir) })
	return root
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestFollow saves files and waits for what the page is told: a save while a run is
// under way ends that run, a file that does not build is told, another size is run.
func TestFollow(t *testing.T) {
	root := tree(t)
	ctx, cancel := context.WithCancel(context.Background())
	p, err := newProgram(options{episode: "ep01", n: 256})
	if err != nil {
		t.Fatal(err)
	}
	defer p.remove()
	s := newServer(0, 256)
	ended := make(chan struct{})
	go func() { defer close(ended); s.follow(ctx, p) }()
	defer func() { cancel(); <-ended }()

	wait := func(what string, is func(now page.Data, tr trace.Trace) bool) {
		t.Helper()
		timeout := time.After(time.Minute)
		for {
			now, changed := s.look()
			var tr trace.Trace
			if now.Trace != nil {
				if err := json.Unmarshal(now.Trace, &tr); err != nil {
					t.Fatal(err)
				}
			}
			if is(now, tr) {
				return
			}
			select {
			case <-changed:
			case <-timeout:
				t.Fatalf("%s: the page is told %+v, trace %s", what, now.Error, now.Trace)
			}
		}
	}
	message := func(text string) func(page.Data, trace.Trace) bool {
		return func(now page.Data, tr trace.Trace) bool { return !now.Working && now.Error == "" && tr.Message == text }
	}
	cu := filepath.Join(root, "ep01-made", "transpose.cu")
	wait("the first run", message("first"))
	write(t, cu, "slow")
	wait("a run that takes long", func(now page.Data, tr trace.Trace) bool { return now.Working && tr.Message == "first" })
	write(t, cu, "second one")
	wait("a save while it runs", message("second one"))
	write(t, cu, "it dies")
	wait("a program that dies", func(now page.Data, tr trace.Trace) bool { return now.Error == "it died" && tr.Message == "second one" })
	write(t, cu, "third")
	wait("after that", message("third"))

	main := filepath.Join(root, "ep01-made", "main.go")
	good, err := os.ReadFile(main)
	if err != nil {
		t.Fatal(err)
	}
	write(t, main, "package main\nfunc main() { x }\n")
	wait("a main that does not build", func(now page.Data, _ trace.Trace) bool {
		return strings.Contains(now.Error, "main.go:2:15: undefined: x")
	})
	write(t, main, strings.Replace(string(good), ", text, n)", `, "by "+string(text), n)`, 1))
	wait("another main", message("by third"))

	s.mu.Lock()
	s.n = 33
	s.mu.Unlock()
	s.again <- struct{}{}
	wait("another size", func(now page.Data, tr trace.Trace) bool { return !now.Working && now.N == 33 && tr.N == 33 })
}

// TestPage writes a page to a file: it has all in it, and no source ends its script.
func TestPage(t *testing.T) {
	root := tree(t)
	write(t, filepath.Join(root, "ep01-made", "transpose.cu"), "</script><script>alert(1)</script>")
	path := filepath.Join(t.TempDir(), "page.html")
	if err := run(context.Background(), []string{"-o", path, "ep01"}, io.Discard); err != nil {
		t.Fatal(err)
	}
	html, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, elsewhere := range []string{"src=", "http:", "https:", "stylesheet", "@import", "alert(1)</script>"} {
		if text := strings.ReplaceAll(string(html), "http://www.w3.org/2000/svg", ""); strings.Contains(text, elsewhere) {
			t.Errorf("the page has %q", elsewhere)
		}
	}
	for _, inside := range []string{"color-scheme", "const picture", "function renderVerdict", `"verdict":"exact"`, "alert(1)"} {
		if !strings.Contains(string(html), inside) {
			t.Errorf("the page lacks %q", inside)
		}
	}
}

// TestBadInput is told in plain lines, and leaves no file.
func TestBadInput(t *testing.T) {
	root := tree(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{}, "0 episodes given: one can be shown\ngive it behind the flags, such as ep03"},
		{[]string{"ep01", "ep02"}, "2 episodes given"},
		{[]string{"ep09"}, "there is no episode ep09\nthere are ep01"},
		{[]string{"-n", "0", "ep01"}, "-n 0: a matrix has at least one row"},
		{[]string{"-port", "70000", "ep01"}, "-port 70000: there is no such port"},
		{[]string{"-cu", "none.cu", "ep01"}, "none.cu cannot be read\ngive -cu a file of CUDA C"},
		{[]string{"-o", "none/page.html", "ep01"}, "give -o a file in a folder that exists"},
		{[]string{"-x"}, "flag provided but not defined: -x\nrun it with -h to see the flags"},
	} {
		err := run(context.Background(), c.args, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v; want %q", c.args, err, c.want)
		}
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v is left: %v", entries, err)
	}
	if err := os.Chdir(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), []string{"ep01"}, io.Discard); err == nil || !strings.Contains(err.Error(), "in no checkout") {
		t.Errorf("outside a checkout: %v", err)
	}
	if err := run(context.Background(), []string{"-h"}, io.Discard); err != nil {
		t.Error(err)
	}
}
