package ast

import (
	"math/big"
	"strconv"
	"strings"
)

// Dump prints the tree as CPython's ast.dump(tree, include_attributes=True)
// does, on one line.
func Dump(n Node) string {
	d := &dumper{}
	d.value(n)
	return d.out.String()
}

// field is one named part of a node; a nil or empty value is an absent
// optional one and not printed, as CPython leaves out None.
type field struct {
	name string
	val  any
}

type dumper struct{ out strings.Builder }

// node prints a node without position.
func (d *dumper) node(class string, fields ...field) {
	d.out.WriteString(class)
	d.out.WriteByte('(')
	sep := ""
	for _, f := range fields {
		if absent(f.val) {
			continue
		}
		d.out.WriteString(sep)
		sep = ", "
		d.out.WriteString(f.name)
		d.out.WriteByte('=')
		d.value(f.val)
	}
	d.out.WriteByte(')')
}

// at prints a node with its position.
func (d *dumper) at(s *Span, class string, fields ...field) {
	d.node(class, append(fields, field{"lineno", int(s.Line)}, field{"col_offset", int(s.Col)},
		field{"end_lineno", int(s.EndLine)}, field{"end_col_offset", int(s.EndCol)})...)
}

func absent(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case *Arg:
		return v == nil
	}
	return false
}

// literal wraps a constant so that None is printed and not left out.
type literal struct{ v any }

func list[T any](d *dumper, l []T) {
	d.out.WriteByte('[')
	for i, v := range l {
		if i > 0 {
			d.out.WriteString(", ")
		}
		if any(v) == nil {
			d.out.WriteString("None")
			continue
		}
		d.value(any(v))
	}
	d.out.WriteByte(']')
}

