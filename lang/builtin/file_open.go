package builtin

import (
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/tfs-lang/tfs/lang"
)

var openSig = "open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None)"

// PathArg is a file name: str, bytes or an object with __fspath__.
func PathArg(th *Thread, v Value) (string, error) {
	if s, ok := lang.AsStr(v); ok {
		return s.String(), nil
	}
	if b, ok := lang.AsBytes(v); ok {
		return b.B, nil
	}
	if lang.ClassOf(v).Lookup("__fspath__").IsUnbound() {
		return "", th.TypeErrorf("expected str, bytes or os.PathLike object, not %s", lang.TypeName(v))
	}
	r, err := th.CallMethod(v, "__fspath__")
	if err != nil {
		return "", err
	}
	if s, ok := lang.AsStr(r); ok {
		return s.String(), nil
	}
	if b, ok := lang.AsBytes(r); ok {
		return b.B, nil
	}
	return "", th.TypeErrorf("expected %s.__fspath__() to return str or bytes, not %s", lang.TypeName(v), lang.TypeName(r))
}

// openMode is a parsed mode string.
type openMode struct {
	read, write, create, appending, update, binary, text bool
}

func parseMode(th *Thread, s string) (openMode, error) {
	var m openMode
	seen := map[rune]bool{}
	for _, c := range s {
		if !strings.ContainsRune("rwxab+t", c) || seen[c] {
			return m, th.ValueErrorf("invalid mode: '%s'", s)
		}
		seen[c] = true
	}
	m = openMode{seen['r'], seen['w'], seen['x'], seen['a'], seen['+'], seen['b'], seen['t']}
	if m.binary && m.text {
		return m, th.ValueErrorf("can't have text and binary mode at once")
	}
	n := 0
	for _, b := range []bool{m.read, m.write, m.create, m.appending} {
		if b {
			n++
		}
	}
	if n > 1 {
		return m, th.ValueErrorf("must have exactly one of create/read/write/append mode")
	}
	if n == 0 {
		return m, th.ValueErrorf("Must have exactly one of create/read/write/append mode and at most one plus")
	}
	return m, nil
}

func (m openMode) flags() int {
	f := os.O_RDONLY
	switch {
	case m.update:
		f = os.O_RDWR
	case !m.read:
		f = os.O_WRONLY
	}
	switch {
	case m.write:
		f |= os.O_CREATE | os.O_TRUNC
	case m.create:
		f |= os.O_CREATE | os.O_EXCL
	case m.appending:
		f |= os.O_CREATE | os.O_APPEND
	}
	return f
}

func fnOpen(th *Thread, a []Value) (Value, error) {
	return openArgs(th, a, func(mode string, m openMode) (*File, error) { return openFile(th, a[0], mode, m) })
}

// OpenStream makes a file object of a stream of the host, as open does with its
// arguments file, mode, buffering, encoding, errors and newline; num is its fileno().
func OpenStream(th *Thread, raw io.ReadWriteCloser, num int64, a ...Value) (Value, error) {
	return openArgs(th, a, func(mode string, m openMode) (*File, error) {
		f := newFile(TextIOClass, endless{raw}, a[0], mode)
		f.num = num
		return f, nil
	})
}

// endless is a stream without positions.
type endless struct{ io.ReadWriteCloser }

func (endless) Seek(int64, int) (int64, error) { return 0, syscall.ESPIPE }

// Raw is the host's file below f, nil for another kind of stream; what f holds back
// is written out.
func (f *File) Raw(th *Thread) (lang.File, error) {
	err := f.flush(th)
	raw, _ := f.raw.(lang.File)
	return raw, err
}

// StdNumber is 0, 1 or 2 for a standard stream, else -1.
func (f *File) StdNumber() int {
	if f.std {
		return int(f.num)
	}
	return -1
}

