package py

import (
	"bytes"
	"compress/bzip2"
	"errors"
	"io"

	"github.com/tfs-lang/tfs/lang"
)

// _bz2 is the native core of the script module bz2.
var _ = define("_bz2", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{{Sig: "unpack(data, one=False, /)", Fn: bz2Unpack}}}
})

// bz2Unpack is (data, bytes used, complete) of packed data; with one, of the first
// stream alone as far as its end can be told.
func bz2Unpack(th *Thread, a []Value) (Value, error) {
	b, ok := lang.AsBytes(a[0])
	if !ok {
		return fail(th.TypeErrorf("a bytes-like object is required, not '%s'", lang.TypeName(a[0])))
	}
	one := a[1].Truth()
	end := len(b.B)
	if one {
		if i := bz2End(b.B); i > 0 {
			end = i
		}
	}
	out, err := io.ReadAll(bzip2.NewReader(bytes.NewReader([]byte(b.B[:end]))))
	switch {
	case err == nil:
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return lang.NewTuple(lang.NewBytes(""), lang.Int(0), lang.False), nil
	default:
		return fail(th.Raise(lang.OSError, "Invalid data stream"))
	}
	return lang.NewTuple(lang.NewBytes(string(out)), lang.Int(int64(end)), lang.Bool(len(b.B) > 0)), nil
}

// bz2End is where the first stream ends: behind the end mark, which may begin at
// any bit, and its checksum. 0 if there is none.
func bz2End(s string) int {
	const mark, bits = 0x177245385090, 48
	var w uint64
	for i := 0; i < len(s)*8; i++ {
		w = (w<<1 | uint64(s[i/8]>>(7-i%8)&1)) & (1<<bits - 1)
		if w == mark && i >= bits {
			return min(len(s), (i+1+32+7)/8)
		}
	}
	return 0
}
