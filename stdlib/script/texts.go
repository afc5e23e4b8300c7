package script

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"
	"io/fs"
	"strings"
	"sync"
	"unsafe"
)

// Sum tells texts apart.
type Sum struct{ Size, CRC uint32 }

// sumOf is the sum of a text.
func sumOf(text []byte) Sum { return Sum{uint32(len(text)), crc32.ChecksumIEEE(text)} }

// Texts are the texts of a package's modules, below lib/. An import asks for sums only.
type Texts interface {
	fs.FS
	Sum(file string) (Sum, bool)
}

// Folder are texts as files.
type Folder struct{ fs.FS }

// Sum reads the file.
func (f Folder) Sum(file string) (Sum, bool) {
	text, err := fs.ReadFile(f.FS, file)
	return sumOf(text), err == nil
}

// Packed are texts in an archive, a fifth of their size; it keeps their sums.
type Packed struct {
	*zip.Reader
	files map[string]*zip.File
}

// Unpack opens the archive that Generate made.
func Unpack(archive []byte) Packed {
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		panic("tfs bug: texts of modules: " + err.Error()) // embedded
	}
	p := Packed{r, make(map[string]*zip.File, len(r.File))}
	for _, f := range r.File {
		p.files[f.Name] = f
	}
	return p
}

// Sum is what the archive says of the file.
func (p Packed) Sum(file string) (Sum, bool) {
	f := p.files[file]
	if f == nil {
		return Sum{}, false
	}
	return Sum{uint32(f.UncompressedSize64), f.CRC32}, true
}

// read is an embedded text.
func read(files fs.FS, file string) []byte {
	text, err := fs.ReadFile(files, file)
	if err != nil {
		panic("tfs bug: " + err.Error())
	}
	return text
}

// deflate makes the code of a packed module small.
func deflate(c []byte) []byte {
	var b bytes.Buffer
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(c))))
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write(c)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic("tfs bug: " + err.Error()) // a buffer takes everything
	}
	return b.Bytes()
}

// inflate undoes it; what is damaged is compiled from its text.
func inflate(c string) string {
	if len(c) < 4 {
		return ""
	}
	r := inflaters.Get().(io.ReadCloser)
	defer inflaters.Put(r)
	b := make([]byte, binary.LittleEndian.Uint32([]byte(c[:4])))
	if err := r.(flate.Resetter).Reset(strings.NewReader(c[4:]), nil); err != nil {
		return ""
	}
	if _, err := io.ReadFull(r, b); err != nil {
		return ""
	}
	return unsafe.String(unsafe.SliceData(b), len(b)) // nobody else has b
}

// inflaters are used again: each has tables of 40 kB.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(strings.NewReader("")) }}

// pack makes the archive of the texts named.
func pack(files fs.FS, names []string) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		file := texts + "/" + name + textExt
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return nil, err
		}
		f, err := w.CreateHeader(&zip.FileHeader{Name: file, Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(text); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
