package format

import (
	"math/big"
	"strconv"
	"strings"
)

// MaxIntDigits is how many digits int() and str() convert unless a script asks
// for more; 0 in a limit means no limit.
const MaxIntDigits = 4300

// Int formats a small int.
func (s Spec) Int(i int64, typeName string) (string, *Error) {
	switch s.Type {
	case 0, 'd', 'n':
		if err := s.checkInt(); err != nil {
			return "", err
		}
		text := strconv.FormatInt(i, 10)
		neg := i < 0
		if neg {
			text = text[1:]
		}
		return s.layout(number{sign: s.signOf(neg), digits: text})
	}
	return s.Big(big.NewInt(i), typeName)
}

func (s Spec) checkInt() *Error {
	if s.Precision >= 0 {
		return valueError("Precision not allowed in integer format specifier")
	}
	if s.NoNegZero {
		return valueError("Negative zero coercion (z) not allowed in integer format specifier")
	}
	return nil
}

// Big formats an int of any size.
func (s Spec) Big(i *big.Int, typeName string) (string, *Error) {
	switch s.Type {
	case 0, 'b', 'c', 'd', 'o', 'x', 'X', 'n':
	case 'e', 'E', 'f', 'F', 'g', 'G', '%':
		f, ok := BigFloat(i)
		if !ok {
			return "", overflowError("int too large to convert to float")
		}
		return s.Float(f, typeName)
	default:
		return "", unknownCode(s.Type, typeName)
	}
	if err := s.checkInt(); err != nil {
		return "", err
	}
	if s.Type == 'c' {
		return s.char(i)
	}
	n := number{sign: s.signOf(i.Sign() < 0)}
	base := 10
	switch s.Type {
	case 'b':
		base = 2
	case 'o':
		base = 8
	case 'x', 'X':
		base = 16
	}
	if base == 10 {
		if err := CheckDigits(i, s.MaxDigits); err != nil {
			return "", err
		}
	} else if s.Alt {
		n.prefix = "0" + string(s.Type)
	}
	n.digits = strings.TrimPrefix(i.Text(base), "-")
	if s.Type == 'X' {
		n.digits = strings.ToUpper(n.digits)
	}
	return s.layout(n)
}

func (s Spec) char(i *big.Int) (string, *Error) {
	if s.Sign != 0 {
		return "", valueError("Sign not allowed with integer format specifier 'c'")
	}
	if s.Alt {
		return "", valueError("Alternate form (#) not allowed with integer format specifier 'c'")
	}
	if !i.IsInt64() {
		return "", overflowError("Python int too large to convert to C long")
	}
	if i.Int64() < 0 || i.Int64() > 0x10ffff {
		return "", overflowError("%%c arg not in range(0x110000)")
	}
	if s.Align == '=' {
		s.Align = '>'
	}
	return s.pad(EncodeRune(rune(i.Int64())))
}

// BigFloat rounds an int to the nearest float, ties to even; false on overflow.
func BigFloat(i *big.Int) (float64, bool) {
	if i.IsInt64() {
		return float64(i.Int64()), true
	}
	f, _ := new(big.Float).SetInt(i).Float64()
	return f, f-f == 0
}

// CheckDigits reports an int whose decimal text would pass the limit.
func CheckDigits(i *big.Int, limit int) *Error {
	if limit <= 0 || i.BitLen() <= limit*3 {
		return nil
	}
	// 10**limit has limit*log2(10) bits; only near that is the text made.
	if n := i.BitLen(); n < limit*33219/10000 {
		return nil
	} else if n < limit*33220/10000+8 {
		if len(strings.TrimPrefix(i.Text(10), "-")) <= limit {
			return nil
		}
	}
	return valueError("Exceeds the limit (%d digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit", limit)
}

// BigText is str() of an int of any size.
func BigText(i *big.Int, limit int) (string, *Error) {
	if err := CheckDigits(i, limit); err != nil {
		return "", err
	}
	return i.Text(10), nil
}

// RoundInt is round(i, -places) half to even, places > 0.
func RoundInt(i *big.Int, places int) *big.Int {
	if places > 1<<20 || places > i.BitLen() {
		return new(big.Int)
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
	q, r := new(big.Int).DivMod(i, unit, new(big.Int))
	twice := new(big.Int).Lsh(r, 1)
	if c := twice.Cmp(unit); c > 0 || c == 0 && q.Bit(0) == 1 {
		q.Add(q, big.NewInt(1))
	}
	return q.Mul(q, unit)
}
