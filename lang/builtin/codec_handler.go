package builtin

import "github.com/tfs-lang/tfs/lang"

const handlersKey = "builtin.codec handlers"

// AddErrorHandler is codecs.register_error.
func AddErrorHandler(th *Thread, name string, f Value) {
	d, ok := th.Interp.Ext[handlersKey].(*lang.Dict)
	if !ok {
		d = lang.NewDict()
		th.Interp.Ext[handlersKey] = d
	}
	d.PutStr(name, f)
}

// ErrorHandler is what a script registered under a name.
func ErrorHandler(th *Thread, name string) (Value, bool) {
	if d, ok := th.Interp.Ext[handlersKey].(*lang.Dict); ok {
		return d.GetStr(name)
	}
	return none, false
}

// ownHandler asks a handler that the script registered what stands for the wrong
// piece, which ends at end.
func ownHandler(th *Thread, name string, wrong error, end int) (text string, isBytes bool, err error) {
	f, ok := ErrorHandler(th, name)
	if !ok {
		return "", false, th.Raise(lang.LookupError, "unknown error handler name '%s'", name)
	}
	e := lang.AsError(wrong)
	r, err := th.Call(f, []Value{e.Value()})
	if err != nil {
		return "", false, err
	}
	which := "encoding"
	if e.IsA(lang.UnicodeDecodeError) {
		which = "decoding"
	}
	t, ok := lang.AsTuple(r)
	if !ok || t.Len() != 2 {
		return "", false, handlerType(th, which)
	}
	to, ok := lang.AsInt(t.At(1))
	if !ok {
		return "", false, handlerType(th, which)
	}
	if int(to) != end {
		return "", false, th.Raise(lang.NotImplementedError, "an error handler must go on at the end of the wrong piece (%d), not at %d", end, to)
	}
	if s, ok := lang.AsStr(t.At(0)); ok {
		return s.String(), false, nil
	}
	if b, ok := lang.AsBytes(t.At(0)); ok && which == "encoding" {
		return b.B, true, nil
	}
	return "", false, handlerType(th, which)
}

func handlerType(th *Thread, which string) error {
	if which == "encoding" {
		return th.TypeErrorf("encoding error handler must return (str/bytes, int) tuple")
	}
	return th.TypeErrorf("decoding error handler must return (str, int) tuple")
}
