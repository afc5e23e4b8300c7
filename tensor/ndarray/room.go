package ndarray

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/tfs-lang/tfs/tensor/format"
)

// largest is the most bytes that any array may take.
const largest = 1 << 37

// Room asks whether an array of that type and shape may be made: it has not too
// many dimensions, and the memory is there.
func (c *Ctx) Room(dt DType, dims []int) error {
	if len(dims) > maxDims {
		return valueError("maximum supported dimension for an ndarray is currently %d, found %d", maxDims, len(dims))
	}
	n := uint64(dt.Size())
	for _, d := range dims {
		if d < 0 {
			return valueError("negative dimensions are not allowed")
		}
		hi, lo := bits.Mul64(n, uint64(max(d, 1)))
		if hi != 0 || lo >= 1<<62 {
			return valueError("array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.")
		}
		n = lo
	}
	for _, d := range dims {
		if d == 0 {
			return nil
		}
	}
	if n < 1<<16 {
		return nil
	}
	ok, why := n <= largest, ""
	if ok {
		ok, why = c.Host.Reserve(int(n))
	}
	if ok {
		return nil
	}
	if why != "" {
		why = "; " + why
	}
	return fail("MemoryError", "Unable to allocate %s for an array with shape %s and data type %s%s", sizeText(float64(n)), format.Shape(dims), dt, why)
}

// sizeText is a size in three digits with a binary unit.
func sizeText(n float64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	u := 0
	for ; n >= 1024 && u < len(units)-1; u++ {
		n /= 1024
	}
	t := strconv.FormatFloat(n, 'g', 3, 64)
	digits := len(strings.Replace(t, ".", "", 1))
	if !strings.Contains(t, ".") {
		t += "."
	}
	return t + strings.Repeat("0", max(3-digits, 0)) + " " + units[u]
}
