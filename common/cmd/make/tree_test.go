package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const root = "../../.."

// goJSON runs a go command that prints JSON.
func goJSON(t *testing.T, into any, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %v: %v", args, err)
	}
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatalf("go %v: %v", args, err)
	}
}

// Every module of the tree but the chart's, which needs more than go-cmp, is in
// the workspace that make test runs. All say the same Go version and require the
// same versions.
func TestModulesAgree(t *testing.T) {
	t.Parallel()
	var modules []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (d.Name()[0] == '.' || path == filepath.Join(root, "build")):
			return filepath.SkipDir
		case d.Name() == "go.mod":
			modules = append(modules, filepath.Dir(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	var work struct{ Use []struct{ DiskPath string } }
	goJSON(t, &work, "work", "edit", "-json", "go.work")
	var used []string
	for _, use := range work.Use {
		used = append(used, filepath.Join(root, use.DiskPath))
	}
	// Modules of their own, for what nobody else needs to download.
	browser := filepath.Join(root, "common/cmd/see/browser")
	used = append(used, filepath.Join(root, "results/chart"), browser)
	sort.Strings(modules)
	sort.Strings(used)
	if diff := cmp.Diff(modules, used); diff != "" {
		t.Errorf("modules of the tree (-) and of go.work (+):\n%s", diff)
	}

	versions := map[string]string{} // of each required module, and who says so
	for _, module := range modules {
		var file struct {
			Go      string
			Require []struct{ Path, Version string }
		}
		goJSON(t, &file, "mod", "edit", "-json", strings.TrimPrefix(module, root+"/")+"/go.mod")
		if file.Go != "1.22.4" && module != browser { // what drives it needs a newer one
			t.Errorf("%s: go %s, want 1.22.4", module, file.Go)
		}
		for _, r := range file.Require {
			if v, ok := versions[r.Path]; ok && v != r.Version {
				t.Errorf("%s requires %s %s, another module %s", module, r.Path, r.Version, v)
			}
			versions[r.Path] = r.Version
		}
	}
}

// The whole of it, with the real Go and the real tree: in a path with spaces,
// with an environment that is wrong in every variable that Go reads, and without a
// module that was downloaded.
func TestRealBuild(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds an episode")
	}
	makePath, err := exec.LookPath("make")
	if err != nil {
		t.Skip(err)
	}
	dir := filepath.Join(t.TempDir(), "a path with spaces")
	names, err := glob(root, "ep[0-9][0-9]-*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Makefile", "go.work", "common", "vendor"} {
		names = append(names, filepath.Join(root, name))
	}
	for _, name := range names {
		copyTree(t, name, filepath.Join(dir, strings.TrimPrefix(name, root+"/")))
	}
	cmd := exec.Command(makePath, "-C", dir, "count-ep01")
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -race -json", "GOWORK=off", "CGO_ENABLED=1", "GOOS=windows", "GOARCH=arm64", "GO111MODULE=off",
		"GOPATH=relative", "GOMODCACHE="+filepath.Join(dir, "none"), "GOPROXY=off", "CDPATH=/", "ARGS=-n 33")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want(t, string(out), "ep01-correct", "counted, not timed", "n = 33", "exact")
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, strings.TrimPrefix(path, from))
		if d.IsDir() {
			return nil
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
