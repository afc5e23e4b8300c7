package tf

import (
	"strings"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// alone are functions whose first argument does not adopt the dtype of the other
// (rule A16).
var alone = map[string]bool{"AddV2": true, "MulNoNan": true}

// generic binds the exports of ops whose Python function takes the operands and a
// name, nothing else.
func (b *builder) generic() {
	for _, op := range ir.Ops() {
		if len(op.Exports) == 0 || strings.Contains(op.Signature, "=") || strings.Contains(op.Signature, "*") {
			continue
		}
		n := strings.Count(op.Signature, ",") + 1
		d := &lang.Def{Sig: op.ShortName() + "(" + op.Signature + ", name=None)", Fn: opFunction(op, n), Flags: lang.DefPython}
		b.add(strings.Join(op.Exports, " "), &entry{def: d})
	}
}

// opFunction is the Go side of a generic function.
func opFunction(op *ir.Op, n int) lang.Native {
	switch {
	case n == 1:
		return func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
			st := bridge.Of(th)
			x, err := st.Convert(a[0], tensor.Invalid)
			if err != nil {
				return lang.Unbound, err
			}
			if err := named(st, a[1]); err != nil {
				return lang.Unbound, err
			}
			return st.Result(st.S.Emit1(op, nil, x))
		}
	case n == 2 && alone[op.Name]:
		return func(th *lang.Thread, a []lang.Value) (lang.Value, error) { return aloneBinary(th, op, a) }
	}
	groups := shared(op, n)
	return fn(func(c *call) ir.Value {
		in := make([]ir.Value, n)
		for i := range in {
			switch {
			case in[i] != nil:
			case len(groups[i]) > 1:
				for k, x := range c.adopt(groups[i]...) {
					in[groups[i][k]] = x
				}
			case i > 0 && op.IntArgs.HasIn(i, n):
				in[i] = c.ints(i)
			default:
				in[i] = c.t(i)
			}
		}
		c.named(n, "")
		return c.op(op, nil, in...)
	})
}

// shared lists for each of the n operands those that have its dtype.
func shared(op *ir.Op, n int) [][]int {
	out := make([][]int, n)
	for i := range out {
		for k := range n {
			if k == i || op.Def != nil && max(i, k) < len(op.Def.Args()) && op.Def.Args()[i].Attr != "" && op.Def.Args()[k].Attr == op.Def.Args()[i].Attr {
				out[i] = append(out[i], k)
			}
		}
	}
	return out
}

// aloneBinary converts the first argument by itself, the second to its dtype where
// that is possible.
func aloneBinary(th *lang.Thread, op *ir.Op, a []lang.Value) (lang.Value, error) {
	st := bridge.Of(th)
	x, err := st.Convert(a[0], tensor.Invalid)
	if err != nil {
		return lang.Unbound, err
	}
	y, err := st.Hint(a[1], x.DType())
	if err != nil {
		return lang.Unbound, err
	}
	if err := named(st, a[2]); err != nil {
		return lang.Unbound, err
	}
	return st.Result(st.S.Emit2(op, nil, x, y))
}

// named reads a name= argument for the next op.
func named(st *bridge.State, v lang.Value) error {
	s := st.At()
	if v.IsNone() || v.IsUnbound() {
		return nil
	}
	name, err := lang.StrOf(st.Th, v)
	s.Name = name
	return err
}
