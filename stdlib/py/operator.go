package py

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// operator holds the operators as functions, in Go.
var _ = define("operator", func() *lang.ModuleDef {
	return &lang.ModuleDef{Doc: "Operator interface.", Defs: operatorRows(), Init: func(th *Thread, m *lang.Module) error {
		for _, c := range getterClasses {
			m.Set(c.Name, c.Value())
		}
		for name, alias := range map[string]string{"__add__": "add", "__sub__": "sub", "__mul__": "mul", "__lt__": "lt", "__le__": "le",
			"__eq__": "eq", "__ne__": "ne", "__gt__": "gt", "__ge__": "ge", "__getitem__": "getitem", "__contains__": "contains", "__neg__": "neg",
			"__and__": "and_", "__or__": "or_", "__xor__": "xor", "__not__": "not_", "__truediv__": "truediv", "__floordiv__": "floordiv",
			"__mod__": "mod", "__pow__": "pow", "__matmul__": "matmul", "__abs__": "abs", "__index__": "index", "__call__": "call",
			"__setitem__": "setitem", "__delitem__": "delitem", "__concat__": "concat", "__invert__": "invert", "__inv__": "inv", "__pos__": "pos",
			"__lshift__": "lshift", "__rshift__": "rshift", "__iadd__": "iadd"} {
			f, err := m.Get(th, alias)
			if err != nil {
				return err
			}
			m.Set(name, f)
		}
		return nil
	}}
})