func (d *dumper) value(v any) {
	switch v := v.(type) {
	case string:
		d.out.WriteString(Repr(v))
	case int:
		d.out.WriteString(strconv.Itoa(v))
	case bool: // a flag that is an int in CPython
		d.out.WriteByte('0' + boolByte(v))
	case literal:
		d.out.WriteString(Repr(v.v))
	case Ctx:
		d.out.WriteString(ctxs[v] + "()")
	case Operator:
		d.out.WriteString(operators[v].class + "()")
	case BoolOperator:
		d.out.WriteString(boolOperators[v].class + "()")
	case UnaryOperator:
		d.out.WriteString(unaryOperators[v].class + "()")
	case CmpOp:
		d.out.WriteString(cmpOps[v].class + "()")
	case []Expr:
		list(d, v)
	case []Stmt:
		list(d, v)
	case []Pattern:
		list(d, v)
	case []*Arg:
		list(d, v)
	case []*Keyword:
		list(d, v)
	case []*Alias:
		list(d, v)
	case []*WithItem:
		list(d, v)
	case []*Comprehension:
		list(d, v)
	case []*ExceptHandler:
		list(d, v)
	case []*MatchCase:
		list(d, v)
	case []CmpOp:
		list(d, v)
	case []string:
		list(d, v)
	case Stmt:
		d.stmt(v)
	case Expr:
		d.expr(v)
	case Pattern:
		d.pattern(v)
	case Node:
		d.other(v)
	}
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func (d *dumper) other(n Node) {
	switch n := n.(type) {
	case *Module:
		d.node("Module", field{"body", n.Body}, field{"type_ignores", []string{}})
	case *Interactive:
		d.node("Interactive", field{"body", n.Body})
	case *Expression:
		d.node("Expression", field{"body", n.Body})
	case *Arguments:
		d.node("arguments", field{"posonlyargs", n.Posonlyargs}, field{"args", n.Args}, field{"vararg", n.Vararg},
			field{"kwonlyargs", n.Kwonlyargs}, field{"kw_defaults", n.KwDefaults}, field{"kwarg", n.Kwarg}, field{"defaults", n.Defaults})
	case *Arg:
		d.at(&n.Span, "arg", field{"arg", n.Arg}, field{"annotation", n.Annotation})
	case *Keyword:
		d.at(&n.Span, "keyword", field{"arg", n.Arg}, field{"value", n.Value})
	case *Alias:
		d.at(&n.Span, "alias", field{"name", n.Name}, field{"asname", n.Asname})
	case *WithItem:
		d.node("withitem", field{"context_expr", n.ContextExpr}, field{"optional_vars", n.OptionalVars})
	case *Comprehension:
		d.node("comprehension", field{"target", n.Target}, field{"iter", n.Iter}, field{"ifs", n.Ifs}, field{"is_async", n.IsAsync})
	case *ExceptHandler:
		d.at(&n.Span, "ExceptHandler", field{"type", n.Type}, field{"name", n.Name}, field{"body", n.Body})
	case *MatchCase:
		d.node("match_case", field{"pattern", n.Pattern}, field{"guard", n.Guard}, field{"body", n.Body})
	}
}

func (d *dumper) function(s *Span, class, name string, args *Arguments, body []Stmt, deco []Expr, ret Expr) {
	d.at(s, class, field{"name", name}, field{"args", args}, field{"body", body}, field{"decorator_list", deco}, field{"returns", ret})
}

func (d *dumper) stmt(n Stmt) {
	s := n.Where()
	switch n := n.(type) {
	case *FunctionDef:
		d.function(s, "FunctionDef", n.Name, n.Args, n.Body, n.DecoratorList, n.Returns)
	case *AsyncFunctionDef:
		d.function(s, "AsyncFunctionDef", n.Name, n.Args, n.Body, n.DecoratorList, n.Returns)
	case *ClassDef:
		d.at(s, "ClassDef", field{"name", n.Name}, field{"bases", n.Bases}, field{"keywords", n.Keywords}, field{"body", n.Body}, field{"decorator_list", n.DecoratorList})
	case *Return:
		d.at(s, "Return", field{"value", n.Value})
	case *Delete:
		d.at(s, "Delete", field{"targets", n.Targets})
	case *Assign:
		d.at(s, "Assign", field{"targets", n.Targets}, field{"value", n.Value})
	case *AugAssign:
		d.at(s, "AugAssign", field{"target", n.Target}, field{"op", n.Op}, field{"value", n.Value})
	case *AnnAssign:
		d.at(s, "AnnAssign", field{"target", n.Target}, field{"annotation", n.Annotation}, field{"value", n.Value}, field{"simple", n.Simple})
	case *For:
		d.at(s, "For", field{"target", n.Target}, field{"iter", n.Iter}, field{"body", n.Body}, field{"orelse", n.Orelse})
	case *AsyncFor:
		d.at(s, "AsyncFor", field{"target", n.Target}, field{"iter", n.Iter}, field{"body", n.Body}, field{"orelse", n.Orelse})
	case *While:
		d.at(s, "While", field{"test", n.Test}, field{"body", n.Body}, field{"orelse", n.Orelse})
	case *If:
		d.at(s, "If", field{"test", n.Test}, field{"body", n.Body}, field{"orelse", n.Orelse})
	case *With:
		d.at(s, "With", field{"items", n.Items}, field{"body", n.Body})
	case *AsyncWith:
		d.at(s, "AsyncWith", field{"items", n.Items}, field{"body", n.Body})
	case *Match:
		d.at(s, "Match", field{"subject", n.Subject}, field{"cases", n.Cases})
	case *Raise:
		d.at(s, "Raise", field{"exc", n.Exc}, field{"cause", n.Cause})
	case *Try:
		d.at(s, "Try", field{"body", n.Body}, field{"handlers", n.Handlers}, field{"orelse", n.Orelse}, field{"finalbody", n.Finalbody})
	case *TryStar:
		d.at(s, "TryStar", field{"body", n.Body}, field{"handlers", n.Handlers}, field{"orelse", n.Orelse}, field{"finalbody", n.Finalbody})
	case *Assert:
		d.at(s, "Assert", field{"test", n.Test}, field{"msg", n.Msg})
	case *Import:
		d.at(s, "Import", field{"names", n.Names})
	case *ImportFrom:
		d.at(s, "ImportFrom", field{"module", n.Module}, field{"names", n.Names}, field{"level", n.Level})
	case *Global:
		d.at(s, "Global", field{"names", n.Names})
	case *Nonlocal:
		d.at(s, "Nonlocal", field{"names", n.Names})
	case *ExprStmt:
		d.at(s, "Expr", field{"value", n.Value})
	case *Pass:
		d.at(s, "Pass")
	case *Break:
		d.at(s, "Break")
	case *Continue:
		d.at(s, "Continue")
	}
}

func (d *dumper) expr(n Expr) {
	s := n.Where()
	switch n := n.(type) {
	case *BoolOp:
		d.at(s, "BoolOp", field{"op", n.Op}, field{"values", n.Values})
	case *NamedExpr:
		d.at(s, "NamedExpr", field{"target", n.Target}, field{"value", n.Value})
	case *BinOp:
		d.at(s, "BinOp", field{"left", n.Left}, field{"op", n.Op}, field{"right", n.Right})
	case *UnaryOp:
		d.at(s, "UnaryOp", field{"op", n.Op}, field{"operand", n.Operand})
	case *Lambda:
		d.at(s, "Lambda", field{"args", n.Args}, field{"body", n.Body})
	case *IfExp:
		d.at(s, "IfExp", field{"test", n.Test}, field{"body", n.Body}, field{"orelse", n.Orelse})
	case *Dict:
		d.at(s, "Dict", field{"keys", n.Keys}, field{"values", n.Values})
	case *Set:
		d.at(s, "Set", field{"elts", n.Elts})
	case *ListComp:
		d.at(s, "ListComp", field{"elt", n.Elt}, field{"generators", n.Generators})
	case *SetComp:
		d.at(s, "SetComp", field{"elt", n.Elt}, field{"generators", n.Generators})
	case *DictComp:
		d.at(s, "DictComp", field{"key", n.Key}, field{"value", n.Value}, field{"generators", n.Generators})
	case *GeneratorExp:
		d.at(s, "GeneratorExp", field{"elt", n.Elt}, field{"generators", n.Generators})
	case *Await:
		d.at(s, "Await", field{"value", n.Value})
	case *Yield:
		d.at(s, "Yield", field{"value", n.Value})
	case *YieldFrom:
		d.at(s, "YieldFrom", field{"value", n.Value})
	case *Compare:
		d.at(s, "Compare", field{"left", n.Left}, field{"ops", n.Ops}, field{"comparators", n.Comparators})
	case *Call:
		d.at(s, "Call", field{"func", n.Func}, field{"args", n.Args}, field{"keywords", n.Keywords})
	case *FormattedValue:
		d.at(s, "FormattedValue", field{"value", n.Value}, field{"conversion", n.Conversion}, field{"format_spec", n.FormatSpec})
	case *JoinedStr:
		d.at(s, "JoinedStr", field{"values", n.Values})
	case *Constant:
		d.at(s, "Constant", field{"value", literal{n.Value}}, field{"kind", n.Kind})
	case *Attribute:
		d.at(s, "Attribute", field{"value", n.Value}, field{"attr", n.Attr}, field{"ctx", n.Ctx})
	case *Subscript:
		d.at(s, "Subscript", field{"value", n.Value}, field{"slice", n.Slice}, field{"ctx", n.Ctx})
	case *Starred:
		d.at(s, "Starred", field{"value", n.Value}, field{"ctx", n.Ctx})
	case *Name:
		d.at(s, "Name", field{"id", n.Id}, field{"ctx", n.Ctx})
	case *List:
		d.at(s, "List", field{"elts", n.Elts}, field{"ctx", n.Ctx})
	case *Tuple:
		d.at(s, "Tuple", field{"elts", n.Elts}, field{"ctx", n.Ctx})
	case *Slice:
		d.at(s, "Slice", field{"lower", n.Lower}, field{"upper", n.Upper}, field{"step", n.Step})
	}
}

func (d *dumper) pattern(n Pattern) {
	s := n.Where()
	switch n := n.(type) {
	case *MatchValue:
		d.at(s, "MatchValue", field{"value", n.Value})
	case *MatchSingleton:
		d.at(s, "MatchSingleton", field{"value", literal{n.Value}})
	case *MatchSequence:
		d.at(s, "MatchSequence", field{"patterns", n.Patterns})
	case *MatchMapping:
		d.at(s, "MatchMapping", field{"keys", n.Keys}, field{"patterns", n.Patterns}, field{"rest", n.Rest})
	case *MatchClass:
		d.at(s, "MatchClass", field{"cls", n.Cls}, field{"patterns", n.Patterns}, field{"kwd_attrs", n.KwdAttrs}, field{"kwd_patterns", n.KwdPatterns})
	case *MatchStar:
		d.at(s, "MatchStar", field{"name", n.Name})
	case *MatchAs:
		d.at(s, "MatchAs", field{"pattern", n.Pattern}, field{"name", n.Name})
	case *MatchOr:
		d.at(s, "MatchOr", field{"patterns", n.Patterns})
	}
}

// Repr prints the value of a constant as Python's repr does.
func Repr(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case int64:
		return strconv.FormatInt(v, 10)
	case *big.Int:
		return v.String()
	case float64:
		return floatRepr(v, true)
	case complex128: // a literal has no real part
		return floatRepr(imag(v), false) + "j"
	case string:
		return quote(v, false)
	case Bytes:
		return "b" + quote(string(v), true)
	case Ellipsis:
		return "Ellipsis"
	}
	return "?"
}
