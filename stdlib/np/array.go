package np

import (
	"strings"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor/format"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// ArrayClass is np.ndarray.
var ArrayClass = lang.NewBuiltinClass("ndarray", "numpy", value.KindArray)

// arrayIter walks the first axis.
type arrayIter struct {
	value.Header
	a *ndarray.Array
	i int
}

var arrayIterClass = lang.NewBuiltinClass("iterator", "builtins", value.KindIter)

func init() {
	ndarray.ArrayType = &ArrayClass.Type
	c := ArrayClass
	c.Flags |= lang.ClassUnhashable
	c.Repr, c.Str = arrayRepr, arrayStr
	c.Size = func(v Value) int { return ndarray.Of(v).Held() }
	c.Truth, c.Len, c.Iter = arrayTruth, arrayLen, arrayIterate
	c.GetItem, c.SetItem, c.Contains = arrayGetItem, arraySetItem, arrayContains
	c.Binary, c.InPlace, c.Unary, c.Compare = binary, inPlace, unary, compare
	c.Index, c.Int, c.Float, c.Format = arrayIndex, arrayInt, arrayFloat, arrayFormat
	c.New = &lang.Def{Sig: "__new__(cls, shape, dtype=None, buffer=None, offset=0, strides=None, order=None)", Fn: func(th *lang.Thread, a []Value) (Value, error) {
		return zeros(th, a[1:])
	}}
	arrayIterClass.Iter = func(_ *lang.Thread, v Value) (Value, error) { return v, nil }
	arrayIterClass.Next = func(_ *lang.Thread, v Value) (Value, bool, error) {
		it := (*arrayIter)(v.P)
		if it.i >= it.a.Dims()[0] {
			return lang.Unbound, false, nil
		}
		x := elementOrRow(it.a, it.i)
		it.i++
		return x, true, nil
	}
}

// elementOrRow is a[i].
func elementOrRow(a *ndarray.Array, i int) Value {
	if a.Rank() == 1 {
		return scalarAt(a, a.Offset()+i*a.Strides()[0])
	}
	return a.Row(i).Value()
}

func arrayRepr(th *lang.Thread, v Value) (Value, error) {
	s := of(th)
	return lang.NewStr(format.Repr(s.format(ndarray.Of(v)), s.print)), nil
}

func arrayStr(th *lang.Thread, v Value) (Value, error) {
	s := of(th)
	a := ndarray.Of(v)
	if a.Rank() == 0 {
		t, err := lang.StrOf(th, scalarAt(a, a.Offset()))
		return lang.NewStr(t), err
	}
	return lang.NewStr(format.Str(s.format(a), s.print)), nil
}

func (s *state) format(a *ndarray.Array) format.Array {
	f := a.Format(func(v Value) string {
		if _, ok := lang.AsList(v); ok {
			return "list(" + s.repr(v) + ")"
		}
		return s.repr(v)
	})
	if c := lang.ClassOf(a.Value()); c != ArrayClass {
		f.Class = c.Name
	}
	return f
}

func arrayTruth(th *lang.Thread, v Value) (bool, error) {
	a := ndarray.Of(v)
	switch a.Len() {
	case 1:
		return lang.Truth(th, itemAt(a, a.Offset()))
	case 0:
		return false, th.ValueErrorf("The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty.")
	}
	return false, th.ValueErrorf("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
}

func arrayLen(th *lang.Thread, v Value) (int, error) {
	a := ndarray.Of(v)
	if a.Rank() == 0 {
		return 0, th.TypeErrorf("len() of unsized object")
	}
	return a.Dims()[0], nil
}

func arrayIterate(th *lang.Thread, v Value) (Value, error) {
	a := ndarray.Of(v)
	if a.Rank() == 0 {
		return lang.Unbound, th.TypeErrorf("iteration over a 0-d array")
	}
	it := &arrayIter{Header: value.Header{Type: &arrayIterClass.Type, Kind: value.KindIter}, a: a}
	return value.Of(&it.Header), nil
}

func arrayContains(th *lang.Thread, v, x Value) (bool, error) {
	r, err := compare(th, lang.EQ, v, x)
	if err != nil || r.IsNotImplemented() {
		return false, err
	}
	s := of(th)
	a, err := s.asArray(r)
	if err != nil {
		return false, err
	}
	any, err := s.c.Reduce(ndarray.Func("logical_or"), a, ndarray.AllAxes())
	if err != nil {
		return false, s.err(err)
	}
	return lang.Truth(th, itemAt(any, any.Offset()))
}

// one is the element of an array that int(), float() and index take.
func one(th *lang.Thread, v Value) (Value, error) {
	a := ndarray.Of(v)
	if a.Rank() != 0 {
		return lang.Unbound, th.TypeErrorf("only 0-dimensional arrays can be converted to Python scalars")
	}
	return itemAt(a, a.Offset()), nil
}

func arrayIndex(th *lang.Thread, v Value) (Value, error) {
	a := ndarray.Of(v)
	if a.Rank() != 0 || !a.DT.IsInt() {
		return lang.Unbound, th.TypeErrorf("only integer scalar arrays can be converted to a scalar index")
	}
	return itemAt(a, a.Offset()), nil
}

func arrayInt(th *lang.Thread, v Value) (Value, error) {
	x, err := one(th, v)
	if err != nil {
		return x, err
	}
	return th.Call(lang.IntClass.Value(), []Value{x})
}

func arrayFloat(th *lang.Thread, v Value) (float64, error) {
	x, err := one(th, v)
	if err != nil {
		return 0, err
	}
	return lang.FloatOf(th, x)
}

func arrayFormat(th *lang.Thread, v Value, spec string) (string, error) {
	a := ndarray.Of(v)
	if a.Rank() == 0 {
		return lang.Format(th, itemAt(a, a.Offset()), spec)
	}
	if spec != "" {
		return "", th.TypeErrorf("unsupported format string passed to numpy.ndarray.__format__")
	}
	return lang.StrOf(th, v)
}

var opUFuncs = [...]string{code.OpAdd: "add", code.OpSub: "subtract", code.OpMul: "multiply", code.OpDiv: "divide", code.OpFloorDiv: "floor_divide",
	code.OpMod: "remainder", code.OpPow: "power", code.OpMatMul: "matmul", code.OpLShift: "left_shift", code.OpRShift: "right_shift",
	code.OpAnd: "bitwise_and", code.OpOr: "bitwise_or", code.OpXor: "bitwise_xor", code.OpDivmod: "divmod"}

// quickUFuncs are those with a short way for two arrays.
var quickUFuncs = [...]*ndarray.UFunc{code.OpAdd: ndarray.Func("add"), code.OpSub: ndarray.Func("subtract"), code.OpMul: ndarray.Func("multiply"), code.OpDiv: ndarray.Func("divide")}

// foreign reports an operand that numpy leaves to the other side: tensors,
// variables, symbols, and objects of scripts with no array in them.
func (s *state) foreign(v Value) bool {
	switch v.Kind() {
	case value.KindTensor, value.KindVariable, value.KindSym:
		return true
	case value.KindInstance:
		if !lang.Payload(v).IsUnbound() {
			return false
		}
		_, ok, _ := lang.AttrOr(s.th, v, "__array_ufunc__")
		if !ok {
			_, ok, _ = lang.AttrOr(s.th, v, "__array_priority__")
		}
		return ok
	}
	return false
}

// binary is the operators of arrays and NumPy scalars.
func binary(th *lang.Thread, op lang.BinaryOp, a, b Value, _ uint8) (Value, error) {
	s := of(th)
	if isArray(a) && isArray(b) && op <= code.OpDiv {
		if r, err := s.c.Quick(quickUFuncs[op], ndarray.Of(a), ndarray.Of(b)); r != nil || err != nil {
			return s.value(r, err)
		}
	}
	if s.foreign(a) || s.foreign(b) {
		return lang.NotImplemented, nil
	}
	scalar := !isArray(a) && !isArray(b)
	if scalar {
		if !isNumber(a) || !isNumber(b) {
			if r, done, err := s.scalarWithObject(op, a, b); done {
				return r, err
			}
		}
		if r, ok := s.quickScalar(op, a, b); ok {
			return r, nil
		}
	}
	switch op {
	case code.OpMatMul:
		return s.matmul(a, b)
	case code.OpDivmod:
		return s.divmod(a, b, scalar)
	}
	return s.apply(opUFuncs[op], a, b, ndarray.Options{Scalar: scalar})
}

// apply calls a ufunc of two arguments.
func (s *state) apply(name string, a, b Value, opt ndarray.Options) (Value, error) {
	x, err := s.operand(a)
	if err != nil {
		return lang.Unbound, err
	}
	y, err := s.operand(b)
	if err != nil {
		return lang.Unbound, err
	}
	r, err := s.c.Call(ndarray.Func(name), []ndarray.Operand{x, y}, opt)
	if err == nil && opt.Scalar {
		err = s.intOverflow(name, x, y, r)
	}
	return s.value(r, err)
}

func (s *state) matmul(a, b Value) (Value, error) {
	x, err := s.asArray(a)
	if err != nil {
		return lang.Unbound, err
	}
	y, err := s.asArray(b)
	if err != nil {
		return lang.Unbound, err
	}
	return s.value(s.c.MatMul(x, y))
}

func (s *state) divmod(a, b Value, scalar bool) (Value, error) {
	q, err := s.apply("floor_divide", a, b, ndarray.Options{Scalar: scalar})
	if err != nil {
		return q, err
	}
	r, err := s.apply("remainder", a, b, ndarray.Options{Scalar: scalar})
	return lang.NewTuple(q, r), err
}

// inPlace is a op= b: the result goes into a.
func inPlace(th *lang.Thread, op lang.BinaryOp, a, b Value, _ uint8) (Value, error) {
	s := of(th)
	if !isArray(a) || s.foreign(b) {
		return lang.NotImplemented, nil
	}
	x := ndarray.Of(a)
	if op == code.OpMatMul {
		y, err := s.asArray(b)
		if err != nil {
			return lang.Unbound, err
		}
		r, err := s.c.MatMul(x, y)
		if err == nil {
			err = s.c.Assign(x, r)
		}
		return a, s.err(err)
	}
	y, err := s.operand(b)
	if err != nil {
		return lang.Unbound, err
	}
	_, err = s.c.Call(ndarray.Func(opUFuncs[op]), []ndarray.Operand{{Array: x}, y}, ndarray.Options{Out: x})
	return a, s.err(err)
}

var unaryUFuncs = [...]string{code.OpNeg: "negative", code.OpPos: "positive", code.OpInvert: "invert", code.OpAbs: "absolute"}

func unary(th *lang.Thread, op lang.UnaryOp, v Value) (Value, error) {
	s := of(th)
	x, err := s.asArray(v)
	if err != nil {
		return lang.Unbound, err
	}
	r, err := s.c.Call(ndarray.Func(unaryUFuncs[op]), ndarray.Strongly(x), ndarray.Options{Scalar: !isArray(v)})
	if err == nil && !isArray(v) {
		err = s.unaryOverflow(unaryUFuncs[op], x, r)
	}
	return s.value(r, err)
}

var compareUFuncs = [...]string{lang.LT: "less", lang.LE: "less_equal", lang.GT: "greater", lang.GE: "greater_equal", lang.EQ: "equal", lang.NE: "not_equal"}

// compare is the comparisons of arrays and NumPy scalars, element by element.
func compare(th *lang.Thread, op lang.CompareOp, a, b Value) (Value, error) {
	s := of(th)
	if s.foreign(a) || s.foreign(b) {
		return lang.NotImplemented, nil
	}
	if !isArray(a) && !isArray(b) {
		if r, done := s.compareScalars(op, a, b); done {
			return r, nil
		}
	}
	x, err := s.operand(a)
	if err != nil {
		return lang.Unbound, err
	}
	y, err := s.operand(b)
	if err != nil {
		return lang.Unbound, err
	}
	r, err := s.c.Call(ndarray.Func(compareUFuncs[op]), []ndarray.Operand{x, y}, ndarray.Options{})
	if e, ok := err.(*ndarray.Error); ok && (op == lang.EQ || op == lang.NE) && strings.HasPrefix(e.Class, "UFunc") {
		// Numbers and text never are equal.
		dims, err := ndarray.BroadcastShapes(x.Dims(), y.Dims())
		if err != nil {
			return lang.Unbound, s.err(err)
		}
		return s.value(s.c.Full(ndarray.FromBool(op == lang.NE), ndarray.Bool, dims...))
	}
	return s.value(r, err)
}
