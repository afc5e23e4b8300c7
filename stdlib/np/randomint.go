package np

import (
	"math"
	"math/big"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor/kernel/random"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

func exp(x float64) float64 { return math.Exp(x) }

// integers is (low, high, size, dtype, endpoint) from argument at on.
func (r *args) integers(d drawer, at int) (Value, error) {
	low, high := r.a[at], r.a[at+1]
	if high.IsNone() || high.IsUnbound() {
		low, high = lang.Int(0), low
	}
	dt := r.dtype(at + 3)
	if dt == nil {
		dt = &ndarray.Int64
	}
	endpoint := at+4 < len(r.a) && r.flag(at+4)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	if isArrayLike(low) || isArrayLike(high) {
		return r.integersBroadcast(d, low, high, *dt, endpoint, at)
	}
	lo, err := r.s.bigInt(low)
	if err != nil {
		return lang.Unbound, err
	}
	hi, err := r.s.bigInt(high)
	if err != nil {
		return lang.Unbound, err
	}
	if !endpoint {
		hi = new(big.Int).Sub(hi, big.NewInt(1))
	}
	if err := r.s.checkRange(lo, hi, *dt); err != nil {
		return lang.Unbound, err
	}
	var dims []int
	if r.has(at + 2) {
		dims = r.shape(at + 2)
	}
	a, err := r.filled(dims, dt, nil)
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	words := make([]uint64, a.Len())
	span := new(big.Int).Sub(hi, lo)
	random.Integers(d, d.method, words, wrap64(lo), span.Uint64(), widthOf(*dt))
	for i, w := range words {
		a.SetInt(i*dt.Size(), int64(w))
	}
	if !r.has(at + 2) {
		if c, ok := lang.AsClass(r.a[at+3]); !ok && d.method == random.Masked || ok && (c == lang.IntClass || c == lang.BoolClass) {
			return itemAt(a, 0), nil
		}
		return scalarAt(a, 0), nil
	}
	return a.Value(), nil
}

// wrap64 is x modulo 2^64.
func wrap64(x *big.Int) uint64 {
	if x.Sign() < 0 {
		return uint64(x.Int64())
	}
	return x.Uint64()
}

// widthOf is the width in bits that draws for a dtype have; a bool takes one.
func widthOf(dt ndarray.DType) int {
	if dt == ndarray.Bool {
		return 1
	}
	return 8 * dt.Size()
}

func (s *state) bigInt(v Value) (*big.Int, error) {
	if v.IsFloat() {
		return s.wholePart(v.Float64())
	}
	if a, ok, err := s.arrayLike(v); err != nil {
		return nil, err
	} else if ok && a.DT.IsFloat() && a.Len() == 1 {
		return s.wholePart(a.FloatAt(a.Offset()))
	}
	x, err := lang.Index(s.th, v)
	if err != nil {
		return nil, err
	}
	b, _ := lang.AsBig(x)
	return b, nil
}

func (s *state) wholePart(f float64) (*big.Int, error) {
	if f-f != 0 {
		return nil, s.noInt(f)
	}
	b, _ := big.NewFloat(math.Trunc(f)).Int(nil)
	return b, nil
}

func (s *state) checkRange(lo, hi *big.Int, dt ndarray.DType) error {
	if !dt.IsInt() && dt != ndarray.Bool {
		return s.th.TypeErrorf("Unsupported dtype %s for integers", dtypeReprText(dt))
	}
	min, max := big.NewInt(0), big.NewInt(1)
	if dt != ndarray.Bool {
		l, h := dt.K.IntRange()
		min, max = big.NewInt(l), new(big.Int).SetUint64(h)
	}
	switch {
	case lo.Cmp(min) < 0:
		return s.th.ValueErrorf("low is out of bounds for %s", dt.Name())
	case hi.Cmp(max) > 0:
		return s.th.ValueErrorf("high is out of bounds for %s", dt.Name())
	case lo.Cmp(hi) > 0:
		if lo.Sign() == 0 && hi.Sign() < 0 {
			return s.th.ValueErrorf("high <= 0")
		}
		return s.th.ValueErrorf("low >= high")
	}
	return nil
}

// integersBroadcast draws with a range of its own for each element.
func (r *args) integersBroadcast(d drawer, low, high Value, dt ndarray.DType, endpoint bool, at int) (Value, error) {
	lo, err := r.s.asArray(low)
	if err != nil {
		return lang.Unbound, err
	}
	hi, err := r.s.asArray(high)
	if err != nil {
		return lang.Unbound, err
	}
	shapes := [][]int{lo.Dims(), hi.Dims()}
	if r.has(at + 2) {
		shapes = append(shapes, r.shape(at+2))
	}
	shape, err := ndarray.BroadcastShapes(shapes...)
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	out := ndarray.New(dt, shape...)
	var ends [2][]int64
	for i, x := range []*ndarray.Array{lo, hi} {
		b, err := x.BroadcastTo(shape)
		if err == nil {
			ends[i], err = r.s.c.Ints(b.Copy())
		}
		if err != nil {
			return lang.Unbound, r.s.err(err)
		}
	}
	for i := range out.Len() {
		h := ends[1][i]
		if !endpoint {
			h--
		}
		if ends[0][i] > h {
			return lang.Unbound, r.s.th.ValueErrorf("low >= high")
		}
		var w [1]uint64
		random.Integers(d, d.method, w[:], uint64(ends[0][i]), uint64(h-ends[0][i]), 64)
		out.SetInt(i*dt.Size(), int64(w[0]))
	}
	return out.Value(), nil
}
