package bridge

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/format"
)

// scalarNumber is the element of a tensor of rank 0 as a Python object.
func scalarNumber(th *lang.Thread, t *tensor.Tensor) (lang.Value, error) {
	if t.Rank() != 0 {
		return lang.Unbound, th.TypeErrorf("only 0-dimensional arrays can be converted to Python scalars")
	}
	return PyItem(t, 0), nil
}

func eagerInt(th *lang.Thread, v lang.Value) (lang.Value, error) {
	x, err := scalarNumber(th, tensor.Of(v))
	if err != nil {
		return lang.Unbound, err
	}
	return th.Call(lang.IntClass.Value(), []lang.Value{x})
}

func eagerFloat(th *lang.Thread, v lang.Value) (float64, error) {
	x, err := scalarNumber(th, tensor.Of(v))
	if err != nil {
		return 0, err
	}
	f, err := th.Call(lang.FloatClass.Value(), []lang.Value{x})
	if err != nil {
		return 0, err
	}
	return lang.FloatOf(th, f)
}

func eagerComplex(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	x, err := scalarNumber(th, tensor.Of(a[0]))
	if err != nil {
		return lang.Unbound, err
	}
	return th.Call(lang.ComplexClass.Value(), []lang.Value{x})
}

// eagerIndex lets integer scalars stand where Python wants an index.
func eagerIndex(th *lang.Thread, v lang.Value) (lang.Value, error) {
	t := tensor.Of(v)
	switch {
	case !t.DType().IsInteger():
		name := "numpy." + t.DType().Name()
		if t.DType() == tensor.String {
			name = "bytes"
		}
		if t.Rank() != 0 {
			name = "numpy.ndarray"
		}
		return lang.Unbound, th.Raise(lang.AttributeError, "'%s' object has no attribute '__index__'", name)
	case t.Rank() != 0:
		return lang.Unbound, th.TypeErrorf("only integer scalar arrays can be converted to a scalar index")
	}
	return PyItem(t, 0), nil
}

// symNumber refuses a number for a symbol.
func symNumber(what string) func(*lang.Thread, lang.Value) (lang.Value, error) {
	return func(th *lang.Thread, v lang.Value) (lang.Value, error) {
		if what == "__index__" {
			return lang.Unbound, th.TypeErrorf("'SymbolicTensor' object cannot be interpreted as an integer")
		}
		return lang.Unbound, th.TypeErrorf("int() argument must be a string, a bytes-like object or a real number, not 'SymbolicTensor'")
	}
}

func symFloat(th *lang.Thread, v lang.Value) (float64, error) {
	return 0, th.TypeErrorf("float() argument must be a string or a real number, not 'SymbolicTensor'")
}

// NumPyScalar and NumPyArray make what .numpy() returns; stdlib/np's package
// sets them with its arrays.
var (
	NumPyScalar func(st *State, t *tensor.Tensor) (lang.Value, error) = plainScalar
	NumPyArray  func(st *State, t *tensor.Tensor) (lang.Value, error)
)

func plainScalar(_ *State, t *tensor.Tensor) (lang.Value, error) { return PyItem(t, 0), nil }

// NumPy is t.numpy(): a NumPy scalar, bytes for a string, or an array that holds
// a copy.
func (st *State) NumPy(t *tensor.Tensor) (lang.Value, error) {
	switch {
	case t.Rank() == 0 && t.DType() == tensor.String:
		return lang.NewBytes(string(t.Str(0))), nil
	case t.Rank() == 0:
		return NumPyScalar(st, t)
	case NumPyArray == nil:
		return lang.Unbound, st.Th.Raise(lang.NotImplementedError, "arrays are not there yet: %s", format.Shape(t.Dims()))
	}
	return NumPyArray(st, t)
}

// Ref is tensor.ref(): a tensor or variable by identity.
type Ref struct {
	value.Header
	of lang.Held
}

// RefClass is the class of references.
var RefClass = lang.NewPythonClass("Reference", "tensorflow.python.util.object_identity", value.KindOther)

// NewRef makes the reference of v.
func NewRef(v lang.Value) lang.Value {
	r := &Ref{value.Header{Type: &RefClass.Type, Kind: value.KindOther}, v.Held()}
	return value.Of(&r.Header)
}

func init() {
	c := RefClass
	c.Hash = func(_ *lang.Thread, v lang.Value) (int64, error) { return lang.HashIdentity(refTarget(v)), nil }
	c.Compare = func(_ *lang.Thread, op lang.CompareOp, a, b lang.Value) (lang.Value, error) {
		if lang.ClassOf(a) != RefClass || lang.ClassOf(b) != RefClass || op != lang.EQ && op != lang.NE {
			return lang.NotImplemented, nil
		}
		return lang.Bool(refTarget(a).Is(refTarget(b)) == (op == lang.EQ)), nil
	}
	c.Repr = func(th *lang.Thread, v lang.Value) (lang.Value, error) {
		s, err := lang.Repr(th, refTarget(v))
		return lang.NewStr("<Reference wrapping " + s + ">"), err
	}
	lang.DefineMethods(c, []lang.Def{{Sig: "deref(self)", Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) { return refTarget(a[0]), nil }}})
}

func refTarget(v lang.Value) lang.Value { return (*Ref)(v.P).of.Value() }
