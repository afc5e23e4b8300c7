package builtin

import (
	"fmt"

	"github.com/tfs-lang/tfs/lang"
)

// Exception groups: Data holds the message and the tuple of exceptions.

var groupNew = lang.Def{Sig: "__new__(cls, message, exceptions, /)", Fn: newGroup}

func newGroup(th *Thread, a []Value) (Value, error) {
	c, _ := lang.AsClass(a[0])
	if _, ok := lang.AsStr(a[1]); !ok {
		return fail(th.TypeErrorf("BaseExceptionGroup.__new__() argument 1 must be str, not %s", lang.TypeName(a[1])))
	}
	items, ok := lang.Sequence(a[2])
	if !ok {
		return fail(th.TypeErrorf("second argument (exceptions) must be a sequence"))
	}
	if len(items) == 0 {
		return fail(th.ValueErrorf("second argument (exceptions) must be a non-empty sequence"))
	}
	allPlain := true
	for i, x := range items {
		e, ok := lang.AsException(x.Value())
		if !ok {
			return fail(th.ValueErrorf("Item %d of second argument (exceptions) is not an exception", i))
		}
		allPlain = allPlain && e.IsA(lang.ExceptionClass)
	}
	if c == lang.BaseExceptionGroup && allPlain {
		c = lang.ExceptionGroup
	} else if c.IsSub(lang.ExceptionGroup) && !allPlain {
		return fail(th.TypeErrorf("Cannot nest BaseExceptions in an ExceptionGroup"))
	}
	e := lang.NewException(c, a[1], a[2])
	setData(e, 0, a[1])
	setData(e, 1, lang.NewTuple(lang.Values(items)...))
	return e.Value(), nil
}

func groupStr(th *Thread, v Value) (Value, error) {
	e := exc(v)
	msg, err := lang.StrOf(th, dataAt(e, 0))
	if err != nil {
		return fail(err)
	}
	n := len(groupItems(e))
	s := "s"
	if n == 1 {
		s = ""
	}
	return lang.NewStr(fmt.Sprintf("%s (%d sub-exception%s)", msg, n, s)), nil
}

func groupItems(e *lang.Exception) []lang.Held {
	t, ok := lang.AsTuple(dataAt(e, 1))
	if !ok {
		return nil
	}
	return t.Items()
}

var groupRows = []lang.Def{
	field("message", 0),
	field("exceptions", 1),
	{Sig: "split(self, condition, /)", Fn: groupSplit, Doc: "Return the group of what matches and the group of the rest."},
	{Sig: "subgroup(self, condition, /)", Fn: groupSubgroup, Doc: "Return the group of what matches, or None."},
	{Sig: "derive(self, excs, /)", Fn: groupDerive, Doc: "Return a group of the same message with other exceptions."},
	{Sig: "__class_getitem__(cls, item, /)", Fn: classGetItem, Flags: lang.DefClassMethod},
}

func groupDerive(th *Thread, a []Value) (Value, error) {
	return th.Call(lang.BaseExceptionGroup.Value(), []Value{dataAt(exc(a[0]), 0), a[1]})
}

func groupSplit(th *Thread, a []Value) (Value, error) {
	yes, no, err := SplitGroup(th, exc(a[0]), a[1])
	if err != nil {
		return fail(err)
	}
	return lang.NewTuple(orNone(yes), orNone(no)), nil
}

func groupSubgroup(th *Thread, a []Value) (Value, error) {
	yes, _, err := SplitGroup(th, exc(a[0]), a[1])
	return orNone(yes), err
}

// SplitGroup parts e into what meets the condition (a class, a tuple of classes
// or a callable) and the rest; either may be nil.
func SplitGroup(th *Thread, e *lang.Exception, cond Value) (yes, no *lang.Exception, err error) {
	match, err := meets(th, e, cond)
	if err != nil {
		return nil, nil, err
	}
	if match {
		return e, nil, nil
	}
	if !e.IsA(lang.BaseExceptionGroup) {
		return nil, e, nil
	}
	if err := th.Enter(""); err != nil {
		return nil, nil, err
	}
	defer th.Leave()
	var ys, ns []Value
	for _, x := range groupItems(e) {
		y, n, err := SplitGroup(th, exc(x.Value()), cond)
		if err != nil {
			return nil, nil, err
		}
		if y != nil {
			ys = append(ys, y.Value())
		}
		if n != nil {
			ns = append(ns, n.Value())
		}
	}
	if yes, err = th.DeriveGroup(e, ys); err == nil {
		no, err = th.DeriveGroup(e, ns)
	}
	return yes, no, err
}

func meets(th *Thread, e *lang.Exception, cond Value) (bool, error) {
	_, isClass := lang.AsClass(cond)
	_, isTuple := lang.AsTuple(cond)
	if isClass || isTuple {
		return th.IsInstanceOf(e.Value(), cond)
	}
	r, err := th.Call(cond, []Value{e.Value()})
	if err != nil {
		return false, err
	}
	return lang.Truth(th, r)
}

func installGroups() {
	lang.DefineMethods(lang.BaseExceptionGroup, groupRows)
	for _, c := range []*lang.Class{lang.BaseExceptionGroup, lang.ExceptionGroup} {
		c.New, c.Str = &groupNew, groupStr
	}
}
