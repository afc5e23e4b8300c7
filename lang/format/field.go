package format

import (
	"math"
	"strings"
)

// Field is one piece of a str.format template: literal text, then perhaps a
// replacement field.
type Field struct {
	Literal string
	Has     bool // a replacement field follows the literal
	Name    string
	Conv    rune // 'r', 's', 'a' or 0
	Spec    string
	Nested  bool // Spec holds replacement fields itself
}

// Fields scans a str.format template.
type Fields struct {
	text string
	pos  int
}

// NewFields returns a scanner over a template.
func NewFields(text string) Fields { return Fields{text: text} }

// Next returns the next piece, or false at the end.
func (m *Fields) Next() (Field, bool, *Error) {
	var f Field
	if m.pos >= len(m.text) {
		return f, false, nil
	}
	start := m.pos
	i := strings.IndexAny(m.text[start:], "{}")
	if i < 0 {
		f.Literal = m.text[start:]
		m.pos = len(m.text)
		return f, true, nil
	}
	brace := m.text[start+i]
	m.pos = start + i + 1
	if m.pos < len(m.text) && m.text[m.pos] == brace {
		f.Literal = m.text[start:m.pos]
		m.pos++
		return f, true, nil
	}
	if brace == '}' || m.pos >= len(m.text) {
		return f, false, valueError("Single '%c' encountered in format string", brace)
	}
	f.Literal, f.Has = m.text[start:start+i], true
	return f, true, m.field(&f)
}

func (m *Fields) field(f *Field) *Error {
	start, bracket := m.pos, false
	var c byte
	for ; m.pos < len(m.text); m.pos++ {
		c = m.text[m.pos]
		switch c {
		case '{':
			return valueError("unexpected '{' in field name")
		case '[':
			bracket = true
			continue
		case ']':
			bracket = false
			continue
		case '}', ':', '!':
			if bracket {
				continue
			}
		default:
			continue
		}
		break
	}
	if m.pos >= len(m.text) {
		return valueError("expected '}' before end of string")
	}
	f.Name = m.text[start:m.pos]
	m.pos++
	switch c {
	case '}':
		return nil
	case '!':
		done, err := m.conversion(f)
		if done || err != nil {
			return err
		}
	}
	return m.spec(f)
}

// conversion reads what follows '!'; done when the field ends there.
func (m *Fields) conversion(f *Field) (bool, *Error) {
	if m.pos >= len(m.text) {
		return false, valueError("end of string while looking for conversion specifier")
	}
	r, n := DecodeRune(m.text[m.pos:])
	f.Conv = r
	m.pos += n
	if m.pos >= len(m.text) {
		return false, nil
	}
	c := m.text[m.pos]
	m.pos++
	if c == '}' {
		return true, nil
	}
	if c != ':' {
		return false, valueError("expected ':' after conversion specifier")
	}
	return false, nil
}

func (m *Fields) spec(f *Field) *Error {
	start, depth := m.pos, 1
	for ; m.pos < len(m.text); m.pos++ {
		switch m.text[m.pos] {
		case '{':
			f.Nested = true
			depth++
		case '}':
			if depth--; depth == 0 {
				f.Spec = m.text[start:m.pos]
				m.pos++
				return nil
			}
		}
	}
	return valueError("unmatched '{' in format spec")
}

// UnknownConversion is the error for a conversion that isn't r, s or a.
func UnknownConversion(r rune) *Error {
	if r > 32 && r < 127 {
		return valueError("Unknown conversion specifier %c", r)
	}
	return valueError("Unknown conversion specifier \\x%x", r)
}

// Numbering is the state of automatic and manual field numbers of one template.
type Numbering struct {
	next         int
	auto, manual bool
}

// First splits a field name: its first part is a positional index (>= 0) or,
// when index is -1, a name; rest is what Step reads.
func (n *Numbering) First(field string) (name string, index int, rest string, err *Error) {
	i := strings.IndexAny(field, ".[")
	if i < 0 {
		i = len(field)
	}
	name, rest = field[:i], field[i:]
	if name == "" {
		if n.manual {
			return "", 0, "", valueError("cannot switch from manual field specification to automatic field numbering")
		}
		n.auto = true
		n.next++
		return "", n.next - 1, rest, nil
	}
	index, err = fieldIndex(name)
	if err != nil || index < 0 {
		return name, -1, rest, err
	}
	if n.auto {
		return "", 0, "", valueError("cannot switch from automatic field numbering to manual field specification")
	}
	n.manual = true
	return "", index, rest, nil
}

func fieldIndex(s string) (int, *Error) {
	n, rest, err := leadingNumber(s)
	if err != nil {
		return 0, err
	}
	if rest != "" || s == "" {
		return -1, nil
	}
	return n, nil
}

// Step is one look-up of a field name: an attribute, or an item by index
// (>= 0) or by name.
type Step struct {
	Attr  bool
	Name  string
	Index int
}

// NextStep reads one step from the rest of a field name.
func NextStep(rest string) (Step, string, *Error) {
	s := Step{Index: -1}
	switch rest[0] {
	case '.':
		s.Attr = true
		i := strings.IndexAny(rest[1:], ".[")
		if i < 0 {
			i = len(rest) - 1
		}
		s.Name, rest = rest[1:1+i], rest[1+i:]
	case '[':
		i := strings.IndexByte(rest, ']')
		if i < 0 {
			return s, "", valueError("Missing ']' in format string")
		}
		s.Name, rest = rest[1:i], rest[i+1:]
	default:
		return s, "", valueError("Only '.' or '[' may follow ']' in format field specifier")
	}
	if s.Name == "" {
		return s, "", valueError("Empty attribute in format string")
	}
	if !s.Attr {
		n, err := fieldIndex(s.Name)
		if err != nil {
			return s, "", err
		}
		s.Index = n
	}
	return s, rest, nil
}

// MaxIndex bounds what an index in a field can be.
const MaxIndex = math.MaxInt64
