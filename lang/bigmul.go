package lang

import "math/big"

// leafWords is the size up to which a product of ints is taken at once: some
// milliseconds.
const leafWords = 1 << 12

// Multiply is x*y. A long product looks at the limits now and then, so that
// Ctrl-C and time limits end it.
func (th *Thread) Multiply(x, y *big.Int) (*big.Int, error) {
	r := new(big.Int)
	return r, th.multiply(r, x, y)
}

// multiply is r = x*y.
func (th *Thread) multiply(r, x, y *big.Int) error {
	if min(len(x.Bits()), len(y.Bits())) <= leafWords {
		r.Mul(x, y)
		return nil
	}
	if err := th.CheckSize(len(x.Bits())+len(y.Bits()), 8); err != nil {
		return err
	}
	p, err := th.product(new(big.Int).Abs(x), new(big.Int).Abs(y))
	if err != nil {
		return err
	}
	if x.Sign() != y.Sign() {
		p.Neg(p)
	}
	*r = *p
	return nil
}

// product is Karatsuba's multiplication of two numbers that are not negative.
func (th *Thread) product(x, y *big.Int) (*big.Int, error) {
	if len(x.Bits()) < len(y.Bits()) {
		x, y = y, x
	}
	if len(y.Bits()) <= leafWords {
		if err := th.check(); err != nil {
			return nil, err
		}
		return new(big.Int).Mul(x, y), nil
	}
	n := (len(x.Bits()) + 1) / 2
	low, high := splitWords(x, n)
	if len(y.Bits()) <= n {
		h, err := th.product(high, y)
		if err != nil {
			return nil, err
		}
		l, err := th.product(low, y)
		if err != nil {
			return nil, err
		}
		return l.Add(l, h.Lsh(h, uint(n)*wordBits)), nil
	}
	ylow, yhigh := splitWords(y, n)
	a, err := th.product(low, ylow)
	if err != nil {
		return nil, err
	}
	c, err := th.product(high, yhigh)
	if err != nil {
		return nil, err
	}
	b, err := th.product(new(big.Int).Add(low, high), new(big.Int).Add(ylow, yhigh))
	if err != nil {
		return nil, err
	}
	b.Sub(b, a)
	b.Sub(b, c)
	b.Add(b, c.Lsh(c, uint(n)*wordBits))
	return a.Add(a, b.Lsh(b, uint(n)*wordBits)), nil
}

const wordBits = 32 << (^big.Word(0) >> 63)

// splitWords cuts x after n words; the parts share its memory.
func splitWords(x *big.Int, n int) (low, high *big.Int) {
	w := x.Bits()
	return new(big.Int).SetBits(w[:n:n]), new(big.Int).SetBits(w[n:])
}

// Power is x**y for y >= 0.
func (th *Thread) Power(x, y *big.Int) (*big.Int, error) {
	if !y.IsInt64() || int64(x.BitLen())*y.Int64() <= leafWords*wordBits {
		return new(big.Int).Exp(x, y, nil), nil
	}
	if err := th.CheckSize(int(int64(x.BitLen())*y.Int64()/8), 1); err != nil {
		return nil, err
	}
	r := new(big.Int).Set(x)
	for i := y.BitLen() - 2; i >= 0; i-- {
		var err error
		if r, err = th.Multiply(r, r); err != nil {
			return nil, err
		}
		if y.Bit(i) != 0 {
			if r, err = th.Multiply(r, x); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// RangeProduct is the product of n factors from first on, each one more than the one
// before.
func (th *Thread) RangeProduct(first *big.Int, n int64) (*big.Int, error) {
	if n <= 32 {
		r, f := big.NewInt(1), new(big.Int).Set(first)
		for range n {
			r.Mul(r, f)
			f.Add(f, big.NewInt(1))
		}
		return r, th.turn()
	}
	a, err := th.RangeProduct(first, n/2)
	if err != nil {
		return nil, err
	}
	b, err := th.RangeProduct(new(big.Int).Add(first, big.NewInt(n/2)), n-n/2)
	if err != nil {
		return nil, err
	}
	return th.Multiply(a, b)
}
