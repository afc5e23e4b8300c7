package builtin

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// MemoryView is a view of the items in a bytes object or bytearray. Len items of
// the format are seen, the first at byte From, each Step bytes after the one
// before; Step may be negative.
type MemoryView struct {
	lang.Header
	Of              Value
	From, Step, Len int
	Format          byte
	ReadOnly        bool
	Released        bool
}

// MemoryViewClass is the class memoryview.
var MemoryViewClass = lang.NewBuiltinClass("memoryview", "builtins", value.KindOther)

var memoryViewNew = lang.Def{Sig: "__new__(cls, object)", Fn: newMemoryView, Doc: "Return a view of the bytes of an object."}

func newMemoryView(th *Thread, a []Value) (Value, error) {
	if m, ok := AsMemoryView(a[1]); ok {
		if err := m.check(th); err != nil {
			return fail(err)
		}
		return m.view(m.From, m.Step, m.Len), nil
	}
	of := a[1]
	b, ok := lang.BytesOf(of)
	if !ok {
		if b, ok = BytesLike(of); !ok {
			return fail(th.TypeErrorf("memoryview: a bytes-like object is required, not '%s'", lang.TypeName(of)))
		}
		of = lang.NewBytes(b)
	}
	_, writable := lang.AsByteArray(of)
	m := &MemoryView{Of: of.Held().Value(), Step: 1, Format: 'B', ReadOnly: !writable}
	m.Header = lang.Header{Type: &MemoryViewClass.Type, Kind: value.KindOther}
	return m.view(0, 1, len(b)), nil
}

func (m *MemoryView) value() Value { return Value{P: unsafe.Pointer(m)} }

// AsMemoryView is v as a memoryview.
func AsMemoryView(v Value) (*MemoryView, bool) {
	if lang.ClassOf(v) == MemoryViewClass {
		return (*MemoryView)(v.P), true
	}
	return nil, false
}

// view is another view of the same object; it keeps a bytearray from being resized.
func (m *MemoryView) view(from, step, n int) Value {
	if ba, ok := lang.AsByteArray(m.Of); ok {
		ba.Exports++
	}
	c := *m
	c.From, c.Step, c.Len, c.Released = from, step, n, false
	return c.value()
}

func (m *MemoryView) check(th *Thread) error {
	if m.Released {
		return th.ValueErrorf("operation forbidden on released memoryview object")
	}
	return nil
}

func (m *MemoryView) size() int { return itemFormats[m.Format].size }

func (m *MemoryView) contiguous() bool { return m.Step == m.size() || m.Len <= 1 }

// item is the bytes of item i.
func (m *MemoryView) item(i int) string {
	b, _ := lang.BytesOf(m.Of)
	at := m.From + i*m.Step
	return b[at : at+m.size()]
}

func (m *MemoryView) bytes() string {
	if m.contiguous() {
		b, _ := lang.BytesOf(m.Of)
		return b[m.From : m.From+m.Len*m.size()]
	}
	out := make([]byte, 0, m.Len*m.size())
	for i := range m.Len {
		out = append(out, m.item(i)...)
	}
	return string(out)
}

// viewMethod is a method that a released view refuses.
func viewMethod(f func(th *Thread, m *MemoryView, a []Value) (Value, error)) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		m := (*MemoryView)(a[0].P)
		if err := m.check(th); err != nil {
			return fail(err)
		}
		return f(th, m, a)
	}
}

func viewField(f func(m *MemoryView) Value) lang.Native {
	return viewMethod(func(th *Thread, m *MemoryView, a []Value) (Value, error) { return f(m), nil })
}

func count(n int) Value { return lang.Int(int64(n)) }

