package compile

import (
	"fmt"

	"github.com/tfs-lang/tfs/lang/ast"
)

// Error is a mistake that only scope analysis finds: a SyntaxError at Span.
type Error struct {
	Msg  string
	Span ast.Span
}

func (e *Error) Error() string { return e.Msg }

func errorAt(span ast.Span, format string, args ...any) error {
	return &Error{fmt.Sprintf(format, args...), span}
}
