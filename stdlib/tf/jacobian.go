package tf

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// tapeJacobian is tape.jacobian (rule C27): one backward pass for each element of
// the target.
func tapeJacobian(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	t, st := tapeOf(a[0]), bridge.Of(th)
	if err := t.usable(th); err != nil {
		return lang.Unbound, err
	}
	zero, err := wantsZeros(th, a[3])
	if err != nil {
		return lang.Unbound, err
	}
	if pfor, err := lang.Truth(th, a[5]); err != nil {
		return lang.Unbound, err
	} else if !pfor && !t.persistent && !st.Tracing() {
		return lang.Unbound, th.Raise(lang.RuntimeError, "GradientTape must be created with persistent=True to compute the jacobian with eager execution enabled and with experimental_use_pfor set to False.")
	}
	y, err := jacobianTarget(st, a[1])
	if err != nil {
		return lang.Unbound, err
	}
	sources, err := operandsOf(st, a[2], false)
	if err != nil {
		return lang.Unbound, err
	}
	n := y.Shape().NumElements()
	if n < 0 {
		return lang.Unbound, th.Raise(lang.NotImplementedError, "jacobian of a target whose shape is not known while tracing, %s; give the function an input_signature with known dimensions", y.Shape().String())
	}
	rows, err := t.rows(st, y, sources, n, func(i int) ir.Value { return unit(st, y, i, 0) })
	if err != nil {
		return lang.Unbound, err
	}
	return eachSource(th, a[2], func(i int) (lang.Value, error) {
		if rows[i] == nil {
			return gradientValue(st, nil, sources[i], zero)
		}
		return st.Result(joined(st, rows[i], 0, y.Shape(), sourceShape(sources[i])))
	})
}

func jacobianTarget(st *bridge.State, v lang.Value) (ir.Value, error) {
	if va, ok := bridge.AsVariable(v); ok {
		x := va.Read(st)
		return x, st.Err()
	}
	y, ok := bridge.AsIR(v)
	if !ok {
		return nil, st.Th.Raise(lang.AttributeError, "'%s' object has no attribute 'shape'", lang.TypeName(v))
	}
	return y, nil
}

// rows differentiates n times, with the upstream gradients that dy makes, and
// gives for each source the list of results, nil if no path leads to it.
func (t *tape) rows(st *bridge.State, y ir.Value, sources []ir.Value, n int, dy func(i int) ir.Value) ([][]ir.Value, error) {
	if t.t.Recording() && !t.persistent {
		t.t.Stop()
	}
	out := make([][]ir.Value, len(sources))
	for i := range n {
		t.t.KeepRecords(i+1 < n || t.persistent)
		dx := t.t.Gradient([]ir.Value{y}, []ir.Value{dy(i)}, sources)
		if err := st.Err(); err != nil {
			return nil, err
		}
		for j, g := range dx {
			if g == nil {
				continue
			}
			x, err := st.Convert(bridge.FromIR(g), tensor.Invalid)
			if err != nil {
				return nil, err
			}
			out[j] = append(out[j], x)
		}
	}
	return out, nil
}

// unit is zeros in the shape of y with a one: at element i, or with batch rows at
// element i of each row.
func unit(st *bridge.State, y ir.Value, i, batch int) ir.Value {
	n := y.Shape().NumElements()
	t := tensor.Make(y.DType(), y.Shape())
	rows, width := 1, n
	if batch > 0 {
		rows, width = batch, n/max(batch, 1)
	}
	for r := range rows {
		bridge.StoreNumber(t, r*width+i, 1)
	}
	return st.S.Const(t)
}

func sourceShape(x ir.Value) tensor.Shape {
	if v := ir.VarOf(x); v != nil {
		return v.Res.Shape()
	}
	return x.Shape()
}

// joined stacks rows along an axis and gives them the shape target + source.
func joined(st *bridge.State, rows []ir.Value, axis int, target, source tensor.Shape) ir.Value {
	x := st.Pack(rows, axis)
	if !source.Known() {
		return x
	}
	return st.S.Emit2(ops.Reshape, nil, x, ir.DimList(target.Concat(source).Dims()))
}

// tapeBatchJacobian is tape.batch_jacobian (rule C28).
func tapeBatchJacobian(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	t, st := tapeOf(a[0]), bridge.Of(th)
	if err := t.usable(th); err != nil {
		return lang.Unbound, err
	}
	y, err := jacobianTarget(st, a[1])
	if err != nil {
		return lang.Unbound, err
	}
	sources, err := operandsOf(st, a[2], false)
	if err != nil {
		return lang.Unbound, err
	}
	if len(sources) != 1 {
		return lang.Unbound, th.Raise(lang.AttributeError, "'%s' object has no attribute 'shape'", lang.TypeName(a[2]))
	}
	ys, xs := y.Shape(), sourceShape(sources[0])
	for _, s := range []tensor.Shape{ys, xs} {
		if s.RankKnown() && s.Rank() < 2 {
			return lang.Unbound, th.ValueErrorf("Shape %s must have rank at least 2", s.String())
		}
	}
	if !ys.Known() || !xs.Known() {
		return lang.Unbound, th.Raise(lang.NotImplementedError, "batch_jacobian of shapes that are not known while tracing")
	}
	if ys.Dim(0) != xs.Dim(0) {
		return lang.Unbound, th.ValueErrorf("Need first dimension of target shape (%s) and source shape (%s) to match.", ys.String(), xs.String())
	}
	b := ys.Dim(0)
	n := ys.NumElements() / max(b, 1)
	rows, err := t.rows(st, y, sources, n, func(i int) ir.Value { return unit(st, y, i, b) })
	if err != nil {
		return lang.Unbound, err
	}
	whole := ys.Concat(xs.Slice(1, xs.Rank()))
	if len(rows[0]) == 0 {
		z, err := st.X.Zeros(y.DType(), whole)
		if err != nil {
			return lang.Unbound, st.Exception(err)
		}
		return bridge.FromIR(st.S.Const(z)), nil
	}
	x := st.Pack(rows[0], 1)
	return st.Result(st.S.Emit2(ops.Reshape, nil, x, ir.DimList(whole.Dims())))
}
