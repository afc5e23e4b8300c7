package builtin

import (
	"errors"
	"sort"
	"strings"
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/parser"
)

// codeFunctions are the built-in functions that look at frames or run text.
var codeFunctions = []lang.Def{
	{Sig: "globals()", Fn: fnGlobals, Doc: "Return the namespace of the module being run."},
	{Sig: "locals()", Fn: fnLocals, Doc: "Return a dict of the local names."},
	{Sig: "vars(object=..., /)", Fn: fnVars, Doc: "Return __dict__ of an object, or locals()."},
	{Sig: "dir(object=..., /)", Fn: fnDir, Doc: "Return the sorted attribute names of an object, or the local names."},
	{Sig: "exec(source, globals=None, locals=None, /, *, closure=None)", Fn: fnExec, Doc: "Run a text or code object as statements."},
	{Sig: "eval(source, globals=None, locals=None, /)", Fn: fnEval, Doc: "Return the value of an expression in a text or code object."},
	{Sig: "compile(source, filename, mode, flags=0, dont_inherit=False, optimize=-1, *, _feature_version=-1)", Fn: fnCompile, Doc: "Return the code object of a text."},
	{Sig: "__import__(name, globals=None, locals=None, fromlist=(), level=0)", Fn: fnImport, Doc: "Import a module by name."},
	{Sig: "breakpoint(*args, **kws)", Fn: fnBreakpoint, Doc: "Stop in the debugger, if there is one."},
	{Sig: "help(request=...)", Fn: fnHelp, Doc: "Print the documentation of an object."},
	{Sig: "exit(code=None)", Fn: fnExit},
	{Sig: "quit(code=None)", Fn: fnExit},
}

func fnGlobals(th *Thread, a []Value) (Value, error) { return th.Caller().Globals().Value(), nil }

func fnLocals(th *Thread, a []Value) (Value, error) { return th.Caller().Locals(th), nil }

func fnVars(th *Thread, a []Value) (Value, error) {
	if a[0].IsUnbound() {
		return fnLocals(th, a)
	}
	v, found, err := lang.AttrOr(th, a[0], "__dict__")
	if err == nil && !found {
		err = th.TypeErrorf("vars() argument must have __dict__ attribute")
	}
	return v, err
}

func fnDir(th *Thread, a []Value) (Value, error) {
	if a[0].IsUnbound() {
		keys, err := lang.ToSlice(th, th.Caller().Locals(th))
		if err != nil {
			return fail(err)
		}
		err = sortItems(th, keys, none, false)
		return lang.ListOf(keys).Value(), err
	}
	if c := lang.ClassOf(a[0]); c.IsScript() || c == lang.ModuleClass {
		if v, err := dirHook(th, a[0]); err != nil || !v.IsUnbound() {
			return v, err
		}
	}
	names := lang.DirNames(th, a[0])
	sort.Strings(names)
	return listOfStrs(names), nil
}

// dirHook calls a script's __dir__.
func dirHook(th *Thread, v Value) (Value, error) {
	m := lang.ClassOf(v).Lookup("__dir__")
	if _, ok := lang.AsFunc(m); !ok {
		return lang.Unbound, nil
	}
	r, err := th.Call(m, []Value{v})
	if err != nil {
		return fail(err)
	}
	items, err := lang.ToSlice(th, r)
	if err != nil {
		return fail(err)
	}
	err = sortItems(th, items, none, false)
	return lang.ListOf(items).Value(), err
}

// spaces are the namespaces that exec and eval run in.
func spaces(th *Thread, fn string, globals, locals Value) (*lang.Dict, Value, error) {
	f := th.Caller()
	if globals.IsNone() {
		if locals.IsNone() {
			l := f.Locals(th)
			if l == f.Globals().Value() {
				return f.Globals(), lang.Unbound, nil
			}
			return f.Globals(), l, nil
		}
		return f.Globals(), locals, nil
	}
	d, ok := lang.AsDict(globals)
	if !ok {
		if fn == "eval" {
			return nil, none, th.TypeErrorf("globals must be a dict")
		}
		return nil, none, th.TypeErrorf("%s() globals must be a dict, not %s", fn, lang.TypeName(globals))
	}
	if _, ok := d.GetStr("__builtins__"); !ok {
		d.PutStr("__builtins__", th.Interp.Builtins.Value())
	}
	if locals.IsNone() || locals == globals {
		return d, lang.Unbound, nil
	}
	if lang.ClassOf(locals).GetItem == nil {
		if fn == "eval" {
			return nil, none, th.TypeErrorf("locals must be a mapping")
		}
		return nil, none, th.TypeErrorf("locals must be a mapping or None, not %s", lang.TypeName(locals))
	}
	return d, locals, nil
}

