package exec_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tfs-lang/tfs/exec"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/tensor"
)

// machine runs a random program over registers that own their values, as the VM's
// do: an operand whose register is about to be overwritten is dying.
type machine struct {
	x    *exec.Context
	rng  *rand.Rand
	regs []*tensor.Tensor
	tape *exec.Tape
	src  *tensor.Tensor
	log  []float32
	fns  []*ir.Graph
}

const side = 6 // 6x6 floats don't fit inline

func newMachine(t *testing.T, seed uint64, recycle bool, fns []*ir.Graph) *machine {
	m := &machine{x: exec.NewContext(), rng: rand.New(rand.NewPCG(seed, 1)), fns: fns}
	m.x.Allocator.Keeps, m.x.Allocator.Poison = !recycle, recycle
	for i := range 5 {
		r := counted(t, m.x, make([]float32, side*side)...)
		for k := range r.F32() {
			r.F32()[k] = float32(math.Sin(float64(k + 7*i)))
		}
		r.Retype(tensor.Float32, tensor.ShapeOf(side, side))
		m.regs = append(m.regs, r)
	}
	return m
}

// set moves v into register i.
func (m *machine) set(i int, v ir.Value) {
	t, ok := v.(*tensor.Tensor)
	if !ok {
		return
	}
	old := m.regs[i]
	m.regs[i] = t
	if old != nil {
		m.x.Drop(old)
	}
}

// step does something random.
func (m *machine) step() {
	i, j, d := m.rng.IntN(len(m.regs)), m.rng.IntN(len(m.regs)), m.rng.IntN(len(m.regs))
	a, b := m.regs[i], m.regs[j]
	switch m.rng.IntN(11) {
	case 0, 1, 2:
		m.binary([]*ir.Op{ops.AddV2, ops.Mul, ops.Sub, ops.Maximum}[m.rng.IntN(4)], i, j, d)
	case 3, 4:
		m.unary([]*ir.Op{ops.Tanh, ops.Sigmoid, ops.Sin, ops.Neg, ops.Identity}[m.rng.IntN(5)], i, d)
	case 5:
		p := m.x.Emit2(ops.MatMul, ops.MatMulOf(m.rng.IntN(2) == 0, false), a, b)
		m.set(d, m.x.Op1(ops.Tanh, nil, 1, p))
	case 6: // a view of a view, and back
		v := m.x.Emit2(ops.Reshape, nil, a, ir.IntList(side*side))
		m.set(d, m.x.Op2(ops.Reshape, nil, 1, v, ir.IntList(side, side)))
	case 7: // a row broadcasts
		row := m.x.EmitN(ops.StridedSlice, &ops.SliceAttrs{ShrinkAxis: 1}, a, ir.IntList(1), ir.IntList(2), ir.IntList(1))
		m.set(d, m.x.Op2(ops.AddV2, nil, 2, b, row))
	case 8:
		m.set(d, m.x.EmitN(ops.Call, &ir.CallAttrs{Body: m.fns[m.rng.IntN(len(m.fns))]}, a, b))
	case 9:
		if m.rng.IntN(3) == 0 {
			m.x.Keep(a)
			m.set(d, a) // a second name
		} else {
			m.startTape(a)
		}
	case 10:
		m.gradient(b, d)
	}
}

func (m *machine) binary(op *ir.Op, i, j, d int) {
	a, b := m.regs[i], m.regs[j]
	switch {
	case d == i && d != j && m.rng.IntN(2) == 0: // a = a op b: the old a dies
		m.regs[d] = nil
		m.set(d, m.x.Op2(op, nil, 1, a, b))
	default:
		m.set(d, m.x.Emit2(op, nil, a, b))
	}
}

func (m *machine) unary(op *ir.Op, i, d int) {
	a := m.regs[i]
	if d == i && m.rng.IntN(2) == 0 {
		m.regs[d] = nil
		m.set(d, m.x.Op1(op, nil, 1, a))
		return
	}
	m.set(d, m.x.Emit1(op, nil, a))
}

func (m *machine) startTape(a *tensor.Tensor) {
	if m.tape != nil {
		return
	}
	m.tape = m.x.NewTape(m.rng.IntN(2) == 0, true)
	m.tape.Start()
	m.tape.Watch(a)
	m.src = a
	m.x.Keep(a)
}

func (m *machine) gradient(target *tensor.Tensor, d int) {
	if m.tape == nil {
		return
	}
	m.tape.Stop()
	g := m.tape.Gradient([]ir.Value{target}, nil, []ir.Value{m.src})
	if g[0] != nil {
		m.log = append(m.log, g[0].(*tensor.Tensor).F32()...)
		m.set(d, m.x.Op1(ops.Tanh, nil, 1, g[0]))
	}
	m.x.Drop(m.src)
	m.tape, m.src = nil, nil
}

func (m *machine) run(steps int) []float32 {
	for range steps {
		m.step()
	}
	for _, r := range m.regs {
		m.log = append(m.log, r.F32()...)
	}
	return m.log
}

func functions(t *testing.T) []*ir.Graph {
	mat := ir.Type{DT: tensor.Float32, Shp: tensor.ShapeOf(side, side)}
	two := []ir.Type{mat, mat}
	plain := graph(t, "plain", two, func(s *ir.Session, in []ir.Value) []ir.Value {
		y := s.Emit1(ops.Tanh, nil, s.Emit2(ops.Mul, nil, in[0], in[1]))
		return []ir.Value{s.Emit2(ops.AddV2, nil, s.Emit2(ops.Mul, nil, y, y), in[0])}
	})
	same := graph(t, "same", two, func(s *ir.Session, in []ir.Value) []ir.Value {
		return []ir.Value{s.Emit1(ops.Identity, nil, in[1])}
	})
	nested := graph(t, "nested", two, func(s *ir.Session, in []ir.Value) []ir.Value {
		y := s.EmitN(ops.Call, &ir.CallAttrs{Body: plain}, in[0], in[1])
		c := s.Emit2(ops.Greater, nil, ops.EmitReduce(s, ops.Sum, y, nil, false), s.Scalar(tensor.Float32, 0))
		return []ir.Value{s.EmitN(ops.If, &ir.IfAttrs{Then: plain, Else: same}, c, y, in[1])}
	})
	return []*ir.Graph{plain, same, nested}
}

// TestRecyclingChangesNothing runs random programs with recycling, dead storage
// filled with nan, against the same programs without.
func TestRecyclingChangesNothing(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 60
	}
	for seed := range uint64(n) {
		a, b := newMachine(t, seed, true, functions(t)), newMachine(t, seed, false, functions(t))
		x, y := a.run(60), b.run(60)
		noErr(t, a.x.Session)
		noErr(t, b.x.Session)
		if len(x) != len(y) {
			t.Fatalf("seed %d: %d and %d numbers", seed, len(x), len(y))
		}
		for i := range x {
			if math.Float32bits(x[i]) != math.Float32bits(y[i]) && !(x[i] != x[i] && y[i] != y[i]) {
				t.Fatalf("seed %d: number %d is %v with recycling, %v without", seed, i, x[i], y[i])
			}
		}
	}
}
