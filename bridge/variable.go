package bridge

import (
	"unsafe"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/format"
)

// VariableClass is tf.Variable; ResourceVariableClass is the class of what it
// makes, as type() shows it.
var (
	VariableClass         = lang.NewPythonClass("Variable", "tensorflow.python.ops.variables", value.KindOther)
	ResourceVariableClass = lang.NewPythonClass("ResourceVariable", "tensorflow.python.ops.resource_variable_ops", value.KindVariable, VariableClass)
)

// Variable is a tf.Variable as a script object.
type Variable struct {
	value.Header
	*ir.Var
	// Label is the name without ":0"; Unread marks the result of an assignment,
	// which prints its name without ":0".
	Label  string
	Unread bool
	// Constraint is the constraint= argument, or None.
	Constraint lang.Value
	// Given is the trainable= argument if it is neither a bool nor None.
	Given *lang.Value
	// Handle stands for the variable while a trace made it or got it as argument.
	Handle ir.Value
	// Ext is what the tracer keeps of it.
	Ext any

	dict *lang.Dict // attributes that a script set
}

// NewVariable makes the script object of a variable; read is its label.
func NewVariable(v *ir.Var, label string) *Variable {
	o := &Variable{Header: value.Header{Type: &ResourceVariableClass.Type, Kind: value.KindVariable},
		Var: v, Label: label, Constraint: lang.None}
	if v.Object == nil {
		v.Object = o
	}
	return o
}

// Value is v as a script value.
func (v *Variable) Value() lang.Value { return value.Of(&v.Header) }

// Same reports that both stand for the same storage.
func (v *Variable) Same(w *Variable) bool { return v.Res == w.Res }

// AsVariable is v as a tf.Variable.
func AsVariable(v lang.Value) (*Variable, bool) {
	if v.Kind() == value.KindVariable {
		return (*Variable)(unsafe.Pointer(v.P)), true
	}
	return nil, false
}

// Operand is what ops take for the variable: its handle.
func (v *Variable) Operand() ir.Value {
	if v.Handle != nil {
		return v.Handle
	}
	return v.Var
}

// Read emits a read of the variable.
func (v *Variable) Read(st *State) ir.Value {
	return st.At().Emit1(readVariable, nil, v.Operand())
}

// Dict holds the attributes that a script set; nil before the first.
func (v *Variable) Dict() *lang.Dict { return v.dict }

// NextSerial numbers variables in order of creation.
func (st *State) NextSerial() uint64 {
	st.serial++
	return st.serial
}

// AfterWrite is what an assignment returns: a variable on the same storage that
// prints as unread and chains.
func (v *Variable) AfterWrite() lang.Value {
	w := NewVariable(v.Var, v.Label)
	w.Unread, w.Handle, w.Constraint = true, v.Handle, v.Constraint
	return w.Value()
}

// Name is the variable's name as scripts see it.
func (v *Variable) Name() string {
	if v.Unread {
		return "UnreadVariable"
	}
	return v.Label + ":0"
}

// DType and Shape of a variable are those of its value, as declared.
func (v *Variable) DType() tensor.DType { return v.Res.DType }

// Shape is the declared shape.
func (v *Variable) Shape() tensor.Shape { return v.Res.Declared }

// attr is what a script set on the variable.
func (v *Variable) attr(name string) (lang.Value, bool) {
	if v.dict == nil {
		return lang.Unbound, false
	}
	return v.dict.GetStr(name)
}

func variableGetAttr(th *lang.Thread, o lang.Value, name *lang.Str) (lang.Value, error) {
	v, _ := AsVariable(o)
	if x, ok := v.attr(name.String()); ok {
		return x, nil
	}
	return lang.GenericGetAttr(th, o, name)
}

func variableSetAttr(th *lang.Thread, o lang.Value, name *lang.Str, x lang.Value) error {
	v, _ := AsVariable(o)
	if x.IsUnbound() {
		if v.dict == nil || !v.dict.DelStr(name.String()) {
			return lang.NoAttribute(th, o, name.String())
		}
		return nil
	}
	if v.dict == nil {
		v.dict = lang.NewDict()
	}
	v.dict.PutStr(name.String(), x)
	return nil
}

