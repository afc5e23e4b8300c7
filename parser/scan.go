package parser

import (
	"strings"
	"unicode/utf8"
)

const (
	maxBrackets = 200 // open at once
	maxIndents  = 100 // levels of indentation, the outermost included
	tabSize     = 8
)

// Character classes.
const (
	cIdent = 1 << iota
	cDigit
	cSpace
	cText // nothing that the inside of a string stops at
)

var class = func() (t [256]byte) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c >= 0x80:
			t[c] = cIdent
		case c >= '0' && c <= '9':
			t[c] = cDigit
		case c == ' ', c == '\t', c == '\f':
			t[c] = cSpace
		}
		if c != '\n' && c != '\\' && c != '"' && c != '\'' {
			t[c] |= cText
		}
	}
	return t
}()

type bracket struct {
	open byte
	line int32
	col  int32
}

// scanner cuts a source into tokens, with CPython's rules for lines,
// indentation and errors. The source ends in a newline.
type scanner struct {
	src       string
	pos       int
	line, bol int // number of the line, offset of its beginning
	// Where the text begins that CPython's tokenizer holds, which is what its
	// errors show: the line, or the one in which the token began or that a
	// backslash continued; and the same before the last newline.
	buf, lastBuf int
	brackets     []bracket
	indents      []int // widths with tabs to multiples of eight
	alts         []int // the same with tabs of one
	pending      int   // Indents (> 0) or Dedents (< 0) still to give
	atBOL        bool
	fresh        bool       // the next token is the first of its line
	matches      []int      // depths of indentation that hold case clauses
	inMatch      bool       // the line is the head of a match statement
	trial        bool       // looking ahead: soft keywords stay names
	bare         bool       // the last newline is ours, where CPython has none
	stop         *scanError // why there are no more tokens
	// A fragment (of an f-string) stands at this place of its file: its first
	// line is line0, and the columns of that line are shifted by col0.
	line0, col0 int
}

func newScanner(src string) *scanner {
	s := &scanner{}
	s.reset(src)
	return s
}

// reset begins with another source.
func (s *scanner) reset(src string) {
	*s = scanner{src: src, line: 1, line0: 1, atBOL: true, brackets: s.brackets[:0],
		indents: append(s.indents[:0], 0), alts: append(s.alts[:0], 0), matches: s.matches[:0]}
}

// make makes the token src[from:s.pos], which began on the present line.
func (s *scanner) make(k kind, from int) token {
	return token{start: uint32(from), end: uint32(s.pos), line: int32(s.line), col: int32(from - s.bol), kind: k}
}

// blank makes a token without text.
func (s *scanner) blank(k kind) token { return s.make(k, s.pos) }

// next returns the next token; ok is false when s.stop says why there is none.
// After the end of the source it returns EOF for ever.
func (s *scanner) next() (t token, ok bool) {
	if s.stop != nil {
		return token{}, false
	}
	if s.atBOL && s.pending == 0 {
		s.atBOL, s.fresh = false, true
		if !s.indentation() {
			return token{}, false
		}
	}
	if s.pending > 0 {
		s.pending--
		return s.blank(tIndent), true
	}
	if s.pending < 0 {
		if s.pending++; s.pending == 0 {
			s.dropMatches()
		}
		return s.blank(tDedent), true
	}
	if s.fresh {
		s.fresh = false
		return s.first()
	}
	return s.token()
}

// token scans a token that is not one of indentation.
func (s *scanner) token() (token, bool) {
	src, comment := s.src, -1
	for {
		p := s.pos
		for p < len(src) && class[src[p]]&cSpace != 0 {
			p++
		}
		s.pos = p
		if p >= len(src) {
			return s.end()
		}
		switch c := src[p]; {
		case class[c]&cIdent != 0:
			return s.word(p)
		case c == '\n':
			if len(s.brackets) > 0 {
				comment = -1
				s.pos++
				s.newline()
				continue
			}
			if comment < 0 {
				comment = p
			}
			return s.lineEnd(comment), true // a comment belongs to the end of its line
		case c == '#':
			comment = p
			s.pos += strings.IndexByte(src[p:], '\n')
		case class[c]&cDigit != 0, c == '.' && class[src[p+1]]&cDigit != 0:
			return s.number(p)
		case c == '"', c == '\'':
			return s.str(p)
		case c == '\\':
			buf := s.buf
			if !s.continuation() {
				return token{}, false
			}
			s.buf = buf
		default:
			return s.operator(p, c)
		}
	}
}

// lineEnd makes a Newline, which begins at a place of the line.
func (s *scanner) lineEnd(from int) token {
	t := s.make(tNewline, from)
	s.pos++
	s.newline()
	s.atBOL = true
	return t
}

func (s *scanner) newline() {
	s.line++
	s.bol = s.pos
	s.lastBuf, s.buf = s.buf, s.pos
}

// end gives the tokens at the end of the source.
func (s *scanner) end() (token, bool) {
	if len(s.brackets) > 0 {
		s.fail(stopEOF)
		return token{}, false
	}
	return s.blank(tEOF), true
}

