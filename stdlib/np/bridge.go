package np

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/stdlib/py"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// Tensors become arrays and arrays tensors through the hooks of package bridge.
func init() {
	ndarray.Exact, ndarray.ExactPow = py.Exact, py.ExactPow
	bridge.NumPyScalar = func(st *bridge.State, t *tensor.Tensor) (Value, error) {
		a := of(st.Th).fromTensor(t)
		return scalarAt(a, a.Offset()), nil
	}
	bridge.NumPyArray = func(st *bridge.State, t *tensor.Tensor) (Value, error) {
		return of(st.Th).fromTensor(t).Value(), nil
	}
	bridge.NumPyClassOf = func(dt tensor.DType) Value {
		if dt == tensor.String {
			return ObjectClass.Value()
		}
		return classOf(ndarray.DType{K: dt}).Value()
	}
	bridge.NumPyDTypeOf = tensorType
	bridge.NumPyTensor = toTensor
	bridge.NumPyRows = rows
	bridge.NumPyType = arrayType
	bridge.NumPyItem = func(v Value) (Value, tensor.DType, bool) {
		a, ok := scalarArray(v)
		if !ok {
			return v, tensor.Invalid, false
		}
		dt, _ := elementType(a.DT)
		return itemAt(a, a.Offset()), dt, true
	}
}

// tensorType is the tensor dtype that a NumPy dtype or scalar class stands for.
func tensorType(v Value) (tensor.DType, bool) {
	if d, ok := asDType(v); ok {
		return elementType(d.dt)
	}
	if c, ok := lang.AsClass(v); ok {
		if dt, ok := typeOf(c); ok {
			return elementType(dt)
		}
	}
	return tensor.Invalid, false
}

func elementType(dt ndarray.DType) (tensor.DType, bool) {
	if dt.IsNumber() {
		return dt.K, true
	}
	return tensor.String, true
}

// arrayOrScalar is v as an array if it is NumPy's.
func arrayOrScalar(v Value) (*ndarray.Array, bool) {
	if isArray(v) {
		return ndarray.Of(v), true
	}
	if v.P == nil || v.Kind() != value.KindOther && v.Kind() != value.KindInstance {
		return nil, false
	}
	return scalarArray(v)
}

// arrayType is the tensor dtype and the shape of an array or scalar.
func arrayType(v Value) (tensor.DType, tensor.Shape, bool) {
	a, ok := arrayOrScalar(v)
	if !ok {
		return tensor.Invalid, tensor.Shape{}, false
	}
	dt, _ := elementType(a.DT)
	return dt, tensor.ShapeOf(a.Dims()...), true
}

// toTensor makes a tensor of an array or scalar, cast unsafely to dt unless that
// is Invalid.
func toTensor(th *lang.Thread, v Value, dt tensor.DType) (*tensor.Tensor, bool, error) {
	a, ok := arrayOrScalar(v)
	if !ok {
		return nil, false, nil
	}
	s := of(th)
	if !a.DT.IsNumber() {
		t, err := s.stringTensor(a, dt)
		return t, true, err
	}
	if dt != tensor.Invalid && dt != a.DT.K && dt != tensor.String {
		b, err := s.c.Cast(a, ndarray.DType{K: dt})
		if err != nil {
			return nil, true, s.err(err)
		}
		a = b
	}
	return a.Tensor(), true, nil
}

// stringTensor makes a tensor of text, bytes, or objects: of strings, or of what
// the objects convert to.
func (s *state) stringTensor(a *ndarray.Array, dt tensor.DType) (*tensor.Tensor, error) {
	if a.DT.K == ndarray.Object && !s.holdsText(a) {
		b, err := s.toArray(toList(a), nil)
		if err != nil {
			return nil, err
		}
		if !b.DT.IsNumber() {
			return nil, s.th.ValueErrorf("Failed to convert a NumPy array to a Tensor (Unsupported object type %s).", lang.TypeName(a.Object(a.Offset())))
		}
		if dt != tensor.Invalid {
			if b, err = s.c.Cast(b, ndarray.DType{K: dt}); err != nil {
				return nil, s.err(err)
			}
		}
		return b.Tensor(), nil
	}
	var vals []string
	a.Each(func(pos int) {
		if a.DT.K == ndarray.Object {
			t, ok := lang.BytesOf(a.Object(pos))
			if !ok {
				t = s.Text(a.Object(pos))
			}
			vals = append(vals, t)
			return
		}
		vals = append(vals, a.TextAt(pos))
	})
	return tensor.FromStrings(vals, a.Dims()...), nil
}

// holdsText reports an object array of str and bytes.
func (s *state) holdsText(a *ndarray.Array) bool {
	all := true
	a.Each(func(pos int) {
		k := lang.Payload(a.Object(pos)).Kind()
		all = all && (k == value.KindStr || k == value.KindBytes)
	})
	return all
}

// rows are the items of an array as a sequence.
func rows(v Value) ([]Value, bool) {
	if !isArray(v) || ndarray.Of(v).Rank() == 0 {
		return nil, false
	}
	a := ndarray.Of(v)
	out := make([]Value, a.Dims()[0])
	for i := range out {
		out[i] = elementOrRow(a, i)
	}
	return out, true
}
