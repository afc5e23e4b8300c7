package py

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
)

// _string parses templates for string.Formatter.
var _ = define("_string", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{
		{Sig: "fields(template, /)", Fn: stringFields},
		{Sig: "split(name, /)", Fn: stringSplit},
	}}
})

func formatError(th *Thread, e *format.Error) error { return th.ValueErrorf("%s", e.Text) }

// stringFields lists (literal, name, spec, conversion); name is None without a field.
func stringFields(th *Thread, a []Value) (Value, error) {
	s, err := strOf(th, a[0], "format string")
	if err != nil {
		return fail(err)
	}
	l := lang.MakeList(0)
	scan := format.NewFields(s)
	for {
		f, more, ferr := scan.Next()
		if ferr != nil {
			return fail(formatError(th, ferr))
		}
		if !more {
			return l.Value(), nil
		}
		if !f.Has {
			l.Append(lang.NewTuple(lang.NewStr(f.Literal), none, none, none))
			continue
		}
		conv := none
		if f.Conv != 0 {
			conv = lang.NewStr(format.EncodeRune(f.Conv))
		}
		l.Append(lang.NewTuple(lang.NewStr(f.Literal), lang.NewStr(f.Name), lang.NewStr(f.Spec), conv))
	}
}

// stringSplit gives the first part of a field name and the list of its steps.
func stringSplit(th *Thread, a []Value) (Value, error) {
	s, err := strOf(th, a[0], "field name")
	if err != nil {
		return fail(err)
	}
	var n format.Numbering
	name, index, rest, ferr := n.First(s)
	if ferr != nil {
		return fail(formatError(th, ferr))
	}
	first := lang.NewStr(name)
	if index >= 0 {
		first = lang.Int(int64(index))
	}
	l := lang.MakeList(0)
	for rest != "" {
		var step format.Step
		if step, rest, ferr = format.NextStep(rest); ferr != nil {
			return fail(formatError(th, ferr))
		}
		key := lang.NewStr(step.Name)
		if !step.Attr && step.Index >= 0 {
			key = lang.Int(int64(step.Index))
		}
		l.Append(lang.NewTuple(lang.Bool(step.Attr), key))
	}
	return lang.NewTuple(first, l.Value()), nil
}
