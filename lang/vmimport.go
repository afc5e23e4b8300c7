package lang

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/tfs-lang/tfs/lang/value"
)

func opImportName(ci *Frame, in *Instr) (Value, error) {
	return ci.th.ImportName(ci.code.globals, ci.code.names[in.K].s, *ci.slot(in.B), int(in.C))
}

// ImportName is __import__: the module of a dotted name as a statement binds it, or,
// with names to take from it, the innermost one with the submodules among them.
func (th *Thread) ImportName(globals *Dict, name string, from Value, level int) (Value, error) {
	given := name
	if level > 0 {
		full, err := th.absolute(globals, name, level)
		if err != nil {
			return Unbound, err
		}
		name = full
	}
	m, err := th.Import(name)
	if err != nil {
		return Unbound, err
	}
	if names, ok := Sequence(from); ok && len(names) > 0 {
		return m, th.importNames(m, name, names)
	}
	if i := strings.IndexByte(given, '.'); i >= 0 {
		return th.Import(name[:len(name)-len(given)+i])
	}
	return m, nil
}

// importNames imports the submodules among the names of a from import.
func (th *Thread) importNames(m Value, name string, names []Held) error {
	mod, ok := AsModule(m)
	if !ok || !mod.isPackage() {
		return nil
	}
	for _, h := range names {
		s, ok := AsStr(h.Value())
		if !ok {
			return th.TypeErrorf("Item in ``from list'' must be str, not %s", TypeName(h.Value()))
		}
		if s.s == "*" {
			all, ok := mod.dict.getStr(nameAll)
			if ok {
				if sub, ok := Sequence(all); ok {
					if err := th.importNames(m, name, sub); err != nil {
						return err
					}
				}
			}
			continue
		}
		if _, found, err := AttrOr(th, m, s.s); err != nil || found {
			if err != nil {
				return err
			}
			continue
		}
		full := name + "." + s.s
		if _, err := th.Import(full); err != nil && !isNotFound(err, full) {
			return err
		}
	}
	return nil
}

func (m *Module) isPackage() bool { _, ok := m.dict.getStr(namePath); return ok }

// absolute resolves a relative import.
func (th *Thread) absolute(globals *Dict, name string, level int) (string, error) {
	pkg := ""
	if v, ok := globals.getStr(namePackage); ok {
		if s, ok := AsStr(v); ok {
			pkg = s.s
		}
	}
	if pkg == "" {
		return "", th.Raise(ImportError, "attempted relative import with no known parent package")
	}
	for ; level > 1; level-- {
		i := strings.LastIndexByte(pkg, '.')
		if i < 0 {
			return "", th.Raise(ImportError, "attempted relative import beyond top-level package")
		}
		pkg = pkg[:i]
	}
	if name == "" {
		return pkg, nil
	}
	return pkg + "." + name, nil
}

// Import is importlib.import_module: the module of a dotted name, its parents first.
func (th *Thread) Import(name string) (Value, error) {
	if v, ok := th.Interp.Modules.GetStr(name); ok {
		if v.IsNone() {
			return Unbound, th.notFound(name, "import of "+name+" halted; None in sys.modules")
		}
		return v, th.awaitImport(name)
	}
	var parent *Module
	i := strings.LastIndexByte(name, '.')
	if i >= 0 {
		p, err := th.Import(name[:i])
		if err != nil {
			return Unbound, err
		}
		if v, ok := th.Interp.Modules.GetStr(name); ok {
			return v, nil
		}
		parent, _ = AsModule(p)
	}
	v, err := th.load(name, parent)
	if err != nil {
		return Unbound, err
	}
	if parent != nil {
		parent.dict.PutStr(name[i+1:], v)
	}
	return v, nil
}

func (th *Thread) notFound(name, text string) error {
	e := NewException(ModuleNotFoundError, NewStr(text))
	e.Data = []Value{NewStr(name), None}
	return e
}

// isNotFound reports that it is this module that is missing, not one that it imports.
func isNotFound(err error, name string) bool {
	if !Matches(err, ModuleNotFoundError) {
		return false
	}
	data := err.(*Exception).Data
	missing, ok := AsStr(data[0])
	return ok && missing.s == name
}

