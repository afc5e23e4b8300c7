package builtin

import (
	"fmt"
	"strings"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
)

func exc(v Value) *lang.Exception { e, _ := lang.AsException(v); return e }

// dataAt is e.Data[i], None when it was never set.
func dataAt(e *lang.Exception, i int) Value {
	if i < len(e.Data) && e.Data[i].P != nil && !e.Data[i].IsUnbound() || i < len(e.Data) && e.Data[i].IsInt() {
		return e.Data[i]
	}
	return none
}

func setData(e *lang.Exception, i int, v Value) {
	for len(e.Data) <= i {
		e.Data = append(e.Data, none)
	}
	e.Data[i] = v.Held().Value()
}

// field is an attribute kept in Data.
func field(name string, i int) lang.Def {
	return fieldWith(name, i, func(th *Thread, a []Value) (Value, error) { return dataAt(exc(a[0]), i), nil })
}

// argField is an attribute that is one of args until it is set.
func argField(name string, i int, first func(e *lang.Exception) Value) lang.Def {
	return fieldWith(name, i, func(th *Thread, a []Value) (Value, error) {
		e := exc(a[0])
		if i < len(e.Data) {
			return dataAt(e, i), nil
		}
		return first(e), nil
	})
}

func fieldWith(name string, i int, get lang.Native) lang.Def {
	return lang.Def{Sig: name, Flags: lang.DefProperty, Fn: get,
		Set: func(th *Thread, self, x Value) error {
			if x.IsUnbound() {
				x = none
			}
			setData(exc(self), i, x)
			return nil
		}}
}

func firstArg(e *lang.Exception) Value {
	if e.Args.Len() > 0 {
		return e.Args.At(0)
	}
	return none
}

func exitCode(e *lang.Exception) Value {
	if e.Args.Len() > 1 {
		return e.Args.Value()
	}
	return firstArg(e)
}

var baseExceptionRows = []lang.Def{
	{Sig: "args", Flags: lang.DefProperty, Set: setExceptionArgs,
		Fn: func(th *Thread, a []Value) (Value, error) { return exc(a[0]).Args.Value(), nil }},
	{Sig: "__cause__", Flags: lang.DefProperty, Set: setCause,
		Fn: func(th *Thread, a []Value) (Value, error) { return orNone(exc(a[0]).Cause), nil }},
	{Sig: "__context__", Flags: lang.DefProperty, Set: setExceptionContext,
		Fn: func(th *Thread, a []Value) (Value, error) { return orNone(exc(a[0]).Context), nil }},
	{Sig: "__suppress_context__", Flags: lang.DefProperty, Set: setSuppress,
		Fn: func(th *Thread, a []Value) (Value, error) { return lang.Bool(exc(a[0]).Suppress), nil }},
	{Sig: "__traceback__", Flags: lang.DefProperty, Set: setTraceback,
		Fn: func(th *Thread, a []Value) (Value, error) { return TracebackOf(exc(a[0])), nil }},
	{Sig: "__notes__", Flags: lang.DefProperty, Set: setNotes, Fn: exceptionNotes},
	{Sig: "with_traceback(self, tb, /)", Fn: withTraceback, Doc: "Set the traceback and return the exception."},
	{Sig: "add_note(self, note, /)", Fn: addNote, Doc: "Add a note that the traceback shows."},
	{Sig: "__reduce__(self, /)", Fn: exceptionReduce},
	{Sig: "__setstate__(self, state, /)", Fn: exceptionSetState},
}

func orNone(e *lang.Exception) Value {
	if e == nil {
		return none
	}
	return e.Value()
}

// TracebackOf is e.__traceback__.
func TracebackOf(e *lang.Exception) Value {
	if e.Trace == nil {
		return none
	}
	return e.Trace.Value()
}

func setExceptionArgs(th *Thread, self, x Value) error {
	if x.IsUnbound() {
		return th.TypeErrorf("args may not be deleted")
	}
	items, err := lang.ToSlice(th, x)
	if err == nil {
		exc(self).Args = lang.TupleOf(items)
	}
	return err
}

// chained reads an exception or None.
func chained(th *Thread, x Value, what string) (*lang.Exception, error) {
	if x.IsUnbound() {
		return nil, th.TypeErrorf("__%s__ may not be deleted", what)
	}
	if x.IsNone() {
		return nil, nil
	}
	e, ok := lang.AsException(x)
	if !ok {
		return nil, th.TypeErrorf("exception %s must be None or derive from BaseException", what)
	}
	return e, nil
}

func setCause(th *Thread, self, x Value) error {
	c, err := chained(th, x, "cause")
	if err == nil {
		exc(self).Cause, exc(self).Suppress = c, true
	}
	return err
}

