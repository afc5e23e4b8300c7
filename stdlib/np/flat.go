package np

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// flat is a.flat: the elements in C order, for reading and writing.
type flat struct {
	value.Header
	a *ndarray.Array
	i int
}

var flatClass = lang.NewBuiltinClass("flatiter", "numpy", value.KindIter)

func newFlat(a *ndarray.Array) Value {
	f := &flat{Header: value.Header{Type: &flatClass.Type, Kind: value.KindIter}, a: a}
	return value.Of(&f.Header)
}

// place is the position of element k in C order.
func (f *flat) place(k int) int {
	pos, dims := f.a.Offset(), f.a.Dims()
	for i := len(dims) - 1; i >= 0; i-- {
		pos += k % dims[i] * f.a.Strides()[i]
		k /= dims[i]
	}
	return pos
}

func flatRows() []lang.Def {
	return []lang.Def{
		{Sig: "copy(self)", Fn: func(_ *lang.Thread, a []Value) (Value, error) { return (*flat)(a[0].P).a.Ravel().Copy().Value(), nil }},
		{Sig: "base(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []Value) (Value, error) { return (*flat)(a[0].P).a.Value(), nil }},
	}
}

func init() {
	c := flatClass
	c.Iter = func(_ *lang.Thread, v Value) (Value, error) { return newFlat((*flat)(v.P).a), nil }
	c.Next = func(_ *lang.Thread, v Value) (Value, bool, error) {
		f := (*flat)(v.P)
		if f.i >= f.a.Len() {
			return lang.Unbound, false, nil
		}
		x := scalarAt(f.a, f.place(f.i))
		f.i++
		return x, true, nil
	}
	c.Len = func(_ *lang.Thread, v Value) (int, error) { return (*flat)(v.P).a.Len(), nil }
	c.GetItem = func(th *lang.Thread, v, key Value) (Value, error) {
		return arrayGetItem(th, (*flat)(v.P).a.Ravel().Value(), key)
	}
	c.SetItem = func(th *lang.Thread, v, key, x Value) error {
		a := (*flat)(v.P).a
		r := a.Ravel().Copy()
		if err := arraySetItem(th, r.Value(), key, x); err != nil {
			return err
		}
		s := of(th)
		back, err := r.Reshape(a.Dims()...)
		if err == nil {
			err = s.c.CopyTo(a, back)
		}
		return s.err(err)
	}
}

// flagsObject is a.flags.
type flagsObject struct {
	value.Header
	a *ndarray.Array
}

var flagsClass = lang.NewBuiltinClass("flagsobj", "numpy._core.multiarray", value.KindOther)

func newFlags(a *ndarray.Array) Value {
	f := &flagsObject{value.Header{Type: &flagsClass.Type, Kind: value.KindOther}, a}
	return value.Of(&f.Header)
}

func flagOf(a *ndarray.Array, name string) (bool, bool) {
	switch name {
	case "c_contiguous", "C_CONTIGUOUS", "C", "contiguous":
		return a.Dense(), true
	case "f_contiguous", "F_CONTIGUOUS", "F", "fortran":
		return a.DenseF(), true
	case "owndata", "OWNDATA", "O":
		return a.OwnsData(), true
	case "writeable", "WRITEABLE", "W":
		return !a.ReadOnly, true
	case "aligned", "ALIGNED", "A":
		return true, true
	case "writebackifcopy", "WRITEBACKIFCOPY", "X":
		return false, true
	}
	return false, false
}

func flagRows() []lang.Def {
	var out []lang.Def
	for _, n := range []string{"c_contiguous", "f_contiguous", "contiguous", "owndata", "aligned", "writebackifcopy", "writeable"} {
		out = append(out, lang.Def{Sig: n + "(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []Value) (Value, error) {
			b, _ := flagOf((*flagsObject)(a[0].P).a, n)
			return lang.Bool(b), nil
		}})
	}
	out[len(out)-1].Set = setWriteable
	return out
}

func setWriteable(th *lang.Thread, v, x Value) error {
	t, err := lang.Truth(th, x)
	if err != nil {
		return err
	}
	a := (*flagsObject)(v.P).a
	if t && a.Base() != nil && a.Base().ReadOnly {
		return th.ValueErrorf("cannot set WRITEABLE flag to True of this array")
	}
	a.ReadOnly = !t
	return nil
}

func init() {
	c := flagsClass
	c.GetItem = func(th *lang.Thread, v, key Value) (Value, error) {
		if s, ok := lang.AsStr(key); ok {
			if b, ok := flagOf((*flagsObject)(v.P).a, s.String()); ok {
				return lang.Bool(b), nil
			}
		}
		return lang.Unbound, th.Raise(lang.KeyError, "Unknown flag")
	}
	c.Repr = func(_ *lang.Thread, v Value) (Value, error) {
		a := (*flagsObject)(v.P).a
		text := ""
		for _, n := range []string{"C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED", "WRITEBACKIFCOPY"} {
			b, _ := flagOf(a, n)
			text += "  " + n + " : " + boolName(b) + "\n"
		}
		return lang.NewStr(text), nil
	}
	c.Str = c.Repr
}