// load finds and runs a module: files beside the script, native ones, embedded ones.
func (th *Thread) load(name string, parent *Module) (Value, error) {
	in := th.Interp
	dirs := in.importPath()
	base := name
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		base = name[i+1:]
		dirs = nil
		if parent != nil {
			dirs = parent.searchPath()
		}
	}
	if parent != nil {
		if v, err := parent.Get(th, base); err != nil || v.Kind() == value.KindModule {
			if err == nil {
				in.Modules.PutStr(name, v)
			}
			return v, err
		}
	}
	if m, err := th.loadFile(name, base, dirs); err != nil || m != nil {
		return th.loaded(m, err)
	}
	if in.Native != nil {
		if def := in.Native(name); def != nil {
			return th.loadNative(name, def)
		}
	}
	if in.Source != nil {
		if s := in.Source(name); s != nil {
			return th.loaded(th.runModule(name, s, ""))
		}
	}
	if parent != nil && !parent.isPackage() {
		p := name[:strings.LastIndexByte(name, '.')]
		return Unbound, th.notFound(name, "No module named '"+name+"'; '"+p+"' is not a package")
	}
	text := ""
	if in.Near != nil {
		text = in.Near(name)
	}
	if text == "" {
		text = "No module named '" + name + "'"
	}
	return Unbound, th.notFound(name, text)
}

func (th *Thread) loaded(m *Module, err error) (Value, error) {
	if err != nil {
		return Unbound, err
	}
	if v, ok := th.Interp.Modules.GetStr(m.Name); ok {
		return v, nil // the module may have replaced itself
	}
	return m.Value(), nil
}

func (th *Thread) loadNative(name string, def *ModuleDef) (Value, error) {
	m, err := NewNativeModule(th, def)
	if err != nil {
		return Unbound, err
	}
	th.Interp.Modules.PutStr(name, m.Value())
	return m.Value(), nil
}

// searchPath are the folders of a package.
func (m *Module) searchPath() []string {
	v, ok := m.dict.getStr(namePath)
	if !ok {
		return nil
	}
	var out []string
	items, _ := Sequence(v)
	for _, h := range items {
		if s, ok := AsStr(h.Value()); ok {
			out = append(out, s.s)
		}
	}
	return out
}

// loadFile looks for base in folders: a package, then a module file.
func (th *Thread) loadFile(name, base string, dirs []string) (*Module, error) {
	files := th.Interp.Host.Files
	if files == nil {
		return nil, nil
	}
	for _, dir := range dirs {
		for _, ext := range []string{".tfs", ".py"} {
			for _, try := range []struct {
				file, pkg string
			}{{path.Join(dir, base, "__init__"+ext), path.Join(dir, base)}, {path.Join(dir, base+ext), ""}} {
				text, err := readFile(files, try.file)
				if errors.Is(err, fs.ErrNotExist) {
					continue
				}
				if err != nil {
					if isNotDir(err) {
						continue
					}
					return nil, th.Raise(ImportError, "%s", err)
				}
				return th.runModule(name, &Script{Text: func() string { return text }, File: try.file, Package: try.pkg != ""}, try.pkg)
			}
		}
	}
	return nil, nil
}

func isNotDir(err error) bool { return strings.Contains(err.Error(), "not a directory") }

