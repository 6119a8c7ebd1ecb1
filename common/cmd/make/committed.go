package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"transpose/common/compile"
	"transpose/common/machine"
)

func (t *tree) remakePTX(string, []string) error { return t.committed(false) }
func (t *tree) checkPTX(string, []string) error  { return t.committed(true) }

// committed remakes the committed PTX, of the episodes and of the emulator's
// tests, with clang 19. To check, it only names each file that a remake would
// change.
func (t *tree) committed(check bool) error {
	clang := t.machine.Clang(19)
	if clang == nil {
		return failed(2, "the committed PTX is made by clang 19, which is not here\ninstall it: apt-get install clang-19, or brew install llvm@19")
	}
	stale := false
	for _, pattern := range []string{"ep[0-9][0-9]-*/transpose.cu", "common/cmd/docs/testdata/*/transpose.cu", "common/ptx/testdata/*.cu"} {
		sources, err := glob(t.root, pattern)
		if err != nil {
			return err
		}
		for _, cu := range sources {
			text, err := t.remade(clang, cu)
			if err != nil {
				return err
			}
			path := strings.TrimSuffix(cu, ".cu") + ".ptx"
			old, err := os.ReadFile(path)
			switch {
			case err == nil && string(old) == text:
			case check:
				fmt.Fprintf(t.stderr, "%s is not what %s %s makes of %s\n", t.short(path), clang.Path, clang.Version, t.short(cu))
				stale = true
			default:
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					return err
				}
				fmt.Fprintf(t.stdout, "%s: made by clang %s\n", t.short(path), clang.Version)
			}
		}
	}
	if stale {
		return failed(1, "")
	}
	return nil
}

// remade is the PTX that is to be committed for a source. That of an episode names
// its source and, without the last digits of its version, the compiler.
func (t *tree) remade(clang *machine.Clang, cu string) (string, error) {
	src, err := compile.Read(cu)
	if err != nil {
		return "", err
	}
	src.Name = t.short(cu)
	ptx, warnings, err := compile.PTX(clang.Path, src)
	if err != nil {
		return "", err
	}
	if warnings != "" {
		fmt.Fprintln(t.stderr, strings.TrimSpace(warnings))
	}
	if filepath.Base(cu) == "transpose.cu" {
		return compile.Header(src, "clang 19") + string(ptx), nil
	}
	return string(ptx), nil
}
