package py

import (
	"math"
	"time"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
)

var _ = define("sys", func() *lang.ModuleDef {
	return &lang.ModuleDef{Doc: "Objects used or maintained by the interpreter.", Defs: sysRows, Init: sysInit, GetAttr: sysAttr}
})

var (
	versionInfo = newStructSeq("version_info", "sys", "major", "minor", "micro", "releaselevel", "serial")
	floatInfo   = newStructSeq("float_info", "sys", "max", "max_exp", "max_10_exp", "min", "min_exp", "min_10_exp", "dig", "mant_dig", "epsilon", "radix", "rounds")
	intInfo     = newStructSeq("int_info", "sys", "bits_per_digit", "sizeof_digit", "default_max_str_digits", "str_digits_check_threshold")
	hashInfo    = newStructSeq("hash_info", "sys", "width", "modulus", "inf", "nan", "imag", "algorithm", "hash_bits", "seed_bits", "cutoff")
	sysFlags    = newStructSeq("flags", "sys", "debug", "inspect", "interactive", "optimize", "dont_write_bytecode", "no_user_site", "no_site",
		"ignore_environment", "verbose", "bytes_warning", "quiet", "hash_randomization", "isolated", "dev_mode", "utf8_mode", "warn_default_encoding", "safe_path", "int_max_str_digits")
	threadInfo = newStructSeq("thread_info", "sys", "name", "lock", "version")
)

var sysRows = []lang.Def{
	{Sig: "exit(status=None, /)", Fn: sysExit, Doc: "Exit the interpreter by raising SystemExit(status)."},
	{Sig: "exc_info()", Fn: sysExcInfo, Doc: "Return (type, value, traceback) of the exception being handled."},
	{Sig: "exception()", Fn: sysException, Doc: "Return the exception being handled."},
	{Sig: "getrecursionlimit()", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Int(int64(th.Interp.RecursionLimit())), nil }},
	{Sig: "setrecursionlimit(limit, /)", Fn: sysSetRecursionLimit},
	{Sig: "getsizeof(object, default=...)", Fn: sysGetsizeof},
	{Sig: "getrefcount(object, /)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Int(2), nil }},
	{Sig: "getdefaultencoding()", Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewStr("utf-8"), nil }},
	{Sig: "getfilesystemencoding()", Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewStr("utf-8"), nil }},
	{Sig: "getfilesystemencodeerrors()", Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewStr("surrogateescape"), nil }},
	{Sig: "intern(string, /)", Fn: sysIntern},
	{Sig: "is_finalizing()", Fn: func(th *Thread, a []Value) (Value, error) { return lang.False, nil }},
	{Sig: "getswitchinterval()", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Float(th.SwitchInterval().Seconds()), nil }},
	{Sig: "setswitchinterval(interval, /)", Fn: sysSetSwitch},
	{Sig: "gettrace()", Fn: func(th *Thread, a []Value) (Value, error) { return none, nil }},
	{Sig: "settrace(function, /)", Fn: func(th *Thread, a []Value) (Value, error) { return none, nil }},
	{Sig: "getprofile()", Fn: func(th *Thread, a []Value) (Value, error) { return none, nil }},
	{Sig: "get_int_max_str_digits()", Fn: sysGetDigits},
	{Sig: "set_int_max_str_digits(maxdigits)", Fn: sysSetDigits},
	{Sig: "_getframe(depth=0, /)", Fn: sysGetframe},
	{Sig: "displayhook(value, /)", Fn: sysDisplayhook},
	{Sig: "excepthook(type, value, traceback, /)", Fn: sysExcepthook},
	{Sig: "unraisablehook(unraisable, /)", Fn: sysUnraisable, Doc: "Handle an unraisable exception."},
	{Sig: "audit(event, /, *args)", Fn: func(th *Thread, a []Value) (Value, error) { return none, nil }},
}

// Python's version whose behaviour this is.
const (
	versionMajor, versionMinor, versionMicro = 3, 11, 7
	versionText                              = "3.11.7 (tfs)"
)

func ints(ns ...int64) []Value {
	out := make([]Value, len(ns))
	for i, n := range ns {
		out[i] = lang.Int(n)
	}
	return out
}

func strList(ss []string) Value {
	l := lang.MakeList(len(ss))
	for _, s := range ss {
		l.Append(lang.NewStr(s))
	}
	return l.Value()
}

