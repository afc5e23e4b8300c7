package kernel

import (
	"cmp"
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
		slices.SortStableFunc(x[r*n:(r+1)*n], func(a, b T) int {
			return o.compare(a != a, b != b, compareOf(a, b))
		})
	}
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

// ArgSort writes, for each row of n elements, the indices that sort it. Ties keep
// their order, in both directions.
func ArgSort[T Real, I Index](o Order, dst []I, x []T, rows, n int) {
	for r := 0; r < rows; r++ {
		row, idx := x[r*n:(r+1)*n], dst[r*n:(r+1)*n]
		for i := range idx {
			idx[i] = I(i)
		}
		slices.SortStableFunc(idx, func(i, j I) int {
			a, b := row[i], row[j]
			return o.compare(a != a, b != b, compareOf(a, b))
		})
	}
}

// TopK writes the k largest of each row of n, largest first, and where they were;
// of ties the lowest index comes first.
func TopK[T Real, I Index](values []T, index []I, x []T, rows, n, k int) {
	idx := make([]I, n)
	for r := 0; r < rows; r++ {
		row := x[r*n : (r+1)*n]
		if k == 1 && n > 0 {
			best := argMax(row, 0, 1, n)
			values[r], index[r] = row[best], I(best)
			continue
		}
		ArgSort(Descending, idx, row, 1, n)
		for i, j := range idx[:k] {
			values[r*k+i], index[r*k+i] = row[j], j
		}
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
