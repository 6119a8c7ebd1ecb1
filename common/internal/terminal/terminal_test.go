package terminal

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A file, a pipe and a buffer are no terminal; a device of characters is taken for one.
func TestIs(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, pipe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer pipe.Close()
	if Is(&bytes.Buffer{}) || Is(file) || Is(pipe) {
		t.Errorf("buffer %v, file %v, pipe %v; want false", Is(&bytes.Buffer{}), Is(file), Is(pipe))
	}
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	if !Is(device) {
		t.Errorf("%s is no device of characters", os.DevNull)
	}
	device.Close()
	if Is(device) {
		t.Error("a closed file is a terminal")
	}
}
