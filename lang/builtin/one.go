package builtin

import (
	"math"

	"github.com/tfs-lang/tfs/lang"
)

// Calls of built-in classes with one argument.

func oneStr(th *Thread, x Value) (Value, error) {
	s, err := lang.StrValue(th, x)
	if err != nil {
		return fail(err)
	}
	return s.Value(), nil
}

func oneBool(th *Thread, x Value) (Value, error) {
	t, err := lang.Truth(th, x)
	return lang.Bool(t), err
}

func oneFloat(th *Thread, x Value) (Value, error) {
	if x.IsFloat() {
		return x, nil
	}
	f, err := toFloat(th, x)
	if f != f {
		return lang.NewNaN(math.Signbit(f)), err
	}
	return lang.Float(f), err
}

func oneList(th *Thread, x Value) (Value, error) {
	items, err := lang.ToSlice(th, x)
	if err != nil {
		return fail(err)
	}
	return lang.ListOf(items).Value(), nil
}

func oneTuple(th *Thread, x Value) (Value, error) {
	if lang.ClassOf(x) == lang.TupleClass {
		return x, nil
	}
	items, err := lang.ToSlice(th, x)
	if err != nil {
		return fail(err)
	}
	return lang.TupleOf(items).Value(), nil
}

func oneSet(th *Thread, x Value) (Value, error) {
	s := lang.NewSet()
	return s.Value(), addAll(th, s, x)
}

func oneRange(th *Thread, x Value) (Value, error) {
	if x.IsInt() && lang.SmallRange(0, x.Int64(), 1) {
		return lang.NewRange(0, x.Int64(), 1).Value(), nil
	}
	return newRange(th, []Value{lang.RangeClass.Value(), x, lang.Unbound, lang.Unbound})
}

func oneType(th *Thread, x Value) (Value, error) { return lang.ClassOf(x).Value(), nil }
