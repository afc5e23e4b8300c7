package tracer

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// overloads are builtins that staged code calls in another form, which does the
// same on plain values (rule E9).
var overloads = map[string]*lang.Def{
	"len":   {Sig: "len(obj, /)", Fn: stagedLen},
	"range": {Sig: "range(*args)", Fn: stagedRange},
	"int":   {Sig: "int(*args, **kw)", Fn: stagedNumber(lang.IntClass, tensor.Int32)},
	"float": {Sig: "float(*args, **kw)", Fn: stagedNumber(lang.FloatClass, tensor.Float32)},
}

// overload is the staged form of a builtin, or f itself.
func (tr *Tracer) overload(f lang.Value) lang.Value {
	if d := overloadOf(tr.st.Th, f); d != nil {
		if tr.overloaded == nil {
			tr.overloaded = map[*lang.Def]lang.Value{}
		}
		v, ok := tr.overloaded[d]
		if !ok {
			v = lang.NewNative(d)
			tr.overloaded[d] = v
		}
		return v
	}
	return f
}

func overloadOf(th *lang.Thread, f lang.Value) *lang.Def {
	if c, ok := lang.AsClass(f); ok {
		switch c {
		case lang.RangeClass:
			return overloads["range"]
		case lang.IntClass:
			return overloads["int"]
		case lang.FloatClass:
			return overloads["float"]
		}
		return nil
	}
	n, ok := lang.AsNative(f)
	if !ok || n.Name.String() != "len" || n.Class != nil {
		return nil
	}
	return overloads["len"]
}

// stagedLen is a Python int where the length is known, else a tensor.
func stagedLen(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	st := bridge.Of(th)
	x, ok := bridge.AsIR(a[0])
	if va, isVar := bridge.AsVariable(a[0]); isVar {
		x, ok = va.Read(st), true
	}
	if !ok {
		n, err := lang.Len(th, a[0])
		return lang.Int(int64(n)), err
	}
	s := x.Shape()
	switch {
	case s.Rank() == 0:
		return lang.Unbound, th.ValueErrorf("len requires a non-scalar tensor, got one of shape %s", s.String())
	case s.RankKnown() && s.Dim(0) >= 0:
		return lang.Int(int64(s.Dim(0))), nil
	}
	sess := st.At()
	shape := sess.Emit1(ops.Shape, &ops.ShapeAttrs{}, x)
	return st.Result(sess.EmitN(ops.StridedSlice, &ops.SliceAttrs{ShrinkAxis: 1}, shape, ir.IntList(0), ir.IntList(1), ir.IntList(1)))
}

// stagedRange is tf.range when an argument is a tensor.
func stagedRange(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	args, _ := lang.Sequence(a[0])
	vals := lang.Values(args)
	symbolic := false
	for _, v := range vals {
		_, isVar := bridge.AsVariable(v)
		symbolic = symbolic || bridge.IsTensor(v) || isVar
	}
	if !symbolic || len(vals) == 0 || len(vals) > 3 {
		return th.Call(lang.RangeClass.Value(), vals)
	}
	start, limit, delta := lang.Int(0), vals[0], lang.Int(1)
	if len(vals) > 1 {
		start, limit = vals[0], vals[1]
	}
	if len(vals) > 2 {
		delta = vals[2]
	}
	st := bridge.Of(th)
	in, err := st.Adopt(start, limit, delta)
	if err != nil {
		return lang.Unbound, err
	}
	return st.Result(st.At().EmitN(ops.Range, nil, in...))
}

// stagedNumber is int() or float() of a tensor as a cast.
func stagedNumber(c *lang.Class, dt tensor.DType) lang.Native {
	return func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		args, _ := lang.Sequence(a[0])
		vals := lang.Values(args)
		if len(vals) == 1 && bridge.IsTensor(vals[0]) {
			x, _ := bridge.AsIR(vals[0])
			st := bridge.Of(th)
			if x.DType() != tensor.String {
				st.At()
				return st.Result(st.Cast(x, dt))
			}
			if st.Tracing() {
				return st.Result(st.At().Emit1(ops.StringToNumber, &ops.StringAttrs{OutType: dt}, x))
			}
		}
		kw, _ := lang.AsDict(a[1])
		var names []*lang.Str
		for at := 0; ; {
			k, v, next, ok := kw.Entry(at)
			if !ok {
				break
			}
			at = next
			n, _ := lang.AsStr(k)
			names, vals = append(names, n), append(vals, v)
		}
		return th.Call(c.Value(), vals, names...)
	}
}

// not is `not v` on a tensor.
func (tr *Tracer) not(v lang.Value) (lang.Value, error) {
	st := tr.st
	x, err := st.Convert(v, tensor.Invalid)
	if err != nil {
		return lang.Unbound, err
	}
	return st.Result(st.At().Emit1(ops.LogicalNot, nil, x))
}
