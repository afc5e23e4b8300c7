package bridge

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// TypeSpecClass is tf.TypeSpec, the base of all specs.
var TypeSpecClass = lang.NewPythonClass("TypeSpec", "tensorflow.python.framework.type_spec", value.KindOther)

// SpecClass is tf.TensorSpec.
var SpecClass = lang.NewPythonClass("TensorSpec", "tensorflow.python.framework.tensor", value.KindOther, TypeSpecClass)

// Spec is a tf.TensorSpec as a script object.
type Spec struct {
	value.Header
	Shape tensor.Shape
	DT    tensor.DType
	Name  string // "" for None
}

// NewSpec makes a tf.TensorSpec.
func NewSpec(s tensor.Shape, dt tensor.DType, name string) lang.Value {
	o := &Spec{value.Header{Type: &SpecClass.Type, Kind: value.KindOther}, s, dt, name}
	return value.Of(&o.Header)
}

// AsSpec is v as a tf.TensorSpec.
func AsSpec(v lang.Value) (*Spec, bool) {
	if v.Kind() == value.KindOther && v.Head().Type == &SpecClass.Type {
		return (*Spec)(unsafe.Pointer(v.P)), true
	}
	return nil, false
}

func specOf(v lang.Value) *Spec { return (*Spec)(unsafe.Pointer(v.P)) }

func init() {
	c := SpecClass
	c.New = &lang.Def{Sig: "TensorSpec(cls, shape, dtype=..., name=None)", Fn: specNew}
	c.Repr = func(_ *lang.Thread, v lang.Value) (lang.Value, error) { return lang.NewStr(specOf(v).Text()), nil }
	c.Hash = func(th *lang.Thread, v lang.Value) (int64, error) {
		s := specOf(v)
		h, err := shapeHash(th, NewShape(s.Shape))
		return h*31 + int64(s.DT), err
	}
	c.Compare = specCompare
	lang.DefineMethods(c, []lang.Def{
		{Sig: "shape(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) { return NewShape(specOf(a[0]).Shape), nil }},
		{Sig: "dtype(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) { return DTypeValue(specOf(a[0]).DT), nil }},
		{Sig: "name(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) { return optStr(specOf(a[0]).Name), nil }},
		{Sig: "is_compatible_with(self, spec_or_tensor)", Fn: specCompatible},
		{Sig: "from_tensor(cls, tensor, name=None)", Flags: lang.DefClassMethod, Fn: specFromTensor},
		{Sig: "from_spec(cls, spec, name=None)", Flags: lang.DefClassMethod, Fn: specFromSpec},
	})
}

func optStr(s string) lang.Value {
	if s == "" {
		return lang.None
	}
	return lang.NewStr(s)
}

// Text is the repr of the spec.
func (s *Spec) Text() string {
	name := "None"
	if s.Name != "" {
		name = "'" + s.Name + "'"
	}
	return "TensorSpec(shape=" + s.Shape.String() + ", dtype=tf." + s.DT.Name() + ", name=" + name + ")"
}

func specNew(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	st := Of(th)
	shape, err := st.AsShape(a[1])
	if err != nil {
		return lang.Unbound, err
	}
	dt := tensor.Float32
	if !a[2].IsUnbound() {
		if dt, err = st.AsDType(a[2]); err != nil {
			return lang.Unbound, err
		}
	}
	name, err := OptName(th, a[3])
	return NewSpec(shape, dt, name), err
}

// OptName reads a name= argument: "" for None.
func OptName(th *lang.Thread, v lang.Value) (string, error) {
	if v.IsNone() || v.IsUnbound() {
		return "", nil
	}
	return lang.StrOf(th, v)
}

func specCompare(_ *lang.Thread, op lang.CompareOp, a, b lang.Value) (lang.Value, error) {
	x, okx := AsSpec(a)
	y, oky := AsSpec(b)
	if op != lang.EQ && op != lang.NE || !okx || !oky {
		return lang.NotImplemented, nil
	}
	same := x.Shape == y.Shape && x.DT == y.DT && x.Name == y.Name
	return lang.Bool(same == (op == lang.EQ)), nil
}

func specCompatible(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	s := specOf(a[0])
	if o, ok := AsSpec(a[1]); ok {
		return lang.Bool(s.DT == o.DT && tensor.Compatible(s.Shape, o.Shape)), nil
	}
	if v, ok := AsIR(a[1]); ok {
		return lang.Bool(s.DT == v.DType() && tensor.Compatible(s.Shape, v.Shape())), nil
	}
	return lang.False, nil
}

func specFromTensor(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	v, ok := AsIR(a[1])
	if !ok {
		return lang.Unbound, th.ValueErrorf("`tensor` should be a tf.Tensor, but got type <class '%s'>.", lang.ClassOf(a[1]).FullName())
	}
	name, err := OptName(th, a[2])
	return NewSpec(v.Shape(), v.DType(), name), err
}

func specFromSpec(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	s, ok := AsSpec(a[1])
	if !ok {
		return lang.Unbound, th.TypeErrorf("from_spec needs a TensorSpec, got %s", lang.TypeName(a[1]))
	}
	name, err := OptName(th, a[2])
	if name == "" {
		name = s.Name
	}
	return NewSpec(s.Shape, s.DT, name), err
}
