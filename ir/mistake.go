package ir

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tfs-lang/tfs/tensor"
)

// Mistake is what is wrong with a call, as data. A nil *Mistake is none.
type Mistake struct {
	Kind Kind
	Args []any
}

// Kind names a sort of mistake; words holds the texts.
type Kind uint8

// Error is a worded mistake: an exception of class Class ("InvalidArgumentError"
// is one of tf.errors) with that text.
type Error struct {
	Class string
	Text  string
	Kind  Kind
	Op    string
	Cause error // of a HostError or LimitError
}

func (e *Error) Error() string { return e.Class + ": " + e.Text }

// Unwrap is the error that a host function returned, or the allocator's.
func (e *Error) Unwrap() error { return e.Cause }

// Wrong is a mistake with a free text: class and text are the same eager and traced.
func Wrong(class, format string, args ...any) *Mistake {
	return &Mistake{FreeText, []any{class, fmt.Sprintf(format, args...)}}
}

// Invalid is an InvalidArgumentError with a free text.
func Invalid(format string, args ...any) *Mistake {
	return Wrong("InvalidArgumentError", format, args...)
}

// Raise is a mistake that carries an error from outside: of a host function or
// the allocator.
func Raise(err error) *Mistake {
	var full *tensor.NoRoomError
	if errors.As(err, &full) {
		return Wrong("ResourceExhaustedError", "%s", full.Error())
	}
	return &Mistake{HostError, []any{err}}
}

// Eager words m for an op that ran now; c may be nil.
func (m *Mistake) Eager(c *Call) error {
	w := &words[m.Kind]
	if m.Kind == HostError {
		return m.Args[0].(error)
	}
	class, text := w.class, ""
	bare := w.bare
	switch m.Kind {
	case FreeText:
		class, text = m.Args[0].(string), m.Args[1].(string)
		bare = !strings.HasSuffix(class, "Error") || class == "ValueError" || class == "TypeError"
	case DTypesDiffer, WrongArgDType:
		text = m.eagerDTypes()
	case DTypeNotAllowed:
		text = m.eagerNotAllowed()
	default:
		text = m.fill(w.text, tensor.DType.CName)
	}
	if c == nil || bare {
		return &Error{Class: class, Text: text, Kind: m.Kind}
	}
	if m.Kind != DTypesDiffer && m.Kind != WrongArgDType && m.Kind != DTypeNotAllowed {
		text = "{{function_node __wrapped__" + c.Op.Name + wrappedAttrs(c) +
			"_device_/job:localhost/replica:0/task:0/device:CPU:0}} " + text
	}
	return &Error{Class: class, Text: text + " [Op:" + c.Op.Name + "] name: " + c.Name, Kind: m.Kind, Op: c.Op.Name}
}

// wrappedAttrs is what TensorFlow appends to an op's name for list operands.
func wrappedAttrs(c *Call) string {
	if c.Op.Def == nil {
		return ""
	}
	for _, a := range c.Op.Def.Args() {
		if a.List && c.Op.Name != "If" && c.Op.Name != "While" {
			n := len(c.In) - len(c.Op.Def.Args()) + 1
			return fmt.Sprintf("_N_%d", n)
		}
	}
	return ""
}

// Traced words m for an op in a graph. node is the text of the node that was
// about to be made, as in Node.Text.
func (m *Mistake) Traced(node string) error {
	w := &words[m.Kind]
	switch m.Kind {
	case HostError:
		return m.Args[0].(error)
	case FreeText:
		class := m.Args[0].(string)
		if class == "InvalidArgumentError" && node != "" {
			return &Error{Class: "ValueError", Text: m.Args[1].(string) + " for " + node, Kind: m.Kind}
		}
		return &Error{Class: class, Text: m.Args[1].(string), Kind: m.Kind}
	case DTypesDiffer:
		return &Error{Class: "TypeError", Text: m.tracedDTypes(), Kind: m.Kind}
	case WrongArgDType:
		op, a := m.Args[0].(*Op), m.Args[2].(int)
		return &Error{Class: "TypeError", Kind: m.Kind, Text: fmt.Sprintf("Input '%s' of '%s' Op has type %s that does not match expected type of %s.",
			op.Def.Args()[a].Name, op.Name, m.Args[4].(tensor.DType).Name(), m.Args[3].(tensor.DType).Name())}
	case DTypeNotAllowed:
		return &Error{Class: "TypeError", Text: m.tracedNotAllowed(), Kind: m.Kind}
	}
	class, text := w.tracedClass, w.traced
	if text == "" {
		text = w.text
	}
	if class == "" {
		class = w.class
	}
	if class == "InvalidArgumentError" {
		class = "ValueError"
	}
	text = m.fill(text, tensor.DType.Name)
	if !w.bare && node != "" {
		text += " for " + node
	}
	return &Error{Class: class, Text: text, Kind: m.Kind}
}

