package builtin

import (
	"strings"
	"unicode/utf8"

	"github.com/tfs-lang/tfs/lang"
)

func validText(s string) bool { return utf8.ValidString(s) }

// Kinds of line ends that reading met.
const (
	seenLF = 1 << iota
	seenCR
	seenCRLF
)

// more decodes another chunk; false at the end of the file.
func (f *File) more(th *Thread) (bool, error) {
	d := &f.dec
	if d.codec >= UTF16 {
		return f.slurp(th)
	}
	if len(f.in) == 0 {
		if _, err := f.fill(th, 0); err != nil {
			return false, err
		}
	}
	final := len(f.in) == 0
	chunk := append(d.rest, f.in...)
	f.in, d.rest = nil, nil
	if len(chunk) == 0 {
		return false, nil
	}
	keep := 0
	if !final {
		keep = d.incomplete(chunk)
	}
	d.rest = append([]byte(nil), chunk[len(chunk)-keep:]...)
	chunk = chunk[:len(chunk)-keep]
	if err := f.decode(th, chunk); err != nil {
		return false, err
	}
	return true, nil
}

// slurp decodes the whole rest of a file in a wide encoding and goes on in UTF-8.
func (f *File) slurp(th *Thread) (bool, error) {
	for {
		more, err := f.fill(th, 0)
		if err != nil {
			return false, err
		}
		if !more {
			break
		}
	}
	all := f.in
	f.in = nil
	if len(all) == 0 {
		return false, nil
	}
	return true, f.decode(th, all)
}

// decode appends the text of a chunk.
func (f *File) decode(th *Thread, chunk []byte) error {
	d := &f.dec
	s, err := Decode(th, string(chunk), d.codec.String(), d.errors)
	if err != nil {
		return err
	}
	d.note(s)
	if d.mode == translate && strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	if d.at == len(d.text) {
		d.text, d.at, d.src = s, 0, chunk
	} else {
		d.text += s
		d.src = append(d.src, chunk...)
	}
	return nil
}

// incomplete is how many bytes at the end of a chunk wait for more: a part of a
// character or a carriage return that a line feed may follow.
func (d *textState) incomplete(b []byte) int {
	if d.mode != given && b[len(b)-1] == '\r' {
		return 1
	}
	if d.codec != UTF8 && d.codec != UTF8Sig {
		return 0
	}
	for n := 1; n <= 3 && n <= len(b); n++ {
		c := b[len(b)-n]
		if c&0xc0 == 0x80 {
			continue
		}
		if c >= 0xc2 && !utf8.FullRune(b[len(b)-n:]) {
			return n
		}
		return 0
	}
	return 0
}

// note remembers which line ends were met.
func (d *textState) note(s string) {
	if d.mode == given || strings.IndexByte(s, '\r') < 0 {
		if d.mode != given && strings.IndexByte(s, '\n') >= 0 {
			d.seen |= seenLF
		}
		return
	}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\n':
			d.seen |= seenLF
		case s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n':
			d.seen |= seenCRLF
			i++
		case s[i] == '\r':
			d.seen |= seenCR
		}
	}
}

// consumed is how many bytes of src made text[:at].
func (d *textState) consumed() int {
	if len(d.text) == len(d.src) {
		return d.at
	}
	made, i := 0, 0
	for i < len(d.src) && made < d.at {
		switch {
		case d.mode == translate && d.src[i] == '\r':
			i++
			if i < len(d.src) && d.src[i] == '\n' {
				i++
			}
			made++
		case d.codec == Latin1 && d.src[i] >= 0x80:
			i++
			made += 2
		default:
			i++
			made++
		}
	}
	return i
}

