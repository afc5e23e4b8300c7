package bridge

import (
	"unsafe"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// The classes of tensors. tf.Tensor is the base of both; EagerTensor is known to
// messages by its full name, as TensorFlow's is.
var (
	TensorClass   = lang.NewPythonClass("Tensor", "tensorflow.python.framework.tensor", value.KindOther)
	EagerClass    = lang.NewBuiltinClass("EagerTensor", "tensorflow.python.framework.ops", value.KindTensor, TensorClass)
	SymbolicClass = lang.NewPythonClass("SymbolicTensor", "tensorflow.python.framework.ops", value.KindSym, TensorClass)
)

func symOf(v lang.Value) *ir.Sym { return (*ir.Sym)(unsafe.Pointer(v.P)) }

func init() {
	TensorClass.Flags |= lang.ClassNoNew
	eagerSlots(EagerClass)
	symbolicSlots(SymbolicClass)
	lang.DefineMethods(TensorClass, tensorMethods)
	lang.DefineMethods(EagerClass, eagerMethods)
	tensor.EagerType = &EagerClass.Type
	ir.SymType = &SymbolicClass.Type
}

// operators are the slots that tensors of both kinds and variables share.
func operators(c *lang.Class) {
	c.Binary, c.Compare, c.Unary = tensorBinary, tensorCompare, tensorUnary
	c.GetItem = tensorGetItem
}

func eagerSlots(c *lang.Class) {
	operators(c)
	c.Repr, c.Str, c.Format = eagerRepr, eagerStr, eagerFormat
	c.Hash = func(th *lang.Thread, _ lang.Value) (int64, error) {
		return 0, th.TypeErrorf("Tensor is unhashable. Instead, use tensor.ref() as the key.")
	}
	c.Truth = func(th *lang.Thread, v lang.Value) (bool, error) { return Of(th).Truth(tensor.Of(v)) }
	c.Len, c.Iter, c.Contains = eagerLen, eagerIter, tensorContains
	c.Index, c.Int, c.Float = eagerIndex, eagerInt, eagerFloat
	c.GetAttr, c.SetAttr = eagerGetAttr, eagerSetAttr
	c.SetItem = func(th *lang.Thread, v, _, _ lang.Value) error {
		return th.TypeErrorf("'%s' object does not support item assignment", lang.TypeName(v))
	}
	c.Size = func(v lang.Value) int { return tensor.Of(v).Shape().NumElements() * tensor.Of(v).DType().Size() }
	c.Keep = func(th *lang.Thread, p unsafe.Pointer) { Of(th).X.Allocator.Keep((*tensor.Tensor)(p)) }
	c.Track = trackTensor
	c.Drop = func(th *lang.Thread, p unsafe.Pointer) { Of(th).X.Allocator.Drop((*tensor.Tensor)(p)) }
}

func symbolicSlots(c *lang.Class) {
	operators(c)
	c.Repr, c.Str, c.Format = symRepr, symStr, symFormat
	c.Hash = func(th *lang.Thread, _ lang.Value) (int64, error) {
		return 0, th.TypeErrorf("Tensor is unhashable. Instead, use tensor.ref() as the key.")
	}
	c.Truth, c.Iter, c.Len = symTruth, symIter, symLen
	c.Contains = tensorContains
	c.Index, c.Int = symNumber("__index__"), symNumber("int")
	c.Float = symFloat
	c.SetItem = func(th *lang.Thread, v, _, _ lang.Value) error {
		return th.TypeErrorf("'%s' object does not support item assignment", lang.TypeName(v))
	}
	c.GetAttr, c.SetAttr = symGetAttr, symSetAttr
}

// tensorMethods are what eager and symbolic tensors have.
var tensorMethods = []lang.Def{
	{Sig: "shape(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
		x, _ := AsIR(a[0])
		return NewShape(x.Shape()), nil
	}},
	{Sig: "get_shape(self)", Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
		x, _ := AsIR(a[0])
		return NewShape(x.Shape()), nil
	}},
	{Sig: "dtype(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
		x, _ := AsIR(a[0])
		return DTypeValue(x.DType()), nil
	}},
	{Sig: "ndim(self)", Flags: lang.DefProperty, Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		x, _ := AsIR(a[0])
		return dimValue(x.Shape().Rank()), nil
	}},
	{Sig: "set_shape(self, shape)", Fn: tensorSetShape},
	{Sig: "ref(self)", Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) { return NewRef(a[0]), nil }},
	{Sig: "__array_priority__(self)", Flags: lang.DefProperty, Fn: func(*lang.Thread, []lang.Value) (lang.Value, error) { return lang.Int(100), nil }},
}

