package exec_test

import (
	"testing"

	"github.com/tfs-lang/tfs/exec"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
)

func TestForwardMode(t *testing.T) {
	x := exec.NewContext()
	p := f32(1, 2)
	acc := x.NewAccumulator([]ir.Value{p}, []ir.Value{f32(1, 0.5)})
	acc.Start()
	y := x.Emit1(ops.Tanh, nil, x.Emit2(ops.Mul, nil, p, p))
	n := x.Emit1(ops.Relu, nil, y)
	acc.Stop()
	same(t, acc.JVP(y), 0.8399487, 0.0026815) // (1 - tanh²(p²)) 2p t
	same(t, acc.JVP(n), 0.8399487, 0.0026815)
	same(t, acc.JVP(p), 1, 0.5)
	if d := acc.JVP(f32(3)); d != nil {
		t.Errorf("unconnected: %v", d)
	}
	noErr(t, x.Session)
}

func TestForwardModeNests(t *testing.T) {
	x := exec.NewContext()
	p := scalar(1.1)
	outer := x.NewAccumulator([]ir.Value{p}, []ir.Value{scalar(1)})
	inner := x.NewAccumulator([]ir.Value{p}, []ir.Value{scalar(1)})
	outer.Start()
	inner.Start()
	y := x.Emit2(ops.Pow, nil, p, scalar(3.5))
	inner.Stop()
	d := inner.JVP(y)
	dd := outer.JVP(d)
	outer.Stop()
	noErr(t, x.Session)
	same(t, d, 4.4417057)
	same(t, dd, 10.094786)
}

func TestForwardModeThroughAFunction(t *testing.T) {
	x := exec.NewContext()
	g := cube(t)
	p := scalar(2)
	acc := x.NewAccumulator([]ir.Value{p}, []ir.Value{scalar(2)})
	acc.Start()
	y := call(x, g, p)
	acc.Stop()
	same(t, acc.JVP(y), 24)
	noErr(t, x.Session)
}
