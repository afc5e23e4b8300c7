package kernel

import "math"

// Sums of rows run over 32 lanes: element i goes to lane i%32 in float64, and the
// lanes are joined by halving. Long rows are cut into chunks whose sums are joined
// pairwise, so that workers may take chunks.
const (
	lanes = 32
	// sumChunk32 keeps an assembly call short; a float64 lane has bits to spare.
	sumChunk32 = 1 << 15
	// sumChunk64 bounds the length of a lane, hence the error, for float64.
	sumChunk64 = 1 << 10
)

func reduce32(op ReduceOp, dst, x []float32, outer, axis, inner int) {
	if inner == 1 {
		for o := range dst[:outer] {
			dst[o] = reduceRow32(op, x[o*axis:(o+1)*axis])
		}
		return
	}
	switch op {
	case Sum, Mean, SumSquares:
		sumColumns32(op, dst, x, outer, axis, inner)
	default:
		reduceInt(op, dst, x, outer, axis, inner)
		settle(op, dst[:outer*inner])
	}
}

func reduceRow32(op ReduceOp, x []float32) float32 {
	switch op {
	case Sum:
		return Sum32(x)
	case Mean:
		return Sum32(x) / float32(len(x))
	case SumSquares:
		return float32(sumPairs(len(x), sumChunk32, func(i, j int) float64 { return lanesSquares32(x[i:j]) }))
	case Max:
		return Max32(x)
	case Min:
		return Min32(x)
	}
	p := float32(1)
	for _, v := range x {
		p *= v
	}
	return p
}

// Sum32 is the sum of x.
func Sum32(x []float32) float32 {
	if len(x) <= sumChunk32 {
		return float32(lanesSum32(x))
	}
	return float32(sumPairs(len(x), sumChunk32, func(i, j int) float64 { return lanesSum32(x[i:j]) }))
}

// sumPairs joins the sums of the chunks of n elements pairwise: the tree of a binary
// counter, whatever order the chunks are computed in.
func sumPairs(n, chunk int, sum func(i, j int) float64) float64 {
	var stack [64]float64
	top := 0
	for i, k := 0, 1; i < n; i, k = i+chunk, k+1 {
		stack[top] = sum(i, min(i+chunk, n))
		top++
		for c := k; c&1 == 0; c >>= 1 {
			top--
			stack[top-1] += stack[top]
		}
	}
	if top == 0 {
		return 0
	}
	for ; top > 1; top-- {
		stack[top-2] += stack[top-1]
	}
	return stack[0]
}

func joinLanes(acc *[lanes]float64) float64 {
	for h := lanes / 2; h > 0; h /= 2 {
		for l := 0; l < h; l++ {
			acc[l] += acc[l+h]
		}
	}
	return acc[0]
}

func lanesSum32Go(x []float32) float64 {
	var acc [lanes]float64
	for ; len(x) >= lanes; x = x[lanes:] {
		for l, v := range x[:lanes] {
			acc[l] += float64(v)
		}
	}
	for l, v := range x {
		acc[l] += float64(v)
	}
	return joinLanes(&acc)
}

func lanesSquares32Go(x []float32) float64 {
	var acc [lanes]float64
	for ; len(x) >= lanes; x = x[lanes:] {
		for l, v := range x[:lanes] {
			acc[l] += float64(float64(v) * float64(v))
		}
	}
	for l, v := range x {
		acc[l] += float64(float64(v) * float64(v))
	}
	return joinLanes(&acc)
}

func lanesSum64Go(x []float64, square bool) float64 {
	var acc [lanes]float64
	for ; len(x) >= lanes; x = x[lanes:] {
		foldLanes64(&acc, x[:lanes], square)
	}
	foldLanes64(&acc, x, square)
	return joinLanes(&acc)
}

func foldLanes64(acc *[lanes]float64, x []float64, square bool) {
	if square {
		for l, v := range x {
			acc[l&(lanes-1)] += float64(v * v)
		}
		return
	}
	for l, v := range x {
		acc[l&(lanes-1)] += v
	}
}

// columns is how many columns of a matrix are summed at a time.
const columns = 1024

