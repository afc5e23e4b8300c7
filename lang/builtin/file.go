package builtin

import (
	"io"
	"os"
	"strings"
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// The classes of file objects. Their module is _io, as CPython shows it.
var (
	IOBaseClass         = lang.NewBuiltinClass("_IOBase", "_io", value.KindOther)
	RawIOBaseClass      = lang.NewBuiltinClass("_RawIOBase", "_io", value.KindOther, IOBaseClass)
	BufferedIOBaseClass = lang.NewBuiltinClass("_BufferedIOBase", "_io", value.KindOther, IOBaseClass)
	TextIOBaseClass     = lang.NewBuiltinClass("_TextIOBase", "_io", value.KindOther, IOBaseClass)
	FileIOClass         = lang.NewBuiltinClass("FileIO", "_io", value.KindOther, RawIOBaseClass)
	BufferedReaderClass = lang.NewBuiltinClass("BufferedReader", "_io", value.KindOther, BufferedIOBaseClass)
	BufferedWriterClass = lang.NewBuiltinClass("BufferedWriter", "_io", value.KindOther, BufferedIOBaseClass)
	BufferedRandomClass = lang.NewBuiltinClass("BufferedRandom", "_io", value.KindOther, BufferedIOBaseClass)
	TextIOClass         = lang.NewBuiltinClass("TextIOWrapper", "_io", value.KindOther, TextIOBaseClass)

	// UnsupportedOperation is io.UnsupportedOperation.
	UnsupportedOperation = lang.NewExceptionClass("UnsupportedOperation", "io", lang.OSError, lang.ValueError)
)

// File is a file object: raw bytes below, buffers, and for text files decoding
// and newline translation on top.
type File struct {
	lang.Header
	raw    stream
	name   Value
	mode   string // as shown
	read   bool
	write  bool
	text   bool
	closed bool
	std    bool // a standard stream: close() leaves the host's stream open

	in   []byte // bytes read and not consumed
	out  []byte // bytes written and not yet passed on
	eof  bool   // raw has no more bytes (until a seek)
	pos  int64  // file position of raw
	line bool   // flush at every newline
	// through: text isn't held back; detached: parted from what was below.
	through, detached bool
	dec               textState
	num               int64 // fileno()
}

// stream is what a File sits on.
type stream interface {
	io.Reader
	io.Writer
	io.Seeker
	io.Closer
}

// textState is the text layer of a File.
type textState struct {
	codec    Codec
	name     string // encoding as shown
	errors   string
	newline  string // "" with universal: translated; otherwise line end as given
	mode     newlineMode
	text     string // decoded
	at       int    // consumed of text
	src      []byte // the bytes that text came from
	rest     []byte // bytes not decoded yet
	started  bool   // the writer has put its byte order mark
	iterates bool   // next() was called: no tell()
	seen     uint8  // kinds of line ends met
}

type newlineMode uint8

const (
	translate newlineMode = iota // None: \r and \r\n become \n
	universal                    // '': lines end at any, nothing is changed
	given                        // lines end at newline
)

const chunkSize = 8192

// openStream is a host file or one of the standard streams.
type hostStream struct {
	r io.Reader
	w io.Writer
}

func (s hostStream) Read(p []byte) (int, error) {
	if s.r == nil {
		return 0, io.EOF
	}
	return s.r.Read(p)
}

func (s hostStream) Write(p []byte) (int, error) {
	if s.w == nil {
		return len(p), nil
	}
	return s.w.Write(p)
}

func (s hostStream) Seek(int64, int) (int64, error) { return 0, os.ErrInvalid }
func (s hostStream) Close() error                   { return nil }

func newFile(c *lang.Class, raw stream, name Value, mode string) *File {
	return &File{Header: lang.Header{Type: &c.Type, Kind: value.KindOther}, raw: raw, name: name.Held().Value(), mode: mode}
}

// Value is f as a script value.
func (f *File) Value() Value { return Value{P: unsafe.Pointer(f)} }

// AsFile is v as a file object of this package.
func AsFile(v Value) (*File, bool) {
	if v.Kind() == value.KindInstance {
		v = lang.Payload(v)
	}
	if c := lang.ClassOf(v); v.P != nil && v.Kind() == value.KindOther && c.IsSub(IOBaseClass) {
		switch c {
		case FileIOClass, BufferedReaderClass, BufferedWriterClass, BufferedRandomClass, TextIOClass:
			return (*File)(v.P), true
		}
	}
	return nil, false
}

// IsText reports a text file.
func (f *File) IsText() bool { return f.text }

func (f *File) unsupported(th *Thread, what string) error {
	e := lang.NewException(UnsupportedOperation, lang.NewStr(what))
	return e
}

func (f *File) open(th *Thread) error {
	if f.detached {
		return th.ValueErrorf("underlying buffer has been detached")
	}
	if f.closed {
		return th.ValueErrorf("I/O operation on closed file.")
	}
	return nil
}

// readable checks that f can be read.
func (f *File) readable(th *Thread) error {
	if f.closed {
		if f.text || f.detached {
			return f.open(th)
		}
		return th.ValueErrorf("read of closed file")
	}
	if !f.read {
		if f.text {
			return f.unsupported(th, "not readable")
		}
		return f.unsupported(th, "read")
	}
	return f.flush(th)
}

// fill reads one more chunk into in; false at the end of the file.
func (f *File) fill(th *Thread, size int) (bool, error) {
	if f.eof {
		return false, nil
	}
	buf := make([]byte, max(size, chunkSize))
	n, err := f.raw.Read(buf)
	f.in = append(f.in, buf[:n]...)
	f.pos += int64(n)
	if n == 0 {
		if err != nil && err != io.EOF {
			return false, OSError(th, err)
		}
		return false, nil
	}
	return true, nil
}

// flush passes written bytes on.
func (f *File) flush(th *Thread) error {
	for len(f.out) > 0 {
		n, err := f.raw.Write(f.out)
		f.pos += int64(n)
		f.out = f.out[n:]
		if err != nil {
			f.out = nil
			return OSError(th, err)
		}
	}
	f.out = f.out[:0]
	return nil
}

type flusher interface{ Flush() error }

// Flush writes buffered output through, the host's buffer included.
func (f *File) Flush(th *Thread) error {
	if err := f.flush(th); err != nil {
		return err
	}
	if s, ok := f.raw.(objectStream); ok && f.write {
		return hostError(th, s.Flush())
	}
	if s, ok := f.raw.(hostStream); ok {
		if w, ok := s.w.(flusher); ok {
			return hostError(th, w.Flush())
		}
	}
	return nil
}

func hostError(th *Thread, err error) error {
	if err != nil {
		return OSError(th, err)
	}
	return nil
}

// WriteText writes text as file.write(str) does.
func (f *File) WriteText(th *Thread, s string) error {
	if err := f.open(th); err != nil {
		return err
	}
	if !f.write {
		return f.unsupported(th, "not writable")
	}
	if err := f.dropRead(th); err != nil {
		return err
	}
	if f.dec.mode != universal && f.dec.newline != "" && f.dec.newline != "\n" {
		s = strings.ReplaceAll(s, "\n", f.dec.newline)
	}
	b := s
	if f.dec.codec != UTF8 || !validText(s) {
		v, _ := lang.AsStr(lang.NewStr(s))
		enc, err := Encode(th, v, f.encodingNow().String(), f.dec.errors)
		if err != nil {
			return err
		}
		b = enc
	}
	f.dec.started = true
	f.out = append(f.out, b...)
	if f.std || f.through || len(f.out) > chunkSize || f.line && strings.IndexByte(s, '\n') >= 0 {
		return f.flush(th)
	}
	return nil
}

// encodingNow leaves the byte order mark out after the first write.
func (f *File) encodingNow() Codec {
	c := f.dec.codec
	if !f.dec.started {
		return c
	}
	switch c {
	case UTF8Sig:
		return UTF8
	case UTF16:
		return UTF16LE
	case UTF32:
		return UTF32LE
	}
	return c
}

func (f *File) writeBytes(th *Thread, b string) error {
	if f.closed {
		return th.ValueErrorf("write to closed file")
	}
	if !f.write {
		return f.unsupported(th, "write")
	}
	if err := f.dropRead(th); err != nil {
		return err
	}
	f.out = append(f.out, b...)
	if f.std || len(f.out) > chunkSize || lang.ClassOf(f.Value()) == FileIOClass {
		return f.flush(th)
	}
	return nil
}

// dropRead gives up what was read ahead, so that a write goes to the position a
// script sees.
func (f *File) dropRead(th *Thread) error {
	if len(f.in) == 0 && f.dec.at == len(f.dec.text) && len(f.dec.rest) == 0 {
		return nil
	}
	pos := f.tellNow()
	return f.seekTo(th, pos, io.SeekStart)
}

func (f *File) seekTo(th *Thread, off int64, whence int) error {
	n, err := f.raw.Seek(off, whence)
	if err != nil {
		if _, ok := f.raw.(hostStream); ok {
			return f.unsupported(th, "underlying stream is not seekable")
		}
		return OSError(th, err)
	}
	f.pos, f.in, f.eof = n, nil, false
	f.dec.text, f.dec.at, f.dec.src, f.dec.rest, f.dec.iterates = "", 0, nil, nil, false
	return nil
}

// tellNow is the position that a script sees.
func (f *File) tellNow() int64 {
	if !f.text {
		return f.pos - int64(len(f.in)) + int64(len(f.out))
	}
	d := &f.dec
	back := len(d.rest) + len(f.in)
	if d.at < len(d.text) {
		back += len(d.src) - d.consumed()
	}
	return f.pos - int64(back) + int64(len(f.out))
}

// Close closes the file.
func (f *File) Close(th *Thread) error {
	if f.closed {
		return nil
	}
	err := f.flush(th)
	f.closed = true
	f.in, f.dec.text, f.dec.src = nil, "", nil
	if !f.std {
		if e := f.raw.Close(); e != nil && err == nil {
			err = OSError(th, e)
		}
	}
	return err
}
