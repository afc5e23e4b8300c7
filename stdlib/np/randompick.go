package np

import (
	"math"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor/kernel/random"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// shuffle permutes x in place along its first axis.
func (s *state) shuffle(d drawer, x Value, axis int) error {
	if isArray(x) {
		a := ndarray.Of(x)
		if a.Rank() == 0 {
			return s.th.TypeErrorf("Sized object expected, got %s", lang.TypeName(x))
		}
		m, err := a.MoveAxis([]int{axis}, []int{0})
		if err != nil {
			return s.err(err)
		}
		idx := make([]int64, m.Dims()[0])
		random.Permutation(d, idx)
		p, err := m.TakeAxis(idx, []int{len(idx)}, 0)
		if err == nil {
			err = s.c.Assign(m, p)
		}
		return s.err(err)
	}
	l, ok := lang.AsList(x)
	if !ok {
		return s.th.TypeErrorf("'%s' object does not support item assignment", lang.TypeName(x))
	}
	random.Permute(d, l.Len(), func(i, j int) {
		v := l.At(i)
		l.Set(i, l.At(j))
		l.Set(j, v)
	})
	return nil
}

// permutation is a shuffled copy of a sequence, or of the ints below n.
func (r *args) permutation(d drawer, at int) (Value, error) {
	v := r.a[at]
	if lang.HasIndex(v) && !isArrayLike(v) {
		n := r.int(at, 0)
		if r.err != nil {
			return lang.Unbound, r.err
		}
		if n < 0 {
			return lang.Unbound, r.s.th.ValueErrorf("negative dimensions are not allowed")
		}
		a := ndarray.New(ndarray.Int64, n)
		random.Permutation(d, ndarray.Elements[int64](a))
		return a.Value(), nil
	}
	x := r.arr(at)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	axis := 0
	if at+1 < len(r.a) {
		axis = r.int(at+1, 0)
	}
	axis, err := ndarray.NormAxis(axis, x.Rank())
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	idx := make([]int64, x.Dims()[axis])
	random.Permutation(d, idx)
	return r.s.array(x.TakeAxis(idx, []int{len(idx)}, axis))
}

// choice is (a, size, replace, p, axis, shuffle) from argument at on.
func (r *args) choice(d drawer, at int) (Value, error) {
	var pop *ndarray.Array
	n := 0
	if lang.HasIndex(r.a[at]) && !isArrayLike(r.a[at]) {
		if n = r.int(at, 0); n <= 0 && r.err == nil {
			return lang.Unbound, r.s.th.ValueErrorf("a must be greater than 0 unless no samples are taken")
		}
	} else {
		pop = r.arr(at)
		if r.err == nil && pop.Rank() > 0 {
			n = pop.Dims()[0]
		}
		if n == 0 && r.err == nil {
			return lang.Unbound, r.s.th.ValueErrorf("a cannot be empty unless no samples are taken")
		}
	}
	var dims []int
	if r.has(at + 1) {
		dims = r.shape(at + 1)
	}
	if err := r.s.c.Room(ndarray.Int64, dims); err != nil {
		return lang.Unbound, r.s.err(err)
	}
	replace := !r.has(at+2) || r.flag(at+2)
	count := 1
	for _, k := range dims {
		count *= k
	}
	idx, err := r.chosen(d, at, n, count, replace)
	if err != nil || r.err != nil {
		if r.err == nil {
			r.err = err
		}
		return lang.Unbound, r.err
	}
	if pop == nil {
		a := ndarray.FromInts(idx, len(idx))
		if !r.has(at + 1) {
			return lang.Int(idx[0]), nil
		}
		return r.s.array(a.Reshape(dims...))
	}
	x, err := pop.TakeAxis(idx, dims, 0)
	if !r.has(at + 1) {
		return r.s.value(x, err)
	}
	return r.s.array(x, err)
}

// chosen draws count indices below n.
func (r *args) chosen(d drawer, at, n, count int, replace bool) ([]int64, error) {
	idx := make([]int64, count)
	if !replace && count > n {
		return nil, r.s.th.ValueErrorf("Cannot take a larger sample than population when %s", map[bool]string{true: "'replace=False'", false: "replace is False"}[d.method == random.Masked])
	}
	if r.has(at + 3) {
		p, err := r.s.c.Floats(r.arr(at + 3))
		if err != nil || r.err != nil {
			return nil, err
		}
		if err := r.s.checkProbabilities(p, n); err != nil {
			return nil, err
		}
		if replace {
			random.Pick(d, idx, p)
		} else {
			random.PickUnique(d, idx, p)
		}
		return idx, nil
	}
	if replace {
		w := make([]uint64, count)
		random.Integers(d, d.method, w, 0, uint64(n-1), 64)
		for i, v := range w {
			idx[i] = int64(v)
		}
		return idx, nil
	}
	if rs, ok := d.Source.(*random.RandomState); ok {
		rs.Choice(idx, n)
	} else {
		shuffle := at+5 >= len(r.a) || !r.has(at+5) || r.flag(at+5)
		d.Source.(random.Generator).Choice(idx, n, shuffle)
	}
	return idx, nil
}

func (s *state) checkProbabilities(p []float64, n int) error {
	if len(p) != n {
		return s.th.ValueErrorf("'a' and 'p' must have same size")
	}
	total := 0.0
	for _, v := range p {
		if v < 0 {
			return s.th.ValueErrorf("probabilities are not non-negative")
		}
		total += v
	}
	if total != total {
		return s.th.ValueErrorf("probabilities contain NaN")
	}
	if math.Abs(total-1) > 1.5e-8 {
		return s.th.ValueErrorf("probabilities do not sum to 1")
	}
	return nil
}
