package kernel

// Binary writes op(x, y) to dst. With a nil plan x and y have the length of dst or
// are one element; otherwise the plan's first two operands are x and y and dst is
// dense. Integer division by zero and negative integer powers are errors.
func Binary[T Real](op BinaryOp, dst, x, y []T, p *Plan) error {
	if p == nil {
		return binaryFlat(op, dst, x, y)
	}
	for r := p.rows(); r.next(); {
		d := dst[r.out : r.out+r.n]
		sx, sy := r.step[0], r.step[1]
		var err error
		switch {
		case sx == 1 && sy == 1:
			err = binaryVV(op, d, x[r.at[0]:], y[r.at[1]:])
		case sx == 1 && sy == 0:
			err = binaryVS(op, d, x[r.at[0]:], y[r.at[1]])
		case sx == 0 && sy == 1:
			err = binarySV(op, d, x[r.at[0]], y[r.at[1]:])
		default:
			err = binaryGathered(op, d, x, y, &r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// binaryGathered is a row whose operands have to be gathered first. It is a function
// of its own because clearing the buffers takes longer than a short row.
func binaryGathered[T Real](op BinaryOp, d, x, y []T, r *rows) error {
	var bx, by [rowChunk]T
	for i := 0; i < r.n; i += rowChunk {
		n := min(rowChunk, r.n-i)
		err := binaryVV(op, d[i:i+n], pick(bx[:], x, r.at[0]+i*r.step[0], r.step[0], n),
			pick(by[:], y, r.at[1]+i*r.step[1], r.step[1], n))
		if err != nil {
			return err
		}
	}
	return nil
}

func binaryFlat[T Real](op BinaryOp, dst, x, y []T) error {
	if len(dst) == 0 {
		return nil
	}
	switch {
	case len(x) == len(dst) && len(y) == len(dst):
		return binaryVV(op, dst, x, y)
	case len(y) == 1:
		return binaryVS(op, dst, x, y[0])
	}
	return binarySV(op, dst, x[0], y)
}

// dividesInt says whether an integer op fails on a zero second operand.
func dividesInt(op BinaryOp) bool {
	switch op {
	case Div, FloorDiv, FloorMod, TruncDiv, TruncMod:
		return true
	}
	return false
}

func hasZero[T Real](x []T) bool {
	for _, v := range x {
		if v == 0 {
			return true
		}
	}
	return false
}

func binaryVV[T Real](op BinaryOp, dst, x, y []T) error {
	if f, ok := any(dst).([]float32); ok && asmVV(op, f, any(x).([]float32), any(y).([]float32)) {
		return nil
	}
	switch op {
	case Add:
		addVV(dst, x, y)
	case Sub:
		subVV(dst, x, y)
	case Mul:
		mulVV(dst, x, y)
	case Maximum:
		maximumVV(dst, x, y)
	case Minimum:
		minimumVV(dst, x, y)
	case SquaredDifference:
		squaredDifferenceVV(dst, x, y)
	case ReluGrad:
		reluGradVV(dst, x, y)
	case Relu6Grad:
		relu6GradVV(dst, x, y)
	case TanhGrad:
		tanhGradVV(dst, x, y)
	case SigmoidGrad:
		sigmoidGradVV(dst, x, y)
	case Div:
		if !isFloat[T]() && hasZero(y[:len(dst)]) {
			return ErrDivideByZero
		}
		divVV(dst, x, y)
	default:
		return cold(op, dst, x, 1, y, 1)
	}
	return nil
}

func binaryVS[T Real](op BinaryOp, dst, x []T, y T) error {
	if f, ok := any(dst).([]float32); ok && asmVS(op, f, any(x).([]float32), float32(y)) {
		return nil
	}
	switch op {
	case Add:
		addVS(dst, x, y)
	case Sub:
		subVS(dst, x, y)
	case Mul:
		mulVS(dst, x, y)
	case Maximum:
		maximumVS(dst, x, y)
	case Minimum:
		minimumVS(dst, x, y)
	case SquaredDifference:
		squaredDifferenceVS(dst, x, y)
	case ReluGrad:
		reluGradVS(dst, x, y)
	case Relu6Grad:
		relu6GradVS(dst, x, y)
	case TanhGrad:
		tanhGradVS(dst, x, y)
	case SigmoidGrad:
		sigmoidGradVS(dst, x, y)
	case Div:
		if !isFloat[T]() && y == 0 {
			return ErrDivideByZero
		}
		divVS(dst, x, y)
	case Pow:
		return powVS(dst, x, y)
	default:
		return cold(op, dst, x, 1, []T{y}, 0)
	}
	return nil
}

// powVS has the powers that scripts write as operators.
func powVS[T Real](dst, x []T, y T) error {
	switch {
	case y == 1:
		copy(dst, x)
	case y == 2:
		Unary(Square, dst, x)
	case y == 3 && isFloat[T]():
		x = x[:len(dst)]
		for i, v := range x {
			f := float64(v)
			dst[i] = T(f * f * f)
		}
	default:
		return cold(Pow, dst, x, 1, []T{y}, 0)
	}
	return nil
}

func binarySV[T Real](op BinaryOp, dst []T, x T, y []T) error {
	if f, ok := any(dst).([]float32); ok && asmSV(op, f, float32(x), any(y).([]float32)) {
		return nil
	}
	switch op {
	case Add:
		addSV(dst, x, y)
	case Sub:
		subSV(dst, x, y)
	case Mul:
		mulSV(dst, x, y)
	case Maximum:
		maximumSV(dst, x, y)
	case Minimum:
		minimumSV(dst, x, y)
	case SquaredDifference:
		squaredDifferenceSV(dst, x, y)
	case ReluGrad:
		reluGradSV(dst, x, y)
	case Relu6Grad:
		relu6GradSV(dst, x, y)
	case TanhGrad:
		tanhGradSV(dst, x, y)
	case SigmoidGrad:
		sigmoidGradSV(dst, x, y)
	case Div:
		if !isFloat[T]() && hasZero(y[:len(dst)]) {
			return ErrDivideByZero
		}
		divSV(dst, x, y)
	default:
		return cold(op, dst, []T{x}, 0, y, 1)
	}
	return nil
}

// cold runs the ops without a loop of their own; steps are 0 or 1.
func cold[T Real](op BinaryOp, dst, x []T, sx int, y []T, sy int) error {
	if !isFloat[T]() {
		return coldInt(op, dst, x, sx, y, sy)
	}
	f := float64Binary[op]
	if _, single := any(dst).([]float32); single && op == NextAfter {
		f = nextAfter32
	}
	for i := range dst {
		dst[i] = T(f(float64(x[i*sx]), float64(y[i*sy])))
	}
	return nil
}

func coldInt[T Real](op BinaryOp, dst, x []T, sx int, y []T, sy int) error {
	if dividesInt(op) && hasZero(y[:(len(dst)-1)*sy+1]) {
		return ErrDivideByZero
	}
	if op == Pow && hasNegative(y[:(len(dst)-1)*sy+1]) {
		return ErrNegativePower
	}
	for i := range dst {
		a, b := x[i*sx], y[i*sy]
		switch op {
		case FloorDiv:
			dst[i] = floorDivInt(a, b)
		case FloorMod:
			dst[i] = floorModInt(a, b)
		case TruncDiv:
			dst[i] = a / b
		case TruncMod:
			dst[i] = a - a/b*b
		case Pow:
			dst[i] = powInt(a, b)
		default:
			if b == 0 && (op == DivNoNan || op == Xdivy) {
				dst[i] = 0
				continue
			}
			dst[i] = T(float64Binary[op](float64(a), float64(b)))
		}
	}
	return nil
}

func hasNegative[T Real](x []T) bool {
	for _, v := range x {
		if v < 0 {
			return true
		}
	}
	return false
}

func floorDivInt[T Real](a, b T) T {
	q := a / b
	if (a < 0) != (b < 0) && q*b != a {
		q--
	}
	return q
}

func floorModInt[T Real](a, b T) T {
	r := a - a/b*b
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

// powInt squares and multiplies; it wraps as the type does.
func powInt[T Real](x, n T) T {
	r := T(1)
	for n > 0 {
		half := n / 2
		if n-half*2 != 0 {
			r *= x
		}
		x *= x
		n = half
	}
	return r
}

// BinaryHalf is Binary for halves: computed in float32, rounded once.
func BinaryHalf[H Half](op BinaryOp, dst, x, y []H, p *Plan) error {
	var px Plan
	if p == nil {
		px, _ = NewPlan([]int{len(dst)}, []int{flatStep(x, dst)}, []int{flatStep(y, dst)}, nil)
		p = &px
	}
	var bx, by [rowChunk]float32
	var hx, hy [rowChunk]H
	for r := p.rows(); r.next(); {
		for i := 0; i < r.n; i += rowChunk {
			n := min(rowChunk, r.n-i)
			widen(bx[:n], pick(hx[:], x, r.at[0]+i*r.step[0], r.step[0], n))
			widen(by[:n], pick(hy[:], y, r.at[1]+i*r.step[1], r.step[1], n))
			if err := binaryVV(op, bx[:n], bx[:n], by[:n]); err != nil {
				return err
			}
			narrow(dst[r.out+i:r.out+i+n], bx[:n])
		}
	}
	return nil
}

func flatStep[T, U any](x []T, dst []U) int {
	if len(x) == 1 && len(dst) != 1 {
		return 0
	}
	return 1
}

// Logic writes op(x, y) for booleans; the plan as in Binary.
func Logic(op LogicOp, dst, x, y []bool, p *Plan) {
	each2(dst, x, y, p, func(d, x, y []bool) {
		for i := range d {
			switch op {
			case LogicalAnd:
				d[i] = x[i] && y[i]
			case LogicalOr:
				d[i] = x[i] || y[i]
			case LogicalXor:
				d[i] = x[i] != y[i]
			}
		}
	})
}

// Bits writes op(x, y) for integers; the plan as in Binary. Shifts by a negative
// count or by the width and more shift everything out.
func Bits[T Int](op BitOp, dst, x, y []T, p *Plan) {
	each2(dst, x, y, p, func(d, x, y []T) {
		switch op {
		case BitAnd:
			bitAndVV(d, x, y)
		case BitOr:
			bitOrVV(d, x, y)
		case BitXor:
			bitXorVV(d, x, y)
		case ShiftLeft:
			for i := range d {
				d[i] = x[i] << uint64(y[i])
			}
		case ShiftRight:
			for i := range d {
				d[i] = x[i] >> uint64(y[i])
			}
		}
	})
}

// each2 calls f on dense rows of both operands, repeating and gathering elements
// into buffers where a row isn't dense.
func each2[D, T any](dst []D, x, y []T, p *Plan, f func(d []D, x, y []T)) {
	var px Plan
	if p == nil {
		px, _ = NewPlan([]int{len(dst)}, []int{flatStep(x, dst)}, []int{flatStep(y, dst)}, nil)
		p = &px
	}
	for r := p.rows(); r.next(); {
		if r.step[0] == 1 && r.step[1] == 1 {
			f(dst[r.out:r.out+r.n], x[r.at[0]:r.at[0]+r.n], y[r.at[1]:r.at[1]+r.n])
		} else {
			gathered2(dst, x, y, &r, f)
		}
	}
}

func gathered2[D, T any](dst []D, x, y []T, r *rows, f func(d []D, x, y []T)) {
	var bx, by [rowChunk]T
	for i := 0; i < r.n; i += rowChunk {
		n := min(rowChunk, r.n-i)
		f(dst[r.out+i:r.out+i+n], pick(bx[:], x, r.at[0]+i*r.step[0], r.step[0], n),
			pick(by[:], y, r.at[1]+i*r.step[1], r.step[1], n))
	}
}
