package script

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/compile"
	"github.com/tfs-lang/tfs/parser"
)

// Generate makes the compiled files of the package of modules in dir, and removes those whose text is gone. With packed it
// makes the archive of the texts, too.
func Generate(dir string, packed bool) error {
	files := os.DirFS(dir)
	names, err := modules(files, texts, textExt)
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, texts+"/"+name+textExt)
		if err != nil {
			return err
		}
		b, err := compiled(text, name, packed)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, codes, name+codeExt), b); err != nil {
			return err
		}
	}
	if packed {
		b, err := pack(files, names)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, archive), b); err != nil {
			return err
		}
	}
	return prune(dir, names)
}

// compiled is the content of the compiled file of a text.
func compiled(text []byte, name string, packed bool) ([]byte, error) {
	m, err := parser.ParseFile(text, name+textExt)
	if err != nil {
		return nil, err
	}
	c, err := compile.Module(m, "", compile.Options{})
	if err != nil {
		return nil, err
	}
	head := seal(sumOf(text))
	if !packed {
		return append(head, code.Marshal(c)...), nil
	}
	onlyLines(c)
	return append(head, deflate(code.Marshal(c))...), nil
}

// onlyLines drops the columns of positions: a traceback shows no text of a packed module to mark them in.
func onlyLines(c *code.Code) {
	for i := range c.Pos {
		line := c.Pos[i].Line
		c.Pos[i] = code.Pos{Line: line, EndLine: line}
	}
	for _, k := range c.Codes {
		onlyLines(k)
	}
}

// write leaves a file alone that is right already.
func write(file string, b []byte) error {
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, b) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, b, 0o644)
}

func prune(dir string, names []string) error {
	made, err := modules(os.DirFS(dir), codes, codeExt)
	for _, name := range made {
		if err == nil && !slices.Contains(names, name) {
			err = os.Remove(filepath.Join(dir, codes, name+codeExt))
		}
	}
	return err
}

// Stale are the modules whose compiled file or packed text isn't what Generate would write from the texts in the package's
// folder, and files without a module.
func (l *Library) Stale(folder fs.FS) ([]string, error) {
	names, err := modules(folder, texts, textExt)
	if err != nil {
		return nil, err
	}
	made, err := modules(l.Codes, codes, codeExt)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	stale := slices.DeleteFunc(made, func(name string) bool { return slices.Contains(names, name) })
	for _, name := range names {
		text, err := fs.ReadFile(folder, texts+"/"+name+textExt)
		if err != nil {
			return nil, err
		}
		_, packed := l.Texts.(Packed)
		want, err := compiled(text, name, packed)
		if err != nil {
			return nil, err
		}
		sum, _ := l.Texts.Sum(texts + "/" + name + textExt)
		if got, err := fs.ReadFile(l.Codes, codes+"/"+name+codeExt); err != nil || !bytes.Equal(got, want) || sum != sumOf(text) {
			stale = append(stale, name)
		}
	}
	return stale, nil
}