// eagerMethods are what only eager tensors have.
var eagerMethods = []lang.Def{
	{Sig: "numpy(self)", Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) { return Of(th).NumPy(tensor.Of(a[0])) }},
	{Sig: "device(self)", Flags: lang.DefProperty, Fn: func(*lang.Thread, []lang.Value) (lang.Value, error) {
		return lang.NewStr("/job:localhost/replica:0/task:0/device:CPU:0"), nil
	}},
	{Sig: "backing_device(self)", Flags: lang.DefProperty, Fn: func(*lang.Thread, []lang.Value) (lang.Value, error) {
		return lang.NewStr("/job:localhost/replica:0/task:0/device:CPU:0"), nil
	}},
	{Sig: "cpu(self)", Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) { return a[0], nil }},
	{Sig: "gpu(self, gpu_index=0)", Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		return lang.Unbound, th.Raise(lang.RuntimeError, "Error copying tensor to device: GPU:0. GPU:0 unknown device.")
	}},
	{Sig: "__complex__(self)", Fn: eagerComplex},
	{Sig: "__round__(self, ndigits=None)", Fn: func(th *lang.Thread, _ []lang.Value) (lang.Value, error) {
		return lang.Unbound, th.Raise(lang.AttributeError, "EagerTensor object has no attribute 'astype'. %s", adviceText)
	}},
	{Sig: "__array__(self, dtype=None, copy=None)", Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) { return Of(th).NumPy(tensor.Of(a[0])) }},
	{Sig: "__copy__(self)", Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) { return a[0], nil }},
	{Sig: "__deepcopy__(self, memo)", Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		t, err := Of(th).X.Copy(tensor.Of(a[0]))
		if err != nil {
			return lang.Unbound, Of(th).Exception(err)
		}
		return t.Value(), nil
	}},
}

func tensorSetShape(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	st := Of(th)
	want, err := st.AsShape(a[1])
	if err != nil {
		return lang.Unbound, err
	}
	x, _ := AsIR(a[0])
	m, ok := tensor.Merge(x.Shape(), want)
	switch s, sym := x.(*ir.Sym); {
	case !ok && sym:
		return lang.Unbound, incompatible(th, x.Shape(), want)
	case !ok:
		return lang.Unbound, th.ValueErrorf("Tensor's shape %s is not compatible with supplied shape %s.", x.Shape().String(), want.String())
	case sym:
		s.Shp = m
	}
	return lang.None, nil
}

// numpyAdvice lists attributes for which TensorFlow points to its NumPy mode.
var numpyAdvice = map[string]bool{"T": true, "astype": true, "ravel": true, "transpose": true, "reshape": true,
	"clip": true, "size": true, "tolist": true, "data": true}

// adviceText follows "object has no attribute 'T'." in TensorFlow.
const adviceText = `
        If you are looking for numpy-related methods, please run the following:
        tf.experimental.numpy.experimental_enable_numpy_behavior()
      `

// graphOnly are attributes of symbolic tensors that eager ones refuse.
var graphOnly = map[string]bool{"name": true, "op": true, "graph": true, "consumers": true, "value_index": true}

