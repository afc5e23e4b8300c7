package builtin

import (
	"math/big"
	"strconv"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
	"github.com/tfs-lang/tfs/lang/value"
)

// percentArgs gives a %-format its arguments one after the other.
type percentArgs struct {
	whole   Value // the right operand
	tuple   []lang.Held
	next    int
	single  bool // the operand itself is the one argument
	mapping bool // %(key)s may be used
	used    bool // a key was used: arguments left over are fine
}

func newPercentArgs(v Value) percentArgs {
	p := percentArgs{whole: v}
	if t, ok := lang.AsTuple(v); ok {
		p.tuple = t.Items()
		return p
	}
	p.single = true
	_, isStr := lang.AsStr(v)
	_, isBytes := lang.BytesOf(v)
	p.mapping = !isStr && !isBytes && lang.ClassOf(v).GetItem != nil
	return p
}

func (p *percentArgs) take(th *Thread) (Value, error) {
	if p.single && p.next == 0 {
		p.next = 1
		return p.whole, nil
	}
	if p.next < len(p.tuple) {
		p.next++
		return p.tuple[p.next-1].Value(), nil
	}
	return fail(th.TypeErrorf("not enough arguments for format string"))
}

func (p *percentArgs) key(th *Thread, key Value) (Value, error) {
	if !p.mapping {
		return fail(th.TypeErrorf("format requires a mapping"))
	}
	p.used = true
	return lang.GetItem(th, p.whole, key)
}

// leftOver reports arguments that no directive took.
func (p *percentArgs) leftOver() bool {
	if p.single {
		return p.next == 0 && !p.mapping && !p.used
	}
	return p.next < len(p.tuple)
}

// Percent is `text % v`.
func Percent(th *Thread, text string, v Value) (string, error) {
	var buf [64]byte
	b, err := percentText.apply(th, buf[:0], text, v)
	return string(b), err
}

// percentStr is `text % v` as a str.
func percentStr(th *Thread, text string, v Value) (Value, error) {
	var buf [64]byte
	b, err := percentText.apply(th, buf[:0], text, v)
	if err != nil {
		return fail(err)
	}
	return lang.StrOfBytes(b), nil
}

// percentKind is how str or bytes take %-formats.
type percentKind struct {
	text bool // of str
	what string
	full func(th *Thread, d format.Directive, v Value) (string, error)
	key  func(string) Value
}

var (
	percentText  = percentKind{true, "string", strDirective, lang.NewStr}
	percentBytes = percentKind{false, "bytes", bytesDirective, lang.NewBytes}
)

// apply appends `text % v` to out, which it borrows.
func (k percentKind) apply(th *Thread, out []byte, text string, v Value) ([]byte, error) {
	args := newPercentArgs(v)
	scan := format.NewPercent(text)
	for {
		d, more, ferr := scan.Next()
		if ferr != nil {
			return nil, raised(th, ferr)
		}
		if !more {
			break
		}
		out = append(out, d.Literal...)
		if d.Conv == 0 {
			continue
		}
		x, err := directiveArg(th, &d, &args, k.key)
		if err != nil {
			return nil, err
		}
		if b, ok := k.quick(out, &d, x); ok {
			out = b
			continue
		}
		d.MaxDigits = th.Interp.IntDigits
		if err := th.CheckSize(max(d.Width, d.Precision, 0), 1); err != nil {
			return nil, err
		}
		s, err := k.full(th, d, x)
		if err != nil {
			return nil, err
		}
		if len(out)+len(s) > 1<<26 {
			if err := th.CheckSize(len(out)+len(s), 1); err != nil {
				return nil, err
			}
		}
		out = append(out, s...)
	}
	if args.leftOver() {
		return nil, th.TypeErrorf("not all arguments converted during %s formatting", k.what)
	}
	return out, nil
}

// quick appends what %d and %f make of exact small ints and floats, and in text %s
// of exact ints and ASCII strs. No function value takes part: buffer and directive
// stay on the stack.
func (k percentKind) quick(out []byte, d *format.Directive, x Value) ([]byte, bool) {
	switch {
	case d.Conv == 'd' && x.IsInt():
		return d.QuickInt(out, x.Int64())
	case d.Conv == 'f' && x.IsFloat():
		return d.QuickFloat(out, x.Float64())
	case d.Conv != 's' || !k.text:
		return out, false
	}
	if x.IsInt() {
		var digits [20]byte
		return d.QuickText(out, string(strconv.AppendInt(digits[:0], x.Int64(), 10)))
	}
	if x.Kind() == value.KindStr {
		if s, _ := lang.AsStr(x); s.IsASCII() && s.Len() < 1<<16 {
			return d.QuickText(out, s.String())
		}
	}
	return out, false
}

