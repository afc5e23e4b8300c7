package kernel

// Reduction is how a reduction over any set of dimensions becomes one over (Outer,
// Axis, Inner): if Perm isn't nil the operand is first transposed by it.
type Reduction struct {
	Perm               []int
	Outer, Axis, Inner int
}

// PlanReduction decomposes a reduction of the dimensions marked in reduced.
func PlanReduction(shape []int, reduced []bool) Reduction {
	r := Reduction{Outer: 1, Axis: 1, Inner: 1}
	stage := 0 // before, within and after the one run of reduced dimensions
	for i, d := range shape {
		if d == 1 {
			continue
		}
		if reduced[i] != (stage == 1) {
			stage++
		}
		switch {
		case stage > 2:
			return movedReduction(shape, reduced)
		case stage == 0:
			r.Outer *= d
		case stage == 1:
			r.Axis *= d
		default:
			r.Inner *= d
		}
	}
	return r
}

// movedReduction brings the reduced dimensions to the end.
func movedReduction(shape []int, reduced []bool) Reduction {
	r := Reduction{Outer: 1, Axis: 1, Inner: 1}
	for i, d := range shape {
		if !reduced[i] {
			r.Perm = append(r.Perm, i)
			r.Outer *= d
		}
	}
	for i, d := range shape {
		if reduced[i] {
			r.Perm = append(r.Perm, i)
			r.Axis *= d
		}
	}
	return r
}
