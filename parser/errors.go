package parser

import (
	"fmt"
	"strings"
)

// SyntaxError is a program that doesn't parse or can't be compiled, with
// CPython's words and places. Without a Filename it is text that is none.
type SyntaxError struct {
	// Class is SyntaxError, IndentationError or TabError; MemoryError or
	// RecursionError, with nothing but Msg set, for a program nested too deeply;
	// ValueError for what CPython refuses to read at all.
	Class    string
	Msg      string
	Filename string
	Line     int
	// Col counts code points from 1, as CPython's offset does. EndCol is one
	// past the last; it is 0 or -1, with EndLine, where CPython has no end.
	Col             int
	EndLine, EndCol int
	Text            string // the source line with its newline, if it has one
	// Late: found after parsing. CPython then takes Text from the file, so it
	// has none for a program that is not in a file.
	Late bool
	// Table: found in CPython's symbol table, whose exceptions have the message as
	// their only argument.
	Table bool
}

// Error gives the class and the message with file and line, as str(exception)
// of CPython has them.
func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return strings.TrimSuffix(e.Class+": "+e.Msg, ": ")
	}
	return fmt.Sprintf("%s: %s (%s, line %d)", e.Class, e.Msg, e.Filename, e.Line)
}

// Block renders the place as CPython prints it above the message: the file and
// line, the source line without its indentation, and the carets below it. Each
// line ends in a newline.
func (e *SyntaxError) Block() string {
	if e.Line == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  File \"%s\", line %d\n", e.Filename, e.Line)
	if e.Text == "" {
		return b.String()
	}
	text := strings.TrimLeft(e.Text, " \t\f")
	from := e.Col - 1 - (len(e.Text) - len(text))
	text = strings.TrimRight(text, "\n")
	fmt.Fprintf(&b, "    %s\n", text)
	if from < 0 {
		return b.String()
	}
	b.WriteString("    " + strings.Repeat(" ", min(from, len(text))) + strings.Repeat("^", e.carets()) + "\n")
	return b.String()
}

// carets is how many characters are marked: only a SyntaxError proper has an
// end, and one on a later line marks the rest of the first.
func (e *SyntaxError) carets() int {
	end := e.EndCol
	if e.EndLine > e.Line {
		end = len(e.Text)
	}
	if e.Class != "SyntaxError" || end <= e.Col {
		return 1
	}
	return end - e.Col
}
