package lang

import (
	"bytes"
	"os"
	"testing"
)

// newTestInterp is an interpreter with the few builtins that the tests of this
// package need.
func newTestInterp(out *bytes.Buffer) *Interp {
	in := NewInterp(Host{Stdout: out, Stderr: out})
	def := func(sig string, fn Native) { in.Builtins.Set((&Def{Sig: sig}).name(), NewFunc(sig, fn)) }
	def("print(*args, sep=' ', end='\\n')", func(th *Thread, a []Value) (Value, error) {
		for i, h := range (*Tuple)(a[2].P).items {
			if i > 0 {
				out.WriteString(" ")
			}
			s, err := StrOf(th, h.Value())
			if err != nil {
				return Unbound, err
			}
			out.WriteString(s)
		}
		e, _ := AsStr(a[1])
		out.WriteString(e.s)
		return None, nil
	})
	def("range(start, stop=..., step=1, /)", func(th *Thread, a []Value) (Value, error) {
		lo, _ := AsInt(a[0])
		step, _ := AsInt(a[2])
		if a[1].IsUnbound() {
			return NewRange(0, lo, step).Value(), nil
		}
		hi, _ := AsInt(a[1])
		return NewRange(lo, hi, step).Value(), nil
	})
	def("len(obj, /)", func(th *Thread, a []Value) (Value, error) { n, err := Len(th, a[0]); return Int(int64(n)), err })
	def("repr(obj, /)", func(th *Thread, a []Value) (Value, error) { s, err := Repr(th, a[0]); return NewStr(s), err })
	def("str(obj, /)", func(th *Thread, a []Value) (Value, error) { s, err := StrOf(th, a[0]); return NewStr(s), err })
	def("list(it=(), /)", func(th *Thread, a []Value) (Value, error) { s, err := ToSlice(th, a[0]); return ListOf(s).Value(), err })
	def("isinstance(o, c, /)", func(th *Thread, a []Value) (Value, error) {
		ok, err := th.IsInstanceOf(a[0], a[1])
		return Bool(ok), err
	})
	def("next(it, /)", func(th *Thread, a []Value) (Value, error) { return th.orStop(Next(th, a[0])) })
	def("sum(it, /)", func(th *Thread, a []Value) (Value, error) {
		it, err := Iterate(th, a[0])
		s := Int(0)
		for err == nil {
			v, ok, e := it.Next(th)
			if e != nil || !ok {
				return s, e
			}
			s, err = BinaryOperation(th, OpAdd, s, v)
		}
		return s, err
	})
	for _, c := range append([]*Class{ObjectClass, TypeClass, IntClass, FloatClass, DictClass, SuperClass}, ExceptionClasses()...) {
		in.Builtins.Set(c.Name, c.Value())
	}
	def("property(get)", func(th *Thread, a []Value) (Value, error) { return NewProperty(a[0], None, None, None).Value(), nil })
	return in
}

func runText(t testing.TB, text string) string {
	var out bytes.Buffer
	in := newTestInterp(&out)
	m := in.MainModule("test.tfs")
	in.KeepSource("test.tfs", text)
	if err := in.Main.RunSource(m, text, "test.tfs"); err != nil {
		out.WriteString(FormatUncaught(in.Main, AsError(err)))
	}
	return out.String()
}

func TestScratch(t *testing.T) {
	b, err := os.ReadFile(os.Getenv("TFS_SCRATCH"))
	if err != nil {
		t.Skip()
	}
	t.Log("\n" + runText(t, string(b)))
}
