package ndarray

import "math/bits"

type signed interface{ int8 | int16 | int32 | int64 }

type integer interface {
	signed | uint8 | uint16 | uint32 | uint64
}

// intBinary is the loop of an op on two integers of one type; nil if there is none.
func intBinary[T integer](op string) loop {
	switch op {
	case "add":
		return addLoop[T]
	case "subtract":
		return subLoop[T]
	case "multiply":
		return mulLoop[T]
	case "floor_divide":
		return intDivide(floorDiv[T])
	case "remainder":
		return intDivide(floorMod[T])
	case "fmod":
		return intDivide(func(x, y T) T { return x % y })
	case "power":
		return bin(intPower[T])
	case "maximum", "fmax":
		return bin(func(x, y T) T { return max(x, y) })
	case "minimum", "fmin":
		return bin(func(x, y T) T { return min(x, y) })
	case "bitwise_and":
		return bin(func(x, y T) T { return x & y })
	case "bitwise_or":
		return bin(func(x, y T) T { return x | y })
	case "bitwise_xor":
		return bin(func(x, y T) T { return x ^ y })
	case "left_shift":
		return bin(func(x, y T) T { return shift(x, y, func(x T, n uint) T { return x << n }) })
	case "right_shift":
		return bin(func(x, y T) T {
			if uint64(y) <= 63 {
				return x >> uint(y)
			}
			var z T
			if x < z {
				z--
			}
			return z
		})
	case "gcd":
		return bin(gcd[T])
	case "lcm":
		return bin(func(x, y T) T {
			g := gcd(x, y)
			if g == 0 {
				return 0
			}
			return absInt(x / g * y)
		})
	case "logical_and":
		return bin(func(x, y T) bool { return x != 0 && y != 0 })
	case "logical_or":
		return bin(func(x, y T) bool { return x != 0 || y != 0 })
	case "logical_xor":
		return bin(func(x, y T) bool { return (x != 0) != (y != 0) })
	}
	return compareLoop[T](op)
}

func shift[T integer](x, n T, f func(T, uint) T) T {
	if u := uint64(n); u > 63 {
		return 0
	}
	return f(x, uint(n))
}

// intDivide flags a divisor of zero, whose result is zero.
func intDivide[T integer](f func(x, y T) T) loop {
	return func(a *args) {
		var bad bool
		bin(func(x, y T) T {
			if y == 0 {
				bad = true
				return 0
			}
			return f(x, y)
		})(a)
		if bad {
			a.flags |= DivideByZero
		}
	}
}

func floorDiv[T integer](x, y T) T {
	q := x / y
	if x%y != 0 && (x < 0) != (y < 0) {
		q--
	}
	return q
}

func floorMod[T integer](x, y T) T {
	r := x % y
	if r != 0 && (r < 0) != (y < 0) {
		r += y
	}
	return r
}

func intPower[T integer](x, n T) T {
	r := T(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			r *= x
		}
		x *= x
	}
	return r
}

func absInt[T integer](x T) T {
	if x < 0 {
		return -x
	}
	return x
}

func gcd[T integer](x, y T) T {
	for y != 0 {
		x, y = y, x%y
	}
	return absInt(x)
}

// intUnary is the loop of an op on one integer.
func intUnary[T integer](op string) loop {
	switch op {
	case "negative":
		return un(func(x T) T { return -x })
	case "positive", "conjugate", "floor", "ceil", "trunc":
		return un(func(x T) T { return x })
	case "absolute":
		return un(absInt[T])
	case "sign":
		return un(func(x T) T {
			switch {
			case x > 0:
				return 1
			case x < 0:
				var z T
				return z - 1
			}
			return 0
		})
	case "square":
		return un(func(x T) T { return x * x })
	case "reciprocal":
		return func(a *args) {
			un(func(x T) T {
				if x == 0 {
					a.flags |= DivideByZero
					return 0
				}
				return 1 / x
			})(a)
		}
	case "invert":
		return un(func(x T) T { return ^x })
	case "isnan", "isinf":
		return un(func(T) bool { return false })
	case "isfinite":
		return un(func(T) bool { return true })
	case "logical_not":
		return un(func(x T) bool { return x == 0 })
	case "bitwise_count":
		return un(func(x T) uint8 { return uint8(bits.OnesCount64(uint64(absInt(x)))) })
	}
	return nil
}

// boolLoop is the loop of an op on bools, by one or two operands.
func boolLoop(op string) loop {
	switch op {
	case "add", "maximum", "fmax", "bitwise_or", "logical_or":
		return bin(func(x, y bool) bool { return x || y })
	case "multiply", "minimum", "fmin", "bitwise_and", "logical_and":
		return bin(func(x, y bool) bool { return x && y })
	case "bitwise_xor", "logical_xor", "not_equal":
		return bin(func(x, y bool) bool { return x != y })
	case "equal":
		return bin(func(x, y bool) bool { return x == y })
	case "less":
		return bin(func(x, y bool) bool { return !x && y })
	case "less_equal":
		return bin(func(x, y bool) bool { return !x || y })
	case "greater":
		return bin(func(x, y bool) bool { return x && !y })
	case "greater_equal":
		return bin(func(x, y bool) bool { return x || !y })
	case "invert", "logical_not":
		return un(func(x bool) bool { return !x })
	case "absolute", "floor", "ceil", "trunc":
		return un(func(x bool) bool { return x })
	case "isnan", "isinf":
		return un(func(bool) bool { return false })
	case "isfinite":
		return un(func(bool) bool { return true })
	}
	return nil
}
