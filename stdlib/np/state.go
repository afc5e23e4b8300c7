package np

import (
	"errors"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/tensor/format"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// Value is a script value.
type Value = lang.Value

// state is what a thread keeps for numpy: error state, print options, and the
// context that array functions run in.
type state struct {
	th    *lang.Thread
	c     ndarray.Ctx
	print *format.Options
	rand  *legacyRandom
	// loading holds the sub-modules whose import is under way.
	loading map[string]bool
}

// printKey is where package bridge looks for the print options too.
const printKey = "numpy.printoptions"

// of is the state of a thread, made on first use.
func of(th *lang.Thread) *state {
	if s, ok := th.Ext["numpy"].(*state); ok {
		return s
	}
	s := &state{th: th}
	s.c = ndarray.Ctx{Host: s, Err: ndarray.DefaultErrState}
	if th.Ext == nil {
		th.Ext = map[string]any{}
	}
	if o, ok := th.Ext[printKey].(*format.Options); ok {
		s.print = o
	} else {
		o := format.Default()
		s.print = &o
		th.Ext[printKey] = s.print
	}
	th.Ext["numpy"] = s
	th.AddLocal(s)
	return s
}

// Exchange gives the next thread of the script its error state. It implements
// lang.Local.
func (s *state) Exchange(next any) (last any) {
	was := s.c.Err
	if e, ok := next.(ndarray.ErrState); ok {
		s.c.Err = e
	} else {
		s.c.Err = ndarray.DefaultErrState
	}
	return was
}

// err turns an array function's mistake into the script's exception.
func (s *state) err(err error) error {
	var e *ndarray.Error
	if !errors.As(err, &e) {
		return err
	}
	c := errorClasses()[e.Class]
	if c == nil {
		c = lang.SystemError
	}
	return s.th.Raise(c, "%s", e.Text)
}

// value makes the result of an array function a script value: rank 0 becomes a scalar.
func (s *state) value(a *ndarray.Array, err error) (Value, error) {
	if err != nil {
		return lang.Unbound, s.err(err)
	}
	if a.Rank() == 0 {
		return scalarAt(a, a.Offset()), nil
	}
	return a.Value(), nil
}

// array is value without turning rank 0 into a scalar.
func (s *state) array(a *ndarray.Array, err error) (Value, error) {
	if err != nil {
		return lang.Unbound, s.err(err)
	}
	return a.Value(), nil
}

var operators = map[string]lang.BinaryOp{"add": code.OpAdd, "subtract": code.OpSub, "multiply": code.OpMul, "divide": code.OpDiv,
	"floor_divide": code.OpFloorDiv, "remainder": code.OpMod, "power": code.OpPow, "left_shift": code.OpLShift, "right_shift": code.OpRShift,
	"bitwise_and": code.OpAnd, "bitwise_or": code.OpOr, "bitwise_xor": code.OpXor}

var comparisons = map[string]lang.CompareOp{"less": lang.LT, "less_equal": lang.LE, "greater": lang.GT, "greater_equal": lang.GE, "equal": lang.EQ, "not_equal": lang.NE}

// Binary applies a ufunc to two objects: the operator of the language.
func (s *state) Binary(ufunc string, x, y Value) (Value, error) {
	if op, ok := operators[ufunc]; ok {
		return lang.BinaryOperation(s.th, op, x, y)
	}
	if op, ok := comparisons[ufunc]; ok {
		return lang.Compare(s.th, op, x, y)
	}
	switch ufunc {
	case "maximum", "fmax", "minimum", "fmin":
		op := lang.GE
		if ufunc[1] == 'i' || ufunc == "fmin" {
			op = lang.LE
		}
		ok, err := lang.CompareBool(s.th, op, x, y)
		if ok {
			return x, err
		}
		return y, err
	case "logical_and", "logical_or":
		t, err := lang.Truth(s.th, x)
		if t == (ufunc == "logical_and") {
			return y, err
		}
		return x, err
	}
	return lang.Unbound, s.th.TypeErrorf("ufunc '%s' not supported for the input types", ufunc)
}

// Unary applies a ufunc to an object: an operator, or the method of that name.
func (s *state) Unary(ufunc string, x Value) (Value, error) {
	switch ufunc {
	case "negative":
		return lang.UnaryOperation(s.th, code.OpNeg, x)
	case "positive":
		return lang.UnaryOperation(s.th, code.OpPos, x)
	case "absolute":
		return lang.UnaryOperation(s.th, code.OpAbs, x)
	case "invert":
		return lang.UnaryOperation(s.th, code.OpInvert, x)
	case "square":
		return lang.BinaryOperation(s.th, code.OpMul, x, x)
	case "logical_not":
		t, err := lang.Truth(s.th, x)
		return lang.Bool(!t), err
	}
	if _, ok, _ := lang.AttrOr(s.th, x, ufunc); !ok {
		return lang.Unbound, s.th.TypeErrorf("loop of ufunc does not support argument 0 of type %s which has no callable %s method", lang.TypeName(x), ufunc)
	}
	return s.th.CallMethod(x, ufunc)
}

// Truth is bool(x).
func (s *state) Truth(x Value) (bool, error) { return lang.Truth(s.th, x) }

// Box is the Python object of an element.
func (s *state) Box(a *ndarray.Array, pos int) Value { return itemAt(a, pos) }

// Text is str(x); an exception there is lost, as nothing asks for it.
func (s *state) Text(x Value) string {
	t, err := lang.StrOf(s.th, x)
	if err != nil {
		return lang.DefaultRepr(x)
	}
	return t
}

// repr is repr(x) for elements in an array's text.
func (s *state) repr(x Value) string {
	t, err := lang.Repr(s.th, x)
	if err != nil {
		return lang.DefaultRepr(x)
	}
	return t
}

// Reserve asks whether that many more bytes may be used.
func (s *state) Reserve(bytes int) (ok bool, why string) {
	err := s.th.CheckSize(bytes, 1)
	if err == nil {
		return true, ""
	}
	if s.th.Interp.MemoryLimited() {
		var e *lang.Exception
		if errors.As(err, &e) {
			why, _ = lang.StrOf(s.th, e.Value())
		}
	}
	return false, why
}

// Warn issues a warning of a class.
func (s *state) Warn(class, text string) error {
	c := errorClasses()[class]
	if c == nil {
		c = lang.RuntimeWarning
	}
	if s.th.Interp.Warn != nil {
		s.th.Interp.Warn(s.th, c, text)
	}
	return nil
}
