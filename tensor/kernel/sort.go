package kernel

import (
	"cmp"
	"math"
	"slices"
)

// Order says which way a sort runs.
type Order uint8

// The orders.
const (
	Ascending Order = iota
	Descending
)

// compare orders two values with nan last in both directions.
func (o Order) compare(nanX, nanY bool, c int) int {
	switch {
	case nanX && nanY:
		return 0
	case nanX:
		return 1
	case nanY:
		return -1
	case o == Descending:
		return -c
	}
	return c
}

// Sort sorts each row of n elements of x in place. A nan goes last.
func Sort[T Real](o Order, x []T, rows, n int) {
	for r := 0; r < rows; r++ {
		row := x[r*n : (r+1)*n]
		numbers := nansLast(row)
		sortNumbers(row[:numbers])
		if o == Descending {
			slices.Reverse(row[:numbers])
		}
	}
}

// nansLast moves the nans of x to its end and returns how many numbers there are.
func nansLast[T Real](x []T) int {
	n := len(x)
	for i := 0; i < n; i++ {
		for n > i && x[i] != x[i] {
			n--
			x[i], x[n] = x[n], x[i]
		}
	}
	return n
}

func compareOf[T cmp.Ordered](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// keyed is a value with its place, which makes any sort stable.
type keyed[T Real] struct {
	v T
	i int
}

// ArgSort writes, for each row of n elements, the indices that sort it. Ties keep
// their order, in both directions.
func ArgSort[T Real, I Index](o Order, dst []I, x []T, rows, n int) {
	var keys []keyed[T]
	for r := 0; r < rows; r++ {
		if n >= radixFrom && n <= math.MaxInt32 {
			argRadix(o, dst[r*n:(r+1)*n], x[r*n:(r+1)*n])
			continue
		}
		if keys == nil {
			keys = make([]keyed[T], n)
		}
		for i, v := range x[r*n : (r+1)*n] {
			keys[i] = keyed[T]{v, i}
		}
		slices.SortFunc(keys, func(a, b keyed[T]) int {
			if c := o.compare(a.v != a.v, b.v != b.v, compareOf(a.v, b.v)); c != 0 {
				return c
			}
			return a.i - b.i
		})
		for i, k := range keys {
			dst[r*n+i] = I(k.i)
		}
	}
}

// smallK is up to which k inserting into a sorted list beats sorting the row.
const smallK = 32

// TopK writes the k largest of each row of n, largest first, and where they were;
// of ties the lowest index comes first.
func TopK[T Real, I Index](values []T, index []I, x []T, rows, n, k int) {
	var order []I
	for r := 0; r < rows; r++ {
		row, v, at := x[r*n:(r+1)*n], values[r*k:(r+1)*k], index[r*k:(r+1)*k]
		if k <= smallK {
			topInsert(v, at, row)
			continue
		}
		if order == nil {
			order = make([]I, n)
		}
		ArgSort(Descending, order, row, 1, n)
		for i, j := range order[:k] {
			v[i], at[i] = row[j], j
		}
	}
}

// topInsert keeps the largest seen so far in order; a nan is the smallest.
func topInsert[T Real, I Index](values []T, index []I, row []T) {
	kept, k := 0, len(values)
	if k == 0 {
		return
	}
	for i, v := range row {
		if low := values[k-1]; kept == k && !(v > low) && (low == low || v != v) {
			continue
		}
		at := min(kept, k-1)
		for ; at > 0 && (v > values[at-1] || v == v && values[at-1] != values[at-1]); at-- {
			values[at], index[at] = values[at-1], index[at-1]
		}
		values[at], index[at] = v, I(i)
		kept = min(kept+1, k)
	}
}

// Unique writes the distinct values of x to values in the order first seen, the
// place of each element among them to index, and how often each occurs to count. It
// returns how many there are; index and count may be nil.
func Unique[T comparable, I Index](values, x []T, index, count []I) int {
	seen := make(map[T]I, min(len(x), 1024))
	n := I(0)
	for i, v := range x {
		k, ok := seen[v]
		if !ok {
			k = n
			seen[v] = k
			values[k] = v
			if count != nil {
				count[k] = 0
			}
			n++
		}
		if index != nil {
			index[i] = k
		}
		if count != nil {
			count[k]++
		}
	}
	return int(n)
}

// SearchSorted writes, for each value, the first place in the sorted row where it
// could be inserted (Less) or the last (LessEqual): op is how elements before the
// place compare with the value.
func SearchSorted[T Real, I Index](op CompareOp, dst []I, row, values []T) {
	for i, v := range values {
		lo, hi := 0, len(row)
		for lo < hi {
			mid := int(uint(lo+hi) >> 1)
			if row[mid] < v || op == LessEqual && row[mid] == v {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		dst[i] = I(lo)
	}
}
