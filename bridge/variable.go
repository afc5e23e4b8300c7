package bridge

import (
	"unsafe"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// VariableClass is tf.Variable; ResourceVariableClass is the class of what it
// makes, as type() shows it.
var (
	VariableClass         = lang.NewBuiltinClass("Variable", "tensorflow.python.ops.variables", value.KindOther)
	ResourceVariableClass = lang.NewBuiltinClass("ResourceVariable", "tensorflow.python.ops.resource_variable_ops", value.KindVariable, VariableClass)
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
	// Handle stands for the variable while a trace made it or got it as argument.
	Handle ir.Value
	// Ext is what the tracer keeps of it.
	Ext any

	dict *lang.Dict // attributes that a script set
}

// NewVariable makes the script object of a variable; read is its label.
func NewVariable(v *ir.Var, label string) *Variable {
	return &Variable{Header: value.Header{Type: &ResourceVariableClass.Type, Kind: value.KindVariable},
		Var: v, Label: label, Constraint: lang.None}
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
