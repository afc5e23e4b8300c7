package exec

import (
	"fmt"

	"github.com/tfs-lang/tfs/internal/poison"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/pass"
	"github.com/tfs-lang/tfs/tensor"
)

// Program is a graph made ready to run: its nodes as a flat list of steps over
// numbered slots. Each step knows which operands it uses last, so that storage is
// recycled and results are made in place. It belongs to one Context.
type Program struct {
	title   string
	steps   []step
	nslots  int
	params  []int32
	results []int32
	consts  []constSlot
	types   []ir.Type // of the parameters
	drops   []int32   // parameters that no step uses
	spare   []*activation
	Runs    int
}

type constSlot struct {
	slot int32
	val  *tensor.Tensor
}

// step is one op of a Program.
type step struct {
	op     *ir.Op
	attrs  any
	in     []int32
	out    []int32
	dying  uint32  // operands that are used for the last time
	drops  []int32 // slots that die here beyond those: repeated or late operands, unused results
	types  []ir.Type
	static bool // types hold whenever the parameters have their noted shapes: nothing was claimed by set_shape
	state  *ir.RandomState
	node   *ir.Node
	site   uint32
}

// activation is one run of a Program: its slots and the call frame.
type activation struct {
	slots []ir.Value
	call  ir.Call
	outs  []ir.Value
}

// Plan returns the program of g, made at the first use and kept with the graph.
func (x *Context) Plan(g *ir.Graph) *Program {
	if p, ok := g.Plan.(*planOf); ok && p.x == x {
		return p.p
	}
	p := compile(pass.Optimize(g, folder{x}))
	g.Plan = &planOf{x, p}
	return p
}

// folder computes constant nodes while a graph is made cheaper.
type folder struct{ x *Context }

// Fold implements pass.Folder.
func (f folder) Fold(n *ir.Node) ([]*tensor.Tensor, bool) {
	c := &ir.Call{Site: n.Pos, Env: &f.x.env}
	in := c.Fill(n.Op, n.Attrs, len(n.In))
	for i, x := range n.In {
		in[i] = x.Exact
	}
	if m := c.Check(); m != nil {
		return nil, false // it fails when it runs
	}
	if m := f.x.run(c, false); m != nil {
		return nil, false
	}
	var out []*tensor.Tensor
	for _, v := range c.Out {
		t, ok := v.(*tensor.Tensor)
		if !ok {
			return nil, false
		}
		tensor.Hold(t)
		out = append(out, t)
	}
	return out, true
}

// planOf is a program with the Context it belongs to.
type planOf struct {
	x *Context
	p *Program
}

// compile lists the nodes of g as steps.
func compile(g *ir.Graph) *Program {
	b := &planner{p: &Program{title: g.Title}, slot: map[*ir.Sym]int32{}, sure: map[*ir.Sym]bool{}}
	for _, s := range g.Params {
		b.p.params = append(b.p.params, b.newSlot(s))
		b.p.types = append(b.p.types, ir.TypeOf(s))
		b.sure[s] = s.Shp.Known()
	}
	for _, n := range g.Nodes {
		b.add(n)
	}
	for _, r := range g.Results {
		b.p.results = append(b.p.results, b.slot[r])
	}
	b.lastUses()
	return b.p
}

type planner struct {
	p    *Program
	slot map[*ir.Sym]int32
	sure map[*ir.Sym]bool // the noted shape is the one at run time
}

func (b *planner) newSlot(s *ir.Sym) int32 {
	i := int32(b.p.nslots)
	b.p.nslots++
	b.slot[s] = i
	return i
}

func (b *planner) add(n *ir.Node) {
	if k, ok := n.Attrs.(*ir.ConstAttrs); ok {
		b.p.consts = append(b.p.consts, constSlot{b.newSlot(n.Out[0]), k.Value})
		b.sure[n.Out[0]] = true
		return
	}
	st := step{op: n.Op, attrs: n.Attrs, node: n, site: n.Pos, static: len(n.Graphs()) == 0}
	for _, x := range n.In {
		st.in = append(st.in, b.slot[x])
		st.static = st.static && b.sure[x] && x.DT != tensor.Variant
	}
	for _, o := range n.Out {
		st.out = append(st.out, b.newSlot(o))
		st.types = append(st.types, ir.TypeOf(o))
		st.static = st.static && o.Shp.Known()
	}
	for _, o := range n.Out {
		b.sure[o] = st.static
	}
	if n.Op.Effect&ir.Random != 0 {
		st.state = &ir.RandomState{Epoch: ^uint64(0)}
	}
	b.p.steps = append(b.p.steps, st)
}

// lastUses finds where each slot dies, walking the steps backwards.
func (b *planner) lastUses() {
	p := b.p
	used := make([]bool, p.nslots)
	for _, r := range p.results {
		used[r] = true
	}
	for _, c := range p.consts {
		used[c.slot] = true
	}
	for i := len(p.steps) - 1; i >= 0; i-- {
		st := &p.steps[i]
		for _, o := range st.out {
			if !used[o] {
				st.drops = append(st.drops, o)
			}
		}
		for k, s := range st.in {
			if used[s] {
				continue
			}
			used[s] = true
			if k < 32 {
				st.dying |= 1 << k
			} else {
				st.drops = append(st.drops, s)
			}
		}
	}
	for _, s := range p.params {
		if !used[s] {
			p.drops = append(p.drops, s)
		}
	}
}

