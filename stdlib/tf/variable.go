package tf

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tracer"
)

var variableRows = []row{}

func init() {
	bridge.VariableClass.New = &lang.Def{Flags: lang.DefPython, Fn: variableNew,
		Sig: "Variable(cls, initial_value=None, trainable=None, validate_shape=True, caching_device=None, name=None, variable_def=None, dtype=None, import_scope=None, constraint=None, synchronization=None, aggregation=None, shape=None, experimental_enable_variable_lifting=True)"}
	lang.DefineMethods(bridge.VariableClass, variableMethods)
}

func self(v lang.Value) *bridge.Variable {
	va, _ := bridge.AsVariable(v)
	return va
}

// prop is a computed attribute of a variable.
func prop(name string, f func(st *bridge.State, v *bridge.Variable) (lang.Value, error)) lang.Def {
	return lang.Def{Sig: name + "(self)", Flags: lang.DefProperty, Fn: onVariable(f)}
}

// method is a method of a variable without arguments.
func method(name string, f func(st *bridge.State, v *bridge.Variable) (lang.Value, error)) lang.Def {
	return lang.Def{Sig: name + "(self)", Flags: lang.DefPython, Fn: onVariable(f)}
}

func onVariable(f func(st *bridge.State, v *bridge.Variable) (lang.Value, error)) lang.Native {
	return func(th *lang.Thread, a []lang.Value) (lang.Value, error) { return f(bridge.Of(th), self(a[0])) }
}

func readVar(st *bridge.State, v *bridge.Variable) (lang.Value, error) {
	return st.Result(v.Read(st))
}

var variableMethods = []lang.Def{
	prop("name", func(_ *bridge.State, v *bridge.Variable) (lang.Value, error) { return lang.NewStr(v.Name()), nil }),
	prop("dtype", func(_ *bridge.State, v *bridge.Variable) (lang.Value, error) {
		return bridge.DTypeValue(v.Res.DType), nil
	}),
	prop("shape", func(_ *bridge.State, v *bridge.Variable) (lang.Value, error) {
		return bridge.NewShape(v.Res.Declared), nil
	}),
	prop("trainable", func(_ *bridge.State, v *bridge.Variable) (lang.Value, error) {
		if v.Given != nil {
			return *v.Given, nil
		}
		return lang.Bool(v.Trainable), nil
	}),
	prop("device", func(*bridge.State, *bridge.Variable) (lang.Value, error) {
		return lang.NewStr("/job:localhost/replica:0/task:0/device:CPU:0"), nil
	}),
	prop("constraint", func(_ *bridge.State, v *bridge.Variable) (lang.Value, error) { return v.Constraint, nil }),
	prop("handle", func(st *bridge.State, v *bridge.Variable) (lang.Value, error) { return bridge.NewRef(v.Value()), nil }),
	prop("ndim", func(_ *bridge.State, v *bridge.Variable) (lang.Value, error) {
		return lang.Int(int64(v.Res.Declared.Rank())), nil
	}),
	method("get_shape", func(_ *bridge.State, v *bridge.Variable) (lang.Value, error) {
		return bridge.NewShape(v.Res.Declared), nil
	}),
	method("value", readVar),
	method("read_value", func(st *bridge.State, v *bridge.Variable) (lang.Value, error) {
		if !st.Tracing() {
			return st.Result(v.Read(st))
		}
		st.S.Name = "Read/ReadVariableOp"
		return st.Result(st.S.Emit1(ops.Identity, nil, v.Read(st)))
	}),
	method("initialized_value", readVar),
	method("is_initialized", func(_ *bridge.State, v *bridge.Variable) (lang.Value, error) {
		return lang.Bool(v.Res.Initialized()), nil
	}),
	method("ref", func(_ *bridge.State, v *bridge.Variable) (lang.Value, error) { return bridge.NewRef(v.Value()), nil }),
	method("numpy", variableNumPy),
	{Sig: "__array__(self, dtype=None, copy=None)", Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		return variableNumPy(bridge.Of(th), self(a[0]))
	}},
	{Sig: "__complex__(self)", Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		v, err := readVar(bridge.Of(th), self(a[0]))
		if err != nil {
			return lang.Unbound, err
		}
		return th.Call(lang.ComplexClass.Value(), []lang.Value{v})
	}},
	{Sig: "assign(self, value, use_locking=False, name=None, read_value=True)", Flags: lang.DefPython, Fn: variableAssign},
	{Sig: "assign_add(self, delta, use_locking=False, name=None, read_value=True)", Flags: lang.DefPython, Fn: assignUpdate(ops.AssignAddVariableOp)},
	{Sig: "assign_sub(self, delta, use_locking=False, name=None, read_value=True)", Flags: lang.DefPython, Fn: assignUpdate(ops.AssignSubVariableOp)},
	{Sig: "scatter_update(self, sparse_delta, use_locking=False, name=None)", Flags: lang.DefPython, Fn: scatter(ops.ResourceScatterUpdate)},
	{Sig: "scatter_add(self, sparse_delta, use_locking=False, name=None)", Flags: lang.DefPython, Fn: scatter(ops.ResourceScatterAdd)},
	{Sig: "scatter_sub(self, sparse_delta, use_locking=False, name=None)", Flags: lang.DefPython, Fn: scatter(ops.ResourceScatterSub)},
	{Sig: "scatter_mul(self, sparse_delta, use_locking=False, name=None)", Flags: lang.DefPython, Fn: scatter(ops.ResourceScatterMul)},
	{Sig: "scatter_div(self, sparse_delta, use_locking=False, name=None)", Flags: lang.DefPython, Fn: scatter(ops.ResourceScatterDiv)},
	{Sig: "scatter_max(self, sparse_delta, use_locking=False, name=None)", Flags: lang.DefPython, Fn: scatter(ops.ResourceScatterMax)},
	{Sig: "scatter_min(self, sparse_delta, use_locking=False, name=None)", Flags: lang.DefPython, Fn: scatter(ops.ResourceScatterMin)},
	{Sig: "scatter_nd_update(self, indices, updates, name=None)", Flags: lang.DefPython, Fn: scatterNd(ops.ResourceScatterNdUpdate)},
	{Sig: "scatter_nd_add(self, indices, updates, name=None)", Flags: lang.DefPython, Fn: scatterNd(ops.ResourceScatterNdAdd)},
	{Sig: "scatter_nd_sub(self, indices, updates, name=None)", Flags: lang.DefPython, Fn: scatterNd(ops.ResourceScatterNdSub)},
	{Sig: "sparse_read(self, indices, name=None)", Flags: lang.DefPython, Fn: sparseRead},
	{Sig: "gather_nd(self, indices, name=None)", Flags: lang.DefPython, Fn: variableGatherNd},
	{Sig: "set_shape(self, shape)", Flags: lang.DefPython, Fn: variableSetShape},
	{Sig: "__deepcopy__(self, memo)", Fn: variableCopy},
}

