package builtin

import (
	"github.com/tfs-lang/tfs/lang"
)

var ioBaseRows = []lang.Def{
	{Sig: "close(self, /)", Fn: fileClose},
	{Sig: "flush(self, /)", Fn: fileFlush},
	{Sig: "readable(self, /)", Fn: fileCan(func(f *File) bool { return f.read })},
	{Sig: "writable(self, /)", Fn: fileCan(func(f *File) bool { return f.write })},
	{Sig: "seekable(self, /)", Fn: fileCan(func(f *File) bool { _, std := f.raw.(hostStream); return !std })},
	{Sig: "isatty(self, /)", Fn: fileIsatty},
	{Sig: "fileno(self, /)", Fn: fileFileno},
	{Sig: "tell(self, /)", Fn: fileTell},
	{Sig: "seek(self, offset, whence=0, /)", Fn: fileSeek},
	{Sig: "truncate(self, pos=None, /)", Fn: fileTruncate},
	{Sig: "readline(self, size=-1, /)", Fn: fileReadline},
	{Sig: "readlines(self, hint=-1, /)", Fn: fileReadlines},
	{Sig: "writelines(self, lines, /)", Fn: fileWritelines},
	{Sig: "read(self, size=-1, /)", Fn: fileRead},
	{Sig: "write(self, text, /)", Fn: fileWrite},
	{Sig: "closed", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.Bool(file(a).closed), nil }},
	{Sig: "name", Flags: lang.DefProperty, Fn: fileName},
	{Sig: "detach(self, /)", Fn: fileDetach},
	{Sig: "mode", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewStr(file(a).mode), nil }},
	{Sig: "__iter__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return fileIter(th, a[0]) }},
	{Sig: "__next__(self, /)", Fn: NextRow(fileNext)},
	{Sig: "__enter__(self, /)", Fn: fileEnter},
	{Sig: "__exit__(self, /, *exc)", Fn: func(th *Thread, a []Value) (Value, error) { return none, file(a).Close(th) }},
	{Sig: "__del__(self, /)", Fn: fileClose},
}

var textRows = []lang.Def{
	{Sig: "encoding", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewStr(file(a).dec.name), nil }},
	{Sig: "errors", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewStr(file(a).dec.errors), nil }},
	{Sig: "newlines", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return file(a).newlines(), nil }},
	{Sig: "line_buffering", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.Bool(file(a).line), nil }},
	{Sig: "buffer", Flags: lang.DefProperty, Fn: fileBuffer},
	{Sig: "write_through", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.Bool(file(a).through), nil }},
	{Sig: "reconfigure(self, /, *, encoding=None, errors=None, newline=..., line_buffering=None, write_through=None)", Fn: fileReconfigure},
}

var bufferedRows = []lang.Def{
	{Sig: "peek(self, size=0, /)", Fn: filePeek},
	{Sig: "read1(self, size=-1, /)", Fn: fileRead},
	{Sig: "readinto(self, buffer, /)", Fn: fileReadinto},
	{Sig: "readinto1(self, buffer, /)", Fn: fileReadinto},
	{Sig: "raw", Flags: lang.DefProperty, Fn: fileRaw},
}

// NextRow is __next__ of a class whose Next slot is next.
func NextRow(next func(*Thread, Value) (Value, bool, error)) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		v, ok, err := next(th, a[0])
		if err == nil && !ok {
			err = th.RaiseArgs(lang.StopIteration)
		}
		return v, err
	}
}

func file(a []Value) *File { f, _ := AsFile(a[0]); return f }

func fileClose(th *Thread, a []Value) (Value, error) { return none, file(a).Close(th) }

func fileFlush(th *Thread, a []Value) (Value, error) {
	if err := file(a).open(th); err != nil {
		return fail(err)
	}
	return none, file(a).Flush(th)
}

func fileCan(f func(*File) bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		if file(a).closed {
			return fail(th.ValueErrorf("I/O operation on closed file"))
		}
		return lang.Bool(f(file(a))), nil
	}
}

type terminal interface{ IsTerminal() bool }

func fileIsatty(th *Thread, a []Value) (Value, error) {
	if err := file(a).open(th); err != nil {
		return fail(err)
	}
	if s, ok := file(a).raw.(hostStream); ok {
		if t, ok := s.w.(terminal); ok {
			return lang.Bool(t.IsTerminal()), nil
		}
	}
	return lang.False, nil
}

