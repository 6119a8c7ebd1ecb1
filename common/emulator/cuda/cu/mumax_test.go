package cu

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// extra are the exported names of the emulator that the real package lacks.
var extra = map[string]bool{"LastError": true, "LastLaunch": true, "LaunchCounts": true, "LaunchTrace": true, "NoKernel": true, "NoKernel.Error": true, "TraceNext": true}

// notOffered are the exported names of the real package that the emulator
// leaves out; the package documentation lists them.
var notOffered = []string{
	"CtxDisablePeerAccess", "CtxEnablePeerAccess", "DeviceCanAccessPeer", "MemcpyPeer", "MemcpyPeerAsync",
	"MemAllocHost", "MemFreeHost", "MemHostRegisterFlag", "MEMHOSTREGISTER_DEVICEMAP", "MEMHOSTREGISTER_PORTABLE",
	"MemoryType", "MemoryTypeArray", "MemoryTypeDevice", "MemoryTypeHost", "MemoryTypeUnified", "PointerGetAttributeMemoryType",
	"Context.DisablePeerAccess", "Context.EnablePeerAccess", "Device.CanAccessPeer", "DevicePtr.MemoryType", "MemoryType.String",
}

// TestSameTypesAsMumax compares this package with the source of the real one, in
// the folder that the environment variable MUMAX_CU names. Everything exported
// by both must have the same type, and only what the documentation lists may be
// missing here.
func TestSameTypesAsMumax(t *testing.T) {
	dir := os.Getenv("MUMAX_CU")
	if dir == "" {
		t.Skip("MUMAX_CU does not name the folder of the real package's source")
	}
	real, ours := exported(t, dir), exported(t, ".")
	missing := map[string]bool{}
	for _, name := range notOffered {
		missing[name] = true
		if ours[name] != "" {
			t.Errorf("%s is offered, and listed as not offered", name)
		}
	}
	for name, want := range real {
		switch got := ours[name]; {
		case got == "" && !missing[name]:
			t.Errorf("%s is missing: %s", name, want)
		case got != "" && got != want && !strings.Contains(want, "invalid type"):
			t.Errorf("%s: %s, but in the real package %s", name, got, want)
		}
	}
	for name := range ours {
		if real[name] == "" && !extra[name] {
			t.Errorf("%s is not in the real package", name)
		}
	}
	if len(real) < 100 {
		t.Errorf("found only %d exported names in %s", len(real), dir)
	}
}

// TestNotOfferedIsDocumented holds that the package documentation lists every
// name that the emulator leaves out.
func TestNotOfferedIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range notOffered {
		_, method, _ := strings.Cut(name, ".")
		if method == "" {
			method = name
		}
		if strings.HasPrefix(name, "MEMHOST") || strings.HasPrefix(name, "MemoryType") {
			continue // "and its constants"
		}
		if !strings.Contains(string(doc), method) {
			t.Errorf("doc.go does not mention %s", name)
		}
	}
}

// exported returns the types of the exported objects of the package in dir, as
// text, by name; a method's name is Type.Method. What comes from C has no type:
// the source is checked without a C compiler.
func exported(t *testing.T, dir string) map[string]string {
	t.Helper()
	fset := token.NewFileSet()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_other.go") {
			continue
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	config := types.Config{
		FakeImportC: true,
		Importer:    importer.ForCompiler(fset, "source", nil),
		Error:       func(error) {}, // our own imports need not resolve here
	}
	pkg, _ := config.Check("cu", fset, files, nil)
	found := map[string]string{}
	qualify := func(p *types.Package) string { return p.Name() }
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		found[name] = types.TypeString(object.Type(), qualify)
		named, ok := object.Type().(*types.Named)
		if _, isType := object.(*types.TypeName); !ok || !isType {
			continue
		}
		found[name] = types.TypeString(named.Underlying(), qualify)
		for i := 0; i < named.NumMethods(); i++ {
			if m := named.Method(i); m.Exported() {
				signature := m.Type().(*types.Signature)
				found[name+"."+m.Name()] = types.TypeString(signature.Recv().Type(), qualify) + " " + types.TypeString(signature, qualify)
			}
		}
	}
	return found
}
