package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// Module is a module object. Its namespace keeps values in cells.
type Module struct {
	Header
	Name string
	File string
	dict *Dict
	def  *ModuleDef
	mu   bool            // an attribute is being made
	rows map[string]*Def // of def, not yet in dict
}

// ModuleDef describes a module in Go. Its functions become objects on first use.
type ModuleDef struct {
	Name string
	Doc  string
	Defs []Def
	// Init fills what the rows don't: constants, classes. It runs at the import.
	Init func(th *Thread, m *Module) error
	// GetAttr makes an attribute on first use (the tf tree); Unbound for none. What it returns is kept in the namespace.
	GetAttr func(th *Thread, m *Module, name string) (Value, error)
	// Dir lists the names that GetAttr would make.
	Dir func() []string
	// Missing words the AttributeError of a name that is not there; "" for Python's.
	Missing func(name string) string
	// Nearest is what a traceback proposes instead of name, "" for nothing; without it the most similar name of dir().
	Nearest func(name string) string
}

// NewModule makes an empty module with __name__ set.
func NewModule(name string) *Module {
	m := &Module{Header: head(ModuleClass, value.KindModule), Name: name, dict: NewBindings()}
	m.dict.PutStr("__name__", NewStr(name))
	m.dict.PutStr("__doc__", None)
	m.dict.PutStr("__package__", None)
	m.dict.PutStr("__loader__", None)
	m.dict.PutStr("__spec__", None)
	return m
}

// NewNativeModule makes the module of a definition and runs its Init.
func NewNativeModule(th *Thread, def *ModuleDef) (*Module, error) {
	m := NewModule(def.Name)
	m.def = def
	if def.Doc != "" {
		m.dict.PutStr("__doc__", NewStr(def.Doc))
	}
	m.rows = make(map[string]*Def, len(def.Defs))
	for i := range def.Defs {
		m.rows[def.Defs[i].name()] = &def.Defs[i]
	}
	if def.Init != nil {
		if err := def.Init(th, m); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Value is m as a script value.
func (m *Module) Value() Value { return obj(unsafe.Pointer(m)) }

// Dict is the namespace; names made on first use may not stand in it yet.
func (m *Module) Dict() *Dict { return m.dict }

// Complete makes all functions of the module's table, for dir() and star imports.
func (m *Module) Complete() {
	if m.def == nil {
		return
	}
	for i := range m.def.Defs {
		m.row(m.def.Defs[i].name())
	}
}

func (m *Module) row(name string) (Value, bool) {
	d := m.rows[name]
	if d == nil {
		return Unbound, false
	}
	delete(m.rows, name)
	f := &NativeFunc{Header: head(NativeClass, value.KindNative), Def: d, Name: Intern(name), Mod: NewStr(m.Name)}
	m.dict.PutStr(name, f.Value())
	return f.Value(), true
}

// Set stores an attribute: for Init.
func (m *Module) Set(name string, v Value) { m.dict.PutStr(name, v) }

// Get is an attribute, made now if it comes on first use; Unbound when there is none.
func (m *Module) Get(th *Thread, name string) (Value, error) {
	if v, ok := m.dict.GetStr(name); ok {
		return v, nil
	}
	if v, ok := m.row(name); ok {
		return v, nil
	}
	if m.def != nil && m.def.GetAttr != nil {
		v, err := m.def.GetAttr(th, m, name)
		if err != nil || v.IsUnbound() {
			return Unbound, err
		}
		m.dict.PutStr(name, v)
		return v, nil
	}
	return Unbound, nil
}
