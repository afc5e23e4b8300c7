package kernel

// Compare writes op(x, y); the plan as in Binary.
func Compare[T Real](op CompareOp, dst []bool, x, y []T, p *Plan) {
	if p == nil {
		compareFlat(op, dst, x, y)
		return
	}
	for r := p.rows(); r.next(); {
		d := dst[r.out : r.out+r.n]
		sx, sy := r.step[0], r.step[1]
		switch {
		case sx == 1 && sy == 1:
			compareVV(op, d, x[r.at[0]:], y[r.at[1]:])
		case sx == 1 && sy == 0:
			compareVS(op, d, x[r.at[0]:], y[r.at[1]])
		case sx == 0 && sy == 1:
			compareVS(op.swap(), d, y[r.at[1]:], x[r.at[0]])
		default:
			gathered2(dst, x, y, &r, func(d []bool, x, y []T) { compareVV(op, d, x, y) })
		}
	}
}

// swap is the comparison with its operands exchanged.
func (op CompareOp) swap() CompareOp {
	switch op {
	case Less:
		return Greater
	case LessEqual:
		return GreaterEqual
	case Greater:
		return Less
	case GreaterEqual:
		return LessEqual
	}
	return op
}

func compareFlat[T Real](op CompareOp, dst []bool, x, y []T) {
	switch {
	case len(dst) == 0:
	case len(x) == len(dst) && len(y) == len(dst):
		compareVV(op, dst, x, y)
	case len(y) == 1:
		compareVS(op, dst, x, y[0])
	default:
		compareVS(op.swap(), dst, y, x[0])
	}
}

func compareVV[T Real](op CompareOp, dst []bool, x, y []T) {
	if f, ok := any(x).([]float32); ok && asmCompareVV(op, dst, f, any(y).([]float32)) {
		return
	}
	switch op {
	case Equal:
		equalVV(dst, x, y)
	case NotEqual:
		notEqualVV(dst, x, y)
	case Less:
		lessVV(dst, x, y)
	case LessEqual:
		lessEqualVV(dst, x, y)
	case Greater:
		lessVV(dst, y, x)
	case GreaterEqual:
		lessEqualVV(dst, y, x)
	}
}

func compareVS[T Real](op CompareOp, dst []bool, x []T, y T) {
	if f, ok := any(x).([]float32); ok && asmCompareVS(op, dst, f, float32(y)) {
		return
	}
	switch op {
	case Equal:
		equalVS(dst, x, y)
	case NotEqual:
		notEqualVS(dst, x, y)
	case Less:
		lessVS(dst, x, y)
	case LessEqual:
		lessEqualVS(dst, x, y)
	case Greater:
		lessSV(dst, y, x)
	case GreaterEqual:
		lessEqualSV(dst, y, x)
	}
}

// CompareHalf is Compare for halves.
func CompareHalf[H Half](op CompareOp, dst []bool, x, y []H, p *Plan) {
	var bx, by [rowChunk]float32
	each2(dst, x, y, p, func(d []bool, x, y []H) {
		for i := 0; i < len(d); i += rowChunk {
			n := min(rowChunk, len(d)-i)
			widen(bx[:n], x[i:i+n])
			widen(by[:n], y[i:i+n])
			compareVV(op, d[i:i+n], bx[:n], by[:n])
		}
	})
}

// Same writes whether elements are equal (Equal) or differ (NotEqual), for the
// types without an order: bool and complex.
func Same[T comparable](op CompareOp, dst []bool, x, y []T, p *Plan) {
	each2(dst, x, y, p, func(d []bool, x, y []T) {
		if op == Equal {
			equalVV(d, x, y)
		} else {
			notEqualVV(d, x, y)
		}
	})
}

// Where writes x where cond holds, else y. With a nil plan the operands have the
// length of dst or are one element; otherwise the plan's operands are cond, x, y.
func Where[T any](dst []T, cond []bool, x, y []T, p *Plan) {
	var px Plan
	if p == nil {
		px, _ = NewPlan([]int{len(dst)}, []int{flatStep(cond, dst)},
			[]int{flatStep(x, dst)}, []int{flatStep(y, dst)})
		p = &px
	}
	for r := p.rows(); r.next(); {
		c, i, j := r.at[0], r.at[1], r.at[2]
		d := dst[r.out : r.out+r.n]
		if r.step[0] == 1 && choose(d, cond[c:], x[i:], r.step[1], y[j:], r.step[2]) {
			continue
		}
		for k := range d {
			if cond[c] {
				d[k] = x[i]
			} else {
				d[k] = y[j]
			}
			c += r.step[0]
			i += r.step[1]
			j += r.step[2]
		}
	}
}

// choose is Where for a row of conditions side by side and operands that step by 1 or
// not at all; it reports false for others.
func choose[T any](dst []T, cond []bool, x []T, sx int, y []T, sy int) bool {
	if asmChoose(dst, cond, x, sx, y, sy) {
		return true
	}
	if sx != 1 || sy != 1 {
		return false
	}
	cond, x, y = cond[:len(dst)], x[:len(dst)], y[:len(dst)]
	for i, c := range cond {
		v := y[i]
		if c {
			v = x[i]
		}
		dst[i] = v
	}
	return true
}
