package builtin

import (
	"strconv"

	"github.com/tfs-lang/tfs/lang"
)

func itoa(i int) string { return strconv.Itoa(i) }

func fnSum(th *Thread, a []Value) (Value, error) {
	acc := a[1]
	if _, ok := lang.AsStr(acc); ok {
		return fail(th.TypeErrorf("sum() can't sum strings [use ''.join(seq) instead]"))
	}
	if _, ok := lang.AsBytes(acc); ok {
		return fail(th.TypeErrorf("sum() can't sum bytes [use b''.join(seq) instead]"))
	}
	if _, ok := lang.AsByteArray(acc); ok {
		return fail(th.TypeErrorf("sum() can't sum bytearray [use b''.join(seq) instead]"))
	}
	it, err := lang.Iterate(th, a[0])
	if err != nil {
		return fail(err)
	}
	if acc.IsInt() {
		if acc, err = it.SumInts(th, acc); err != nil {
			return fail(err)
		}
	}
	for {
		x, ok, err := it.Next(th)
		if err != nil || !ok {
			return acc, err
		}
		if acc, err = addTo(th, acc, x); err != nil {
			return fail(err)
		}
	}
}

// addTo is acc + x, quickly for small ints and floats.
func addTo(th *Thread, acc, x Value) (Value, error) {
	if x.IsBool() {
		x = lang.Int(int64(x.N))
	}
	switch {
	case acc.IsInt() && x.IsInt():
		i, j := acc.Int64(), x.Int64()
		if s := i + j; (s > i) == (j > 0) {
			return lang.Int(s), nil
		}
	case acc.IsFloat() && x.IsFloat():
		return lang.Float(acc.Float64() + x.Float64()), nil
	}
	return lang.BinaryOperation(th, lang.OpAdd, acc, x)
}

func fnMin(th *Thread, a []Value) (Value, error) { return extreme(th, "min", lang.LT, a) }
func fnMax(th *Thread, a []Value) (Value, error) { return extreme(th, "max", lang.GT, a) }

func minOfTwo(th *Thread, x, y Value) (Value, error) { return betterOf(th, lang.LT, x, y) }
func maxOfTwo(th *Thread, x, y Value) (Value, error) { return betterOf(th, lang.GT, x, y) }

// betterOf is y when `y op x`, else x.
func betterOf(th *Thread, op lang.CompareOp, x, y Value) (Value, error) {
	better, err := lang.CompareBool(th, op, y, x)
	if better {
		return y, err
	}
	return x, err
}

// extreme is min or max of the slots key, default, *args.
func extreme(th *Thread, name string, op lang.CompareOp, a []Value) (Value, error) {
	key, def := a[0], a[1]
	args, _ := lang.AsTuple(a[2])
	src := args.Value()
	switch args.Len() {
	case 0:
		return fail(th.TypeErrorf("%s expected at least 1 argument, got 0", name))
	case 1:
		src = args.At(0)
	default:
		if !def.IsUnbound() {
			return fail(th.TypeErrorf("Cannot specify a default for %s() with multiple positional arguments", name))
		}
	}
	it, err := lang.Iterate(th, src)
	if err != nil {
		return fail(err)
	}
	best, bestKey := lang.Unbound, lang.Unbound
	for {
		x, ok, err := it.Next(th)
		if err != nil {
			return fail(err)
		}
		if !ok {
			break
		}
		k := x
		if !key.IsNone() {
			if k, err = th.Call(key, []Value{x}); err != nil {
				return fail(err)
			}
		}
		better := best.IsUnbound()
		if !better {
			if better, err = lang.CompareBool(th, op, k, bestKey); err != nil {
				return fail(err)
			}
		}
		if better {
			best, bestKey = x.Held().Value(), k.Held().Value()
		}
	}
	if best.IsUnbound() {
		if def.IsUnbound() {
			return fail(th.ValueErrorf("%s() arg is an empty sequence", name))
		}
		return def, nil
	}
	return best, nil
}

func fnSorted(th *Thread, a []Value) (Value, error) {
	rev, err := truthArg(th, a[2])
	if err != nil {
		return fail(err)
	}
	items, err := lang.ToSlice(th, a[0])
	if err != nil {
		return fail(err)
	}
	if err := sortItems(th, items, a[1], rev); err != nil {
		return fail(err)
	}
	return lang.ListOf(items).Value(), nil
}

func fnLen(th *Thread, a []Value) (Value, error) {
	n, err := lang.Len(th, a[0])
	if err != nil && lang.Matches(err, lang.OverflowError) {
		if _, ok := lang.AsRange(a[0]); ok {
			err = th.Raise(lang.OverflowError, "Python int too large to convert to C ssize_t")
		}
	}
	return lang.Int(int64(n)), err
}
