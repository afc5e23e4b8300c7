package ndarray

import (
	"strconv"
	"strings"

	"github.com/tfs-lang/tfs/tensor"
)

// Kinds of elements beyond the tensors' own.
const (
	Object tensor.DType = 64 + iota // script values
	Str                             // text of fixed width, four bytes a character
	Bytes                           // bytes of fixed width
)

// DType is an element type: a kind and, for Str and Bytes, the width in characters.
type DType struct {
	K tensor.DType
	W int
}

// The types with a fixed width.
var (
	Bool       = DType{K: tensor.Bool}
	Int8       = DType{K: tensor.Int8}
	Int16      = DType{K: tensor.Int16}
	Int32      = DType{K: tensor.Int32}
	Int64      = DType{K: tensor.Int64}
	Uint8      = DType{K: tensor.Uint8}
	Uint16     = DType{K: tensor.Uint16}
	Uint32     = DType{K: tensor.Uint32}
	Uint64     = DType{K: tensor.Uint64}
	Float16    = DType{K: tensor.Float16}
	Float32    = DType{K: tensor.Float32}
	Float64    = DType{K: tensor.Float64}
	Complex64  = DType{K: tensor.Complex64}
	Complex128 = DType{K: tensor.Complex128}
	BFloat16   = DType{K: tensor.BFloat16}
	Objects    = DType{K: Object}
)

// StrOf and BytesOf are text types of that many characters.
func StrOf(n int) DType { return DType{Str, n} }

// BytesOf is the bytes type of that width.
func BytesOf(n int) DType { return DType{Bytes, n} }

// Size is the width of an element in bytes.
func (d DType) Size() int {
	switch d.K {
	case Object:
		return 8
	case Str:
		return 4 * d.W
	case Bytes:
		return d.W
	}
	return d.K.Size()
}

// Kind is NumPy's kind letter.
func (d DType) Kind() byte {
	switch d.K {
	case Object:
		return 'O'
	case Str:
		return 'U'
	case Bytes:
		return 'S'
	}
	return d.K.NumpyKind()
}

// Name is dtype.name: float64, str96, object.
func (d DType) Name() string {
	switch d.K {
	case Object:
		return "object"
	case Str:
		return "str" + bitsText(d)
	case Bytes:
		return "bytes" + bitsText(d)
	}
	return d.K.Name()
}

func bitsText(d DType) string {
	if d.W == 0 {
		return ""
	}
	return strconv.Itoa(8 * d.Size())
}

// String is str(dtype): float64, <U3, |S2, object.
func (d DType) String() string {
	switch d.K {
	case Str, Bytes:
		return d.Code()
	}
	return d.Name()
}

// Code is dtype.str: <f8, |b1, <U3.
func (d DType) Code() string {
	switch d.K {
	case Object:
		return "|O"
	case Str:
		return "<U" + strconv.Itoa(d.W)
	case Bytes:
		return "|S" + strconv.Itoa(d.W)
	case tensor.BFloat16:
		return "<V2"
	}
	mark := "<"
	if d.Size() == 1 {
		mark = "|"
	}
	return mark + string(d.Kind()) + strconv.Itoa(d.Size())
}

// Char is dtype.char.
func (d DType) Char() string {
	i := strings.Index(charNames, " "+d.K.Name()+" ")
	switch {
	case d.K == Object:
		return "O"
	case d.K == Str:
		return "U"
	case d.K == Bytes:
		return "S"
	case i < 1:
		return "E"
	}
	return charNames[i-1 : i]
}

// charNames lists the one-letter codes before the names they stand for.
const charNames = "? bool b int8 B uint8 h int16 H uint16 i int32 I uint32 l int64 L uint64 q int64 Q uint64 " +
	"e float16 f float32 d float64 F complex64 D complex128 "

var typeNames = map[string]DType{
	"bool": Bool, "bool_": Bool, "b1": Bool, "?": Bool,
	"int8": Int8, "i1": Int8, "byte": Int8, "b": Int8, "uint8": Uint8, "u1": Uint8, "ubyte": Uint8, "B": Uint8,
	"int16": Int16, "i2": Int16, "short": Int16, "h": Int16, "uint16": Uint16, "u2": Uint16, "ushort": Uint16, "H": Uint16,
	"int32": Int32, "i4": Int32, "intc": Int32, "i": Int32, "uint32": Uint32, "u4": Uint32, "uintc": Uint32, "I": Uint32,
	"int64": Int64, "i8": Int64, "int": Int64, "long": Int64, "longlong": Int64, "int_": Int64, "intp": Int64, "l": Int64, "q": Int64, "p": Int64,
	"uint64": Uint64, "u8": Uint64, "uint": Uint64, "ulong": Uint64, "ulonglong": Uint64, "uintp": Uint64, "L": Uint64, "Q": Uint64, "P": Uint64,
	"float16": Float16, "f2": Float16, "half": Float16, "e": Float16,
	"float32": Float32, "f4": Float32, "single": Float32, "f": Float32,
	"float64": Float64, "f8": Float64, "float": Float64, "double": Float64, "d": Float64,
	"complex64": Complex64, "c8": Complex64, "csingle": Complex64, "F": Complex64,
	"complex128": Complex128, "c16": Complex128, "complex": Complex128, "cdouble": Complex128, "D": Complex128,
	"bfloat16": BFloat16, "object": Objects, "object_": Objects, "O": Objects,
	"str": StrOf(0), "str_": StrOf(0), "unicode": StrOf(0), "U": StrOf(0), "bytes": BytesOf(0), "bytes_": BytesOf(0), "S": BytesOf(0), "a": BytesOf(0),
}

