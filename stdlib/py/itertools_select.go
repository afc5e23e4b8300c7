package py

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
)

// poolOf are the items of an iterable.
func poolOf(th *Thread, v Value) ([]lang.Held, error) { return lang.ToSlice(th, v) }

func newSelect(c *lang.Class, cls Value, s *selectIter) (Value, error) {
	s.Header = iterHead(c)
	return wrap(cls, Value{P: unsafe.Pointer(s)}), nil
}

func newProduct(th *Thread, a []Value) (Value, error) {
	n, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	if n < 0 {
		return fail(th.ValueErrorf("repeat argument cannot be negative"))
	}
	t, _ := lang.AsTuple(a[2])
	if err := th.CheckRepeat(n, t.Len(), 24); err != nil {
		return fail(err)
	}
	var pools [][]lang.Held
	for _, x := range t.Items() {
		p, err := poolOf(th, x.Value())
		if err != nil {
			return fail(err)
		}
		pools = append(pools, p)
	}
	s := &selectIter{}
	for range n {
		s.pools = append(s.pools, pools...)
	}
	s.idx = make([]int, len(s.pools))
	for _, p := range s.pools {
		s.over = s.over || len(p) == 0
	}
	return newSelect(productClass, a[0], s)
}

// rArg is the length of a selection.
func rArg(th *Thread, v Value) (int, error) {
	r, err := intOf(th, v)
	if err == nil && r < 0 {
		err = th.ValueErrorf("r must be non-negative")
	}
	return r, err
}

// newSelection makes a selection of r items of one pool.
func newSelection(th *Thread, c *lang.Class, a []Value, r int) (*selectIter, error) {
	p, err := poolOf(th, a[1])
	if err != nil {
		return nil, err
	}
	s := &selectIter{r: r}
	s.pools = [][]lang.Held{p}
	if r <= len(p) || c == withReplacementClass {
		s.idx = make([]int, r)
	}
	return s, nil
}

func newPermutations(th *Thread, a []Value) (Value, error) {
	p, err := poolOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	r := len(p)
	if !a[2].IsNone() {
		if !lang.IsIntValue(a[2]) {
			return fail(th.TypeErrorf("Expected int as r"))
		}
		if r, err = rArg(th, a[2]); err != nil {
			return fail(err)
		}
	}
	s := &selectIter{r: r, pools: [][]lang.Held{p}, over: r > len(p)}
	if !s.over {
		s.idx = make([]int, len(p))
		for i := range s.idx {
			s.idx[i] = i
		}
		for i := range r {
			s.cycles = append(s.cycles, len(p)-i)
		}
	}
	return newSelect(permutationsClass, a[0], s)
}

func newCombinations(th *Thread, a []Value) (Value, error) {
	r, err := rArg(th, a[2])
	if err != nil {
		return fail(err)
	}
	s, err := newSelection(th, combinationsClass, a, r)
	if err != nil {
		return fail(err)
	}
	s.over = r > len(s.pools[0])
	for i := range s.idx {
		s.idx[i] = i
	}
	return newSelect(combinationsClass, a[0], s)
}

func newWithReplacement(th *Thread, a []Value) (Value, error) {
	r, err := rArg(th, a[2])
	if err != nil {
		return fail(err)
	}
	s, err := newSelection(th, withReplacementClass, a, r)
	if err != nil {
		return fail(err)
	}
	s.over = len(s.pools[0]) == 0 && r > 0
	return newSelect(withReplacementClass, a[0], s)
}

// selectNext gives the row of the indices and moves them on with step.
func selectNext(step func(s *selectIter) bool) func(th *Thread, v Value) (Value, bool, error) {
	return func(th *Thread, v Value) (Value, bool, error) {
		s := (*selectIter)(lang.Payload(v).P)
		if s.over {
			return done(th)
		}
		if s.started && !step(s) {
			s.over = true
			return done(th)
		}
		s.started = true
		if s.cycles != nil || s.r > 0 || len(s.pools) == 1 && s.Type != &productClass.Type {
			row := make([]lang.Held, s.r)
			for i := range row {
				row[i] = s.pools[0][s.idx[i]]
			}
			return lang.TupleOf(row).Value(), true, nil
		}
		row := make([]lang.Held, len(s.pools))
		for i := range row {
			row[i] = s.pools[i][s.idx[i]]
		}
		return lang.TupleOf(row).Value(), true, nil
	}
}

func productStep(s *selectIter) bool {
	for i := len(s.idx) - 1; i >= 0; i-- {
		if s.idx[i]++; s.idx[i] < len(s.pools[i]) {
			return true
		}
		s.idx[i] = 0
	}
	return false
}

func permutationStep(s *selectIter) bool {
	n := len(s.idx)
	for i := s.r - 1; i >= 0; i-- {
		s.cycles[i]--
		if s.cycles[i] == 0 {
			first := s.idx[i]
			copy(s.idx[i:], s.idx[i+1:])
			s.idx[n-1] = first
			s.cycles[i] = n - i
			continue
		}
		j := n - s.cycles[i]
		s.idx[i], s.idx[j] = s.idx[j], s.idx[i]
		return true
	}
	return false
}

func combinationStep(s *selectIter) bool {
	n := len(s.pools[0])
	for i := s.r - 1; i >= 0; i-- {
		if s.idx[i] != i+n-s.r {
			s.idx[i]++
			for j := i + 1; j < s.r; j++ {
				s.idx[j] = s.idx[j-1] + 1
			}
			return true
		}
	}
	return false
}

func withReplacementStep(s *selectIter) bool {
	n := len(s.pools[0])
	for i := s.r - 1; i >= 0; i-- {
		if s.idx[i] != n-1 {
			k := s.idx[i] + 1
			for j := i; j < s.r; j++ {
				s.idx[j] = k
			}
			return true
		}
	}
	return false
}
