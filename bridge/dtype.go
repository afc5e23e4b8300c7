package bridge

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// DTypeClass is tf.DType.
var DTypeClass = lang.NewPythonClass("DType", "tensorflow.python.framework.dtypes", value.KindOther)

// DType is a tf.DType as a script object; there is one for each dtype.
type DType struct {
	value.Header
	DT tensor.DType
}

var dtypeObjects [32]*DType

// NumPyDType finds the NumPy scalar class of a dtype and back; stdlib/np sets
// them when numpy is first used, so that bridge need not know it.
var (
	NumPyClassOf func(dt tensor.DType) lang.Value
	NumPyDTypeOf func(v lang.Value) (tensor.DType, bool)
)

func init() {
	for i := range dtypeObjects {
		dtypeObjects[i] = &DType{value.Header{Type: &DTypeClass.Type, Kind: value.KindOther, Flags: value.FlagImmortal}, tensor.DType(i)}
	}
	DTypeClass.Repr, DTypeClass.Str = dtypeRepr, dtypeStr
	DTypeClass.Hash = func(_ *lang.Thread, v lang.Value) (int64, error) { return int64(dtypeOf(v)), nil }
	DTypeClass.Compare = dtypeCompare
	lang.DefineMethods(DTypeClass, []lang.Def{
		{Sig: "name(self)", Flags: lang.DefProperty, Fn: dtypeField(func(d tensor.DType) lang.Value { return lang.NewStr(d.Name()) })},
		{Sig: "size(self)", Flags: lang.DefProperty, Fn: dtypeField(func(d tensor.DType) lang.Value { return lang.Int(int64(max(d.Size(), 1))) })},
		{Sig: "is_floating(self)", Flags: lang.DefProperty, Fn: dtypeField(func(d tensor.DType) lang.Value { return lang.Bool(d.IsFloating()) })},
		{Sig: "is_integer(self)", Flags: lang.DefProperty, Fn: dtypeField(func(d tensor.DType) lang.Value { return lang.Bool(d.IsInteger()) })},
		{Sig: "is_complex(self)", Flags: lang.DefProperty, Fn: dtypeField(func(d tensor.DType) lang.Value { return lang.Bool(d.IsComplex()) })},
		{Sig: "is_unsigned(self)", Flags: lang.DefProperty, Fn: dtypeField(func(d tensor.DType) lang.Value { return lang.Bool(d.IsUnsigned()) })},
		{Sig: "is_bool(self)", Flags: lang.DefProperty, Fn: dtypeField(func(d tensor.DType) lang.Value { return lang.Bool(d == tensor.Bool) })},
		{Sig: "is_numpy_compatible(self)", Flags: lang.DefProperty, Fn: dtypeField(func(d tensor.DType) lang.Value { return lang.Bool(d != tensor.Resources && d != tensor.Variant) })},
		{Sig: "is_quantized(self)", Flags: lang.DefProperty, Fn: dtypeField(func(tensor.DType) lang.Value { return lang.False })},
		{Sig: "as_datatype_enum(self)", Flags: lang.DefProperty, Fn: dtypeField(func(d tensor.DType) lang.Value { return lang.Int(int64(d)) })},
		{Sig: "real_dtype(self)", Flags: lang.DefProperty, Fn: dtypeField(func(d tensor.DType) lang.Value { return DTypeValue(d.Real()) })},
		{Sig: "base_dtype(self)", Flags: lang.DefProperty, Fn: dtypeField(DTypeValue)},
		{Sig: "as_numpy_dtype(self)", Flags: lang.DefProperty, Fn: dtypeField(func(d tensor.DType) lang.Value { return NumPyClassOf(d) })},
		{Sig: "min(self)", Flags: lang.DefProperty, Fn: dtypeMin},
		{Sig: "max(self)", Flags: lang.DefProperty, Fn: dtypeMax},
		{Sig: "limits(self)", Flags: lang.DefProperty, Fn: dtypeLimits},
		{Sig: "is_compatible_with(self, other)", Fn: dtypeCompatible},
		{Sig: "__reduce__(self)", Fn: dtypeReduce},
	})
}

// DTypeValue is the script object of a dtype.
func DTypeValue(dt tensor.DType) lang.Value { return value.Of(&dtypeObjects[dt].Header) }

func dtypeOf(v lang.Value) tensor.DType { return (*DType)(unsafe.Pointer(v.P)).DT }

func dtypeField(f func(tensor.DType) lang.Value) lang.Native {
	return func(_ *lang.Thread, a []lang.Value) (lang.Value, error) { return f(dtypeOf(a[0])), nil }
}

