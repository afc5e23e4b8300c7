package builtin

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// MemoryView is a view of the bytes of a bytes object or bytearray. Step may be
// negative; Len items are seen from From on.
type MemoryView struct {
	lang.Header
	Of              Value
	From, Step, Len int
	Released        bool
}

// MemoryViewClass is the class memoryview.
var MemoryViewClass = lang.NewBuiltinClass("memoryview", "builtins", value.KindOther)

var memoryViewNew = lang.Def{Sig: "__new__(cls, object)", Fn: newMemoryView}

func newMemoryView(th *Thread, a []Value) (Value, error) {
	if m, ok := AsMemoryView(a[1]); ok {
		return m.view(m.From, m.Step, m.Len), nil
	}
	b, ok := lang.BytesOf(a[1])
	if !ok {
		s, ok := BytesLike(a[1])
		if !ok {
			return fail(th.TypeErrorf("memoryview: a bytes-like object is required, not '%s'", lang.TypeName(a[1])))
		}
		b = s
		a[1] = lang.NewBytes(s)
	}
	if ba, ok := lang.AsByteArray(a[1]); ok {
		ba.Exports++
	}
	m := &MemoryView{Of: a[1].Held().Value(), Step: 1, Len: len(b)}
	m.Header = lang.Header{Type: &MemoryViewClass.Type, Kind: value.KindOther}
	return m.value(), nil
}

func (m *MemoryView) value() Value { return Value{P: unsafe.Pointer(m)} }

// AsMemoryView is v as a memoryview.
func AsMemoryView(v Value) (*MemoryView, bool) {
	if lang.ClassOf(v) == MemoryViewClass {
		return (*MemoryView)(v.P), true
	}
	return nil, false
}

func (m *MemoryView) view(from, step, n int) Value {
	if ba, ok := lang.AsByteArray(m.Of); ok {
		ba.Exports++
	}
	return (&MemoryView{Header: m.Header, Of: m.Of, From: from, Step: step, Len: n}).value()
}

func (m *MemoryView) bytes() string {
	b, _ := lang.BytesOf(m.Of)
	if m.Step == 1 {
		return b[m.From : m.From+m.Len]
	}
	out := make([]byte, m.Len)
	for i := range out {
		out[i] = b[m.From+i*m.Step]
	}
	return string(out)
}

var memoryViewRows = []lang.Def{
	{Sig: "tobytes(self, /, order='C')", Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewBytes(view(a).bytes()), nil }},
	{Sig: "tolist(self, /)", Fn: viewToList},
	{Sig: "hex(self, /, sep=..., bytes_per_sep=1)", Fn: func(th *Thread, a []Value) (Value, error) {
		return bytesHex(th, []Value{lang.NewBytes(view(a).bytes()), a[1], a[2]})
	}},
	{Sig: "release(self, /)", Fn: viewRelease},
	{Sig: "__enter__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return a[0], nil }},
	{Sig: "__exit__(self, /, *exc)", Fn: viewRelease},
	{Sig: "nbytes", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.Int(int64(view(a).Len)), nil }},
	{Sig: "itemsize", Flags: lang.DefProperty, Fn: intOne},
	{Sig: "ndim", Flags: lang.DefProperty, Fn: intOne},
	{Sig: "format", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewStr("B"), nil }},
	{Sig: "shape", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewTuple(lang.Int(int64(view(a).Len))), nil }},
	{Sig: "strides", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewTuple(lang.Int(int64(view(a).Step))), nil }},
	{Sig: "obj", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return view(a).Of, nil }},
	{Sig: "readonly", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
		_, ok := lang.AsByteArray(view(a).Of)
		return lang.Bool(!ok), nil
	}},
}

func view(a []Value) *MemoryView { return (*MemoryView)(a[0].P) }

func viewToList(th *Thread, a []Value) (Value, error) {
	b := view(a).bytes()
	l := lang.MakeList(len(b))
	for i := range len(b) {
		l.Append(lang.Int(int64(b[i])))
	}
	return l.Value(), nil
}

func viewRelease(th *Thread, a []Value) (Value, error) {
	m := view(a)
	if ba, ok := lang.AsByteArray(m.Of); ok && !m.Released {
		ba.Exports--
	}
	m.Released = true
	return none, nil
}

func memoryViewSlots(s *lang.Slots) {
	s.Len = func(th *Thread, v Value) (int, error) { return (*MemoryView)(v.P).Len, nil }
	s.GetItem = memoryGet
	s.SetItem = memorySet
	s.Iter = func(th *Thread, v Value) (Value, error) {
		l, _ := viewToList(th, []Value{v})
		return lang.Iter(th, l)
	}
	s.Compare = func(th *Thread, op lang.CompareOp, a, b Value) (Value, error) {
		y, ok := BytesLike(b)
		if !ok || op != lang.EQ && op != lang.NE {
			return lang.NotImplemented, nil
		}
		x := (*MemoryView)(a.P).bytes()
		return lang.Bool((x == y) == (op == lang.EQ)), nil
	}
	s.Hash = func(th *Thread, v Value) (int64, error) { return lang.HashBytes((*MemoryView)(v.P).bytes()), nil }
	s.Repr = func(th *Thread, v Value) (Value, error) {
		return lang.NewStr("<memory at " + lang.Address(v) + ">"), nil
	}
}

// place is the byte position of an index.
func (m *MemoryView) place(th *Thread, key Value) (int, error) {
	if m.Released {
		return 0, th.ValueErrorf("operation forbidden on released memoryview object")
	}
	if !lang.HasIndex(key) {
		return 0, th.TypeErrorf("memoryview: invalid slice key")
	}
	i, err := lang.IndexInt(th, key, lang.IndexError)
	if err != nil {
		return 0, err
	}
	if i < 0 {
		i += m.Len
	}
	if i < 0 || i >= m.Len {
		return 0, th.Raise(lang.IndexError, "index out of bounds on dimension 1")
	}
	return m.From + i*m.Step, nil
}

func memoryGet(th *Thread, v, key Value) (Value, error) {
	m := (*MemoryView)(v.P)
	if s, ok := lang.AsSlice(key); ok {
		start, _, step, n, err := s.Indices(th, m.Len)
		if err != nil {
			return fail(err)
		}
		return m.view(m.From+start*m.Step, m.Step*step, n), nil
	}
	i, err := m.place(th, key)
	if err != nil {
		return fail(err)
	}
	b, _ := lang.BytesOf(m.Of)
	return lang.Int(int64(b[i])), nil
}

func memorySet(th *Thread, v, key, x Value) error {
	m := (*MemoryView)(v.P)
	ba, ok := lang.AsByteArray(m.Of)
	if !ok {
		return th.TypeErrorf("cannot modify read-only memory")
	}
	if s, ok := lang.AsSlice(key); ok {
		start, _, step, n, err := s.Indices(th, m.Len)
		if err != nil {
			return err
		}
		src, err := bytesArg(th, x)
		if err != nil {
			return err
		}
		if len(src) != n {
			return th.ValueErrorf("memoryview assignment: lvalue and rvalue have different structures")
		}
		for k := range n {
			ba.B[m.From+(start+k*step)*m.Step] = src[k]
		}
		return nil
	}
	i, err := m.place(th, key)
	if err != nil {
		return err
	}
	c, err := lang.Index(th, x)
	if err != nil {
		return th.TypeErrorf("memoryview: invalid type for format 'B'")
	}
	n, ok := lang.AsInt(c)
	if !ok || n < 0 || n > 255 {
		return th.ValueErrorf("memoryview: invalid value for format 'B'")
	}
	ba.B[i] = byte(n)
	return nil
}