func variableNumPy(st *bridge.State, v *bridge.Variable) (lang.Value, error) {
	if st.Tracing() {
		return lang.Unbound, st.Th.Raise(lang.NotImplementedError, "numpy() is only available when eager execution is enabled.")
	}
	return st.NumPy(v.Res.Peek())
}

// variableNew is tf.Variable(…): a variable with its initial value (rules B1, B2).
func variableNew(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	st := bridge.Of(th)
	init := a[1]
	if init.IsNone() {
		return lang.Unbound, th.ValueErrorf("The `initial_value` arg to `tf.Variable` must be specified except when you are not providing a `variable_def`. You provided neither.")
	}
	if err := tracer.MayCreate(st); err != nil {
		return lang.Unbound, err
	}
	dt, err := st.OptDType(a[7])
	if err != nil {
		return lang.Unbound, err
	}
	if lang.IsCallable(init) && !isValue(init) {
		if init, err = th.Call(init, nil); err != nil {
			return lang.Unbound, err
		}
	}
	x, err := st.Convert(init, dt)
	if err != nil {
		return lang.Unbound, err
	}
	shape := x.Shape()
	if !a[12].IsNone() {
		if shape, err = declaredShape(st, a[12], x.Shape()); err != nil {
			return lang.Unbound, err
		}
	}
	label, err := variableLabel(st, a[5])
	if err != nil {
		return lang.Unbound, err
	}
	trainable := a[2].IsNone()
	if !trainable {
		if trainable, err = lang.Truth(th, a[2]); err != nil {
			return lang.Unbound, err
		}
	}
	v, err := makeVariable(st, x, shape, label, trainable, a[9])
	if err == nil && !a[2].IsNone() && a[2].Kind() != value.KindBool {
		given := a[2].Held().Value()
		self(v).Given = &given
	}
	return v, err
}

// isValue keeps tensors with a __call__ (there are none) and arrays from being
// called as initialisers.
func isValue(v lang.Value) bool {
	_, ok := bridge.AsIR(v)
	return ok
}

func declaredShape(st *bridge.State, v lang.Value, actual tensor.Shape) (tensor.Shape, error) {
	s, err := st.AsShape(v)
	if err == nil && !tensor.Compatible(s, actual) {
		err = st.Th.ValueErrorf("In this `tf.Variable` creation, the initial value's shape (%s) is not compatible with the explicitly supplied `shape` argument (%s).", actual.String(), s.String())
	}
	return s, err
}

// variableLabel is the scoped name of a new variable.
func variableLabel(st *bridge.State, name lang.Value) (string, error) {
	n, err := bridge.OptName(st.Th, name)
	if n == "" {
		n = "Variable"
	}
	return st.Scope + n, err
}

