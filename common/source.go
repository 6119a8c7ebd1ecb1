package common

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"transpose/common/compile"
)

// choosePTX returns the PTX to run: the file of -ptx; else what the compiler makes
// of the file of -cu, or of the program's own transpose.cu, for which the committed
// PTX will do where it was made from it. A second element is the PTX to run if the
// driver refuses the first.
func (p *Program) choosePTX(o options) ([]ptxFile, error) {
	src, cu := p.own(), sources(func(string) string { return p.Source })
	if o.cu != "" {
		var err error
		if src, err = p.judged(o); err != nil {
			return nil, err
		}
		cu = p.quoted(src)
	}
	if o.ptx != "" {
		file, err := p.givenPTX(o.ptx)
		if o.cu != "" {
			file.cu = cu
		}
		return []ptxFile{file}, err
	}
	committed := p.Committed
	if o.cu != "" && !compile.MadeFrom(committed, src.Text) {
		committed = ""
	}
	text, err := p.Compiler.Best(src, committed)
	if errors.Is(err, compile.ErrNoCompiler) {
		return nil, noCompiler(err, o)
	}
	if err != nil {
		return nil, err
	}
	own := ptxFile{"transpose.ptx", committed, cu}
	if text == committed {
		return []ptxFile{own}, nil
	}
	files := []ptxFile{{src.Name, text, cu}}
	if compile.MadeFrom(committed, src.Text) {
		files = append(files, own)
	}
	return files, nil
}

// givenPTX reads the file of -ptx. Its lines are quoted from transpose.cu if it was
// made from that, else from the .cu beside it.
func (p *Program) givenPTX(path string) (ptxFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return ptxFile{}, fmt.Errorf("%w\ngive -ptx a file of PTX", err)
	}
	file := ptxFile{path: path, text: string(text)}
	beside := p.Source
	if !compile.MadeFrom(file.text, p.Source) {
		beside = file.besideText()
	}
	file.cu = func(string) string { return beside }
	return file, nil
}

// own is the program's transpose.cu. Its folder, for what it includes, is known
// where the program runs there or in the folder above.
func (p *Program) own() compile.Source {
	for _, file := range []string{"transpose.cu", filepath.Join(p.Name, "transpose.cu")} {
		if src, err := compile.Read(file); err == nil && src.Text == p.Source {
			return src
		}
	}
	return compile.Source{Name: "transpose.cu", Text: p.Source}
}

// judged is the source in the file of -cu. It may hold the judged kernel alone:
// those that it does not have are the episode's. They are compiled ahead of it, each
// on its own line of the episode's file.
func (p *Program) judged(o options) (compile.Source, error) {
	src, err := compile.Read(o.cu)
	if err != nil {
		return src, fmt.Errorf("%w\ngive -cu a file of CUDA C", err)
	}
	inherited, line := "", 1
	kernels := compile.Kernels(p.Source)
	for i, k := range kernels {
		judged := k.Name == o.kernel || o.kernel == "" && i == len(kernels)-1
		if judged || compile.Defines(src.Text, k.Name) {
			continue
		}
		inherited += strings.Repeat("\n", k.Line-line) + k.Text
		line = k.Line + strings.Count(k.Text, "\n")
	}
	if inherited != "" {
		src.Before = &compile.Source{Name: p.inheritedName(), Text: inherited}
	}
	return src, nil
}

func (p *Program) inheritedName() string { return p.Name + "/transpose.cu" }

// quoted tells the lines of a judged source from those of inherited kernels, and of
// files that it includes.
func (p *Program) quoted(src compile.Source) sources {
	return func(file string) string {
		file = path.Clean(filepath.ToSlash(file))
		switch {
		case src.Before != nil && strings.HasSuffix(file, p.inheritedName()):
			return p.Source
		case file == filepath.Base(src.Name):
			return src.Text
		}
		text, err := os.ReadFile(filepath.Join(src.Dir, filepath.FromSlash(file)))
		if err != nil {
			return ""
		}
		return string(text)
	}
}

// noCompiler says what to do where there is no compiler.
func noCompiler(err error, o options) error {
	const install = "install clang, 14 or newer (not Xcode's), or the CUDA toolkit"
	if o.cu != "" {
		return fmt.Errorf("%w\n%s; or give PTX, with -ptx", err, install)
	}
	return fmt.Errorf("%w\n%s; git checkout transpose.cu gets the old kernel back", err, install)
}
