package script

import (
	"encoding/binary"
	"hash/crc32"
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
)

// Library is a package of modules in script.
type Library struct {
	FS     fs.ReadFileFS // with the two folders
	Prefix string        // of the modules' import names
	File   string        // prefix of the file names that tracebacks show
	Ext    string        // how those end
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
	text, err := l.FS.ReadFile(path.Join(texts, name+textExt))
	if err != nil {
		return nil
	}
	s := &lang.Script{Text: string(text), File: l.File + name + l.Ext}
	if made, err := l.FS.ReadFile(path.Join(codes, name+codeExt)); err == nil {
		s.Code = fresh(string(made), text)
	}
	return s
}

// Modules are the files of the texts, without lib/ and extension, in order.
func (l *Library) Modules() ([]string, error) { return modules(l.FS, texts, textExt) }

func modules(files fs.FS, dir, ext string) (list []string, err error) {
	err = fs.WalkDir(files, dir, func(p string, d fs.DirEntry, err error) error {
		if name, ok := strings.CutSuffix(p, ext); ok && err == nil && !d.IsDir() {
			list = append(list, name[len(dir)+1:])
		}
		return err
	})
	return list, err
}

// seal is what a compiled file of text begins with.
func seal(text []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)))
	return binary.LittleEndian.AppendUint64(b, code.Stamp)
}

// fresh is the code in a compiled file, "" if it was made from another text than this or by another compiler's instruction set.
func fresh(made string, text []byte) string {
	c, ok := strings.CutPrefix(made, string(seal(text)))
	if !ok {
		return ""
	}
	return c
}
