package lang

import "math/big"

// smallSpan bounds the numbers of a range kept in int64, so that no length overflows.
const smallSpan = 1 << 62

// SmallRange reports that NewRange takes these numbers: step is not 0 and all are within the span.
func SmallRange(start, stop, step int64) bool {
	in := func(n int64) bool { return n < smallSpan && n > -smallSpan }
	return in(start) && in(stop) && in(step) && step != 0
}

// RangeOf is range(start, stop, step) for ints of any size; step is not 0.
func RangeOf(start, stop, step *big.Int) Value {
	if start.IsInt64() && stop.IsInt64() && step.IsInt64() && SmallRange(start.Int64(), stop.Int64(), step.Int64()) {
		return NewRange(start.Int64(), stop.Int64(), step.Int64()).Value()
	}
	n := bigRangeLen(start, stop, step)
	return NewBigRange(&BigRange{Start: BigInt(start), Stop: BigInt(stop), Step: BigInt(step), Len: BigInt(n)}).Value()
}

// bigRangeLen is how many items range(i, j, k) has.
func bigRangeLen(i, j, k *big.Int) *big.Int {
	span := new(big.Int).Sub(j, i)
	if span.Sign()*k.Sign() <= 0 {
		return new(big.Int)
	}
	// ceil(span / k), both of one sign
	q, r := new(big.Int).QuoRem(span, k, new(big.Int))
	if r.Sign() != 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// BigIndices is Indices for a length of any size, without clamping to int.
func (s *Slice) BigIndices(th *Thread, n *big.Int) (start, stop, step *big.Int, err error) {
	if step, err = sliceBig(th, s.Step, big.NewInt(1)); err != nil {
		return
	}
	if step.Sign() == 0 {
		return nil, nil, nil, th.Raise(ValueError, "slice step cannot be zero")
	}
	lo, hi := new(big.Int), n
	if step.Sign() < 0 {
		lo, hi = big.NewInt(-1), new(big.Int).Sub(n, big.NewInt(1))
	}
	first, last := lo, hi
	if step.Sign() < 0 {
		first, last = hi, lo
	}
	clamp := func(v Value, absent *big.Int) (*big.Int, error) {
		if v.IsNone() {
			return absent, nil
		}
		i, err := sliceBig(th, v, nil)
		if err != nil {
			return nil, err
		}
		if i.Sign() < 0 {
			i = new(big.Int).Add(i, n)
		}
		if i.Cmp(lo) < 0 {
			i = lo
		}
		if i.Cmp(hi) > 0 {
			i = hi
		}
		return i, nil
	}
	if start, err = clamp(s.Start, first); err == nil {
		stop, err = clamp(s.Stop, last)
	}
	return
}

// sliceBig is one part of a slice, absent for None.
func sliceBig(th *Thread, v Value, absent *big.Int) (*big.Int, error) {
	if v.IsNone() {
		return absent, nil
	}
	if !HasIndex(v) {
		return nil, th.TypeErrorf("slice indices must be integers or None or have an __index__ method")
	}
	x, err := Index(th, v)
	if err != nil {
		return nil, err
	}
	i, _ := AsBig(x)
	return i, nil
}

// slice is r[s]: a range again.
func (r *Range) slice(th *Thread, s *Slice) (Value, error) {
	first, step, length := r.parts()
	i, j, k, err := s.BigIndices(th, length)
	if err != nil {
		return Unbound, err
	}
	at := func(i *big.Int) *big.Int {
		x := new(big.Int).Mul(i, step)
		return x.Add(x, first)
	}
	return RangeOf(at(i), at(j), new(big.Int).Mul(k, step)), nil
}

func (r *Range) parts() (start, step, length *big.Int) {
	if b := r.Big; b != nil {
		start, _ = AsBig(b.Start)
		step, _ = AsBig(b.Step)
		length, _ = AsBig(b.Len)
		return
	}
	return big.NewInt(r.Start), big.NewInt(r.Step), big.NewInt(r.n)
}