func dtypeRepr(_ *lang.Thread, v lang.Value) (lang.Value, error) {
	return lang.NewStr("tf." + dtypeOf(v).Name()), nil
}

func dtypeStr(_ *lang.Thread, v lang.Value) (lang.Value, error) {
	return lang.NewStr("<dtype: '" + dtypeOf(v).Name() + "'>"), nil
}

// dtypeCompare knows == and != with whatever AsDType takes.
func dtypeCompare(th *lang.Thread, op lang.CompareOp, a, b lang.Value) (lang.Value, error) {
	if op != lang.EQ && op != lang.NE {
		return lang.NotImplemented, nil
	}
	x, okx := FindDType(a)
	y, oky := FindDType(b)
	return lang.Bool((okx && oky && x == y) == (op == lang.EQ)), nil
}

func dtypeCompatible(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	y, err := Of(th).AsDType(a[1])
	return lang.Bool(y == dtypeOf(a[0])), err
}

func dtypeReduce(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	return lang.Unbound, th.TypeErrorf("cannot pickle 'DType' object")
}

// FindDType reads a dtype from what scripts write for one: a tf.DType, its name,
// a NumPy dtype or scalar class, Python's float and bool, or its number.
func FindDType(v lang.Value) (tensor.DType, bool) {
	if v.Kind() == value.KindOther && v.Head().Type == &DTypeClass.Type {
		return dtypeOf(v), true
	}
	if s, ok := lang.AsStr(v); ok {
		if s.String() == "float" {
			return tensor.Float32, true
		}
		return tensor.ParseDType(s.String())
	}
	if c, ok := lang.AsClass(v); ok {
		switch c {
		case lang.FloatClass:
			return tensor.Float32, true
		case lang.BoolClass:
			return tensor.Bool, true
		}
	}
	if v.IsInt() && v.Int64() > 0 && v.Int64() < int64(len(dtypeObjects)) && tensor.DType(v.Int64()).Name() != "" {
		return tensor.DType(v.Int64()), true
	}
	if NumPyDTypeOf != nil {
		return NumPyDTypeOf(v)
	}
	return 0, false
}

// AsDType is FindDType with TensorFlow's TypeError.
func (st *State) AsDType(v lang.Value) (tensor.DType, error) {
	if dt, ok := FindDType(v); ok {
		return dt, nil
	}
	text, err := lang.Repr(st.Th, v)
	if err != nil {
		return 0, err
	}
	return 0, st.Th.TypeErrorf("Cannot convert the argument `type_value`: %s to a TensorFlow DType.", text)
}

// OptDType reads an optional dtype argument: Invalid when it is None or absent.
func (st *State) OptDType(v lang.Value) (tensor.DType, error) {
	if v.IsNone() || v.IsUnbound() {
		return tensor.Invalid, nil
	}
	return st.AsDType(v)
}

func dtypeMin(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	return dtypeBound(th, dtypeOf(a[0]), false)
}

func dtypeMax(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	return dtypeBound(th, dtypeOf(a[0]), true)
}

// dtypeBound is the largest or smallest finite value: an int, or a NumPy float of the dtype.
func dtypeBound(th *lang.Thread, dt tensor.DType, top bool) (lang.Value, error) {
	switch {
	case dt.IsFloating():
		f := dt.FloatMax()
		if !top {
			f = -f
		}
		t := tensor.Make(dt, tensor.Scalar)
		StoreFloat(t, 0, f)
		return Of(th).Item(t)
	case dt.IsInteger():
		lo, hi := dt.IntRange()
		if top {
			return uintValue(hi), nil
		}
		return lang.Int(lo), nil
	case dt == tensor.Bool:
		return lang.Bool(top), nil
	}
	word := "minimum"
	if top {
		word = "maximum"
	}
	return lang.Unbound, th.TypeErrorf("Cannot find %s value of tf.%s.", word, dt.Name())
}

func dtypeLimits(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	dt := dtypeOf(a[0])
	switch {
	case dt == tensor.Bool:
		return lang.NewTuple(lang.Int(0), lang.True), nil
	case dt.IsFloating():
		return lang.NewTuple(lang.Int(0), lang.Int(1)), nil
	case dt.IsUnsigned():
		_, hi := dt.IntRange()
		return lang.NewTuple(lang.Int(0), uintValue(hi)), nil
	case dt.IsInteger():
		_, hi := dt.IntRange()
		return lang.NewTuple(lang.Int(0), lang.Int(int64(hi))), nil
	}
	return lang.Unbound, th.ValueErrorf("%s does not have defined limits.", dt.Name())
}
