package py

import (
	"encoding/ascii85"
	"encoding/base32"
	"encoding/base64"
	"hash/adler32"
	"hash/crc32"
	"strings"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
)

// _binascii holds conversions between bytes and text.
var _ = define("_binascii", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{
		{Sig: "b64encode(data, /)", Fn: bytesFunc(func(b string) (string, string) { return base64.StdEncoding.EncodeToString([]byte(b)), "" })},
		{Sig: "b64decode(data, /)", Fn: bytesFunc(decodeBase64)},
		{Sig: "b32encode(data, /)", Fn: bytesFunc(func(b string) (string, string) { return base32.StdEncoding.EncodeToString([]byte(b)), "" })},
		{Sig: "b32decode(data, /)", Fn: bytesFunc(func(b string) (string, string) {
			r, err := base32.StdEncoding.DecodeString(b)
			if err != nil {
				return "", "Non-base32 digit found"
			}
			return string(r), ""
		})},
		{Sig: "a85encode(data, /)", Fn: bytesFunc(func(b string) (string, string) {
			out := make([]byte, ascii85.MaxEncodedLen(len(b)))
			return string(out[:ascii85.Encode(out, []byte(b))]), ""
		})},
		{Sig: "a85decode(data, /)", Fn: bytesFunc(func(b string) (string, string) {
			out := make([]byte, 4*len(b))
			n, _, err := ascii85.Decode(out, []byte(b), true)
			if err != nil {
				return "", "Non-Ascii85 digit found"
			}
			return string(out[:n]), ""
		})},
		{Sig: "crc32(data, value=0, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			b, n, err := dataAndInt(th, a)
			return lang.Int(int64(crc32.Update(uint32(n), crc32.IEEETable, []byte(b)))), err
		}},
		{Sig: "adler32(data, value=1, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			b, n, err := dataAndInt(th, a)
			if n == 1 {
				return lang.Int(int64(adler32.Checksum([]byte(b)))), err
			}
			lo, hi := uint32(n)&0xffff, uint32(n)>>16
			for i := range len(b) {
				lo = (lo + uint32(b[i])) % 65521
				hi = (hi + lo) % 65521
			}
			return lang.Int(int64(hi<<16 | lo)), err
		}},
	}}
})

func dataAndInt(th *Thread, a []Value) (string, int64, error) {
	b, ok := builtin.BytesLike(a[0])
	if !ok {
		return "", 0, th.TypeErrorf("a bytes-like object is required, not '%s'", lang.TypeName(a[0]))
	}
	n, err := intOf(th, a[1])
	return b, int64(n), err
}

// bytesFunc is a function from bytes to bytes; a text as second result is a ValueError.
func bytesFunc(f func(b string) (string, string)) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		b, ok := builtin.BytesLike(a[0])
		if !ok {
			return fail(th.TypeErrorf("a bytes-like object is required, not '%s'", lang.TypeName(a[0])))
		}
		r, mistake := f(b)
		if mistake != "" {
			return fail(th.ValueErrorf("%s", mistake))
		}
		return lang.NewBytes(r), nil
	}
}

// decodeBase64 drops what is no digit, as binascii does, and checks the padding.
func decodeBase64(s string) (string, string) {
	var b strings.Builder
	pads := 0
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/':
			if pads > 0 && (b.Len()+pads)%4 == 0 {
				continue
			}
			b.WriteByte(c)
		case c == '=':
			pads++
		}
	}
	n := b.Len()
	if n%4 == 1 {
		return "", "Invalid base64-encoded string: number of data characters (" + itoa(n) + ") cannot be 1 more than a multiple of 4"
	}
	if n%4 != 0 && pads < 4-n%4 {
		return "", "Incorrect padding"
	}
	r, err := base64.RawStdEncoding.DecodeString(b.String())
	if err != nil {
		return "", "Incorrect padding"
	}
	return string(r), ""
}