// openArgs reads open's arguments, and opens with open.
func openArgs(th *Thread, a []Value, open func(mode string, m openMode) (*File, error)) (Value, error) {
	mode, ok := lang.AsStr(a[1])
	if !ok {
		return fail(need(th, "open() argument 'mode'", "str", a[1]))
	}
	m, err := parseMode(th, mode.String())
	if err != nil {
		return fail(err)
	}
	buffering, err := intOf(th, a[2])
	if err != nil {
		return fail(err)
	}
	t, err := textOptions(th, m, a)
	if err != nil {
		return fail(err)
	}
	if buffering == 0 && !m.binary {
		return fail(th.ValueErrorf("can't have unbuffered text I/O"))
	}
	f, err := open(mode.String(), m)
	if err != nil {
		return fail(err)
	}
	f.setKind(m, buffering)
	f.dec = t
	track(th, f)
	return f.Value(), nil
}

// textOptions checks encoding, errors and newline.
func textOptions(th *Thread, m openMode, a []Value) (textState, error) {
	t := textState{codec: UTF8, name: "UTF-8", errors: "strict"}
	for i, n := range []string{"encoding", "errors", "newline"} {
		v := a[3+i]
		if v.IsNone() {
			continue
		}
		s, ok := lang.AsStr(v)
		if !ok {
			return t, need(th, "open() argument '"+n+"'", "str or None", v)
		}
		if m.binary {
			return t, th.ValueErrorf("binary mode doesn't take %s %s argument", map[bool]string{true: "an", false: "a"}[n != "newline"], n)
		}
		if err := t.option(th, n, s.String()); err != nil {
			return t, err
		}
	}
	return t, nil
}

func (t *textState) option(th *Thread, name, s string) error {
	switch name {
	case "encoding":
		if s == "locale" {
			s = "UTF-8"
		}
		c, ok := FindCodec(s)
		if !ok {
			return th.Raise(lang.LookupError, "unknown encoding: %s", s)
		}
		t.codec, t.name = c, s
	case "errors":
		t.errors = s
	case "newline":
		switch s {
		case "":
			t.mode = universal
		case "\n", "\r", "\r\n":
			t.mode, t.newline = given, s
		default:
			return th.ValueErrorf("illegal newline value: %s", s)
		}
	}
	return nil
}

func openFile(th *Thread, name Value, mode string, m openMode) (*File, error) {
	if lang.IsIntValue(name) {
		return openDescriptor(th, name, mode)
	}
	path, err := PathArg(th, name)
	if err != nil {
		return nil, err
	}
	if strings.IndexByte(path, 0) >= 0 {
		return nil, th.ValueErrorf("embedded null byte")
	}
	host, err := HostFiles(th)
	if err != nil {
		return nil, err
	}
	h, err := host.OpenFile(path, m.flags(), 0o666)
	if err != nil {
		return nil, OSError(th, err, name)
	}
	if st, err := h.Stat(); err == nil && st.IsDir() {
		h.Close()
		return nil, OSError(th, errIsDir, name)
	}
	f := newFile(TextIOClass, h, name, mode)
	f.num = 3
	if fd, ok := h.(interface{ Fd() uintptr }); ok {
		f.num = int64(fd.Fd())
	}
	if m.appending {
		if err := f.seekTo(th, 0, 2); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// openDescriptor opens the standard streams by number.
func openDescriptor(th *Thread, v Value, mode string) (*File, error) {
	n, _ := lang.AsInt(v)
	if n < 0 || n > 2 {
		return nil, OSError(th, errBadFile)
	}
	f := newFile(TextIOClass, stdStream(th, int(n)), v, mode)
	f.std, f.num = true, n
	return f, nil
}

func (f *File) setKind(m openMode, buffering int) {
	f.read, f.write = m.read || m.update, !m.read || m.update
	f.text = !m.binary
	f.line = buffering == 1 && f.text
	c := TextIOClass
	switch {
	case f.text:
	case buffering == 0:
		c = FileIOClass
	case m.update:
		c = BufferedRandomClass
	case m.read:
		c = BufferedReaderClass
	default:
		c = BufferedWriterClass
	}
	f.Type = &c.Type
	if c == FileIOClass {
		f.mode = rawMode(m)
	}
}

func rawMode(m openMode) string {
	s := "rb"
	switch {
	case m.create:
		s = "xb"
	case m.appending:
		s = "ab"
	case m.write && m.update:
		return "rb+"
	case m.write:
		return "wb"
	}
	if m.update {
		s += "+"
	}
	return s
}
