package parser

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/runenames"
)

// literal is one string token taken apart.
type literal struct {
	body      string // between the quotes
	offset    int    // of body in the token
	bytes     bool
	raw       bool
	formatted bool
	unicode   bool // the prefix begins with u
}

func splitLiteral(text string) literal {
	l := literal{unicode: text[0] == 'u'}
	i := 0
	for ; text[i] != '"' && text[i] != '\''; i++ {
		switch text[i] | 0x20 {
		case 'b':
			l.bytes = true
		case 'r':
			l.raw = true
		case 'f':
			l.formatted = true
		}
	}
	quotes := 1
	if q := text[i]; len(text)-i >= 6 && text[i+1] == q && text[i+2] == q {
		quotes = 3
	}
	l.offset = i + quotes
	l.body = text[l.offset : len(text)-quotes]
	return l
}

// decode gives the value of the literal part of a string; msg says what is
// wrong with it.
func decode(s string, bytes, raw bool) (value, msg string) {
	if bytes {
		for i := 0; i < len(s); i++ {
			if s[i] >= utf8.RuneSelf {
				return "", "bytes can only contain ASCII literal characters"
			}
		}
	}
	if raw || strings.IndexByte(s, '\\') < 0 {
		return s, ""
	}
	d := decoder{in: s, bytes: bytes}
	return d.run()
}

type decoder struct {
	in    string
	bytes bool
	out   strings.Builder
	msg   string
}

func (d *decoder) run() (string, string) {
	for i := 0; i < len(d.in) && d.msg == ""; {
		n := strings.IndexByte(d.in[i:], '\\')
		if n < 0 {
			n = len(d.in) - i
		}
		d.out.WriteString(d.in[i : i+n])
		if i += n; i < len(d.in) {
			i = d.escape(i)
		}
	}
	if d.msg != "" {
		return "", d.msg
	}
	return d.out.String(), ""
}

var simpleEscapes = [256]byte{'\\': '\\', '\'': '\'', '"': '"', 'a': 7, 'b': 8, 'f': 12, 'n': 10, 'r': 13, 't': 9, 'v': 11}

// escape decodes the escape sequence at in[i] and returns where it ends.
func (d *decoder) escape(i int) int {
	if i+1 >= len(d.in) {
		d.out.WriteByte('\\')
		return i + 1
	}
	c := d.in[i+1]
	switch {
	case c == '\n':
		return i + 2
	case simpleEscapes[c] != 0:
		d.out.WriteByte(simpleEscapes[c])
		return i + 2
	case c >= '0' && c <= '7':
		n, j := 0, i+1
		for ; j < i+4 && j < len(d.in) && d.in[j] >= '0' && d.in[j] <= '7'; j++ {
			n = n*8 + int(d.in[j]-'0')
		}
		d.put(rune(n))
		return j
	case c == 'x':
		return d.hex(i, 2)
	case d.bytes:
	case c == 'u':
		return d.hex(i, 4)
	case c == 'U':
		return d.hex(i, 8)
	case c == 'N':
		return d.named(i)
	}
	d.out.WriteByte('\\') // not an escape: both characters stay
	return i + 1
}

// put writes a code point; in bytes it is a byte.
func (d *decoder) put(r rune) {
	switch {
	case d.bytes:
		d.out.WriteByte(byte(r))
	case r >= 0xD800 && r < 0xE000: // a surrogate, which utf8 would replace
		d.out.Write([]byte{0xED, byte(0x80 | r>>6&0x3F), byte(0x80 | r&0x3F)})
	default:
		d.out.WriteRune(r)
	}
}

var escapeForms = map[int]string{2: `\xXX`, 4: `\uXXXX`, 8: `\UXXXXXXXX`}

