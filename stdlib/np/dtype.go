package np

import (
	"math/big"
	"strings"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// DTypeClass is np.dtype.
var DTypeClass = lang.NewBuiltinClass("dtype", "numpy", value.KindOther)

// DType is a np.dtype object.
type DType struct {
	value.Header
	dt ndarray.DType
}

func uintValue(u uint64) Value { return lang.BigInt(new(big.Int).SetUint64(u)) }

func newDType(dt ndarray.DType) Value {
	d := &DType{value.Header{Type: &DTypeClass.Type, Kind: value.KindOther}, dt}
	return value.Of(&d.Header)
}

func asDType(v Value) (*DType, bool) {
	if lang.ClassOf(v) == DTypeClass {
		return (*DType)(v.P), true
	}
	return nil, false
}

// parseDType reads what may stand for a dtype: a dtype, a type, a name, a tf.DType.
func (s *state) parseDType(v Value) (ndarray.DType, error) {
	if d, ok := asDType(v); ok {
		return d.dt, nil
	}
	if t, ok := lang.AsStr(v); ok {
		d, err := ndarray.ParseDType(t.String())
		return d, s.err(err)
	}
	if v.IsNone() {
		return ndarray.Float64, nil
	}
	if c, ok := lang.AsClass(v); ok {
		return s.classDType(c)
	}
	if d, ok := bridgeDType(v); ok {
		return d, nil
	}
	if x, found, _ := lang.AttrOr(s.th, v, "dtype"); found {
		if d, ok := asDType(x); ok {
			return d.dt, nil
		}
	}
	r, err := lang.Repr(s.th, v)
	if err != nil {
		return ndarray.DType{}, err
	}
	return ndarray.DType{}, s.th.TypeErrorf("Cannot interpret '%s' as a data type", r)
}

// bridgeDType is the NumPy type of a tf.DType.
func bridgeDType(v Value) (ndarray.DType, bool) {
	if lang.ClassOf(v) != bridge.DTypeClass {
		return ndarray.DType{}, false
	}
	dt, ok := bridge.FindDType(v)
	if dt == tensor.String {
		return ndarray.Objects, ok
	}
	return ndarray.DType{K: dt}, ok
}

func (s *state) classDType(c *lang.Class) (ndarray.DType, error) {
	if dt, ok := typeOf(c); ok {
		return dt, nil
	}
	switch c {
	case lang.IntClass:
		return ndarray.Int64, nil
	case lang.FloatClass:
		return ndarray.Float64, nil
	case lang.BoolClass:
		return ndarray.Bool, nil
	case lang.ComplexClass:
		return ndarray.Complex128, nil
	case lang.StrClass:
		return ndarray.StrOf(0), nil
	case lang.BytesClass:
		return ndarray.BytesOf(0), nil
	case Floating, Inexact:
		return ndarray.Float64, nil
	case Integer, SignedInteger:
		return ndarray.Int64, nil
	}
	return ndarray.Objects, nil
}

// optDType is parseDType where None means no wish.
func (s *state) optDType(v Value) (*ndarray.DType, error) {
	if v.IsNone() || v.IsUnbound() {
		return nil, nil
	}
	d, err := s.parseDType(v)
	return &d, err
}

func dtypeProp(f func(d ndarray.DType) Value) lang.Native {
	return func(_ *lang.Thread, a []Value) (Value, error) { return f((*DType)(a[0].P).dt), nil }
}

var typeNumbers = map[tensor.DType]int64{tensor.Bool: 0, tensor.Int8: 1, tensor.Uint8: 2, tensor.Int16: 3, tensor.Uint16: 4, tensor.Int32: 5,
	tensor.Uint32: 6, tensor.Int64: 7, tensor.Uint64: 8, tensor.Float32: 11, tensor.Float64: 12, tensor.Complex64: 14, tensor.Complex128: 15,
	ndarray.Object: 17, ndarray.Bytes: 18, ndarray.Str: 19, tensor.Float16: 23}

func dtypeReprText(d ndarray.DType) string {
	if d.K == ndarray.Object {
		return "dtype('O')"
	}
	if d == ndarray.BFloat16 {
		return "dtype(bfloat16)"
	}
	return "dtype('" + d.String() + "')"
}

func init() {
	c := DTypeClass
	c.Repr = func(_ *lang.Thread, v Value) (Value, error) { return lang.NewStr(dtypeReprText((*DType)(v.P).dt)), nil }
	c.Str = func(_ *lang.Thread, v Value) (Value, error) { return lang.NewStr((*DType)(v.P).dt.String()), nil }
	c.Hash = func(_ *lang.Thread, v Value) (int64, error) {
		d := (*DType)(v.P).dt
		return int64(d.K)<<20 + int64(d.W) + 1, nil
	}
	c.Compare = compareDTypes
	c.New = &lang.Def{Sig: "__new__(cls, dtype, align=False, copy=False)", Fn: func(th *lang.Thread, a []Value) (Value, error) {
		d, err := of(th).parseDType(a[1])
		return newDType(d), err
	}}
	lang.DefineMethods(c, []lang.Def{
		{Sig: "name(self)", Flags: lang.DefProperty, Fn: dtypeProp(func(d ndarray.DType) Value { return lang.NewStr(d.Name()) })},
		{Sig: "kind(self)", Flags: lang.DefProperty, Fn: dtypeProp(func(d ndarray.DType) Value { return lang.NewStr(string(rune(d.Kind()))) })},
		{Sig: "char(self)", Flags: lang.DefProperty, Fn: dtypeProp(func(d ndarray.DType) Value { return lang.NewStr(d.Char()) })},
		{Sig: "str(self)", Flags: lang.DefProperty, Fn: dtypeProp(func(d ndarray.DType) Value { return lang.NewStr(d.Code()) })},
		{Sig: "itemsize(self)", Flags: lang.DefProperty, Fn: dtypeProp(func(d ndarray.DType) Value { return lang.Int(int64(d.Size())) })},
		{Sig: "alignment(self)", Flags: lang.DefProperty, Fn: dtypeProp(func(d ndarray.DType) Value { return lang.Int(int64(min(d.Size(), 8))) })},
		{Sig: "num(self)", Flags: lang.DefProperty, Fn: dtypeProp(func(d ndarray.DType) Value { return lang.Int(typeNumbers[d.K]) })},
		{Sig: "byteorder(self)", Flags: lang.DefProperty, Fn: dtypeProp(func(d ndarray.DType) Value {
			if d.Size() == 1 || d.K == ndarray.Bytes || d.K == ndarray.Object {
				return lang.NewStr("|")
			}
			return lang.NewStr("=")
		})},
		{Sig: "isnative(self)", Flags: lang.DefProperty, Fn: dtypeProp(func(ndarray.DType) Value { return lang.True })},
		{Sig: "hasobject(self)", Flags: lang.DefProperty, Fn: dtypeProp(func(d ndarray.DType) Value { return lang.Bool(d.K == ndarray.Object) })},
		{Sig: "names(self)", Flags: lang.DefProperty, Fn: dtypeProp(func(ndarray.DType) Value { return lang.None })},
		{Sig: "fields(self)", Flags: lang.DefProperty, Fn: dtypeProp(func(ndarray.DType) Value { return lang.None })},
		{Sig: "shape(self)", Flags: lang.DefProperty, Fn: dtypeProp(func(ndarray.DType) Value { return lang.NewTuple() })},
		{Sig: "ndim(self)", Flags: lang.DefProperty, Fn: dtypeProp(func(ndarray.DType) Value { return lang.Int(0) })},
		{Sig: "type(self)", Flags: lang.DefProperty, Fn: dtypeProp(func(d ndarray.DType) Value { return classOf(d).Value() })},
		{Sig: "newbyteorder(self, new_order='S')", Fn: func(_ *lang.Thread, a []Value) (Value, error) { return a[0], nil }},
		{Sig: "__reduce__(self)", Fn: func(_ *lang.Thread, a []Value) (Value, error) {
			return lang.NewTuple(DTypeClass.Value(), lang.NewTuple(lang.NewStr(strings.TrimPrefix((*DType)(a[0].P).dt.Code(), "<")))), nil
		}},
	})
}

// compareDTypes: == accepts whatever names a dtype, < asks for safe casts.
func compareDTypes(th *lang.Thread, op lang.CompareOp, x, y Value) (Value, error) {
	dx, ok := asDType(x)
	if !ok {
		x, y = y, x
		dx, _ = asDType(x)
		op = [...]lang.CompareOp{lang.LT: lang.GT, lang.LE: lang.GE, lang.GT: lang.LT, lang.GE: lang.LE, lang.EQ: lang.EQ, lang.NE: lang.NE}[op]
	}
	if y.IsNone() || lang.IsIntValue(y) || lang.ClassOf(y) == lang.TupleClass || lang.ClassOf(y) == lang.ListClass {
		return lang.NotImplemented, nil
	}
	dy, err := of(th).parseDType(y)
	if err != nil {
		if op == lang.EQ || op == lang.NE {
			return lang.Bool(op == lang.NE), nil
		}
		return lang.Unbound, err
	}
	same := dx.dt == dy
	switch op {
	case lang.EQ:
		return lang.Bool(same), nil
	case lang.NE:
		return lang.Bool(!same), nil
	case lang.LT:
		return lang.Bool(!same && ndarray.CanCast(dx.dt, dy, "safe")), nil
	case lang.LE:
		return lang.Bool(ndarray.CanCast(dx.dt, dy, "safe")), nil
	case lang.GT:
		return lang.Bool(!same && ndarray.CanCast(dy, dx.dt, "safe")), nil
	}
	return lang.Bool(ndarray.CanCast(dy, dx.dt, "safe")), nil
}
