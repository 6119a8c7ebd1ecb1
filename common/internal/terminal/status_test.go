package terminal

import (
	"bytes"
	"testing"
	"time"
)

// A line comes when it is late, changes at once, goes, and comes again.
func TestStatus(t *testing.T) {
	var out bytes.Buffer
	s := &Status{w: &out, delay: time.Hour}
	say := func(text, want string) {
		t.Helper()
		s.Say("%s", text)
		if got := out.String(); got != want {
			t.Errorf("after %q: %q, want %q", text, got, want)
		}
	}
	say("one", "")
	say("two", "")
	s.late()
	const two = eraseLine + "two …"
	say("three", two+eraseLine+"three …")
	s.Clear()
	s.Clear()
	const three = two + eraseLine + "three …" + eraseLine
	say("four", three)
	s.Clear()
	s.late() // of the timer that was stopped too late
	say("five", three)
	s.late()
	if _, err := s.Write([]byte("error\n")); err != nil {
		t.Fatal(err)
	}
	if want := three + eraseLine + "five …" + eraseLine + "error\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// The timer itself.
func TestStatusTimer(t *testing.T) {
	written := make(writes, 1)
	s := &Status{w: written, delay: time.Millisecond}
	s.Say("late")
	if got := <-written; got != eraseLine+"late …" {
		t.Errorf("%q", got)
	}
}

type writes chan string

func (w writes) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}

// Where nobody looks on there is no status, and it may be used all the same.
func TestNoStatus(t *testing.T) {
	s := NewStatus(&bytes.Buffer{})
	if s != nil {
		t.Fatal("a buffer has a status")
	}
	s.Say("nothing")
	s.Clear()
}
