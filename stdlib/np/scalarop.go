package np

import (
	"math/big"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor/format"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// scalarWithObject handles a scalar beside something that is no number: strings
// follow Python's str, sequences are repeated or become arrays.
func (s *state) scalarWithObject(op lang.BinaryOp, a, b Value) (Value, bool, error) {
	text := 0
	for _, v := range [2]Value{a, b} {
		switch lang.Payload(v).Kind() {
		case value.KindStr, value.KindBytes:
			text++
		case value.KindNone, value.KindDict, value.KindSet, value.KindFunc, value.KindModule, value.KindClass, value.KindUnbound:
			if !isScalar(v) {
				return lang.NotImplemented, true, nil
			}
		}
	}
	if text == 2 || text == 1 && op == code.OpMul {
		if x, y := plainText(a), plainText(b); !isScalar(x) && !isScalar(y) {
			r, err := lang.BinaryOperation(s.th, op, x, y)
			return r, true, err
		}
	}
	// "ab" * np.int64(2) and [1] * np.int64(2) repeat.
	if op == code.OpMul {
		for _, p := range [2][2]Value{{a, b}, {b, a}} {
			if _, ok := sequence(p[0]); ok && lang.HasIndex(p[1]) {
				n, err := lang.Index(s.th, p[1])
				if err != nil {
					return lang.Unbound, true, err
				}
				r, err := lang.BinaryOperation(s.th, op, p[0], n)
				return r, true, err
			}
		}
	}
	return lang.Unbound, false, nil
}

// plainText is the str or bytes in a NumPy scalar; an integer scalar its int.
func plainText(v Value) Value {
	if x, ok := asScalar(v); ok && x.dt.IsInt() {
		a, _ := scalarArray(v)
		return itemAt(a, 0)
	}
	if p := lang.Payload(v); !p.IsUnbound() {
		return p
	}
	return v
}

// quickScalar computes float64 with float64 or Python numbers where nothing can
// go wrong.
func (s *state) quickScalar(op lang.BinaryOp, a, b Value) (Value, bool) {
	x, ok := quickFloat(a)
	if !ok {
		return lang.Unbound, false
	}
	y, ok := quickFloat(b)
	if !ok {
		return lang.Unbound, false
	}
	var r float64
	switch op {
	case code.OpAdd:
		r = x + y
	case code.OpSub:
		r = x - y
	case code.OpMul:
		r = x * y
	case code.OpDiv:
		r = x / y
	default:
		return lang.Unbound, false
	}
	if r-r != 0 {
		return lang.Unbound, false // maybe a warning
	}
	return floatScalar(r), true
}

// quickFloat is a float64 scalar or a Python number as float64.
func quickFloat(v Value) (float64, bool) {
	switch {
	case v.IsFloat():
		return v.Float64(), true
	case v.IsInt():
		return float64(v.Int64()), true
	case lang.ClassOf(v) == Float64Class:
		return lang.Payload(v).Float64(), true
	}
	return 0, false
}

// intOverflow warns when the operation of two integer scalars left their type.
func (s *state) intOverflow(name string, x, y ndarray.Operand, r *ndarray.Array) error {
	if !r.DT.IsInt() || name != "add" && name != "subtract" && name != "multiply" {
		return nil
	}
	a, b := exactInt(x.Array), exactInt(y.Array)
	if a == nil || b == nil {
		return nil
	}
	z := new(big.Int)
	switch name {
	case "add":
		z.Add(a, b)
	case "subtract":
		z.Sub(a, b)
	default:
		z.Mul(a, b)
	}
	if z.Cmp(exactInt(r)) == 0 {
		return nil
	}
	return s.overflow(name)
}

func (s *state) overflow(name string) error {
	switch text := "overflow encountered in scalar " + name; s.c.Err[1] {
	case ndarray.Raise:
		return s.th.Raise(lang.FloatingPointError, "%s", text)
	case ndarray.Warn:
		return s.Warn("RuntimeWarning", text)
	}
	return nil
}

func (s *state) unaryOverflow(name string, x, r *ndarray.Array) error {
	if !x.DT.IsInt() || name != "negative" && name != "absolute" {
		return nil
	}
	a := exactInt(x)
	if name == "negative" {
		a = new(big.Int).Neg(a)
	} else {
		a = new(big.Int).Abs(a)
	}
	if a.Cmp(exactInt(r)) == 0 {
		return nil
	}
	return s.overflow(name)
}

func exactInt(a *ndarray.Array) *big.Int {
	switch {
	case a.DT == ndarray.Uint64:
		return new(big.Int).SetUint64(uint64(a.IntAt(a.Offset())))
	case a.DT.IsInt() || a.DT == ndarray.Bool:
		return big.NewInt(a.IntAt(a.Offset()))
	}
	return nil
}

// compareScalars compares a scalar with what is no number as Python would.
func (s *state) compareScalars(op lang.CompareOp, a, b Value) (Value, bool) {
	x, okx := quickFloat(a)
	y, oky := quickFloat(b)
	if okx && oky && !(a.IsInt() || b.IsInt()) {
		return boolScalar(orderedFloats(op, x, y)), true
	}
	for _, v := range [2]Value{a, b} {
		if _, ok := sequence(v); ok || isNumber(v) {
			continue
		}
		if k := lang.Payload(v).Kind(); k == value.KindStr || k == value.KindBytes {
			if _, own := asScalar(a); !own {
				if _, own := asScalar(b); !own {
					r, err := lang.Compare(s.th, op, lang.Payload(a), lang.Payload(b))
					if err == nil && r.IsBool() {
						return boolScalar(r.Truth()), true
					}
				}
			}
		}
		return lang.NotImplemented, true
	}
	return lang.Unbound, false
}

func orderedFloats(op lang.CompareOp, x, y float64) bool {
	switch op {
	case lang.LT:
		return x < y
	case lang.LE:
		return x <= y
	case lang.GT:
		return x > y
	case lang.GE:
		return x >= y
	case lang.EQ:
		return x == y
	}
	return x != y
}

func scalarRepr(th *lang.Thread, v Value) (Value, error) {
	a, _ := scalarArray(v)
	s := of(th)
	switch a.DT.K {
	case ndarray.Str:
		t, _ := lang.AsStr(v)
		return lang.NewStr("np.str_(" + format.StrRepr(t.String()) + ")"), nil
	case ndarray.Bytes:
		t, _ := lang.AsBytes(v)
		return lang.NewStr("np.bytes_(" + format.BytesRepr([]byte(t.B)) + ")"), nil
	}
	return lang.NewStr(format.ScalarRepr(s.format(a))), nil
}

func scalarStr(th *lang.Thread, v Value) (Value, error) {
	a, _ := scalarArray(v)
	switch a.DT.K {
	case ndarray.Str, ndarray.Bytes:
		t, err := lang.StrOf(th, lang.Payload(v))
		return lang.NewStr(t), err
	}
	s := of(th)
	return lang.NewStr(format.ScalarStr(s.format(a), s.print)), nil
}

func scalarItem(v Value) Value {
	a, _ := scalarArray(v)
	return itemAt(a, a.Offset())
}

func scalarHash(th *lang.Thread, v Value) (int64, error) { return lang.Hash(th, scalarItem(v)) }

func scalarTruth(th *lang.Thread, v Value) (bool, error) {
	if x, ok := asScalar(v); ok && x.dt == ndarray.Bool {
		return x.bits[0] != 0, nil
	}
	return lang.Truth(th, scalarItem(v))
}

func scalarInt(th *lang.Thread, v Value) (Value, error) {
	return th.Call(lang.IntClass.Value(), []Value{scalarItem(v)})
}

func scalarFloat(th *lang.Thread, v Value) (float64, error) {
	x := scalarItem(v)
	if x.IsFloat() {
		return x.Float64(), nil
	}
	if z, ok := lang.AsComplex(x); ok && x.Kind() == value.KindComplex {
		err := of(th).Warn("ComplexWarning", "Casting complex values to real discards the imaginary part")
		return real(z), err
	}
	return lang.FloatOf(th, x)
}

func scalarIndex(th *lang.Thread, v Value) (Value, error) { return scalarItem(v), nil }

func scalarFormat(th *lang.Thread, v Value, spec string) (string, error) {
	x := scalarItem(v)
	if sc, ok := asScalar(v); ok && (sc.dt == ndarray.Bool || spec == "" && !sc.dt.IsFloat() && !sc.dt.IsComplex()) {
		if sc.dt == ndarray.Bool && spec != "" {
			return lang.Format(th, lang.NewStr(boolName(sc.bits[0] != 0)), spec)
		}
		return lang.StrOf(th, v)
	}
	return lang.Format(th, x, spec)
}

func boolName(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func scalarGetItem(th *lang.Thread, v, key Value) (Value, error) {
	if t, ok := lang.AsTuple(key); ok && t.Len() == 0 {
		return v, nil
	}
	if key == lang.Ellipsis || key.IsNone() {
		a, _ := scalarArray(v)
		return arrayGetItem(th, a.Value(), key)
	}
	return lang.Unbound, th.Raise(lang.IndexError, "invalid index to scalar variable.")
}

// scalarNew makes the __new__ of a scalar type: np.float32(x); a sequence gives an array.
func scalarNew(c *lang.Class, dt ndarray.DType) *lang.Def {
	return &lang.Def{Sig: "__new__(cls, x=..., /)", Fn: func(th *lang.Thread, a []Value) (Value, error) {
		s := of(th)
		if a[1].IsUnbound() {
			d := dt
			if d.IsText() {
				d.W = 1
			}
			return scalarAt(ndarray.New(d), 0), nil
		}
		if dt.IsText() {
			return s.newText(dt, a[1])
		}
		x, ok, err := s.arrayLike(a[1])
		if err != nil {
			return lang.Unbound, err
		}
		if _, seq := sequence(a[1]); ok || seq {
			if !ok {
				if x, err = s.asArray(a[1]); err != nil {
					return lang.Unbound, err
				}
			}
			return s.castScalar(x, dt, a[0])
		}
		y := ndarray.New(dt)
		if err := s.Store(y, 0, a[1]); err != nil {
			return lang.Unbound, err
		}
		return subclassed(a[0], scalarAt(y, 0)), nil
	}}
}

func (s *state) castScalar(x *ndarray.Array, dt ndarray.DType, cls Value) (Value, error) {
	y, err := s.c.Cast(x, dt)
	v, err := s.value(y, err)
	return subclassed(cls, v), err
}

// subclassed gives an instance-like scalar the script's subclass.
func subclassed(cls, v Value) Value {
	c, ok := lang.AsClass(cls)
	if !ok || !c.IsScript() {
		return v
	}
	if p := lang.Payload(v); !p.IsUnbound() {
		return lang.NewInstance(c, p)
	}
	return v
}

func (s *state) newText(dt ndarray.DType, v Value) (Value, error) {
	if dt.K == ndarray.Str {
		t, err := lang.StrOf(s.th, v)
		return lang.NewInstance(StrClass, lang.NewStr(t)), err
	}
	t, ok := lang.BytesOf(v)
	if !ok {
		t = s.Text(v)
	}
	return lang.NewInstance(BytesClass, lang.NewBytes(t)), nil
}

func init() {
	for i := range classes {
		c, dt := classes[i].c, classes[i].dt
		c.Repr, c.Str = scalarRepr, scalarStr
		if c == ObjectClass {
			continue
		}
		c.New = scalarNew(c, dt)
		if dt.IsText() {
			c.Compare = payloadCompare
			continue
		}
		c.Hash, c.Truth = scalarHash, scalarTruth
		c.Binary, c.Unary, c.Compare, c.InPlace = binary, unary, compare, nil
		c.Int, c.Float, c.Format, c.GetItem = scalarInt, scalarFloat, scalarFormat, scalarGetItem
		if dt.IsInt() {
			c.Index = scalarIndex
		}
		c.Flags &^= lang.ClassNoNew
	}
	BFloat16Class.Repr = scalarStr
}

// payloadCompare compares np.str_ as the str inside.
func payloadCompare(th *lang.Thread, op lang.CompareOp, a, b Value) (Value, error) {
	x, y := lang.Payload(a), lang.Payload(b)
	if isArray(a) || isArray(b) {
		return lang.NotImplemented, nil
	}
	if x.IsUnbound() || y.IsUnbound() {
		return lang.NotImplemented, nil
	}
	return lang.Compare(th, op, x, y)
}
