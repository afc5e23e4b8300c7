package lang

import (
	"fmt"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// Exception is an exception object, of a built-in or a script class. In Go it
// travels as an error.
type Exception struct {
	Instance
	Args     *Tuple
	Cause    *Exception // __cause__
	Context  *Exception // __context__
	Suppress bool       // __suppress_context__
	Notes    *List      // __notes__, or nil
	Trace    *Traceback // outermost frame first, or nil
	// Data is what a built-in class keeps beside args: OSError's errno, SystemExit's code, StopIteration's value …
	Data []Value
	// Ext is what a binding keeps (a tensor error's op).
	Ext any
	// fatal: not an exception of the script: a limit or a cancelled context ends the run.
	fatal error
}

// Traceback is one frame of a traceback: a copy of where it was, linked inwards.
type Traceback struct {
	Header
	Next    *Traceback // the frame called from here
	Code    *code.Code
	PC      int32
	Line    int32
	Globals *Dict
	// comp is the comprehension inlined at PC, if the entry shows it.
	comp  *code.Inlined
	inner bool // the first half of a fused instruction failed
}

// Error is the last line of the traceback: "ValueError: text".
func (e *Exception) Error() string { return exceptionLine(nil, e) }

// Value is e as a script value.
func (e *Exception) Value() Value { return obj(unsafe.Pointer(e)) }

// Unwrap gives the Go error of a run that was ended, for errors.Is.
func (e *Exception) Unwrap() error { return e.fatal }

// IsFatal reports an end of the run that no except clause catches.
func (e *Exception) IsFatal() bool { return e.fatal != nil }

// NewException makes an exception object without running script code.
func NewException(c *Class, args ...Value) *Exception {
	e := newException(c)
	e.Args = makeTuple(args)
	return e
}

func newException(c *Class) *Exception {
	e := &Exception{Args: emptyTuple}
	e.Type, e.Kind, e.shape = &c.Type, value.KindException, c.root
	for range c.nslots {
		e.slots = append(e.slots, Unbound)
	}
	return e
}

// IsA reports that the exception is an instance of c.
func (e *Exception) IsA(c *Class) bool { return e.Class().IsSub(c) }

// Raise makes an error of a built-in class with a formatted message.
func (th *Thread) Raise(c *Class, format string, args ...any) error {
	return NewException(c, NewStr(fmt.Sprintf(format, args...)))
}

// RaiseArgs makes an error of a class with the given args.
func (th *Thread) RaiseArgs(c *Class, args ...Value) error { return NewException(c, args...) }

// TypeErrorf makes a TypeError.
func (th *Thread) TypeErrorf(format string, args ...any) error {
	return th.Raise(TypeError, format, args...)
}

// ValueErrorf makes a ValueError.
func (th *Thread) ValueErrorf(format string, args ...any) error {
	return th.Raise(ValueError, format, args...)
}

// AsError is err as an exception of the script: a Go error that isn't one becomes a SystemError.
func AsError(err error) *Exception {
	if e, ok := err.(*Exception); ok {
		return e
	}
	return NewException(SystemError, NewStr(err.Error()))
}

// Matches reports an error that is an exception of class c.
func Matches(err error, c *Class) bool {
	e, ok := err.(*Exception)
	return ok && e.fatal == nil && e.IsA(c)
}
