package ndarray

import (
	"strings"
	"unsafe"

	"github.com/tfs-lang/tfs/tensor/format"
)

// maxDims bounds the rank of arrays that loops walk.
const maxDims = 32

// args is one row for an inner loop: n elements of each operand, at p with steps s.
// Operand 0 is the result.
type args struct {
	n     int
	p     [4]unsafe.Pointer
	s     [4]int
	flags Flags
}

// loop runs over one row.
type loop func(a *args)

// plan walks up to four operands of one shape; neighbouring dimensions that all
// operands step through alike are one.
type plan struct {
	nd   int
	dims [maxDims]int
	st   [4][maxDims]int
	base [4]unsafe.Pointer
	nop  int
	n    int
}

// operand is one operand of a plan; dims shorter than the plan's or 1 are repeated.
type operand struct {
	p       unsafe.Pointer
	dims    []int
	strides []int
}

func (a *Array) operand() operand {
	return operand{a.first(a.mem()), a.dims, a.strides}
}

func (a *Array) target() operand {
	return operand{a.first(a.wmem()), a.dims, a.strides}
}

// first is the address of the first element; an empty array's may lie behind the block.
func (a *Array) first(mem unsafe.Pointer) unsafe.Pointer {
	if a.n == 0 {
		return mem
	}
	return unsafe.Add(mem, a.off)
}

// init plans ops over shape.
func (p *plan) init(shape []int, ops ...operand) {
	p.nd, p.nop, p.n = 0, len(ops), 1
	for k := range ops {
		p.base[k] = ops[k].p
	}
	for i, d := range shape {
		p.n *= d
		if d == 1 {
			continue
		}
		var s [4]int
		for k := range ops {
			j := i - len(shape) + len(ops[k].dims)
			if j >= 0 && ops[k].dims[j] != 1 {
				s[k] = ops[k].strides[j]
			}
		}
		p.push(d, &s)
	}
	if p.nd == 0 {
		p.nd, p.dims[0] = 1, 1
		p.st[0][0], p.st[1][0], p.st[2][0], p.st[3][0] = 0, 0, 0, 0
	}
}

func (p *plan) push(d int, s *[4]int) {
	if l := p.nd - 1; l >= 0 {
		merge := true
		for k := range p.nop {
			if p.st[k][l] != s[k]*d {
				merge = false
				break
			}
		}
		if merge {
			p.dims[l] *= d
			for k := range p.nop {
				p.st[k][l] = s[k]
			}
			return
		}
	}
	p.dims[p.nd] = d
	for k := range 4 {
		p.st[k][p.nd] = s[k]
	}
	p.nd++
}

// run calls f for every row.
func (p *plan) run(f loop) Flags {
	if p.n == 0 {
		return 0
	}
	last := p.nd - 1
	a := args{n: p.dims[last], p: p.base}
	for k := range p.nop {
		a.s[k] = p.st[k][last]
	}
	if last == 0 {
		f(&a)
		return a.flags
	}
	var idx [maxDims]int
	ptr := p.base
	for {
		a.p = ptr
		f(&a)
		i := last - 1
		for ; i >= 0; i-- {
			idx[i]++
			if idx[i] < p.dims[i] {
				for k := range p.nop {
					ptr[k] = unsafe.Add(ptr[k], p.st[k][i])
				}
				break
			}
			for k := range p.nop {
				ptr[k] = unsafe.Add(ptr[k], -p.st[k][i]*(p.dims[i]-1))
			}
			idx[i] = 0
		}
		if i < 0 {
			return a.flags
		}
	}
}

// each calls f with the position of every element in C order.
func (a *Array) each(f func(pos int)) {
	if a.n == 0 {
		return
	}
	var idx [maxDims]int
	pos, last := a.off, len(a.dims)-1
	for {
		f(pos)
		i := last
		for ; i >= 0; i-- {
			idx[i]++
			if idx[i] < a.dims[i] {
				pos += a.strides[i]
				break
			}
			pos -= a.strides[i] * (a.dims[i] - 1)
			idx[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

// BroadcastShapes is the common shape of operands of these shapes.
func BroadcastShapes(shapes ...[]int) ([]int, error) {
	rank := 0
	for _, s := range shapes {
		rank = max(rank, len(s))
	}
	out := make([]int, rank)
	for i := range out {
		out[i] = 1
	}
	for _, s := range shapes {
		for i, d := range s {
			j := i + len(out) - len(s)
			switch {
			case out[j] == 1:
				out[j] = d
			case d != 1 && d != out[j]:
				return nil, valueError("operands could not be broadcast together with shapes %s", shapesText(shapes))
			}
		}
	}
	return out, nil
}

// shapesText is how NumPy lists shapes: each followed by a blank.
func shapesText(shapes [][]int) string {
	var b strings.Builder
	for _, s := range shapes {
		b.WriteString(tupleText(s))
		b.WriteByte(' ')
	}
	return b.String()
}

// tupleText is a shape in C texts: no blank after commas.
func tupleText(dims []int) string { return strings.ReplaceAll(format.Shape(dims), ", ", ",") }