// readText is file.read(n); n < 0 reads all.
func (f *File) readText(th *Thread, n int) (string, error) {
	d := &f.dec
	d.iterates = false
	for n < 0 || runeCount(d.text[d.at:]) < n {
		more, err := f.more(th)
		if err != nil {
			return "", err
		}
		if !more {
			break
		}
		if err := th.CheckSize(len(d.text), 1); err != nil {
			return "", err
		}
	}
	rest := d.text[d.at:]
	end := len(rest)
	if n >= 0 {
		end = runeOffset(rest, n)
	}
	d.at += end
	return rest[:end], nil
}

// runeOffset is the byte offset of character n.
func runeOffset(s string, n int) int {
	for i := 0; i < len(s); i++ {
		if s[i]&0xc0 != 0x80 {
			if n == 0 {
				return i
			}
			n--
		}
	}
	return len(s)
}

// lineEnd is the length of the line at the front of s with its end; 0 if it goes on.
func (d *textState) lineEnd(s string, from int) int {
	switch d.mode {
	case translate:
		if i := strings.IndexByte(s[from:], '\n'); i >= 0 {
			return from + i + 1
		}
	case given:
		if i := strings.Index(s[from:], d.newline); i >= 0 {
			return from + i + len(d.newline)
		}
	default:
		i := strings.IndexAny(s[from:], "\r\n")
		if i < 0 {
			return 0
		}
		i += from
		if s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n' {
			return i + 2
		}
		return i + 1
	}
	return 0
}

// readLine is file.readline(n); "" at the end.
func (f *File) readLine(th *Thread, n int) (string, error) {
	d := &f.dec
	from := 0
	for {
		rest := d.text[d.at:]
		end := d.lineEnd(rest, from)
		if end == 0 && n >= 0 && runeCount(rest) >= n {
			end = runeOffset(rest, n)
			if end == 0 {
				return "", nil
			}
		}
		if end > 0 {
			if n >= 0 {
				end = min(end, runeOffset(rest, n))
			}
			d.at += end
			return rest[:end], nil
		}
		from = max(0, len(rest)-1)
		more, err := f.more(th)
		if err != nil {
			return "", err
		}
		if !more {
			rest = d.text[d.at:]
			d.at = len(d.text)
			return rest, nil
		}
	}
}

// newlines is the attribute of that name.
func (f *File) newlines() Value {
	if f.dec.mode == given {
		return none
	}
	var out []Value
	for i, s := range []string{"\r", "\n", "\r\n"} {
		if f.dec.seen&[]uint8{seenCR, seenLF, seenCRLF}[i] != 0 {
			out = append(out, lang.NewStr(s))
		}
	}
	switch len(out) {
	case 0:
		return none
	case 1:
		return out[0]
	}
	return lang.NewTuple(out...)
}

// readBytes is file.read(n) of a binary file; n < 0 reads all.
func (f *File) readBytes(th *Thread, n int) (string, error) {
	for n < 0 || len(f.in) < n {
		more, err := f.fill(th, n-len(f.in))
		if err != nil {
			return "", err
		}
		if !more {
			break
		}
		if err := th.CheckSize(len(f.in), 1); err != nil {
			return "", err
		}
	}
	if n < 0 || n > len(f.in) {
		n = len(f.in)
	}
	b := string(f.in[:n])
	f.in = f.in[n:]
	return b, nil
}

// readByteLine is file.readline(n) of a binary file.
func (f *File) readByteLine(th *Thread, n int) (string, error) {
	from := 0
	for {
		end := -1
		if i := indexByteFrom(f.in, '\n', from); i >= 0 {
			end = i + 1
		}
		if n >= 0 && (end > n || end < 0 && len(f.in) >= n) {
			end = n
		}
		if end >= 0 {
			return f.readBytes(th, end)
		}
		from = len(f.in)
		more, err := f.fill(th, 0)
		if err != nil {
			return "", err
		}
		if !more {
			return f.readBytes(th, len(f.in))
		}
	}
}

func indexByteFrom(b []byte, c byte, from int) int {
	for i := from; i < len(b); i++ {
		if b[i] == c {
			return i
		}
	}
	return -1
}
