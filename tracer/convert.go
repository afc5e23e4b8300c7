package tracer

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// How a function is converted, in lang.Func.Convert.
const (
	convertUnknown uint8 = iota
	convertYes
	convertNo     // said so: do_not_convert
	convertFailed // can't be: the warning was given
)

// Call chooses what staged code calls in place of f (rule E1): the staged variant
// of a script function, of a method, of an instance's __call__; constructors,
// generators and functions in Go stay as they are. It implements lang.Stager.
func (st *stager) Call(th *lang.Thread, f lang.Value) (lang.Value, error) {
	return st.tr.Convert(f)
}

// Not is `not v` on a symbolic value.
func (st *stager) Not(_ *lang.Thread, v lang.Value) (lang.Value, error) { return st.tr.not(v) }

// Convert is the converted form of a callable.
func (tr *Tracer) Convert(f lang.Value) (lang.Value, error) {
	switch f.Kind() {
	case value.KindFunc:
		return tr.convertFunc(f)
	case value.KindBound:
		b, _ := lang.AsBound(f)
		if b.Fn.Kind() != value.KindFunc {
			return f, nil
		}
		g, err := tr.convertFunc(b.Fn)
		if err != nil || g == b.Fn {
			return f, err
		}
		return lang.NewBound(b.Self, g), nil
	case value.KindInstance:
		call := lang.ClassOf(f).Lookup("__call__")
		if call.Kind() != value.KindFunc {
			return f, nil
		}
		g, err := tr.convertFunc(call)
		if err != nil || g == call {
			return f, err
		}
		return lang.NewBound(f, g), nil
	case value.KindNative:
		return tr.overload(f), nil
	case value.KindClass:
		return tr.overload(f), nil
	}
	return f, nil
}

func (tr *Tracer) convertFunc(v lang.Value) (lang.Value, error) {
	f, _ := lang.AsFunc(v)
	switch {
	case f.Convert == convertNo || f.Convert == convertFailed:
		return v, nil
	case f.Code().Flags&(code.FlagGenerator|code.FlagCoroutine) != 0 || embedded(f):
		return v, nil
	}
	if s, ok := f.Ext.(*lang.Func); ok {
		return s.Value(), nil
	}
	s, why := tr.st.Th.StagedFunc(f)
	if s == nil {
		f.Convert = convertFailed
		return v, tr.cannotConvert(v, why)
	}
	s.Ext = s
	f.Ext = s
	return s.Value(), nil
}

// embedded reports a function of the library: its code is not the user's.
func embedded(f *lang.Func) bool {
	file := f.Code().File
	return len(file) > 4 && file[:4] == "tfs:"
}

// cannotConvert warns that a function runs as it is (rule E11).
func (tr *Tracer) cannotConvert(f lang.Value, why string) error {
	text, err := lang.Repr(tr.st.Th, f)
	if err != nil {
		return err
	}
	tr.Log("WARNING", "AutoGraph could not transform "+text+" and will run it as-is.\nCause: "+why+
		"\nTo silence this warning, decorate the function with @tf.autograph.experimental.do_not_convert")
	return nil
}

// DoNotConvert marks a script function; other callables are never converted.
func DoNotConvert(v lang.Value) {
	if f, ok := lang.AsFunc(v); ok {
		f.Convert = convertNo
	}
}