// sumColumns32 sums over the axis in order, in float64.
func sumColumns32(op ReduceOp, dst, x []float32, outer, axis, inner int) {
	var acc [columns]float64
	for o := 0; o < outer; o++ {
		base := o * axis * inner
		for j := 0; j < inner; j += columns {
			w := min(columns, inner-j)
			clear(acc[:w])
			a := 0
			for ; op != SumSquares && a+4 <= axis && addFourRows(acc[:w], x[base+a*inner+j:], inner); a += 4 {
			}
			for ; a < axis; a++ {
				row := x[base+a*inner+j : base+a*inner+j+w]
				if op == SumSquares {
					for i, v := range row {
						acc[i] += float64(float64(v) * float64(v))
					}
				} else {
					addRow32(acc[:w], row)
				}
			}
			d := dst[o*inner+j : o*inner+j+w]
			for i := range d {
				d[i] = float32(acc[i])
				if op == Mean {
					d[i] /= float32(axis)
				}
			}
		}
	}
}

func addRow32Go(acc []float64, row []float32) {
	acc = acc[:len(row)]
	for i, v := range row {
		acc[i] += float64(v)
	}
}

func reduce64(op ReduceOp, dst, x []float64, outer, axis, inner int) {
	if inner == 1 {
		for o := range dst[:outer] {
			dst[o] = reduceRow64(op, x[o*axis:(o+1)*axis])
		}
		return
	}
	if op == Max || op == Min || op == Prod {
		reduceInt(op, dst, x, outer, axis, inner)
		settle(op, dst[:outer*inner])
		return
	}
	for o := 0; o < outer; o++ {
		d := dst[o*inner : (o+1)*inner]
		rowTree(op, d, x[o*axis*inner:(o+1)*axis*inner], axis, inner)
		if op == Mean {
			for i := range d {
				d[i] /= float64(axis)
			}
		}
	}
}

// rowTree sums rows of inner elements by halves, 16 rows at the leaves.
func rowTree(op ReduceOp, d, x []float64, axis, inner int) {
	if axis <= 16 {
		fold := Sum
		if op == SumSquares {
			fold = SumSquares
		}
		clear(d)
		for a := 0; a < axis; a++ {
			foldRow(fold, d, x[a*inner:(a+1)*inner])
		}
		return
	}
	half := axis / 2
	rowTree(op, d, x[:half*inner], half, inner)
	rest := make([]float64, inner)
	rowTree(op, rest, x[half*inner:], axis-half, inner)
	for i, v := range rest {
		d[i] += v
	}
}

func reduceRow64(op ReduceOp, x []float64) float64 {
	switch op {
	case Sum, Mean, SumSquares:
		s := sumPairs(len(x), sumChunk64, func(i, j int) float64 { return lanesSum64(x[i:j], op == SumSquares) })
		if op == Mean {
			s /= float64(len(x))
		}
		return s
	case Max, Min:
		var d [1]float64
		reduceInt(op, d[:], x, 1, len(x), 1)
		settle(op, d[:])
		return d[0]
	}
	p := 1.0
	for _, v := range x {
		p *= v
	}
	return p
}

// settle makes a maximum or minimum independent of the order of its operands: a
// zero is +0 and a nan is the one nan.
func settle[T Float](op ReduceOp, d []T) {
	if op != Max && op != Min {
		return
	}
	for i, v := range d {
		if v == 0 {
			d[i] = 0
		} else if v != v {
			d[i] = T(math.NaN())
		}
	}
}

// Max32 is the largest of x, -inf of nothing, nan if one is nan.
func Max32(x []float32) float32 {
	d := [1]float32{max32(x)}
	settle(Max, d[:])
	return d[0]
}

// Min32 is the smallest of x, +inf of nothing, nan if one is nan.
func Min32(x []float32) float32 {
	d := [1]float32{min32(x)}
	settle(Min, d[:])
	return d[0]
}

func max32Go(x []float32) float32 {
	m := float32(math.Inf(-1))
	for _, v := range x {
		m = larger(m, v)
	}
	return m
}

func min32Go(x []float32) float32 {
	m := float32(math.Inf(1))
	for _, v := range x {
		m = smaller(m, v)
	}
	return m
}
