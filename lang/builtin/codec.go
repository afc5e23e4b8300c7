package builtin

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
)

// Codec is a text encoding that the language knows, by its canonical name.
type Codec uint8

// The codecs.
const (
	UTF8 Codec = iota
	UTF8Sig
	ASCII
	Latin1
	UTF16
	UTF16LE
	UTF16BE
	UTF32
	UTF32LE
	UTF32BE
)

var codecNames = [...]string{"utf-8", "utf-8-sig", "ascii", "latin-1", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"}

// String is the codec's name in messages.
func (c Codec) String() string { return codecNames[c] }

// FindCodec finds a codec by any of its names.
func FindCodec(name string) (Codec, bool) {
	n := strings.ToLower(name)
	n = strings.NewReplacer("_", "-", " ", "-").Replace(n)
	switch n {
	case "utf-8", "utf8", "u8", "utf", "cp65001":
		return UTF8, true
	case "utf-8-sig", "utf8-sig":
		return UTF8Sig, true
	case "ascii", "us-ascii", "646", "ansi-x3.4-1968":
		return ASCII, true
	case "latin-1", "latin1", "iso-8859-1", "iso8859-1", "8859", "cp819", "l1", "latin":
		return Latin1, true
	case "utf-16", "utf16", "u16":
		return UTF16, true
	case "utf-16-le", "utf-16le":
		return UTF16LE, true
	case "utf-16-be", "utf-16be":
		return UTF16BE, true
	case "utf-32", "utf32", "u32":
		return UTF32, true
	case "utf-32-le", "utf-32le":
		return UTF32LE, true
	case "utf-32-be", "utf-32be":
		return UTF32BE, true
	}
	return 0, false
}

// Encode is str.encode(encoding, errors).
func Encode(th *Thread, s *lang.Str, encoding, errors string) (string, error) {
	c, ok := FindCodec(encoding)
	if !ok {
		return "", th.Raise(lang.LookupError, "unknown encoding: %s", encoding)
	}
	if s.IsASCII() && c <= Latin1 {
		if c == UTF8Sig {
			return "\xef\xbb\xbf" + s.String(), nil
		}
		return s.String(), nil
	}
	if c == UTF8 && format.ValidText(s.String()) {
		return s.String(), nil
	}
	return encodeRunes(th, s, c, errors)
}

func encodeRunes(th *Thread, s *lang.Str, c Codec, errors string) (string, error) {
	out := bom(c)
	runes := lang.Runes(s.String())
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		if c.encodes(r) {
			out = c.appendRune(out, r)
			continue
		}
		j := i + 1
		for j < len(runes) && !c.encodes(runes[j]) {
			j++
		}
		b, err := encodeError(th, s, c, errors, runes, i, j)
		if err != nil {
			return "", err
		}
		out = append(out, b...)
		i = j - 1
	}
	return string(out), nil
}

func bom(c Codec) []byte {
	switch c {
	case UTF8Sig:
		return []byte{0xef, 0xbb, 0xbf}
	case UTF16:
		return []byte{0xff, 0xfe}
	case UTF32:
		return []byte{0xff, 0xfe, 0, 0}
	}
	return nil
}

func (c Codec) encodes(r rune) bool {
	switch c {
	case ASCII:
		return r < 0x80
	case Latin1:
		return r < 0x100
	}
	return r < 0xd800 || r > 0xdfff
}

func (c Codec) appendRune(b []byte, r rune) []byte {
	switch c {
	case ASCII, Latin1:
		return append(b, byte(r))
	case UTF16, UTF16LE:
		return append16(b, r, binary.LittleEndian)
	case UTF16BE:
		return append16(b, r, binary.BigEndian)
	case UTF32, UTF32LE:
		return binary.LittleEndian.AppendUint32(b, uint32(r))
	case UTF32BE:
		return binary.BigEndian.AppendUint32(b, uint32(r))
	}
	return lang.AppendRune(b, r)
}

func append16(b []byte, r rune, o binary.AppendByteOrder) []byte {
	if r < 0x10000 {
		return o.AppendUint16(b, uint16(r))
	}
	hi, lo := utf16.EncodeRune(r)
	return o.AppendUint16(o.AppendUint16(b, uint16(hi)), uint16(lo))
}