func setExceptionContext(th *Thread, self, x Value) error {
	c, err := chained(th, x, "context")
	if err == nil {
		exc(self).Context = c
	}
	return err
}

func setSuppress(th *Thread, self, x Value) error {
	if !x.IsBool() {
		return th.TypeErrorf("attribute value type must be bool")
	}
	exc(self).Suppress = x.Truth()
	return nil
}

func setTraceback(th *Thread, self, x Value) error {
	if x.IsNone() {
		exc(self).Trace = nil
		return nil
	}
	if lang.ClassOf(x) != lang.TracebackClass {
		return th.TypeErrorf("__traceback__ must be a traceback or None")
	}
	exc(self).Trace = (*lang.Traceback)(x.P)
	return nil
}

func exceptionNotes(th *Thread, a []Value) (Value, error) {
	if n := exc(a[0]).Notes; n != nil {
		return n.Value(), nil
	}
	return fail(lang.NoAttribute(th, a[0], "__notes__"))
}

func setNotes(th *Thread, self, x Value) error {
	l, _ := lang.AsList(x)
	exc(self).Notes = l
	return nil
}

func withTraceback(th *Thread, a []Value) (Value, error) {
	return a[0], setTraceback(th, a[0], a[1])
}

func addNote(th *Thread, a []Value) (Value, error) {
	if _, ok := lang.AsStr(a[1]); !ok {
		return fail(th.TypeErrorf("note must be a str, not '%s'", lang.TypeName(a[1])))
	}
	e := exc(a[0])
	if e.Notes == nil {
		e.Notes = lang.MakeList(1)
	}
	e.Notes.Append(a[1])
	return none, nil
}

func exceptionReduce(th *Thread, a []Value) (Value, error) {
	e := exc(a[0])
	parts := []Value{lang.ClassOf(a[0]).Value(), e.Args.Value()}
	if in, ok := lang.AsInstance(a[0]); ok && len(in.AttrNames()) > 0 {
		parts = append(parts, in.Dict().Value())
	}
	return lang.NewTuple(parts...), nil
}

func exceptionSetState(th *Thread, a []Value) (Value, error) {
	d, ok := lang.AsDict(a[1])
	if !ok {
		return none, nil
	}
	for at := 0; ; {
		k, v, next, ok := d.Entry(at)
		if !ok {
			return none, nil
		}
		at = next
		if s, ok := lang.AsStr(k); ok {
			if err := lang.SetAttr(th, a[0], lang.Intern(s.String()), v); err != nil {
				return fail(err)
			}
		}
	}
}

// namedNew makes exceptions that take keyword attributes: ImportError(name=…).
func namedNew(keys ...string) *lang.Def {
	return &lang.Def{Sig: "__new__(cls, /, *args, **kwargs)", Fn: func(th *Thread, a []Value) (Value, error) {
		return newNamed(th, a, keys)
	}}
}

func newNamed(th *Thread, a []Value, keys []string) (Value, error) {
	c, _ := lang.AsClass(a[0])
	t, _ := lang.AsTuple(a[1])
	kw, _ := lang.AsDict(a[2])
	e := lang.NewException(c, lang.Values(t.Items())...)
	for at := 0; ; {
		k, v, next, ok := kw.Entry(at)
		if !ok {
			return e.Value(), nil
		}
		at = next
		s, _ := lang.AsStr(k)
		i := indexOf(keys, s.String())
		if i < 0 {
			if c.IsScript() {
				continue // its __init__ takes it
			}
			return fail(th.TypeErrorf("'%s' is an invalid keyword argument for %s()", s.String(), c.Name))
		}
		setData(e, i, v)
	}
}

func indexOf(keys []string, k string) int {
	for i, x := range keys {
		if x == k {
			return i
		}
	}
	return -1
}

// ---- OSError ----

var osErrorNew = lang.Def{Sig: "__new__(cls, /, *args, **kwargs)", Fn: newOSError}

func newOSError(th *Thread, a []Value) (Value, error) {
	c, _ := lang.AsClass(a[0])
	t, _ := lang.AsTuple(a[1])
	if kw, _ := lang.AsDict(a[2]); kw.Len() > 0 && !c.IsScript() {
		return fail(th.TypeErrorf("%s() takes no keyword arguments", c.Name))
	}
	n := t.Len()
	if n < 2 || n > 5 {
		return lang.NewException(c, lang.Values(t.Items())...).Value(), nil
	}
	if c == lang.OSError {
		if no, ok := lang.AsInt(t.At(0)); ok {
			c = osErrorClass(no)
		}
	}
	e := lang.NewException(c, t.At(0), t.At(1))
	setData(e, 0, t.At(0))
	setData(e, 1, t.At(1))
	if n > 2 {
		setData(e, 2, t.At(2))
	}
	if n > 4 {
		setData(e, 3, t.At(4))
	}
	return e.Value(), nil
}

