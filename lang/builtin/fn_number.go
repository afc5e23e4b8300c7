package builtin

import (
	"math/big"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
)

func fnAbs(th *Thread, a []Value) (Value, error) {
	return lang.UnaryOperation(th, lang.OpAbs, a[0])
}

func fnRound(th *Thread, a []Value) (Value, error) {
	v := a[0]
	switch {
	case v.IsFloat():
		return floatRound(th, a)
	case v.IsInt():
		if a[1].IsNone() {
			return v, nil
		}
		return intRound(th, a)
	}
	if lang.ClassOf(v).Lookup("__round__").IsUnbound() {
		return fail(th.TypeErrorf("type %s doesn't define __round__ method", lang.TypeName(v)))
	}
	if a[1].IsNone() {
		return th.CallMethod(v, "__round__")
	}
	return th.CallMethod(v, "__round__", a[1])
}

func fnDivmod(th *Thread, a []Value) (Value, error) {
	return lang.BinaryOperation(th, lang.OpDivmod, a[0], a[1])
}

func fnPow(th *Thread, a []Value) (Value, error) {
	if a[2].IsNone() {
		return lang.BinaryOperation(th, lang.OpPow, a[0], a[1])
	}
	x, ok1 := lang.AsBig(a[0])
	y, ok2 := lang.AsBig(a[1])
	m, ok3 := lang.AsBig(a[2])
	if !ok1 || !ok2 || !ok3 {
		if f := lang.ClassOf(a[0]).Lookup("__pow__"); lang.ClassOf(a[0]).IsScript() && !f.IsUnbound() {
			return th.CallMethod(a[0], "__pow__", a[1], a[2])
		}
		for _, v := range a {
			if f := lang.ClassOf(v).PowMod; f != nil {
				if r, err := f(th, a[0], a[1], a[2]); err != nil || !r.IsNotImplemented() {
					return r, err
				}
			}
		}
		if _, ok := lang.AsComplex(a[0]); ok {
			return fail(th.ValueErrorf("complex modulo"))
		}
		if lang.IsFloatValue(a[0]) || lang.IsFloatValue(a[1]) || ok1 && ok2 {
			return fail(th.TypeErrorf("pow() 3rd argument not allowed unless all arguments are integers"))
		}
		return fail(th.TypeErrorf("unsupported operand type(s) for ** or pow(): '%s', '%s', '%s'",
			lang.TypeName(a[0]), lang.TypeName(a[1]), lang.TypeName(a[2])))
	}
	return PowMod(th, x, y, m)
}

// PowMod is pow(x, y, m) on ints.
func PowMod(th *Thread, x, y, m *big.Int) (Value, error) {
	if m.Sign() == 0 {
		return fail(th.ValueErrorf("pow() 3rd argument cannot be 0"))
	}
	mod := new(big.Int).Abs(m)
	base, exp := x, y
	if y.Sign() < 0 {
		base = new(big.Int).ModInverse(new(big.Int).Mod(x, mod), mod)
		if base == nil {
			return fail(th.ValueErrorf("base is not invertible for the given modulus"))
		}
		exp = new(big.Int).Neg(y)
	}
	r := new(big.Int).Exp(base, exp, mod)
	r.Mod(r, mod)
	if m.Sign() < 0 && r.Sign() != 0 {
		r.Add(r, m)
	}
	return lang.BigInt(r), nil
}

func fnChr(th *Thread, a []Value) (Value, error) {
	x, err := lang.Index(th, a[0])
	if err != nil {
		return fail(err)
	}
	i, ok := lang.AsInt(x)
	if !ok || int64(int32(i)) != i {
		return fail(th.Raise(lang.OverflowError, "Python int too large to convert to C int"))
	}
	if i < 0 || i > 0x10ffff {
		return fail(th.ValueErrorf("chr() arg not in range(0x110000)"))
	}
	return lang.NewStr(format.EncodeRune(rune(i))), nil
}

func fnOrd(th *Thread, a []Value) (Value, error) {
	if s, ok := lang.AsStr(a[0]); ok {
		if s.Len() != 1 {
			return fail(th.TypeErrorf("ord() expected a character, but string of length %d found", s.Len()))
		}
		r, _ := lang.DecodeRune(s.String())
		return lang.Int(int64(r)), nil
	}
	if b, ok := lang.BytesOf(a[0]); ok {
		if len(b) != 1 {
			return fail(th.TypeErrorf("ord() expected a character, but string of length %d found", len(b)))
		}
		return lang.Int(int64(b[0])), nil
	}
	return fail(th.TypeErrorf("ord() expected string of length 1, but %s found", lang.TypeName(a[0])))
}

func inBase(base int, prefix string) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		b, err := bigArg(th, a[0])
		if err != nil {
			return fail(err)
		}
		if b.Sign() < 0 {
			return lang.NewStr("-" + prefix + new(big.Int).Neg(b).Text(base)), nil
		}
		return lang.NewStr(prefix + b.Text(base)), nil
	}
}

func fnHash(th *Thread, a []Value) (Value, error) {
	h, err := lang.Hash(th, a[0])
	return lang.Int(h), err
}

func fnID(th *Thread, a []Value) (Value, error) {
	v := a[0]
	if v.IsInt() || v.IsFloat() || v.IsBool() {
		// Immediates have no address; equal ones are identical.
		h, _ := lang.Hash(th, v)
		return lang.Int(0x7f0000000000 + (h&0xffffffff)*32), nil
	}
	return lang.Int(int64(uintptr(v.P))), nil
}
