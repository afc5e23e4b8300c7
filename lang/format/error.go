package format

import "fmt"

// Error is a mistake in a format or a literal: the name of the script's
// exception class and its text.
type Error struct{ Class, Text string }

// Error makes it a Go error.
func (e *Error) Error() string { return e.Class + ": " + e.Text }

func valueError(f string, a ...any) *Error {
	return &Error{"ValueError", fmt.Sprintf(f, a...)}
}

func overflowError(f string, a ...any) *Error {
	return &Error{"OverflowError", fmt.Sprintf(f, a...)}
}

// MaxText is the longest text the package makes; a width or precision beyond
// it is a MemoryError before anything is allocated.
const MaxText = 1 << 30

var errMemory = &Error{"MemoryError", ""}
