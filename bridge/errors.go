package bridge

import (
	"sync"

	"github.com/tfs-lang/tfs/lang"
)

// errorsModule is where TensorFlow's error classes live, as tracebacks name them.
const errorsModule = "tensorflow.python.framework.errors_impl"

// OpError is the base of tf.errors.
var OpError = lang.NewExceptionClass("OpError", errorsModule, lang.ExceptionClass)

// The classes of tf.errors, in the order of their codes.
var (
	CancelledError          = opError("CancelledError")
	UnknownError            = opError("UnknownError")
	InvalidArgumentError    = opError("InvalidArgumentError")
	DeadlineExceededError   = opError("DeadlineExceededError")
	NotFoundError           = opError("NotFoundError")
	AlreadyExistsError      = opError("AlreadyExistsError")
	PermissionDeniedError   = opError("PermissionDeniedError")
	ResourceExhaustedError  = opError("ResourceExhaustedError")
	FailedPreconditionError = opError("FailedPreconditionError")
	AbortedError            = opError("AbortedError")
	OutOfRangeError         = opError("OutOfRangeError")
	UnimplementedError      = opError("UnimplementedError")
	InternalError           = opError("InternalError")
	UnavailableError        = opError("UnavailableError")
	DataLossError           = opError("DataLossError")
	UnauthenticatedError    = opError("UnauthenticatedError")
)

// Errors of tracing and of autograph, which are no OpErrors.
var (
	// NotAllowedInGraph is OperatorNotAllowedInGraphError.
	NotAllowedInGraph = lang.NewExceptionClass("OperatorNotAllowedInGraphError", "tensorflow.python.framework.errors", lang.TypeError)
	// InaccessibleTensor is raised for a symbol of another graph.
	InaccessibleTensor = lang.NewExceptionClass("InaccessibleTensorError", "tensorflow.python.framework.errors_impl", lang.ValueError)
	// StagingError stands for exceptions that cannot be rebuilt outside a trace.
	StagingError = lang.NewExceptionClass("StagingError", "tensorflow.python.autograph.impl.api", lang.ExceptionClass)
)

// errorCodes are the values of tf.errors' integer constants, by class.
var errorCodes = map[*lang.Class]int64{
	CancelledError: 1, UnknownError: 2, InvalidArgumentError: 3, DeadlineExceededError: 4, NotFoundError: 5,
	AlreadyExistsError: 6, PermissionDeniedError: 7, ResourceExhaustedError: 8, FailedPreconditionError: 9,
	AbortedError: 10, OutOfRangeError: 11, UnimplementedError: 12, InternalError: 13, UnavailableError: 14,
	DataLossError: 15, UnauthenticatedError: 16,
}

func opError(name string) *lang.Class {
	return lang.NewExceptionClass(name, errorsModule, OpError)
}

// ErrorCode is the error_code of an OpError's class.
func ErrorCode(c *lang.Class) int64 {
	for _, m := range c.MRO {
		if n, ok := errorCodes[m]; ok {
			return n
		}
	}
	return 2
}

// OpErrors are the classes of tf.errors, for the module's table.
func OpErrors() []*lang.Class {
	return []*lang.Class{OpError, CancelledError, UnknownError, InvalidArgumentError, DeadlineExceededError, NotFoundError,
		AlreadyExistsError, PermissionDeniedError, ResourceExhaustedError, FailedPreconditionError, AbortedError, OutOfRangeError,
		UnimplementedError, InternalError, UnavailableError, DataLossError, UnauthenticatedError}
}

var errorsByName = sync.OnceValue(func() map[string]*lang.Class {
	m := map[string]*lang.Class{}
	for _, c := range OpErrors() {
		m[c.Name] = c
	}
	for _, c := range []*lang.Class{NotAllowedInGraph, InaccessibleTensor, StagingError} {
		m[c.Name] = c
	}
	for _, c := range lang.ExceptionClasses() {
		m[c.Name] = c
	}
	return m
})

// ErrorClass finds an exception class by the name that the layers below use.
func ErrorClass(name string) *lang.Class { return errorsByName()[name] }

// NewError makes an exception of one of TensorFlow's classes or a built-in one.
// An OpError has the args (node_def, op, message).
func NewError(c *lang.Class, text string) *lang.Exception {
	if c.IsSub(OpError) {
		e := lang.NewException(c, lang.None, lang.None, lang.NewStr(text))
		return e
	}
	return lang.NewException(c, lang.NewStr(text))
}

// Raise makes an error of one of TensorFlow's classes.
func (st *State) Raise(c *lang.Class, format string, args ...any) error {
	e := st.Th.Raise(c, format, args...)
	if c.IsSub(OpError) {
		text := lang.AsError(e).Args.At(0)
		return lang.NewException(c, lang.None, lang.None, text)
	}
	return e
}

func init() {
	for _, c := range OpErrors() { // slots are inherited when a class is made: before this runs
		c.Str = opErrorStr
	}
	lang.DefineMethods(OpError, []lang.Def{
		{Sig: "__init__(self, node_def=None, op=None, message='', *args)", Fn: opErrorInit},
		{Sig: "message(self)", Fn: opErrorPart(2), Flags: lang.DefProperty},
		{Sig: "op(self)", Fn: opErrorPart(1), Flags: lang.DefProperty},
		{Sig: "node_def(self)", Fn: opErrorPart(0), Flags: lang.DefProperty},
		{Sig: "error_code(self)", Fn: opErrorCode, Flags: lang.DefProperty},
	})
}

func opErrorInit(th *lang.Thread, a []lang.Value) (lang.Value, error) { return lang.None, nil }

// opErrorStr is the message alone.
func opErrorStr(th *lang.Thread, v lang.Value) (lang.Value, error) {
	return opErrorPart(2)(th, []lang.Value{v})
}

func opErrorPart(i int) lang.Native {
	return func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		e, ok := lang.AsException(a[0])
		if !ok || e.Args.Len() <= i {
			return lang.None, nil
		}
		return e.Args.At(i), nil
	}
}

func opErrorCode(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	return lang.Int(ErrorCode(lang.ClassOf(a[0]))), nil
}
