package lang

import (
	"math/big"
	"sync/atomic"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// Value, Held, Header and Kind are those of lang/value: bindings need only this package.
type (
	Value  = value.Value
	Held   = value.Held
	Header = value.Header
	Kind   = value.Kind
)

// BinaryOp, CompareOp and UnaryOp number operators as the bytecode does.
type (
	BinaryOp  = code.BinaryOp
	CompareOp = code.CompareOp
	UnaryOp   = code.UnaryOperator
)

// The immediates without payload.
var (
	None           = value.None
	Unbound        = value.Unbound
	NotImplemented = value.NotImplemented
	Ellipsis       = value.Ellipsis
	True           = value.True
	False          = value.False
)

// Flags of a Header that this package adds to those of lang/value.
const (
	flagASCII    = 1 << 4 // a str of ASCII only
	flagInterned = 1 << 5 // a str in the table of names
	flagForeign  = 1 << 5 // a dict that has had keys whose own __eq__ may take them for a str
	flagTracked  = 1 << 6 // repr in progress: recursive displays
	flagPassing  = 1 << 7 // a bound method on its way from super() to the call
)

// Int returns the script int i.
func Int(i int64) Value { return Value{N: uint64(i)} }

// Float returns the script float f.
func Float(f float64) Value { return value.Float(f) }

// nans numbers the NaNs that scripts make, so that each has an identity of its own.
var nans atomic.Uint32

// NewNaN is float('nan'): not the same object as any other NaN, as `is` and the
// comparison of containers see it.
func NewNaN(negative bool) Value {
	bits := 0x7ff8000000000000 | uint64(nans.Add(1))
	if negative {
		bits |= 1 << 63
	}
	return Value{P: Float(0).P, N: bits}
}

// Bool returns True or False.
func Bool(b bool) Value {
	if b {
		return True
	}
	return False
}

// BigInt returns the script int b, which it takes over; small ones become immediates.
func BigInt(b *big.Int) Value {
	if b.IsInt64() {
		return Int(b.Int64())
	}
	return Value{P: unsafe.Pointer(&Big{head(IntClass, value.KindBig), b})}
}

// Big is an int outside int64.
type Big struct {
	Header
	V *big.Int
}

// Complex is a complex number.
type Complex struct {
	Header
	V complex128
}

// NewComplex returns the script complex c.
func NewComplex(c complex128) Value {
	return Value{P: unsafe.Pointer(&Complex{head(ComplexClass, value.KindComplex), c})}
}

func head(c *Class, k Kind) Header { return Header{Type: &c.Type, Kind: k} }

func obj(p unsafe.Pointer) Value { return Value{P: p} }

// ClassOf is the class of v.
func ClassOf(v Value) *Class {
	if v.P == nil {
		return IntClass
	}
	return (*Class)(unsafe.Pointer((*Header)(v.P).Type))
}

// TypeName is the name of v's class, as messages show it.
func TypeName(v Value) string {
	return ClassOf(v).shown()
}

// payload is v itself, or for an instance of a script class that derives from a
// built-in type the exact built-in value inside.
func payload(v Value) Value {
	if v.P != nil && (*Header)(v.P).Kind == value.KindInstance {
		if x := (*Instance)(v.P).ext; x != nil {
			return x.payload
		}
		return Unbound
	}
	return v
}

// Payload is v itself, or the exact built-in value inside an instance of a script
// class that derives from a built-in type; Unbound for other instances.
func Payload(v Value) Value { return payload(v) }

func asKind(v Value, k Kind) unsafe.Pointer {
	if v.P == nil {
		return nil
	}
	if (*Header)(v.P).Kind != k {
		v = payload(v)
		if v.P == nil || (*Header)(v.P).Kind != k {
			return nil
		}
	}
	return v.P
}

// AsStr is the str behind v, subclass instances included.
func AsStr(v Value) (*Str, bool) { p := (*Str)(asKind(v, value.KindStr)); return p, p != nil }

// AsBytes is the bytes object behind v.
func AsBytes(v Value) (*Bytes, bool) { p := (*Bytes)(asKind(v, value.KindBytes)); return p, p != nil }

// AsByteArray is the bytearray behind v.
func AsByteArray(v Value) (*ByteArray, bool) {
	p := (*ByteArray)(asKind(v, value.KindByteArray))
	return p, p != nil
}

// AsList is the list behind v.
func AsList(v Value) (*List, bool) { p := (*List)(asKind(v, value.KindList)); return p, p != nil }

// AsTuple is the tuple behind v.
func AsTuple(v Value) (*Tuple, bool) { p := (*Tuple)(asKind(v, value.KindTuple)); return p, p != nil }

// AsDict is the dict behind v.
func AsDict(v Value) (*Dict, bool) { p := (*Dict)(asKind(v, value.KindDict)); return p, p != nil }

// AsSet is the set or frozenset behind v.
func AsSet(v Value) (*Set, bool) {
	p := asKind(v, value.KindSet)
	if p == nil {
		p = asKind(v, value.KindFrozenSet)
	}
	return (*Set)(p), p != nil
}

// AsComplex is the complex number behind v; ints and floats are not taken.
func AsComplex(v Value) (complex128, bool) {
	if p := (*Complex)(asKind(v, value.KindComplex)); p != nil {
		return p.V, true
	}
	return 0, false
}

// AsClass is v as a class.
func AsClass(v Value) (*Class, bool) {
	if v.P != nil && (*Header)(v.P).Kind == value.KindClass {
		return (*Class)(v.P), true
	}
	return nil, false
}

// AsFunc is v as a script function.
func AsFunc(v Value) (*Func, bool) {
	if v.P != nil && (*Header)(v.P).Kind == value.KindFunc {
		return (*Func)(v.P), true
	}
	return nil, false
}

// AsModule is v as a module.
func AsModule(v Value) (*Module, bool) {
	m := (*Module)(asKind(v, value.KindModule))
	return m, m != nil
}

// AsException is v as an exception object.
func AsException(v Value) (*Exception, bool) {
	if v.P != nil && (*Header)(v.P).Kind == value.KindException {
		return (*Exception)(v.P), true
	}
	return nil, false
}

// AsInstance is the part of v that holds attributes: of an instance of a script
// class or of an exception.
func AsInstance(v Value) (*Instance, bool) {
	if v.P != nil {
		switch (*Header)(v.P).Kind {
		case value.KindInstance, value.KindException:
			return (*Instance)(v.P), true
		}
	}
	return nil, false
}

// AsInt is the int behind v when it fits int64: ints, bools, instances of int's
// subclasses; no conversion by __index__ (see Index).
func AsInt(v Value) (int64, bool) {
	if v.P == nil {
		return int64(v.N), true
	}
	switch (*Header)(v.P).Kind {
	case value.KindBool:
		return int64(v.N), true
	case value.KindInstance:
		if p := payload(v); p.P == nil {
			return int64(p.N), true
		}
	}
	return 0, false
}

// AsBig is the int behind v at any size; the result must not be changed.
func AsBig(v Value) (*big.Int, bool) {
	if i, ok := AsInt(v); ok {
		return big.NewInt(i), true
	}
	if p := (*Big)(asKind(v, value.KindBig)); p != nil {
		return p.V, true
	}
	return nil, false
}

// IsIntValue reports an int of any size, bool or instance of a subclass of int.
func IsIntValue(v Value) bool {
	if _, ok := AsInt(v); ok {
		return true
	}
	return asKind(v, value.KindBig) != nil
}

// AsFloat is the number behind v as a float: floats, ints, bools and instances
// of their subclasses. An int too large gives ok with an infinity.
func AsFloat(v Value) (float64, bool) {
	if v.IsFloat() {
		return v.Float64(), true
	}
	if i, ok := AsInt(v); ok {
		return float64(i), true
	}
	if p := payload(v); p.IsFloat() {
		return p.Float64(), true
	}
	if p := (*Big)(asKind(v, value.KindBig)); p != nil {
		return bigFloat(p.V), true
	}
	return 0, false
}

// bigFloat rounds half to even, as CPython's int to float.
func bigFloat(b *big.Int) float64 {
	f, _ := new(big.Float).SetInt(b).Float64()
	return f
}

// IsFloatValue reports a float or an instance of a subclass of float.
func IsFloatValue(v Value) bool { return v.IsFloat() || payload(v).IsFloat() }
