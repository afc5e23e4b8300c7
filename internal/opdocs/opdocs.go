// Package opdocs prints the reference page of the ops, docs/ops.md: the facts come from the op table, the sentences from
// the doc comments in package ir/ops. A test at the root says whether the page is fresh.
package opdocs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tfs-lang/tfs/ir"
	_ "github.com/tfs-lang/tfs/ir/ops" // fills the table
)

// An entry is what the source says of one op.
type entry struct {
	op     *ir.Op
	family string // file name without .go
	doc    string
}

// Write prints the page; folder is that of package ir/ops.
func Write(w io.Writer, folder string) error {
	entries, err := readFolder(folder)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "# The ops\n\nWritten by `go run ./internal/opdocs/cmd/opdocs`; a test says whether it is fresh. %d ops.\n"+
		"A script calls an op by the names in the second column; those without one serve gradients and other ops.\n", len(entries))
	family := ""
	for _, e := range entries {
		if err != nil {
			return err
		}
		if e.family != family {
			family = e.family
			fmt.Fprintf(w, "\n## %s\n\n| op | names | what it is | fuses as | gradient |\n|---|---|---|---|---|\n", family)
		}
		_, err = fmt.Fprintf(w, "| `%s` | %s | %s | %s | %s |\n", e.op.Name, names(e.op), e.doc, fuseNames[e.op.Fuse], gradient(e.op))
	}
	return err
}

var fuseNames = map[ir.Fuse]string{
	ir.Opaque: "", ir.Elementwise: "element-wise", ir.Reduction: "reduction", ir.Contraction: "contraction", ir.ViewOnly: "view",
}

// names shows the exports with the signature once.
func names(op *ir.Op) string {
	shown := make([]string, len(op.Exports))
	for i, name := range op.Exports {
		if i == 0 {
			name += "(" + op.Signature + ")"
		}
		shown[i] = "`" + name + "`"
	}
	return strings.Join(shown, " ")
}

func gradient(op *ir.Op) string {
	at := func(f any) uintptr { return reflect.ValueOf(f).Pointer() }
	switch {
	case op.Grad == nil, at(op.Grad) == at(ir.NoGradient):
		return "none, as in TensorFlow"
	case at(op.Grad) == at(ir.NotDifferentiable):
		return "not differentiable"
	}
	return "yes"
}

// readFolder finds the declarations `var X = ir.NewOp("NAME", …)` in order of files and lines.
func readFolder(folder string) ([]entry, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []entry
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		found, err := readFile(file, strings.TrimSuffix(filepath.Base(path), ".go"))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, missing(all)
}

func readFile(file *ast.File, family string) ([]entry, error) {
	var all []entry
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, spec := range gen.Specs {
			v := spec.(*ast.ValueSpec)
			for i, value := range v.Values {
				name := newOpName(value)
				if name == "" {
					continue
				}
				op := ir.FindOp(name)
				if op == nil {
					return nil, fmt.Errorf("op %s stands in the source and not in the table", name)
				}
				doc := v.Doc.Text()
				if doc == "" && len(gen.Specs) == 1 {
					doc = gen.Doc.Text()
				}
				all = append(all, entry{op, family, sentence(doc, v.Names[i].Name)})
			}
		}
	}
	return all, nil
}

// newOpName is the first argument of a call of ir.NewOp, "" for another expression.
func newOpName(e ast.Expr) string {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return ""
	}
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || fun.Sel.Name != "NewOp" {
		return ""
	}
	lit, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return ""
	}
	name, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return name
}

// sentence makes a cell of a doc comment: one line, without the variable's name and "is" in front.
func sentence(doc, name string) string {
	doc = strings.Join(strings.Fields(doc), " ")
	doc = strings.TrimPrefix(doc, name+" ")
	doc = strings.TrimPrefix(doc, "is ")
	return strings.ReplaceAll(doc, "|", `\|`)
}

// missing reports ops of the table that the source doesn't declare in the known form.
func missing(entries []entry) error {
	for _, op := range ir.Ops() {
		if !slices.ContainsFunc(entries, func(e entry) bool { return e.op == op }) {
			return fmt.Errorf("op %s is not declared as `var X = ir.NewOp(…)`", op.Name)
		}
	}
	return nil
}
