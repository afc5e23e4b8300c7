package lang

import "github.com/tfs-lang/tfs/lang/value"

func exceptionClass(name string, bases ...*Class) *Class {
	c := newStatic(name, value.KindException, bases...)
	exceptionClasses = append(exceptionClasses, c)
	return c
}

var exceptionClasses []*Class

// ExceptionClasses are all built-in exception classes, bases first.
func ExceptionClasses() []*Class { return exceptionClasses }

// finishExceptions wires the hierarchy at init.
func finishExceptions() {
	for _, c := range exceptionClasses {
		c.Flags |= ClassException
		c.finish()
	}
}

// The exception classes of CPython 3.11.
var (
	BaseException             = exceptionClass("BaseException")
	SystemExit                = exceptionClass("SystemExit", BaseException)
	KeyboardInterrupt         = exceptionClass("KeyboardInterrupt", BaseException)
	GeneratorExit             = exceptionClass("GeneratorExit", BaseException)
	BaseExceptionGroup        = exceptionClass("BaseExceptionGroup", BaseException)
	ExceptionClass            = exceptionClass("Exception", BaseException)
	ExceptionGroup            = exceptionClass("ExceptionGroup", BaseExceptionGroup, ExceptionClass)
	StopIteration             = exceptionClass("StopIteration", ExceptionClass)
	StopAsyncIteration        = exceptionClass("StopAsyncIteration", ExceptionClass)
	ArithmeticError           = exceptionClass("ArithmeticError", ExceptionClass)
	FloatingPointError        = exceptionClass("FloatingPointError", ArithmeticError)
	OverflowError             = exceptionClass("OverflowError", ArithmeticError)
	ZeroDivisionError         = exceptionClass("ZeroDivisionError", ArithmeticError)
	AssertionError            = exceptionClass("AssertionError", ExceptionClass)
	AttributeError            = exceptionClass("AttributeError", ExceptionClass)
	BufferError               = exceptionClass("BufferError", ExceptionClass)
	EOFError                  = exceptionClass("EOFError", ExceptionClass)
	ImportError               = exceptionClass("ImportError", ExceptionClass)
	ModuleNotFoundError       = exceptionClass("ModuleNotFoundError", ImportError)
	LookupError               = exceptionClass("LookupError", ExceptionClass)
	IndexError                = exceptionClass("IndexError", LookupError)
	KeyError                  = exceptionClass("KeyError", LookupError)
	MemoryError               = exceptionClass("MemoryError", ExceptionClass)
	NameError                 = exceptionClass("NameError", ExceptionClass)
	UnboundLocalError         = exceptionClass("UnboundLocalError", NameError)
	OSError                   = exceptionClass("OSError", ExceptionClass)
	BlockingIOError           = exceptionClass("BlockingIOError", OSError)
	ChildProcessError         = exceptionClass("ChildProcessError", OSError)
	ConnectionError           = exceptionClass("ConnectionError", OSError)
	BrokenPipeError           = exceptionClass("BrokenPipeError", ConnectionError)
	ConnectionAbortedError    = exceptionClass("ConnectionAbortedError", ConnectionError)
	ConnectionRefusedError    = exceptionClass("ConnectionRefusedError", ConnectionError)
	ConnectionResetError      = exceptionClass("ConnectionResetError", ConnectionError)
	FileExistsError           = exceptionClass("FileExistsError", OSError)
	FileNotFoundError         = exceptionClass("FileNotFoundError", OSError)
	InterruptedError          = exceptionClass("InterruptedError", OSError)
	IsADirectoryError         = exceptionClass("IsADirectoryError", OSError)
	NotADirectoryError        = exceptionClass("NotADirectoryError", OSError)
	PermissionError           = exceptionClass("PermissionError", OSError)
	ProcessLookupError        = exceptionClass("ProcessLookupError", OSError)
	TimeoutError              = exceptionClass("TimeoutError", OSError)
	ReferenceError            = exceptionClass("ReferenceError", ExceptionClass)
	RuntimeError              = exceptionClass("RuntimeError", ExceptionClass)
	NotImplementedError       = exceptionClass("NotImplementedError", RuntimeError)
	RecursionError            = exceptionClass("RecursionError", RuntimeError)
	SyntaxError               = exceptionClass("SyntaxError", ExceptionClass)
	IndentationError          = exceptionClass("IndentationError", SyntaxError)
	TabError                  = exceptionClass("TabError", IndentationError)
	SystemError               = exceptionClass("SystemError", ExceptionClass)
	TypeError                 = exceptionClass("TypeError", ExceptionClass)
	ValueError                = exceptionClass("ValueError", ExceptionClass)
	UnicodeError              = exceptionClass("UnicodeError", ValueError)
	UnicodeDecodeError        = exceptionClass("UnicodeDecodeError", UnicodeError)
	UnicodeEncodeError        = exceptionClass("UnicodeEncodeError", UnicodeError)
	UnicodeTranslateError     = exceptionClass("UnicodeTranslateError", UnicodeError)
	Warning                   = exceptionClass("Warning", ExceptionClass)
	BytesWarning              = exceptionClass("BytesWarning", Warning)
	DeprecationWarning        = exceptionClass("DeprecationWarning", Warning)
	EncodingWarning           = exceptionClass("EncodingWarning", Warning)
	FutureWarning             = exceptionClass("FutureWarning", Warning)
	ImportWarning             = exceptionClass("ImportWarning", Warning)
	PendingDeprecationWarning = exceptionClass("PendingDeprecationWarning", Warning)
	ResourceWarning           = exceptionClass("ResourceWarning", Warning)
	RuntimeWarning            = exceptionClass("RuntimeWarning", Warning)
	SyntaxWarning             = exceptionClass("SyntaxWarning", Warning)
	UnicodeWarning            = exceptionClass("UnicodeWarning", Warning)
	UserWarning               = exceptionClass("UserWarning", Warning)
)

// NewExceptionClass makes an exception class of a binding (tf.errors), for a package-level variable.
func NewExceptionClass(name, module string, bases ...*Class) *Class {
	return NewBuiltinClass(name, module, value.KindException, bases...)
}