// ReadFile is the text of a file that scripts see.
func (in *Interp) ReadFile(name string) (string, error) {
	if in.Host.Files == nil {
		return "", &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return readFile(in.Host.Files, name)
}

func readFile(files Files, name string) (string, error) {
	f, err := files.OpenFile(name, 0, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var b strings.Builder
	buf := make([]byte, 64<<10)
	for {
		n, err := f.Read(buf)
		b.Write(buf[:n])
		if err != nil || n == 0 {
			if err != nil && err.Error() != "EOF" {
				return "", err
			}
			return b.String(), nil
		}
	}
}

// runModule runs a module; a failed one is forgotten.
func (th *Thread) runModule(name string, s *Script, pkgDir string) (*Module, error) {
	m := NewModule(name)
	m.File = s.File
	m.dict.PutStr("__file__", NewStr(s.File))
	owner := name
	if s.Package {
		m.dict.PutStr("__path__", NewList(NewStr(pkgDir)))
	} else if i := strings.LastIndexByte(name, '.'); i >= 0 {
		owner = name[:i]
	} else {
		owner = ""
	}
	m.dict.PutStr("__package__", NewStr(owner))
	m.dict.PutStr("__builtins__", th.Interp.Builtins.Value())
	th.Interp.Modules.PutStr(name, m.Value())
	defer th.importing(name)()
	var err error
	if s.Code != "" {
		err = th.runScript(m, s)
	} else {
		err = th.RunSource(m, s.Text(), s.File)
	}
	if err != nil {
		th.Interp.Modules.DelStr(name)
		return nil, err
	}
	return m, nil
}

// RunSource compiles text and runs it in module m.
func (th *Thread) RunSource(m *Module, text, file string) error {
	c, err := th.CompileModule(text, file)
	if err != nil {
		return err
	}
	_, err = th.RunCode(c, m.dict, Unbound)
	return err
}

// MainModule makes the module __main__.
func (in *Interp) MainModule(file string) *Module {
	m := NewModule("__main__")
	m.File = file
	if file != "" {
		m.dict.PutStr("__file__", NewStr(file))
	}
	m.dict.PutStr("__builtins__", in.Builtins.Value())
	m.dict.PutStr("__annotations__", newDict().Value())
	in.Modules.PutStr("__main__", m.Value())
	return m
}

func opImportFrom(ci *Frame, in *Instr) (Value, error) {
	th := ci.th
	m := *ci.slot(in.B)
	name := ci.code.names[in.K]
	v, err := GetAttr(th, m, name)
	if err == nil || !Matches(err, AttributeError) {
		return v, err
	}
	mod, ok := AsModule(m)
	if !ok {
		return Unbound, th.Raise(ImportError, "cannot import name '%s' from '<unknown module name>' (unknown location)", name.s)
	}
	if v, ok := th.Interp.Modules.GetStr(mod.Name + "." + name.s); ok {
		return v, nil
	}
	return Unbound, th.cannotImport(mod, name.s, err)
}

func (th *Thread) cannotImport(mod *Module, name string, cause error) error {
	text := ""
	if mod.def != nil && mod.def.Missing != nil {
		text = mod.def.Missing(name)
	}
	if text == "" {
		where := "unknown location"
		if mod.File != "" {
			where = mod.File
		}
		text = "cannot import name '" + name + "' from '" + mod.Name + "' (" + where + ")" + th.notYet(mod, name)
	}
	e := NewException(ImportError, NewStr(text))
	path := None
	if mod.File != "" {
		path = NewStr(mod.File)
	}
	e.Data = []Value{NewStr(mod.Name), path, NewStr(name)}
	return e
}

func opImportStar(ci *Frame, in *Instr) error {
	th := ci.th
	m, ok := AsModule(*ci.slot(in.A))
	if !ok {
		return th.Raise(ImportError, "cannot import * from a non-module")
	}
	ns := ci.code.globals
	if d, ok := AsDict(ci.ns); ok {
		ns = d
	}
	if all, ok := m.dict.getStr(nameAll); ok {
		names, err := ToSlice(th, all)
		if err != nil {
			return err
		}
		for _, h := range names {
			s, ok := AsStr(h.Value())
			if !ok {
				return th.TypeErrorf("Item in %s.__all__ must be str, not %s", m.Name, TypeName(h.Value()))
			}
			v, err := GetAttr(th, m.Value(), s)
			if err != nil {
				return err
			}
			ns.putStr(s.intern(), v)
		}
		return nil
	}
	for _, n := range DirNames(th, m.Value()) {
		if strings.HasPrefix(n, "_") {
			continue
		}
		v, err := Attr(th, m.Value(), n)
		if err != nil {
			return err
		}
		ns.PutStr(n, v)
	}
	return nil
}
