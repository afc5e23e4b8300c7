package tensor

import "math"

// DType is an element type. The numbers are TensorFlow's, as its files use them.
type DType uint8

// The element types.
const (
	Invalid    DType = 0
	Float32    DType = 1
	Float64    DType = 2
	Int32      DType = 3
	Uint8      DType = 4
	Int16      DType = 5
	Int8       DType = 6
	String     DType = 7
	Complex64  DType = 8
	Int64      DType = 9
	Bool       DType = 10
	BFloat16   DType = 14
	Uint16     DType = 17
	Complex128 DType = 18
	Float16    DType = 19
	Resources  DType = 20 // handles of variables; no Tensor has it
	Variant    DType = 21 // lists and datasets; no Tensor has it
	Uint32     DType = 22
	Uint64     DType = 23
	numDTypes        = 24
)

type dtypeInfo struct {
	name, cname, enum string
	size              uint8
	kind              byte // NumPy's kind letter
	real              DType
}

var dtypes = [numDTypes]dtypeInfo{
	Invalid:    {"invalid", "INVALID", "DT_INVALID", 0, 0, Invalid},
	Float32:    {"float32", "float", "DT_FLOAT", 4, 'f', Float32},
	Float64:    {"float64", "double", "DT_DOUBLE", 8, 'f', Float64},
	Int32:      {"int32", "int32", "DT_INT32", 4, 'i', Int32},
	Uint8:      {"uint8", "uint8", "DT_UINT8", 1, 'u', Uint8},
	Int16:      {"int16", "int16", "DT_INT16", 2, 'i', Int16},
	Int8:       {"int8", "int8", "DT_INT8", 1, 'i', Int8},
	String:     {"string", "string", "DT_STRING", 8, 'O', String},
	Complex64:  {"complex64", "complex64", "DT_COMPLEX64", 8, 'c', Float32},
	Int64:      {"int64", "int64", "DT_INT64", 8, 'i', Int64},
	Bool:       {"bool", "bool", "DT_BOOL", 1, 'b', Bool},
	BFloat16:   {"bfloat16", "bfloat16", "DT_BFLOAT16", 2, 'V', BFloat16},
	Uint16:     {"uint16", "uint16", "DT_UINT16", 2, 'u', Uint16},
	Complex128: {"complex128", "complex128", "DT_COMPLEX128", 16, 'c', Float64},
	Float16:    {"float16", "half", "DT_HALF", 2, 'f', Float16},
	Resources:  {"resource", "resource", "DT_RESOURCE", 0, 'O', Resources},
	Variant:    {"variant", "variant", "DT_VARIANT", 0, 'O', Variant},
	Uint32:     {"uint32", "uint32", "DT_UINT32", 4, 'u', Uint32},
	Uint64:     {"uint64", "uint64", "DT_UINT64", 8, 'u', Uint64},
}

// AllDTypes lists the types that tensors can have, in TensorFlow's order.
var AllDTypes = []DType{Float32, Float64, Int32, Uint8, Int16, Int8, String, Complex64, Int64,
	Bool, BFloat16, Uint16, Complex128, Float16, Uint32, Uint64}

func (d DType) info() *dtypeInfo {
	if d >= numDTypes || dtypes[d].name == "" {
		return &dtypes[Invalid]
	}
	return &dtypes[d]
}

// Name is the type's name in scripts: "float32".
func (d DType) Name() string { return d.info().name }

// String is Name.
func (d DType) String() string { return d.info().name }

// CName is the name TensorFlow's runtime uses in error texts: "float", "double", "half".
func (d DType) CName() string { return d.info().cname }

// EnumName is the name in graph texts: "DT_FLOAT".
func (d DType) EnumName() string { return d.info().enum }

// Size is the width of one element in bytes; a string counts its offset.
func (d DType) Size() int { return int(d.info().size) }

// NumpyKind is the kind letter of the NumPy type: f i u b c, O for strings.
func (d DType) NumpyKind() byte { return d.info().kind }

// Real is the type of the parts of a complex type, else d itself.
func (d DType) Real() DType { return d.info().real }

// IsFloating reports half, bfloat16, float32 and float64.
func (d DType) IsFloating() bool {
	return d == Float32 || d == Float64 || d == Float16 || d == BFloat16
}

// IsComplex reports the two complex types.
func (d DType) IsComplex() bool { return d == Complex64 || d == Complex128 }

// IsUnsigned reports the unsigned integers.
func (d DType) IsUnsigned() bool { return d.info().kind == 'u' }

// IsSigned reports the signed integers.
func (d DType) IsSigned() bool { return d.info().kind == 'i' }

// IsInteger reports integers of either sign; bool is none.
func (d DType) IsInteger() bool { return d.IsSigned() || d.IsUnsigned() }

// IsNumeric reports everything but bool and string.
func (d DType) IsNumeric() bool { return d.IsInteger() || d.IsFloating() || d.IsComplex() }

// Differentiable reports the types that gradients flow through.
func (d DType) Differentiable() bool { return d.IsFloating() || d.IsComplex() }

// IntRange is the range of an integer type; hi of uint64 needs the unsigned reading.
func (d DType) IntRange() (lo int64, hi uint64) {
	bits := uint(d.Size() * 8)
	if d.IsUnsigned() {
		return 0, math.MaxUint64 >> (64 - bits)
	}
	return math.MinInt64 >> (64 - bits), math.MaxInt64 >> (64 - bits)
}

// FloatMax is the largest finite value of a floating (or complex part) type.
func (d DType) FloatMax() float64 {
	switch d.Real() {
	case Float16:
		return 65504
	case BFloat16:
		return 3.3895313892515355e38
	case Float32:
		return math.MaxFloat32
	}
	return math.MaxFloat64
}

var dtypeNames = func() map[string]DType {
	m := map[string]DType{"half": Float16, "float": Float32, "double": Float64}
	for _, d := range AllDTypes {
		m[d.Name()] = d
	}
	m["resource"], m["variant"] = Resources, Variant
	return m
}()

// ParseDType finds a type by its TensorFlow name: "float32", "half".
func ParseDType(name string) (DType, bool) {
	d, ok := dtypeNames[name]
	return d, ok
}

// Elem is the set of Go types that stand for elements.
type Elem interface {
	bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 |
		Half | BF16 | float32 | float64 | complex64 | complex128
}

// DTypeFor is the element type that the Go type T stands for.
func DTypeFor[T Elem]() DType {
	var z T
	switch any(z).(type) {
	case bool:
		return Bool
	case int8:
		return Int8
	case int16:
		return Int16
	case int32:
		return Int32
	case int64:
		return Int64
	case uint8:
		return Uint8
	case uint16:
		return Uint16
	case uint32:
		return Uint32
	case uint64:
		return Uint64
	case Half:
		return Float16
	case BF16:
		return BFloat16
	case float32:
		return Float32
	case float64:
		return Float64
	case complex64:
		return Complex64
	}
	return Complex128
}