// Runtime words m for a node that ran in the function fn.
func (m *Mistake) Runtime(fn, node string, c *Call) error {
	if m.Kind == HostError {
		return m.Args[0].(error)
	}
	e, ok := m.Eager(nil).(*Error)
	if !ok {
		return m.Eager(nil)
	}
	e.Op = c.Op.Name
	e.Text = "{{function_node " + fn + "}} " + e.Text + "\n\t [[{{node " + node + "}}]] [Op:" + fn + "]"
	return e
}

// fill puts the arguments into a text, which may use none.
func (m *Mistake) fill(text string, dtype func(tensor.DType) string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	return fmt.Sprintf(text, m.args(dtype)...)
}

// args are the arguments as the texts show them.
func (m *Mistake) args(dtype func(tensor.DType) string) []any {
	out := make([]any, len(m.Args))
	for i, a := range m.Args {
		switch a := a.(type) {
		case tensor.Shape:
			out[i] = a.Brackets()
		case tensor.DType:
			out[i] = dtype(a)
		default:
			out[i] = a
		}
	}
	return out
}

func (m *Mistake) eagerDTypes() string {
	return fmt.Sprintf("cannot compute %s as input #%d(zero-based) was expected to be a %s tensor but is a %s tensor",
		m.Args[0].(*Op).Name, m.Args[1], m.Args[3].(tensor.DType).CName(), m.Args[4].(tensor.DType).CName())
}

func (m *Mistake) tracedDTypes() string {
	op, a := m.Args[0].(*Op), m.Args[2].(int)
	arg := op.Def.Args()[a]
	want, got := m.Args[3].(tensor.DType), m.Args[4].(tensor.DType)
	if arg.List {
		return fmt.Sprintf("Tensors in list passed to '%s' of '%s' Op have types [%s, %s] that don't all match.",
			arg.Name, op.Name, want.Name(), got.Name())
	}
	return fmt.Sprintf("Input '%s' of '%s' Op has type %s that does not match type %s of argument '%s'.",
		arg.Name, op.Name, got.Name(), want.Name(), op.Def.Args()[m.Args[5].(int)].Name)
}

func (m *Mistake) eagerNotAllowed() string {
	op := m.Args[0].(*Op)
	arg := op.Def.Args()[m.Args[1].(int)]
	attr := op.Def.attr(arg.Attr)
	return fmt.Sprintf("Value for attr '%s' of %s is not in the list of allowed values: %s\n\t; NodeDef: {{node %s}}; Op<name=%s; %s>",
		attr.Name, m.Args[2].(tensor.DType).CName(), strings.Join(attr.Allowed, ", "), op.Name, op.Name, op.Def.text())
}

func (m *Mistake) tracedNotAllowed() string {
	op := m.Args[0].(*Op)
	arg := op.Def.Args()[m.Args[1].(int)]
	var names []string
	for _, c := range op.Def.attr(arg.Attr).Allowed {
		if d := fromC(c); d != tensor.Invalid {
			c = d.Name()
		}
		names = append(names, c)
	}
	return fmt.Sprintf("Value passed to parameter '%s' has DataType %s not in list of allowed values: %s",
		arg.Name, m.Args[2].(tensor.DType).Name(), strings.Join(names, ", "))
}

// text is the definition as TensorFlow's messages show it.
func (d *Def) text() string {
	ins, rest, _ := strings.Cut(d.line, ") -> (")
	outs, _, _ := strings.Cut(rest, ")")
	s := "signature=" + strings.ReplaceAll(ins, " ", ", ") + " -> " + strings.ReplaceAll(outs, " ", ", ")
	for _, a := range d.Attrs() {
		s += "; attr=" + a.Name + ":" + a.Type
		if a.Default != "" {
			v := a.Default
			if a.Type == "type" {
				v = enumName(v)
			}
			s += ",default=" + v
		}
		if a.Allowed != nil {
			var e []string
			for _, c := range a.Allowed {
				e = append(e, enumName(c))
			}
			s += ",allowed=[" + strings.Join(e, ", ") + "]"
		}
	}
	return s
}

func enumName(c string) string { return "DT_" + strings.ToUpper(c) }
