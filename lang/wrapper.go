package lang

import "github.com/tfs-lang/tfs/lang/value"

func wrapHash(c *Class) Native {
	if c.Hash == nil {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) { h, err := c.Hash(th, a[0]); return Int(h), err }
}

func wrapLen(c *Class) Native {
	if c.Len == nil {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) { n, err := c.Len(th, a[0]); return Int(int64(n)), err }
}

func wrapTruth(c *Class) Native {
	if c.Truth == nil {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) { t, err := c.Truth(th, a[0]); return Bool(t), err }
}

func wrapNext(c *Class) Native {
	if c.Next == nil {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) {
		v, ok, err := c.Next(th, a[0])
		if err == nil && !ok {
			return Unbound, th.Stop()
		}
		return v, err
	}
}

// Stop is the StopIteration for an iterator that has just ended.
func (th *Thread) Stop() error {
	if th.StopValue.IsNone() {
		return NewException(StopIteration)
	}
	return NewException(StopIteration, th.StopValue)
}

func wrapGetItem(c *Class) Native {
	if c.GetItem == nil {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) { return c.GetItem(th, a[0], a[1]) }
}

func wrapSetItem(c *Class) Native {
	if c.SetItem == nil {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) { return None, c.SetItem(th, a[0], a[1], a[2]) }
}

func wrapDelItem(c *Class) Native {
	if c.DelItem == nil {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) { return None, c.DelItem(th, a[0], a[1]) }
}

func wrapContains(c *Class) Native {
	if c.Contains == nil {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) { t, err := c.Contains(th, a[0], a[1]); return Bool(t), err }
}

// SplitArgs turns the slots of *args and **kwargs into the form that Call takes.
func SplitArgs(args, kw Value) ([]Value, []*Str) {
	out := Values((*Tuple)(args.P).items)
	var names []*Str
	d := (*Dict)(kw.P)
	for at := 0; ; {
		k, v, next, ok := d.Entry(at)
		if !ok {
			return out, names
		}
		at = next
		s, _ := AsStr(k)
		names = append(names, s)
		out = append(out, v)
	}
}

func wrapCall(c *Class) Native {
	if c.Call == nil {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) {
		args, names := SplitArgs(a[1], a[2])
		if c == TypeClass {
			return th.construct((*Class)(a[0].P), args, names)
		}
		return c.Call(th, a[0], args, names)
	}
}

func wrapNew(c *Class) Native {
	if c.New == nil && c.Flags&ClassException == 0 {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) {
		sub, ok := AsClass(a[0])
		if !ok {
			return Unbound, th.TypeErrorf("%s.__new__(X): X is not a type object (%s)", c.Name, TypeName(a[0]))
		}
		if !sub.IsSub(c) {
			return Unbound, th.TypeErrorf("%s.__new__(%s): %s is not a subtype of %s", c.Name, sub.Name, sub.Name, c.Name)
		}
		for _, m := range sub.MRO {
			if m == c {
				break
			}
			if !m.script && m.New != nil {
				return Unbound, th.TypeErrorf("%s.__new__(%s) is not safe, use %s.__new__()", c.Name, sub.Name, m.Name)
			}
		}
		args, names := SplitArgs(a[1], a[2])
		return th.builtinNew(sub, args, names)
	}
}

func wrapInit(c *Class) Native {
	if c.Init == nil && c.Flags&ClassException == 0 {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) {
		args, names := SplitArgs(a[1], a[2])
		if c.Init == nil {
			e, _ := AsException(a[0])
			if len(names) > 0 {
				return Unbound, th.TypeErrorf("%s() takes no keyword arguments", TypeName(a[0]))
			}
			e.Args = makeTuple(args)
			return None, nil
		}
		return c.Init.callAs(th, c, a[0], args, names)
	}
}

func wrapGetAttr(c *Class) Native {
	if c.GetAttr == nil {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) {
		name, err := attrName(th, a[1])
		if err != nil {
			return Unbound, err
		}
		return c.GetAttr(th, a[0], name)
	}
}

func wrapSetAttr(c *Class) Native {
	if c.SetAttr == nil {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) {
		name, err := attrName(th, a[1])
		if err != nil {
			return Unbound, err
		}
		return None, c.SetAttr(th, a[0], name, a[2])
	}
}

func wrapDelAttr(c *Class) Native {
	if c.SetAttr == nil {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) {
		name, err := attrName(th, a[1])
		if err != nil {
			return Unbound, err
		}
		return None, c.SetAttr(th, a[0], name, Unbound)
	}
}

func wrapDescrGet(c *Class) Native {
	if c.DescrGet == nil {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) {
		o, owner := a[1], ClassOf(a[1])
		if o.IsNone() {
			o = Unbound
		}
		if x, ok := AsClass(a[2]); ok {
			owner = x
		} else if o.IsUnbound() {
			return Unbound, th.TypeErrorf("__get__(None, None) is invalid")
		}
		return c.DescrGet(th, a[0], o, owner)
	}
}

func wrapDescrSet(c *Class) Native {
	if c.DescrSet == nil {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) { return None, c.DescrSet(th, a[0], a[1], a[2]) }
}

func wrapDescrDel(c *Class) Native {
	if c.DescrSet == nil {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) { return None, c.DescrSet(th, a[0], a[1], Unbound) }
}