func fileFileno(th *Thread, a []Value) (Value, error) {
	return lang.Int(file(a).num), file(a).open(th)
}

func fileEnter(th *Thread, a []Value) (Value, error) { return a[0], file(a).open(th) }

func fileTell(th *Thread, a []Value) (Value, error) {
	f := file(a)
	if f.closed {
		if f.text {
			return fail(th.ValueErrorf("I/O operation on closed file."))
		}
		return fail(th.ValueErrorf("tell of closed file"))
	}
	if f.dec.iterates {
		return fail(th.Raise(lang.OSError, "telling position disabled by next() call"))
	}
	if f.std {
		return fail(f.unsupported(th, "underlying stream is not seekable"))
	}
	return lang.Int(f.tellNow()), nil
}

func fileSeek(th *Thread, a []Value) (Value, error) {
	f := file(a)
	if f.closed {
		if f.text {
			return fail(th.ValueErrorf("I/O operation on closed file."))
		}
		return fail(th.ValueErrorf("seek of closed file"))
	}
	off, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	whence, err := intOf(th, a[2])
	if err != nil {
		return fail(err)
	}
	if whence < 0 || whence > 2 {
		if f.text {
			return fail(th.ValueErrorf("invalid whence (%d, should be 0, 1 or 2)", whence))
		}
		return fail(th.ValueErrorf("whence value %d unsupported", whence))
	}
	if f.text && whence != 0 && off != 0 {
		kind := "cur"
		if whence == 2 {
			kind = "end"
		}
		return fail(f.unsupported(th, "can't do nonzero "+kind+"-relative seeks"))
	}
	if f.text && off < 0 {
		return fail(th.ValueErrorf("negative seek position %d", off))
	}
	if whence == 1 {
		off, whence = off+int(f.tellNow()), 0
	}
	if err := f.flush(th); err != nil {
		return fail(err)
	}
	if err := f.seekTo(th, int64(off), whence); err != nil {
		return fail(err)
	}
	return lang.Int(f.pos), nil
}

func fileTruncate(th *Thread, a []Value) (Value, error) {
	f := file(a)
	if err := f.open(th); err != nil {
		return fail(err)
	}
	h, ok := f.raw.(lang.File)
	if !f.write || !ok {
		return fail(f.unsupported(th, "truncate"))
	}
	size := f.tellNow()
	if !a[1].IsNone() {
		n, err := intOf(th, a[1])
		if err != nil {
			return fail(err)
		}
		size = int64(n)
	}
	if err := f.flush(th); err != nil {
		return fail(err)
	}
	if err := h.Truncate(size); err != nil {
		return fail(OSError(th, err))
	}
	return lang.Int(size), nil
}

// sizeArg is an optional size: None and negative read all.
func sizeArg(th *Thread, v Value) (int, error) {
	if v.IsNone() {
		return -1, nil
	}
	return intOf(th, v)
}

func fileRead(th *Thread, a []Value) (Value, error) {
	f := file(a)
	if err := f.readable(th); err != nil {
		return fail(err)
	}
	n, err := sizeArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	return f.result(f.readAs(th, n))
}

func (f *File) readAs(th *Thread, n int) (string, error) {
	if f.text {
		return f.readText(th, n)
	}
	return f.readBytes(th, n)
}

func (f *File) lineAs(th *Thread, n int) (string, error) {
	if f.text {
		return f.readLine(th, n)
	}
	return f.readByteLine(th, n)
}

// result makes the value of what was read.
func (f *File) result(s string, err error) (Value, error) {
	if err != nil {
		return fail(err)
	}
	if f.text {
		return lang.NewStr(s), nil
	}
	return lang.NewBytes(s), nil
}

func fileReadline(th *Thread, a []Value) (Value, error) {
	f := file(a)
	if err := f.readable(th); err != nil {
		return fail(err)
	}
	n, err := sizeArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	return f.result(f.lineAs(th, n))
}

func fileReadlines(th *Thread, a []Value) (Value, error) {
	f := file(a)
	if err := f.readable(th); err != nil {
		return fail(err)
	}
	hint, err := sizeArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	l := lang.MakeList(0)
	for total := 0; hint <= 0 || total < hint; {
		s, err := f.lineAs(th, -1)
		if err != nil {
			return fail(err)
		}
		if s == "" {
			break
		}
		v, _ := f.result(s, nil)
		if err := l.Push(th, v); err != nil {
			return fail(err)
		}
		total += len(s)
	}
	return l.Value(), nil
}

