package format

import (
	"math"
	"math/big"
	"strings"
)

// Directive is one conversion of a %-format and the literal text before it.
type Directive struct {
	Literal             string
	Key                 string
	HasKey              bool
	Minus, Plus, Space  bool
	Alt, Zero           bool
	Width, Precision    int // -1 absent
	StarWidth, StarPrec bool
	Conv                rune // 0: literal text only
	MaxDigits           int  // of an int in decimals; 0 for no limit
	Index               int  // of the conversion character, in code points
}

// Percent scans a %-format.
type Percent struct {
	text  string
	pos   int
	index int // code points before pos
}

// NewPercent returns a scanner over a %-format.
func NewPercent(text string) Percent { return Percent{text: text} }

// Next returns the next directive, or false at the end. A directive whose Conv
// is 0 holds only literal text.
func (p *Percent) Next() (Directive, bool, *Error) {
	d := Directive{Width: -1, Precision: -1, MaxDigits: MaxIntDigits}
	if p.pos >= len(p.text) {
		return d, false, nil
	}
	i := strings.IndexByte(p.text[p.pos:], '%')
	if i < 0 {
		d.Literal = p.text[p.pos:]
		p.pos = len(p.text)
		return d, true, nil
	}
	d.Literal = p.text[p.pos : p.pos+i]
	p.index += RuneCount(d.Literal) + 1
	p.pos += i + 1
	if p.peek() == '%' {
		p.advance()
		d.Literal = p.text[p.pos-2-i : p.pos-1]
		return d, true, nil
	}
	return d, true, p.directive(&d)
}

func (p *Percent) peek() rune {
	if p.pos >= len(p.text) {
		return -1
	}
	r, _ := DecodeRune(p.text[p.pos:])
	return r
}

func (p *Percent) advance() {
	_, n := DecodeRune(p.text[p.pos:])
	p.pos += n
	p.index++
}

func (p *Percent) directive(d *Directive) *Error {
	if p.peek() == '(' {
		if err := p.key(d); err != nil {
			return err
		}
	}
	p.flags(d)
	var err *Error
	if d.Width, d.StarWidth, err = p.number("width too big", math.MaxInt64); err != nil {
		return err
	}
	if p.peek() == '.' {
		p.advance()
		if d.Precision, d.StarPrec, err = p.number("precision too big", math.MaxInt32); err != nil {
			return err
		}
		d.Precision = max(d.Precision, 0)
	}
	if c := p.peek(); c == 'h' || c == 'l' || c == 'L' {
		p.advance()
	}
	d.Conv = p.peek()
	if d.Conv < 0 {
		return valueError("incomplete format")
	}
	d.Index = p.index
	p.advance()
	return nil
}

func (p *Percent) key(d *Directive) *Error {
	p.advance()
	start, depth := p.pos, 1
	for depth > 0 {
		switch p.peek() {
		case -1:
			return valueError("incomplete format key")
		case '(':
			depth++
		case ')':
			depth--
		}
		p.advance()
	}
	d.Key, d.HasKey = p.text[start:p.pos-1], true
	return nil
}

func (p *Percent) flags(d *Directive) {
	for {
		switch p.peek() {
		case '-':
			d.Minus = true
		case '+':
			d.Plus = true
		case ' ':
			d.Space = true
		case '#':
			d.Alt = true
		case '0':
			d.Zero = true
		default:
			return
		}
		p.advance()
	}
}

func (p *Percent) number(tooBig string, limit int) (int, bool, *Error) {
	if p.peek() == '*' {
		p.advance()
		return -1, true, nil
	}
	n := -1
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		n = max(n, 0)
		if n > (limit-int(c-'0'))/10 {
			return 0, false, valueError("%s", tooBig)
		}
		n = n*10 + int(c-'0')
		p.advance()
	}
	return n, false, nil
}

// SetWidth fills in the argument of a `*` width.
func (d *Directive) SetWidth(n int) {
	if d.Width = n; n < 0 {
		d.Minus, d.Width = true, -n
	}
}

// SetPrecision fills in the argument of a `.*` precision.
func (d *Directive) SetPrecision(n int) { d.Precision = max(n, 0) }

// Unsupported is the error for a conversion character that isn't one.
func (d Directive) Unsupported() *Error {
	c := d.Conv
	if c <= 31 || c > 126 {
		c = '?'
	}
	return valueError("unsupported format character '%c' (0x%x) at index %d", c, d.Conv, d.Index)
}

// Text lays out %s, %r, %a.
func (d Directive) Text(s string) (string, *Error) {
	if d.Precision >= 0 {
		s = TruncateRunes(s, d.Precision)
	}
	return d.pad("", s, false)
}

// Char lays out %c.
func (d Directive) Char(s string) (string, *Error) { return d.pad("", s, false) }

func (d Directive) pad(head, body string, zero bool) (string, *Error) {
	missing := d.Width - RuneCount(head) - RuneCount(body)
	if missing <= 0 {
		return head + body, nil
	}
	if d.Width > MaxText {
		return "", errMemory
	}
	switch {
	case d.Minus:
		return head + body + strings.Repeat(" ", missing), nil
	case zero:
		return head + strings.Repeat("0", missing) + body, nil
	}
	return strings.Repeat(" ", missing) + head + body, nil
}

func (d Directive) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case d.Plus:
		return "+"
	case d.Space:
		return " "
	}
	return ""
}

// Integer lays out %d %i %u %o %x %X.
func (d Directive) Integer(i *big.Int) (string, *Error) {
	base := 10
	switch d.Conv {
	case 'o':
		base = 8
	case 'x', 'X':
		base = 16
	default:
		if err := CheckDigits(i, d.MaxDigits); err != nil {
			return "", err
		}
	}
	if d.Precision > MaxText {
		return "", errMemory
	}
	digits := strings.TrimPrefix(i.Text(base), "-")
	if n := d.Precision - len(digits); n > 0 {
		digits = strings.Repeat("0", n) + digits
	}
	head := d.sign(i.Sign() < 0)
	if d.Alt && base != 10 {
		head += "0" + string(d.Conv)
	}
	if d.Conv == 'X' {
		digits = strings.ToUpper(digits)
	}
	return d.pad(head, digits, d.Zero)
}

// Float lays out %e %f %g and their upper case forms.
func (d Directive) Float(f float64) (string, *Error) {
	prec := d.Precision
	if prec < 0 {
		prec = 6
	}
	if prec > MaxText {
		return "", errMemory
	}
	t := FloatText(f, byte(d.Conv), prec, FloatFlags{Alt: d.Alt})
	neg := t[0] == '-'
	if neg {
		t = t[1:]
	}
	return d.pad(d.sign(neg), t, d.Zero)
}