// osErrorClass is the subclass for an errno of Linux.
func osErrorClass(no int64) *lang.Class {
	switch no {
	case 1, 13:
		return lang.PermissionError
	case 2:
		return lang.FileNotFoundError
	case 3:
		return lang.ProcessLookupError
	case 4:
		return lang.InterruptedError
	case 10:
		return lang.ChildProcessError
	case 11, 114, 115:
		return lang.BlockingIOError
	case 17:
		return lang.FileExistsError
	case 20:
		return lang.NotADirectoryError
	case 21:
		return lang.IsADirectoryError
	case 32, 108:
		return lang.BrokenPipeError
	case 103:
		return lang.ConnectionAbortedError
	case 104:
		return lang.ConnectionResetError
	case 110:
		return lang.TimeoutError
	case 111:
		return lang.ConnectionRefusedError
	}
	return lang.OSError
}

func osErrorStr(th *Thread, v Value) (Value, error) {
	e := exc(v)
	if len(e.Data) < 2 {
		return lang.BaseException.Str(th, v)
	}
	no, err := lang.StrOf(th, dataAt(e, 0))
	if err != nil {
		return fail(err)
	}
	msg, err := lang.StrOf(th, dataAt(e, 1))
	if err != nil {
		return fail(err)
	}
	s := "[Errno " + no + "] " + msg
	for i, sep := range []string{": ", " -> "} {
		if f := dataAt(e, 2+i); !f.IsNone() {
			r, err := lang.Repr(th, f)
			if err != nil {
				return fail(err)
			}
			s += sep + r
		}
	}
	return lang.NewStr(s), nil
}

// ---- UnicodeError ----

var unicodeFields = []string{"encoding", "object", "start", "end", "reason"}

func unicodeNew(wants []string) *lang.Def {
	return &lang.Def{Sig: "__new__(cls, /, *args)", Fn: func(th *Thread, a []Value) (Value, error) {
		c, _ := lang.AsClass(a[0])
		t, _ := lang.AsTuple(a[1])
		if !c.IsScript() && t.Len() != len(wants) {
			return fail(th.TypeErrorf("function takes exactly %d arguments (%d given)", len(wants), t.Len()))
		}
		for i, w := range wants {
			if i < t.Len() && !fits(t.At(i), w) {
				return fail(th.TypeErrorf("argument %d must be %s, not %s", i+1, w, lang.TypeName(t.At(i))))
			}
		}
		return lang.NewException(c, lang.Values(t.Items())...).Value(), nil
	}}
}

func fits(v Value, want string) bool {
	switch want {
	case "str":
		_, ok := lang.AsStr(v)
		return ok
	case "int":
		return lang.IsIntValue(v)
	}
	return true
}

// unicodeArg is the attribute that is args[i] until it is set.
func unicodeArg(name string, data, arg int) lang.Def {
	return argField(name, data, func(e *lang.Exception) Value {
		if arg < e.Args.Len() {
			return e.Args.At(arg)
		}
		return none
	})
}

func unicodeStr(th *Thread, v Value) (Value, error) {
	e := exc(v)
	if e.Args.Len() < 4 {
		return lang.BaseException.Str(th, v)
	}
	off := e.Args.Len() - 5 // -1 for UnicodeTranslateError, which has no encoding
	at := func(i int) int64 { n, _ := lang.AsInt(e.Args.At(i)); return n }
	start, end := at(2+off), at(3+off)
	reason, err := lang.StrOf(th, e.Args.At(4+off))
	if err != nil {
		return fail(err)
	}
	what, verb := "characters", "translate"
	codec := ""
	if off == 0 {
		enc, _ := lang.StrOf(th, e.Args.At(0))
		codec, verb = "'"+enc+"' codec ", "encode"
		if e.IsA(lang.UnicodeDecodeError) {
			what, verb = "bytes", "decode"
		}
	}
	if end-start == 1 {
		if one := oneUnit(e.Args.At(1+off), start); one != "" {
			return lang.NewStr(fmt.Sprintf("%scan't %s %s in position %d: %s", codec, verb, one, start, reason)), nil
		}
	}
	return lang.NewStr(fmt.Sprintf("%scan't %s %s in position %d-%d: %s", codec, verb, what, start, end-1, reason)), nil
}

// oneUnit names the one character or byte that is wrong.
func oneUnit(object Value, start int64) string {
	if b, ok := BytesLike(object); ok && start < int64(len(b)) {
		return fmt.Sprintf("byte 0x%02x", b[start])
	}
	if s, ok := lang.AsStr(object); ok && start < int64(s.Len()) {
		r, _ := lang.DecodeRune(s.String()[s.Offset(int(start)):])
		return "character '" + string(format.AppendEscape(nil, r)) + "'"
	}
	return ""
}

