package format

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Spec is a parsed format specifier: [[fill]align][sign][z][#][0][width][,_][.precision][type].
type Spec struct {
	Fill      rune
	Align     byte // '<' '>' '=' '^'
	Sign      byte // 0 when absent
	NoNegZero bool
	Alt       bool
	Width     int  // -1 absent
	Group     byte // 0 ',' '_'
	Precision int  // -1 absent
	Type      rune // 0 absent
	MaxDigits int  // of an int in decimals; 0 for no limit

	fillGiven, alignGiven bool
}

// ParseSpec reads a specifier for a value of the named type; align is the
// type's default alignment ('<' or '>').
func ParseSpec(text, typeName string, align byte) (Spec, *Error) {
	s := Spec{Fill: ' ', Align: align, Width: -1, Precision: -1, MaxDigits: MaxIntDigits}
	rest := s.parseFront(text, align)
	rest, err := s.parseWidth(rest)
	if err != nil {
		return s, err
	}
	if rest, err = s.parsePrecision(rest); err != nil {
		return s, err
	}
	if rest != "" {
		r, n := DecodeRune(rest)
		if n != len(rest) {
			return s, valueError("Invalid format specifier '%s' for object of type '%s'", text, typeName)
		}
		s.Type = r
	}
	return s, s.checkGroup()
}

func isAlign(b byte) bool { return b == '<' || b == '>' || b == '=' || b == '^' }

// parseFront reads everything before the width.
func (s *Spec) parseFront(text string, align byte) string {
	if text != "" {
		if r, n := DecodeRune(text); n < len(text) && isAlign(text[n]) {
			s.Fill, s.Align, s.fillGiven, s.alignGiven = r, text[n], true, true
			text = text[n+1:]
		} else if isAlign(text[0]) {
			s.Align, s.alignGiven = text[0], true
			text = text[1:]
		}
	}
	if text != "" && (text[0] == ' ' || text[0] == '+' || text[0] == '-') {
		s.Sign, text = text[0], text[1:]
	}
	if strings.HasPrefix(text, "z") {
		s.NoNegZero, text = true, text[1:]
	}
	if strings.HasPrefix(text, "#") {
		s.Alt, text = true, text[1:]
	}
	if !s.fillGiven && strings.HasPrefix(text, "0") {
		s.Fill, s.fillGiven = '0', true
		if !s.alignGiven && align == '>' {
			s.Align = '='
		}
		text = text[1:]
	}
	return text
}

func (s *Spec) parseWidth(text string) (string, *Error) {
	n, rest, err := leadingNumber(text)
	if err != nil {
		return "", err
	}
	if len(rest) < len(text) {
		s.Width = n
	}
	if strings.HasPrefix(rest, ",") {
		s.Group, rest = ',', rest[1:]
	}
	if strings.HasPrefix(rest, "_") {
		if s.Group != 0 {
			return "", valueError("Cannot specify both ',' and '_'.")
		}
		s.Group, rest = '_', rest[1:]
	}
	if strings.HasPrefix(rest, ",") && s.Group == '_' {
		return "", valueError("Cannot specify both ',' and '_'.")
	}
	return rest, nil
}

func (s *Spec) parsePrecision(text string) (string, *Error) {
	if !strings.HasPrefix(text, ".") {
		return text, nil
	}
	n, rest, err := leadingNumber(text[1:])
	if err != nil {
		return "", err
	}
	if len(rest) == len(text)-1 {
		return "", valueError("Format specifier missing precision")
	}
	s.Precision = n
	return rest, nil
}

// leadingNumber reads decimal digits, of any script, at the front of text.
func leadingNumber(text string) (int, string, *Error) {
	n := 0
	for text != "" {
		r, w := DecodeRune(text)
		d := DecimalDigit(r)
		if d < 0 {
			break
		}
		if n > (1<<63-1-d)/10 {
			return 0, text, valueError("Too many decimal digits in format string")
		}
		n = n*10 + d
		text = text[w:]
	}
	return n, text, nil
}

func (s *Spec) checkGroup() *Error {
	if s.Group == 0 {
		return nil
	}
	switch s.Type {
	case 'd', 'e', 'f', 'g', 'E', 'G', 'F', '%', 0:
		return nil
	case 'b', 'o', 'x', 'X':
		if s.Group == '_' {
			return nil
		}
	}
	if s.Type > 32 && s.Type < 128 {
		return valueError("Cannot specify '%c' with '%c'.", s.Group, s.Type)
	}
	return valueError("Cannot specify '%c' with '\\x%x'.", s.Group, s.Type)
}

func unknownCode(t rune, typeName string) *Error {
	if t > 32 && t < 128 {
		return valueError("Unknown format code '%c' for object of type '%s'", t, typeName)
	}
	return valueError("Unknown format code '\\x%x' for object of type '%s'", t, typeName)
}

// Str formats a string.
func (s Spec) Str(text, typeName string) (string, *Error) {
	if s.Type != 0 && s.Type != 's' {
		return "", unknownCode(s.Type, typeName)
	}
	switch {
	case s.Group != 0:
		return "", valueError("Cannot specify '%c' with 's'.", s.Group)
	case s.Sign == ' ':
		return "", valueError("Space not allowed in string format specifier")
	case s.Sign != 0:
		return "", valueError("Sign not allowed in string format specifier")
	case s.NoNegZero:
		return "", valueError("Negative zero coercion (z) not allowed in string format specifier")
	case s.Alt:
		return "", valueError("Alternate form (#) not allowed in string format specifier")
	case s.Align == '=':
		return "", valueError("'=' alignment not allowed in string format specifier")
	}
	if s.Precision >= 0 {
		text = TruncateRunes(text, s.Precision)
	}
	return s.pad(text)
}

// pad fills text to the width; '=' has been dealt with by the caller.
func (s Spec) pad(text string) (string, *Error) {
	have := utf8.RuneCountInString(text)
	if s.Width <= have {
		return text, nil
	}
	if s.Width > MaxText {
		return "", errMemory
	}
	n := s.Width - have
	left := 0
	switch s.Align {
	case '>', '=':
		left = n
	case '^':
		left = n / 2
	}
	fill := EncodeRune(s.Fill)
	return strings.Repeat(fill, left) + text + strings.Repeat(fill, n-left), nil
}

// number is a formatted number in pieces: Sign, Prefix (0x), Digits (which are
// grouped) and the rest (point, fraction, exponent, percent sign).
type number struct{ sign, prefix, digits, rest string }

// Decimal lays out a number whose digits the caller has made: sign, the digits before
// the point, and the rest.
func (s Spec) Decimal(sign, digits, rest string) (string, *Error) {
	return s.layout(number{sign: sign, digits: digits, rest: rest})
}

// layout groups the digits and pads the whole.
func (s Spec) layout(n number) (string, *Error) {
	if s.Width > MaxText {
		return "", errMemory
	}
	group := 3
	switch s.Type {
	case 'b', 'o', 'x', 'X':
		group = 4
	}
	fixed := len(n.sign) + len(n.prefix) + len(n.rest)
	if s.Group != 0 && n.digits != "" {
		least := 0
		if s.Fill == '0' && s.Align == '=' {
			least = s.Width - fixed
		}
		n.digits = groupDigits(n.digits, s.Group, group, least)
	}
	body := n.digits + n.rest
	head := n.sign + n.prefix
	if s.Align != '=' {
		return s.pad(head + body)
	}
	missing := s.Width - utf8.RuneCountInString(head) - utf8.RuneCountInString(body)
	if missing <= 0 {
		return head + body, nil
	}
	return head + strings.Repeat(EncodeRune(s.Fill), missing) + body, nil
}

// groupDigits inserts separators from the right and leading zeros until the
// text has at least `least` characters; a separator never comes first.
func groupDigits(digits string, sep byte, group, least int) string {
	var out []byte // reversed
	i := len(digits)
	for first := true; ; first = false {
		if !first {
			out = append(out, sep)
		}
		n := min(group, max(i, least, 1))
		for k := range n {
			if i-1-k >= 0 {
				out = append(out, digits[i-1-k])
			} else {
				out = append(out, '0')
			}
		}
		i = max(0, i-n)
		least -= n
		if i <= 0 && least <= 0 {
			break
		}
		least--
	}
	for a, b := 0, len(out)-1; a < b; a, b = a+1, b-1 {
		out[a], out[b] = out[b], out[a]
	}
	return string(out)
}

func (s Spec) signOf(negative bool) string {
	if negative {
		return "-"
	}
	if s.Sign == '+' || s.Sign == ' ' {
		return string(rune(s.Sign))
	}
	return ""
}

func itoa(i int) string { return strconv.Itoa(i) }
