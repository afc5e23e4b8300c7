package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

func funcRepr(th *Thread, v Value) (Value, error) {
	f := (*Func)(v.P)
	return NewStr("<function " + f.Qualname.s + " at " + Address(v) + ">"), nil
}

func boundRepr(th *Thread, v Value) (Value, error) {
	b := (*Bound)(v.P)
	if n, ok := AsNative(b.Fn); ok {
		if c, ok := AsClass(b.Self); ok {
			return NewStr("<built-in method " + n.Name.s + " of type object at " + Address(c.Value()) + ">"), nil
		}
		if ClassOf(b.Fn) == WrapperDescrClass {
			return NewStr("<method-wrapper '" + n.Name.s + "' of " + TypeName(b.Self) + " object at " + Address(b.Self) + ">"), nil
		}
		return NewStr("<built-in method " + n.Name.s + " of " + TypeName(b.Self) + " object at " + Address(b.Self) + ">"), nil
	}
	s, err := Repr(th, b.Self)
	name := "?"
	if f, ok := AsFunc(b.Fn); ok {
		name = f.Qualname.s
	} else if q, found, _ := AttrOr(th, b.Fn, "__qualname__"); found {
		if t, ok := AsStr(q); ok {
			name = t.s
		}
	}
	return NewStr("<bound method " + name + " of " + s + ">"), err
}

func nativeHash(th *Thread, v Value) (int64, error) {
	if v.Kind() == value.KindBound {
		return boundHash(th, v)
	}
	return HashIdentity(v), nil
}

// nativeGetAttr is the look-up of built-in functions and of bound built-in methods.
func nativeGetAttr(th *Thread, v Value, name *Str) (Value, error) {
	if v.Kind() == value.KindBound {
		return boundGetAttr(th, v, name)
	}
	return GenericGetAttr(th, v, name)
}

func compareBound(th *Thread, op CompareOp, a, b Value) (Value, error) {
	x, ok := AsBound(a)
	if !ok {
		return NotImplemented, nil
	}
	y, ok := AsBound(b)
	if !ok || op != EQ && op != NE {
		return NotImplemented, nil
	}
	return Bool((x.Self == y.Self && x.Fn == y.Fn) == (op == EQ)), nil
}

func boundHash(th *Thread, v Value) (int64, error) {
	b := (*Bound)(v.P)
	return notMinusOne(HashIdentity(b.Self) ^ HashIdentity(b.Fn)), nil
}

func boundGetAttr(th *Thread, v Value, name *Str) (Value, error) {
	b := (*Bound)(v.P)
	switch name.s {
	case "__self__":
		return b.Self, nil
	case "__func__":
		if b.Fn.Kind() != value.KindNative {
			return b.Fn, nil
		}
	}
	if n, ok := AsNative(b.Fn); ok && ClassOf(v) != BoundClass {
		if x := nativeAttr(n, b, name.s); !x.IsUnbound() {
			return x, nil
		}
	}
	x, err := genericGet(th, v, name)
	if err != nil || !x.IsUnbound() && name.s != "__doc__" {
		return x, err
	}
	x, err = GetAttr(th, b.Fn, name)
	if Matches(err, AttributeError) {
		err = NoAttribute(th, v, name.s)
	}
	return x, err
}

func nativeRepr(th *Thread, v Value) (Value, error) {
	if v.Kind() == value.KindBound {
		return boundRepr(th, v)
	}
	f := (*NativeFunc)(v.P)
	switch ClassOf(v) {
	case MethodDescrClass:
		return NewStr("<method '" + f.Name.s + "' of '" + f.Class.Name + "' objects>"), nil
	case WrapperDescrClass:
		return NewStr("<slot wrapper '" + f.Name.s + "' of '" + f.Class.Name + "' objects>"), nil
	}
	return NewStr("<built-in function " + f.Name.s + ">"), nil
}

func memberRepr(th *Thread, v Value) (Value, error) {
	if ClassOf(v) == GetSetClass {
		g := (*GetSet)(v.P)
		return NewStr("<attribute '" + g.Name.s + "' of '" + g.Class.Name + "' objects>"), nil
	}
	m := (*Member)(v.P)
	return NewStr("<member '" + m.Name.s + "' of '" + m.Class.Name + "' objects>"), nil
}

func classRepr(th *Thread, v Value) (Value, error) {
	return NewStr("<class '" + (*Class)(v.P).FullName() + "'>"), nil
}

func moduleRepr(th *Thread, v Value) (Value, error) {
	m := (*Module)(asKind(v, value.KindModule))
	name := m.Name
	if s, ok := m.dict.getStr(nameName); ok {
		if t, ok := AsStr(s); ok {
			name = t.s
		}
	}
	if m.File != "" {
		f, _ := Repr(th, NewStr(m.File))
		return NewStr("<module '" + name + "' from " + f + ">"), nil
	}
	if m.def == nil && name != "builtins" { // made by a script
		return NewStr("<module '" + name + "'>"), nil
	}
	return NewStr("<module '" + name + "' (built-in)>"), nil
}

func cellRepr(th *Thread, v Value) (Value, error) {
	c := (*Cell)(v.P)
	if c.v.IsUnbound() {
		return NewStr("<cell at " + Address(v) + ": empty>"), nil
	}
	return NewStr("<cell at " + Address(v) + ": " + TypeName(c.v) + " object at " + Address(c.v) + ">"), nil
}

// CodeObject is a code object as a script sees it.
type CodeObject struct {
	Header
	C *code.Code
}

// object is the code object of l, always the same one.
func (l *Linked) object() Value {
	if l.ref == nil {
		l.code.Load()
		l.ref = (*CodeObject)(CodeValue(l.code).P)
	}
	return objOf(&l.ref.Header)
}

// CodeValue is the script value of a code object.
func CodeValue(c *code.Code) Value {
	return obj(unsafe.Pointer(&CodeObject{head(CodeClass, value.KindCode), c}))
}