// codeOf is the code object of a text or code argument. What compile() made keeps
// its names in a namespace, so that it can run in any.
func codeOf(th *Thread, fn string, src, locals Value, compile func(text, file string, namespace bool) (*code.Code, error)) (*code.Code, error) {
	if lang.ClassOf(src) == lang.CodeClass {
		return (*lang.CodeObject)(src.P).C, nil
	}
	text, ok, err := textOf(th, src, "<string>")
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, th.TypeErrorf("%s() arg 1 must be a string, bytes or code object", fn)
	}
	if fn == "eval" {
		text = strings.TrimLeft(text, " \t")
	}
	return compile(text, "<string>", !locals.IsUnbound())
}

// textOf is the program text that v holds; ok is false if it can't hold one.
func textOf(th *Thread, v Value, file string) (text string, ok bool, err error) {
	if s, ok := lang.AsStr(v); ok {
		_, err := Encode(th, s, "utf-8", "strict") // a lone surrogate is refused so
		return s.String(), true, err
	}
	b, ok := BytesLike(v)
	if !ok {
		return "", false, nil
	}
	text, err = parser.DecodeSource([]byte(b), file)
	var wrong *parser.SyntaxError
	if errors.As(err, &wrong) {
		err = lang.NewSyntaxError(wrong)
	}
	return text, true, err
}

func fnExec(th *Thread, a []Value) (Value, error) {
	g, l, err := spaces(th, "exec", a[1], a[2])
	if err != nil {
		return fail(err)
	}
	c, err := codeOf(th, "exec", a[0], l, th.CompileExec)
	if err != nil {
		return fail(err)
	}
	cells, err := closureOf(th, c, a[0], a[3])
	if err != nil {
		return fail(err)
	}
	_, err = th.RunClosure(c, g, l, cells)
	return none, err
}

// closureOf are the cells for the free variables of a code object given to exec.
func closureOf(th *Thread, c *code.Code, src, closure Value) ([]*lang.Cell, error) {
	n := len(c.Free)
	switch {
	case lang.ClassOf(src) != lang.CodeClass:
		if !closure.IsNone() {
			return nil, th.TypeErrorf("closure can only be used when source is a code object")
		}
		return nil, nil
	case n == 0 && !closure.IsNone():
		return nil, th.TypeErrorf("cannot use a closure with this code object")
	}
	t, ok := lang.AsTuple(closure)
	if n > 0 && (!ok || t.Len() != n) {
		return nil, th.TypeErrorf("code object requires a closure of exactly length %d", n)
	}
	var cells []*lang.Cell
	for i := range n {
		v := t.At(i)
		if lang.ClassOf(v) != lang.CellClass {
			return nil, th.TypeErrorf("code object requires a closure of exactly length %d", n)
		}
		cells = append(cells, (*lang.Cell)(v.P))
	}
	return cells, nil
}

func fnEval(th *Thread, a []Value) (Value, error) {
	g, l, err := spaces(th, "eval", a[1], a[2])
	if err != nil {
		return fail(err)
	}
	c, err := codeOf(th, "eval", a[0], l, th.CompileEval)
	if err != nil {
		return fail(err)
	}
	if len(c.Free) > 0 {
		return fail(th.TypeErrorf("code object passed to eval() may not contain free variables"))
	}
	return th.Exec(c, g, l)
}

// The bits of compile's flags that CPython 3.11 knows.
const (
	flagOnlyAST     = 0x400
	flagAnnotations = 0x1000000
	flagsKnown      = 0x1000000 | 0x800000 | 0x400000 | 0x200000 | 0x100000 | 0x80000 | 0x40000 | 0x20000 | 0x10 | // __future__
		0x100 | 0x200 | flagOnlyAST | 0x800 | 0x1000 | 0x2000 | 0x4000 // of the compiler
)

func fnCompile(th *Thread, a []Value) (Value, error) {
	file, err := PathArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	mode, ok := lang.AsStr(a[2])
	if !ok {
		return fail(need(th, "compile() argument 'mode'", "str", a[2]))
	}
	flags, err := compileFlags(th, a[3], a[5])
	if err != nil {
		return fail(err)
	}
	m := mode.String()
	if m != "exec" && m != "eval" && m != "single" {
		return fail(th.ValueErrorf("compile() mode must be 'exec', 'eval' or 'single'"))
	}
	if lang.ClassOf(a[0]) == lang.CodeClass {
		return a[0], nil
	}
	text, ok, err := textOf(th, a[0], file)
	if err != nil {
		return fail(err)
	}
	if !ok {
		return fail(th.TypeErrorf("compile() arg 1 must be a string, bytes or AST object"))
	}
	c, err := th.CompileMode(text, file, m, flags&flagAnnotations != 0)
	if err != nil {
		return fail(err)
	}
	return lang.CodeValue(c), nil
}

// compileFlags checks the flags and the level of optimization, which changes
// nothing here.
func compileFlags(th *Thread, flags, optimize Value) (int, error) {
	n, err := intOf(th, flags)
	if err != nil {
		return 0, err
	}
	level, err := intOf(th, optimize)
	if err != nil {
		return 0, err
	}
	switch {
	case n&^flagsKnown != 0:
		return 0, th.ValueErrorf("compile(): unrecognised flags")
	case level < -1 || level > 2:
		return 0, th.ValueErrorf("compile(): invalid optimize value")
	case n&flagOnlyAST != 0:
		return 0, th.Raise(lang.NotImplementedError, "compile() gives no trees (PyCF_ONLY_AST); without the flag it gives a code object")
	}
	return n, nil
}

