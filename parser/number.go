package parser

import (
	"strings"
	"unicode/utf8"
)

// number scans a numeric literal, with CPython's messages for a wrong one.
func (s *scanner) number(from int) (token, bool) {
	ok := false
	if s.src[from] == '0' {
		switch s.src[from+1] {
		case 'x', 'X':
			ok = s.radix("hexadecimal", isHex)
		case 'o', 'O':
			ok = s.radix("octal", func(c byte) bool { return c >= '0' && c < '8' })
		case 'b', 'B':
			ok = s.radix("binary", func(c byte) bool { return c == '0' || c == '1' })
		default:
			ok = s.zeros()
		}
	} else if s.src[from] == '.' {
		ok = s.fraction()
	} else {
		ok = s.digits() && s.fraction()
	}
	if !ok {
		return token{}, false
	}
	return s.make(tNumber, from), true
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// radix scans the rest of 0x…, 0o… or 0b….
func (s *scanner) radix(kind string, digit func(byte) bool) bool {
	src := s.src
	s.pos += 2
	for {
		if src[s.pos] == '_' {
			s.pos++
		}
		if c := src[s.pos]; !digit(c) {
			if isDigit(c) {
				s.pos++
				return s.errorf("invalid digit '%c' in %s literal", c, kind)
			}
			return s.errorf("invalid %s literal", kind)
		}
		for digit(src[s.pos]) {
			s.pos++
		}
		if src[s.pos] != '_' {
			break
		}
	}
	if c := src[s.pos]; isDigit(c) {
		s.pos++
		return s.errorf("invalid digit '%c' in %s literal", c, kind)
	}
	return s.numberEnd(kind)
}

// digits scans decimal digits with single underscores between them.
func (s *scanner) digits() bool {
	for {
		for isDigit(s.src[s.pos]) {
			s.pos++
		}
		if s.src[s.pos] != '_' {
			return true
		}
		if s.pos++; !isDigit(s.src[s.pos]) {
			return s.errorf("invalid decimal literal")
		}
	}
}

// zeros scans a number that begins with 0: an integer may have no other digit.
func (s *scanner) zeros() bool {
	start, src := s.pos, s.src
	for {
		if src[s.pos] == '_' {
			if s.pos++; !isDigit(src[s.pos]) {
				return s.errorf("invalid decimal literal")
			}
		}
		if src[s.pos] != '0' {
			break
		}
		s.pos++
	}
	zeros, nonzero := s.pos, isDigit(src[s.pos])
	if nonzero && !s.digits() {
		return false
	}
	switch src[s.pos] {
	case '.', 'e', 'E', 'j', 'J':
		return s.fraction()
	}
	if nonzero {
		s.errorf("leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers")
		s.stop.offset, s.stop.endOffset, s.stop.raw = start+1-s.bol, zeros+1-s.bol, true
		return false
	}
	return s.numberEnd("decimal")
}

// fraction scans what may follow the digits of a decimal number.
func (s *scanner) fraction() bool {
	src := s.src
	if src[s.pos] == '.' {
		if s.pos++; isDigit(src[s.pos]) && !s.digits() {
			return false
		}
	}
	if c := src[s.pos]; c == 'e' || c == 'E' {
		sign := s.pos + 1
		switch c := src[sign]; {
		case c == '+' || c == '-':
			s.pos = sign + 1
			if !isDigit(src[s.pos]) {
				return s.errorf("invalid decimal literal")
			}
		case !isDigit(c):
			return s.numberEnd("decimal")
		default:
			s.pos = sign
		}
		if !s.digits() {
			return false
		}
	}
	if c := src[s.pos]; c == 'j' || c == 'J' {
		s.pos++
		return s.numberEnd("imaginary")
	}
	return s.numberEnd("decimal")
}

// numberEnd refuses a letter after a number, save one that begins a keyword
// which may follow it.
func (s *scanner) numberEnd(kind string) bool {
	rest := s.src[s.pos:]
	if class[rest[0]]&(cIdent|cDigit) == 0 || rest[0] >= utf8.RuneSelf {
		return true
	}
	for _, k := range [...]string{"and", "else", "for", "if", "in", "is", "or", "not"} {
		if !strings.HasPrefix(rest, k) {
			continue
		}
		if k[0] == 'i' || class[rest[len(k)]]&(cIdent|cDigit) == 0 {
			return true
		}
	}
	return s.errorf("invalid %s literal", kind)
}