func fileIter(th *Thread, v Value) (Value, error) {
	f, _ := AsFile(v)
	return v, f.open(th)
}

func fileNext(th *Thread, v Value) (Value, bool, error) {
	f, _ := AsFile(v)
	if err := f.readable(th); err != nil {
		return lang.Unbound, false, err
	}
	f.dec.iterates = f.text
	s, err := f.lineAs(th, -1)
	if err != nil || s == "" {
		f.dec.iterates = false
		return ends(th, err)
	}
	r, _ := f.result(s, nil)
	return r, true, nil
}

func fileWrite(th *Thread, a []Value) (Value, error) {
	f := file(a)
	if f.text {
		s, ok := lang.AsStr(a[1])
		if !ok {
			return fail(need(th, "write() argument", "str", a[1]))
		}
		return lang.Int(int64(s.Len())), f.WriteText(th, s.String())
	}
	b, err := bytesArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	return lang.Int(int64(len(b))), f.writeBytes(th, b)
}

func fileWritelines(th *Thread, a []Value) (Value, error) {
	return none, each(th, a[1], func(x Value) error {
		_, err := fileWrite(th, []Value{a[0], x})
		return err
	})
}

// fileRaw is the file below a buffered one: itself where there is none of its own.
func fileRaw(th *Thread, a []Value) (Value, error) {
	if s, ok := file(a).raw.(objectStream); ok {
		return s.obj, nil
	}
	return a[0], nil
}

// fileBuffer is the binary file below a text file; both share the stream.
func fileBuffer(th *Thread, a []Value) (Value, error) {
	f := file(a)
	if err := f.flush(th); err != nil {
		return fail(err)
	}
	if s, ok := f.raw.(objectStream); ok {
		return s.obj, nil
	}
	c := BufferedReaderClass
	if f.write {
		c = BufferedWriterClass
	}
	b := newFile(c, f.raw, f.name, f.mode+"b")
	b.read, b.write, b.std, b.num, b.pos = f.read, f.write, f.std, f.num, f.pos
	return b.Value(), nil
}

func fileReconfigure(th *Thread, a []Value) (Value, error) {
	f := file(a)
	if s, ok := lang.AsStr(a[1]); ok {
		c, known := FindCodec(s.String())
		if !known {
			return fail(th.Raise(lang.LookupError, "unknown encoding: %s", s.String()))
		}
		f.dec.codec, f.dec.name = c, s.String()
	}
	if s, ok := lang.AsStr(a[2]); ok {
		f.dec.errors = s.String()
	}
	if a[4].IsBool() {
		f.line = a[4].Truth()
	}
	return none, nil
}

func filePeek(th *Thread, a []Value) (Value, error) {
	f := file(a)
	if err := f.readable(th); err != nil {
		return fail(err)
	}
	if len(f.in) == 0 {
		if _, err := f.fill(th, 0); err != nil {
			return fail(err)
		}
	}
	return lang.NewBytes(string(f.in)), nil
}

func fileReadinto(th *Thread, a []Value) (Value, error) {
	f := file(a)
	if err := f.readable(th); err != nil {
		return fail(err)
	}
	dst, ok := lang.AsByteArray(a[1])
	from, n := 0, 0
	if ok {
		n = len(dst.B)
	} else if m, isView := AsMemoryView(a[1]); isView {
		if dst, ok = lang.AsByteArray(m.Of); ok && m.Step == 1 {
			from, n = m.From, m.Len
		}
	}
	if !ok {
		return fail(th.TypeErrorf("readinto() argument must be read-write bytes-like object, not %s", lang.TypeName(a[1])))
	}
	b, err := f.readBytes(th, n)
	if err != nil {
		return fail(err)
	}
	return lang.Int(int64(copy(dst.B[from:from+n], b))), nil
}

func fileRepr(th *Thread, v Value) (Value, error) {
	f, _ := AsFile(v)
	name, err := lang.Repr(th, f.name)
	if err != nil {
		return fail(err)
	}
	s := "<_io." + lang.TypeName(v) + " name=" + name
	switch lang.ClassOf(v) {
	case TextIOClass:
		s += " mode='" + f.mode + "' encoding='" + f.dec.name + "'"
	case FileIOClass:
		s += " mode='" + f.mode + "' closefd=True"
	}
	return lang.NewStr(s + ">"), nil
}
