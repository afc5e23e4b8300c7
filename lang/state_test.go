package lang_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// notYet are structs that break the rule, to be turned into data before frames are
// frozen with them.
var notYet = map[string]bool{"initScope": true}

// TestScriptStateIsData: no struct that a script value can point to (its first
// field is a Header, or another such struct) holds a Go function, a channel or an
// iter.Pull: script state must be data, so that it can be frozen. Behaviour hangs
// on Class and Def, which are tables found by name.
func TestScriptStateIsData(t *testing.T) {
	structs := map[string]*ast.StructType{}
	where := map[string]string{}
	for _, dir := range []string{".", "builtin", "../stdlib", "../bridge", "../tracer", "../tensor"} {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			collectStructs(t, path, structs, where)
			return nil
		})
	}
	found := 0
	for name, st := range structs {
		if name == "Class" || name == "Type" || notYet[name] || !isObject(st, structs, 0) {
			continue
		}
		found++
		for _, f := range st.Fields.List {
			switch f.Type.(type) {
			case *ast.FuncType, *ast.ChanType:
				t.Errorf("%s: %s keeps Go code or a channel in field %v", where[name], name, f.Names)
			}
		}
	}
	if found < 40 {
		t.Errorf("only %d object structs found: does the test still see them?", found)
	}
}

func collectStructs(t *testing.T, path string, structs map[string]*ast.StructType, where map[string]string) {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Skip(err) // somebody is editing
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			if ts, ok := s.(*ast.TypeSpec); ok {
				if st, ok := ts.Type.(*ast.StructType); ok {
					structs[ts.Name.Name], where[ts.Name.Name] = st, path
				}
			}
		}
	}
}

// isObject reports a struct that begins with a Header.
func isObject(st *ast.StructType, structs map[string]*ast.StructType, depth int) bool {
	if len(st.Fields.List) == 0 || len(st.Fields.List[0].Names) > 0 || depth > 5 {
		return false
	}
	name := ""
	switch x := st.Fields.List[0].Type.(type) {
	case *ast.Ident:
		name = x.Name
	case *ast.SelectorExpr:
		name = x.Sel.Name
	}
	if name == "Header" {
		return true
	}
	in := structs[name]
	return in != nil && in != st && isObject(in, structs, depth+1)
}
