package kernel

// Strided is a view of a slice: the element at index i is at Offset + sum(i*Stride).
type Strided struct {
	Offset int
	Stride []int
}

// Dense is the view of a dense row-major array of the given shape.
func Dense(shape []int) Strided {
	s := make([]int, len(shape))
	step := 1
	for i := len(shape) - 1; i >= 0; i-- {
		s[i] = step
		step *= shape[i]
	}
	return Strided{Stride: s}
}

// CopyND copies an array of the given shape from one view to another: slices,
// reversals (negative strides), transposes, repetition (stride 0), padding and
// concatenation (into a part of dst) are all this.
func CopyND[T any](dst []T, to Strided, src []T, from Strided, shape []int) {
	c := newCopy(to, from, shape)
	if c.empty {
		return
	}
	c.order()
	runCopy(dst, src, &c)
}

// ndcopy is a copy with its dimensions merged.
type ndcopy struct {
	empty    bool
	shape    []int
	to, from []int
	dst, src int
}

func newCopy(to, from Strided, shape []int) ndcopy {
	c := ndcopy{dst: to.Offset, src: from.Offset}
	for i, d := range shape {
		if d == 0 {
			c.empty = true
		}
		if d == 1 {
			continue
		}
		n := len(c.shape) - 1
		if n >= 0 && c.to[n] == to.Stride[i]*d && c.from[n] == from.Stride[i]*d {
			c.shape[n] *= d
			c.to[n], c.from[n] = to.Stride[i], from.Stride[i]
			continue
		}
		c.shape = append(c.shape, d)
		c.to = append(c.to, to.Stride[i])
		c.from = append(c.from, from.Stride[i])
	}
	if len(c.shape) == 0 {
		c.shape, c.to, c.from = []int{1}, []int{1}, []int{1}
	}
	return c
}

// order moves the dimension along which src is dense next to the innermost, so that
// the two make a transpose of cache-sized blocks.
func (c *ndcopy) order() {
	last := len(c.shape) - 1
	if last < 1 || c.from[last] == 1 {
		return
	}
	for d := 0; d < last; d++ {
		if c.from[d] == 1 {
			for ; d+1 < last; d++ {
				c.swap(d, d+1)
			}
			return
		}
	}
}

func (c *ndcopy) swap(i, j int) {
	c.shape[i], c.shape[j] = c.shape[j], c.shape[i]
	c.to[i], c.to[j] = c.to[j], c.to[i]
	c.from[i], c.from[j] = c.from[j], c.from[i]
}

