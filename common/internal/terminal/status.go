package terminal

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// A Status is a line that says what goes on, for who waits at a terminal. It comes
// a while after the first word, and goes with Clear. A nil Status says nothing.
type Status struct {
	w     io.Writer
	delay time.Duration

	mu    sync.Mutex
	text  string
	timer *time.Timer
	shown bool
}

// NewStatus returns a status on w that comes after half a second, or nil where that is no terminal, or one that
// cannot take a line back.
func NewStatus(w io.Writer) *Status {
	if !Is(w) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return New(w, time.Second/2)
}

// New returns a status on w that comes after a delay, or with none at once.
func New(w io.Writer, delay time.Duration) *Status { return &Status{w: w, delay: delay} }

// Say has the line say something else.
func (s *Status) Say(format string, args ...any) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = fmt.Sprintf(format, args...)
	switch {
	case s.shown || s.delay == 0:
		s.show()
	case s.timer == nil:
		s.timer = time.AfterFunc(s.delay, s.late)
	}
}

// late shows the line, unless it was cleared meanwhile.
func (s *Status) late() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer != nil {
		s.show()
	}
}

// eraseLine goes to the start of the line and erases it (ECMA-48, EL).
const eraseLine = "\r\x1b[K"

func (s *Status) show() {
	fmt.Fprint(s.w, eraseLine, s.text, " …")
	s.shown = true
}

// Clear takes the line away: what is printed next begins where it stood.
func (s *Status) Clear() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if s.shown {
		fmt.Fprint(s.w, eraseLine)
	}
	s.shown = false
}

// Write clears the line and writes where it stood.
func (s *Status) Write(p []byte) (int, error) {
	s.Clear()
	return s.w.Write(p)
}
