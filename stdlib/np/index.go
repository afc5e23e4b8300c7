package np

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// index reads an index expression.
func (s *state) index(key Value) ([]ndarray.Index, error) {
	if t, ok := lang.AsTuple(key); ok {
		out := make([]ndarray.Index, 0, t.Len())
		for i := range t.Len() {
			x, err := s.indexOne(t.At(i))
			if err != nil {
				return nil, err
			}
			out = append(out, x)
		}
		return out, nil
	}
	x, err := s.indexOne(key)
	return []ndarray.Index{x}, err
}

func (s *state) indexOne(v Value) (ndarray.Index, error) {
	switch {
	case v.IsInt():
		return ndarray.Index{Kind: ndarray.IndexInt, I: int(v.Int64())}, nil
	case v.IsNone():
		return ndarray.Index{Kind: ndarray.IndexNew}, nil
	case v == lang.Ellipsis:
		return ndarray.Index{Kind: ndarray.IndexEllipsis}, nil
	case v.IsBool():
		return ndarray.Index{Kind: ndarray.IndexArray, Array: ndarray.FromBool(v.Truth())}, nil
	}
	if sl, ok := lang.AsSlice(v); ok {
		return ndarray.Index{Kind: ndarray.IndexSlice, Slice: func(n int) (start, step, count int, err error) {
			start, _, step, count, err = sl.Indices(s.th, n)
			return start, step, count, err
		}}, nil
	}
	if a, ok, err := s.arrayLike(v); err != nil {
		return ndarray.Index{}, err
	} else if ok {
		return s.indexArray(a)
	}
	if _, ok := sequence(v); ok {
		a, err := s.asArray(v)
		if err != nil {
			return ndarray.Index{}, err
		}
		return s.indexArray(a)
	}
	if v.Kind() != value.KindStr && lang.HasIndex(v) {
		i, err := lang.IndexInt(s.th, v, lang.IndexError)
		return ndarray.Index{Kind: ndarray.IndexInt, I: i}, err
	}
	return ndarray.Index{}, s.badIndex()
}

func (s *state) badIndex() error {
	return s.th.Raise(lang.IndexError, "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices")
}

// indexArray: an integer array of rank 0 is a plain integer.
func (s *state) indexArray(a *ndarray.Array) (ndarray.Index, error) {
	switch {
	case a.Rank() == 0 && a.DT.IsInt():
		return ndarray.Index{Kind: ndarray.IndexInt, I: int(a.IntAt(a.Offset()))}, nil
	case a.Rank() == 0 && a.DT != ndarray.Bool, a.DT.IsText():
		return ndarray.Index{}, s.badIndex()
	}
	return ndarray.Index{Kind: ndarray.IndexArray, Array: a}, nil
}

func arrayGetItem(th *lang.Thread, v, key Value) (Value, error) {
	a := ndarray.Of(v)
	if key.IsInt() && a.Rank() > 0 { // the common case
		i, n := int(key.Int64()), a.Dims()[0]
		if i >= -n && i < n {
			if i < 0 {
				i += n
			}
			if a.Rank() == 1 {
				return scalarAt(a, a.Offset()+i*a.Strides()[0]), nil
			}
			return a.Row(i).Value(), nil
		}
	}
	if sl, ok := lang.AsSlice(key); ok && a.Rank() > 0 {
		start, _, step, count, err := sl.Indices(th, a.Dims()[0])
		if err != nil {
			return lang.Unbound, err
		}
		return a.Sliced(start, step, count).Value(), nil
	}
	s := of(th)
	if _, ok := lang.AsStr(key); ok {
		return lang.Unbound, s.badIndex()
	}
	idx, err := s.index(key)
	if err != nil {
		return lang.Unbound, err
	}
	r, scalar, err := a.Get(idx)
	switch {
	case err != nil:
		return lang.Unbound, s.err(err)
	case scalar:
		return scalarAt(r, r.Offset()), nil
	}
	return r.Value(), nil
}

func arraySetItem(th *lang.Thread, v, key, x Value) error {
	a := ndarray.Of(v)
	s := of(th)
	if key.IsInt() && a.Rank() == 1 && !a.ReadOnly {
		i, n := int(key.Int64()), a.Dims()[0]
		if i >= -n && i < n {
			if i < 0 {
				i += n
			}
			return s.Store(a, a.Offset()+i*a.Strides()[0], x)
		}
	}
	idx, err := s.index(key)
	if err != nil {
		return err
	}
	src, err := s.valueFor(a, idx, x)
	if err != nil {
		return err
	}
	return s.err(s.c.Set(a, idx, src))
}

// valueFor is the right side of an item assignment. Python objects take the
// array's type at once, so that 300 does not fit uint8.
func (s *state) valueFor(a *ndarray.Array, idx []ndarray.Index, x Value) (*ndarray.Array, error) {
	src, ok, err := s.arrayLike(x)
	if ok || err != nil {
		return src, err
	}
	if a.DT.K == ndarray.Object {
		if _, seq := sequence(x); !seq {
			o := ndarray.New(ndarray.Objects)
			o.SetObject(0, x)
			return o, nil
		}
		return s.toArray(x, &ndarray.Objects)
	}
	if a.DT.IsText() {
		return s.asArray(x)
	}
	if _, seq := sequence(x); seq {
		if r, scalar, err := a.Get(idx); err == nil && scalar && r.Rank() == 0 {
			one := ndarray.New(a.DT)
			return one, s.Store(one, 0, x)
		}
	}
	return s.toArray(x, &a.DT)
}