func sysInit(th *Thread, m *lang.Module) error {
	s := lang.NewStr
	version := func() Value {
		return versionInfo.of(lang.Int(versionMajor), lang.Int(versionMinor), lang.Int(versionMicro), s("final"), lang.Int(0))
	}
	for name, v := range map[string]Value{
		"argv": strList(th.Interp.Argv), "orig_argv": strList(th.Interp.Argv),
		"modules": th.Interp.Modules.Value(), "path": strList(th.Interp.Path),
		"maxsize": lang.Int(math.MaxInt64), "maxunicode": lang.Int(0x10ffff), "byteorder": s("little"), "platform": s("linux"),
		"version": s(versionText), "version_info": version(), "hexversion": lang.Int(0x030b07f0), "api_version": lang.Int(1013),
		"executable": s(""), "prefix": s(""), "exec_prefix": s(""), "base_prefix": s(""), "base_exec_prefix": s(""),
		"copyright": s(""), "platlibdir": s("lib"), "dont_write_bytecode": lang.True, "warnoptions": lang.NewList(),
		"float_repr_style": s("short"), "pycache_prefix": none, "meta_path": lang.NewList(), "path_hooks": lang.NewList(),
		"path_importer_cache": lang.NewDict().Value(), "_xoptions": lang.NewDict().Value(),
		"float_info": floatInfo.of(lang.Float(math.MaxFloat64), lang.Int(1024), lang.Int(308), lang.Float(0x1p-1022), lang.Int(-1021),
			lang.Int(-307), lang.Int(15), lang.Int(53), lang.Float(0x1p-52), lang.Int(2), lang.Int(1)),
		"int_info":    intInfo.of(ints(30, 4, 4300, 640)...),
		"hash_info":   hashInfo.of(lang.Int(64), lang.Int(1<<61-1), lang.Int(314159), lang.Int(0), lang.Int(1000003), s("siphash13"), lang.Int(64), lang.Int(128), lang.Int(0)),
		"flags":       sysFlags.of(ints(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4300)...),
		"thread_info": threadInfo.of(s("pthread"), s("semaphore"), none),
	} {
		m.Set(name, v)
	}
	if f := m.Dict(); f != nil {
		display, _ := m.Get(th, "displayhook")
		except, _ := m.Get(th, "excepthook")
		m.Set("__displayhook__", display)
		m.Set("__excepthook__", except)
		hook, _ := m.Get(th, "unraisablehook")
		m.Set("__unraisablehook__", hook)
		th.Interp.UnraisableHook = func(th *Thread, e *lang.Exception, where Value) bool { return unraisable(th, m, hook, e, where) }
	}
	return sysImplementation(th, m, version())
}

func sysImplementation(th *Thread, m *lang.Module, version Value) error {
	ns, err := SimpleNamespace(th, "name", lang.NewStr("cpython"), "cache_tag", lang.NewStr("cpython-311"), "version", version, "hexversion", lang.Int(0x030b07f0))
	m.Set("implementation", ns)
	return err
}

// sysAttr makes the standard streams on first use, so that a script that doesn't
// touch them doesn't pay.
func sysAttr(th *Thread, m *lang.Module, name string) (Value, error) {
	switch name {
	case "stdin", "__stdin__":
		return builtin.Std(th, 0).Value(), nil
	case "stdout", "__stdout__":
		return builtin.Std(th, 1).Value(), nil
	case "stderr", "__stderr__":
		return builtin.Std(th, 2).Value(), nil
	case "builtin_module_names":
		return lang.NewTuple(lang.NewStr("builtins"), lang.NewStr("sys")), nil
	}
	return lang.Unbound, nil
}

func sysExit(th *Thread, a []Value) (Value, error) {
	if a[0].IsNone() {
		return fail(th.RaiseArgs(lang.SystemExit))
	}
	return fail(th.RaiseArgs(lang.SystemExit, a[0]))
}

func sysExcInfo(th *Thread, a []Value) (Value, error) {
	e := th.Handling()
	if e == nil {
		return lang.NewTuple(none, none, none), nil
	}
	return lang.NewTuple(e.Class().Value(), e.Value(), builtin.TracebackOf(e)), nil
}

func sysException(th *Thread, a []Value) (Value, error) {
	if e := th.Handling(); e != nil {
		return e.Value(), nil
	}
	return none, nil
}

func sysSetRecursionLimit(th *Thread, a []Value) (Value, error) {
	n, err := intOf(th, a[0])
	if err != nil {
		return fail(err)
	}
	if n < 1 {
		return fail(th.ValueErrorf("recursion limit must be greater or equal than 1"))
	}
	th.Interp.SetRecursionLimit(n)
	return none, nil
}