func makeVariable(st *bridge.State, x ir.Value, shape tensor.Shape, label string, trainable bool, constraint lang.Value) (lang.Value, error) {
	res := tensor.NewResource(label, x.DType(), shape)
	va := bridge.NewVariable(&ir.Var{Res: res, Trainable: trainable, Serial: st.NextSerial()}, label)
	va.Constraint = constraint.Held().Value()
	if st.Tracing() {
		tracer.Made(st, va, x)
		return va.Value(), nil
	}
	t, err := eager(st, x)
	if err != nil {
		return lang.Unbound, err
	}
	if err := res.Assign(&st.X.Allocator, t); err != nil {
		return lang.Unbound, st.Exception(err)
	}
	return va.Value(), nil
}

// eager is x as a tensor; a symbol that leaked out of its function is an error.
func eager(st *bridge.State, x ir.Value) (*tensor.Tensor, error) {
	if t, ok := x.(*tensor.Tensor); ok {
		return t, nil
	}
	if s, ok := x.(*ir.Sym); ok {
		return nil, st.Th.TypeErrorf("%s", tracer.OutOfScope(s))
	}
	return nil, st.Th.TypeErrorf("a tensor is needed here")
}

// variableAssign is v.assign(value) (rules B2 to B4).
func variableAssign(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	st, v := bridge.Of(th), self(a[0])
	x, err := assigned(st, v, a[1])
	if err != nil {
		return lang.Unbound, err
	}
	if !tensor.Compatible(x.Shape(), v.Res.Declared) {
		return lang.Unbound, th.ValueErrorf("Cannot assign value to variable ' %s': Shape mismatch.The variable shape %s, and the assigned value shape %s are incompatible.",
			v.Label+":0", v.Res.Declared.String(), x.Shape().String())
	}
	st.At().EmitAll(ops.AssignVariableOp, nil, v.Operand(), x)
	return afterWrite(st, v, a[4])
}

// assigned converts a value for the variable: Python values and arrays take its dtype.
func assigned(st *bridge.State, v *bridge.Variable, val lang.Value) (ir.Value, error) {
	return st.Convert(val, v.Res.DType)
}

func afterWrite(st *bridge.State, v *bridge.Variable, read lang.Value) (lang.Value, error) {
	if err := st.Err(); err != nil {
		return lang.Unbound, err
	}
	if ok, err := lang.Truth(st.Th, read); !ok {
		return lang.None, err
	}
	return v.AfterWrite(), nil
}

func assignUpdate(op *ir.Op) lang.Native {
	return func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		st, v := bridge.Of(th), self(a[0])
		x, err := assigned(st, v, a[1])
		if err != nil {
			return lang.Unbound, err
		}
		st.At().EmitAll(op, nil, v.Operand(), x)
		return afterWrite(st, v, a[4])
	}
}

// scatter is v.scatter_add(IndexedSlices) and its kin (rule B9).
func scatter(op *ir.Op) lang.Native {
	return func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		st, v := bridge.Of(th), self(a[0])
		sl, ok := bridge.AsSlices(a[1])
		if !ok {
			text, err := lang.Repr(th, a[1])
			if err != nil {
				return lang.Unbound, err
			}
			return lang.Unbound, th.TypeErrorf("Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: %s", text)
		}
		s := st.At()
		s.EmitAll(op, nil, v.Operand(), sl.Indices, st.Cast(sl.Values, v.Res.DType))
		return afterWrite(st, v, lang.True)
	}
}

func scatterNd(op *ir.Op) lang.Native {
	return func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		st, v := bridge.Of(th), self(a[0])
		idx, err := st.Hint(a[1], tensor.Int32)
		if err != nil {
			return lang.Unbound, err
		}
		x, err := assigned(st, v, a[2])
		if err != nil {
			return lang.Unbound, err
		}
		st.At().EmitAll(op, nil, v.Operand(), idx, x)
		return afterWrite(st, v, lang.True)
	}
}

func sparseRead(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	st, v := bridge.Of(th), self(a[0])
	idx, err := st.Hint(a[1], tensor.Int32)
	if err != nil {
		return lang.Unbound, err
	}
	return st.Result(st.At().Emit2(ops.ResourceGather, &ops.GatherAttrs{}, v.Operand(), idx))
}

func variableGatherNd(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	st, v := bridge.Of(th), self(a[0])
	idx, err := st.Hint(a[1], tensor.Int32)
	if err != nil {
		return lang.Unbound, err
	}
	return st.Result(st.At().Emit2(ops.GatherNd, nil, v.Read(st), idx))
}

func variableSetShape(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	st, v := bridge.Of(th), self(a[0])
	s, err := st.AsShape(a[1])
	if err != nil {
		return lang.Unbound, err
	}
	m, ok := tensor.Merge(v.Res.Declared, s)
	if !ok {
		return lang.Unbound, th.ValueErrorf("Shapes %s and %s are not compatible", v.Res.Declared.String(), s.String())
	}
	v.Res.Declared = m
	return lang.None, nil
}

// variableCopy is copy.deepcopy(v): storage of its own (rule B7).
func variableCopy(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	st, v := bridge.Of(th), self(a[0])
	return makeVariable(st, v.Res.Peek(), v.Res.Declared, v.Label, v.Trainable, v.Constraint)
}
