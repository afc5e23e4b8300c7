package py

import (
	"strings"
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
	"github.com/tfs-lang/tfs/lang/value"
)

// _io holds what the script module io re-exports, and the streams in memory.
var _ = define("_io", func() *lang.ModuleDef {
	return &lang.ModuleDef{Init: func(th *Thread, m *lang.Module) error {
		for name, c := range map[string]*lang.Class{
			"IOBase": builtin.IOBaseClass, "RawIOBase": builtin.RawIOBaseClass, "BufferedIOBase": builtin.BufferedIOBaseClass,
			"TextIOBase": builtin.TextIOBaseClass, "FileIO": builtin.FileIOClass, "BufferedReader": builtin.BufferedReaderClass,
			"BufferedWriter": builtin.BufferedWriterClass, "BufferedRandom": builtin.BufferedRandomClass,
			"TextIOWrapper": builtin.TextIOClass, "UnsupportedOperation": builtin.UnsupportedOperation,
			"StringIO": stringIOClass, "BytesIO": bytesIOClass, "BlockingIOError": lang.BlockingIOError,
		} {
			m.Set(name, c.Value())
		}
		open, _ := th.Interp.Builtins.Dict().GetStr("open")
		m.Set("open", open)
		m.Set("DEFAULT_BUFFER_SIZE", lang.Int(8192))
		return nil
	}}
})

// memory is a stream in memory: characters of a StringIO or bytes of a BytesIO.
type memory struct {
	lang.Header
	runes   []rune // StringIO
	bytes   []byte // BytesIO
	text    bool
	pos     int
	closed  bool
	newline string // StringIO: what \n becomes; "" nothing
	univ    bool   // StringIO(newline=None): \r and \r\n become \n
}

var (
	stringIOClass = lang.NewBuiltinClass("StringIO", "_io", value.KindOther, builtin.TextIOBaseClass)
	bytesIOClass  = lang.NewBuiltinClass("BytesIO", "_io", value.KindOther, builtin.BufferedIOBaseClass)
)

func memoryOf(v Value) *memory {
	if m := native[memory](v, stringIOClass); m != nil {
		return m
	}
	return native[memory](v, bytesIOClass)
}

func (m *memory) len() int {
	if m.text {
		return len(m.runes)
	}
	return len(m.bytes)
}

// slice is content [i, j) as a value.
func (m *memory) slice(i, j int) Value {
	if m.text {
		return lang.NewStr(lang.FromRunes(m.runes[i:j]))
	}
	return lang.NewBytes(string(m.bytes[i:j]))
}

func (m *memory) open(th *Thread) error {
	if m.closed {
		if m.text {
			return th.ValueErrorf("I/O operation on closed file")
		}
		return th.ValueErrorf("I/O operation on closed file.")
	}
	return nil
}

func init() {
	stringIOClass.New = &lang.Def{Sig: "__new__(cls, /, *args, **kwargs)", Fn: func(th *Thread, a []Value) (Value, error) {
		return wrap(a[0], Value{P: unsafe.Pointer(&memory{Header: head(stringIOClass, value.KindOther), text: true})}), nil
	}}
	stringIOClass.Init = &lang.Def{Sig: "__init__(self, initial_value='', newline='\\n')", Fn: initStringIO}
	bytesIOClass.New = &lang.Def{Sig: "__new__(cls, /, *args, **kwargs)", Fn: func(th *Thread, a []Value) (Value, error) {
		return wrap(a[0], Value{P: unsafe.Pointer(&memory{Header: head(bytesIOClass, value.KindOther)})}), nil
	}}
	bytesIOClass.Init = &lang.Def{Sig: "__init__(self, initial_bytes=b'')", Fn: initBytesIO}
	bytesIOClass.Init.Sig = "__init__(self, initial_bytes=...)"
	for _, c := range []*lang.Class{stringIOClass, bytesIOClass} {
		c.Repr = func(th *Thread, v Value) (Value, error) {
			return lang.NewStr("<_io." + lang.ClassOf(v).Name + " object at " + lang.Address(v) + ">"), nil
		}
		c.Iter = func(th *Thread, v Value) (Value, error) { return v, memoryOf(v).open(th) }
		c.Next = memoryNext
		lang.DefineMethods(c, memoryRows())
		lang.DefineMethods(c, []lang.Def{{Sig: "__iter__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			return a[0], memoryOf(a[0]).open(th)
		}}, {Sig: "__next__(self, /)", Fn: builtin.NextRow(memoryNext)}, {Sig: "detach(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			return fail(lang.NewException(builtin.UnsupportedOperation, lang.NewStr("detach")))
		}}})
	}
	lang.DefineMethods(stringIOClass, []lang.Def{
		{Sig: "encoding", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return none, nil }},
		{Sig: "errors", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return none, nil }},
		{Sig: "newlines", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return none, nil }},
		{Sig: "line_buffering", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.False, nil }},
	})
	lang.DefineMethods(bytesIOClass, []lang.Def{
		{Sig: "readinto1(self, buffer, /)", Fn: memoryReadinto},
		{Sig: "getbuffer(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			return th.Call(builtin.MemoryViewClass.Value(), []Value{lang.NewByteArray(append([]byte(nil), memoryOf(a[0]).bytes...))})
		}},
		{Sig: "read1(self, size=-1, /)", Fn: memoryRead},
		{Sig: "readinto(self, buffer, /)", Fn: memoryReadinto},
	})
}

