package script

import (
	"encoding/binary"
	"io/fs"
	"path"
	"strings"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/code"
)

// The folders of a package of modules, and how the names of their files end.
const (
	texts, textExt = "lib", ".tfs"
	codes, codeExt = "compiled", ".tfsc"
	archive        = "lib.zip"
)

// Library is a package of modules in script.
type Library struct {
	Texts  Texts
	Codes  fs.FS  // with the folder compiled/
	Prefix string // of the modules' import names
	File   string // prefix of the file names that tracebacks show
	Ext    string // how those end
}

// Find is the module of an import name, nil for none.
func (l *Library) Find(name string) *lang.Script {
	name, ok := strings.CutPrefix(name, l.Prefix)
	if !ok {
		return nil
	}
	name = strings.ReplaceAll(name, ".", "/")
	if s := l.module(name); s != nil {
		return s
	}
	s := l.module(path.Join(name, "__init__"))
	if s != nil {
		s.Package = true
	}
	return s
}

// module is the module whose file below lib/ is name, nil for none.
func (l *Library) module(name string) *lang.Script {
	file := path.Join(texts, name+textExt)
	sum, ok := l.Texts.Sum(file)
	if !ok {
		return nil
	}
	s := &lang.Script{File: l.File + name + l.Ext, Text: func() string { return string(read(l.Texts, file)) }}
	if made, err := fs.ReadFile(l.Codes, path.Join(codes, name+codeExt)); err == nil {
		s.Code = fresh(string(made), sum)
		if _, packed := l.Texts.(Packed); packed {
			s.Code = inflate(s.Code)
		}
	}
	return s
}

// Modules are the files of the texts, without lib/ and extension, in order.
func (l *Library) Modules() ([]string, error) { return modules(l.Texts, texts, textExt) }

func modules(files fs.FS, dir, ext string) (list []string, err error) {
	err = fs.WalkDir(files, dir, func(p string, d fs.DirEntry, err error) error {
		if name, ok := strings.CutSuffix(p, ext); ok && err == nil && !d.IsDir() {
			list = append(list, name[len(dir)+1:])
		}
		return err
	})
	return list, err
}

// seal is what a compiled file of a text with this sum begins with.
func seal(sum Sum) []byte {
	b := binary.LittleEndian.AppendUint32(nil, sum.Size)
	b = binary.LittleEndian.AppendUint32(b, sum.CRC)
	return binary.LittleEndian.AppendUint64(b, code.Stamp)
}

// fresh is the code in a compiled file, "" if it was made from another text than this or by another compiler's instruction set.
func fresh(made string, sum Sum) string {
	c, ok := strings.CutPrefix(made, string(seal(sum)))
	if !ok {
		return ""
	}
	return c
}