// encodeError is what the error handler puts for runes[i:j], or the error.
func encodeError(th *Thread, s *lang.Str, c Codec, errors string, runes []rune, i, j int) ([]byte, error) {
	var text []byte
	switch errors {
	case "strict":
		return nil, encodeFailure(s, c, runes, i, j)
	case "ignore":
		return nil, nil
	case "replace":
		for range runes[i:j] {
			text = append(text, '?')
		}
	case "backslashreplace":
		for _, r := range runes[i:j] {
			text = format.AppendEscape(text, r)
		}
	case "xmlcharrefreplace":
		for _, r := range runes[i:j] {
			text = append(text, fmt.Sprintf("&#%d;", r)...)
		}
	case "surrogateescape":
		for _, r := range runes[i:j] {
			if r < 0xdc80 || r > 0xdcff {
				return nil, encodeFailure(s, c, runes, i, j)
			}
			text = append(text, byte(r))
		}
		return text, nil
	case "surrogatepass":
		for _, r := range runes[i:j] {
			if r < 0xd800 || r > 0xdfff || c == ASCII || c == Latin1 {
				return nil, encodeFailure(s, c, runes, i, j)
			}
			text = c.appendRune(text, r)
		}
		return text, nil
	case "namereplace":
		for _, r := range runes[i:j] {
			text = append(text, `\N{`+RuneName(r)+"}"...)
		}
	default:
		r, isBytes, err := ownHandler(th, errors, encodeFailure(s, c, runes, i, j), j)
		if err != nil || isBytes {
			return []byte(r), err
		}
		var out []byte
		for _, x := range lang.Runes(r) {
			if !c.encodes(x) {
				return nil, encodeFailure(s, c, runes, i, j)
			}
			out = c.appendRune(out, x)
		}
		return out, nil
	}
	var out []byte
	for _, b := range text {
		out = c.appendRune(out, rune(b))
	}
	return out, nil
}

func encodeFailure(s *lang.Str, c Codec, runes []rune, i, j int) error {
	reason := "surrogates not allowed"
	switch c {
	case ASCII:
		reason = "ordinal not in range(128)"
	case Latin1:
		reason = "ordinal not in range(256)"
	}
	return lang.NewException(lang.UnicodeEncodeError, lang.NewStr(c.String()), s.Value(),
		lang.Int(int64(i)), lang.Int(int64(j)), lang.NewStr(reason))
}

// Decode is bytes.decode(encoding, errors).
func Decode(th *Thread, b, encoding, errors string) (string, error) {
	c, ok := FindCodec(encoding)
	if !ok {
		return "", th.Raise(lang.LookupError, "unknown encoding: %s", encoding)
	}
	if c == UTF8Sig {
		b = strings.TrimPrefix(b, "\xef\xbb\xbf")
	}
	if c <= UTF8Sig && utf8.ValidString(b) {
		return b, nil
	}
	d := decoder{th: th, src: b, codec: c, errors: errors}
	return d.run()
}

// decoder decodes bytes that may be wrong somewhere.
type decoder struct {
	th     *Thread
	src    string
	codec  Codec
	errors string
	out    []byte
}

func (d *decoder) run() (string, error) {
	at := 0
	if d.codec == UTF16 || d.codec == UTF32 {
		at = d.byteOrder()
	}
	for at < len(d.src) {
		r, n, reason := d.next(d.src[at:])
		if reason == "" {
			d.out = lang.AppendRune(d.out, r)
		} else if err := d.mistake(at, n, reason); err != nil {
			return "", err
		}
		at += n
	}
	return string(d.out), nil
}

func (d *decoder) byteOrder() int {
	size, le, be := 2, UTF16LE, UTF16BE
	marks := [2]string{"\xff\xfe", "\xfe\xff"}
	if d.codec == UTF32 {
		size, le, be = 4, UTF32LE, UTF32BE
		marks = [2]string{"\xff\xfe\x00\x00", "\x00\x00\xfe\xff"}
	}
	d.codec = le
	switch {
	case strings.HasPrefix(d.src, marks[0]):
		return size
	case strings.HasPrefix(d.src, marks[1]):
		d.codec = be
		return size
	}
	return 0
}

// next decodes one character; reason says why n bytes are wrong.
func (d *decoder) next(s string) (r rune, n int, reason string) {
	switch d.codec {
	case Latin1:
		return rune(s[0]), 1, ""
	case ASCII:
		if s[0] >= 0x80 {
			return 0, 1, "ordinal not in range(128)"
		}
		return rune(s[0]), 1, ""
	case UTF16LE, UTF16BE:
		return d.next16(s)
	case UTF32LE, UTF32BE:
		return d.next32(s)
	}
	return next8(s)
}

