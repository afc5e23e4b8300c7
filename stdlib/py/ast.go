package py

import (
	"errors"
	"math/big"
	"reflect"
	"strings"
	"unicode"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/builtin"
	"github.com/tfs-lang/tfs/parser"
)

// _ast parses and hands the tree to the classes of the script module ast.
var _ = define("_ast", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{{Sig: "tree(source, filename, mode, classes, /)", Fn: astTree}}}
})

func astTree(th *Thread, a []Value) (Value, error) {
	file, err := strOf(th, a[1], "filename")
	if err != nil {
		return fail(err)
	}
	mode, err := strOf(th, a[2], "mode")
	if err != nil {
		return fail(err)
	}
	var text string
	if s, ok := lang.AsStr(a[0]); ok {
		text = s.String()
	} else if b, ok := builtin.BytesLike(a[0]); ok {
		if text, err = parser.DecodeSource([]byte(b), file); err != nil {
			return fail(syntaxError(err))
		}
	} else {
		return fail(th.TypeErrorf("compile() arg 1 must be a string, bytes or AST object"))
	}
	if strings.IndexByte(text, 0) >= 0 {
		return fail(lang.NewSyntaxError(&parser.SyntaxError{Class: "SyntaxError", Msg: "source code string cannot contain null bytes"}))
	}
	var tree ast.Node
	switch mode {
	case "exec":
		tree, err = parser.ParseString(text, file)
	case "eval":
		tree, err = parser.ParseExpr(text, file)
	case "single":
		tree, err = parser.ParseInteractive(text, file)
	default:
		return fail(th.ValueErrorf("compile() mode must be 'exec', 'eval', 'single' or 'func_type'"))
	}
	if err != nil {
		return fail(syntaxError(err))
	}
	classes, ok := lang.AsDict(a[3])
	if !ok {
		return fail(th.TypeErrorf("classes must be a dict"))
	}
	t := &treeMaker{th: th, classes: classes, marks: map[string]Value{}}
	return t.node(tree)
}

func syntaxError(err error) error {
	var p *parser.SyntaxError
	if errors.As(err, &p) {
		return lang.NewSyntaxError(p)
	}
	return err
}

// treeMaker makes script objects of nodes.
type treeMaker struct {
	th      *Thread
	classes *lang.Dict
	marks   map[string]Value // operators and contexts are made once
}

// otherNames are node classes whose name isn't that of the Go type.
var otherNames = map[string]string{"ExprStmt": "Expr", "Arguments": "arguments", "Arg": "arg", "Keyword": "keyword", "Alias": "alias",
	"WithItem": "withitem", "Comprehension": "comprehension", "MatchCase": "match_case"}

// unplaced are node classes without a position.
var unplaced = map[string]bool{"Module": true, "Expression": true, "Interactive": true, "arguments": true, "withitem": true, "comprehension": true, "match_case": true}

func (t *treeMaker) object(class string) (Value, error) {
	v, ok := t.classes.GetStr(class)
	c, isClass := lang.AsClass(v)
	if !ok || !isClass {
		return fail(t.th.TypeErrorf("no node class %s", class))
	}
	return lang.NewInstance(c, lang.Unbound), nil
}

func (t *treeMaker) node(n ast.Node) (Value, error) {
	s := reflect.ValueOf(n).Elem()
	class := s.Type().Name()
	if other := otherNames[class]; other != "" {
		class = other
	}
	obj, err := t.object(class)
	if err != nil {
		return fail(err)
	}
	for i := range s.NumField() {
		name := s.Type().Field(i).Name
		if name == "Span" || name == "Doubtful" {
			continue
		}
		v, err := t.field(s.Field(i))
		if err != nil {
			return fail(err)
		}
		if err := lang.GenericSetAttr(t.th, obj, lang.Intern(snake(name)), v); err != nil {
			return fail(err)
		}
	}
	if unplaced[class] {
		return obj, nil
	}
	return obj, t.place(obj, n.Where())
}

func (t *treeMaker) place(obj Value, at *ast.Span) error {
	for _, f := range []struct {
		name string
		v    int32
	}{{"lineno", at.Line}, {"col_offset", at.Col}, {"end_lineno", at.EndLine}, {"end_col_offset", at.EndCol}} {
		if err := lang.GenericSetAttr(t.th, obj, lang.Intern(f.name), lang.Int(int64(f.v))); err != nil {
			return err
		}
	}
	return nil
}

func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// field is a node, a list of fields, an operator or a plain value; None for what is absent.
func (t *treeMaker) field(v reflect.Value) (Value, error) {
	switch v.Kind() {
	case reflect.Slice:
		items := make([]Value, v.Len())
		for i := range items {
			var err error
			if items[i], err = t.field(v.Index(i)); err != nil {
				return fail(err)
			}
		}
		return lang.NewList(items...), nil
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return none, nil
		}
	case reflect.String:
		if v.Type().Name() == "string" && v.String() == "" {
			return none, nil
		}
	}
	switch x := v.Interface().(type) {
	case ast.Node:
		return t.node(x)
	case interface{ Class() string }:
		return t.mark(x.Class())
	case bool:
		if v.Kind() == reflect.Bool { // a flag
			return lang.Int(int64(map[bool]int{true: 1}[x])), nil
		}
		return lang.Bool(x), nil
	}
	return constant(v.Interface()), nil
}

func (t *treeMaker) mark(class string) (Value, error) {
	if v, ok := t.marks[class]; ok {
		return v, nil
	}
	v, err := t.object(class)
	t.marks[class] = v
	return v, err
}

// constant is the value of a literal.
func constant(v any) Value {
	switch v := v.(type) {
	case bool:
		return lang.Bool(v)
	case int:
		return lang.Int(int64(v))
	case int64:
		return lang.Int(v)
	case *big.Int:
		return lang.BigInt(v)
	case float64:
		return lang.Float(v)
	case complex128:
		return lang.NewComplex(v)
	case string:
		return lang.NewStr(v)
	case ast.Bytes:
		return lang.NewBytes(string(v))
	case ast.Ellipsis:
		return lang.Ellipsis
	}
	return none
}
