package np

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// Scalar is a NumPy scalar but float64, complex128, str_ and bytes_, which are
// instances of Python's types with a payload.
type Scalar struct {
	value.Header
	dt   ndarray.DType
	bits [2]uint64
}

func abstract(name string, bases ...*lang.Class) *lang.Class {
	c := lang.NewBuiltinClass(name, "numpy", value.KindOther, bases...)
	c.Flags |= lang.ClassNoNew
	return c
}

// The hierarchy of scalar types.
var (
	Generic         = abstract("generic")
	Number          = abstract("number", Generic)
	Integer         = abstract("integer", Number)
	SignedInteger   = abstract("signedinteger", Integer)
	UnsignedInteger = abstract("unsignedinteger", Integer)
	Inexact         = abstract("inexact", Number)
	Floating        = abstract("floating", Inexact)
	ComplexFloating = abstract("complexfloating", Inexact)
	Flexible        = abstract("flexible", Generic)
	Character       = abstract("character", Flexible)
)

func scalarClass(name string, base *lang.Class) *lang.Class {
	return lang.NewBuiltinClass(name, "numpy", value.KindOther, base)
}

// The scalar types.
var (
	BoolClass       = scalarClass("bool", Generic)
	Int8Class       = scalarClass("int8", SignedInteger)
	Int16Class      = scalarClass("int16", SignedInteger)
	Int32Class      = scalarClass("int32", SignedInteger)
	Int64Class      = scalarClass("int64", SignedInteger)
	Uint8Class      = scalarClass("uint8", UnsignedInteger)
	Uint16Class     = scalarClass("uint16", UnsignedInteger)
	Uint32Class     = scalarClass("uint32", UnsignedInteger)
	Uint64Class     = scalarClass("uint64", UnsignedInteger)
	Float16Class    = scalarClass("float16", Floating)
	Float32Class    = scalarClass("float32", Floating)
	Float64Class    = lang.NewBuiltinClass("float64", "numpy", value.KindFloat, Floating, lang.FloatClass)
	Complex64Class  = scalarClass("complex64", ComplexFloating)
	Complex128Class = lang.NewBuiltinClass("complex128", "numpy", value.KindComplex, ComplexFloating, lang.ComplexClass)
	BFloat16Class   = lang.NewBuiltinClass("bfloat16", "ml_dtypes", value.KindOther, Generic)
	StrClass        = lang.NewBuiltinClass("str_", "numpy", value.KindStr, lang.StrClass, Character)
	BytesClass      = lang.NewBuiltinClass("bytes_", "numpy", value.KindBytes, lang.BytesClass, Character)
	ObjectClass     = abstract("object_", Generic)
)

// classes lists the scalar types with their dtypes.
var classes = []struct {
	c  *lang.Class
	dt ndarray.DType
}{
	{BoolClass, ndarray.Bool}, {Int8Class, ndarray.Int8}, {Int16Class, ndarray.Int16}, {Int32Class, ndarray.Int32}, {Int64Class, ndarray.Int64},
	{Uint8Class, ndarray.Uint8}, {Uint16Class, ndarray.Uint16}, {Uint32Class, ndarray.Uint32}, {Uint64Class, ndarray.Uint64},
	{Float16Class, ndarray.Float16}, {Float32Class, ndarray.Float32}, {Float64Class, ndarray.Float64}, {Complex64Class, ndarray.Complex64},
	{Complex128Class, ndarray.Complex128}, {BFloat16Class, ndarray.BFloat16}, {StrClass, ndarray.StrOf(0)}, {BytesClass, ndarray.BytesOf(0)}, {ObjectClass, ndarray.Objects},
}

// classOf is the scalar type of a dtype.
func classOf(dt ndarray.DType) *lang.Class {
	for i := range classes {
		if classes[i].dt.K == dt.K {
			return classes[i].c
		}
	}
	return ObjectClass
}

// typeOf is the dtype of a scalar type.
func typeOf(c *lang.Class) (ndarray.DType, bool) {
	for i := range classes {
		if classes[i].c == c {
			return classes[i].dt, true
		}
	}
	return ndarray.DType{}, false
}

// The two bools: np.True_ is np.bool(True).
var (
	falseScalar = &Scalar{Header: value.Header{Type: &BoolClass.Type, Kind: value.KindOther, Flags: value.FlagImmortal}, dt: ndarray.Bool}
	trueScalar  = &Scalar{Header: value.Header{Type: &BoolClass.Type, Kind: value.KindOther, Flags: value.FlagImmortal}, dt: ndarray.Bool, bits: [2]uint64{1}}
)

func boolScalar(b bool) Value {
	if b {
		return value.Of(&trueScalar.Header)
	}
	return value.Of(&falseScalar.Header)
}

