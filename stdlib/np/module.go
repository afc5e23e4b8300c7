package np

import (
	"embed"
	"strings"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/stdlib/script"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

//go:generate go run ../script/gen

//go:embed all:lib all:compiled
var lib embed.FS

var scripts = script.Library{Texts: script.Folder{FS: lib}, Codes: lib, File: "<tfs>/", Ext: ".py"}

// Native is the definition of a module in Go, nil if there is none.
func Native(name string) *lang.ModuleDef {
	switch name {
	case "numpy":
		return numpyDef()
	case "numpy.linalg":
		return linalgDef()
	case "numpy.fft":
		return fftDef()
	case "numpy.random":
		return randomDef()
	case "numpy._native":
		return nativeDef()
	}
	return nil
}

// Source finds a module in script, nil for none.
func Source(name string) *lang.Script { return scripts.Find(name) }

// Scripts are the modules in script: for tests and tools.
func Scripts() *script.Library { return &scripts }

// subModules are reached as attributes of numpy, imported on first use.
var subModules = map[string]bool{"linalg": true, "fft": true, "random": true, "testing": true, "char": true, "strings": true, "lib": true, "exceptions": true, "typing": true}

// fromScript finds attributes in a module in script.
func fromScript(module string) func(*lang.Thread, *lang.Module, string) (Value, error) {
	return func(th *lang.Thread, _ *lang.Module, name string) (Value, error) {
		if strings.HasPrefix(name, "_") || name == "np" || name == "operator" || name == "namedtuple" {
			return lang.Unbound, nil
		}
		m, err := th.Import(module)
		if err != nil {
			return lang.Unbound, err
		}
		mod, ok := lang.AsModule(m)
		if !ok {
			return lang.Unbound, nil
		}
		return mod.Get(th, name)
	}
}

func numpyDef() *lang.ModuleDef {
	defs := append(creation(), shapes()...)
	defs = append(defs, mathRows()...)
	defs = append(defs, moduleReductions()...)
	defs = append(defs, typeRows()...)
	script := fromScript("numpy._script")
	return &lang.ModuleDef{Name: "numpy", Defs: defs, Missing: missing,
		Init: func(_ *lang.Thread, m *lang.Module) error {
			constants(m)
			names(m)
			return nil
		},
		GetAttr: func(th *lang.Thread, m *lang.Module, name string) (Value, error) {
			if u := ufuncObjects[name]; u != nil {
				return u.Value(), nil
			}
			if subModules[name] {
				return of(th).subModule(name)
			}
			return script(th, m, name)
		}}
}

// subModule imports a part of numpy. The import asks numpy for the attribute
// first, which must then not be there yet.
func (s *state) subModule(name string) (Value, error) {
	if s.loading[name] {
		return lang.Unbound, nil
	}
	if s.loading == nil {
		s.loading = map[string]bool{}
	}
	s.loading[name] = true
	defer delete(s.loading, name)
	return s.th.Import("numpy." + name)
}

// names sets classes and their aliases.
func names(m *lang.Module) {
	m.Set("ndarray", ArrayClass.Value())
	m.Set("dtype", DTypeClass.Value())
	m.Set("ufunc", UFuncClass.Value())
	m.Set("flatiter", flatClass.Value())
	for _, c := range []*lang.Class{Generic, Number, Integer, SignedInteger, UnsignedInteger, Inexact, Floating, ComplexFloating, Flexible, Character} {
		m.Set(c.Name, c.Value())
	}
	for i := range classes {
		if c := classes[i].c; c != BFloat16Class {
			m.Set(c.Name, c.Value())
		}
	}
	for alias, c := range map[string]*lang.Class{"bool_": BoolClass, "byte": Int8Class, "short": Int16Class, "intc": Int32Class, "int_": Int64Class, "intp": Int64Class,
		"long": Int64Class, "longlong": Int64Class, "ubyte": Uint8Class, "ushort": Uint16Class, "uintc": Uint32Class, "uint": Uint64Class, "uintp": Uint64Class,
		"ulong": Uint64Class, "ulonglong": Uint64Class, "half": Float16Class, "single": Float32Class, "double": Float64Class, "csingle": Complex64Class, "cdouble": Complex128Class} {
		m.Set(alias, c.Value())
	}
}

// Value is u as a script value.
func (u *ufunc) Value() Value { return value.Of(&u.Header) }

// typeRows are the functions about types.
func typeRows() []lang.Def {
	rows := []lang.Def{
		{Sig: "can_cast(from_, to, casting='safe')", Fn: fn(func(r *args) (Value, error) {
			from, err := r.s.parseDType(r.a[0])
			if err != nil {
				return lang.Unbound, err
			}
			to, err := r.s.parseDType(r.a[1])
			if err != nil {
				return lang.Unbound, err
			}
			return lang.Bool(ndarray.CanCast(from, to, r.str(2, "safe"))), nil
		})},
		{Sig: "promote_types(type1, type2)", Fn: fn(func(r *args) (Value, error) {
			x, err := r.s.parseDType(r.a[0])
			if err != nil {
				return lang.Unbound, err
			}
			y, err := r.s.parseDType(r.a[1])
			if err != nil {
				return lang.Unbound, err
			}
			t, err := ndarray.Promote(x, y)
			return newDType(t), r.s.err(err)
		})},
		{Sig: "result_type(*arrays_and_dtypes)", Fn: fn(func(r *args) (Value, error) {
			t, _ := lang.AsTuple(r.a[0])
			var ops []ndarray.Operand
			for i := range t.Len() {
				v := t.At(i)
				_, class := lang.AsClass(v)
				_, dt := asDType(v)
				_, str := lang.AsStr(v)
				if class || dt || str {
					d, err := r.s.parseDType(v)
					if err != nil {
						return lang.Unbound, err
					}
					ops = append(ops, ndarray.Operand{Array: ndarray.New(d)})
					continue
				}
				o, err := r.s.operand(v)
				if err != nil {
					return lang.Unbound, err
				}
				ops = append(ops, o)
			}
			if len(ops) == 0 {
				return lang.Unbound, r.s.th.ValueErrorf("at least one array or dtype is required")
			}
			d, err := ndarray.ResultType(ops...)
			return newDType(d), r.s.err(err)
		})},
	}
	for i := range rows {
		rows[i].Flags |= lang.DefPython
	}
	return rows
}

func randomDef() *lang.ModuleDef {
	rows := randomRows("", true)
	rows = append(rows, lang.Def{Sig: "default_rng(seed=None)", Fn: defaultRng})
	return &lang.ModuleDef{Name: "numpy.random", Defs: rows, Init: func(_ *lang.Thread, m *lang.Module) error {
		for _, c := range []*lang.Class{RandomStateClass, GeneratorClass, SeedSequenceClass, BitGeneratorClass, PCG64Class, MT19937Class} {
			m.Set(c.Name, c.Value())
		}
		return nil
	}}
}
