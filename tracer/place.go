package tracer

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// Places are where staged names live: registers, cells, globals, and composites
// such as a.b or d['k'].

// get reads places; Unbound stands for undefined.
func get(f *lang.Frame, vs []code.Var) []lang.Value {
	out := make([]lang.Value, len(vs))
	for i := range vs {
		out[i] = read(f, &vs[i])
	}
	return out
}

// set writes places; Unbound makes a place undefined again.
func set(f *lang.Frame, vs []code.Var, vals []lang.Value) {
	for i := range vs {
		write(f, &vs[i], vals[i])
	}
}

func read(f *lang.Frame, v *code.Var) lang.Value {
	switch v.Kind {
	case code.VarSlot:
		return orUnbound(f.Slot(v.Slot))
	case code.VarCell:
		if c := cellIn(f.Slot(v.Slot)); c != nil {
			return orUnbound(c.Get())
		}
		return lang.Unbound
	case code.VarFree:
		return orUnbound(f.FreeCell(int(v.Slot)).Get())
	case code.VarGlobal:
		return orUnbound(f.GlobalCell(v.Name).Get())
	case code.VarName:
		if d, ok := lang.AsDict(f.Namespace()); ok {
			if x, ok := d.GetStr(v.Name); ok {
				return x
			}
		}
		return lang.Unbound
	}
	return follow(f, v, v.Path)
}

func cellIn(v lang.Value) *lang.Cell {
	if v.Kind() == value.KindCell {
		return (*lang.Cell)(v.P)
	}
	return nil
}

// orUnbound reads a cleared register as unbound: its pointer is nil like an int's,
// and so is that of the int 0, which is why only the tag of Unbound counts.
func orUnbound(v lang.Value) lang.Value { return v }

func follow(f *lang.Frame, v *code.Var, path []code.Step) lang.Value {
	o := read(f, v.Root)
	th := f.Thread()
	for i := range path {
		if o.IsUnbound() {
			return o
		}
		var err error
		if s := &path[i]; s.Attr != "" {
			o, err = lang.Attr(th, o, s.Attr)
		} else {
			o, err = lang.GetItem(th, o, key(f, s))
		}
		if err != nil {
			return lang.Unbound
		}
	}
	return o
}

func key(f *lang.Frame, s *code.Step) lang.Value {
	if s.Var != nil {
		return read(f, s.Var)
	}
	return lang.ConstValue(s.Key)
}

func write(f *lang.Frame, v *code.Var, x lang.Value) {
	switch v.Kind {
	case code.VarSlot:
		f.SetSlot(v.Slot, x)
	case code.VarCell:
		if c := cellIn(f.Slot(v.Slot)); c != nil {
			c.Set(x)
		}
	case code.VarFree:
		f.FreeCell(int(v.Slot)).Set(x)
	case code.VarGlobal:
		f.GlobalCell(v.Name).Set(x)
	case code.VarName:
		if d, ok := lang.AsDict(f.Namespace()); ok {
			if x.IsUnbound() {
				d.DelStr(v.Name)
			} else {
				d.PutStr(v.Name, x)
			}
		}
	case code.VarComposite:
		writeComposite(f, v, x)
	}
}

// writeComposite stores into the container at the end of the path; what can't be
// stored is left, as a read of it would have failed already.
func writeComposite(f *lang.Frame, v *code.Var, x lang.Value) {
	th := f.Thread()
	last := &v.Path[len(v.Path)-1]
	o := follow(f, v, v.Path[:len(v.Path)-1])
	switch {
	case o.IsUnbound():
	case last.Attr != "":
		_ = lang.SetAttr(th, o, lang.Intern(last.Attr), x)
	case x.IsUnbound():
		_ = lang.DelItem(th, o, key(f, last))
	default:
		_ = lang.SetItem(th, o, key(f, last), x)
	}
}
