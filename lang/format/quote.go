package format

import (
	"strings"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// StrRepr is repr() of a str.
func StrRepr(s string) string { return string(AppendStrRepr(nil, s, false)) }

// StrASCII is ascii() of a str.
func StrASCII(s string) string { return string(AppendStrRepr(nil, s, true)) }

func quoteFor(s string) byte {
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		return '"'
	}
	return '\''
}

// AppendStrRepr appends repr() of s; ascii escapes everything beyond ASCII.
func AppendStrRepr(b []byte, s string, ascii bool) []byte {
	q := quoteFor(s)
	b = append(b, q)
	for i := 0; i < len(s); {
		r, n := DecodeRune(s[i:])
		if r < utf8.RuneSelf {
			b = appendByteRepr(b, byte(r), q)
		} else if ascii || !IsPrintable(r) {
			b = AppendEscape(b, r)
		} else {
			b = append(b, s[i:i+n]...)
		}
		i += n
	}
	return append(b, q)
}

func appendByteRepr(b []byte, c, q byte) []byte {
	switch {
	case c == q || c == '\\':
		return append(b, '\\', c)
	case c == '\n':
		return append(b, `\n`...)
	case c == '\r':
		return append(b, `\r`...)
	case c == '\t':
		return append(b, `\t`...)
	case c < ' ' || c >= 0x7f:
		return append(b, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
	}
	return append(b, c)
}

// AppendEscape appends r as \x, \u or \U.
func AppendEscape(b []byte, r rune) []byte {
	width := 8
	switch {
	case r < 0x100:
		b, width = append(b, `\x`...), 2
	case r < 0x10000:
		b, width = append(b, `\u`...), 4
	default:
		b = append(b, `\U`...)
	}
	for k := width - 1; k >= 0; k-- {
		b = append(b, hexDigits[r>>(4*k)&15])
	}
	return b
}

// ASCIIText replaces everything beyond ASCII by escapes: ascii() of a text that is already a repr.
func ASCIIText(s string) string {
	if isASCII(s) {
		return s
	}
	var b []byte
	for i := 0; i < len(s); {
		r, n := DecodeRune(s[i:])
		if r < utf8.RuneSelf {
			b = append(b, byte(r))
		} else {
			b = AppendEscape(b, r)
		}
		i += n
	}
	return string(b)
}

// BytesRepr is repr() of bytes.
func BytesRepr(s string) string {
	q := quoteFor(s)
	b := make([]byte, 0, len(s)+3)
	b = append(b, 'b', q)
	for i := 0; i < len(s); i++ {
		b = appendByteRepr(b, s[i], q)
	}
	return string(append(b, q))
}
