package parser

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SyntaxError is a program that doesn't parse or can't be compiled, with
// CPython's words and places.
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
	Text            string // the source line with its newline
	// Late: found after parsing. CPython then takes Text from the file, so it
	// has none for a program that is not in a file.
	Late bool
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
	text := strings.TrimRight(e.Text, "\n")
	shown := strings.TrimLeft(text, " \n\f\t")
	if e.Text == "" {
		return b.String()
	}
	fmt.Fprintf(&b, "    %s\n", shown)
	if e.Col < 1 {
		return b.String()
	}
	end := e.EndCol
	if end == 0 || end == e.Col || end == -1 || e.EndLine != 0 && e.EndLine != e.Line {
		if e.EndLine > e.Line && end > 0 {
			end = utf8.RuneCountInString(text) + 1
		} else {
			end = e.Col + 1
		}
	}
	indent := utf8.RuneCountInString(text) - utf8.RuneCountInString(shown)
	from, to := e.Col-1-indent, end-1-indent
	if from < 0 {
		return b.String()
	}
	b.WriteString("    ")
	for i, r := range []rune(shown) {
		if i >= from {
			break
		}
		if !unicode.IsSpace(r) {
			r = ' '
		}
		b.WriteRune(r)
	}
	if n := from - utf8.RuneCountInString(shown); n > 0 {
		// past the end of the line CPython has nothing to align with
		_ = n
	}
	b.WriteString(strings.Repeat("^", max(to-from, 1)) + "\n")
	return b.String()
}
