package builtin

import (
	"io"

	"github.com/tfs-lang/tfs/lang"
)

// objectStream is what a file sits on that a script made around a file object of
// its own: io.TextIOWrapper(f), io.BufferedReader(raw).
type objectStream struct {
	th  *Thread
	obj Value
}

func (s objectStream) Read(p []byte) (int, error) {
	v, err := s.th.CallMethod(s.obj, "read", lang.Int(int64(len(p))))
	if err != nil || v.IsNone() {
		return 0, err
	}
	b, ok := BytesLike(v)
	if !ok {
		return 0, s.th.TypeErrorf("underlying read() should have returned a bytes-like object, not '%s'", lang.TypeName(v))
	}
	if len(b) > len(p) {
		return 0, s.th.Raise(lang.OSError, "raw read() returned more bytes than asked for: %d, not %d", len(b), len(p))
	}
	if len(b) == 0 {
		return 0, io.EOF
	}
	return copy(p, b), nil
}

func (s objectStream) Write(p []byte) (int, error) {
	v, err := s.th.CallMethod(s.obj, "write", lang.NewBytes(string(p)))
	if err != nil {
		return 0, err
	}
	if v.IsNone() {
		return 0, nil
	}
	n, err := intOf(s.th, v)
	if err == nil && (n < 0 || n > len(p)) {
		err = s.th.Raise(lang.OSError, "raw write() returned invalid length %d (should have been between 0 and %d)", n, len(p))
	}
	return n, err
}

func (s objectStream) Seek(off int64, whence int) (int64, error) {
	v, err := s.th.CallMethod(s.obj, "seek", lang.Int(off), lang.Int(int64(whence)))
	if err != nil {
		return 0, err
	}
	n, err := intOf(s.th, v)
	return int64(n), err
}

func (s objectStream) Close() error {
	_, err := s.th.CallMethod(s.obj, "close")
	return err
}

func (s objectStream) Flush() error {
	_, err := s.th.CallMethod(s.obj, "flush")
	return err
}

// asks calls one of readable, writable, seekable of the object below.
func (s objectStream) asks(name string) (bool, error) {
	v, err := s.th.CallMethod(s.obj, name)
	if err != nil {
		return false, err
	}
	return lang.Truth(s.th, v)
}

// around puts a file that __new__ made on the object obj.
func around(th *Thread, self, obj Value) (*File, objectStream) {
	s := objectStream{th, obj.Held().Value()}
	f, _ := AsFile(self)
	*f = File{Header: f.Header, raw: s, name: none, mode: "rb", closed: true}
	return f, s
}

// newBare is __new__ of the classes of files: __init__ opens them.
func newBare(c *lang.Class) *lang.Def {
	return &lang.Def{Sig: "__new__(cls, /, *args, **kwargs)", Fn: func(th *Thread, a []Value) (Value, error) {
		f := newFile(c, hostStream{}, none, "")
		f.closed = true
		cls, _ := lang.AsClass(a[0])
		return lang.Wrap(cls, f.Value()), nil
	}}
}

// initBuffered is __init__ of BufferedReader, BufferedWriter and BufferedRandom.
func initBuffered(read, write bool) *lang.Def {
	return &lang.Def{Sig: "__init__(self, raw, buffer_size=8192)", Fn: func(th *Thread, a []Value) (Value, error) {
		size, err := intOf(th, a[2])
		if err != nil {
			return fail(err)
		}
		if size <= 0 {
			return fail(th.ValueErrorf("buffer size must be strictly positive"))
		}
		f, s := around(th, a[0], a[1])
		f.read, f.write = read, write
		for what, need := range map[string]bool{"readable": read, "writable": write} {
			if !need {
				continue
			}
			if ok, err := s.asks(what); err != nil || !ok {
				if err == nil {
					err = lang.NewException(UnsupportedOperation, lang.NewStr("File or stream is not "+what+"."))
				}
				return fail(err)
			}
		}
		f.closed = false
		track(th, f)
		return none, nil
	}}
}

// initFileIO is FileIO(file, mode).
func initFileIO(th *Thread, a []Value) (Value, error) {
	mode, ok := lang.AsStr(a[2])
	if !ok {
		return fail(need(th, "FileIO() argument 'mode'", "str", a[2]))
	}
	m, err := parseMode(th, mode.String())
	if err != nil {
		return fail(err)
	}
	m.binary = true
	f, err := openFile(th, a[1], mode.String(), m)
	if err != nil {
		return fail(err)
	}
	f.setKind(m, 0)
	self, _ := AsFile(a[0])
	head := self.Header
	*self = *f
	self.Header = head
	return none, nil
}

// initTextIO is TextIOWrapper(buffer).
func initTextIO(th *Thread, a []Value) (Value, error) {
	f, s := around(th, a[0], a[1])
	f.text, f.mode = true, "r"
	f.dec = textState{codec: UTF8, name: "UTF-8", errors: "strict"}
	for i, n := range []string{"encoding", "errors", "newline"} {
		v := a[2+i]
		if v.IsNone() {
			continue
		}
		t, ok := lang.AsStr(v)
		if !ok {
			return fail(need(th, "TextIOWrapper() argument '"+n+"'", "str or None", v))
		}
		if err := f.dec.option(th, n, t.String()); err != nil {
			return fail(err)
		}
	}
	for name, to := range map[string]*bool{"readable": &f.read, "writable": &f.write} {
		ok, err := s.asks(name)
		if err != nil {
			return fail(err)
		}
		*to = ok
	}
	for i, to := range []*bool{&f.line, &f.through} {
		on, err := lang.Truth(th, a[5+i])
		if err != nil {
			return fail(err)
		}
		*to = on
	}
	f.closed = false
	track(th, f)
	return none, nil
}

// fileDetach parts a file from what is below it.
func fileDetach(th *Thread, a []Value) (Value, error) {
	f := file(a)
	s, ok := f.raw.(objectStream)
	if !ok {
		return fail(f.unsupported(th, "detach"))
	}
	if err := f.Flush(th); err != nil {
		return fail(err)
	}
	f.raw, f.closed, f.detached = hostStream{}, true, true
	return s.obj, nil
}

// fileName is the name that the file was opened by, or that of the object below.
func fileName(th *Thread, a []Value) (Value, error) {
	f := file(a)
	if s, ok := f.raw.(objectStream); ok {
		return lang.Attr(th, s.obj, "name")
	}
	return f.name, nil
}

// installWrapped lets scripts make files around objects.
func installWrapped() {
	for c, d := range map[*lang.Class]*lang.Def{
		BufferedReaderClass: initBuffered(true, false),
		BufferedWriterClass: initBuffered(false, true),
		BufferedRandomClass: initBuffered(true, true),
		FileIOClass:         {Sig: "__init__(self, file, mode='r', closefd=True, opener=None)", Fn: initFileIO},
		TextIOClass: {Fn: initTextIO,
			Sig: "__init__(self, buffer, encoding=None, errors=None, newline=None, line_buffering=False, write_through=False)"},
	} {
		c.New, c.Init = newBare(c), d
	}
}