func runCopy[T any](dst, src []T, c *ndcopy) {
	inner := min(2, len(c.shape))
	outer := len(c.shape) - inner
	idx := make([]int, outer)
	d, s := c.dst, c.src
	for {
		copyPlane(dst, d, src, s, c, inner)
		k := outer - 1
		for ; k >= 0; k-- {
			idx[k]++
			d += c.to[k]
			s += c.from[k]
			if idx[k] < c.shape[k] {
				break
			}
			d -= c.to[k] * idx[k]
			s -= c.from[k] * idx[k]
			idx[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

// copyPlane copies the last one or two dimensions.
func copyPlane[T any](dst []T, d int, src []T, s int, c *ndcopy, inner int) {
	last := len(c.shape) - 1
	n, dn, sn := c.shape[last], c.to[last], c.from[last]
	rows, dr, sr := 1, 0, 0
	if inner == 2 {
		rows, dr, sr = c.shape[last-1], c.to[last-1], c.from[last-1]
	}
	if sr == 1 && dn == 1 && rows > 4 && n > 4 {
		transposeBlocks(dst, d, dr, src, s, sn, rows, n)
		return
	}
	for r := 0; r < rows; r++ {
		copyRow(dst, d, dn, src, s, sn, n)
		d += dr
		s += sr
	}
}

func copyRow[T any](dst []T, d, dn int, src []T, s, sn, n int) {
	switch {
	case dn == 1 && sn == 1:
		copy(dst[d:d+n], src[s:s+n])
	case dn == 1 && sn == 0:
		Fill(dst[d:d+n], src[s])
	case dn == 1:
		out := dst[d : d+n]
		for i := range out {
			out[i] = src[s]
			s += sn
		}
	default:
		for i := 0; i < n; i++ {
			dst[d] = src[s]
			d += dn
			s += sn
		}
	}
}

// transposeBlocks writes dst[r*dr+i] = src[i*sn+r] in blocks that stay in cache.
func transposeBlocks[T any](dst []T, d, dr int, src []T, s, sn, rows, n int) {
	const block = 32
	if transposeAsm(dst[d:], dr, src[s:], sn, rows, n) {
		return
	}
	for r0 := 0; r0 < rows; r0 += block {
		r1 := min(r0+block, rows)
		for i0 := 0; i0 < n; i0 += block {
			i1 := min(i0+block, n)
			for r := r0; r < r1; r++ {
				out := dst[d+r*dr+i0 : d+r*dr+i1]
				at := s + i0*sn + r
				for i := range out {
					out[i] = src[at]
					at += sn
				}
			}
		}
	}
}

// Transpose permutes the dimensions of a dense array: dimension i of dst is
// dimension perm[i] of src, which has the given shape.
func Transpose[T any](dst, src []T, shape, perm []int) {
	from := Dense(shape)
	out, stride := make([]int, len(perm)), make([]int, len(perm))
	for i, p := range perm {
		out[i] = shape[p]
		stride[i] = from.Stride[p]
	}
	CopyND(dst, Dense(out), src, Strided{Stride: stride}, out)
}

// Fill sets every element to v.
func Fill[T any](dst []T, v T) {
	if len(dst) == 0 {
		return
	}
	dst[0] = v
	for n := 1; n < len(dst); n *= 2 {
		copy(dst[n:], dst[:n])
	}
}

// Iota writes start, start+step, ...; each element is computed from its index, so
// that errors don't add up.
func Iota[T Num](dst []T, start, step T) {
	at := T(0)
	for i := range dst {
		dst[i] = start + T(at*step)
		at++
	}
}

// Tile repeats a dense array of the given shape times[i] times along dimension i.
func Tile[T any](dst, src []T, shape, times []int) {
	n := len(shape)
	from := Dense(shape)
	both, stride := make([]int, 2*n), make([]int, 2*n)
	for i := range shape {
		both[2*i], both[2*i+1] = times[i], shape[i]
		stride[2*i+1] = from.Stride[i]
	}
	CopyND(dst, Dense(both), src, Strided{Stride: stride}, both)
}

// Reverse flips a dense array along the dimensions marked.
func Reverse[T any](dst, src []T, shape []int, flip []bool) {
	from := Dense(shape)
	for i, f := range flip {
		if f && shape[i] > 0 {
			from.Offset += from.Stride[i] * (shape[i] - 1)
			from.Stride[i] = -from.Stride[i]
		}
	}
	CopyND(dst, Dense(shape), src, from, shape)
}

// Pad copies src into the middle of dst, whose other elements become v. before[i]
// and after[i] elements are added around dimension i.
func Pad[T any](dst, src []T, shape, before, after []int, v T) {
	Fill(dst, v)
	out := make([]int, len(shape))
	for i, d := range shape {
		out[i] = d + before[i] + after[i]
	}
	to := Dense(out)
	for i, b := range before {
		to.Offset += b * to.Stride[i]
	}
	CopyND(dst, to, src, Dense(shape), shape)
}

// PadMirror pads by reflection; skip is 1 to leave out the edge itself (REFLECT), 0
// to repeat it (SYMMETRIC).
func PadMirror[T any](dst, src []T, shape, before, after []int, skip int) {
	n := len(shape)
	out := make([]int, n)
	for i, d := range shape {
		out[i] = d + before[i] + after[i]
	}
	from := Dense(shape).Stride
	idx := make([]int, n)
	for o := range dst {
		at := 0
		for i, x := range idx {
			at += mirror(x-before[i], shape[i], skip) * from[i]
		}
		dst[o] = src[at]
		for k := n - 1; k >= 0; k-- {
			if idx[k]++; idx[k] < out[k] {
				break
			}
			idx[k] = 0
		}
	}
}

func mirror(i, n, skip int) int {
	if i < 0 {
		i = skip - 1 - i
	}
	if i >= n {
		i = 2*n - 1 - skip - i
	}
	return i
}

// Concat writes parts, each read as [outer, axes[i], inner], side by side.
func Concat[T any](dst []T, parts [][]T, axes []int, outer, inner int) {
	total := 0
	for _, a := range axes {
		total += a
	}
	at := 0
	for i, p := range parts {
		w := axes[i] * inner
		for o := 0; o < outer; o++ {
			copy(dst[o*total*inner+at:], p[o*w:(o+1)*w])
		}
		at += w
	}
}

// Split cuts src, read as [outer, sum(axes), inner], into parts: Concat undone.
func Split[T any](parts [][]T, src []T, axes []int, outer, inner int) {
	total := 0
	for _, a := range axes {
		total += a
	}
	at := 0
	for i, p := range parts {
		w := axes[i] * inner
		for o := 0; o < outer; o++ {
			copy(p[o*w:(o+1)*w], src[o*total*inner+at:])
		}
		at += w
	}
}
