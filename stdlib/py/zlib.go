package py

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
)

// _zlib packs and unpacks; a mistake in the data is a ValueError whose text the
// script modules turn into their own error.
var _ = define("_zlib", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{
		{Sig: "compress(data, level, wbits, mtime, /)", Fn: zlibCompress},
		{Sig: "decompress(data, wbits, /)", Fn: zlibDecompress},
	}}
})

func bytesOf(th *Thread, v Value) ([]byte, error) {
	b, ok := builtin.BytesLike(v)
	if !ok {
		return nil, th.TypeErrorf("a bytes-like object is required, not '%s'", lang.TypeName(v))
	}
	return []byte(b), nil
}

// zlibCompress: wbits > 15 gzip, < 0 raw, else zlib.
func zlibCompress(th *Thread, a []Value) (Value, error) {
	data, err := bytesOf(th, a[0])
	if err != nil {
		return fail(err)
	}
	level, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	wbits, err := intOf(th, a[2])
	if err != nil {
		return fail(err)
	}
	if level < -1 || level > 9 {
		return fail(th.ValueErrorf("Bad compression level"))
	}
	var out bytes.Buffer
	var w io.WriteCloser
	switch {
	case wbits > 15:
		w, err = gzip.NewWriterLevel(&out, level)
	case wbits < 0:
		w, err = flate.NewWriter(&out, level)
	default:
		w, err = zlib.NewWriterLevel(&out, level)
	}
	if err == nil {
		if _, err = w.Write(data); err == nil {
			err = w.Close()
		}
	}
	if err != nil {
		return fail(th.ValueErrorf("%s", err.Error()))
	}
	return lang.NewBytes(out.String()), nil
}

func zlibDecompress(th *Thread, a []Value) (Value, error) {
	data, err := bytesOf(th, a[0])
	if err != nil {
		return fail(err)
	}
	wbits, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	src := bytes.NewReader(data)
	var r io.Reader
	switch {
	case wbits > 15:
		r, err = gzip.NewReader(src)
	case wbits < 0:
		r = flate.NewReader(src)
	default:
		r, err = zlib.NewReader(src)
	}
	if err != nil {
		return fail(th.ValueErrorf("incorrect header check"))
	}
	var out bytes.Buffer
	for {
		n, err := io.CopyN(&out, r, 1<<20)
		if err == io.EOF {
			break
		}
		if err != nil {
			return fail(th.ValueErrorf("incomplete or truncated stream"))
		}
		if err := th.CheckSize(out.Len()+int(n), 1); err != nil {
			return fail(err)
		}
	}
	return lang.NewBytes(out.String()), nil
}