// Run executes the program. in is borrowed except the operands in donate, whose
// references pass to the run; the caller owns one reference of each result. The
// slice is valid until the program runs again.
func (p *Program) Run(x *Context, in []ir.Value, donate uint64) ([]ir.Value, error) {
	if x.depth++; x.depth > maxDepth {
		x.depth--
		return nil, &ir.Error{Class: "RecursionError", Text: "maximum recursion depth exceeded in nested graphs"}
	}
	a := p.activate()
	p.Runs++
	exact := p.enter(x, a, in, donate)
	var err error
	for i := range p.steps {
		if x.Cancelled != nil {
			if err = x.Cancelled(); err != nil {
				break
			}
		}
		if err = p.step(x, a, &p.steps[i], exact); err != nil {
			break
		}
	}
	outs := p.leave(x, a, err)
	x.depth--
	return outs, err
}

// maxDepth bounds programs that run inside programs; graphs nest less.
const maxDepth = 1000

func (p *Program) activate() *activation {
	if n := len(p.spare) - 1; n >= 0 {
		a := p.spare[n]
		p.spare = p.spare[:n]
		return a
	}
	a := &activation{slots: make([]ir.Value, p.nslots), outs: make([]ir.Value, len(p.results))}
	for _, c := range p.consts {
		a.slots[c.slot] = c.val
	}
	return a
}

// enter puts the operands into their slots. exact reports that they have the
// shapes that the steps' types were inferred from.
func (p *Program) enter(x *Context, a *activation, in []ir.Value, donate uint64) (exact bool) {
	exact = true
	for i, s := range p.params {
		v := in[i]
		if i >= 64 || donate>>i&1 == 0 {
			x.Keep(v)
		}
		a.slots[s] = v
		if t, ok := v.(*tensor.Tensor); ok && t.Shape() != p.types[i].Shp && !t.Shape().SubtypeOf(p.types[i].Shp) {
			exact = false
		}
	}
	for _, s := range p.drops {
		x.Drop(a.slots[s])
		a.slots[s] = nil
	}
	return exact
}

func (p *Program) step(x *Context, a *activation, st *step, exact bool) error {
	c := &a.call
	in := c.Fill(st.op, st.attrs, len(st.in))
	for i, s := range st.in {
		in[i] = a.slots[s]
	}
	c.Dying, c.Site, c.Env, c.State = st.dying, st.site, &x.env, st.state
	x.Allocator.Site = st.site
	if m := p.runStep(x, c, st, exact); m != nil {
		for i, s := range st.in {
			if c.Donated>>min(i, 63)&1 != 0 {
				a.slots[s] = nil
			}
		}
		return m.Runtime(p.title, st.node.Name(), c)
	}
	for i, s := range st.out {
		a.slots[s] = c.Out[i]
	}
	x.dropDying(c)
	for i, s := range st.in {
		if i < 32 && st.dying>>i&1 != 0 {
			a.slots[s] = nil
		}
	}
	for _, s := range st.drops {
		if v := a.slots[s]; v != nil {
			x.Drop(v)
			a.slots[s] = nil
		}
	}
	c.Clear()
	return nil
}

func (p *Program) runStep(x *Context, c *ir.Call, st *step, exact bool) *ir.Mistake {
	if st.static && exact {
		c.SetTypes(st.types)
	} else if m := c.Infer(); m != nil {
		return m
	}
	return x.run(c, false)
}

// leave collects the results and drops what is left, all of it after an error.
func (p *Program) leave(x *Context, a *activation, err error) []ir.Value {
	if err == nil {
		for i, s := range p.results {
			v := a.slots[s]
			for k := range i {
				if p.results[k] == s {
					x.Keep(v)
					break
				}
			}
			a.outs[i] = v
		}
		for _, s := range p.results {
			a.slots[s] = nil
		}
	}
	p.clean(x, a, err)
	p.spare = append(p.spare, a)
	if err != nil {
		return nil
	}
	return a.outs
}

// clean empties the slots, which after a run without error hold constants only.
func (p *Program) clean(x *Context, a *activation, err error) {
	if err != nil {
		a.call.Clear()
		for i, v := range a.slots {
			if v != nil {
				x.Drop(v)
				a.slots[i] = nil
			}
		}
	}
	for _, c := range p.consts {
		a.slots[c.slot] = c.val
	}
	if poison.On {
		p.lookForLeftovers(a)
	}
}

// lookForLeftovers finds values that the next run would take for its own.
func (p *Program) lookForLeftovers(a *activation) {
	set := 0
	for _, v := range a.slots {
		if v != nil {
			set++
		}
	}
	if set != len(p.consts) {
		panic(fmt.Sprintf("tfs bug: %d slots of %s are set between runs, %d hold constants", set, p.title, len(p.consts)))
	}
}
