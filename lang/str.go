package lang

import (
	"encoding/binary"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// Str is a string: bytes in UTF-8, in which a lone surrogate stands as its three
// bytes (WTF-8). Its length in code points and, every 64 of them, a byte offset
// are found on first need.
type Str struct {
	Header
	s    string
	hash int64 // 0: not computed
	ext  *strExt
}

// strExt is what only a string that isn't ASCII needs.
type strExt struct {
	n    int     // code points
	offs []int32 // byte offset of code point 64*i, made at the first index
}

type shortStr struct {
	Str
	buf [16]byte
}

type (
	str32 struct {
		Str
		buf [32]byte
	}
	str48 struct {
		Str
		buf [48]byte
	}
)

// makeStr makes a str of n > 0 bytes that the caller fills at once; a short one
// holds them itself.
func makeStr(n int) (*Str, []byte) {
	var o *Str
	var b []byte
	switch {
	case n <= 16:
		t := &shortStr{}
		o, b = &t.Str, t.buf[:n]
	case n <= 32:
		t := &str32{}
		o, b = &t.Str, t.buf[:n]
	case n <= 48:
		t := &str48{}
		o, b = &t.Str, t.buf[:n]
	default:
		o, b = &Str{}, make([]byte, n)
	}
	o.Header = head(StrClass, value.KindStr)
	o.s = unsafe.String(&b[0], n)
	return o, b
}

// StrOfBytes makes a str of a copy of text in UTF-8.
func StrOfBytes(text []byte) Value {
	switch n := len(text); {
	case n == 0:
		return emptyStr.Value()
	case n == 1 && text[0] < utf8.RuneSelf:
		return charStr(text[0])
	}
	o, b := makeStr(len(text))
	copy(b, text)
	o.classify()
	return o.Value()
}

// NewStr makes a str of text in UTF-8.
func NewStr(s string) Value { return obj(unsafe.Pointer(newStr(s))) }

func newStr(s string) *Str {
	o := &Str{Header: head(StrClass, value.KindStr), s: s}
	o.classify()
	return o
}

// newASCII makes a str of bytes known to be ASCII.
func newASCII(s string) Value {
	o := &Str{Header: head(StrClass, value.KindStr), s: s}
	o.Flags = flagASCII
	return obj(unsafe.Pointer(o))
}

// concat makes the str a+b, not empty.
func concat(a, b *Str) Value {
	o, buf := makeStr(len(a.s) + len(b.s))
	copy(buf, a.s)
	copy(buf[len(a.s):], b.s)
	return joined(o, a, b)
}

func joined(o, a, b *Str) Value {
	o.Flags = a.Flags & b.Flags & flagASCII
	if o.Flags == 0 {
		if endsInSurrogate(a.s) {
			o.classify()
		} else {
			o.ext = &strExt{n: a.Len() + b.Len()}
		}
	}
	return obj(unsafe.Pointer(o))
}

func endsInSurrogate(s string) bool { return len(s) >= 3 && s[len(s)-3] == 0xED && s[len(s)-2] >= 0xA0 }

// strGroup is how many strs ListOfStrs makes at once: a reference to one keeps the
// others of its group.
const strGroup = 8

// ListOfStrs makes a list of strs.
func ListOfStrs(parts []string) *List {
	l := MakeList(len(parts))
	var group []Str
	for _, p := range parts {
		if len(p) <= 1 {
			l.items = append(l.items, shortPart(p).Held())
			continue
		}
		if len(group) == 0 {
			group = make([]Str, min(strGroup, cap(l.items)-len(l.items)))
		}
		o := &group[0]
		group = group[1:]
		o.Header, o.s = head(StrClass, value.KindStr), p
		o.classify()
		l.items = append(l.items, o.Value().Held())
	}
	return l
}

func shortPart(p string) Value {
	if p == "" {
		return emptyStr.Value()
	}
	return charStr(p[0])
}

func (s *Str) classify() {
	if !isASCII(s.s) {
		s.ext = &strExt{n: countRunes(s.s)}
		return
	}
	s.Flags |= flagASCII
}

// isASCII looks at eight bytes at once.
func isASCII(s string) bool {
	const high = 0x8080808080808080
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	for len(b) >= 8 {
		if binary.LittleEndian.Uint64(b)&high != 0 {
			return false
		}
		b = b[8:]
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// String is the text; lone surrogates stand as three bytes each.
func (s *Str) String() string { return s.s }

// IsASCII reports a string of ASCII only.
func (s *Str) IsASCII() bool { return s.Flags&flagASCII != 0 }

// Len is the number of code points.
func (s *Str) Len() int {
	if s.ext == nil {
		return len(s.s)
	}
	return s.ext.n
}

// Value is s as a script value.
func (s *Str) Value() Value { return obj(unsafe.Pointer(s)) }

// Offset is the byte offset of code point i, 0 <= i <= Len.
func (s *Str) Offset(i int) int {
	if s.ext == nil {
		return i
	}
	if i >= s.ext.n {
		return len(s.s)
	}
	if s.ext.offs == nil {
		s.ext.offs = offsets(s.s)
	}
	at := int(s.ext.offs[i>>6])
	for k := i & 63; k > 0; k-- {
		at += runeLen(s.s[at])
	}
	return at
}

// Index is the number of code points before byte offset at.
func (s *Str) Index(at int) int {
	if s.ext == nil {
		return at
	}
	return countRunes(s.s[:at])
}

// At is the str of code point i.
func (s *Str) At(i int) Value {
	if s.ext == nil {
		return charStr(s.s[i])
	}
	at := s.Offset(i)
	r, n := DecodeRune(s.s[at:])
	if r < utf8.RuneSelf {
		return charStr(byte(r))
	}
	return NewStr(s.s[at : at+n])
}

// Slice is the str of code points [i, j).
func (s *Str) Slice(i, j int) Value {
	if i >= j {
		return emptyStr.Value()
	}
	if i == 0 && j == s.Len() {
		return s.Value()
	}
	if s.ext == nil {
		if j == i+1 {
			return charStr(s.s[i])
		}
		return newASCII(s.s[i:j])
	}
	return NewStr(s.s[s.Offset(i):s.Offset(j)])
}

func offsets(s string) []int32 {
	out := make([]int32, 0, len(s)/128+1)
	for at, n := 0, 0; at < len(s); n++ {
		if n&63 == 0 {
			out = append(out, int32(at))
		}
		at += runeLen(s[at])
	}
	return out
}

// runeLen is the length of the sequence that begins with c.
func runeLen(c byte) int {
	switch {
	case c < 0xC0:
		return 1
	case c < 0xE0:
		return 2
	case c < 0xF0:
		return 3
	}
	return 4
}

func countRunes(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// DecodeRune decodes the first code point of s, lone surrogates included.
func DecodeRune(s string) (rune, int) {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 {
		return rune(s[0]&0x0F)<<12 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return utf8.DecodeRuneInString(s)
}

// AppendRune appends code point r, lone surrogates as three bytes.
func AppendRune(b []byte, r rune) []byte {
	if r >= 0xD800 && r < 0xE000 {
		return append(b, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0xBF, 0x80|byte(r)&0xBF)
	}
	return utf8.AppendRune(b, r)
}

// Runes are the code points of s.
func Runes(s string) []rune {
	out := make([]rune, 0, len(s))
	for len(s) > 0 {
		r, n := DecodeRune(s)
		out = append(out, r)
		s = s[n:]
	}
	return out
}

// FromRunes is the text of code points.
func FromRunes(r []rune) string {
	b := make([]byte, 0, len(r))
	for _, c := range r {
		b = AppendRune(b, c)
	}
	return string(b)
}

// chars are the strs of one ASCII character.
var chars [128]*Str

var (
	internMu sync.RWMutex
	interned = map[string]*Str{}
	emptyStr *Str
)

func init() {
	for i := range chars {
		chars[i] = Intern(string(rune(i)))
	}
	emptyStr = Intern("")
}

func charStr(c byte) Value {
	if c < 128 {
		return obj(unsafe.Pointer(chars[c]))
	}
	return NewStr(string(rune(c)))
}

// Intern is the one Str object for a name: attribute names, keyword names and
// identifiers are compared by address first.
func Intern(s string) *Str {
	internMu.RLock()
	o := interned[s]
	internMu.RUnlock()
	if o != nil {
		return o
	}
	internMu.Lock()
	defer internMu.Unlock()
	if o = interned[s]; o == nil {
		s = strings.Clone(s)
		o = &Str{Header: Header{Type: &StrClass.Type, Kind: value.KindStr}, s: s}
		o.classify()
		o.Flags |= flagInterned
		o.hash = hashStr(o)
		interned[s] = o
	}
	return o
}

// intern is the interned form of a name that came as a value.
func (s *Str) intern() *Str {
	if s.Flags&flagInterned != 0 {
		return s
	}
	return Intern(s.s)
}

// lookupInterned is the interned form if there is one.
func (s *Str) lookupInterned() *Str {
	if s.Flags&flagInterned != 0 {
		return s
	}
	internMu.RLock()
	defer internMu.RUnlock()
	return interned[s.s]
}

// Bytes is a bytes object.
type Bytes struct {
	Header
	B    string
	hash int64
}

// NewBytes makes a bytes object; it keeps s.
func NewBytes(s string) Value {
	return obj(unsafe.Pointer(&Bytes{Header: head(BytesClass, value.KindBytes), B: s}))
}

// ByteArray is a bytearray.
type ByteArray struct {
	Header
	B       []byte
	Exports int // memoryviews on it: it may not be resized
}

// NewByteArray makes a bytearray that takes b over.
func NewByteArray(b []byte) Value {
	return obj(unsafe.Pointer(&ByteArray{Header: head(ByteArrayClass, value.KindByteArray), B: b}))
}