func sysGetsizeof(th *Thread, a []Value) (Value, error) {
	v := a[0]
	if f, ok := lang.AsStr(v); ok {
		if f.IsASCII() {
			return lang.Int(int64(49 + f.Len())), nil
		}
		return lang.Int(int64(74 + 2*f.Len())), nil
	}
	if b, ok := lang.AsBytes(v); ok {
		return lang.Int(int64(33 + len(b.B))), nil
	}
	if t, ok := lang.AsTuple(v); ok {
		return lang.Int(int64(40 + 8*t.Len())), nil
	}
	if v.IsFloat() || v.IsNone() {
		return lang.Int(map[bool]int64{true: 24, false: 16}[v.IsFloat()]), nil
	}
	r, err := th.CallMethod(v, "__sizeof__")
	if err != nil && !a[1].IsUnbound() {
		return a[1], nil
	}
	return r, err
}

func sysIntern(th *Thread, a []Value) (Value, error) {
	s, ok := lang.AsStr(a[0])
	if !ok {
		return fail(th.TypeErrorf("intern() argument must be str, not %s", lang.TypeName(a[0])))
	}
	return lang.Intern(s.String()).Value(), nil
}

func sysGetDigits(th *Thread, a []Value) (Value, error) {
	return lang.Int(int64(th.Interp.IntDigits)), nil
}

func sysSetDigits(th *Thread, a []Value) (Value, error) {
	n, err := intOf(th, a[0])
	if err != nil {
		return fail(err)
	}
	if n != 0 && n < 640 {
		return fail(th.ValueErrorf("maxdigits must be 0 or larger than 640"))
	}
	th.Interp.IntDigits = n
	return none, nil
}

func sysGetframe(th *Thread, a []Value) (Value, error) {
	depth, err := intOf(th, a[0])
	if err != nil {
		return fail(err)
	}
	f := th.Caller()
	for range depth {
		if f = f.Up(); f == nil {
			return fail(th.ValueErrorf("call stack is not deep enough"))
		}
	}
	return lang.FrameValue(f), nil
}

func sysSetSwitch(th *Thread, a []Value) (Value, error) {
	s, err := floatOf(th, a[0])
	if err == nil && s <= 0 {
		err = th.ValueErrorf("switch interval must be strictly positive")
	}
	if err == nil {
		th.SetSwitchInterval(time.Duration(s * 1e9))
	}
	return none, err
}

func sysDisplayhook(th *Thread, a []Value) (Value, error) { return none, builtin.Display(th, a[0]) }

// writeSys writes to what sys.stdout or sys.stderr is now.
func writeSys(th *Thread, name string, fd int, text string) error {
	f, err := builtin.SysFile(th, name, fd)
	if err != nil || f.IsNone() {
		return err
	}
	_, err = th.CallMethod(f, "write", lang.NewStr(text))
	return err
}

var unraisableArgs = newStructSeq("UnraisableHookArgs", "sys", "exc_type", "exc_value", "exc_traceback", "err_msg", "object")

// unraisable calls the script's sys.unraisablehook; false when it has none of its own.
func unraisable(th *Thread, sys *lang.Module, first Value, e *lang.Exception, where Value) bool {
	hook, ok := sys.Dict().GetStr("unraisablehook")
	if !ok || hook == first || hook.IsNone() {
		return false
	}
	args := unraisableArgs.of(e.Class().Value(), e.Value(), builtin.TracebackOf(e), none, where)
	_, err := th.Call(hook, []Value{args})
	return err == nil
}

func sysUnraisable(th *Thread, a []Value) (Value, error) {
	var field [5]Value
	for i, name := range []string{"exc_type", "exc_value", "exc_traceback", "err_msg", "object"} {
		v, err := lang.Attr(th, a[0], name)
		if err != nil {
			return fail(err)
		}
		field[i] = v
	}
	head := "Exception ignored in: "
	if s, ok := lang.AsStr(field[3]); ok {
		head = s.String() + ": "
	}
	where, err := lang.Repr(th, field[4])
	if err != nil {
		return fail(err)
	}
	text := head + where + "\n"
	if e, ok := lang.AsException(field[1]); ok {
		text += lang.FormatException(th, e)
	}
	return none, builtin.Std(th, 2).WriteText(th, text)
}

func sysExcepthook(th *Thread, a []Value) (Value, error) {
	e, ok := lang.AsException(a[1])
	if !ok {
		return none, nil
	}
	return none, writeSys(th, "stderr", 2, lang.FormatUncaught(th, e))
}