func initStringIO(th *Thread, a []Value) (Value, error) {
	m := memoryOf(a[0])
	m.runes, m.pos = nil, 0
	m.univ, m.newline = a[2].IsNone(), ""
	if s, ok := lang.AsStr(a[2]); ok && s.String() != "\n" && s.String() != "" {
		m.newline = s.String()
	}
	if a[1].IsNone() {
		return none, nil
	}
	s, ok := lang.AsStr(a[1])
	if !ok {
		return fail(th.TypeErrorf("initial_value must be str or None, not %s", lang.TypeName(a[1])))
	}
	m.writeText(s.String())
	m.pos = 0
	return none, nil
}

func initBytesIO(th *Thread, a []Value) (Value, error) {
	m := memoryOf(a[0])
	m.bytes, m.pos = nil, 0
	if a[1].IsUnbound() || a[1].IsNone() {
		return none, nil
	}
	b, ok := builtin.BytesLike(a[1])
	if !ok {
		return fail(th.TypeErrorf("a bytes-like object is required, not '%s'", lang.TypeName(a[1])))
	}
	m.bytes = []byte(b)
	return none, nil
}

func (m *memory) writeText(s string) int {
	if m.univ {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	} else if m.newline != "" {
		s = strings.ReplaceAll(s, "\n", m.newline)
	}
	r := lang.Runes(s)
	for len(m.runes) < m.pos {
		m.runes = append(m.runes, 0)
	}
	n := copy(m.runes[m.pos:], r)
	m.runes = append(m.runes, r[n:]...)
	m.pos += len(r)
	return len(r)
}

func (m *memory) writeBytes(b string) {
	for len(m.bytes) < m.pos {
		m.bytes = append(m.bytes, 0)
	}
	n := copy(m.bytes[m.pos:], b)
	m.bytes = append(m.bytes, b[n:]...)
	m.pos += len(b)
}

func memoryRows() []lang.Def {
	truth := func(t bool) lang.Native {
		return func(th *Thread, a []Value) (Value, error) { return lang.Bool(t), memoryOf(a[0]).open(th) }
	}
	return []lang.Def{
		{Sig: "getvalue(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			m := memoryOf(a[0])
			return m.slice(0, m.len()), m.open(th)
		}},
		{Sig: "read(self, size=-1, /)", Fn: memoryRead},
		{Sig: "readline(self, size=-1, /)", Fn: memoryReadline},
		{Sig: "readlines(self, hint=-1, /)", Fn: memoryReadlines},
		{Sig: "write(self, s, /)", Fn: memoryWrite},
		{Sig: "writelines(self, lines, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			return none, each(th, a[1], func(x Value) error { _, err := memoryWrite(th, []Value{a[0], x}); return err })
		}},
		{Sig: "seek(self, pos, whence=0, /)", Fn: memorySeek},
		{Sig: "tell(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			return lang.Int(int64(memoryOf(a[0]).pos)), memoryOf(a[0]).open(th)
		}},
		{Sig: "truncate(self, pos=None, /)", Fn: memoryTruncate},
		{Sig: "close(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { memoryOf(a[0]).closed = true; return none, nil }},
		{Sig: "flush(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return none, memoryOf(a[0]).open(th) }},
		{Sig: "readable(self, /)", Fn: truth(true)},
		{Sig: "writable(self, /)", Fn: truth(true)},
		{Sig: "seekable(self, /)", Fn: truth(true)},
		{Sig: "isatty(self, /)", Fn: truth(false)},
		{Sig: "fileno(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			return fail(lang.NewException(builtin.UnsupportedOperation, lang.NewStr("fileno")))
		}},
		{Sig: "closed", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.Bool(memoryOf(a[0]).closed), nil }},
		{Sig: "__enter__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return a[0], memoryOf(a[0]).open(th) }},
		{Sig: "__exit__(self, /, *exc)", Fn: func(th *Thread, a []Value) (Value, error) { memoryOf(a[0]).closed = true; return none, nil }},
	}
}

func sizeOf(th *Thread, v Value) (int, error) {
	if v.IsNone() {
		return -1, nil
	}
	return intOf(th, v)
}

