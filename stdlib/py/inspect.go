package py

import (
	"strings"

	"github.com/tfs-lang/tfs/lang"
)

// _inspect reads what the object model knows of functions.
var _ = define("_inspect", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{
		{Sig: "native_signature(f, /)", Fn: nativeSignature},
		{Sig: "source(f, /)", Fn: functionSource},
	}}
})

// nativeSignature lists (name, kind, has default, default) of a native function's parameters.
func nativeSignature(th *Thread, a []Value) (Value, error) {
	v := a[0]
	if b, ok := lang.AsBound(v); ok {
		v = b.Fn
	}
	f, ok := lang.AsNative(v)
	if !ok {
		return none, nil
	}
	s := f.Def.Signature()
	l := lang.MakeList(len(s.Params))
	add := func(name, kind string, has bool, d Value) {
		if d.IsUnbound() {
			d = none
		}
		l.Append(lang.NewTuple(lang.NewStr(name), lang.NewStr(kind), lang.Bool(has), d))
	}
	for i, p := range s.Params {
		if i == s.NPos && s.Star >= 0 {
			add("args", "*", false, none)
		}
		kind := "b"
		switch {
		case i < s.PosOnly:
			kind = "p"
		case i >= s.NPos:
			kind = "k"
		}
		if i == 0 && f.Class != nil && !v.Is(a[0]) {
			continue
		}
		add(p.Name.String(), kind, p.Optional, p.Default)
	}
	if s.Star >= 0 && len(s.Params) == s.NPos {
		add("args", "*", false, none)
	}
	if s.StarKw >= 0 {
		add("kwargs", "**", false, none)
	}
	return l.Value(), nil
}

// functionSource is (text, first line) of a function's definition.
func functionSource(th *Thread, a []Value) (Value, error) {
	f, ok := lang.AsFunc(a[0])
	if !ok {
		return lang.NewTuple(none, lang.Int(0)), nil
	}
	c := f.Code()
	var b strings.Builder
	for line := int(c.Span.Line); line <= int(c.Span.EndLine); line++ {
		s, ok := th.Interp.SourceLine(c.File, line)
		if !ok {
			return lang.NewTuple(none, lang.Int(0)), nil
		}
		b.WriteString(s + "\n")
	}
	return lang.NewTuple(lang.NewStr(b.String()), lang.Int(int64(c.Span.Line))), nil
}