var memoryViewRows = []lang.Def{
	{Sig: "tobytes(self, /, order='C')", Fn: viewField(func(m *MemoryView) Value { return lang.NewBytes(m.bytes()) })},
	{Sig: "tolist(self, /)", Fn: viewField(viewToList)},
	{Sig: "hex(self, /, sep=..., bytes_per_sep=1)", Fn: viewMethod(func(th *Thread, m *MemoryView, a []Value) (Value, error) {
		return bytesHex(th, []Value{lang.NewBytes(m.bytes()), a[1], a[2]})
	})},
	{Sig: "toreadonly(self, /)", Fn: viewField(viewReadOnly)},
	{Sig: "cast(self, /, format, shape=...)", Fn: viewMethod(viewCast)},
	{Sig: "release(self, /)", Fn: viewRelease},
	{Sig: "__enter__(self, /)", Fn: viewMethod(func(th *Thread, m *MemoryView, a []Value) (Value, error) { return a[0], nil })},
	{Sig: "__exit__(self, /, *exc)", Fn: viewRelease},
	{Sig: "nbytes", Flags: lang.DefProperty, Fn: viewField(func(m *MemoryView) Value { return count(m.Len * m.size()) })},
	{Sig: "itemsize", Flags: lang.DefProperty, Fn: viewField(func(m *MemoryView) Value { return count(m.size()) })},
	{Sig: "ndim", Flags: lang.DefProperty, Fn: viewField(func(m *MemoryView) Value { return count(1) })},
	{Sig: "format", Flags: lang.DefProperty, Fn: viewField(func(m *MemoryView) Value { return lang.NewStr(string(m.Format)) })},
	{Sig: "shape", Flags: lang.DefProperty, Fn: viewField(func(m *MemoryView) Value { return lang.NewTuple(count(m.Len)) })},
	{Sig: "strides", Flags: lang.DefProperty, Fn: viewField(func(m *MemoryView) Value { return lang.NewTuple(count(m.Step)) })},
	{Sig: "suboffsets", Flags: lang.DefProperty, Fn: viewField(func(m *MemoryView) Value { return lang.NewTuple() })},
	{Sig: "obj", Flags: lang.DefProperty, Fn: viewField(func(m *MemoryView) Value { return m.Of })},
	{Sig: "readonly", Flags: lang.DefProperty, Fn: viewField(func(m *MemoryView) Value { return lang.Bool(m.ReadOnly) })},
	{Sig: "contiguous", Flags: lang.DefProperty, Fn: viewField(func(m *MemoryView) Value { return lang.Bool(m.contiguous()) })},
	{Sig: "c_contiguous", Flags: lang.DefProperty, Fn: viewField(func(m *MemoryView) Value { return lang.Bool(m.contiguous()) })},
	{Sig: "f_contiguous", Flags: lang.DefProperty, Fn: viewField(func(m *MemoryView) Value { return lang.Bool(m.contiguous()) })},
}

func viewToList(m *MemoryView) Value {
	l := lang.MakeList(m.Len)
	f := itemFormats[m.Format]
	for i := range m.Len {
		l.Append(f.get(m.item(i)))
	}
	return l.Value()
}

func viewReadOnly(m *MemoryView) Value {
	v := m.view(m.From, m.Step, m.Len)
	(*MemoryView)(v.P).ReadOnly = true
	return v
}

func viewRelease(th *Thread, a []Value) (Value, error) {
	m := (*MemoryView)(a[0].P)
	if ba, ok := lang.AsByteArray(m.Of); ok && !m.Released {
		ba.Exports--
	}
	m.Released = true
	return none, nil
}

// viewCast reads the same bytes as items of another format; one side must be bytes.
func viewCast(th *Thread, m *MemoryView, a []Value) (Value, error) {
	s, ok := lang.AsStr(a[1])
	if !ok {
		return fail(need(th, "memoryview: format argument", "a string", a[1]))
	}
	if !a[2].IsUnbound() {
		return fail(th.Raise(lang.NotImplementedError, "memoryview.cast with a shape is not supported yet: views have one dimension"))
	}
	if !m.contiguous() {
		return fail(th.TypeErrorf("memoryview: casts are restricted to C-contiguous views"))
	}
	code := s.String()
	if len(code) == 2 && code[0] == '@' {
		code = code[1:]
	}
	f, known := itemFormats[(code + " ")[0]]
	if len(code) != 1 || !known {
		return fail(th.ValueErrorf("memoryview: destination format must be a native single character format prefixed with an optional '@'"))
	}
	if !byteFormat(m.Format) && !byteFormat(code[0]) {
		return fail(th.TypeErrorf("memoryview: cannot cast between two non-byte formats"))
	}
	n := m.Len * m.size()
	if n%f.size != 0 {
		return fail(th.TypeErrorf("memoryview: length is not a multiple of itemsize"))
	}
	v := m.view(m.From, f.size, n/f.size)
	(*MemoryView)(v.P).Format = code[0]
	return v, nil
}
