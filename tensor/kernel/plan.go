package kernel

// maxDims bounds the dimensions of a Plan after neighbours have been merged.
const maxDims = 16

// Plan walks up to three operands and a dense result of one shape row by row.
// Strides are in elements; 0 repeats an element; any value, also a negative one,
// is allowed. Dimensions that all operands step through alike are merged, so most
// plans have one or two.
type Plan struct {
	dims   int
	shape  [maxDims]int
	stride [3][maxDims]int
	offset [3]int
	size   int
}

// NewPlan plans operands with the given strides against shape. Strides of a
// second or third operand that doesn't take part are nil. It reports false if more than 16
// dimensions remain after merging.
func NewPlan(shape []int, a, b, c []int) (p Plan, ok bool) {
	ok = p.set(shape, a, b, c)
	return
}

func (p *Plan) set(shape []int, a, b, c []int) bool {
	p.size = 1
	for i, d := range shape {
		p.size *= d
		if d == 1 {
			continue
		}
		var s [3]int
		s[0] = a[i]
		if b != nil {
			s[1] = b[i]
		}
		if c != nil {
			s[2] = c[i]
		}
		if !p.push(d, &s) {
			return false
		}
	}
	if p.dims == 0 {
		p.push(1, &[3]int{1, 1, 1})
	}
	return true
}

// push adds a dimension inside the last, merging the two where all strides allow.
func (p *Plan) push(d int, s *[3]int) bool {
	if n := p.dims - 1; n >= 0 && p.merges(n, d, s) {
		p.shape[n] *= d
		for k := range s {
			p.stride[k][n] = s[k]
		}
		return true
	}
	if p.dims == maxDims {
		return false
	}
	p.shape[p.dims] = d
	for k := range s {
		p.stride[k][p.dims] = s[k]
	}
	p.dims++
	return true
}

func (p *Plan) merges(n, d int, s *[3]int) bool {
	return p.stride[0][n] == s[0]*d && p.stride[1][n] == s[1]*d && p.stride[2][n] == s[2]*d
}

// Offsets sets where in their slices the operands begin.
func (p *Plan) Offsets(a, b, c int) { p.offset = [3]int{a, b, c} }

// Size is the number of elements of the result.
func (p *Plan) Size() int { return p.size }

// BroadcastStrides writes to dst, of the length of out, the strides by which a
// dense operand of the given shape is read as one of shape out. Shapes align at
// the last dimension.
func BroadcastStrides(dst, shape, out []int) []int {
	step := 1
	lead := len(out) - len(shape)
	for i := len(out) - 1; i >= 0; i-- {
		dst[i] = 0
		if i >= lead {
			if d := shape[i-lead]; d != 1 {
				dst[i] = step
				step *= d
			}
		}
	}
	return dst[:len(out)]
}

// Broadcast plans two dense operands against the shape they broadcast to.
func Broadcast(out, a, b []int) (p Plan, ok bool) {
	var bufA, bufB [maxDims]int
	ok = p.set(out, BroadcastStrides(room(&bufA, len(out)), a, out),
		BroadcastStrides(room(&bufB, len(out)), b, out), nil)
	return
}

// Broadcast3 plans three dense operands.
func Broadcast3(out, a, b, c []int) (p Plan, ok bool) {
	var bufA, bufB, bufC [maxDims]int
	ok = p.set(out, BroadcastStrides(room(&bufA, len(out)), a, out),
		BroadcastStrides(room(&bufB, len(out)), b, out),
		BroadcastStrides(room(&bufC, len(out)), c, out))
	return
}

func room(buf *[maxDims]int, n int) []int {
	if n > maxDims {
		return make([]int, n)
	}
	return buf[:n]
}

// rows iterates over the rows of a plan: n elements each, the operands at at[k]
// with inner stride step[k], the result at out.
type rows struct {
	p    *Plan
	n    int
	out  int
	at   [3]int
	step [3]int
	idx  [maxDims]int
	left int
}

func (p *Plan) rows() rows {
	last := p.dims - 1
	r := rows{p: p, n: p.shape[last], at: p.offset}
	for k := range r.step {
		r.step[k] = p.stride[k][last]
	}
	if p.size > 0 {
		r.left = p.size / r.n
	}
	r.out = -r.n
	return r
}

// next moves to the following row and reports whether there is one.
func (r *rows) next() bool {
	if r.left == 0 {
		return false
	}
	r.left--
	r.out += r.n
	if r.out == 0 {
		return true
	}
	p := r.p
	for d := p.dims - 2; d >= 0; d-- {
		r.idx[d]++
		for k := range r.at {
			r.at[k] += p.stride[k][d]
		}
		if r.idx[d] < p.shape[d] {
			return true
		}
		r.idx[d] = 0
		for k := range r.at {
			r.at[k] -= p.stride[k][d] * p.shape[d]
		}
	}
	return true
}

// rowChunk is how many elements of an oddly strided row are gathered at a time.
const rowChunk = 256

// pick gathers n elements of x from at on, step apart.
func pick[T any](buf, x []T, at, step, n int) []T {
	buf = buf[:n]
	for i := range buf {
		buf[i] = x[at]
		at += step
	}
	return buf
}