// scalarAt is the element at pos as a NumPy scalar; of an object array the object.
func scalarAt(a *ndarray.Array, pos int) Value {
	switch a.DT.K {
	case tensor.Float64:
		return floatScalar(*(*float64)(a.At(pos)))
	case ndarray.Object, ndarray.Str, ndarray.Bytes, tensor.Complex128:
		return wrapItem(a.DT, itemAt(a, pos))
	case tensor.Bool:
		return boolScalar(*(*bool)(a.At(pos)))
	}
	x := &Scalar{Header: value.Header{Type: &classOf(a.DT).Type, Kind: value.KindOther}, dt: a.DT}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&x.bits)), a.DT.Size()), unsafe.Slice((*byte)(a.At(pos)), a.DT.Size()))
	return value.Of(&x.Header)
}

// wrapItem makes a Python object the scalar of the type built on it.
func wrapItem(dt ndarray.DType, v Value) Value {
	if dt.K == ndarray.Object {
		return v
	}
	return lang.NewPayload(classOf(dt), v)
}

func floatScalar(f float64) Value { return lang.NewPayload(Float64Class, lang.Float(f)) }

// intScalar is an int64.
func intScalar(i int64) Value {
	x := &Scalar{Header: value.Header{Type: &Int64Class.Type, Kind: value.KindOther}, dt: ndarray.Int64, bits: [2]uint64{uint64(i)}}
	return value.Of(&x.Header)
}

// isScalar reports a NumPy scalar.
func isScalar(v Value) bool {
	c := lang.ClassOf(v)
	return c == Float64Class || c == Int64Class || c.IsSub(Generic)
}

// asScalar is v as one of the scalars that have their own storage.
func asScalar(v Value) (*Scalar, bool) {
	if v.Kind() != value.KindOther || !lang.ClassOf(v).IsSub(Generic) {
		return nil, false
	}
	return (*Scalar)(v.P), true
}

// scalarDType is the dtype of a NumPy scalar.
func scalarDType(v Value) (ndarray.DType, bool) {
	if x, ok := asScalar(v); ok {
		return x.dt, true
	}
	c := lang.ClassOf(v)
	switch {
	case c == Float64Class || c.IsSub(Float64Class):
		return ndarray.Float64, true
	case c.IsSub(Complex128Class):
		return ndarray.Complex128, true
	case c.IsSub(StrClass):
		s, _ := lang.AsStr(v)
		return ndarray.StrOf(max(s.Len(), 1)), true
	case c.IsSub(BytesClass):
		b, _ := lang.AsBytes(v)
		return ndarray.BytesOf(max(len(b.B), 1)), true
	}
	return ndarray.DType{}, false
}

// scalarArray is a NumPy scalar as an array of rank 0.
func scalarArray(v Value) (*ndarray.Array, bool) {
	dt, ok := scalarDType(v)
	if !ok {
		return nil, false
	}
	a := ndarray.New(dt)
	switch x, own := asScalar(v); {
	case own:
		copy(unsafe.Slice((*byte)(a.At(0)), dt.Size()), unsafe.Slice((*byte)(unsafe.Pointer(&x.bits)), dt.Size()))
	case dt == ndarray.Float64:
		*(*float64)(a.At(0)) = lang.Payload(v).Float64()
	case dt == ndarray.Complex128:
		c, _ := lang.AsComplex(v)
		*(*complex128)(a.At(0)) = c
	case dt.K == ndarray.Str:
		s, _ := lang.AsStr(v)
		a.SetText(0, s.String())
	default:
		b, _ := lang.AsBytes(v)
		a.SetText(0, b.B)
	}
	return a, true
}

// itemAt is the element at pos as a Python object.
func itemAt(a *ndarray.Array, pos int) Value {
	switch a.DT.K {
	case ndarray.Object:
		return a.Object(pos)
	case ndarray.Str:
		return lang.NewStr(a.TextAt(pos))
	case ndarray.Bytes:
		return lang.NewBytes(a.TextAt(pos))
	case tensor.Bool:
		return lang.Bool(*(*bool)(a.At(pos)))
	case tensor.Float64:
		return lang.Float(*(*float64)(a.At(pos)))
	case tensor.Complex128:
		return lang.NewComplex(*(*complex128)(a.At(pos)))
	case tensor.Complex64:
		return lang.NewComplex(complex128(*(*complex64)(a.At(pos))))
	case tensor.Uint64:
		return uintValue(*(*uint64)(a.At(pos)))
	}
	if a.DT.IsFloat() {
		return lang.Float(a.FloatAt(pos))
	}
	return lang.Int(a.IntAt(pos))
}