func binaryRow(name string, op lang.BinaryOp) lang.Def {
	return lang.Def{Sig: name + "(a, b, /)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.BinaryOperation(th, op, a[0], a[1]) }}
}

func inPlaceRow(name string, op lang.BinaryOp) lang.Def {
	return lang.Def{Sig: name + "(a, b, /)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.InPlaceOperation(th, op, a[0], a[1]) }}
}

func compareRow(name string, op lang.CompareOp) lang.Def {
	return lang.Def{Sig: name + "(a, b, /)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Compare(th, op, a[0], a[1]) }}
}

func unaryRow(name string, op lang.UnaryOp) lang.Def {
	return lang.Def{Sig: name + "(a, /)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.UnaryOperation(th, op, a[0]) }}
}

func operatorRows() []lang.Def {
	rows := []lang.Def{
		unaryRow("neg", lang.OpNeg), unaryRow("pos", lang.OpPos), unaryRow("invert", lang.OpInvert), unaryRow("inv", lang.OpInvert),
		unaryRow("not_", lang.OpNot), unaryRow("abs", lang.OpAbs),
		{Sig: "truth(a, /)", Fn: func(th *Thread, a []Value) (Value, error) { t, err := lang.Truth(th, a[0]); return lang.Bool(t), err }},
		{Sig: "is_(a, b, /)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Bool(a[0].Is(a[1])), nil }},
		{Sig: "is_not(a, b, /)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Bool(!a[0].Is(a[1])), nil }},
		{Sig: "index(a, /)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Index(th, a[0]) }},
		{Sig: "getitem(a, b, /)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.GetItem(th, a[0], a[1]) }},
		{Sig: "setitem(a, b, c, /)", Fn: func(th *Thread, a []Value) (Value, error) { return none, lang.SetItem(th, a[0], a[1], a[2]) }},
		{Sig: "delitem(a, b, /)", Fn: func(th *Thread, a []Value) (Value, error) { return none, lang.DelItem(th, a[0], a[1]) }},
		{Sig: "contains(a, b, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			t, err := lang.Contains(th, a[0], a[1])
			return lang.Bool(t), err
		}},
		{Sig: "concat(a, b, /)", Fn: sequencesOnly(lang.BinaryOperation)},
		{Sig: "iconcat(a, b, /)", Fn: sequencesOnly(lang.InPlaceOperation)},
		{Sig: "countOf(a, b, /)", Fn: operatorCountOf},
		{Sig: "indexOf(a, b, /)", Fn: operatorIndexOf},
		{Sig: "length_hint(obj, default=0, /)", Fn: operatorLengthHint},
		{Sig: "call(obj, /, *args, **kwargs)", Fn: func(th *Thread, a []Value) (Value, error) {
			args, names := lang.SplitArgs(a[1], a[2])
			return th.Call(a[0], args, names...)
		}},
	}
	for name, op := range map[string]lang.BinaryOp{"add": lang.OpAdd, "sub": lang.OpSub, "mul": lang.OpMul, "truediv": lang.OpDiv,
		"floordiv": lang.OpFloorDiv, "mod": lang.OpMod, "pow": lang.OpPow, "matmul": lang.OpMatMul, "and_": lang.OpAnd, "or_": lang.OpOr,
		"xor": lang.OpXor, "lshift": lang.OpLShift, "rshift": lang.OpRShift} {
		rows = append(rows, binaryRow(name, op), inPlaceRow("i"+trimUnderscore(name), op))
	}
	for name, op := range map[string]lang.CompareOp{"lt": lang.LT, "le": lang.LE, "eq": lang.EQ, "ne": lang.NE, "gt": lang.GT, "ge": lang.GE} {
		rows = append(rows, compareRow(name, op))
	}
	return rows
}

func trimUnderscore(s string) string {
	if s[len(s)-1] == '_' {
		return s[:len(s)-1]
	}
	return s
}

func operatorCountOf(th *Thread, a []Value) (Value, error) {
	n := 0
	err := each(th, a[0], func(x Value) error {
		eq, err := lang.Same(th, x, a[1])
		if eq {
			n++
		}
		return err
	})
	return lang.Int(int64(n)), err
}

func operatorIndexOf(th *Thread, a []Value) (Value, error) {
	it, err := lang.Iterate(th, a[0])
	if err != nil {
		return fail(err)
	}
	for i := 0; ; i++ {
		x, ok, err := it.Next(th)
		if err != nil {
			return fail(err)
		}
		if !ok {
			return fail(th.ValueErrorf("sequence.index(x): x not in sequence"))
		}
		if eq, err := lang.Same(th, x, a[1]); err != nil || eq {
			return lang.Int(int64(i)), err
		}
	}
}

// sequencesOnly is + for operands with items.
func sequencesOnly(add func(*Thread, lang.BinaryOp, Value, Value) (Value, error)) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		if c := lang.ClassOf(a[0]); c.GetItem == nil || c == lang.DictClass || c == lang.TypeClass {
			return fail(th.TypeErrorf("'%s' object can't be concatenated", lang.TypeName(a[0])))
		}
		return add(th, lang.OpAdd, a[0], a[1])
	}
}

func operatorLengthHint(th *Thread, a []Value) (Value, error) {
	if lang.ClassOf(a[0]).Len != nil {
		n, err := lang.Len(th, a[0])
		return lang.Int(int64(n)), err
	}
	if m := lang.ClassOf(a[0]).Lookup("__length_hint__"); !m.IsUnbound() {
		r, err := th.CallMethod(a[0], "__length_hint__")
		if err == nil && !r.IsNotImplemented() {
			return r, nil
		}
	}
	return a[1], nil
}

// getter is itemgetter, attrgetter or methodcaller.
type getter struct {
	lang.Header
	keys   []lang.Held
	name   string
	kwargs Value
}

var (
	itemGetter    = newClass("itemgetter", "operator")
	attrGetter    = newClass("attrgetter", "operator")
	methodCaller  = newClass("methodcaller", "operator")
	getterClasses = []*lang.Class{itemGetter, attrGetter, methodCaller}
)

func init() {
	itemGetter.New = &lang.Def{Sig: "__new__(cls, item, /, *items)", Fn: newGetter(itemGetter)}
	attrGetter.New = &lang.Def{Sig: "__new__(cls, attr, /, *attrs)", Fn: newGetter(attrGetter)}
	methodCaller.New = &lang.Def{Sig: "__new__(cls, name, /, *args, **kwargs)", Fn: newMethodCaller}
	itemGetter.Call = callGetter(itemGetter, func(th *Thread, o, k Value) (Value, error) { return lang.GetItem(th, o, k) })
	attrGetter.Call = callGetter(attrGetter, dottedAttr)
	methodCaller.Call = func(th *Thread, f Value, args []Value, names []*lang.Str) (Value, error) {
		g := native[getter](f, methodCaller)
		if len(args) != 1 {
			return fail(th.TypeErrorf("methodcaller expected 1 argument, got %d", len(args)))
		}
		m, err := lang.Attr(th, args[0], g.name)
		if err != nil {
			return fail(err)
		}
		vs, ns := lang.SplitArgs(lang.NewTuple(lang.Values(g.keys)...), g.kwargs)
		return th.Call(m, vs, ns...)
	}
	for _, c := range getterClasses {
		c.Repr = getterRepr
		c.Walk = func(v Value, visit func(Value)) {
			for _, k := range (*getter)(v.P).keys {
				visit(k.Value())
			}
		}
	}
}

func newGetter(c *lang.Class) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		t, _ := lang.AsTuple(a[2])
		g := &getter{Header: head(c, value.KindOther), keys: append([]lang.Held{a[1].Held()}, t.Items()...)}
		if c == attrGetter {
			for _, k := range g.keys {
				if _, ok := lang.AsStr(k.Value()); !ok {
					return fail(th.TypeErrorf("attribute name must be a string"))
				}
			}
		}
		return wrap(a[0], Value{P: unsafe.Pointer(g)}), nil
	}
}

func newMethodCaller(th *Thread, a []Value) (Value, error) {
	name, ok := lang.AsStr(a[1])
	if !ok {
		return fail(th.TypeErrorf("method name must be a string"))
	}
	t, _ := lang.AsTuple(a[2])
	g := &getter{Header: head(methodCaller, value.KindOther), keys: t.Items(), name: name.String(), kwargs: a[3].Held().Value()}
	return wrap(a[0], Value{P: unsafe.Pointer(g)}), nil
}

func callGetter(c *lang.Class, get func(th *Thread, o, k Value) (Value, error)) func(th *Thread, f Value, args []Value, names []*lang.Str) (Value, error) {
	return func(th *Thread, f Value, args []Value, names []*lang.Str) (Value, error) {
		g := native[getter](f, c)
		if len(args) != 1 || len(names) > 0 {
			return fail(th.TypeErrorf("%s expected 1 argument, got %d", c.Name, len(args)))
		}
		if len(g.keys) == 1 {
			return get(th, args[0], g.keys[0].Value())
		}
		out := make([]lang.Held, len(g.keys))
		for i, k := range g.keys {
			x, err := get(th, args[0], k.Value())
			if err != nil {
				return fail(err)
			}
			out[i] = x.Held()
		}
		return lang.TupleOf(out).Value(), nil
	}
}

func dottedAttr(th *Thread, o, k Value) (Value, error) {
	s, _ := lang.AsStr(k)
	var err error
	rest := s.String()
	for i := 0; i <= len(rest); i++ {
		if i == len(rest) || rest[i] == '.' {
			if o, err = lang.Attr(th, o, rest[:i]); err != nil || i == len(rest) {
				return o, err
			}
			rest, i = rest[i+1:], -1
		}
	}
	return o, nil
}

func getterRepr(th *Thread, v Value) (Value, error) {
	g := (*getter)(lang.Payload(v).P)
	s := "operator." + lang.ClassOf(v).Name + "("
	if g.name != "" {
		r, _ := lang.Repr(th, lang.NewStr(g.name))
		s += r
	}
	for i, k := range g.keys {
		r, err := lang.Repr(th, k.Value())
		if err != nil {
			return fail(err)
		}
		if i > 0 || g.name != "" {
			s += ", "
		}
		s += r
	}
	return lang.NewStr(s + ")"), nil
}