// directiveArg fills in `*` widths and takes the value to convert.
func directiveArg(th *Thread, d *format.Directive, args *percentArgs, key func(string) Value) (Value, error) {
	var keyed Value
	if d.HasKey {
		x, err := args.key(th, key(d.Key))
		if err != nil {
			return fail(err)
		}
		keyed = x
	}
	if d.StarWidth {
		n, err := starArg(th, args)
		if err != nil {
			return fail(err)
		}
		d.SetWidth(n)
	}
	if d.StarPrec {
		n, err := starArg(th, args)
		if err != nil {
			return fail(err)
		}
		d.SetPrecision(n)
	}
	if d.HasKey {
		return keyed, nil
	}
	return args.take(th)
}

func starArg(th *Thread, args *percentArgs) (int, error) {
	x, err := args.take(th)
	if err != nil {
		return 0, err
	}
	if !lang.IsIntValue(x) {
		return 0, th.TypeErrorf("* wants int")
	}
	i, ok := lang.AsInt(x)
	if !ok {
		return 0, th.Raise(lang.OverflowError, "Python int too large to convert to C ssize_t")
	}
	return int(i), nil
}

func strDirective(th *Thread, d format.Directive, v Value) (string, error) {
	switch d.Conv {
	case 's':
		s, err := lang.StrOf(th, v)
		if err != nil {
			return "", err
		}
		return piece(th)(d.Text(s))
	case 'r', 'a':
		s, err := lang.Repr(th, v)
		if err != nil {
			return "", err
		}
		if d.Conv == 'a' {
			s = format.ASCIIText(s)
		}
		return piece(th)(d.Text(s))
	case 'c':
		return percentChar(th, d, v)
	}
	return percentNumber(th, d, v)
}

// piece wraps a result of lang/format.
func piece(th *Thread) func(string, *format.Error) (string, error) {
	return func(s string, e *format.Error) (string, error) {
		if e != nil {
			return "", raised(th, e)
		}
		return s, nil
	}
}

func percentChar(th *Thread, d format.Directive, v Value) (string, error) {
	if s, ok := lang.AsStr(v); ok {
		if s.Len() != 1 {
			return "", th.TypeErrorf("%s", "%c requires int or char")
		}
		return piece(th)(d.Char(s.String()))
	}
	if !lang.HasIndex(v) {
		return "", th.TypeErrorf("%s", "%c requires int or char")
	}
	x, err := lang.Index(th, v)
	if err != nil {
		return "", err
	}
	i, ok := lang.AsInt(x)
	if !ok || i < 0 || i > 0x10ffff {
		return "", th.Raise(lang.OverflowError, "%s", "%c arg not in range(0x110000)")
	}
	return piece(th)(d.Char(format.EncodeRune(rune(i))))
}

func percentNumber(th *Thread, d format.Directive, v Value) (string, error) {
	switch d.Conv {
	case 'd', 'i', 'u':
		b, err := percentInt(th, d, v)
		if err != nil {
			return "", err
		}
		return piece(th)(d.Integer(b))
	case 'o', 'x', 'X':
		if !lang.HasIndex(v) {
			return "", th.TypeErrorf("%%%c format: an integer is required, not %s", d.Conv, lang.TypeName(v))
		}
		b, err := bigArg(th, v)
		if err != nil {
			return "", err
		}
		return piece(th)(d.Integer(b))
	case 'e', 'E', 'f', 'F', 'g', 'G':
		f, err := lang.FloatOf(th, v)
		if err != nil {
			return "", err
		}
		return piece(th)(d.Float(f))
	}
	return "", raised(th, d.Unsupported())
}

// percentInt is the int of %d: floats are truncated.
func percentInt(th *Thread, d format.Directive, v Value) (*big.Int, error) {
	if b, ok := lang.AsBig(v); ok {
		return b, nil
	}
	c := lang.ClassOf(v)
	if !lang.IsFloatValue(v) && c.Int == nil && c.Index == nil {
		return nil, th.TypeErrorf("%%%c format: a real number is required, not %s", d.Conv, lang.TypeName(v))
	}
	if _, isStr := lang.AsStr(v); isStr {
		return nil, th.TypeErrorf("%%%c format: a real number is required, not %s", d.Conv, lang.TypeName(v))
	}
	x, err := toInt(th, v)
	if err != nil {
		return nil, err
	}
	b, _ := lang.AsBig(x)
	return b, nil
}
