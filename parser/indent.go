package parser

import "strings"

// indentation measures the indentation of the next line that is not blank and
// sets pending; it returns false on an error.
func (s *scanner) indentation() bool {
	for {
		col, alt, ok := s.measure()
		if !ok {
			return false
		}
		src := s.src
		comment := s.pos < len(src) && src[s.pos] == '#'
		if comment {
			s.pos += strings.IndexByte(src[s.pos:], '\n')
		}
		if s.pos < len(src) && src[s.pos] == '\n' && (comment || !s.bare || col == 0 || s.pos < len(src)-1) { // blank
			s.pos++
			s.newline()
			continue
		}
		if len(s.brackets) > 0 {
			return true
		}
		if s.pos >= len(src) {
			col, alt = 0, 0
		}
		return s.indentTo(col, alt)
	}
}

// measure steps over the white space at the beginning of a line. A backslash
// continues it on the next line, whose own white space doesn't count.
func (s *scanner) measure() (col, alt int, ok bool) {
	held, heldAlt, src := 0, 0, s.src
	for s.pos < len(src) {
		switch src[s.pos] {
		case ' ':
			col, alt = col+1, alt+1
		case '\t':
			col, alt = (col/tabSize+1)*tabSize, alt+1
		case '\f':
			col, alt = 0, 0
		case '\\':
			if held == 0 {
				held, heldAlt = col, alt
			}
			if !s.continuation() {
				return 0, 0, false
			}
			continue
		default:
			goto done
		}
		s.pos++
	}
done:
	if held != 0 {
		return held, heldAlt, true
	}
	return col, alt, true
}

func (s *scanner) indentTo(col, alt int) bool {
	n := len(s.indents) - 1
	switch {
	case col == s.indents[n]:
		if alt != s.alts[n] {
			return s.fail(stopTabs)
		}
	case col > s.indents[n]:
		if n+1 >= maxIndents {
			return s.fail(stopDeep)
		}
		if alt <= s.alts[n] {
			return s.fail(stopTabs)
		}
		s.indents, s.alts = append(s.indents, col), append(s.alts, alt)
		s.pending = 1
		if s.inMatch {
			s.matches, s.inMatch = append(s.matches, n+1), false
		}
	default:
		for n > 0 && col < s.indents[n] {
			s.pending--
			n--
		}
		s.indents, s.alts = s.indents[:n+1], s.alts[:n+1]
		if col != s.indents[n] {
			return s.fail(stopDedent)
		}
		if alt != s.alts[n] {
			return s.fail(stopTabs)
		}
	}
	return true
}

// dropMatches forgets the blocks of case clauses that have been left.
func (s *scanner) dropMatches() {
	for n := len(s.matches); n > 0 && s.matches[n-1] > len(s.indents)-1; n-- {
		s.matches = s.matches[:n-1]
	}
}

// first scans the first token of a line, where match and case may be keywords:
// case directly in the block of a match statement, match when its line ends in
// a colon and a block follows that begins with case. No other statement does.
func (s *scanner) first() (token, bool) {
	t, ok := s.token()
	if !ok || s.trial || t.kind != tIdent {
		return t, ok
	}
	switch s.src[t.start:t.end] {
	case "case":
		if n := len(s.matches); n > 0 && s.matches[n-1] == len(s.indents)-1 {
			t.kind = tCase
		}
	case "match":
		if s.beginsMatch() {
			t.kind, s.inMatch = tMatch, true
		}
	}
	return t, ok
}

func (s *scanner) beginsMatch() bool {
	look := *s
	look.trial = true
	look.brackets = append([]bracket(nil), s.brackets...)
	look.indents, look.alts = append([]int(nil), s.indents...), append([]int(nil), s.alts...)
	colon := false
	for n := 0; ; n++ {
		t, ok := look.next()
		switch {
		case !ok, t.kind == tEOF, n == 0 && t.kind == tColon:
			return false
		case t.kind != tNewline:
			colon = t.kind == tColon
			continue
		case !colon:
			return false
		}
		if t, ok = look.next(); !ok || t.kind != tIndent {
			return false
		}
		t, ok = look.next()
		return ok && t.kind == tIdent && look.src[t.start:t.end] == "case"
	}
}