// ParseDType reads a type's name or code: float32, f4, <f4, U10.
func ParseDType(s string) (DType, error) {
	t := strings.TrimLeft(s, "<=|")
	if d, ok := typeNames[t]; ok {
		return d, nil
	}
	if t != "" && (t[0] == 'U' || t[0] == 'S' || t[0] == 'a') {
		if n, err := strconv.Atoi(t[1:]); err == nil && n >= 0 {
			if t[0] == 'U' {
				return StrOf(n), nil
			}
			return BytesOf(n), nil
		}
	}
	return DType{}, typeError("data type '%s' not understood", s)
}

// IsNumber reports the number types, bool included.
func (d DType) IsNumber() bool { return d.K < Object }

// IsFloat, IsInt, IsComplex and IsText classify.
func (d DType) IsFloat() bool { return d.K < Object && d.K.IsFloating() }

// IsInt reports the integers; bool is none.
func (d DType) IsInt() bool { return d.K < Object && d.K.IsInteger() }

// IsComplex reports the complex types.
func (d DType) IsComplex() bool { return d.K < Object && d.K.IsComplex() }

// IsText reports str and bytes.
func (d DType) IsText() bool { return d.K == Str || d.K == Bytes }

// textWidth is how many characters the text of a number type may take.
func (d DType) textWidth() int {
	switch {
	case d.IsText():
		return d.W
	case d.K == tensor.Bool:
		return 5
	case d.IsComplex():
		return 64
	case d.IsFloat():
		return 32
	}
	w := [...]int{1: 4, 2: 6, 4: 11, 8: 21}[d.Size()]
	if d.K.IsUnsigned() && d.Size() < 8 {
		w--
	} else if d.K.IsUnsigned() {
		w = 20
	}
	return w
}

// Promote is np.promote_types: the smallest type both cast to.
func Promote(a, b DType) (DType, error) {
	switch {
	case a == b:
		return a, nil
	case a.K == Object || b.K == Object:
		return Objects, nil
	case a.K == Str || b.K == Str:
		return StrOf(max(a.textWidth(), b.textWidth())), nil
	case a.K == Bytes || b.K == Bytes:
		return BytesOf(max(a.textWidth(), b.textWidth())), nil
	}
	return DType{K: promoteNumbers(a.K, b.K)}, nil
}

func promoteNumbers(a, b tensor.DType) tensor.DType {
	if rank(a) > rank(b) {
		a, b = b, a // b has the wider kind
	}
	switch {
	case a == b, a == tensor.Bool:
		return b
	case b.IsComplex():
		if promoteNumbers(a.Real(), b.Real()) == tensor.Float64 || a.IsInteger() && a.Size() > 2 {
			return tensor.Complex128
		}
		return tensor.Complex64
	case b.IsFloating():
		return promoteFloat(a, b)
	case a.IsUnsigned() != b.IsUnsigned():
		return promoteMixed(a, b)
	case a.Size() > b.Size():
		return a
	}
	return b
}

// rank orders kinds: bool, unsigned, signed, float, complex.
func rank(k tensor.DType) int {
	switch {
	case k == tensor.Bool:
		return 0
	case k.IsUnsigned():
		return 1
	case k.IsInteger():
		return 2
	case k.IsFloating():
		return 3
	}
	return 4
}

func promoteFloat(a, b tensor.DType) tensor.DType {
	if a.IsInteger() {
		switch {
		case b == tensor.BFloat16:
			return b
		case a.Size() == 1:
			return b
		case a.Size() == 2:
			a = tensor.Float32
		default:
			return tensor.Float64
		}
	}
	if a.Size() == 2 && b.Size() == 2 && a != b {
		return tensor.Float32 // float16 and bfloat16
	}
	if a.Size() > b.Size() {
		return a
	}
	return b
}

// promoteMixed finds the signed type that holds an unsigned u and a signed s.
func promoteMixed(u, s tensor.DType) tensor.DType {
	if s.Size() > u.Size() {
		return s
	}
	switch u.Size() {
	case 1:
		return tensor.Int16
	case 2:
		return tensor.Int32
	case 4:
		return tensor.Int64
	}
	return tensor.Float64
}

// CanCast is np.can_cast for casting "no", "equiv", "safe", "same_kind" or "unsafe".
func CanCast(from, to DType, casting string) bool {
	switch {
	case casting == "unsafe" || from == to:
		return true
	case casting == "no" || casting == "equiv":
		return false
	case to.K == Object:
		return true
	case from.K == Object:
		return false
	}
	if from.IsText() || to.IsText() {
		if from.IsText() && to.IsText() {
			return (to.K == Str || from.K == Bytes) && (casting == "same_kind" || to.W >= from.W)
		}
		return to.IsText() && (to.W == 0 || to.W >= from.textWidth())
	}
	if promoteNumbers(from.K, to.K) == to.K {
		return true
	}
	if casting != "same_kind" {
		return false
	}
	f, t := rank(from.K), rank(to.K)
	return t >= f && !(f == 2 && t == 1) || f == 1 && t == 2
}