func eagerGetAttr(th *lang.Thread, v lang.Value, name *lang.Str) (lang.Value, error) {
	n := name.String()
	if graphOnly[n] {
		return lang.Unbound, th.Raise(lang.AttributeError, "Tensor.%s is undefined when eager execution is enabled.", n)
	}
	if d := Of(th).attrs[tensor.Of(v)]; d != nil {
		if x, ok := d.GetStr(n); ok {
			return x, nil
		}
	}
	if n == "assign" {
		if f, ok := Of(th).sliceAssign(tensor.Of(v)); ok {
			return f, nil
		}
	}
	if numpyAdvice[n] {
		return lang.Unbound, th.Raise(lang.AttributeError, "EagerTensor object has no attribute '%s'. %s", n, adviceText)
	}
	return lang.GenericGetAttr(th, v, name)
}

// eagerSetAttr keeps attributes beside the tensor: few scripts set any.
func eagerSetAttr(th *lang.Thread, v lang.Value, name *lang.Str, x lang.Value) error {
	st := Of(th)
	t := tensor.Of(v.Held().Value())
	d := st.attrs[t]
	if x.IsUnbound() {
		if d == nil || !d.DelStr(name.String()) {
			return lang.NoAttribute(th, v, name.String())
		}
		return nil
	}
	if d == nil {
		d = lang.NewDict()
		if st.attrs == nil {
			st.attrs = map[*tensor.Tensor]*lang.Dict{}
		}
		st.attrs[t] = d
	}
	d.PutStr(name.String(), x)
	return nil
}

func eagerLen(th *lang.Thread, v lang.Value) (int, error) {
	t := tensor.Of(v)
	if t.Rank() == 0 {
		return 0, th.TypeErrorf("Scalar tensor has no `len()`")
	}
	return t.Dims()[0], nil
}

// Truth is bool(t): NumPy's rule.
func (st *State) Truth(t *tensor.Tensor) (bool, error) {
	switch t.Len() {
	case 0:
		return false, nil
	case 1:
		return nonzero(t), nil
	}
	return false, st.Th.ValueErrorf("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
}

func nonzero(t *tensor.Tensor) bool {
	switch dt := t.DType(); {
	case dt == tensor.String:
		return len(t.Str(0)) > 0
	case dt.IsFloating():
		return LoadFloat(t, 0) != 0
	case dt.IsComplex():
		return LoadComplex(t, 0) != 0
	}
	return LoadInt(t, 0) != 0
}

// Item is the one element of t as a NumPy scalar, or bytes.
func (st *State) Item(t *tensor.Tensor) (lang.Value, error) { return NumPyScalar(st, t) }

// PyItem is element i of t as a plain Python object.
func PyItem(t *tensor.Tensor, i int) lang.Value {
	switch dt := t.DType(); {
	case dt == tensor.String:
		return lang.NewBytes(string(t.Str(i)))
	case dt == tensor.Bool:
		return lang.Bool(t.Bools()[i])
	case dt.IsFloating():
		return lang.Float(LoadFloat(t, i))
	case dt.IsComplex():
		return lang.NewComplex(LoadComplex(t, i))
	case dt == tensor.Uint64:
		return uintValue(tensor.Data[uint64](t)[i])
	}
	return lang.Int(LoadInt(t, i))
}

// tensorContains is `x in t`: any element equal, which needs values.
func tensorContains(th *lang.Thread, v, x lang.Value) (bool, error) {
	it, err := lang.Iter(th, v)
	if err != nil {
		return false, err
	}
	for {
		e, ok, err := lang.Next(th, it)
		if err != nil || !ok {
			return false, err
		}
		same, err := lang.Equal(th, e, x)
		if err != nil || same {
			return same, err
		}
	}
}

// trackTensor waits for the end of a tensor: a weak reference to it exists.
func trackTensor(th *lang.Thread, v lang.Value) bool {
	x := &Of(th).X.Allocator
	if x.OnEnd == nil {
		x.OnEnd = func(t *tensor.Tensor) { th.Interp.Main.Ended(t.Value()) }
	}
	t := tensor.Of(v)
	t.Flags |= value.FlagWeakRef
	return t.Own != 0
}