func (d *decoder) order() binary.ByteOrder {
	if d.codec == UTF16BE || d.codec == UTF32BE {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func (d *decoder) next16(s string) (rune, int, string) {
	if len(s) < 2 {
		return 0, len(s), "truncated data"
	}
	o := d.order()
	r := rune(o.Uint16([]byte(s[:2])))
	if r < 0xd800 || r > 0xdfff {
		return r, 2, ""
	}
	if r >= 0xdc00 {
		return 0, 2, "illegal encoding"
	}
	if len(s) < 4 {
		return 0, len(s), "unexpected end of data"
	}
	lo := rune(o.Uint16([]byte(s[2:4])))
	if lo < 0xdc00 || lo > 0xdfff {
		return 0, 2, "illegal UTF-16 surrogate"
	}
	return utf16.DecodeRune(r, lo), 4, ""
}

func (d *decoder) next32(s string) (rune, int, string) {
	if len(s) < 4 {
		return 0, len(s), "truncated data"
	}
	r := d.order().Uint32([]byte(s[:4]))
	if r > 0x10ffff {
		return 0, 4, "code point not in range(0x110000)"
	}
	return rune(r), 4, ""
}

// next8 decodes UTF-8 with CPython's split of wrong bytes.
func next8(s string) (rune, int, string) {
	if r, n := utf8.DecodeRuneInString(s); r != utf8.RuneError || n > 1 {
		return r, n, ""
	}
	c := s[0]
	need := 0
	switch {
	case c >= 0xc2 && c <= 0xdf:
		need = 1
	case c >= 0xe0 && c <= 0xef:
		need = 2
	case c >= 0xf0 && c <= 0xf4:
		need = 3
	default:
		return 0, 1, "invalid start byte"
	}
	for i := 1; i <= need; i++ {
		if i >= len(s) {
			return 0, len(s), "unexpected end of data"
		}
		if !goodContinuation(c, s[i], i) {
			return 0, i, "invalid continuation byte"
		}
	}
	return 0, 1, "invalid start byte"
}

func goodContinuation(first, b byte, i int) bool {
	if b&0xc0 != 0x80 {
		return false
	}
	if i > 1 {
		return true
	}
	switch first {
	case 0xe0:
		return b >= 0xa0
	case 0xed:
		return b < 0xa0
	case 0xf0:
		return b >= 0x90
	case 0xf4:
		return b < 0x90
	}
	return true
}

// mistake handles n wrong bytes at position at.
func (d *decoder) mistake(at, n int, reason string) error {
	wrong := d.src[at : at+n]
	switch d.errors {
	case "ignore":
	case "replace":
		d.out = append(d.out, "\ufffd"...)
	case "backslashreplace":
		for i := range len(wrong) {
			d.out = append(d.out, fmt.Sprintf(`\x%02x`, wrong[i])...)
		}
	case "surrogateescape":
		for i := range len(wrong) {
			d.out = lang.AppendRune(d.out, 0xdc00|rune(wrong[i]))
		}
	case "strict":
		return d.failure(at, n, reason)
	default:
		r, _, err := ownHandler(d.th, d.errors, d.failure(at, n, reason), at+n)
		d.out = append(d.out, r...)
		return err
	}
	return nil
}

func (d *decoder) failure(at, n int, reason string) error {
	return lang.NewException(lang.UnicodeDecodeError, lang.NewStr(d.codec.String()), lang.NewBytes(d.src),
		lang.Int(int64(at)), lang.Int(int64(at+n)), lang.NewStr(reason))
}

func strEncode(th *Thread, a []Value) (Value, error) {
	enc, errs, err := codecArgs(th, "encode", a[1], a[2])
	if err != nil {
		return fail(err)
	}
	b, err := Encode(th, self(a), enc, errs)
	if err != nil {
		return fail(err)
	}
	return lang.NewBytes(b), nil
}

func codecArgs(th *Thread, name string, encoding, errors Value) (enc, errs string, err error) {
	e, ok := lang.AsStr(encoding)
	if !ok {
		return "", "", need(th, name+"() argument 'encoding'", "str", encoding)
	}
	r, ok := lang.AsStr(errors)
	if !ok {
		return "", "", need(th, name+"() argument 'errors'", "str", errors)
	}
	return e.String(), r.String(), nil
}