func memoryRead(th *Thread, a []Value) (Value, error) {
	m := memoryOf(a[0])
	if err := m.open(th); err != nil {
		return fail(err)
	}
	n, err := sizeOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	from := min(m.pos, m.len())
	to := m.len()
	if n >= 0 {
		to = min(from+n, to)
	}
	m.pos = max(m.pos, to)
	return m.slice(from, to), nil
}

// line is the end of the line that begins at the position.
func (m *memory) line(limit int) (from, to int) {
	from, to = min(m.pos, m.len()), m.len()
	for i := from; i < to; i++ {
		if m.text && m.runes[i] == '\n' || !m.text && m.bytes[i] == '\n' {
			to = i + 1
			break
		}
	}
	if limit >= 0 {
		to = min(to, from+limit)
	}
	m.pos = max(m.pos, to)
	return from, to
}

func memoryReadline(th *Thread, a []Value) (Value, error) {
	m := memoryOf(a[0])
	if err := m.open(th); err != nil {
		return fail(err)
	}
	n, err := sizeOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	return m.slice(m.line(n)), nil
}

func memoryReadlines(th *Thread, a []Value) (Value, error) {
	m := memoryOf(a[0])
	if err := m.open(th); err != nil {
		return fail(err)
	}
	hint, err := sizeOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	l := lang.MakeList(0)
	for total := 0; m.pos < m.len() && (hint <= 0 || total < hint); {
		i, j := m.line(-1)
		total += j - i
		l.Append(m.slice(i, j))
	}
	return l.Value(), nil
}

func memoryNext(th *Thread, v Value) (Value, bool, error) {
	m := memoryOf(v)
	if err := m.open(th); err != nil {
		return ends(th, err)
	}
	if m.pos >= m.len() {
		return done(th)
	}
	return m.slice(m.line(-1)), true, nil
}

func memoryWrite(th *Thread, a []Value) (Value, error) {
	m := memoryOf(a[0])
	if err := m.open(th); err != nil {
		return fail(err)
	}
	if m.text {
		s, ok := lang.AsStr(a[1])
		if !ok {
			return fail(th.TypeErrorf("string argument expected, got '%s'", lang.TypeName(a[1])))
		}
		if err := th.CheckSize(m.pos+s.Len(), 4); err != nil {
			return fail(err)
		}
		m.writeText(s.String())
		return lang.Int(int64(s.Len())), nil
	}
	b, ok := builtin.BytesLike(a[1])
	if !ok {
		return fail(th.TypeErrorf("a bytes-like object is required, not '%s'", lang.TypeName(a[1])))
	}
	if err := th.CheckSize(m.pos+len(b), 1); err != nil {
		return fail(err)
	}
	m.writeBytes(b)
	return lang.Int(int64(len(b))), nil
}

func memorySeek(th *Thread, a []Value) (Value, error) {
	m := memoryOf(a[0])
	if err := m.open(th); err != nil {
		return fail(err)
	}
	pos, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	whence, err := intOf(th, a[2])
	if err != nil {
		return fail(err)
	}
	if whence < 0 || whence > 2 {
		return fail(th.ValueErrorf("Invalid whence (%d, should be 0, 1 or 2)", whence))
	}
	if m.text && whence > 0 && pos != 0 {
		return fail(th.Raise(lang.OSError, "Can't do nonzero cur-relative seeks"))
	}
	switch whence {
	case 0:
		if pos < 0 {
			if m.text {
				return fail(th.ValueErrorf("Negative seek position %d", pos))
			}
			return fail(th.ValueErrorf("negative seek value %d", pos))
		}
	case 1:
		pos += m.pos
	case 2:
		pos += m.len()
	}
	m.pos = max(pos, 0)
	return lang.Int(int64(m.pos)), nil
}

func memoryTruncate(th *Thread, a []Value) (Value, error) {
	m := memoryOf(a[0])
	if err := m.open(th); err != nil {
		return fail(err)
	}
	n := m.pos
	if !a[1].IsNone() {
		var err error
		if n, err = intOf(th, a[1]); err != nil {
			return fail(err)
		}
		if n < 0 {
			return fail(th.ValueErrorf("negative size value %d", n))
		}
	}
	if n < m.len() {
		if m.text {
			m.runes = m.runes[:n]
		} else {
			m.bytes = m.bytes[:n]
		}
	}
	return lang.Int(int64(n)), nil
}

func memoryReadinto(th *Thread, a []Value) (Value, error) {
	m := memoryOf(a[0])
	dst, ok := lang.AsByteArray(a[1])
	if !ok {
		return fail(th.TypeErrorf("readinto() argument must be read-write bytes-like object, not %s", lang.TypeName(a[1])))
	}
	n := copy(dst.B, m.bytes[min(m.pos, len(m.bytes)):])
	m.pos += n
	return lang.Int(int64(n)), m.open(th)
}
