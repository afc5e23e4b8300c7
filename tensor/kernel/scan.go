package kernel

import "math"

// ScanOp names a running reduction.
type ScanOp uint8

// The scans.
const (
	Cumsum ScanOp = iota
	Cumprod
	Cummax
	Cummin
	CumLogSumExp
)

// ScanOptions says how a scan runs: Exclusive shifts by one, Reverse starts at the
// end.
type ScanOptions struct{ Exclusive, Reverse bool }

// Scan writes the running reduction of x along the middle of [outer, axis, inner].
func Scan[T Num](op ScanOp, dst, x []T, outer, axis, inner int, opt ScanOptions) {
	f := scanFunc[T](op)
	for o := 0; o < outer; o++ {
		for i := 0; i < inner; i++ {
			at, step := o*axis*inner+i, inner
			if opt.Reverse {
				at += (axis - 1) * inner
				step = -inner
			}
			acc := scanStart[T](op)
			for a := 0; a < axis; a++ {
				v := x[at]
				if opt.Exclusive {
					dst[at] = acc
				}
				acc = f(acc, v)
				if !opt.Exclusive {
					dst[at] = acc
				}
				at += step
			}
		}
	}
}

func scanStart[T Num](op ScanOp) T {
	var v T
	switch op {
	case Cumsum:
		return 0
	case Cumprod:
		return 1
	}
	inf := -1
	if op == Cummin {
		inf = 1
	}
	switch p := any(&v).(type) {
	case *float32:
		*p = float32(math.Inf(inf))
	case *float64:
		*p = math.Inf(inf)
	case *int32:
		*p = bound[int32](inf)
	case *int64:
		*p = bound[int64](inf)
	case *int16:
		*p = bound[int16](inf)
	case *int8:
		*p = bound[int8](inf)
	case *uint8:
		*p = bound[uint8](inf)
	case *uint16:
		*p = bound[uint16](inf)
	case *uint32:
		*p = bound[uint32](inf)
	case *uint64:
		*p = bound[uint64](inf)
	}
	return v
}

func bound[T Real](side int) T {
	if side < 0 {
		return lowest[T]()
	}
	return highest[T]()
}

func scanFunc[T Num](op ScanOp) func(a, v T) T {
	switch op {
	case Cumsum:
		return func(a, v T) T { return a + v }
	case Cumprod:
		return func(a, v T) T { return a * v }
	}
	g := realFunc(op)
	return func(a, v T) T { return ofReal[T](g(toReal(a), toReal(v))) }
}

// realFunc works on float64, exact for every type that has these scans but wide
// integers, which Cummax and Cummin of TensorFlow don't take.
func realFunc(op ScanOp) func(a, v float64) float64 {
	switch op {
	case Cummax:
		return larger[float64]
	case Cummin:
		return smaller[float64]
	}
	return func(a, v float64) float64 {
		if math.IsInf(a, -1) && math.IsInf(v, -1) {
			return a
		}
		return logAddExp64(a, v)
	}
}

func toReal[T Num](v T) float64 {
	var d [1]float64
	Cast(d[:], []T{v})
	return d[0]
}

func ofReal[T Num](v float64) T {
	var d [1]T
	Cast(d[:], []float64{v})
	return d[0]
}

// ScanHalf is Scan for halves, rounding at each step as TensorFlow does.
func ScanHalf[H Half](op ScanOp, dst, x []H, outer, axis, inner int, opt ScanOptions) {
	f := scanFunc[float32](op)
	for o := 0; o < outer; o++ {
		for i := 0; i < inner; i++ {
			at, step := o*axis*inner+i, inner
			if opt.Reverse {
				at += (axis - 1) * inner
				step = -inner
			}
			acc := toHalf[H](scanStart[float32](op))
			for a := 0; a < axis; a++ {
				next := toHalf[H](f(ofHalf(acc), ofHalf(x[at])))
				if opt.Exclusive {
					dst[at] = acc
				} else {
					dst[at] = next
				}
				acc = next
				at += step
			}
		}
	}
}
