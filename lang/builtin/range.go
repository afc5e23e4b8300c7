package builtin

import (
	"math/big"

	"github.com/tfs-lang/tfs/lang"
)

var rangeRows = []lang.Def{
	{Sig: "count(self, value, /)", Fn: rangeCount, Doc: "Return how many items are equal to value."},
	{Sig: "index(self, value, /)", Fn: rangeIndex, Doc: "Return the position of value."},
	{Sig: "start", Fn: rangeField(0), Flags: lang.DefProperty},
	{Sig: "stop", Fn: rangeField(1), Flags: lang.DefProperty},
	{Sig: "step", Fn: rangeField(2), Flags: lang.DefProperty},
	{Sig: "__reversed__(self, /)", Fn: rangeReversed, Doc: "Return an iterator from the last item to the first."},
	{Sig: "__reduce__(self, /)", Fn: rangeReduce},
}

var rangeNew = lang.Def{Sig: "__new__(cls, start, stop=..., step=..., /)", Fn: newRange}

func newRange(th *Thread, a []Value) (Value, error) {
	start, stop, step := a[1], a[2], lang.Int(1)
	if stop.IsUnbound() {
		start, stop = lang.Int(0), a[1]
	}
	if !a[3].IsUnbound() {
		step = a[3]
	}
	if start.IsInt() && stop.IsInt() && step.IsInt() && lang.SmallRange(start.Int64(), stop.Int64(), step.Int64()) {
		return lang.NewRange(start.Int64(), stop.Int64(), step.Int64()).Value(), nil
	}
	var n [3]*big.Int
	for i, p := range []Value{start, stop, step} {
		x, err := lang.Index(th, p)
		if err != nil {
			return fail(err)
		}
		n[i], _ = lang.AsBig(x)
	}
	if n[2].Sign() == 0 {
		return fail(th.ValueErrorf("range() arg 3 must not be zero"))
	}
	return lang.RangeOf(n[0], n[1], n[2]), nil
}

func rangeField(which int) lang.Native {
	return func(th *Thread, a []Value) (Value, error) { return rangeParts(a[0])[which], nil }
}

func rangeParts(v Value) [3]Value {
	r, _ := lang.AsRange(v)
	if b := r.Big; b != nil {
		return [3]Value{b.Start, b.Stop, b.Step}
	}
	return [3]Value{lang.Int(r.Start), lang.Int(r.Stop), lang.Int(r.Step)}
}

func rangeReduce(th *Thread, a []Value) (Value, error) {
	p := rangeParts(a[0])
	return lang.NewTuple(lang.RangeClass.Value(), lang.NewTuple(p[:]...)), nil
}

func rangeCount(th *Thread, a []Value) (Value, error) {
	if isExactInt(a[1]) {
		in, err := lang.Contains(th, a[0], a[1])
		if in {
			return lang.Int(1), err
		}
		return lang.Int(0), err
	}
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

func isExactInt(v Value) bool {
	c := lang.ClassOf(v)
	return c == lang.IntClass || c == lang.BoolClass
}

func rangeIndex(th *Thread, a []Value) (Value, error) {
	if !isExactInt(a[1]) {
		return rangeSearch(th, a)
	}
	in, err := lang.Contains(th, a[0], a[1])
	if err != nil {
		return fail(err)
	}
	if !in {
		s, _ := lang.Repr(th, a[1])
		return fail(th.ValueErrorf("%s is not in range", s))
	}
	p := rangeParts(a[0])
	start, _ := lang.AsBig(p[0])
	step, _ := lang.AsBig(p[2])
	x, _ := lang.AsBig(a[1])
	d := new(big.Int).Sub(x, start)
	return lang.BigInt(d.Quo(d, step)), nil
}

func rangeSearch(th *Thread, a []Value) (Value, error) {
	i, at := int64(0), int64(-1)
	err := each(th, a[0], func(x Value) error {
		eq, err := lang.Same(th, x, a[1])
		if eq {
			at = i
			return errStop
		}
		i++
		return err
	})
	if err == nil && at < 0 {
		err = th.ValueErrorf("sequence.index(x): x not in sequence")
	}
	return lang.Int(at), err
}

func rangeReversed(th *Thread, a []Value) (Value, error) {
	back, err := lang.GetItem(th, a[0], lang.NewSlice(none, none, lang.Int(-1)))
	if err != nil {
		return fail(err)
	}
	return lang.Iter(th, back)
}

var sliceRows = []lang.Def{
	{Sig: "indices(self, length, /)", Fn: sliceIndices, Doc: "Return (start, stop, step) for a sequence of some length."},
	{Sig: "start", Fn: sliceField(0), Flags: lang.DefProperty},
	{Sig: "stop", Fn: sliceField(1), Flags: lang.DefProperty},
	{Sig: "step", Fn: sliceField(2), Flags: lang.DefProperty},
	{Sig: "__reduce__(self, /)", Fn: sliceReduce},
}

var sliceNew = lang.Def{Sig: "__new__(cls, start, stop=..., step=None, /)", Fn: newSlice}

func newSlice(th *Thread, a []Value) (Value, error) {
	if a[2].IsUnbound() {
		return lang.NewSlice(none, a[1], none), nil
	}
	return lang.NewSlice(a[1], a[2], a[3]), nil
}

func sliceParts(v Value) [3]Value {
	s, _ := lang.AsSlice(v)
	return [3]Value{s.Start, s.Stop, s.Step}
}

func sliceField(which int) lang.Native {
	return func(th *Thread, a []Value) (Value, error) { return sliceParts(a[0])[which], nil }
}

func sliceReduce(th *Thread, a []Value) (Value, error) {
	p := sliceParts(a[0])
	return lang.NewTuple(lang.SliceClass.Value(), lang.NewTuple(p[:]...)), nil
}

func sliceIndices(th *Thread, a []Value) (Value, error) {
	n, ok, err := indexBig(th, a[1])
	if err != nil {
		return fail(err)
	}
	if !ok {
		return fail(th.TypeErrorf("'%s' object cannot be interpreted as an integer", lang.TypeName(a[1])))
	}
	if n.Sign() < 0 {
		return fail(th.ValueErrorf("length should not be negative"))
	}
	s, _ := lang.AsSlice(a[0])
	start, stop, step, err := s.BigIndices(th, n)
	if err != nil {
		return fail(err)
	}
	return lang.NewTuple(lang.BigInt(start), lang.BigInt(stop), lang.BigInt(step)), nil
}
