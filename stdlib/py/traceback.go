package py

import (
	"strings"

	"github.com/tfs-lang/tfs/lang"
)

// _traceback is the text of exceptions, for the script modules traceback,
// linecache and warnings.
var _ = define("_traceback", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{
		{Sig: "entries(exc, /)", Fn: tracebackEntries},
		{Sig: "only(exc, /)", Fn: tracebackOnly},
		{Sig: "caller(library, stacklevel, /)", Fn: callerOutside},
		{Sig: "line(file, number, /)", Fn: sourceLine},
	}}
})

// tracebackEntries gives (file, line, name, text with carets, end line, column,
// end column) for each frame of an exception.
func tracebackEntries(th *Thread, a []Value) (Value, error) {
	e, ok := lang.AsException(a[0])
	if !ok {
		return fail(th.TypeErrorf("an exception is required, not %s", lang.TypeName(a[0])))
	}
	out := lang.MakeList(0)
	for t := e.Trace; t != nil; t = t.Next {
		n := t.Entry()
		out.Append(lang.NewTuple(lang.NewStr(n.File), lang.Int(int64(n.Span.Line)), lang.NewStr(n.Name), lang.NewStr(lang.FormatEntry(th, n)),
			lang.Int(int64(n.Span.EndLine)), lang.Int(int64(n.Span.Col)), lang.Int(int64(n.Span.EndCol))))
	}
	return out.Value(), nil
}

func tracebackOnly(th *Thread, a []Value) (Value, error) {
	e, ok := lang.AsException(a[0])
	if !ok {
		return fail(th.TypeErrorf("an exception is required, not %s", lang.TypeName(a[0])))
	}
	return lang.NewStr(lang.FormatOnly(th, e)), nil
}

// sourceLine is a line of a script with its newline, "" when it isn't known.
func sourceLine(th *Thread, a []Value) (Value, error) {
	file, err := strOf(th, a[0], "file")
	if err != nil {
		return fail(err)
	}
	n, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	text, ok := th.Interp.SourceLine(file, n)
	if !ok {
		return lang.NewStr(""), nil
	}
	return lang.NewStr(strings.TrimRight(text, "\r\n") + "\n"), nil
}

// callerOutside is (file, line, function, globals) of the innermost frame whose
// file doesn't begin with library, or of one stacklevel-1 further out; None when
// the stack isn't that deep.
func callerOutside(th *Thread, a []Value) (Value, error) {
	prefix, err := strOf(th, a[0], "library")
	if err != nil {
		return fail(err)
	}
	level, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	f := th.Caller()
	for f != nil && strings.HasPrefix(f.Code().File, prefix) {
		f = f.Up()
	}
	for ; f != nil && level > 1; level-- {
		f = f.Up()
	}
	if f == nil {
		return none, nil
	}
	return lang.NewTuple(lang.NewStr(f.Code().File), lang.Int(int64(f.Line())), lang.NewStr(f.Code().Name), f.Globals().Value()), nil
}