// continuation steps over a backslash and the end of its line.
func (s *scanner) continuation() bool {
	s.pos++
	switch {
	case s.src[s.pos] != '\n':
		s.pos++
		return s.fail(stopContinuation)
	case s.bare && s.pos == len(s.src)-1:
		return s.fail(stopContinuation)
	}
	s.pos++
	if s.pos >= len(s.src) {
		return s.fail(stopEOF)
	}
	s.newline()
	return true
}

// word scans an identifier, a keyword or a string with a prefix.
func (s *scanner) word(from int) (token, bool) {
	src, high, p := s.src, byte(0), from
	for class[src[p]]&(cIdent|cDigit) != 0 {
		high |= src[p]
		p++
	}
	s.pos = p
	if c := src[p]; class[c]&cText == 0 && c != '\n' && c != '\\' && p-from <= 2 && isPrefix(src[from:p]) {
		return s.str(from)
	}
	if high >= utf8.RuneSelf && !s.checkIdentifier(from) {
		return token{}, false
	}
	return s.make(wordKind(src[from:p]), from), true
}

func isPrefix(w string) bool {
	switch w {
	case "r", "b", "f", "u", "R", "B", "F", "U",
		"rb", "rB", "Rb", "RB", "br", "bR", "Br", "BR",
		"rf", "rF", "Rf", "RF", "fr", "fR", "Fr", "FR":
		return true
	}
	return false
}

func (s *scanner) operator(from int, c byte) (token, bool) {
	switch c {
	case '(', '[', '{':
		s.pos++
		return s.make(opAlone[c], from), s.open(c, from)
	case ')', ']', '}':
		s.pos++
		return s.make(opAlone[c], from), s.close(c)
	}
	k, n := s.longest(from, c)
	s.pos += n
	if k == 0 {
		if c < ' ' || c == 0x7F {
			return token{}, s.errorf("invalid non-printable character U+%04X", c)
		}
		k = tStray
	}
	return s.make(k, from), true
}

// longest finds the longest operator at a place.
func (s *scanner) longest(from int, c byte) (kind, int) {
	src := s.src
	switch d := src[from+1]; { // the source ends in a newline
	case d == '=' && opAssign[c] != 0:
		return opAssign[c], 2
	case d == c && opTwice[c] != 0:
		if src[from+2] == '=' && opTwiceAssign[c] != 0 {
			return opTwiceAssign[c], 3
		}
		return opTwice[c], 2
	case c == '-' && d == '>':
		return tArrow, 2
	case c == '<' && d == '>':
		return tLegacyNotEqual, 2
	case c == '.' && d == '.' && src[from+2] == '.':
		return tEllipsis, 3
	}
	return opAlone[c], 1
}

func (s *scanner) open(c byte, from int) bool {
	if len(s.brackets) >= maxBrackets {
		return s.errorf("too many nested parentheses")
	}
	s.brackets = append(s.brackets, bracket{c, int32(s.line), int32(from - s.bol)})
	return true
}

func (s *scanner) close(c byte) bool {
	n := len(s.brackets) - 1
	if n < 0 {
		return s.errorf("unmatched '%c'", c)
	}
	b := s.brackets[n]
	s.brackets = s.brackets[:n]
	if b.open == '(' && c == ')' || b.open == '[' && c == ']' || b.open == '{' && c == '}' {
		return true
	}
	if int(b.line) != s.line {
		return s.errorf("closing parenthesis '%c' does not match opening parenthesis '%c' on line %d", c, b.open, int(b.line)+s.line0-1)
	}
	return s.errorf("closing parenthesis '%c' does not match opening parenthesis '%c'", c, b.open)
}

// str scans a string literal whose prefix, if any, is src[from:s.pos].
func (s *scanner) str(from int) (token, bool) {
	src, q, line, bol := s.src, s.src[s.pos], s.line, s.bol
	p := s.pos + 1
	triple := len(src)-p >= 2 && src[p] == q && src[p+1] == q
	if triple {
		p += 2
	}
	for ; p < len(src); p++ {
		c := src[p]
		if class[c]&cText != 0 {
			continue
		}
		switch {
		case c == q && (!triple || len(src)-p >= 3 && src[p+1] == q && src[p+2] == q):
			if s.pos = p + 1; triple {
				s.pos = p + 3
			}
			return token{start: uint32(from), end: uint32(s.pos), line: int32(line), col: int32(from - bol), kind: tString, multi: line != s.line}, true
		case c == '\\':
			if p++; p < len(src) && src[p] == '\n' {
				s.line, s.bol = s.line+1, p+1
			}
		case c == '\n':
			if !triple {
				return s.unterminated("unterminated string literal", from, line, bol)
			}
			s.line, s.bol = s.line+1, p+1
		}
	}
	msg := "unterminated string literal"
	if triple {
		msg = "unterminated triple-quoted string literal"
	}
	return s.unterminated(msg, from, line, bol)
}

func (s *scanner) unterminated(msg string, from, line, bol int) (token, bool) {
	found := s.line
	if s.bol >= len(s.src) {
		found-- // the newline that ends the source begins no line
	}
	s.pos, s.line, s.bol = from+1, line, bol
	s.errorf("%s (detected at line %d)", msg, found+s.line0-1)
	s.stop.unfinished = strings.Contains(msg, "triple")
	return token{}, false
}
