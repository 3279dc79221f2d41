// Writes the types of the variables that functions declare: a file, a line, a column, and how the type is named there.
//
// Run in the folder of a Go project before its files get guards: `x := f()` becomes `var t T; if .. { t = f() }; x := t`.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

type listed struct {
	Dir, ImportPath, Export string
	Standard, DepOnly       bool
	GoFiles, CgoFiles       []string
	ImportMap               map[string]string
}

// A name of another package that is not exported, or what has no name.
var unnameable = regexp.MustCompile(`\b\w+\.[a-z_]|invalid type|untyped|\?`)

func main() {
	out, err := os.Create(os.Args[1])
	if err != nil {
		os.Exit(1)
	}
	defer out.Close()
	to := bufio.NewWriter(out)
	defer to.Flush()
	list := exec.Command("go", "list", "-e", "-export", "-deps", "-json=Dir,ImportPath,Export,Standard,DepOnly,GoFiles,CgoFiles,ImportMap", "./...")
	said, _ := list.Output()
	exports := map[string]string{}
	var own []listed
	for decoder := json.NewDecoder(strings.NewReader(string(said))); ; {
		var it listed
		if decoder.Decode(&it) != nil {
			break
		}
		exports[it.ImportPath] = it.Export
		if !it.Standard && !it.DepOnly && len(it.CgoFiles) == 0 {
			own = append(own, it)
		}
	}
	here, _ := os.Getwd()
	for _, it := range own {
		describe(it, exports, here, to)
	}
}

func describe(it listed, exports map[string]string, here string, to io.Writer) {
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range it.GoFiles {
		if file, err := parser.ParseFile(files, filepath.Join(it.Dir, name), nil, 0); err == nil {
			parsed = append(parsed, file)
		}
	}
	lookup := func(path string) (io.ReadCloser, error) {
		if mapped, ok := it.ImportMap[path]; ok {
			path = mapped
		}
		if exports[path] == "" {
			return nil, errors.New("not there")
		}
		return os.Open(exports[path])
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(files, "gc", lookup), Error: func(error) {}}
	checked, _ := config.Check(it.ImportPath, files, parsed, info)
	for _, file := range parsed {
		names := map[string]string{}
		for _, spec := range file.Imports {
			path := strings.Trim(spec.Path.Value, "`\"")
			if spec.Name != nil {
				names[path] = spec.Name.Name
			}
			names["has "+path] = "yes"
		}
		name := func(other *types.Package) string {
			switch given := names[other.Path()]; {
			case other == checked || given == ".":
				return ""
			case names["has "+other.Path()] == "" || given == "_":
				return "?"
			case given != "":
				return given
			}
			return other.Name()
		}
		path, err := filepath.Rel(here, files.Position(file.Pos()).Filename)
		if err != nil {
			continue
		}
		ast.Inspect(file, func(node ast.Node) bool {
			ident, ok := node.(*ast.Ident)
			if !ok {
				return true
			}
			variable, ok := info.Defs[ident].(*types.Var)
			if !ok || variable.IsField() || variable.Parent() == checked.Scope() {
				return true
			}
			text := types.TypeString(variable.Type(), name)
			if !unnameable.MatchString(text) && !strings.ContainsAny(text, "\n\t") {
				at := files.Position(ident.Pos())
				fmt.Fprintf(to, "%s\t%d\t%d\t%s\n", path, at.Line, at.Column, text)
			}
			return true
		})
	}
}