func (d *decoder) hex(i, digits int) int {
	n, j := 0, i+2
	for ; j < i+2+digits && j < len(d.in) && isHex(d.in[j]); j++ {
		n = n*16 + strings.IndexByte("0123456789abcdef", lowerHex(d.in[j]))
	}
	switch {
	case j == i+2+digits && n <= utf8.MaxRune:
		d.put(rune(n))
	case d.bytes:
		d.msg = fmt.Sprintf(`(value error) invalid \x escape at position %d`, i)
	case j < i+2+digits:
		d.unicodeError(i, j, "truncated "+escapeForms[digits]+" escape")
	default:
		d.unicodeError(i, j, "illegal Unicode character")
	}
	return j
}

func lowerHex(c byte) byte {
	if c >= 'A' && c <= 'F' {
		return c | 0x20
	}
	return c
}

// unicodeError reports the bad sequence in[i:j]. CPython decodes a copy in which
// each character beyond ASCII takes the ten bytes of \UXXXXXXXX; its positions
// count in that.
func (d *decoder) unicodeError(i, j int, what string) {
	first, last := copied(d.in[:i]), copied(d.in[:j])-1
	d.msg = fmt.Sprintf("(unicode error) 'unicodeescape' codec can't decode bytes in position %d-%d: %s", first, last, what)
	if first == last {
		d.msg = fmt.Sprintf("(unicode error) 'unicodeescape' codec can't decode byte 0x5c in position %d: %s", first, what)
	}
}

// copied is the length of s in that copy, in which a backslash before such a
// character is an escape too.
func copied(s string) int {
	n, backslash := 0, false
	for _, r := range s {
		if n++; r >= utf8.RuneSelf {
			n += len(`\UXXXXXXXX`) - 1
			if backslash {
				n += len(`u005c`)
			}
		}
		backslash = r == '\\' && !backslash
	}
	return n
}

// named decodes \N{NAME}.
func (d *decoder) named(i int) int {
	rest := d.in[i+2:]
	end := strings.IndexByte(rest, '}')
	switch {
	case rest == "" || rest[0] != '{' || end == 1:
		d.unicodeError(i, i+2, `malformed \N character escape`)
		if end == 1 && rest[0] == '{' {
			d.unicodeError(i, i+3, `malformed \N character escape`)
		}
		return len(d.in)
	case end < 0:
		d.unicodeError(i, len(d.in), `malformed \N character escape`)
		return len(d.in)
	}
	r, ok := RuneNamed(rest[1:end])
	if !ok {
		d.unicodeError(i, i+2+end+1, "unknown Unicode character name")
		return len(d.in)
	}
	d.put(r)
	return i + 2 + end + 1
}

// runesByName holds the names of all characters but the algorithmic ones. It
// takes some megabytes and is made when a source first names a character.
var runesByName = sync.OnceValue(func() map[string]rune {
	m := make(map[string]rune, 1<<15)
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if n := runenames.Name(r); n != "" && n[0] != '<' {
			m[n] = r
		}
	}
	for name, r := range map[string]rune{"NULL": 0, "BACKSPACE": 8, "CHARACTER TABULATION": 9, "TAB": 9, "LINE FEED": 10, "NEW LINE": 10,
		"FORM FEED": 12, "CARRIAGE RETURN": 13, "ESCAPE": 27, "DELETE": 127, "NEXT LINE": 0x85, "NBSP": 0xA0, "ZWJ": 0x200D, "ZWNJ": 0x200C,
		"BOM": 0xFEFF, "BYTE ORDER MARK": 0xFEFF, "BEL": 7, "ALERT": 7} {
		m[name] = r
	}
	return m
})

// RuneNamed is the character of a Unicode name, in any case.
func RuneNamed(name string) (rune, bool) {
	name = strings.ToUpper(name)
	if h, ok := strings.CutPrefix(name, "CJK UNIFIED IDEOGRAPH-"); ok {
		var r rune
		if _, err := fmt.Sscanf(h, "%X", &r); err == nil && runenames.Name(r) == "<CJK Ideograph>" {
			return r, true
		}
	}
	r, ok := runesByName()[name]
	return r, ok
}
