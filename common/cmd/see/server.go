package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"transpose/common/cmd/internal/page"
)

// sizes are those that the page offers.
var sizes = []int{33, 256, 1001, 4096}

// A server serves the page and what the last run found out, to this machine alone.
type server struct {
	port int

	mu      sync.Mutex
	n       int           // size of the next run
	now     page.Data     // what the page is told: the trace stays until the next one is there
	changed chan struct{} // closed when now changes
	again   chan struct{} // a run is due though no file was saved
}

func newServer(port, n int) *server {
	return &server{port: port, n: n, now: page.Data{N: n, Sizes: sizes, Working: true}, changed: make(chan struct{}), again: make(chan struct{}, 1)}
}

// update changes what the page is told.
func (s *server) update(change func(*page.Data)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.now)
	close(s.changed)
	s.changed = make(chan struct{})
}

// look returns what the page is told, and what closes when that changes.
func (s *server) look() (page.Data, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now, s.changed
}

// poll is how often the files are looked at.
const poll = 50 * time.Millisecond

// follow runs the program whenever a file was saved or another size was asked for. A run
// that is not done by then is given up.
func (s *server) follow(ctx context.Context, p *program) {
	stop, done := func() {}, make(chan struct{})
	close(done)
	var seen snapshot
	for ctx.Err() == nil {
		files := p.watched()
		due := seen == nil || !files.equal(seen)
		select {
		case <-s.again:
			due = true
		default:
		}
		if due {
			seen = files
			stop()
			<-done
			run, cancel := context.WithCancel(ctx)
			ended := make(chan struct{})
			stop, done = cancel, ended
			go func() {
				defer close(ended)
				s.work(run, p)
			}()
		}
		select {
		case <-ctx.Done():
		case <-time.After(poll):
		}
	}
	stop()
	<-done
}

// work runs the program once.
func (s *server) work(ctx context.Context, p *program) {
	s.mu.Lock()
	n := s.n
	s.mu.Unlock()
	s.update(func(now *page.Data) { now.Working, now.N = true, n })
	text, err := p.trace(ctx, n)
	if ctx.Err() != nil {
		return // the next run tells
	}
	s.update(func(now *page.Data) {
		now.Working, now.Error = false, ""
		now.Sequence++
		if err != nil {
			now.Error = err.Error()
			return
		}
		now.Trace = text
	})
}

// ServeHTTP answers the page's requests. A page from elsewhere that the same browser has
// open may send some too: under another name for this machine it is told nothing, and
// without ours as its origin it changes nothing.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	hosts := []string{fmt.Sprintf("127.0.0.1:%d", s.port), fmt.Sprintf("localhost:%d", s.port)}
	if !slices.Contains(hosts, r.Host) {
		http.Error(w, "this page is for this machine alone", http.StatusForbidden)
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	switch r.Method + " " + r.URL.Path {
	case "GET /data":
		s.data(w)
	case "GET /events":
		s.events(w, r)
	case "POST /size":
		if origin := r.Header.Get("Origin"); origin != "http://"+r.Host {
			http.Error(w, "only the page itself may do this", http.StatusForbidden)
			return
		}
		s.size(w, r)
	default:
		s.file(w, r)
	}
}

func (s *server) data(w http.ResponseWriter) {
	now, _ := s.look()
	text, err := json.Marshal(now)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text)
}

// events tells the page, as server-sent events, when there is something new in /data.
func (s *server) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	for r.Context().Err() == nil {
		now, changed := s.look()
		if _, err := fmt.Fprintf(w, "data: {\"sequence\":%d,\"working\":%t,\"n\":%d}\n\n", now.Sequence, now.Working, now.N); err != nil {
			return
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
		}
	}
}

// size has the program run at another size: /size?n=33.
func (s *server) size(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.URL.Query().Get("n"))
	if err != nil || !slices.Contains(sizes, n) {
		http.Error(w, "no such size", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.n = n
	s.mu.Unlock()
	select {
	case s.again <- struct{}{}:
	default: // it is due already
	}
	w.WriteHeader(http.StatusNoContent)
}

// file serves the files of the page.
func (s *server) file(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Path[1:]
	if name == "" {
		name = "index.html"
	}
	kind, ok := map[string]string{"index.html": "text/html", "style.css": "text/css", "page.js": "text/javascript", "picture.js": "text/javascript"}[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodGet {
		http.Error(w, "only GET is answered", http.StatusMethodNotAllowed)
		return
	}
	text, err := page.File(name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind+"; charset=utf-8")
	_, _ = w.Write(text)
}
