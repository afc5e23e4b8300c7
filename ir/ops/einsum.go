package ops

import (
	"strings"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// EinsumAttrs are those of Einsum: an equation like "ij,jk->ik", with ... for any
// dimensions that broadcast.
type EinsumAttrs struct{ Equation string }

// Einsum sums products of elements as its equation says.
var Einsum = ir.NewOp("Einsum", "equation, *inputs")

func init() {
	Einsum.Define(ir.Rules{
		Attrs: &EinsumAttrs{}, Infer: inferEinsum, Kernel: runEinsum, Fuse: ir.Contraction,
		Uses: ir.AllIn, Grad: einsumGrad,
	})
}

// equation is a parsed equation: labels by operand, and those of the result. The
// dimensions of an ellipsis have labels of their own, counted from the right.
type equation struct {
	in  [][]rune
	out []rune
}

const ellipsis = 0xE000

// equationOf resolves the equation against the ranks of the operands.
func equationOf(c *ir.Call) (*equation, *ir.Mistake) {
	text := strings.ReplaceAll(c.Attrs.(*EinsumAttrs).Equation, " ", "")
	ins, out, explicit := strings.Cut(text, "->")
	parts := strings.Split(ins, ",")
	if len(parts) != c.N() {
		return nil, ir.Invalid("Expected %d inputs but got: %d", len(parts), c.N())
	}
	e := &equation{}
	widest := 0
	for i, p := range parts {
		rank := c.Shape(i).Rank()
		labels, dots, m := labelsOf(p, rank)
		if m != nil {
			return nil, m
		}
		if rank >= 0 && len(labels) != rank {
			return nil, ir.Invalid("Expected input %d to have rank %d but got: %d", i, len(labels), rank)
		}
		widest = max(widest, dots)
		e.in = append(e.in, labels)
	}
	if !explicit {
		out = implicit(ins)
	}
	e.out, _, _ = labelsOf(out, len(strings.Replace(out, "...", "", 1))+widest)
	return e, nil
}

// labelsOf reads the labels of one operand; an ellipsis fills up to rank.
func labelsOf(p string, rank int) (labels []rune, dots int, m *ir.Mistake) {
	before, after, has := strings.Cut(p, "...")
	if has {
		dots = rank - len(before) - len(after)
		if dots < 0 {
			return nil, 0, ir.Invalid("Expected input to have rank at least %d but got: %d", len(before)+len(after), rank)
		}
	}
	labels = []rune(before)
	for i := range dots {
		labels = append(labels, rune(ellipsis+dots-1-i))
	}
	return append(labels, []rune(after)...), dots, nil
}

// implicit is the output of an equation without one: labels that occur once, sorted.
func implicit(ins string) string {
	var once []byte
	for ch := byte('A'); ch <= 'z'; ch++ {
		if strings.Count(ins, string(ch)) == 1 {
			once = append(once, ch)
		}
	}
	if strings.Contains(ins, "...") {
		return "..." + string(once)
	}
	return string(once)
}

// sizes finds the size of each label; 1 broadcasts for those of an ellipsis.
func (e *equation) sizes(c *ir.Call) (map[rune]int, *ir.Mistake) {
	size := map[rune]int{}
	for i, labels := range e.in {
		if !c.Shape(i).RankKnown() {
			continue
		}
		for k, l := range labels {
			d := c.Shape(i).Dim(k)
			old, seen := size[l]
			switch {
			case !seen || old < 0 || l >= ellipsis && old == 1:
				size[l] = d
			case d < 0 || old == d || l >= ellipsis && d == 1:
			default:
				return nil, &ir.Mistake{Kind: ir.EinsumDim, Args: []any{old, k, c.Shape(i), d}}
			}
		}
	}
	return size, nil
}

func inferEinsum(c *ir.Call) *ir.Mistake {
	for i := range c.N() {
		if !c.Shape(i).RankKnown() {
			return c.SetOut(c.DType(0), tensor.UnknownShape)
		}
	}
	e, m := equationOf(c)
	if m != nil {
		return m
	}
	size, m := e.sizes(c)
	if m != nil {
		return m
	}
	dims := make([]int, len(e.out))
	for i, l := range e.out {
		d, ok := size[l]
		if !ok {
			return ir.Invalid("Expected output label '%c' to appear in an input", l)
		}
		dims[i] = d
	}
	return c.SetOut(c.DType(0), tensor.ShapeOf(dims...))
}

// factor is a tensor with labelled dimensions, all different.
type factor struct {
	labels []rune
	t      *tensor.Tensor
}

func runEinsum(c *ir.Call) *ir.Mistake {
	e, m := equationOf(c)
	if m != nil {
		return m
	}
	size, m := e.sizes(c)
	if m != nil {
		return m
	}
	r := einsum{c: c, e: e, size: size}
	acc, m := r.operand(0)
	for i := 1; i < c.N() && m == nil; i++ {
		var f factor
		if f, m = r.operand(i); m == nil {
			acc, m = r.product(acc, f, i)
		}
	}
	if m != nil {
		return m
	}
	move(c.O(0), kernel.Dense(c.O(0).Dims()), acc.t, r.view(acc, e.out), c.O(0).Dims())
	return nil
}

type einsum struct {
	c    *ir.Call
	e    *equation
	size map[rune]int
}

// needed reports labels that the result or an operand after i has.
func (r *einsum) needed(l rune, i int) bool {
	for _, o := range r.e.out {
		if o == l {
			return true
		}
	}
	for _, labels := range r.e.in[i+1:] {
		for _, o := range labels {
			if o == l {
				return true
			}
		}
	}
	return false
}

// operand reads operand i: repeated labels become a diagonal, labels that only it
// has are summed.
func (r *einsum) operand(i int) (factor, *ir.Mistake) {
	t := r.c.T(i)
	dense := kernel.Dense(t.Dims())
	var keep, sum []rune
	stride := map[rune]int{}
	for k, l := range r.e.in[i] {
		if _, seen := stride[l]; !seen {
			if r.lonely(l, i) {
				sum = append(sum, l)
			} else {
				keep = append(keep, l)
			}
		}
		if t.Dims()[k] != 1 || r.size[l] == 1 {
			stride[l] += dense.Stride[k]
		} else {
			stride[l] += 0
		}
	}
	all := append(append([]rune(nil), keep...), sum...)
	from := kernel.Strided{Stride: make([]int, len(all))}
	dims := make([]int, len(all))
	for k, l := range all {
		from.Stride[k], dims[k] = stride[l], r.size[l]
	}
	f := factor{labels: keep, t: tensor.Make(t.DType(), tensor.ShapeOf(dims...))}
	move(f.t, kernel.Dense(dims), t, from, dims)
	if len(sum) == 0 {
		return f, nil
	}
	outer, inner := prod(dims[:len(keep)]), prod(dims[len(keep):])
	o := tensor.Make(t.DType(), tensor.ShapeOf(dims[:len(keep)]...))
	if err := kernel.ReduceAny(kernel.Sum, elems(o), elems(f.t), outer, inner, 1); err != nil {
		return f, mistake(r.c, err)
	}
	f.t = o
	return f, nil
}

// lonely reports a label that neither the result nor another operand has.
func (r *einsum) lonely(l rune, i int) bool {
	for k, labels := range r.e.in {
		if k == i {
			continue
		}
		for _, o := range labels {
			if o == l {
				return false
			}
		}
	}
	for _, o := range r.e.out {
		if o == l {
			return false
		}
	}
	return true
}

// view reads a factor with its dimensions in another order.
func (r *einsum) view(f factor, labels []rune) kernel.Strided {
	dense := kernel.Dense(f.t.Dims())
	v := kernel.Strided{Stride: make([]int, len(labels))}
	for i, l := range labels {
		for k, m := range f.labels {
			if m == l {
				v.Stride[i] = dense.Stride[k]
			}
		}
	}
	return v
}

// product multiplies x and y as batches of matrices; labels that nothing after
// operand i needs are summed.
func (r *einsum) product(x, y factor, i int) (factor, *ir.Mistake) {
	var batch, left, mid, right []rune
	for _, l := range x.labels {
		switch shared := has(y.labels, l); {
		case shared && r.needed(l, i):
			batch = append(batch, l)
		case shared:
			mid = append(mid, l)
		default:
			left = append(left, l)
		}
	}
	for _, l := range y.labels {
		if !has(x.labels, l) {
			right = append(right, l)
		}
	}
	a := r.arranged(x, batch, left, mid)
	b := r.arranged(y, batch, mid, right)
	nb, m, k, n := r.count(batch), r.count(left), r.count(mid), r.count(right)
	labels := append(append(append([]rune(nil), batch...), left...), right...)
	dims := make([]int, len(labels))
	for i, l := range labels {
		dims[i] = r.size[l]
	}
	o := factor{labels, tensor.Make(x.t.DType(), tensor.ShapeOf(dims...))}
	for q := range nb {
		if mis := gemm(r.c, false, false, m, n, k, a, b, o.t, q*m*k, q*k*n, q*m*n); mis != nil {
			return o, mis
		}
	}
	return o, nil
}

func has(labels []rune, l rune) bool { return strings.ContainsRune(string(labels), l) }

func (r *einsum) count(labels []rune) int {
	n := 1
	for _, l := range labels {
		n *= r.size[l]
	}
	return n
}

// arranged is f with its dimensions in the order of the groups; f itself where
// that is its order.
func (r *einsum) arranged(f factor, groups ...[]rune) *tensor.Tensor {
	var labels []rune
	for _, g := range groups {
		labels = append(labels, g...)
	}
	if string(labels) == string(f.labels) {
		return f.t
	}
	dims := make([]int, len(labels))
	for i, l := range labels {
		dims[i] = r.size[l]
	}
	t := tensor.Make(f.t.DType(), tensor.ShapeOf(dims...))
	move(t, kernel.Dense(dims), f.t, r.view(f, labels), dims)
	return t
}

// einsumGrad: the gradient of an operand is the einsum of the upstream gradient
// and the other operands onto its labels.
func einsumGrad(g *ir.Grad) {
	text := strings.ReplaceAll(g.Attrs.(*EinsumAttrs).Equation, " ", "")
	ins, out, explicit := strings.Cut(text, "->")
	if !explicit {
		out = implicit(ins)
	}
	parts := strings.Split(ins, ",")
	for i := range parts {
		if g.Wants(i) {
			g.DX[i] = einsumOne(g, parts, out, i)
		}
	}
}

func einsumOne(g *ir.Grad, parts []string, out string, i int) ir.Value {
	s := g.Session
	terms, vals := []string{out}, []ir.Value{g.Dy()}
	rest := out
	for k, p := range parts {
		if k != i {
			terms, vals, rest = append(terms, p), append(vals, conj(s, g.X(k))), rest+p
		}
	}
	var have, missing string
	for _, l := range strings.Replace(parts[i], "...", ".", 1) {
		switch {
		case strings.ContainsRune(have, l) || strings.ContainsRune(missing, l):
		case l == '.' || strings.ContainsRune(rest, l):
			have += string(l)
		default:
			missing += string(l)
		}
	}
	if strings.Contains(rest, "...") && !strings.Contains(parts[i], "...") {
		have = "." + have // summed below
	}
	eq := strings.Join(terms, ",") + "->" + strings.Replace(have, ".", "...", 1)
	d := s.EmitN(Einsum, &EinsumAttrs{eq}, vals...)
	if extra := strings.Contains(have, ".") && !strings.Contains(parts[i], "..."); extra {
		d = dropEllipsis(s, d, len(have)-1)
		have = have[1:]
	}
	plain := strings.Replace(parts[i], "...", ".", 1)
	if have == plain {
		return fitEllipsis(g, d, i)
	}
	return s.Emit2(EinsumSpread, &EinsumAttrs{have + "->" + plain}, fitSpread(g, d, have, plain, i), inShape(g, i))
}

// dropEllipsis sums over the leading dimensions beyond the last n.
func dropEllipsis(s *ir.Session, d ir.Value, n int) ir.Value {
	var axes []int64
	for i := range d.Shape().Rank() - n {
		axes = append(axes, int64(i))
	}
	return s.Emit2(Sum, reduceDrop, d, ir.IntList(axes...))
}

// fitEllipsis sums over dimensions of an ellipsis that were broadcast.
func fitEllipsis(g *ir.Grad, d ir.Value, i int) ir.Value {
	if want := g.In[i].Type.Shp; want.Known() && d.Shape().Known() {
		return sumTo(g.Session, d, want)
	}
	return d
}

// fitSpread is fitEllipsis before repeated or summed labels come back: only where
// no ellipsis broadcasts.
func fitSpread(_ *ir.Grad, d ir.Value, _, _ string, _ int) ir.Value { return d }

// EinsumSpread puts a gradient back onto an operand of Einsum that has repeated
// labels (a diagonal) or labels that were summed away: an op of ours.
var EinsumSpread = ir.NewOp("EinsumSpread", "x, shape")

func init() {
	EinsumSpread.Define(ir.Rules{
		Attrs: &EinsumAttrs{}, IntArgs: ir.In(1),
		Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(c.DType(0), c.ShapeArg(1)) },
		Kernel: func(c *ir.Call) *ir.Mistake {
			from, to, _ := strings.Cut(strings.ReplaceAll(c.Attrs.(*EinsumAttrs).Equation, ".", "..."), "->")
			o, x := c.O(0), c.T(0)
			clear(o.Bytes())
			labels, _, m := labelsOf(to, o.Rank())
			if m != nil {
				return m
			}
			src, _, m := labelsOf(from, x.Rank())
			if m != nil {
				return m
			}
			dense, in := kernel.Dense(o.Dims()), kernel.Dense(x.Dims())
			var dims []int
			var dst, from2 kernel.Strided
			seen := map[rune]int{}
			for k, l := range labels {
				if j, ok := seen[l]; ok {
					dst.Stride[j] += dense.Stride[k]
					continue
				}
				seen[l] = len(dims)
				dims = append(dims, o.Dims()[k])
				dst.Stride = append(dst.Stride, dense.Stride[k])
				st := 0
				for q, m := range src {
					if m == l {
						st = in.Stride[q]
					}
				}
				from2.Stride = append(from2.Stride, st)
			}
			move(o, dst, x, from2, dims)
			return nil
		},
		Grad: func(g *ir.Grad) {
			from, to, _ := strings.Cut(g.Attrs.(*EinsumAttrs).Equation, "->")
			g.DX[0] = g.EmitN(Einsum, &EinsumAttrs{strings.ReplaceAll(to+"->"+from, ".", "...")}, g.Dy())
		},
	})
}