func init() {
	c := ResourceVariableClass
	operators(c)
	c.GetAttr, c.SetAttr = variableGetAttr, variableSetAttr
	c.GetItem = variableGetItem
	c.Hash = func(th *lang.Thread, o lang.Value) (int64, error) {
		s, err := lang.Repr(th, o)
		if err != nil {
			return 0, err
		}
		return 0, th.TypeErrorf("Variable is unhashable. Instead, use variable.ref() as the key. (Variable: %s)", s)
	}
	c.Truth = onValue(lang.Truth)
	c.Iter = onValue(lang.Iter)
	c.Int = onValue(func(th *lang.Thread, v lang.Value) (lang.Value, error) {
		return th.Call(lang.IntClass.Value(), []lang.Value{v})
	})
	c.Float = onValue(lang.FloatOf)
	c.InPlace = variableInPlace
	c.Repr, c.Str = variableRepr, variableRepr
	c.Format = func(th *lang.Thread, o lang.Value, spec string) (string, error) {
		if spec != "" {
			return "", th.TypeErrorf("unsupported format string passed to ResourceVariable.__format__")
		}
		return lang.Repr(th, o)
	}
	c.Contains = func(th *lang.Thread, o, x lang.Value) (bool, error) {
		v, err := readValue(th, o)
		if err != nil {
			return false, err
		}
		return lang.Contains(th, v, x)
	}
}

// readValue reads the variable behind o.
func readValue(th *lang.Thread, o lang.Value) (lang.Value, error) {
	v, _ := AsVariable(o)
	st := Of(th)
	return st.Result(v.Read(st))
}

// onValue applies a protocol function to the variable's value.
func onValue[T any](f func(*lang.Thread, lang.Value) (T, error)) func(*lang.Thread, lang.Value) (T, error) {
	return func(th *lang.Thread, o lang.Value) (T, error) {
		v, err := readValue(th, o)
		if err != nil {
			var zero T
			return zero, err
		}
		return f(th, v)
	}
}

// variableGetItem is v[key]; the result can be assigned to.
func variableGetItem(th *lang.Thread, o, key lang.Value) (lang.Value, error) {
	v, _ := AsVariable(o)
	x, err := tensorGetItem(th, o, key)
	if err != nil {
		return x, err
	}
	r, _ := AsIR(x)
	Of(th).LastSlice = SliceOf{r, v, key.Held()}
	return x, nil
}

// variableInPlace refuses v += x and its kin (rule B5).
func variableInPlace(th *lang.Thread, op lang.BinaryOp, a, b lang.Value, _ uint8) (lang.Value, error) {
	if _, ok := AsVariable(a); !ok {
		return lang.NotImplemented, nil
	}
	switch op {
	case lang.OpAdd:
		return lang.Unbound, th.Raise(lang.RuntimeError, "`variable += value` with `tf.Variable`s is not supported. Use `variable.assign_add(value)` to modify the variable, or `out = variable + value` if you need to get a new output Tensor.")
	case lang.OpSub:
		return lang.Unbound, th.Raise(lang.RuntimeError, "`variable -= value` with `tf.Variable`s is not supported. Use `variable.assign_sub(value)` to modify the variable, or `out = variable - value` if you need to get a new output Tensor.")
	case lang.OpMul, lang.OpDiv, lang.OpPow:
		sym := map[lang.BinaryOp]string{lang.OpMul: "*", lang.OpDiv: "/", lang.OpPow: "**"}[op]
		return lang.Unbound, th.Raise(lang.RuntimeError, "`var %s= value` with `tf.Variable`s is not supported. Use `var.assign(var %s value)` to modify the variable, or `out = var %s value` if you need to get a new output Tensor.", sym, sym, sym)
	}
	return lang.NotImplemented, nil
}

func variableRepr(th *lang.Thread, o lang.Value) (lang.Value, error) {
	v, _ := AsVariable(o)
	st := Of(th)
	text := "<tf.Variable '" + v.Name() + "' shape=" + v.Res.Declared.String() + " dtype=" + v.Res.DType.Name()
	if v.Unread && v.Res.Initialized() {
		text = "<tf.Variable 'UnreadVariable' shape=" + v.Res.Shape().String() + " dtype=" + v.Res.DType.Name()
	}
	if !st.Tracing() && v.Res.Initialized() {
		text += ", numpy=" + format.NumpyField(v.Res.Peek(), st.PrintOptions())
	}
	return lang.NewStr(text + ">"), nil
}