func fnImport(th *Thread, a []Value) (Value, error) {
	name, ok := lang.AsStr(a[0])
	if !ok {
		return fail(need(th, "__import__() argument 1", "str", a[0]))
	}
	level, err := lang.IndexInt(th, a[4], nil)
	if err != nil {
		return fail(err)
	}
	switch globals, ok := lang.AsDict(a[1]); {
	case level < 0:
		return fail(th.ValueErrorf("level must be >= 0"))
	case level == 0 && name.String() == "":
		return fail(th.ValueErrorf("Empty module name"))
	case level > 0 && !ok && a[1].IsNone():
		return fail(th.Raise(lang.KeyError, "'__name__' not in globals"))
	case level > 0 && !ok:
		return fail(th.TypeErrorf("globals must be a dict"))
	default:
		return th.ImportName(globals, name.String(), a[3], level)
	}
}

func fnBreakpoint(th *Thread, a []Value) (Value, error) {
	return fail(th.Raise(lang.NotImplementedError, "breakpoint() needs the debugger, which isn't there yet; print() and traceback show what happens"))
}

func fnHelp(th *Thread, a []Value) (Value, error) {
	if a[0].IsUnbound() {
		return none, Std(th, 1).WriteText(th, "Type help(object) for help about an object.\n")
	}
	m, err := th.Import("pydoc")
	if err != nil {
		return fail(err)
	}
	return th.CallMethod(m, "help", a[0])
}

func fnExit(th *Thread, a []Value) (Value, error) { return fail(th.RaiseArgs(lang.SystemExit, a[0])) }

// ---- rows of callables that the object model leaves to this package ----

var superNew = lang.Def{Sig: "__new__(cls, type=..., object_or_type=..., /)", Fn: newSuper}

func newSuper(th *Thread, a []Value) (Value, error) {
	if a[1].IsUnbound() {
		return th.ZeroSuper()
	}
	c, ok := lang.AsClass(a[1])
	if !ok {
		return fail(th.TypeErrorf("super() argument 1 must be a type, not %s", lang.TypeName(a[1])))
	}
	if a[2].IsUnbound() {
		return th.NewSuper(c, lang.Unbound)
	}
	return th.NewSuper(c, a[2])
}

// traceback attributes
var tracebackRows = []lang.Def{
	{Sig: "tb_next", Flags: lang.DefProperty, Set: setTbNext, Fn: func(th *Thread, a []Value) (Value, error) {
		if t := (*lang.Traceback)(a[0].P).Next; t != nil {
			return t.Value(), nil
		}
		return none, nil
	}},
	{Sig: "tb_lineno", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
		return lang.Int(int64((*lang.Traceback)(a[0].P).Line)), nil
	}},
	{Sig: "tb_lasti", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
		return lang.Int(int64((*lang.Traceback)(a[0].P).PC) * 2), nil
	}},
	{Sig: "tb_frame", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
		t := (*lang.Traceback)(a[0].P)
		f := &tbFrame{Header: lang.Header{Type: &tbFrameClass.Type, Kind: value.KindOther}, tb: t}
		return Value{P: unsafe.Pointer(f)}, nil
	}},
}

// setTbNext cuts or joins a traceback; a loop is refused.
func setTbNext(th *Thread, self, x Value) error {
	t := (*lang.Traceback)(self.P)
	if x.IsUnbound() {
		return th.TypeErrorf("can't delete tb_next attribute")
	}
	if x.IsNone() {
		t.Next = nil
		return nil
	}
	if lang.ClassOf(x) != lang.TracebackClass {
		return th.TypeErrorf("expected traceback object, got '%s'", lang.TypeName(x))
	}
	for n := (*lang.Traceback)(x.P); n != nil; n = n.Next {
		if n == t {
			return th.Raise(lang.ValueError, "traceback loop detected")
		}
	}
	t.Next = (*lang.Traceback)(x.P)
	return nil
}

// tbFrame is the frame of a traceback: a copy of where it was.
type tbFrame struct {
	lang.Header
	tb *lang.Traceback
}

var tbFrameClass = lang.NewBuiltinClass("frame", "builtins", value.KindOther)

var tbFrameRows = []lang.Def{
	{Sig: "f_lineno", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
		return lang.Int(int64((*tbFrame)(a[0].P).tb.Line)), nil
	}},
	{Sig: "f_code", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
		if c := (*tbFrame)(a[0].P).tb.Code; c != nil {
			return lang.CodeValue(c), nil
		}
		return none, nil
	}},
	{Sig: "f_globals", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
		if g := (*tbFrame)(a[0].P).tb.Globals; g != nil {
			return g.Value(), nil
		}
		return lang.NewDict().Value(), nil
	}},
	{Sig: "f_locals", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewDict().Value(), nil }},
	{Sig: "f_back", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return none, nil }},
}
