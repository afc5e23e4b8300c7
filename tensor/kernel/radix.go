package kernel

import (
	"math"
	"slices"
)

// radixFrom is from which length on sorting by digits beats comparing.
const radixFrom = 256

// sortKey maps numbers to unsigned integers of the same order. -0 and +0 get one
// key, so that they count as a tie; a nan comes last.
func sortKey[T Real](v T) uint64 {
	switch x := any(v).(type) {
	case float32:
		return floatKey(float64(x))
	case float64:
		return floatKey(x)
	case uint64:
		return x
	}
	return uint64(int64(v)) ^ 1<<63
}

func floatKey(x float64) uint64 {
	switch {
	case x != x:
		return math.MaxUint64
	case x == 0:
		return 1 << 63
	}
	u := math.Float64bits(x)
	return u ^ (uint64(int64(u)>>63) | 1<<63)
}

// float32Key is the key of a float32, which fits 32 bits.
func float32Key(x float32) uint32 {
	switch {
	case x != x:
		return math.MaxUint32
	case x == 0:
		return 1 << 31
	}
	u := math.Float32bits(x)
	return u ^ (uint32(int32(u)>>31) | 1<<31)
}

// item is a key with the place it came from.
type item[K uint32 | uint64] struct {
	key   K
	place int32
}

const digitBits = 11

// radixItems sorts items stably by the digits that differ; it may return either of
// its two arguments.
func radixItems[K uint32 | uint64](x, spare []item[K]) []item[K] {
	var all, any K
	all--
	for _, e := range x {
		all &= e.key
		any |= e.key
	}
	var count [1 << digitBits]int32
	for shift := 0; (any^all)>>shift != 0; shift += digitBits {
		if (any^all)>>shift&(1<<digitBits-1) == 0 {
			continue
		}
		clear(count[:])
		for _, e := range x {
			count[e.key>>shift&(1<<digitBits-1)]++
		}
		sum := int32(0)
		for i, c := range count {
			count[i] = sum
			sum += c
		}
		for _, e := range x {
			d := e.key >> shift & (1<<digitBits - 1)
			spare[count[d]] = e
			count[d]++
		}
		x, spare = spare, x
	}
	return x
}

// histograms counts the digits of all keys, one table for each digit.
func histograms[K uint32 | uint64](x []K, count [][1 << digitBits]uint32) {
	if keys, ok := any(x).([]uint32); ok {
		const mask = 1<<digitBits - 1
		low, mid, high := &count[0], &count[1], &count[2]
		for _, k := range keys {
			low[k&mask]++
			mid[k>>digitBits&mask]++
			high[k>>(2*digitBits)]++
		}
		return
	}
	for _, k := range x {
		for d := range count {
			count[d][k&(1<<digitBits-1)]++
			k >>= digitBits
		}
	}
}

// radixKeys is radixItems without places.
func radixKeys[K uint32 | uint64](x, spare []K) []K {
	digits := 3
	if _, wide := any(x).([]uint64); wide {
		digits = 6
	}
	count := make([][1 << digitBits]uint32, digits)
	histograms(x, count)
	for d := range count {
		table, shift := &count[d], d*digitBits
		if table[x[0]>>shift&(1<<digitBits-1)] == uint32(len(x)) {
			continue
		}
		sum := uint32(0)
		for i, c := range table {
			table[i] = sum
			sum += c
		}
		spare = spare[:len(x)]
		scatter(spare, x, table, shift)
		x, spare = spare, x
	}
	return x
}

// scatter moves keys to where the table says the next of their digit goes.
func scatter[K uint32 | uint64](dst, x []K, table *[1 << digitBits]uint32, shift int) {
	for _, k := range x {
		d := k >> (shift & 63) & (1<<digitBits - 1)
		at := table[d]
		dst[at] = k
		table[d] = at + 1
	}
}

// sortFloat32 sorts numbers without nans.
func sortFloat32(x []float32) {
	if len(x) < radixFrom || len(x) > math.MaxInt32 {
		slices.Sort(x)
		return
	}
	keys := make([]uint32, 2*len(x))
	for i, v := range x {
		u := math.Float32bits(v)
		keys[i] = u ^ (uint32(int32(u)>>31) | 1<<31)
	}
	for i, k := range radixKeys(keys[:len(x)], keys[len(x):]) {
		x[i] = math.Float32frombits(k ^ (^uint32(int32(k)>>31) | 1<<31))
	}
}

// sortFloat64 sorts numbers without nans.
func sortFloat64(x []float64) {
	if len(x) < radixFrom || len(x) > math.MaxInt32 {
		slices.Sort(x)
		return
	}
	keys := make([]uint64, 2*len(x))
	for i, v := range x {
		u := math.Float64bits(v)
		keys[i] = u ^ (uint64(int64(u)>>63) | 1<<63)
	}
	for i, k := range radixKeys(keys[:len(x)], keys[len(x):]) {
		x[i] = math.Float64frombits(k ^ (^uint64(int64(k)>>63) | 1<<63))
	}
}

// sortNumbers sorts a row without nans.
func sortNumbers[T Real](x []T) {
	switch x := any(x).(type) {
	case []float32:
		sortFloat32(x)
		return
	case []float64:
		sortFloat64(x)
		return
	}
	if len(x) < radixFrom || len(x) > math.MaxInt32 {
		slices.Sort(x)
		return
	}
	keys := make([]uint64, 2*len(x))
	for i, v := range x {
		keys[i] = sortKey(v)
	}
	flip := uint64(1 << 63)
	if _, wide := any(x).([]uint64); wide {
		flip = 0
	}
	for i, k := range radixKeys(keys[:len(x)], keys[len(x):]) {
		x[i] = T(k ^ flip)
	}
}

// argRadix is ArgSort of one row by digits.
func argRadix[T Real, I Index](o Order, dst []I, row []T) {
	n := len(row)
	if f, ok := any(row).([]float32); ok {
		items := make([]item[uint32], 2*n)
		for i, v := range f {
			k := float32Key(v)
			if o == Descending && v == v {
				k = ^k
			}
			items[i] = item[uint32]{k, int32(i)}
		}
		for i, e := range radixItems(items[:n], items[n:]) {
			dst[i] = I(e.place)
		}
		return
	}
	items := make([]item[uint64], 2*n)
	for i, v := range row {
		k := sortKey(v)
		if o == Descending && v == v {
			k = ^k
		}
		items[i] = item[uint64]{k, int32(i)}
	}
	for i, e := range radixItems(items[:n], items[n:]) {
		dst[i] = I(e.place)
	}
}
