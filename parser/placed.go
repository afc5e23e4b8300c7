package parser

// placed is a token with what CPython's errors depend on: where it ends, and
// where its tokenizer stood behind it.
type placed struct {
	token
	eline, ecol  int32
	level        int32 // open brackets after it
	located      bool  // false for Indent, Dedent and EOF, which have no column
	buf          int   // where the text begins that an error shows
	cursor, bol0 int   // where the scanner stood, and the beginning of its line
}

// nextPlaced returns the next token as next does.
func (s *scanner) nextPlaced() (placed, bool) {
	t, ok := s.next()
	p := placed{token: t, eline: int32(s.line), ecol: int32(s.pos - s.bol), level: int32(len(s.brackets)),
		located: t.kind != tIndent && t.kind != tDedent && t.kind != tEOF, buf: s.buf, cursor: s.pos, bol0: s.bol}
	if t.kind == tNewline { // the scanner has gone on to the next line
		p.bol0, p.buf = int(t.start)-int(t.col), s.lastBuf
		p.eline, p.ecol = t.line, int32(s.pos-1-p.bol0)
		if s.bare && s.pos == len(s.src) { // CPython is at the end here
			p.located, p.cursor = false, s.pos-1
		}
	}
	s.shift(&p.token)
	if p.eline == 1 {
		p.ecol += int32(s.col0)
	}
	p.eline += int32(s.line0 - 1)
	return p, ok
}

// shift moves a token of a fragment to its place in the file.
func (s *scanner) shift(t *token) {
	if t.line == 1 {
		t.col += int32(s.col0)
	}
	t.line += int32(s.line0 - 1)
}
