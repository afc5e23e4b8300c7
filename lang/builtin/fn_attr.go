package builtin

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
)

func nameArg(th *Thread, v Value) (*lang.Str, error) {
	s, ok := lang.AsStr(v)
	if !ok {
		return nil, th.TypeErrorf("attribute name must be string, not '%s'", lang.TypeName(v))
	}
	return lang.Intern(s.String()), nil
}

func fnGetattr(th *Thread, a []Value) (Value, error) {
	name, err := nameArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	v, err := lang.GetAttr(th, a[0], name)
	if err != nil && !a[2].IsUnbound() && lang.Matches(err, lang.AttributeError) {
		return a[2], nil
	}
	return v, err
}

func fnHasattr(th *Thread, a []Value) (Value, error) {
	name, err := nameArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	_, err = lang.GetAttr(th, a[0], name)
	if err != nil {
		if lang.Matches(err, lang.AttributeError) {
			return lang.False, nil
		}
		return fail(err)
	}
	return lang.True, nil
}

func fnSetattr(th *Thread, a []Value) (Value, error) {
	name, err := nameArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	return none, lang.SetAttr(th, a[0], name, a[2])
}

func fnDelattr(th *Thread, a []Value) (Value, error) {
	name, err := nameArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	return none, lang.DelAttr(th, a[0], name)
}

func fnCallable(th *Thread, a []Value) (Value, error) { return lang.Bool(lang.IsCallable(a[0])), nil }

func fnIsinstance(th *Thread, a []Value) (Value, error) {
	t, err := th.IsInstanceOf(a[0], a[1])
	return lang.Bool(t), err
}

func fnIssubclass(th *Thread, a []Value) (Value, error) {
	t, err := th.IsSubclassOf(a[0], a[1])
	return lang.Bool(t), err
}

func fnRepr(th *Thread, a []Value) (Value, error) {
	s, err := lang.ReprValue(th, a[0])
	if err != nil {
		return fail(err)
	}
	return s.Value(), nil
}

func fnASCII(th *Thread, a []Value) (Value, error) {
	s, err := lang.Repr(th, a[0])
	if err != nil {
		return fail(err)
	}
	return lang.NewStr(format.ASCIIText(s)), nil
}

func fnFormat(th *Thread, a []Value) (Value, error) {
	spec, ok := lang.AsStr(a[1])
	if !ok {
		return fail(need(th, "format() argument 2", "str", a[1]))
	}
	s, err := lang.Format(th, a[0], spec.String())
	if err != nil {
		return fail(err)
	}
	return lang.NewStr(s), nil
}

func classGetItem(th *Thread, a []Value) (Value, error) { return lang.NewGenericAlias(a[0], a[1]), nil }
