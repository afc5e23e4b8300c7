package ndarray

import "fmt"

// Error is a mistake of the script: the name of its exception class and the text.
type Error struct{ Class, Text string }

// Error is the class and the text.
func (e *Error) Error() string { return e.Class + ": " + e.Text }

func fail(class, format string, args ...any) error {
	return &Error{class, fmt.Sprintf(format, args...)}
}

func valueError(format string, args ...any) error { return fail("ValueError", format, args...) }
func typeError(format string, args ...any) error  { return fail("TypeError", format, args...) }
func indexError(format string, args ...any) error { return fail("IndexError", format, args...) }

// axisError is numpy.exceptions.AxisError.
func axisError(axis, ndim int) error {
	return fail("AxisError", "axis %d is out of bounds for array of dimension %d", axis, ndim)
}
