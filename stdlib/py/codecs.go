package py

import (
	"unicode/utf8"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
)

// _codecs is the native core of the script module codecs.
var _ = define("_codecs", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{
		{Sig: "register_error(errors, handler, /)", Fn: codecsRegister},
		{Sig: "own_handler(errors, /)", Fn: codecsHandler},
		{Sig: "normal_name(encoding, /)", Fn: codecsName},
		{Sig: "utf8_tail(data, /)", Fn: codecsTail},
	}}
})

func codecsRegister(th *Thread, a []Value) (Value, error) {
	name, err := strOf(th, a[0], "register_error() argument 1")
	if err != nil {
		return fail(err)
	}
	if !lang.IsCallable(a[1]) {
		return fail(th.TypeErrorf("handler must be callable"))
	}
	builtin.AddErrorHandler(th, name, a[1])
	return none, nil
}

func codecsHandler(th *Thread, a []Value) (Value, error) {
	name, err := strOf(th, a[0], "lookup_error() argument")
	f, _ := builtin.ErrorHandler(th, name)
	return f, err
}

// codecsName is the one name of an encoding of text, None for an unknown one.
func codecsName(th *Thread, a []Value) (Value, error) {
	s, err := strOf(th, a[0], "lookup() argument")
	if err != nil {
		return fail(err)
	}
	c, ok := builtin.FindCodec(s)
	switch {
	case !ok:
		return none, nil
	case c == builtin.Latin1:
		return lang.NewStr("iso8859-1"), nil
	}
	return lang.NewStr(c.String()), nil
}

// codecsTail is how many bytes at the end begin a character that isn't complete.
func codecsTail(th *Thread, a []Value) (Value, error) {
	b, ok := lang.AsBytes(a[0])
	if !ok {
		return fail(th.TypeErrorf("a bytes-like object is required, not '%s'", lang.TypeName(a[0])))
	}
	s := b.B
	for n := 1; n <= 3 && n <= len(s); n++ {
		c := s[len(s)-n]
		if c&0xc0 == 0x80 {
			continue
		}
		if c >= 0xc2 && c < 0xf5 && !utf8.FullRuneInString(s[len(s)-n:]) {
			return lang.Int(int64(n)), nil
		}
		break
	}
	return lang.Int(0), nil
}
