package format

import "strconv"

// The quick forms of formatting append to a buffer: specifiers of the shape
// [[fill]align][+][0][width][.precision][type] in ASCII, for small ints, finite
// floats and ASCII strings. They report false for whatever they leave to the full
// forms, mistakes included.

type quick struct {
	fill, align, sign, kind byte // 0 where absent
	width, prec             int  // prec -1 when absent
}

const (
	quickWidth = 999 // beyond it the full forms ask for the room
	quickPrec  = 60
)

func parseQuick(t string) (q quick, ok bool) {
	q.prec = -1
	if len(t) >= 2 && isAlign(t[1]) {
		q.fill, q.align, t = t[0], t[1], t[2:]
	} else if t != "" && isAlign(t[0]) {
		q.fill, q.align, t = ' ', t[0], t[1:]
	}
	if t != "" && t[0] == '+' {
		q.sign, t = '+', t[1:]
	}
	if t != "" && t[0] == '0' {
		if q.align != 0 {
			return q, false
		}
		q.fill, q.align, t = '0', '=', t[1:]
	}
	q.width, t = quickNumber(t)
	if t != "" && t[0] == '.' {
		rest := t[1:]
		if q.prec, t = quickNumber(rest); len(t) == len(rest) {
			return q, false
		}
	}
	if t != "" {
		q.kind, t = t[0], t[1:]
	}
	return q, t == "" && q.fill < 0x80 && q.width <= quickWidth && q.prec <= quickPrec
}

func quickNumber(t string) (int, string) {
	n := 0
	for t != "" && t[0] >= '0' && t[0] <= '9' && n <= quickWidth {
		n, t = n*10+int(t[0]-'0'), t[1:]
	}
	return n, t
}

// pad fills b[from:] up to the width; head is the length of its sign.
func (q quick) pad(b []byte, from, head int, align byte) []byte {
	n := q.width - (len(b) - from)
	if n <= 0 {
		return b
	}
	if q.align != 0 {
		align = q.align
	}
	fill := q.fill
	if fill == 0 {
		fill = ' '
	}
	left := n
	switch align {
	case '<':
		left = 0
	case '^':
		left = n / 2
	case '=':
		from += head
	}
	return padBytes(b, from, left, n-left, fill)
}

// padBytes puts left fill bytes in front of b[from:] and right ones behind it.
func padBytes(b []byte, from, left, right int, fill byte) []byte {
	for range left + right {
		b = append(b, fill)
	}
	if left > 0 {
		copy(b[from+left:], b[from:len(b)-left-right])
		for i := from; i < from+left; i++ {
			b[i] = fill
		}
		for i := len(b) - right; i < len(b); i++ {
			b[i] = fill
		}
	}
	return b
}

// QuickInt appends i formatted by spec.
func QuickInt(b []byte, spec string, i int64) ([]byte, bool) {
	q, ok := parseQuick(spec)
	if !ok || q.prec >= 0 || q.kind != 0 && q.kind != 'd' {
		return b, false
	}
	from, head := len(b), 0
	if q.sign != 0 && i >= 0 {
		b = append(b, '+')
	}
	b = strconv.AppendInt(b, i, 10)
	if q.sign != 0 || i < 0 {
		head = 1
	}
	return q.pad(b, from, head, '>'), true
}

// QuickFloat appends f formatted by spec, which must ask for 'f' or 'e'.
func QuickFloat(b []byte, spec string, f float64) ([]byte, bool) {
	q, ok := parseQuick(spec)
	if !ok || q.kind != 'f' && q.kind != 'e' || f-f != 0 {
		return b, false
	}
	if q.prec < 0 {
		q.prec = 6
	}
	from := len(b)
	b = strconv.AppendFloat(b, f, q.kind, q.prec, 64)
	head := 0
	if b[from] == '-' {
		head = 1
	} else if q.sign != 0 {
		b, head = padBytes(b, from, 1, 0, '+'), 1
	}
	return q.pad(b, from, head, '>'), true
}

// QuickStr appends ASCII text formatted by spec.
func QuickStr(b []byte, spec, text string) ([]byte, bool) {
	q, ok := parseQuick(spec)
	if !ok || q.kind != 0 && q.kind != 's' || q.align == '=' || q.sign != 0 {
		return b, false
	}
	if q.prec >= 0 && q.prec < len(text) {
		text = text[:q.prec]
	}
	from := len(b)
	return q.pad(append(b, text...), from, 0, '<'), true
}

// quick gives the layout of a directive that the quick forms know.
func (d *Directive) quick() (quick, bool) {
	q := quick{prec: d.Precision, width: max(d.Width, 0), align: '>'}
	switch {
	case d.Minus:
		q.align = '<'
	case d.Zero:
		q.fill, q.align = '0', '='
	}
	if d.Plus {
		q.sign = '+'
	} else if d.Space {
		q.sign = ' '
	}
	return q, !d.Alt && q.width <= quickWidth && q.prec <= quickPrec
}

// QuickInt appends what %d makes of i.
func (d *Directive) QuickInt(b []byte, i int64) ([]byte, bool) {
	q, ok := d.quick()
	if !ok || q.prec >= 0 {
		return b, false
	}
	from, head := len(b), 0
	if q.sign != 0 && i >= 0 {
		b, head = append(b, q.sign), 1
	} else if i < 0 {
		head = 1
	}
	return q.pad(strconv.AppendInt(b, i, 10), from, head, '>'), true
}

// QuickFloat appends what %f makes of f.
func (d *Directive) QuickFloat(b []byte, f float64) ([]byte, bool) {
	q, ok := d.quick()
	if !ok || f-f != 0 {
		return b, false
	}
	if q.prec < 0 {
		q.prec = 6
	}
	from := len(b)
	b = strconv.AppendFloat(b, f, 'f', q.prec, 64)
	head := 0
	if b[from] == '-' {
		head = 1
	} else if q.sign != 0 {
		b, head = padBytes(b, from, 1, 0, q.sign), 1
	}
	return q.pad(b, from, head, '>'), true
}

// QuickText appends what %s makes of ASCII text.
func (d *Directive) QuickText(b []byte, text string) ([]byte, bool) {
	q, ok := d.quick()
	if !ok || q.align == '=' && q.width > 0 {
		return b, false
	}
	if q.prec >= 0 && q.prec < len(text) {
		text = text[:q.prec]
	}
	from := len(b)
	return q.pad(append(b, text...), from, 0, '>'), true
}
