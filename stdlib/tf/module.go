package tf

import (
	"slices"
	"strings"
	"sync"

	"github.com/tfs-lang/tfs/lang"
)

// row is one function of the tree, under one or more full names.
type row struct {
	// names are the exports, separated by blanks: "tf.reduce_sum tf.math.reduce_sum".
	names string
	// sig is the signature in Python's syntax; the name in it is the function's.
	sig string
	fn  lang.Native
	doc string
}

// constant is a value of the tree that is no function: a class, a dtype, a number.
type constant struct {
	names string
	make  func(th *lang.Thread) (lang.Value, error)
}

// fixed makes a constant of a value that every interpreter may share.
func fixed(names string, v lang.Value) constant {
	return constant{names, func(*lang.Thread) (lang.Value, error) { return v, nil }}
}

// entry makes the object of a name; objects that several names share are made once
// an interpreter.
type entry struct {
	def    *lang.Def
	make   func(th *lang.Thread) (lang.Value, error)
	script string // the function's name in a library script
	file   string
	id     string // of the shared object
}

// tree is the index of all names: module path → name → entry. It is made once, at
// the first import.
var tree = sync.OnceValue(func() map[string]map[string]*entry {
	b := builder{m: map[string]map[string]*entry{}}
	for _, t := range tables {
		for i := range t {
			r := &t[i]
			d := &lang.Def{Sig: r.sig, Fn: r.fn, Doc: r.doc, Flags: lang.DefPython}
			b.add(r.names, &entry{def: d})
		}
	}
	for _, t := range constants() {
		for _, c := range t {
			b.add(c.names, &entry{make: c.make})
		}
	}
	b.scripts()
	b.generic()
	b.rawOps()
	return b.m
})

type builder struct{ m map[string]map[string]*entry }

// add puts an entry under its names; the first table that has a name wins.
func (b *builder) add(names string, e *entry) {
	for full := range strings.FieldsSeq(names) {
		if e.id == "" {
			e.id = full
		}
		path, name := split(full)
		if b.branch(path)[name] == nil {
			b.branch(path)[name] = e
		}
	}
}

// branch is the table of a module, made with the modules above it.
func (b *builder) branch(path string) map[string]*entry {
	if t := b.m[path]; t != nil {
		return t
	}
	b.m[path] = map[string]*entry{}
	if path != root {
		up, _ := split(path)
		b.branch(up)
	}
	return b.m[path]
}

const root = "tf"

// split cuts "tf.math.log" into "tf.math" and "log".
func split(full string) (path, name string) {
	i := strings.LastIndexByte(full, '.')
	return full[:i], full[i+1:]
}

// moduleName is how Python knows the module of a path: "tensorflow.math".
func moduleName(path string) string { return "tensorflow" + strings.TrimPrefix(path, root) }

// Native is the definition of the module tensorflow or of one of its branches, nil
// for another name.
func Native(name string) *lang.ModuleDef {
	rest, ok := strings.CutPrefix(name, "tensorflow")
	if !ok || rest != "" && rest[0] != '.' {
		return nil
	}
	path := root + rest
	if tree()[path] == nil {
		return nil
	}
	return branchDef(path)
}

// branchDef describes one module of the tree.
func branchDef(path string) *lang.ModuleDef {
	return &lang.ModuleDef{
		Name:    moduleName(path),
		Init:    func(th *lang.Thread, m *lang.Module) error { return initBranch(th, m, path) },
		GetAttr: func(th *lang.Thread, m *lang.Module, name string) (lang.Value, error) { return lookup(th, path, name) },
		Dir:     func() []string { return names(path) },
		Missing: func(name string) string { return missing(path, name) },
		Nearest: func(name string) string { return nearest(path, name) },
	}
}

func initBranch(th *lang.Thread, m *lang.Module, path string) error {
	if path == root {
		m.Set("__version__", lang.NewStr(version))
		return start(th)
	}
	return nil
}

// lookup makes the attribute of a module; Unbound if there is none.
func lookup(th *lang.Thread, path, name string) (lang.Value, error) {
	if e := tree()[path][name]; e != nil {
		return e.object(th)
	}
	if tree()[path+"."+name] != nil {
		return branch(th, path+"."+name)
	}
	return lang.Unbound, nil
}

// branch is a module of the tree, the same object for import and for attribute.
func branch(th *lang.Thread, path string) (lang.Value, error) {
	name := moduleName(path)
	if v, ok := th.Interp.Modules.GetStr(name); ok {
		return v, nil
	}
	m, err := lang.NewNativeModule(th, branchDef(path))
	if err != nil {
		return lang.Unbound, err
	}
	th.Interp.Modules.PutStr(name, m.Value())
	return m.Value(), nil
}

// object is the value of an entry, made at its first use in an interpreter.
func (e *entry) object(th *lang.Thread) (lang.Value, error) {
	made := madeIn(th)
	if v, ok := made[e]; ok {
		return v, nil
	}
	v, err := e.create(th)
	if err == nil {
		made[e] = v.Held().Value()
	}
	return v, err
}

func (e *entry) create(th *lang.Thread) (lang.Value, error) {
	switch {
	case e.def != nil:
		f := lang.NewNative(e.def)
		n, _ := lang.AsNative(f)
		path, _ := split(e.id)
		n.Mod = lang.NewStr(moduleName(path))
		return f, nil
	case e.make != nil:
		return e.make(th)
	}
	return scriptFunction(th, e)
}

// madeIn are the objects of the tree that an interpreter has made.
func madeIn(th *lang.Thread) map[*entry]lang.Value {
	const key = "tensorflow.objects"
	m, ok := th.Interp.Ext[key].(map[*entry]lang.Value)
	if !ok {
		m = map[*entry]lang.Value{}
		th.Interp.Ext[key] = m
	}
	return m
}

// names are the public names of a module.
func names(path string) []string {
	var out []string
	for n := range tree()[path] {
		out = append(out, n)
	}
	for p := range tree() {
		if p != root && strings.HasPrefix(p, path+".") && !strings.Contains(p[len(path)+1:], ".") {
			out = append(out, p[len(path)+1:])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
