package ast

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// floatRepr prints f with the fewest digits that read back as f, in CPython's
// form; point asks for ".0" after a whole number.
func floatRepr(f float64, point bool) string {
	if math.IsInf(f, 1) {
		return "inf"
	}
	if math.IsNaN(f) {
		return "nan"
	}
	exp := 0
	if f != 0 {
		s := strconv.FormatFloat(f, 'e', -1, 64)
		exp, _ = strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	}
	if exp < -4 || exp >= 16 {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if point && !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// quote prints a str (or the bytes of a bytes object) as a Python literal.
func quote(s string, bytes bool) string {
	q := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		q = '"'
	}
	var b strings.Builder
	b.WriteByte(q)
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf || bytes {
			quoteByte(&b, c, q)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			if r, n = surrogate(s[i:]); n == 1 {
				quoteByte(&b, c, q)
				i++
				continue
			}
		}
		quoteRune(&b, r)
		i += n
	}
	b.WriteByte(q)
	return b.String()
}

// surrogate decodes one lone surrogate of WTF-8; n is 1 when there is none.
func surrogate(s string) (r rune, n int) {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] < 0xC0 && s[2]&0xC0 == 0x80 {
		return rune(s[0]&0xF)<<12 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return utf8.RuneError, 1
}

func quoteByte(b *strings.Builder, c, q byte) {
	switch {
	case c == q || c == '\\':
		b.WriteByte('\\')
		b.WriteByte(c)
	case c == '\n':
		b.WriteString(`\n`)
	case c == '\r':
		b.WriteString(`\r`)
	case c == '\t':
		b.WriteString(`\t`)
	case c < ' ' || c >= 0x7F:
		fmt.Fprintf(b, `\x%02x`, c)
	default:
		b.WriteByte(c)
	}
}

func quoteRune(b *strings.Builder, r rune) {
	switch {
	case unicode.IsPrint(r):
		b.WriteRune(r)
	case r < 0x100:
		fmt.Fprintf(b, `\x%02x`, r)
	case r < 0x10000:
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		fmt.Fprintf(b, `\U%08x`, r)
	}
}