func wrapFormat(c *Class) Native {
	if c.Format == nil {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) {
		spec, ok := AsStr(a[1])
		if !ok {
			return Unbound, th.TypeErrorf("__format__() argument must be str, not %s", TypeName(a[1]))
		}
		s, err := c.Format(th, a[0], spec.s)
		return NewStr(s), err
	}
}

func wrapFloat(c *Class) Native {
	if c.Float == nil && c != IntClass && c != FloatClass {
		return nil
	}
	return func(th *Thread, a []Value) (Value, error) {
		f, err := FloatOf(th, payloadNumber(a[0]))
		return Float(f), err
	}
}

func payloadNumber(v Value) Value {
	if n := number(v); !n.IsUnbound() {
		return n
	}
	return v
}

func wrapCompare(op CompareOp, name string) wrapper {
	return wrapper{name + "(self, value, /)", func(c *Class) Native {
		if c.Compare == nil {
			return nil
		}
		if c == IntClass || c == BoolClass || c == FloatClass {
			return func(th *Thread, a []Value) (Value, error) {
				if !ownNumber(c, a[1]) {
					return NotImplemented, nil
				}
				return c.Compare(th, op, a[0], a[1])
			}
		}
		return func(th *Thread, a []Value) (Value, error) { return c.Compare(th, op, a[0], a[1]) }
	}}
}

// binaryKinds says which operators the slot of a built-in class knows, for the
// names that its dict shows.
var binaryKinds = map[Kind]string{
	value.KindInt:       "add sub mul truediv floordiv mod pow lshift rshift and or xor divmod",
	value.KindBool:      "and or xor",
	value.KindFloat:     "add sub mul truediv floordiv mod pow divmod",
	value.KindComplex:   "add sub mul truediv pow",
	value.KindStr:       "add mul mod",
	value.KindBytes:     "add mul mod",
	value.KindByteArray: "add mul mod",
	value.KindList:      "add mul",
	value.KindTuple:     "add mul",
	value.KindDict:      "or",
	value.KindSet:       "and or xor sub",
	value.KindFrozenSet: "and or xor sub",
	value.KindClass:     "or",
}

func knows(c *Class, op BinaryOp) bool {
	text, limited := binaryKinds[c.Inst]
	return !limited || containsWord(text, binaryName[op])
}

func containsWord(text, w string) bool { return containsText(" "+text+" ", " "+w+" ") }

func wrapBinary(op BinaryOp, name string, reflected bool) wrapper {
	return wrapper{name + "(self, value, /)", func(c *Class) Native {
		if c.Binary == nil || !knows(c, op) {
			return nil
		}
		if reflected && isSequenceClass(c) && op != OpMul && !(op == OpMod && c.Inst != value.KindList) {
			return nil
		}
		return func(th *Thread, a []Value) (Value, error) {
			x, y := a[0], a[1]
			if (c == IntClass || c == BoolClass || c == FloatClass) && !ownNumber(c, y) {
				return NotImplemented, nil
			}
			if reflected {
				x, y = y, x
			}
			r, err := c.Binary(th, op, x, y, 0)
			if err == nil && r.IsNotImplemented() && isSequenceClass(c) {
				return th.sequenceMethod(op, x, y, r)
			}
			return r, err
		}
	}}
}

// ownNumber reports an operand that the methods of a number class know: those of
// int ints, those of float floats, too.
func ownNumber(c *Class, v Value) bool {
	return IsIntValue(v) || c == FloatClass && IsFloatValue(v)
}

// sequenceMethod is what __add__ and __mul__ of a sequence do with an operand that
// they don't know: they raise, where a number's would ask the other side.
func (th *Thread) sequenceMethod(op BinaryOp, a, b, r Value) (Value, error) {
	if op == OpMul {
		if isSequence(a) {
			a = b
		}
		return Unbound, th.TypeErrorf("'%s' object cannot be interpreted as an integer", TypeName(a))
	}
	if op == OpAdd {
		return Unbound, sequenceError(th, op, a, b)
	}
	return r, nil
}

func isSequenceClass(c *Class) bool {
	switch c.Inst {
	case value.KindStr, value.KindBytes, value.KindByteArray, value.KindList, value.KindTuple:
		return true
	}
	return false
}

func wrapInPlace(op BinaryOp, name string) wrapper {
	return wrapper{"__i" + name + "__(self, value, /)", func(c *Class) Native {
		if c.InPlace == nil || !knows(c, op) || op == OpDivmod {
			return nil
		}
		return func(th *Thread, a []Value) (Value, error) {
			r, err := c.InPlace(th, op, a[0], a[1], 0)
			if err == nil && r.IsNotImplemented() && isSequenceClass(c) {
				return th.sequenceMethod(op, a[0], a[1], r)
			}
			return r, err
		}
	}}
}

func wrapUnary(op UnaryOp, name string) wrapper {
	return wrapper{name + "(self, /)", func(c *Class) Native {
		if c.Unary == nil || op == OpInvert && c.Inst != value.KindInt && c.Inst < value.KindOther {
			return nil
		}
		return func(th *Thread, a []Value) (Value, error) { return c.Unary(th, op, a[0]) }
	}}
}