// ---- SyntaxError ----

var syntaxFields = []string{"msg", "filename", "lineno", "offset", "text", "end_lineno", "end_offset", "print_file_and_line"}

var syntaxNew = lang.Def{Sig: "__new__(cls, /, *args)", Fn: newSyntaxError}

func newSyntaxError(th *Thread, a []Value) (Value, error) {
	c, _ := lang.AsClass(a[0])
	t, _ := lang.AsTuple(a[1])
	e := lang.NewException(c, lang.Values(t.Items())...)
	if t.Len() > 0 {
		setData(e, 0, t.At(0))
	}
	if t.Len() != 2 {
		return e.Value(), nil
	}
	info, err := lang.ToSlice(th, t.At(1))
	if err != nil {
		return fail(err)
	}
	if len(info) < 4 {
		return fail(th.TypeErrorf("function takes at least 4 arguments (%d given)", len(info)))
	}
	for i, x := range info {
		setData(e, i+1, x.Value())
	}
	return e.Value(), nil
}

func syntaxStr(th *Thread, v Value) (Value, error) {
	e := exc(v)
	msg, err := lang.StrOf(th, dataAt(e, 0))
	if err != nil {
		return fail(err)
	}
	file, hasFile := lang.AsStr(dataAt(e, 1))
	line, hasLine := lang.AsInt(dataAt(e, 2))
	name := ""
	if hasFile {
		name = file.String()[strings.LastIndexByte(file.String(), '/')+1:]
	}
	switch {
	case hasFile && hasLine:
		msg = fmt.Sprintf("%s (%s, line %d)", msg, name, line)
	case hasFile:
		msg = fmt.Sprintf("%s (%s)", msg, name)
	case hasLine:
		msg = fmt.Sprintf("%s (line %d)", msg, line)
	}
	return lang.NewStr(msg), nil
}

// installExceptions gives the exception classes their attributes and texts.
func installExceptions() {
	lang.DefineMethods(lang.BaseException, baseExceptionRows)
	lang.DefineMethods(lang.StopIteration, []lang.Def{argField("value", 0, firstArg)})
	lang.DefineMethods(lang.SystemExit, []lang.Def{argField("code", 0, exitCode)})
	lang.DefineMethods(lang.ImportError, []lang.Def{field("name", 0), field("path", 1), argField("msg", 2, importMessage)})
	lang.DefineMethods(lang.AttributeError, []lang.Def{field("name", 0), field("obj", 1)})
	lang.DefineMethods(lang.NameError, []lang.Def{field("name", 0)})
	var rows []lang.Def
	for i, n := range syntaxFields {
		rows = append(rows, field(n, i))
	}
	lang.DefineMethods(lang.SyntaxError, rows)
	rows = nil
	for i, n := range []string{"errno", "strerror", "filename", "filename2"} {
		rows = append(rows, field(n, i))
	}
	lang.DefineMethods(lang.OSError, rows)
	for _, c := range []*lang.Class{lang.UnicodeEncodeError, lang.UnicodeDecodeError} {
		var rows []lang.Def
		for i, n := range unicodeFields {
			rows = append(rows, unicodeArg(n, i, i))
		}
		lang.DefineMethods(c, rows)
	}
	rows = nil
	for i, n := range unicodeFields[1:] {
		rows = append(rows, unicodeArg(n, i, i))
	}
	lang.DefineMethods(lang.UnicodeTranslateError, rows)
	installExceptionSlots()
	installGroups()
}

func importMessage(e *lang.Exception) Value {
	if e.Args.Len() == 1 {
		return e.Args.At(0)
	}
	return none
}

// installExceptionSlots sets slots on the classes themselves and, because slots
// were inherited when lang made the classes, on the classes derived from them.
func installExceptionSlots() {
	importNew, attrNew, nameNew := namedNew("name", "path"), namedNew("name", "obj"), namedNew("name")
	unicode5 := unicodeNew([]string{"str", "object", "int", "int", "str"})
	unicode4 := unicodeNew([]string{"str", "int", "int", "str"})
	for _, c := range lang.ExceptionClasses() {
		switch {
		case c.IsSub(lang.OSError):
			c.New, c.Str = &osErrorNew, osErrorStr
		case c.IsSub(lang.ImportError):
			c.New = importNew
		case c == lang.AttributeError:
			c.New = attrNew
		case c.IsSub(lang.NameError):
			c.New = nameNew
		case c.IsSub(lang.SyntaxError):
			c.New, c.Str = &syntaxNew, syntaxStr
		case c == lang.UnicodeTranslateError:
			c.New, c.Str = unicode4, unicodeStr
		case c == lang.UnicodeEncodeError, c == lang.UnicodeDecodeError:
			c.New, c.Str = unicode5, unicodeStr
		}
	}
}
