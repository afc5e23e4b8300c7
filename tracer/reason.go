package tracer

import (
	"fmt"

	"github.com/tfs-lang/tfs/lang"
)

// difference says in words why a value of type u can't use a trace made for t; ""
// when it can. It is the one place that explains a retrace.
func difference(th *lang.Thread, t, u *TraceType) string {
	switch {
	case u.sub(th, t):
		return ""
	case t.Kind != u.Kind:
		return fmt.Sprintf("%s → %s", t.sort(th), u.sort(th))
	}
	switch t.Kind {
	case KTensor, KSlices:
		return tensorDifference(t, u)
	case KLiteral:
		return literalDifference(th, t, u)
	case KVariable:
		return variableDifference(t, u)
	case KObject:
		if !t.obj.alive() {
			return "a new " + u.obj.class + ": the one of the earlier trace is gone"
		}
		return "another " + u.obj.class + " object"
	}
	return structureDifference(th, t, u)
}

// sort names the kind of a type with its value, for a change of kind.
func (t *TraceType) sort(th *lang.Thread) string {
	switch t.Kind {
	case KTensor:
		return "tensor " + t.DT.Name() + t.Shape.Brackets()
	case KLiteral:
		s, _ := lang.Repr(th, t.Value)
		return "Python " + lang.TypeName(t.Value) + " " + s
	case KVariable:
		return "variable " + t.DT.Name() + t.Shape.Brackets()
	case KList:
		return fmt.Sprintf("list of %d", len(t.Items))
	case KTuple:
		return fmt.Sprintf("tuple of %d", len(t.Items))
	case KNamedTuple:
		return "named tuple " + t.Name
	case KDict:
		return fmt.Sprintf("dict of %d", len(t.Items))
	case KSlices:
		return "IndexedSlices"
	}
	return t.obj.class + " object"
}

func tensorDifference(t, u *TraceType) string {
	switch {
	case t.DT != u.DT:
		return fmt.Sprintf("dtype %s → %s", t.DT.Name(), u.DT.Name())
	case t.Shape != u.Shape:
		return fmt.Sprintf("shape %s → %s", t.Shape.String(), u.Shape.String())
	}
	return fmt.Sprintf("the name of its TensorSpec, %q → %q", t.Name, u.Name)
}

func literalDifference(th *lang.Thread, t, u *TraceType) string {
	a, _ := lang.Repr(th, t.Value)
	b, _ := lang.Repr(th, u.Value)
	ka, kb := lang.TypeName(t.Value), lang.TypeName(u.Value)
	if ka == kb {
		return fmt.Sprintf("%s → %s, a Python %s is part of the key; pass a tensor to trace once", a, b, ka)
	}
	return fmt.Sprintf("%s %s → %s %s, Python values are part of the key", ka, a, kb, b)
}

func variableDifference(t, u *TraceType) string {
	switch {
	case t.Alias != u.Alias:
		return "the same variable is passed for other arguments than before"
	case t.Trainable != u.Trainable:
		return fmt.Sprintf("trainable %s → %s", pyBool(t.Trainable), pyBool(u.Trainable))
	}
	return "variable, " + tensorDifference(t, u)
}

func structureDifference(th *lang.Thread, t, u *TraceType) string {
	if len(t.Items) != len(u.Items) {
		return fmt.Sprintf("%d elements → %d", len(t.Items), len(u.Items))
	}
	if t.Kind == KDict && string(appendKeys(nil, t)) != string(appendKeys(nil, u)) {
		return "other keys"
	}
	if t.Name != u.Name {
		return t.Name + " → " + u.Name
	}
	for i := range t.Items {
		if d := difference(th, t.Items[i], u.Items[i]); d != "" {
			return fmt.Sprintf("element %d: %s", i, d)
		}
	}
	return "other elements"
}
