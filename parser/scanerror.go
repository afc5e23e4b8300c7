package parser

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// stopKind says why a scanner stopped.
type stopKind uint8

const (
	stopMessage      stopKind = iota // an error with its own text and place
	stopEOF                          // the source ends inside brackets or after a backslash
	stopDedent                       // an indentation that no outer block has
	stopTabs                         // tabs and spaces that can't be compared
	stopDeep                         // too many levels of indentation
	stopContinuation                 // something after a backslash
)

// scanError is a mistake found by the scanner, placed as CPython's tokenizer
// places it: offsets count bytes from 1.
type scanError struct {
	kind              stopKind
	msg               string
	line              int
	offset, endOffset int
	bol, cursor, buf  int  // of the line it is in
	unfinished        bool // more input may complete it
	raw               bool // the columns stay bytes
}

// fail stops the scanner without a message of its own; it returns false.
func (s *scanner) fail(k stopKind) bool {
	s.stop = &scanError{kind: k, line: s.line, bol: s.bol, cursor: s.pos, buf: s.buf, unfinished: k == stopEOF}
	if s.buf >= len(s.src) { // the end is no line
		s.stop.buf = s.lastBuf
	}
	return false
}

// errorf stops the scanner with an error at the last character it read.
func (s *scanner) errorf(format string, args ...any) bool {
	s.fail(stopMessage)
	e := s.stop
	e.msg = fmt.Sprintf(format, args...)
	e.offset = s.pos - s.bol
	e.endOffset = e.offset
	return false
}

// checkIdentifier refuses an identifier with a character that none may have.
func (s *scanner) checkIdentifier(from int) bool {
	for i := from; i < s.pos; {
		r, n := utf8.DecodeRuneInString(s.src[i:])
		if !isIdentRune(r, i == from) {
			s.pos = i + n
			if unicode.IsPrint(r) {
				return s.errorf("invalid character '%c' (U+%04X)", r, r)
			}
			return s.errorf("invalid non-printable character U+%04X", r)
		}
		i += n
	}
	return true
}

func isIdentRune(r rune, first bool) bool {
	if r < utf8.RuneSelf {
		return class[r]&cIdent != 0 || !first && class[r]&cDigit != 0
	}
	if unicode.Is(unicode.Pattern_Syntax, r) || unicode.Is(unicode.Pattern_White_Space, r) {
		return false
	}
	if unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start) {
		return true
	}
	return !first && unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue)
}
