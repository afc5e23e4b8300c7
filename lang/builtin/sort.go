package builtin

import (
	"slices"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// sortItems sorts in place, stably, by `<` of items or of their keys.
func sortItems(th *Thread, items []lang.Held, key Value, reverse bool) error {
	s := &sorter{th: th, items: items, keys: items}
	if !key.IsNone() {
		s.keys = make([]lang.Held, len(items))
		arg := make([]Value, 1)
		for i, x := range items {
			arg[0] = x.Value()
			k, err := th.Call(key, arg)
			if err != nil {
				return err
			}
			s.keys[i] = k.Held()
		}
		s.keyed = true
	}
	if reverse { // keeps equal items in order
		reverseHeld(items)
		if s.keyed {
			reverseHeld(s.keys)
		}
	}
	s.run()
	if reverse {
		reverseHeld(items)
	}
	return s.err
}

// sorter orders items by keys; one error ends all comparing.
type sorter struct {
	th          *Thread
	items, keys []lang.Held
	keyed       bool
	kind        value.Kind // of all keys: int, float, str or tuple; KindOther for anything else
	err         error
}

// keyKind is the one exact kind that all keys have, if comparing it runs no script.
func keyKind(keys []lang.Held) value.Kind {
	if len(keys) == 0 {
		return value.KindOther
	}
	kind := keys[0].Value().Kind()
	for _, k := range keys {
		if k.Value().Kind() != kind {
			return value.KindOther
		}
	}
	switch kind {
	case value.KindInt, value.KindFloat, value.KindStr, value.KindTuple:
		return kind
	}
	return value.KindOther
}

func (s *sorter) less(a, b lang.Held) bool {
	v, w := a.Value(), b.Value()
	switch s.kind {
	case value.KindInt:
		return v.Int64() < w.Int64()
	case value.KindFloat:
		return v.Float64() < w.Float64()
	case value.KindStr:
		x, _ := lang.AsStr(v)
		y, _ := lang.AsStr(w)
		return x.String() < y.String()
	case value.KindTuple:
		if lt, ok := tupleLess(v, w); ok {
			return lt
		}
	}
	if s.err != nil {
		return false
	}
	lt, err := lang.CompareBool(s.th, lang.LT, v, w)
	if err != nil {
		s.err = err
	}
	return lt
}

// tupleLess compares tuples whose first difference is between two ints, floats or
// strs; ok is false where that isn't so.
func tupleLess(a, b Value) (less, ok bool) {
	x, _ := lang.AsTuple(a)
	y, _ := lang.AsTuple(b)
	p, q := x.Items(), y.Items()
	for i := 0; i < len(p) && i < len(q); i++ {
		v, w := p[i].Value(), q[i].Value()
		k := v.Kind()
		if k != w.Kind() {
			return false, false
		}
		switch k {
		case value.KindInt:
			if v.N != w.N {
				return v.Int64() < w.Int64(), true
			}
		case value.KindFloat:
			if f, g := v.Float64(), w.Float64(); v != w && f != g {
				return f < g, true
			}
		case value.KindStr:
			if v.P != w.P {
				f, _ := lang.AsStr(v)
				g, _ := lang.AsStr(w)
				if f.String() != g.String() {
					return f.String() < g.String(), true
				}
			}
		default:
			return false, false
		}
	}
	return len(p) < len(q), true
}

func (s *sorter) run() {
	s.kind = keyKind(s.keys)
	if s.kind == value.KindInt && !s.keyed {
		sortInts(s.items)
		return
	}
	s.binaryInsertion(0, min(len(s.items), minRun))
	if len(s.items) > minRun {
		s.merge()
	}
}

// sortInts sorts small ints: equal ones can't be told apart.
func sortInts(items []lang.Held) {
	nums := make([]int64, len(items))
	for i, x := range items {
		nums[i] = x.Value().Int64()
	}
	slices.Sort(nums)
	for i, n := range nums {
		items[i] = lang.Int(n).Held()
	}
}

const minRun = 32

func (s *sorter) binaryInsertion(lo, hi int) {
	for i := lo + 1; i < hi && s.err == nil; i++ {
		k, x := s.keys[i], s.items[i]
		l, r := lo, i
		for l < r {
			m := int(uint(l+r) >> 1)
			if s.less(k, s.keys[m]) {
				r = m
			} else {
				l = m + 1
			}
		}
		copy(s.keys[l+1:i+1], s.keys[l:i])
		s.keys[l] = k
		if s.keyed {
			copy(s.items[l+1:i+1], s.items[l:i])
			s.items[l] = x
		}
	}
}

// merge sorts runs of minRun items and merges them bottom up.
func (s *sorter) merge() {
	n := len(s.items)
	for lo := minRun; lo < n; lo += minRun {
		s.binaryInsertion(lo, min(lo+minRun, n))
	}
	tmpK := make([]lang.Held, n)
	var tmpX []lang.Held
	if s.keyed {
		tmpX = make([]lang.Held, n)
	}
	for width := minRun; width < n && s.err == nil; width *= 2 {
		for lo := 0; lo+width < n && s.err == nil; lo += 2 * width {
			s.mergeRuns(lo, lo+width, min(lo+2*width, n), tmpK, tmpX)
		}
	}
}

func (s *sorter) mergeRuns(lo, mid, hi int, tmpK, tmpX []lang.Held) {
	if !s.less(s.keys[mid], s.keys[mid-1]) { // already in order
		return
	}
	copy(tmpK[lo:mid], s.keys[lo:mid])
	if s.keyed {
		copy(tmpX[lo:mid], s.items[lo:mid])
	}
	i, j, k := lo, mid, lo
	for i < mid {
		if j < hi && s.less(s.keys[j], tmpK[i]) {
			s.keys[k] = s.keys[j]
			if s.keyed {
				s.items[k] = s.items[j]
			}
			j++
		} else {
			s.keys[k] = tmpK[i]
			if s.keyed {
				s.items[k] = tmpX[i]
			}
			i++
		}
		k++
	}
}
