package builtin

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
)

// fieldArgs is what a template's fields are looked up in.
type fieldArgs struct {
	args    []lang.Held
	kwargs  Value // a dict or another mapping
	mapOnly bool  // format_map: no positional arguments
	numbers format.Numbering
}

func strFormat(th *Thread, a []Value) (Value, error) {
	t, _ := lang.AsTuple(a[1])
	f := &fieldArgs{args: t.Items(), kwargs: a[2]}
	s, err := f.render(th, self(a).String(), 2)
	if err != nil {
		return fail(err)
	}
	return lang.NewStr(s), nil
}

func strFormatMap(th *Thread, a []Value) (Value, error) {
	f := &fieldArgs{kwargs: a[1], mapOnly: true}
	s, err := f.render(th, self(a).String(), 2)
	if err != nil {
		return fail(err)
	}
	return lang.NewStr(s), nil
}

// render fills in a template; depth is how far specifiers may nest.
func (f *fieldArgs) render(th *Thread, template string, depth int) (string, error) {
	if depth == 0 {
		return "", th.ValueErrorf("Max string recursion exceeded")
	}
	scan := format.NewFields(template)
	var out []byte
	for {
		p, more, ferr := scan.Next()
		if ferr != nil {
			return "", raised(th, ferr)
		}
		if !more {
			return string(out), nil
		}
		out = append(out, p.Literal...)
		if !p.Has {
			continue
		}
		s, err := f.field(th, p, depth)
		if err != nil {
			return "", err
		}
		out = append(out, s...)
		if len(out) > 1<<26 {
			if err := th.CheckSize(len(out), 1); err != nil {
				return "", err
			}
		}
	}
}

func (f *fieldArgs) field(th *Thread, p format.Field, depth int) (string, error) {
	v, err := f.lookup(th, p.Name)
	if err != nil {
		return "", err
	}
	if v, err = Convert(th, v, p.Conv); err != nil {
		return "", err
	}
	spec := p.Spec
	if p.Nested {
		if spec, err = f.render(th, spec, depth-1); err != nil {
			return "", err
		}
	}
	return lang.Format(th, v, spec)
}

// Convert applies the conversion r, s or a of a field; 0 is none.
func Convert(th *Thread, v Value, conv rune) (Value, error) {
	switch conv {
	case 0:
		return v, nil
	case 's':
		s, err := lang.StrOf(th, v)
		return lang.NewStr(s), err
	case 'r', 'a':
		s, err := lang.Repr(th, v)
		if conv == 'a' {
			s = format.ASCIIText(s)
		}
		return lang.NewStr(s), err
	}
	return fail(raised(th, format.UnknownConversion(conv)))
}

// lookup finds the value of a field name: first part, then attributes and items.
func (f *fieldArgs) lookup(th *Thread, name string) (Value, error) {
	first, index, rest, ferr := f.numbers.First(name)
	if ferr != nil {
		return fail(raised(th, ferr))
	}
	v, err := f.first(th, first, index)
	for err == nil && rest != "" {
		var step format.Step
		if step, rest, ferr = format.NextStep(rest); ferr != nil {
			return fail(raised(th, ferr))
		}
		switch {
		case step.Attr:
			v, err = lang.Attr(th, v, step.Name)
		case step.Index >= 0:
			v, err = lang.GetItem(th, v, lang.Int(int64(step.Index)))
		default:
			v, err = lang.GetItem(th, v, lang.NewStr(step.Name))
		}
	}
	return v, err
}

func (f *fieldArgs) first(th *Thread, name string, index int) (Value, error) {
	if index < 0 {
		return lang.GetItem(th, f.kwargs, lang.NewStr(name))
	}
	if f.mapOnly {
		return fail(th.ValueErrorf("Format string contains positional fields"))
	}
	if index >= len(f.args) {
		return fail(th.Raise(lang.IndexError, "Replacement index %d out of range for positional args tuple", index))
	}
	return f.args[index].Value(), nil
}

// The Format slots of the types that know the mini-language.

// readSpec reads a specifier for v and asks for the room that it takes.
func readSpec(th *Thread, text string, v Value, align byte) (format.Spec, error) {
	sp, ferr := format.ParseSpec(text, lang.TypeName(v), align)
	if ferr != nil {
		return sp, raised(th, ferr)
	}
	sp.MaxDigits = th.Interp.IntDigits
	return sp, th.CheckSize(max(sp.Width, sp.Precision, 0), 1)
}

func formatStr(th *Thread, v Value, spec string) (string, error) {
	if spec == "" {
		return lang.StrOf(th, v)
	}
	s, _ := lang.AsStr(v)
	sp, err := readSpec(th, spec, v, '<')
	if err != nil {
		return "", err
	}
	return piece(th)(sp.Str(s.String(), lang.TypeName(v)))
}

func formatInt(th *Thread, v Value, spec string) (string, error) {
	if spec == "" {
		return lang.StrOf(th, v)
	}
	sp, err := readSpec(th, spec, v, '>')
	if err != nil {
		return "", err
	}
	if i, ok := lang.AsInt(v); ok {
		return piece(th)(sp.Int(i, lang.TypeName(v)))
	}
	b, _ := lang.AsBig(v)
	return piece(th)(sp.Big(b, lang.TypeName(v)))
}

func formatFloat(th *Thread, v Value, spec string) (string, error) {
	if spec == "" {
		return lang.StrOf(th, v)
	}
	sp, err := readSpec(th, spec, v, '>')
	if err != nil {
		return "", err
	}
	f, _ := lang.AsFloat(v)
	return piece(th)(sp.Float(f, lang.TypeName(v)))
}

func formatComplex(th *Thread, v Value, spec string) (string, error) {
	if spec == "" {
		return lang.StrOf(th, v)
	}
	sp, err := readSpec(th, spec, v, '>')
	if err != nil {
		return "", err
	}
	c, _ := lang.AsComplex(v)
	return piece(th)(sp.Complex(c, lang.TypeName(v)))
}
